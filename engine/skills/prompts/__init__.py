"""Prompts: one file for each skill and wording, ours and the papers', which users may override.

``judge.veracite.toml`` is Veracite's own wording of the skill ``judge``, made for small models and
used unless another is chosen; ``judge.ceg.toml`` is the paper's. A file of the same name in the
user's folder (``prompts`` beside the config file) takes its place unless it is empty, one of
another name adds a wording, and ``judge.ceg.demonstrations.txt`` fills the prompt's
{demonstrations}.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from veracite.engine.errors import SettingsError
from veracite.engine.skills.prompts.kinds import KINDS
from veracite.engine.skills.prompts.prompt import Field, Prompt, Reasoning, Turn
from veracite.engine.skills.prompts.reading import read_prompt

__all__ = ["OURS", "Field", "Prompt", "Prompts", "Reasoning", "Turn"]

OURS = "veracite"
"""The wording that every skill has."""

_DEMONSTRATIONS = ".demonstrations.txt"


@dataclass(frozen=True, slots=True)
class Prompts:
    """Every prompt there is, by name."""

    named: Mapping[str, Prompt]

    @classmethod
    def load(cls, folder: Path | None = None) -> "Prompts":
        """The prompts that ship with Veracite and the user's own.

        Args:
            folder: Where the user's files lie; it need not exist.

        Raises:
            SettingsError: A file there cannot be read or used.
        """
        named = dict(_bundled())
        if folder is not None and folder.is_dir():
            for path in sorted(folder.glob("*.toml")):
                text = _read(path)
                if not text.strip():  # a shell's redirection makes it before we are asked
                    continue
                named[path.stem] = read_prompt(
                    path.stem, text, f"The prompt {path}", file=str(path)
                )
            for path in sorted(folder.glob(f"*{_DEMONSTRATIONS}")):
                name = path.name.removesuffix(_DEMONSTRATIONS)
                if name not in named:
                    raise SettingsError(
                        f"{path} belongs to no prompt.",
                        f"Name it after one of: {', '.join(sorted(named))}.",
                    )
                named[name] = replace(named[name], demonstrations=_read(path).strip())
        return cls(named)

    def all(self) -> tuple[Prompt, ...]:
        """Every prompt, skill by skill, ours first."""
        order = list(KINDS)
        return tuple(
            sorted(
                self.named.values(),
                key=lambda p: (order.index(p.skill), p.name != f"{p.skill}.{OURS}", p.name),
            )
        )

    def wordings(self) -> tuple[str, ...]:
        """What stands after the skill in the prompts' names, ours first."""
        found = {name.split(".", 1)[1] for name in self.named}
        return (OURS, *sorted(found - {OURS}))

    def choose(self, skill: str, wordings: Sequence[str] = ()) -> Prompt:
        """The prompt of a skill in the first of these wordings that there is, or in ours.

        Raises:
            SettingsError: No skill at all has a wording of this name.
        """
        for wording in wordings:
            if wording not in self.wordings():
                raise SettingsError(
                    f"There are no prompts in the wording {wording!r}.",
                    f"Valid: {', '.join(self.wordings())}.",
                )
        names = [f"{skill}.{wording}" for wording in wordings]
        found = next((name for name in names if name in self.named), f"{skill}.{OURS}")
        return self.named[found]


@cache
def _bundled() -> Mapping[str, Prompt]:
    return {
        entry.name.removesuffix(".toml"): read_prompt(
            entry.name.removesuffix(".toml"), entry.read_text(encoding="utf-8"), entry.name
        )
        for entry in files(__name__).iterdir()
        if entry.name.endswith(".toml")
    }


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"The file {path} cannot be read ({error}).", "Mend it, or move it away."
        ) from error
