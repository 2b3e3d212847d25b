"""A prompt file, TOML: read strictly, so that a mistake is found before a model is asked."""

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from veracite.engine.errors import SettingsError
from veracite.engine.skills.prompts.kinds import KINDS, PASSAGES, Kind
from veracite.engine.skills.prompts.prompt import PLACEHOLDER, Prompt, Reasoning, Turn

_ROLES = ("system", "user", "assistant")
_PASSAGE = "{heading}\n{text}"

_TYPES: Mapping[str, tuple[type, str]] = {
    "skill": (str, "a text"),
    "source": (str, "a text"),
    "version": (int, "a whole number from 1"),
    "message": (list, "tables under [[message]]"),
    "options": (dict, "a table under [options]"),
    "limit": (int, "a whole number from 1"),
    "stop": (list, "a list of texts"),
    "passage": (str, "a text"),
    "reasoning": (dict, "a table under [reasoning]"),
    "demonstrations": (str, "a text"),
}
_MESSAGE = {"role": (str, "system, user or assistant"), "content": (str, "a text")}
_REASONING = {
    "ask": (str, "a text"),
    "limit": (int, "a whole number from 1"),
    "conclude": (str, "a text"),
    "always": (bool, "true or false"),
}


def read_prompt(name: str, text: str, where: str, *, file: str | None = None) -> Prompt:
    """A prompt from its TOML.

    Args:
        name: Skill and wording, the file's name without ``.toml``.
        where: What to call the file in an error.
        file: The path that ``Prompt.file`` is to state.

    Raises:
        SettingsError: It is no TOML, a field is unknown, missing or of the wrong kind, or a
            placeholder is unknown or missing.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            f"{where} is not valid TOML: {error}.",
            "Mend that line, or move the file away to use the prompt that comes with Veracite.",
        ) from error
    _check(where, "", table, _TYPES, needed=("skill", "source", "version", "message"))
    skill = table["skill"]
    if skill not in KINDS:
        raise _unknown(where, "skill", skill, KINDS)
    if name.partition(".")[0] != skill or not name.partition(".")[2]:
        raise _wrong(where, f"has the skill {skill}", f"Name the file {skill}.WORDING.toml.")
    kind = KINDS[skill]
    messages = _messages(where, table["message"], kind)
    return Prompt(
        name=name,
        skill=skill,
        source=table["source"],
        version=table["version"],
        messages=messages,
        options=_options(where, table.get("options", {}), kind),
        limit=_limit(where, table.get("limit"), kind),
        stop=_stop(where, table.get("stop", [])),
        passage=table.get("passage", _PASSAGE).strip(),
        reasoning=_reasoning(where, table.get("reasoning")),
        demonstrations=table.get("demonstrations", "").strip(),
        file=file,
    )


def _messages(where: str, tables: list[Any], kind: Kind) -> tuple[Turn, ...]:
    for table in tables:
        _check(where, "message.", table, _MESSAGE, needed=tuple(_MESSAGE))
        if table["role"] not in _ROLES:
            raise _unknown(where, "role", table["role"], _ROLES)
    turns = tuple(Turn(table["role"], table["content"].strip()) for table in tables)
    if not turns or turns[-1].role != "user":
        raise _wrong(where, "does not end with a message of the user", "Add one as the last.")
    found = [name for turn in turns for name in PLACEHOLDER.findall(turn.content)]
    known = (*kind.needed, *kind.allowed)
    for name in found:
        if name not in known:
            raise _unknown(where, "placeholder", name, known)
    for name in kind.needed:
        if name not in found:
            raise _wrong(where, f"lacks {{{name}}}", f"Write {{{name}}} where it is to stand.")
    if found.count(PASSAGES) > 1:
        raise _wrong(where, f"has {{{PASSAGES}}} twice", "Leave one of them out.")
    return turns


def _options(where: str, table: dict[str, Any], kind: Kind) -> tuple[tuple[str, str], ...]:
    for meaning, word in table.items():
        if meaning not in kind.options:
            raise _unknown(where, "option", meaning, kind.options)
        if not isinstance(word, str) or not word.strip():
            raise _wrong(where, f"has no words for the option {meaning}", "Write them as a text.")
    words = set(table.values())
    if kind.options and (kind.options[0] not in table or len(words) < 2 or len(words) < len(table)):
        raise _wrong(
            where,
            "needs at least two options, each with other words",
            f"Write them under [options]; they may mean {', '.join(kind.options)}.",
        )
    return tuple((meaning, table[meaning]) for meaning in kind.options if meaning in table)


def _limit(where: str, limit: int | None, kind: Kind) -> int:
    if kind.limited and limit is None:
        raise _wrong(where, "has no limit", "Add limit = 200, the most tokens of a reply.")
    if not kind.limited and limit is not None:
        raise _wrong(where, "has a limit, which its skill does not need", "Leave it out.")
    return limit or 0


def _stop(where: str, texts: list[Any]) -> tuple[str, ...]:
    if not all(isinstance(text, str) and text for text in texts):
        raise _wrong(where, "has a stop that is no text", 'Write stop = ["\\n"], for one.')
    return tuple(texts)


def _reasoning(where: str, table: dict[str, Any] | None) -> Reasoning | None:
    if table is None:
        return None
    _check(where, "reasoning.", table, _REASONING, needed=("limit", "conclude"))
    return Reasoning(
        ask=table.get("ask", "").strip(),
        limit=table["limit"],
        conclude=table["conclude"].strip(),
        always=table.get("always", False),
    )


def _check(
    where: str,
    prefix: str,
    table: object,
    types: Mapping[str, tuple[type, str]],
    needed: tuple[str, ...],
) -> None:
    """That a table has its fields, no others, and each of its type."""
    if not isinstance(table, dict):
        raise _wrong(where, f"has a {prefix.rstrip('.')} that is no table", "Write it as a table.")
    for name, value in table.items():
        if name not in types:
            raise _unknown(where, "field", prefix + name, [prefix + known for known in types])
        kind, meant = types[name]
        positive = kind is not int or (isinstance(value, int) and value >= 1)
        if type(value) is not kind or not positive:
            raise _wrong(where, f"has {prefix}{name} = {value!r}", f"Give {meant}.")
    for name in needed:
        if name not in table:
            raise _wrong(where, f"lacks {prefix}{name}", f"Add it: {types[name][1]}.")


def _wrong(where: str, what: str, advice: str) -> SettingsError:
    return SettingsError(f"{where} {what}.", advice)


def _unknown(where: str, what: str, name: str, valid: Iterable[str]) -> SettingsError:
    choices = list(valid)
    near = difflib.get_close_matches(name, choices, n=1, cutoff=0.5)
    meant = f"Did you mean {near[0]}? " if near else ""
    listing = f"Valid: {', '.join(choices)}." if choices else "Leave it out."
    return SettingsError(f"{where} has an unknown {what}, {name!r}.", meant + listing)
