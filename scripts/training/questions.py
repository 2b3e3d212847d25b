"""Questions with their answers, turned into statements where a template fits."""

from __future__ import annotations

import re

_PAST = {
    "begin": "began",
    "become": "became",
    "come": "came",
    "win": "won",
    "die": "died",
    "get": "got",
    "go": "went",
    "take": "took",
    "make": "made",
    "write": "wrote",
    "leave": "left",
    "sink": "sank",
    "fall": "fell",
    "lose": "lost",
    "build": "built",
    "run": "ran",
    "sing": "sang",
    "give": "gave",
    "hold": "held",
    "fight": "fought",
    "stop": "stopped",
    "occur": "occurred",
    "rise": "rose",
    "lead": "led",
    "grow": "grew",
    "send": "sent",
    "break": "broke",
    "find": "found",
    "meet": "met",
    "buy": "bought",
    "sell": "sold",
    "teach": "taught",
    "say": "said",
    "see": "saw",
    "have": "had",
    "be": "was",
    "draw": "drew",
    "spend": "spent",
    "know": "knew",
    "feel": "felt",
}
_COMMON = (
    "start|end|open|close|happen|originate|move|join|retire|invent|discover|land|arrive|premiere|"
    "introduce|release|create|air|marry|live|play|finish|settle|establish|enter|sign|adopt|launch|"
    "declare|invade|attend|study|serve|form|change|return|visit|appear|publish|collapse|receive"
).split("|")


def past(verb: str) -> str:
    """Return a verb's past tense."""
    if verb in _PAST:
        return _PAST[verb]
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ied"
    return verb + "ed"


def _did(rest: str) -> str | None:
    """Turn 'the titanic sink in the atlantic' into '... sank ...'."""
    words = rest.split()
    for i in range(1, len(words)):
        if words[i] in _PAST or words[i] in _COMMON:
            return " ".join((*words[:i], past(words[i]), *words[i + 1 :]))
    if len(words) > 2 and not words[-1].endswith(("s", "ed")):
        return " ".join((*words[:-1], past(words[-1])))
    return None


def _in(answer: str, year: str = "in") -> str:
    """Put a preposition before a time or a place where none stands."""
    if re.match(
        r"(?:in|on|at|from|by|near|during|between|after|before|the (?:early|late)|since)\b",
        answer,
        re.I,
    ):
        return answer
    if re.match(
        r"(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|"
        r"October|November|December) \d{1,2}\b|\d{1,2} [A-Z][a-z]+ \d{4}",
        answer,
    ):
        return f"on {answer}"
    return f"{year} {answer}"


def statement(question: str, answer: str) -> str | None:
    """Return the statement that answers the question, or None where no template fits."""
    asked = re.sub(r"\s+", " ", question.strip().rstrip("?").strip())
    asked = asked[0].lower() + asked[1:] if asked else asked
    reply = answer.strip().rstrip(".,;")
    if not reply or len(reply.split()) > 14:
        return None
    made: str | None = None
    if m := re.match(r"who (?:is|was) (the .+?) (?:in|of|for|to|on) (.+)$", asked):
        made = (
            f"{reply} {'was' if ' was ' in asked[:8] else 'is'} {asked[len('who is ') :].strip()}"
        )
    elif m := re.match(r"who (?!did|do |does|is |was |are |were |has |have )(\w+ .+)$", asked):
        made = f"{reply} {m[1]}"
    elif m := re.match(r"(?:when|in what year|what year|in which year) (?:did|does) (.+)$", asked):
        if told := _did(m[1]):
            made = f"{told} {_in(reply)}"
    elif m := re.match(
        r"(?:when|where|in what year|what year) (was|is|were|are) (.+?) "
        r"(\w+(?:ed|n|born|held|made|built|set|found|located)) ?(.*)$",
        asked,
    ):
        made = f"{m[2]} {m[1]} {m[3]} {m[4]} {_in(reply)}"
    elif m := re.match(r"where (?:did|does|do) (.+)$", asked):
        made = f"{told} {_in(reply)}" if (told := _did(m[1])) else None
    elif m := re.match(r"where (?:is|are) (?:the )?(.+?)(?: located| found| situated)?$", asked):
        made = f"the {m[1]} can be found {_in(reply)}"
    elif m := re.match(
        r"how many (.+?) (are there|are|were there|were|did|does|do|has|have) ?(.*)$", asked
    ):
        if "there" in m[2]:
            made = f"there {m[2].split()[0]} {reply} {m[1]} {m[3]}"
        elif m[2] in ("has", "have") and 0 < len(m[3].split()) < 4:
            made = f"{m[3]} {m[2]} {reply} {m[1]}"
    elif m := re.match(r"(?:what|which) (?:is|was) (the .+)$", asked):
        made = f"{m[1]} {'was' if ' was ' in asked[:10] else 'is'} {reply}"
    elif m := re.match(
        r"(?:what|which) (\w+) (?!is |was |did |does |do |are |were )(\w+s|\w+ed) (.+)$", asked
    ):
        made = f"the {m[1]} that {m[2]} {m[3]} is {reply}"
    if not made or len(made.split()) < 4:
        return None
    made = re.sub(r"\s+", " ", made).strip()
    return made[0].upper() + made[1:] + "."


def kind(answer: str) -> str:
    """Return what sort of thing an answer is, so that wrong answers fit the question."""
    if re.fullmatch(r"(?:in |on )?(?:\w+ \d{1,2}, |\d{1,2} \w+ |\w+ )?\d{4}", answer):
        return "date"
    if re.search(r"\d", answer):
        return "number"
    if re.fullmatch(r"(?:[A-Z][\w'.-]+ ?){1,4}", answer):
        return f"name{min(3, len(answer.split()))}"
    return "other"
