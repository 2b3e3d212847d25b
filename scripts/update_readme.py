"""Writes what the demo and a question print into the README: of the demo, chosen verdicts.

Run it after anything that changes what they print; ``tests/test_samples.py`` notices.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMMAND = ["veracite", "check", "tests/samples/draft.md", "--against", "tests/samples/library"]
QUESTION = "Who found the asteroid?"
ASKING = ["veracite", "ask", QUESTION, "--against", "tests/samples/library"]
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
ASK_BEGIN = "<!-- ask output: scripts/update_readme.py -->\n"
ASK_END = "<!-- end of ask output -->\n"


def output_of(command: list[str]) -> str:
    """What a command prints, with an index and settings of its own."""
    with tempfile.TemporaryDirectory() as folder:
        environ = os.environ | {
            "VERACITE_CACHE_DIR": f"{folder}/cache",
            "VERACITE_DATA_DIR": f"{folder}/data",
            "VERACITE_CONFIG": os.devnull,
            "PYTHONUTF8": "1",
        }
        program = Path(sys.executable).with_name(command[0])
        run = subprocess.run(
            [program, *command[1:]],
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


def written(text: str, shown: str, begin: str, end: str) -> str:
    """A text with something shown, as printed, between two marks."""
    before, rest = text.split(begin)
    _, after = rest.split(end)
    return f"{before}{begin}```\n{shown}\n```\n{end}{after}"


def main() -> None:
    readme = ROOT / "README.md"
    demo = excerpt(output_of([*COMMAND, "--fail-on", "none"]))
    command = f'$ veracite ask "{QUESTION}" {" ".join(ASKING[3:])}'
    answer = f"{command}\n{output_of(ASKING).rstrip()}"
    text = written(readme.read_text(encoding="utf-8"), demo, BEGIN, END)
    readme.write_text(written(text, answer, ASK_BEGIN, ASK_END), encoding="utf-8")


if __name__ == "__main__":
    main()
