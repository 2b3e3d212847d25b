"""Sentences in a language that the models do not read: said of the text as a whole."""

import re
from collections.abc import Sequence

from veracite.engine.language import unsupported
from veracite.engine.types import Verdict

_REASON = re.compile(r"written in (.+), which the bundled models do not read")
"""Why such a claim is not checkable, as ``engine.claims`` says it."""


def unread_note(verdicts: Sequence[Verdict]) -> str | None:
    """How much of the text was set aside for its language; None if nothing was."""
    languages = [language for verdict in verdicts if (language := _language(verdict))]
    if not languages:
        return None
    unread = len(languages)
    one = unread == 1
    named = " and ".join(dict.fromkeys(languages))
    outcome = "it was not checked" if one else "they were not checked"
    if nothing_read(verdicts):
        outcome = "nothing was checked"
    sentences = "sentence" if len(verdicts) == 1 else "sentences"
    return (
        f"{unread} of {len(verdicts)} {sentences} {'is' if one else 'are'} in {named}, "
        f"which the bundled models do not read; {outcome}."
    )


def unread_question(question: str) -> str | None:
    """What is to be known of a question in a language that the models do not read, else None."""
    language = unsupported(question)
    return language and (
        f"The question is in {language}, which the bundled models do not read: what they find and "
        "judge may be wrong. Ask in English."
    )


def nothing_read(verdicts: Sequence[Verdict]) -> bool:
    """Whether not one sentence was checked, and a language is a reason for it."""
    checked = any(verdict.claim.not_checkable is None for verdict in verdicts)
    return not checked and any(_language(verdict) for verdict in verdicts)


def _language(verdict: Verdict) -> str | None:
    match = _REASON.fullmatch(verdict.claim.not_checkable or "")
    return match[1] if match else None
