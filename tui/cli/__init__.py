"""The command line: ``veracite``."""

import sys

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run a command line, by default this process's own; returns the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if given in (["--version"], ["-V"]):
        # Answered before anything else is imported.
        from veracite.engine.version import __version__

        sys.stdout.write(f"veracite {__version__}\n")
        return 0
    try:
        from veracite.tui.cli.root import run

        return run(given)
    except KeyboardInterrupt:  # before the console could take care of it
        sys.stderr.write("Interrupted.\n")
        return 130
