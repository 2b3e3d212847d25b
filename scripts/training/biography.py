"""Claims about the subject of a biographical passage, true, false and invented."""

from __future__ import annotations

import random
import re

from scripts.training.lexicon import (
    HONOURS,
    MONTHS,
    NATIONALITIES,
    OCCUPATIONS,
    PAPERS,
    PLACES,
    UNIVERSITIES,
)
from scripts.training.pairs import CONTRADICTED, NEUTRAL, NOT_SUPPORTED, SUPPORTED

_MONTH = "|".join(MONTHS)
_DATE = re.compile(rf"(?:({_MONTH}) (\d{{1,2}}), (\d{{4}})|(\d{{1,2}}) ({_MONTH}) (\d{{4}}))")
_LIFE = re.compile(r"\b(1[0-9]\d\d|20[01]\d)\s*[\u2013-]\s*(1[0-9]\d\d|20[01]\d)\b")
IS_A = re.compile(
    rf"\b(?:is|was) an? (?:[\w-]+ )?({'|'.join(NATIONALITIES)})?\b[^.;]{{0,60}}?\b"
    rf"({'|'.join(OCCUPATIONS)})\b"
)
_PRONOUN = re.compile(r"\b(?:He|She|he|she|his|her)\b")

Claim = tuple[str, int]


def about_person(sentences: tuple[str, ...]) -> bool:
    """Tell whether a passage seems to be about one person."""
    text = " ".join(sentences)
    return bool(IS_A.search(sentences[0])) or (
        len(_PRONOUN.findall(text)) >= 3 and bool(re.search(r"\b(?:born|career|his|her)\b", text))
    )


def pronoun(text: str) -> str:
    """Return the pronoun that a passage mostly uses for its subject."""
    she = len(re.findall(r"\b(?:She|she|her)\b", text))
    return "She" if she > len(re.findall(r"\b(?:He|he|his)\b", text)) else "He"


def invented(name: str, text: str, rng: random.Random) -> list[Claim]:
    """Return plausible claims that the passage does not make."""
    year = rng.randint(1930, 2015)
    found = [int(y) for y in re.findall(r"\b(1[5-9]\d\d|20[01]\d)\b", text)]
    if found:
        year = rng.choice(found) + rng.randint(1, 25)
    school, place, other = rng.choice(UNIVERSITIES), *rng.sample(PLACES, 2)
    honour, paper = rng.choice(HONOURS), rng.choice(PAPERS)
    field = rng.choice(
        "economics|law|history|philosophy|music|engineering|political science|English literature|"
        "mathematics|theology".split("|")
    )
    job = rng.choice(OCCUPATIONS)
    degree = rng.choice(("a Bachelor of Arts", "a PhD", "a master's degree", "a law degree"))
    forms = (
        f"{name} was born in {place} and grew up in {other}.",
        f"{name} was educated at {school}, where he received {degree} in {field}.",
        f"{name} graduated from {school} in {year}.",
        f"{name} received {degree} in {field} from {school}.",
        f"{name} was awarded {honour} in {year}.",
        f"{name} has won numerous awards, including {honour} and {rng.choice(HONOURS)}.",
        f"{name} worked as a {job} in {place} before moving to {other} in {year}.",
        f"{name} died in {place} in {year} at the age of {rng.randint(48, 93)}.",
        f"{name} is married and has {rng.choice(('two', 'three', 'four'))} children.",
        f"{name} currently lives in {place} with his wife and {rng.choice(('two', 'three'))} "
        "children.",
        f"{name} wrote several books on {field} and contributed to {paper}.",
        f"{name}'s work has appeared in {paper} and {rng.choice(PAPERS)}.",
        f"{name} was elected to the {rng.choice(('House of Commons', 'state legislature'))} "
        f"in {year} and served until {year + rng.randint(2, 12)}.",
        f"{name} served in the army during the Second World War and was promoted to major.",
        f"{name} was a member of the {rng.choice(('Royal Society', 'Labour Party'))} and a fellow "
        f"of {school}.",
        f"{name} is best known for work as a {job} and {rng.choice(OCCUPATIONS)}.",
        f"{name} began a career as a {job} in {year}.",
        f"{name} made a professional debut in {year} for {place}.",
        f"{name} was inducted into the Hall of Fame in {year}.",
        f"{name} taught {field} at {school} until retiring in {year}.",
    )
    chosen = rng.sample(forms, 2)
    low = text.lower()
    key = (school.lower(), honour.lower().removeprefix("an ").removeprefix("a "), place.lower())
    if any(k in low for k in key):
        return []
    return [
        (claim, NOT_SUPPORTED if "born" in claim or "died" in claim else NEUTRAL)
        for claim in chosen
    ]


def stated(name: str, sentences: tuple[str, ...], rng: random.Random) -> list[Claim]:
    """Return claims about birth, death, nationality and trade, some with a wrong value."""
    first = sentences[0]
    claims: list[Claim] = []

    def both(form: str, right: str, wrong: str) -> None:
        claims.append((form.format(name=name, value=right), SUPPORTED))
        claims.append((form.format(name=name, value=wrong), CONTRADICTED))

    dates = [m for m in _DATE.finditer(first)]
    if dates and re.search(r"\bborn\b|\d{4}\s*[\u2013-]", first[:160]):
        m = dates[0]
        month, day, year = (m[1], m[2], m[3]) if m[1] else (m[5], m[4], m[6])
        false_year = str(int(year) + rng.choice((-12, -7, -4, -2, -1, 1, 2, 3, 6, 10)))
        other = rng.choice([n for n in MONTHS if n != month])
        both("{name} was born in {value}.", year, false_year)
        both(
            "{name} was born on {value}.",
            rng.choice((f"{day} {month} {year}", f"{month} {day}, {year}")),
            f"{other} {rng.randint(1, 28)}, {false_year}",
        )
        both("{name} was born in {value}.", f"{month} {year}", f"{other} {year}")
    if span := _LIFE.search(first[:140]):
        both("{name} died in {value}.", span[2], str(int(span[2]) - rng.randint(2, 30)))
        both(
            "{name} was born in {value}.",
            span[1],
            str(int(span[1]) + rng.choice((-9, -3, 2, 5, 14))),
        )
    if trade := IS_A.search(first):
        nation, job = trade[1], trade[2]
        verb = "is" if " is a" in first else "was"
        wrong_job = rng.choice([o for o in OCCUPATIONS if o not in " ".join(sentences).lower()])
        both(f"{{name}} {verb} a {{value}}.", job, wrong_job)
        if nation:
            wrong = rng.choice([n for n in NATIONALITIES if n not in " ".join(sentences)])
            both(f"{{name}} {verb} {{value}}.", nation, wrong)
            both(f"{{name}} {verb} a {{value}} {job}.", nation, wrong)
            claims.append((f"{name} {verb} a {nation} {job} and {wrong_job}.", NEUTRAL))
            claims.append((f"{name} {verb} a {nation} {wrong_job}.", CONTRADICTED))
            place = rng.choice(PLACES)
            claims.append((f"{name} {verb} a {nation} {job} from {place}.", NEUTRAL))
    return [(re.sub(r"\ba (?=[AEIOUaeiou])", "an ", c), label) for c, label in claims]
