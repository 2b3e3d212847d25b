"""A claim that stands in the library as a sentence of its own, or within another one.

What is quoted word for word, up to case, punctuation, markup and figures in words, needs no
network.
A quotation, question, plan, condition or denial of the same words is no statement of it, and where
one of the two has a pronoun, its antecedent must be the other one's subject: such a sentence
supports nothing.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from veracite.engine.judge.premises import Candidate, Premise, Premises
from veracite.engine.judge.weighing import is_near, weigh
from veracite.engine.types import Claim
from veracite.engine.wording.lists import listed
from veracite.engine.wording.names import codes, is_stated, names, stated_instead
from veracite.engine.wording.overlap import Terms, stems
from veracite.engine.wording.quantities import Measure, extract, measures

_LEAST = 4
"""Words of a claim that may be found so: two or three may be about anything."""
_SAME = 0.5
"""The share of a claim's words from which on another figure is in the place of its own."""
_PRONOUNS = frozenset(listed("stands for a name"))
_ARTICLES = frozenset(("the", "a", "an"))
_FRAMES = frozenset(listed("guards")) | frozenset(listed("frames"))
"""What before the words of a claim keeps a sentence from stating them."""
_QUOTATION = re.compile(r"“([^”]*)”|\"([^\"]*)\"|«([^»]*)»|‘([^’]{12,})’")
_OPENED = re.compile(r"[“«„]|(?:^|[\s(])\"(?=\w)")
_CLOSED = re.compile(r"[”»]|(?<=[\w.,!?])\"")
_CITED = re.compile(r" ?\([A-Z][^()\d]{0,80}(?:,|al\.) (?:19|20)\d\d[a-z]?\)")
"""A citation mark as papers have it: "(Holm, 2011)"."""
_ASKED = re.compile(r"\?[\s\"'”’»)\]*_]*\Z")


def is_verbatim(premises: Premises, candidate: Candidate) -> bool:
    """Whether a sentence of the library says a claim word for word."""
    claim, sentence = premises.claim, candidate.sentence.text
    said, statement = wording(claim.hypothesis), wording(claim.statement)
    nobody_knows = claim.resolved is None and not claim.before
    if len(said) < _LEAST or (nobody_knows and statement[0] in _PRONOUNS):
        return False
    if _is_quoted(candidate) or _ASKED.search(sentence):
        return False
    told = wording(sentence if _CITED.search(claim.statement) else _CITED.sub("", sentence))
    is_whole = told == said and not claim.before
    if is_whole or (told == statement and _means_the_same(claim, candidate)):
        return True
    named = not _PRONOUNS.isdisjoint(told[:1]) and _with_antecedent(said, told, candidate)
    return named or says_row(said, sentence, (beside.sentence.text for beside in candidate.beside))


def cannot_support(premises: Premises, premise: Premise) -> bool:
    """Whether a premise has a claim's words, yet asks, quotes, plans, denies or has other figures.

    Its nearest sentence only asks, quotes, plans, supposes or denies them, or has them of
    somebody else or of another number ("N2698G"), or with a figure near the claim's in its place,
    which it does not have elsewhere, or in another column of a table. A question states nothing.
    """
    claim, candidate, terms = premises.claim, premises.nearest(premise), premises.terms
    figures = measures(claim.hypothesis)
    both = (weigh(figures, measures(text)) for text in (candidate.told, premise.text))
    near = any(is_near(one) and whole.outcome != "match" for one, whole in zip(*both, strict=True))
    if near and terms.share(terms.found(candidate.told)) >= _SAME:
        return True
    read = f"{candidate.passage.heading or ''}: {candidate.told}"
    others = (stated_instead(code, read) for code in codes(claim.hypothesis))
    if any(o and not is_stated(o, claim.hypothesis) for o in others):
        return True
    if _ASKED.search(candidate.sentence.text) or _in_another_column(figures, candidate, terms):
        return True
    said, told = wording(claim.statement), wording(candidate.sentence.text)
    if told == said and _is_of_another(claim, candidate):
        return True
    opens = said[:1] and said[0] in _PRONOUNS and told[:1] == said[:1]
    if opens or (claim.before and told == said):
        return not _has_antecedent(claim, candidate)
    said = wording(claim.hypothesis)
    place = _place(said, told)
    if place is None or len(said) == len(told):
        return len(said) == len(told) and place is not None and _is_quoted(candidate)
    within = (wording("".join(parts)) for parts in _QUOTATION.findall(candidate.sentence.text))
    framed = not _FRAMES.isdisjoint(told[:place])
    return framed or any(_place(said, quoted) is not None for quoted in within)


def _in_another_column(figures: Sequence[Measure], row: Candidate, terms: Terms) -> bool:
    """Whether a table's row has a claim's figure in another column than the one that it names,
    where another one of the kind stands: "£575" for a single ticket, when it is a return one's."""
    cells = (cell.partition(": ") for cell in row.sentence.text.split(" | ") if row.is_row)
    columns = [(terms.found(name), [m.quantity for m in measures(of)]) for name, _, of in cells]
    said = [m.quantity for m in figures]
    for one in said:
        own = [named for named, told in columns if one.figure in {q.figure for q in told}]
        free = (c for c in columns if not {q.figure for q in c[1]} & {q.figure for q in said})
        others = [named for named, told in free if any(map(one.may_be, told))]
        if own and any(all(named > mine for mine in own) for named in others):
            return True
    return False


def _place(said: Sequence[str], told: Sequence[str]) -> int | None:
    """Where the words of one stand in the other in their order."""
    places = range(len(told) - len(said) + 1)
    return next((at for at in places if told[at : at + len(said)] == said), None)


def _is_of_another(claim: Claim, candidate: Candidate) -> bool:
    """Whether a sentence with a claim's very words has them of somebody or something else.

    The one before tells of whom, and nothing before has a word of what the claim's pronoun means.
    """
    meant = stems(claim.query.removesuffix(claim.statement))
    if not (meant and candidate.about) or not _PRONOUNS.isdisjoint(wording(candidate.about)):
        return False
    before = " ".join(c.text for c in candidate.beside[: candidate.place])
    return meant.isdisjoint(stems(f"{candidate.passage.heading or ''} {before}"))


def _has_antecedent(claim: Claim, candidate: Candidate) -> bool:
    """Whether what a claim's pronoun may mean is spoken of before the sentence, or above it.

    Of what has no name the network decides, which reads it in the pronoun's place.
    """
    about = _about(candidate)
    if not about:
        return True
    told = f"{about} {candidate.passage.heading or ''}"
    if claim.before:
        return not stems(claim.before).isdisjoint(stems(told))
    subject = claim.query.removesuffix(claim.statement).rstrip(" :")
    known = {word for name in names(told, opening=True) for word in wording(name.text)}
    return bool(known & set(wording(subject))) or not names(subject, opening=True)


def _about(candidate: Candidate) -> str:
    """The sentences that tell what a candidate's pronoun means."""
    return " ".join(dict.fromkeys((candidate.about, candidate.before))).strip()


def _is_quoted(candidate: Candidate) -> bool:
    """Whether a sentence is somebody's words: within marks that opened before it ends."""
    text, own = candidate.passage.text, candidate.sentence.text
    if _OPENED.match(own) or own[:1] in "\"'‘":
        return True
    before = text.partition(own)[0] if own in text else ""
    return len(_OPENED.findall(before)) > len(_CLOSED.findall(before))


def _means_the_same(claim: Claim, candidate: Candidate) -> bool:
    """Whether the pronoun that both open with has one antecedent."""
    if claim.resolved is None:
        return not claim.before or wording(claim.before) == wording(_about(candidate))
    # What the resolved statement has in the pronoun's place.
    rest = wording(claim.statement)[1:]
    subject = wording(claim.resolved)[: -len(rest) or None]
    return _is_told(subject, candidate)


def _with_antecedent(said: Sequence[str], told: Sequence[str], candidate: Candidate) -> bool:
    """Whether a claim has a name where the sentence has a pronoun for it."""
    rest = told[1:]
    return (
        len(rest) >= _LEAST - 1
        and said[-len(rest) :] == rest
        and _is_told(said[: -len(rest)], candidate)
    )


def _is_told(subject: Sequence[str], candidate: Candidate) -> bool:
    """Whether the sentence before, or else the heading, is about somebody or something.

    The first name there has to be it: "Ana's sister Lucia keeps goal" speaks of two.
    """
    own = set(subject) - _ARTICLES
    if candidate.before:
        about = candidate.about or candidate.before
        found = names(about, opening=True)
        first = wording(found[0].text) if found else wording(about)[:3]
        return bool(own.intersection(first)) and own <= set(wording(about))
    return bool(own) and own <= set(wording(candidate.passage.heading or ""))


@lru_cache(2048)
def wording(text: str) -> tuple[str, ...]:
    """A text's words and figures in order, whatever stands between them; numbers as digits."""
    for number in reversed(extract(text)):
        if number.kind == "number" and not any(map(str.isdigit, number.text)):
            text = f"{text[: number.start]}{number.value:.15g}{text[number.end :]}"
    plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.casefold())
    return tuple(re.findall(r"\w+(?:[.,:/]\w+)*", plain))


def says_row(said: Sequence[str], row: str, beside: Iterable[str]) -> bool:
    """Whether a claim is a table's row with names of its columns, and nothing else.

    "Berries; Food: blueberry; Calories: 150" is the row "Berries | blueberry | 150" under "Food |
    Calories". Both stand in the order of the columns, so that no name goes with another's cell.

    Args:
        said: The claim's wording.
        row: A sentence.
        beside: The sentences of its passage, the row that has the names among them.
    """
    if "|" not in row:
        return False
    cells = iter(wording(row))
    cell, names = next(cells, None), []
    for word in said:
        if word == cell:
            cell = next(cells, None)
        else:
            names.append(word)
    return cell is None and any(_holds(line, names) for line in beside if "|" in line)


def _holds(line: str, names: Sequence[str]) -> bool:
    """Whether words stand in a line in their order."""
    words = iter(wording(line))
    return all(name in words for name in names)
