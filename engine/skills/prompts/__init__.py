"""Prompts: one file for each skill and wording, ours and the papers', which users may override.

``judge.veracite.toml`` is Veracite's own wording of the skill ``judge``, made for small models and
used unless another is chosen; ``judge.ceg.toml`` is the paper's. A file of the same name in the
user's folder (``prompts`` beside the config file) takes its place unless it is empty, one of
another name adds a wording, and ``judge.ceg.demonstrations.txt`` fills the prompt's
{demonstrations}.

What comes from documents and users cannot change the structure of a prompt. A passage stands
between ``<passage 1>`` and ``</passage>``, its heading and its text on one line each, so that a
document can add no line. Invisible and control characters are taken out or shown as escapes, and
what looks like one of the fences loses its bracket.
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from veracite.engine.display import neutralise
from veracite.engine.errors import SettingsError
from veracite.engine.settings import meant
from veracite.index.documents import Passage
from veracite.models.chat import Message

OURS = "veracite"
"""The wording that every skill has."""
PASSAGES = "passages"
DEMONSTRATIONS = "demonstrations"
_DEMONSTRATIONS_FILE = ".demonstrations.txt"
USUAL_LIMIT = 200
_NO_PASSAGES = "(no passages)"
_BEGUN = "{so_far}"
"""All that a last message of the assistant may hold: its reply goes on from there."""
_PLACEHOLDER = re.compile(r"\{([a-z][a-z_]*)\}")
_FENCE = re.compile(r"[<＜﹤‹〈⟨](?=[\s/／\\]{0,9}(?:(?:passage|text)\b|\Z))", re.IGNORECASE)
"""The bracket of a fence, of what a reader might take for one, or of one that may follow."""

Field = str | int | Sequence[str]
"""A text; a number; a list, of which each entry gets a line."""
_Count = Annotated[int, msgspec.Meta(ge=1)]
_Words = Annotated[str, msgspec.Meta(pattern=r"\S")]


@dataclass(frozen=True, slots=True)
class Kind:
    """What a prompt of one skill must hold."""

    needed: tuple[str, ...]
    """Placeholders that must stand in it."""
    allowed: tuple[str, ...] = ()
    """Placeholders that may stand in it besides; demonstrations always may."""
    options: tuple[str, ...] = ()
    """What its options may mean; the first one and at least one other must be there."""


_VERDICTS = ("supported", "contradicted", "neutral")
_FROM_PASSAGES = Kind(("question", PASSAGES))
KINDS: Mapping[str, Kind] = {
    "draft": Kind(("question",)),
    "draft_short": Kind(("question",)),
    "answer_cited": _FROM_PASSAGES,
    "answer_plain": _FROM_PASSAGES,
    "answer_short": _FROM_PASSAGES,
    "refine": Kind(("question", "answers", PASSAGES)),
    "revise": Kind(("question", "text", "claims", PASSAGES)),
    "fix": Kind(("text", "claims", PASSAGES)),
    "judge": Kind(("claim", PASSAGES), ("question",), _VERDICTS),
    "select": Kind(("question", "k", PASSAGES)),
    "sufficient": Kind(("question", PASSAGES), options=("yes", "no")),
    "sufficient_score": Kind(
        ("question", PASSAGES), options=tuple(str(score) for score in range(11))
    ),
    "missing_question": _FROM_PASSAGES,
    "missing_passage": _FROM_PASSAGES,
    "next_claim": Kind(("question", "so_far", PASSAGES)),
    "cite": Kind(("claim", PASSAGES), ("most",)),
    "queries": Kind(("question", "so_far", "claim", "count"), (PASSAGES,)),
    "summarise": _FROM_PASSAGES,
    "extract": _FROM_PASSAGES,
}
"""Every skill that has prompts."""


class Turn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One message with placeholders."""

    role: Literal["system", "user", "assistant"]
    content: str


class Reasoning(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a model is made to think first, and to conclude."""

    ask: str = ""
    """What follows the last message; empty where the prompt itself asks for it."""
    limit: _Count
    """Most tokens of thought."""
    conclude: str
    """What is said to it then."""
    always: bool = False
    """Whether the prompt is never asked without."""


class Prompt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a model is told for one skill, in one wording: what a prompt's file holds."""

    name: str = ""
    """Skill and wording, the file's name without ``.toml``: "judge.ceg"."""
    skill: str
    source: str
    """Who worded it: "Veracite", or the paper and its table."""
    version: _Count
    messages: tuple[Turn, ...]
    options: dict[str, _Words] = {}
    """What each option means, and its words."""
    limit: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Most tokens of a reply; 0 is ``USUAL_LIMIT``, where no grammar bounds it."""
    passage: str = "{heading}\n{text}"
    """How a passage stands between its fences: {number}, {heading}, {text}."""
    reasoning: Reasoning | None = None
    demonstrations: str = ""
    file: str | None = None
    """The user's own file; None for one that ships with Veracite."""

    @property
    def id(self) -> str:
        """Name, version and the start of the content's SHA-256: "judge.ceg/1@0123abcd"."""
        content = msgspec.to_builtins(replace(self, file=None))
        digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
        return f"{self.name}/{self.version}@{digest[:8]}"

    @property
    def words(self) -> tuple[str, ...]:
        """The options, as the model is to say them."""
        return tuple(self.options.values())

    def render(
        self, fields: Mapping[str, Field], passages: Sequence[Passage] = ()
    ) -> tuple[Message, ...]:
        """The messages, with a border of parts before and after each passage.

        Fields that the prompt has no place for are left out. Whatever a field holds stays on its
        own line, except in the field "text". An assistant that has said nothing yet is left out.

        Raises:
            KeyError: A placeholder has no field.
        """
        said = (
            Message(turn.role, tuple(self._parts(turn.content.strip(), fields, passages)))
            for turn in self.messages
        )
        return tuple(one for one in said if one.parts or one.role != "assistant")

    def _parts(
        self, content: str, fields: Mapping[str, Field], passages: Sequence[Passage]
    ) -> Iterator[str]:
        part = ""
        for place, piece in enumerate(_PLACEHOLDER.split(content)):
            if place % 2 == 0:
                part += piece
            elif piece == DEMONSTRATIONS:
                shots = self.demonstrations.strip()
                part += f"{shots}\n\n" if shots else ""
            elif piece != PASSAGES or not passages:
                part += _NO_PASSAGES if piece == PASSAGES else _written(piece, fields[piece])
            else:
                if part:
                    yield part
                for number, passage in enumerate(passages, 1):
                    yield "\n" * (number > 1) + self._fenced(passage, number)
                part = ""
        if part := part.rstrip():
            yield part

    def _fenced(self, passage: Passage, number: int) -> str:
        """A passage between its fences, without lines that stay empty."""
        values = {
            "number": str(number),
            "heading": _one_line(passage.heading or ""),
            "text": _one_line(passage.text),
        }
        written = re.sub(
            r"\{(number|heading|text)\}", lambda match: values[match[1]], self.passage.strip()
        )
        lines = [line for line in written.splitlines() if line.strip()]
        return "\n".join([f"<passage {number}>", *lines, "</passage>"])


def _written(name: str, value: Field) -> str:
    if isinstance(value, int):
        return str(value)
    if name == "text" and isinstance(value, str):
        return _FENCE.sub("(", neutralise(value, lines=True)).strip()
    if isinstance(value, str):
        return _one_line(value)
    return "\n".join(f"- {_one_line(text)}" for text in value)


def _one_line(text: str) -> str:
    """The text on one line, without fences and hidden characters."""
    return " ".join(_FENCE.sub("(", neutralise(text)).split())


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
        for path in sorted(folder.glob("*.toml")) if folder else ():
            text = _read(path)
            if text.strip():  # a shell's redirection makes an empty one before we are asked
                named[path.stem] = replace(
                    _prompt(path.stem, text, f"The prompt {path}"), file=str(path)
                )
        for path in sorted(folder.glob(f"*{_DEMONSTRATIONS_FILE}")) if folder else ():
            name = path.name.removesuffix(_DEMONSTRATIONS_FILE)
            if name not in named:
                raise SettingsError(
                    f"{path} belongs to no prompt.",
                    f"Name it after one of: {', '.join(sorted(named))}.",
                )
            named[name] = replace(named[name], demonstrations=_read(path))
        return cls(named)

    def limited(self, limit: int) -> "Prompts":
        """The same, each reply of so many tokens at most."""
        return Prompts({name: replace(one, limit=limit) for name, one in self.named.items()})

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
                    f"Valid: {', '.join(sorted(self.wordings()))}.",
                )
        names = [f"{skill}.{wording}" for wording in wordings]
        found = next((name for name in names if name in self.named), f"{skill}.{OURS}")
        return self.named[found]


@cache
def _bundled() -> Mapping[str, Prompt]:
    entries = (entry for entry in files(__name__).iterdir() if entry.name.endswith(".toml"))
    found = (_prompt(Path(e.name).stem, e.read_text(encoding="utf-8"), e.name) for e in entries)
    return {prompt.name: prompt for prompt in found}


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"The file {path} cannot be read ({error}).", "Mend it, or move it away."
        ) from error


def _prompt(name: str, text: str, where: str) -> Prompt:
    """A prompt from its TOML, read strictly: a mistake is found before a model is asked.

    Args:
        name: Skill and wording, the file's name without ``.toml``.
        where: What to call the file in an error.

    Raises:
        SettingsError: It is no TOML, a field is unknown, missing or of the wrong kind, or a
            placeholder is unknown or missing.
    """
    try:
        table = tomllib.loads(text)
        table["messages"] = table.pop("message", ())
        given = msgspec.convert(table, Prompt)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise SettingsError(
            f"{where} cannot be used: {error}.",
            "Mend that, or move the file away to use the prompt that comes with Veracite.",
        ) from error
    if given.skill not in KINDS:
        raise _unknown(where, "skill", given.skill, KINDS)
    if name.partition(".")[0] != given.skill or not name.partition(".")[2]:
        advice = f"Name the file {given.skill}.WORDING.toml."
        raise SettingsError(f"{where} has the skill {given.skill}.", advice)
    kind = KINDS[given.skill]
    _require_messages(where, given.messages, kind)
    _require_options(where, given.options, kind)
    options = {
        meaning: given.options[meaning] for meaning in kind.options if meaning in given.options
    }
    return replace(given, name=name, options=options)


def _require_messages(where: str, turns: Sequence[Turn], kind: Kind) -> None:
    roles = [turn.role for turn in turns]
    if roles[-1:] == ["assistant"] and turns[-1].content.strip() == _BEGUN:
        roles.pop()
    if roles[-1:] != ["user"]:
        raise SettingsError(
            f"{where} does not end with a message of the user.", "Add one as the last."
        )
    found = [name for turn in turns for name in _PLACEHOLDER.findall(turn.content)]
    known = (*kind.needed, *kind.allowed, DEMONSTRATIONS)
    for name in found:
        if name not in known:
            raise _unknown(where, "placeholder", name, known)
    for name in kind.needed:
        if name not in found:
            advice = f"Write {{{name}}} where it is to stand."
            raise SettingsError(f"{where} lacks {{{name}}}.", advice)
    if found.count(PASSAGES) > 1:
        raise SettingsError(f"{where} has {{{PASSAGES}}} twice.", "Leave one of them out.")


def _require_options(where: str, table: Mapping[str, str], kind: Kind) -> None:
    for meaning in table:
        if meaning not in kind.options:
            raise _unknown(where, "option", meaning, kind.options)
    words = set(table.values())
    if kind.options and (kind.options[0] not in table or len(words) < 2 or len(words) < len(table)):
        raise SettingsError(
            f"{where} needs at least two options, each with other words.",
            f"Write them under [options]; they may mean {', '.join(kind.options)}.",
        )


def _unknown(where: str, what: str, name: str, valid: Iterable[str]) -> SettingsError:
    choices = list(valid)
    listing = f"Valid: {', '.join(choices)}." if choices else "Leave it out."
    told = f"{where} has an unknown {what}, {name!r}."
    return SettingsError(told, meant(name, choices) + listing)
