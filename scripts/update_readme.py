"""Writes the demo's output into the README: chosen verdicts, and the closing lines.

Run it after anything that changes what the demo prints; ``tests/test_samples.py`` notices.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMMAND = ["veracite", "check", "tests/samples/draft.md", "--against", "tests/samples/library"]
SHOWN = (
    "Who has never stood",
    "dates from March 1957",
    "Queen Elizabeth II",
    "It was installed",
    "took an inflatable planetarium",
    "An adult ticket",
    "in a wheelchair",
)
"""Parts of the claims that the README shows; the other verdicts are left out."""
BEGIN = "<!-- demo output: scripts/update_readme.py -->\n"
END = "<!-- end of demo output -->\n"


def demo_output() -> str:
    """What the demo's command prints, with an index and settings of its own."""
    with tempfile.TemporaryDirectory() as folder:
        environ = os.environ | {
            "VERACITE_CACHE_DIR": f"{folder}/cache",
            "VERACITE_DATA_DIR": f"{folder}/data",
            "VERACITE_CONFIG": os.devnull,
            "PYTHONUTF8": "1",
        }
        program = Path(sys.executable).with_name(COMMAND[0])
        run = subprocess.run(
            [program, *COMMAND[1:], "--fail-on", "none"],
            cwd=ROOT,
            env=environ,
            capture_output=True,
            check=True,
        )
    return run.stdout.decode("utf-8")


def excerpt(output: str) -> str:
    """The verdicts in ``SHOWN`` and what stands below the last verdict."""
    *verdicts, closing = output.rstrip("\n").split("\n\n")
    blocks: list[str] = []
    for verdict in verdicts:
        if any(part in " ".join(verdict.split()) for part in SHOWN):
            blocks.append(verdict)
        elif blocks[-1:] != ["[...]"]:
            blocks.append("[...]")
    return "\n\n".join([f"$ {' '.join(COMMAND)}", *blocks, closing])


def main() -> None:
    readme = ROOT / "README.md"
    before, rest = readme.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    shown = f"```\n{excerpt(demo_output())}\n```\n"
    readme.write_text(f"{before}{BEGIN}{shown}{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
