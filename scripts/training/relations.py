"""Short claims from real sentences: who did what, what is what, also with roles mixed up."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from scripts.training.articles import Article
from scripts.training.edits import capital
from scripts.training.falsehoods import names
from scripts.training.mining import around
from scripts.training.pairs import NOT_SUPPORTED, SUPPORTED, Pair, headed
from scripts.training.people import is_person
from scripts.training.subjects import subject
from scripts.training.verbs import BASE, FORMS, PARTICIPLE

_PART = r"[A-Z][\w'\u00c0-\u024f-]+"
_NAME = rf"(?:the )?{_PART}(?: (?:(?:of|de|van|von|the) )?{_PART}){{0,4}}"
_SUBJECT = rf"(?:{_NAME}|[Tt]he [a-z]+(?: [a-z]+)?|[Hh]e|[Ss]he|[Ii]t)"
_STOP = (
    r"(?=[,.;]| (?:in|on|at|from|by|with|for|as|after|before|when|where|while|and|but|that|who|"
    r"which|during|until|because|into|through|against|to|under|over|since|between|than|or)\b)"
)
_OBJECT = rf"(?:{_NAME}|(?:the|a|an|his|her|its|their) (?:[\w'-]+ ){{0,3}}?[\w'-]+)"
_DID = re.compile(rf"^({_SUBJECT}) (?:also |later |then )?({'|'.join(BASE)}) ({_OBJECT}){_STOP}")
_DONE = re.compile(
    rf"^({_SUBJECT}) (was|were) (?:also |originally |first )?({'|'.join(PARTICIPLE)}) by ({_NAME})"
    rf"{_STOP}"
)
_IS_A = re.compile(
    rf"^({_NAME}|[Hh]e|[Ss]he)(?: \([^)]*\))?,? (is|was) (an?) ((?:[\w-]+ ){{0,3}}?[\w-]+)"
    r"(?=[,.;]| (?:who|that|which|in|from|for|by|with|of|where|located|on|at)\b)"
)
_KIND = re.compile(
    r"\b(an?) ((?:[a-z-]+ ){0,1}[a-z-]{4,})(?=[,.;]| (?:who|that|in|from|and|for|by|with)\b)"
)
_ADJECTIVE = re.compile(
    r"(?:ed|ish|ese|ic|al|ous|ive|ary|less|ful|ing)$|^(?:new|first|second|third|last|own|same|other|"
    r"large|big|small|good|best|main|great|long|short|high|low|former|current|early|late|young|old|"
    r"most|more|film|top|single|such|very|only|several|few|two|three|mid|late|full|free|known|"
    r"low|semi|self|so|non|anti|[A-Z].*an|[a-z]*[0-9].*)$"
)
_ASYMMETRIC = set(
    "married met joined united fought met marry followed met succeeded called named became".split()
)
_NO_NAMES = set("It They This These Those There We You His Her Their Its Features After".split())
_VAGUE = set(
    "part number member lot variety series group kind type form few pair result way".split()
)


@dataclass(frozen=True, slots=True)
class Fact:
    """Who did what, as words of the text; ``active`` past verb."""

    who: str
    did: str
    what: str

    def active(self) -> str:
        """Return 'Who did what.'"""
        return capital(f"{self.who} {self.did} {self.what}")

    def passive(self) -> str:
        """Return 'What was done by who.'"""
        done = FORMS[BASE[self.did]][1]
        were = "were" if self.what.endswith("s") and self.what[:1].islower() else "was"
        return capital(f"{self.what} {were} {done} by {_inner(self.who)}")


def _inner(name: str) -> str:
    return name[0].lower() + name[1:] if name.startswith(("The ", "A ", "An ")) else name


def _shares(first: str, second: str) -> bool:
    words = {w for w in re.findall(r"\w{3,}", first.lower())}
    return bool(words & set(re.findall(r"\w{3,}", second.lower())) - {"the"})


def _who(found: str, article: Article) -> str | None:
    if found.lower() in ("he", "she"):
        return subject(article.title) if is_person(article) else None
    if found.split()[0] in _NO_NAMES:
        return None
    return found


def fact(sentence: str, article: Article) -> Fact | None:
    """Return what a sentence says somebody did, where it begins plainly."""
    sentence = re.sub(r"\s*\([^()]*\)", "", sentence)
    sentence = re.sub(
        r"^(?:In|On|At|After|During|By) [^,]{2,40}, (?=[A-Z]|the |he |she )", "", sentence
    )
    if m := _DID.match(sentence):
        who = _who(m[1], article)
        last = m[3].split()[-1]
        vague = last.lower() in _VAGUE or (last.islower() and _ADJECTIVE.search(last))
        if who and not vague and m[2] not in _ASYMMETRIC:
            return None if _shares(who, m[3]) else Fact(who, m[2], m[3])
    elif (m := _DONE.match(sentence)) and (who := _who(m[1], article)):
        did = FORMS[PARTICIPLE[m[3]]][0]
        return None if _shares(who, m[4]) or did in _ASYMMETRIC else Fact(m[4], did, _inner(who))
    return None


def _others(article: Article, known: Fact) -> list[str]:
    text = " ".join(article.sentences)
    found = dict.fromkeys(n for s in article.sentences for n in names(s))
    return [
        n
        for n in found
        if not _shares(n, known.who)
        and not _shares(n, known.what)
        and not re.search(rf"\b(?:in|on|at|of) (?:the )?{re.escape(n)}", text)
        and not re.search(
            rf"{re.escape(n)}'s|{re.escape(n)} (?:and|or) |(?:and|or) {re.escape(n)}", text
        )
    ]


def _premises(article: Article, k: int, rng: random.Random) -> str:
    heading = (
        article.heading if rng.random() < 0.6 or article.sentences[k][:3] in ("He ", "She") else ""
    )
    if rng.random() < 0.4:
        return headed(heading or article.heading, article.sentences[k])
    return headed(heading, around(article, k, rng.choice((50, 80))))


def _bad(noun: str) -> bool:
    """Tell whether a word can hardly end 'X is a ...'."""
    return noun in _VAGUE or not noun.islower() or bool(_ADJECTIVE.search(noun))


def deeds(article: Article, rng: random.Random) -> Iterator[Pair]:
    """Yield short claims about who did what, true, turned round, and with others' deeds."""
    found = [(k, f) for k, s in enumerate(article.sentences) if (f := fact(s, article))]
    for k, known in found:
        shown = _premises(article, k, rng)
        passive_fits = re.match(r"(?:the |[A-Z])", known.what) and known.did not in (
            "had",
            "became",
        )
        wrong: list[str] = []
        if re.match(r"[A-Z]|the [A-Z]", known.what) and known.what.lower() != known.who.lower():
            wrong.append(Fact(known.what, known.did, _inner(known.who)).active())
            if passive_fits and re.match(r"[A-Z]", known.who):
                wrong.append(Fact(known.what, known.did, known.who).passive())
        others = [o for o in _others(article, known) if o in shown]
        if others:
            wrong.append(Fact(rng.choice(others), known.did, known.what).active())
        for _, second in found:
            if second != known and not _shares(second.who, known.who) and second.what in shown:
                wrong.append(Fact(known.who, second.did, second.what).active())
        if not wrong:
            continue
        right = known.passive() if passive_fits and rng.random() < 0.45 else known.active()
        yield Pair("deeds", shown, right, SUPPORTED)
        yield Pair("deeds", shown, rng.choice(wrong), NOT_SUPPORTED)


def kinds(article: Article, rng: random.Random) -> Iterator[Pair]:
    """Yield claims of the form 'X is a Y', with X and Y that belong together or do not."""
    for k, raw in enumerate(article.sentences):
        sentence = re.sub(r"\s*\([^()]*\)", "", raw)
        m = _IS_A.match(sentence)
        if not m or _bad(m[4].split()[-1]) or len(sentence.split()) < 9:
            continue
        who = _who(m[1], article)
        if who is None:
            continue
        what = f"{m[2]} {m[3]} {m[4]}"
        known = Fact(who, m[2], m[4])
        shown = _premises(article, k, rng)
        wrong: list[str] = []
        others = [o for o in _others(article, known) if o in shown]
        if others:
            wrong.append(capital(f"{rng.choice(others)} {what}"))
        rest = sentence[m.end() :] + " " + " ".join(article.sentences[k + 1 : k + 3])
        strange = [f for f in _KIND.finditer(rest) if not _shares(f[2], m[4])]
        strange = [f for f in strange if not _bad(f[2].split()[-1]) and f.group() in shown]
        if strange:
            f = rng.choice(strange)
            wrong.append(capital(f"{who} {m[2]} {f[1]} {f[2]}"))
        if wrong:
            yield Pair("kinds", shown, capital(f"{who} {what}"), SUPPORTED)
            yield Pair("kinds", shown, rng.choice(wrong), NOT_SUPPORTED)
