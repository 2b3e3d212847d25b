"""A few documents about a mill and some bees, and a draft about them."""

from collections.abc import Mapping
from pathlib import Path

TRUE = "The Harrow mill burned down in 1904."
FALSE = "The Harrow mill burned down in 1911."
UNFOUNDED = "The mayor of Lisbon collects postage stamps from Peru."
QUESTION = "Who rebuilt it?"
DRAFT = "\n\n".join([TRUE, FALSE, UNFOUNDED, QUESTION]) + "\n"


TWO = {
    "mill.md": "# The Harrow mill\n\nThe Harrow mill burned down in 1904. It was never rebuilt.\n\n"
    "Its owner was Anna Berg, who had bought it from her uncle in 1889.\n",
    "bees.txt": "Bees sleep at night. A hive holds up to 60,000 bees.\n",
}


def write_documents(folder: Path, texts: Mapping[str, str] = TWO) -> Path:
    """Texts by the places of their files in the folder; by default two that can be read."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder
