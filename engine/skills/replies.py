"""What a model may write, as grammars (GBNF), and what it wrote, read strictly.

All grammars are bounded, and none could be broken by a limit of tokens: a reply that ends early, at
any token, still parses. Lists of numbers have room for their last one (``most_characters``), and a
line cut short is a line. What cannot be used says why.
"""

import re
from collections.abc import Iterable

from veracite.index.sentences import sentence_spans

_MOST_REPETITIONS = 800
"""A grammar gets slow with many."""
_LEAD = r"[$£€#(\"'+-]"
_START = r"[^\x00-/:-@\[-`{-\u00bf\u2000-\u303f]"
"""A letter or digit, or at least no punctuation: a line that says nothing cannot be written."""
_REST = r"[^\x00-\x1f\x7f-\u009f\u2028\u2029]"

_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
"""What some models write before every reply."""
_OPENED = re.compile(r"\A.*</think>\s*\n", re.DOTALL)
"""Thoughts whose beginning is the prompt's."""
_FENCE = re.compile(r"</?(?:passage(?: \d{1,9})?|text)>", re.IGNORECASE)
_BULLET = re.compile(r"\A(?:[-*•]|\(?\d{1,2}[.):])\s+")
_ANSWER_IS = re.compile(r"(?:so )?(?:the )?answer(?: is)?\s*:?\s+", re.IGNORECASE)
_CITATION = re.compile(r"([ \t]*)\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\]")
_BROKEN = re.compile(r"\[[\d\s,;]*\Z")
"""A citation that the limit of tokens cut."""
_MARKS = r"(?:\[\d{1,2}(?:, ?\d{1,2})*\](?:,? and |, )?)+"
_PASSAGES = r"passages?(?: ?\[?\d{1,2}\]?(?:(?:,? and|,) ?\[?\d{1,2}\]?)*)?"
_ADDED = r"(?:(?:the|information|provided|given|contained|in|by) )*"
_OF_PASSAGES = re.compile(
    rf"(?:based on|according to) (?:{_MARKS}|{_ADDED}{_PASSAGES}(?: (?:provided|given|above))?),? "
    rf"|(?:in|from|per) (?:{_MARKS}|{_ADDED}{_PASSAGES}(?: (?:provided|given|above))?), "
    rf"|(?:the )?{_PASSAGES} (?:also )?(?:states?|says?|mentions?) that ",
    re.IGNORECASE,
)
"""What small models say of the passages before they come to the matter."""
_ALONE = re.compile(rf"[^:]*\b(?:documents|passages|sources)\b[^:]*: {_MARKS}\.", re.IGNORECASE)
"""What they say of them alone."""
_GOES_ON = re.compile(r"\A(?:and|of) |passages? ?\d|\[\d[\d, ]*\](?=.*[^\W\d])", re.I | re.S)
"""What names passages behind that, too: not at its end alone."""
_QUOTES = "\"'“”‘’"
_CLOSING = f"{_QUOTES})*_` \n"
_ENDS = tuple(".!?…。！？")
_OF_PASSAGES_ALONE = "it speaks of passages and not of what they say"
_LEAST = 4
"""Words of a sentence that is not said twice on purpose: "Yes." is."""


class UnusableReply(Exception):
    """A reply that cannot be used; says why in a clause that both the user and the model understand
    ("it is empty")."""


def line_grammar(characters: int, *, most: int = 1, goes_on: bool = False) -> str:
    """One to ``most`` lines of at most so many characters each; where a text goes on, the first
    may begin with a space, and there may be none."""
    more = f' ("\\n" line){{0,{most - 1}}}' if most > 1 else ""
    rest = min(characters, _MOST_REPETITIONS) - 2
    first = '(" "? line)?' if goes_on else "line"
    return f"root ::= {first}{more}\nline ::= {_LEAD}? {_START} {_REST}{{0,{rest}}}\n"


def numbers_grammar(highest: int, most: int) -> str:
    """One to ``most`` numbers from 1 to ``highest``, with a space between them: "2 6 8"."""
    more = f' (" " number){{0,{most - 1}}}' if most > 1 else ""
    return f"root ::= number{more}\n{_number(highest)}"


def citations_grammar(highest: int, most: int) -> str:
    """One to ``most`` citations of the passages 1 to ``highest``: "[2][6]"."""
    return f'root ::= citation{{1,{most}}}\ncitation ::= "[" number "]"\n{_number(highest)}'


def most_characters(highest: int, most: int) -> int:
    """The length of the longest list of numbers or citations, and so of its tokens."""
    return most * (len(str(highest)) + 2)


def _number(highest: int) -> str:
    choices = " | ".join(f'"{number}"' for number in range(1, highest + 1))
    return f"number ::= {choices}\n"


def text(reply: str) -> str:
    """The reply without thoughts before it and fences around it.

    Raises:
        UnusableReply: Nothing is left.
    """
    left = _FENCE.sub("", _thought_out(reply)).strip()
    if not any(map(str.isalnum, left)):
        raise UnusableReply("it is empty")
    return left


def _thought_out(reply: str) -> str:
    return _OPENED.sub("", _THOUGHTS.sub("", reply))


def finished(reply: str) -> str:
    """A reply that the limit of tokens cut, without a sentence that it left open behind others."""
    said = _BROKEN.sub("", _thought_out(reply)).rstrip()
    if _CITATION.sub("", said).rstrip(_CLOSING)[-1:] in _ENDS:
        return said
    spans = sentence_spans(said)
    before, _, last = said.rpartition("\n")
    if before and _BULLET.match(last.strip()):
        return before
    return said[: spans[-2].end] if len(spans) > 1 else said


def answer(reply: str, given: str = "") -> str:
    """The reply without sentences that it says twice or that name passages alone, and without what
    others say of them: of "In [1], it rose" is left "It rose [1]".

    Args:
        given: A text whose sentences stay as they are.

    Raises:
        UnusableReply: Nothing is left.
    """
    said, end = text(reply), 0
    kept: dict[str, str] = {}
    for span in sentence_spans(said):
        own, gap, end = said[span.start : span.end], said[end : span.start], span.end
        if own in given:
            if sum(gap_and_own.endswith(own) for gap_and_own in kept.values()) < given.count(own):
                kept[f"{span.start}"] = gap + own
            continue
        own = _to_the_matter(own)
        if _ALONE.fullmatch(own):
            continue
        bare = _BULLET.sub("", _CITATION.sub("", own).casefold().strip(), count=1)
        key = bare if len(bare.split()) >= _LEAST else f"{span.start}"
        kept[key] = _also_citing(kept[key], _numbers_cited(own)) if key in kept else gap + own
    if not kept:
        raise UnusableReply(_OF_PASSAGES_ALONE)
    return "".join(kept.values()).strip()


def _to_the_matter(said: str) -> str:
    match = _OF_PASSAGES.match(said)
    left = said[match.end() :] if match else ""
    if match is None or not left.strip(".!? ") or _GOES_ON.search(left):
        return said
    left = left if left[1:2].isupper() else left[:1].upper() + left[1:]
    return _also_citing(left, re.findall(r"\d+", match.group()))


def _also_citing(said: str, numbers: Iterable[str]) -> str:
    """A sentence with citations of these passages, unless it has them."""
    stop, own = len(said.rstrip(".!?")), _numbers_cited(said)
    more = "".join(f"[{number}]" for number in dict.fromkeys(numbers) if number not in own)
    gap = "" if said[:stop].endswith("]") else " "
    return f"{said[:stop]}{gap}{more}{said[stop:]}" if more else said


def _numbers_cited(said: str) -> list[str]:
    return [number for _, named in _CITATION.findall(said) for number in re.findall(r"\d+", named)]


def line(reply: str) -> str:
    """The first line, without quotation marks around it.

    Raises:
        UnusableReply: There is none.
    """
    return _unquoted(text(reply).splitlines()[0])


def relevant_line(reply: str) -> str | None:
    """The first line; None if it says that the passage is irrelevant (ALCE's word for it).

    Raises:
        UnusableReply: There is none.
    """
    said = reply.strip(f" .!{_QUOTES}").lower()
    irrelevant = re.match(r"(?:(?:the|this) passage is )?irrelevant(?:\W|\Z| to\b)(?!\w)", said)
    return None if irrelevant else line(reply)


def lines(reply: str, most: int) -> tuple[str, ...]:
    """Up to ``most`` different lines, without their bullets, numbers and quotation marks.

    Raises:
        UnusableReply: There is none.
    """
    bare = (_unquoted(_BULLET.sub("", one.strip(), count=1)) for one in text(reply).splitlines())
    found = dict.fromkeys(one for one in bare if any(map(str.isalnum, one)))
    return tuple(found)[:most]


def short(reply: str) -> str:
    """A short answer: the first line without "The answer is".

    Raises:
        UnusableReply: There is none.
    """
    said = line(reply)
    return _unquoted(_ANSWER_IS.sub("", said, count=1) if _ANSWER_IS.match(said) else said) or said


def sentence(reply: str) -> str | None:
    """The first sentence of the first line; None if the reply is empty.

    Raises:
        UnusableReply: It names passages alone.
    """
    try:
        said = line(reply)
    except UnusableReply:
        return None
    first = sentence_spans(said)[0]
    own = _to_the_matter(said[first.start : first.end].strip())
    if _ALONE.fullmatch(own):
        raise UnusableReply(_OF_PASSAGES_ALONE)
    left = _CITATION.sub("", own).strip()
    return left if any(map(str.isalnum, left)) else None


def numbers(reply: str, passages: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The passages that a reply names, by "2 6 8", "[2][6]", "Selected Documents: 2, 6".

    Returns:
        Their places from 0, each once, and the numbers that no passage has.

    Raises:
        UnusableReply: It names none of them.
    """
    named = [int(digits) for digits in re.findall(r"(?<![\w.-])\d{1,4}(?![\w-]|\.\d)", reply)]
    places = tuple(dict.fromkeys(number - 1 for number in named if 0 < number <= passages))
    if not places:
        raise UnusableReply(f"it names no passage from 1 to {passages}")
    return places, tuple(number for number in named if not 0 < number <= passages)


def cited(reply: str, passages: int) -> tuple[str, tuple[int, ...]]:
    """A text with each citation in its own brackets, and the numbers that no passage has.

    "[1, 2]" becomes "[1][2]"; a citation of a passage that does not exist is taken out.

    Raises:
        UnusableReply: The text is empty.
    """
    wrong: list[int] = []

    def separate(match: re.Match[str]) -> str:
        named = [int(number) for number in re.findall(r"\d+", match[2])]
        right = [number for number in named if 0 < number <= passages]
        wrong.extend(number for number in named if number not in right)
        return match[1] * bool(right) + "".join(f"[{number}]" for number in right)

    said = text(_CITATION.sub(separate, answer(reply)))
    return said, tuple(wrong)


def _unquoted(said: str) -> str:
    said = " ".join(said.split())
    if len(said) > 1 and said[0] in _QUOTES and said[-1] in _QUOTES:
        return said[1:-1].strip()
    return said
