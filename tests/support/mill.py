"""A few documents about a mill and some bees, and a draft about them."""

from pathlib import Path

TRUE = "The Harrow mill burned down in 1904."
FALSE = "The Harrow mill burned down in 1911."
UNFOUNDED = "The mayor of Lisbon collects postage stamps from Peru."
QUESTION = "Who rebuilt it?"
DRAFT = "\n\n".join([TRUE, FALSE, UNFOUNDED, QUESTION]) + "\n"


def write_documents(folder: Path) -> Path:
    """Two documents that can be read."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mill.md").write_text(
        "# The Harrow mill\n\nThe Harrow mill burned down in 1904. It was never rebuilt.\n\n"
        "Its owner was Anna Berg, who had bought it from her uncle in 1889.\n"
    )
    (folder / "bees.txt").write_text("Bees sleep at night. A hive holds up to 60,000 bees.\n")
    return folder
