"""A report from the JSON that ``veracite.engine.report.json`` wrote, to be written anew."""

from typing import Any

import msgspec

from veracite.engine.errors import InputError
from veracite.engine.report.audit import read
from veracite.engine.types import Report

Facts = dict[str, Any]


def load(content: bytes, name: str) -> Report:
    """The report, whose probabilities have the decimals that its JSON has.

    Args:
        name: What to call it in an error.

    Raises:
        InputError: It is no report, one of another schema, or one that does not hold its text and
            passages, as those of older versions do not.
    """
    read(content, name)
    try:
        return msgspec.convert(_in_our_words(msgspec.json.decode(content)), Report)
    except msgspec.ValidationError as error:
        raise InputError(
            f"{name} does not hold all that is shown ({error}).",
            "Check the text again: reports of older versions lack the text and the passages.",
        ) from error


def _in_our_words(told: Facts) -> Facts:
    """What the JSON says, by the names and in the places that ``Report`` has for it."""
    documents = _object(told.get("documents"))
    own = {
        "version": told["veracite"],
        "verdicts": [_verdict(claim) for claim in told["claims"]],
        "documents_read": documents.get("read"),
        "failed": documents.get("failed"),
        "others": documents.get("other_kinds", ()),
        "answer": None,
        "fix": None,
    }
    if told.get("answer") is not None:
        own["answer"] = {**told, **_object(told["answer"]), "verdicts": own["verdicts"]}
    if told.get("fix") is not None:
        fix = _object(told["fix"])
        made = msgspec.convert(fix.get("changes"), list[Facts])
        changes = [{**change, "before": _verdict(change.get("before"))} for change in made]
        own["fix"] = {**fix, "changes": changes}
    return {**told, **told["text"], **own}


def _verdict(claim: object) -> Facts:
    """The same as a verdict; what it was searched by is not kept."""
    told = _object(claim)
    return {**told, "claim": {**told, "query": told.get("statement")}}


def _object(told: object) -> Facts:
    return msgspec.convert(told, Facts)
