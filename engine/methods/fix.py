"""Fix: CEG's regeneration (section 3.4) for a text of the user's, claim by claim.

Only claims that no document supports change. A change is kept if every claim that stands in its
place is supported, and nothing else has lost its support or its place.
"""

import re
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import SequenceMatcher

from veracite.engine.claims.coreference import pronoun_of
from veracite.engine.claims.markup import read_blocks
from veracite.engine.claims.segmentation import segment
from veracite.engine.events import Began, Drafted, Proposed, Segmented
from veracite.engine.methods.base import (
    LookedUp,
    Steps,
    StepsEvent,
    Tools,
    passages_of,
    unsupported_labels,
    until,
)
from veracite.engine.settings import setting
from veracite.engine.skills.extractive.revising import shared
from veracite.engine.texts import removal
from veracite.engine.types import Change, Claim, Fix, Label, Verdict
from veracite.engine.wording.overlap import Word, content_words, coverage, words
from veracite.models.errors import ModelError

NOTHING_BETTER = "No replacement was found that the documents clearly support."
ONLY_REMOVAL = f"{NOTHING_BETTER} It is taken out only where the setting remove is true."
NEEDED = "It was not taken out, because the text around it depends on it."
UNSUPPORTED = "The documents do not clearly support the replacement that was tried, either."
UNSURE = "The replacement that was tried is supported with {:.2f}, and it takes {:.2f}."
DISAGREE = "The documents disagree with each other on this."
DISTURBS = "The replacement that was tried would have changed the text around it."
UNSETTLES = "With the replacement that was tried, another sentence would not be supported any more."
BREAKS_MARKUP = "The replacement that was tried would have left markup open, or closed it twice."
OFF_THE_MATTER = "The replacement that was tried speaks of something else."
NOBODY_KNOWS_WHO = "It is not clear whom or what this sentence is about."
PROBABLY_RIGHT = "The documents probably say so, if not clearly enough, so it stays as it is."
MENDED_BY_OTHERS = "It is supported now that what stands before it has been mended."
_ALIKE = 0.5
"""The share of words that two texts have in common if one is an edit of the other."""
_UNPAIRED = re.compile(r"(?<!\w)[*_]+(?=\S)|(?<=\S)[*_]+(?!\w)|`+|~~|\[(?![^\[\]]*\])|\]\(")
"""What is shown of an emphasis, code or a link that does not close."""
_CLEFT = re.compile(r"It (?:is|was) [A-Z][\w .'’-]* (?:who|that)\b")
"""The opening of a sentence whose "it" means nothing: "It was Anna Berg who"."""
_SAYS_OR_DENIES = 0.5
"""From this probability on two sentences without common words are on one matter."""
_HALF = 0.5
"""The share of what "it" is likely to mean that must stand around a quote for it."""


@dataclass(frozen=True, slots=True)
class FixSettings:
    """Of fix."""

    T: int = setting(2, "Attempts at most for each claim (CEG, section 3.4).", within=(1, 20))
    mend: str = setting(
        "contradicted,not_found,uncertain", "Labels of the claims that are to be mended."
    )
    passages: int = setting(6, "Passages that a claim is mended by, at most.", within=(1, 100))
    sure: float = setting(
        0.8, "Probability from which on a replacement counts as supported.", within=(0.0, 1.0)
    )
    remove: bool = setting(
        False, "True takes out what is contradicted or not found and cannot be mended."
    )

    def __post_init__(self) -> None:
        unsupported_labels("mend", self.mend)


@dataclass(frozen=True, slots=True)
class Mended:
    """A text that was mended."""

    fix: Fix
    verdicts: tuple[Verdict, ...]
    """Of the claims of ``fix.text``, in order."""
    complete: bool
    """False if it was stopped before every claim had its turn."""


def fix(
    text: str,
    tools: Tools,
    settings: FixSettings,
    *,
    markdown: bool = True,
    stopped: Callable[[], bool] = lambda: False,
) -> Generator[StepsEvent, None, Mended | None]:
    """Mends a text until ``stopped`` says so, which is asked between any two events.

    ``Segmented`` comes first with all claims, then, for each attempt, with those that read
    differently than before, which alone are judged anew.

    Args:
        markdown: Whether the text's Markdown markup is read as structure.

    Returns:
        The text as far as it was mended; None if it was stopped before all of it was judged.
    """
    mending = _Mending(text, tools, settings, markdown)
    done = yield from until(stopped, mending.steps())
    return mending.result(complete=done is not None)


@dataclass(frozen=True, slots=True)
class _Read:
    """A text with its claims looked up."""

    text: str
    claims: tuple[LookedUp, ...]

    def within(self, start: int, end: int) -> list[LookedUp]:
        """The claims that stand at least partly in a stretch."""
        return [one for one in self.claims if one.verdict.claim.meets(start, end)]


@dataclass(frozen=True, slots=True)
class _Splice:
    """``source[start:end]`` gives way to a text."""

    source: str
    start: int
    end: int
    text: str
    markdown: bool
    """How both are read."""

    @property
    def result(self) -> str:
        """The whole text after it."""
        return self.source[: self.start] + self.text + self.source[self.end :]

    @property
    def stop(self) -> int:
        """Where the new stretch ends in the result."""
        return self.start + len(self.text)

    @property
    def shift(self) -> int:
        """How far it moves what stands behind it."""
        return self.stop - self.end


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What came of the attempts at a claim."""

    text: str
    """What stands in its place, or was last tried."""
    reason: str
    read: _Read | None = None
    """The text with the change; None if nothing changed."""


@dataclass(slots=True)
class _Mending:
    """A text on its way; what it holds is verified at any time."""

    source: str
    tools: Tools
    settings: FixSettings
    markdown: bool
    current: _Read | None = None
    changes: tuple[Change, ...] = ()
    _known: dict[tuple[str | None, ...], LookedUp] = field(default_factory=dict)

    def result(self, *, complete: bool) -> Mended | None:
        """The text as it stands."""
        if self.current is None:
            return None
        made = Fix(self.source, self.current.text, self.changes)
        return Mended(made, tuple(one.verdict for one in self.current.claims), complete)

    def steps(self) -> Steps[bool]:
        """Mends every claim that is not supported, in order of position; True in the end."""
        mended = unsupported_labels("mend", self.settings.mend)
        yield Began(None, "fix", self.tools.skills.id, asdict(self.settings))
        current = first = yield from self._look_up(self.source)
        self.current = current
        for before in [one.verdict for one in first.claims if one.verdict.label in mended]:
            place = before.claim.start + len(current.text) - len(self.source)
            now = next(one for one in current.claims if one.verdict.claim.start == place)
            outcome = yield from self._mend(current, now)
            current = outcome.read or current
            change = Change(before, outcome.text, outcome.read is not None, outcome.reason)
            self.current, self.changes = current, (*self.changes, change)
            yield Proposed(change)
        return True

    def _mend(self, current: _Read, claim: LookedUp) -> Steps[_Outcome]:
        if claim.verdict.label is Label.SUPPORTED:
            return _Outcome(claim.verdict.claim.text, MENDED_BY_OTHERS)
        if claim.verdict.disagreement is not None:
            return _Outcome(claim.verdict.claim.text, f"{DISAGREE} {claim.verdict.explanation}")
        is_likely = _leans_to_supported(claim.verdict)
        if is_likely and self.tools.skills.rewords:
            return _Outcome(claim.verdict.claim.text, PROBABLY_RIGHT)
        if _meant(claim.verdict.claim) == []:
            return _Outcome(claim.verdict.claim.text, NOBODY_KNOWS_WHO)
        try:
            outcome = yield from self._rewritten(current, claim)
        except ModelError as error:
            return _Outcome(claim.verdict.claim.text, str(error))
        if outcome.read is not None:
            return outcome
        if is_likely:
            return _Outcome(claim.verdict.claim.text, PROBABLY_RIGHT)
        reason = outcome.reason
        if self.settings.remove and _is_removable(claim.verdict) and reason is not DISAGREE:
            removed = yield from self._removed(current, claim.verdict)
            if removed is not None:
                return removed
            reason = f"{reason} {NEEDED}"
        return _Outcome(outcome.text, f"{reason} {claim.verdict.explanation}")

    def _rewritten(self, current: _Read, claim: LookedUp) -> Steps[_Outcome]:
        """The first replacement that passes, each made from the one before."""
        given = claim.verdict.claim
        text, start, wrong = given.text, given.start, [claim]
        tried = {text}
        reason = NOTHING_BETTER
        for attempt in range(1, self.settings.T + 1):
            claims = [one.verdict.claim for one in wrong]
            draft = yield from self.tools.skills.revise(
                text,
                [replace(c, start=c.start - start, end=c.end - start) for c in claims],
                passages_of(wrong, self.settings.passages),
            )
            text = _laid_out(draft.text, given)
            yield Drafted(text, "revised", attempt)
            if not text and attempt == 1 and _is_removable(claim.verdict):
                reason = NOTHING_BETTER if self.settings.remove else ONLY_REMOVAL
            if not text or text in tried:
                break
            tried.add(text)
            splice = _Splice(current.text, start, given.end, text, self.markdown)
            read = yield from self._look_up(splice.result)
            found = _objection(current, read, splice, self.settings.sure)
            if found is None and not self._is_on_one_matter(given, read.within(start, splice.stop)):
                found = OFF_THE_MATTER
            if found is None:
                return _Outcome(text, self._why_changed(claim.verdict, text), read)
            reason = found
            there = read.within(start, splice.stop)
            wrong = [one for one in there if _is_open(one.verdict, self.settings.sure)]
            if not wrong or found in (DISTURBS, DISAGREE):
                break
        return _Outcome(text, reason)

    def _is_on_one_matter(self, given: Claim, there: Sequence[LookedUp]) -> bool:
        """Whether each claim in the place of one shares words with it, or says or denies it."""
        verifier = self.tools.checking.first.verifier
        for new in (one.verdict.claim.hypothesis for one in there):
            pairs = [(new, given.hypothesis), (given.hypothesis, new)]
            if not shared(*pairs[0]) and verifier.score(pairs)[:, [0, 2]].max() < _SAYS_OR_DENIES:
                return False
        return True

    def _why_changed(self, before: Verdict, text: str) -> str:
        """Of a claim that has given way to a text, reworded or quoted."""
        edits = _edits(before.claim.text, text)
        if edits and (self.tools.skills.rewords or len(edits) == 1):
            return f"The documents say {' and '.join(edits)}."
        told = "The documents do not say what the claim said"
        if before.label is Label.CONTRADICTED:
            told = "The documents say otherwise"
        return (
            f"{told}." if self.tools.skills.rewords else f"{told}: their words stand in its place."
        )

    def _removed(self, current: _Read, verdict: Verdict) -> Steps[_Outcome | None]:
        """The text without a claim; None if something else would lose its support by that."""
        span = removal(current.text, verdict.claim.start, verdict.claim.end)
        splice = _Splice(current.text, span.start, span.end, "", self.markdown)
        read = yield from self._look_up(splice.result)
        if _objection(current, read, splice, self.settings.sure) is not None:
            return None
        if verdict.label is Label.CONTRADICTED:
            reason = "The documents say otherwise, and no sentence of theirs can replace it."
        else:
            reason = "No document says this."
        return _Outcome("", reason, read)

    def _look_up(self, text: str) -> Steps[_Read]:
        """A text's claims; those that read as they did before keep their verdicts."""
        claims = segment(text, markdown=self.markdown)
        new = [claim for claim in claims if _reading(claim) not in self._known]
        yield Segmented(tuple(new))
        found = yield from self.tools.look_up(new)
        self._known |= {_reading(one.verdict.claim): one for one in found}
        known = [(claim, self._known[_reading(claim)]) for claim in claims]
        return _Read(
            text,
            tuple(replace(one, verdict=replace(one.verdict, claim=claim)) for claim, one in known),
        )


def _is_removable(verdict: Verdict) -> bool:
    return verdict.label in (Label.CONTRADICTED, Label.NOT_FOUND)


def _is_open(verdict: Verdict, sure: float) -> bool:
    """Whether a claim is not supported, or less probably than it has to be."""
    return verdict.label is not Label.SUPPORTED or verdict.probability < sure


def _reading(claim: Claim) -> tuple[str | None, ...]:
    """All of a claim that its verdict depends on."""
    return claim.statement, claim.query, claim.resolved, claim.before, claim.not_checkable


def _objection(current: _Read, read: _Read, splice: _Splice, sure: float) -> str | None:
    """Why a change may not stand; None if it may.

    Args:
        sure: How probably each claim of it is supported, at least.
    """
    # An emphasis, code or a link that opens without closing, or the other way round, and did not
    # before (CommonMark, section 6).
    if splice.markdown and _unpaired(splice.result) - _unpaired(splice.source):
        return BREAKS_MARKUP
    before = [one.verdict for one in current.claims]
    after = [one.verdict for one in read.claims]
    if not _leaves_the_rest(splice, [v.claim for v in before], [v.claim for v in after]):
        return DISTURBS
    there = [one.verdict for one in read.within(splice.start, splice.stop)]
    unsupported = [verdict for verdict in there if _is_open(verdict, sure)]
    if unsupported or (splice.text and not there):
        if any(verdict.disagreement for verdict in unsupported):
            return DISAGREE
        if unsupported and all(verdict.label is Label.SUPPORTED for verdict in unsupported):
            return UNSURE.format(min(v.probability for v in unsupported), sure)
        return UNSUPPORTED
    if not all(map(_is_on_the_matter, there)):
        return NOBODY_KNOWS_WHO
    now = {verdict.claim.start: verdict for verdict in after}
    for verdict in before:
        claim = verdict.claim
        if verdict.label is Label.SUPPORTED and not splice.start <= claim.start < splice.end:
            moved = now[claim.start + (splice.shift if claim.start >= splice.end else 0)]
            if moved.label is not Label.SUPPORTED:
                return UNSETTLES
    behind = next((v.claim for v in before if v.claim.start >= splice.end), None)
    if not splice.text and behind is not None and pronoun_of(behind.statement) is not None:
        moved = now[behind.start + splice.shift]
        if behind.resolved is None or moved.claim.resolved != behind.resolved:
            return NEEDED
    return None


def _laid_out(text: str, claim: Claim) -> str:
    """A text fit to stand where a claim stands: in one line, or in lines where the claim is."""
    if "\n" not in claim.text:
        return " ".join(text.split()) if "\n" in text else text.strip()
    return re.sub(r"\r?\n", "\r\n" if "\r\n" in claim.text else "\n", text.strip())


def _leaves_the_rest(splice: _Splice, before: Sequence[Claim], after: Sequence[Claim]) -> bool:
    """Whether each claim outside of the stretch reads as it did, and the blocks are the same.

    Args:
        before: The source's claims.
        after: The result's.
    """
    outside = [
        (one.start + (splice.shift if one.start >= splice.end else 0), _form(one))
        for one in before
        if one.end <= splice.start or one.start >= splice.end
    ]
    there = [
        (one.start, _form(one))
        for one in after
        if one.start < splice.start or one.end > splice.stop or not splice.text
    ]
    was, now = (_blocks(text, splice.markdown) for text in (splice.source, splice.result))
    return outside == there and (was == now or not splice.text)


def _unpaired(text: str) -> Counter[str]:
    """The delimiters that a reader of the rendered text sees."""
    from markdown_it import MarkdownIt

    return Counter(
        mark
        for block in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
        if block.children
        for mark in _UNPAIRED.findall(
            "".join(
                "\n" if "break" in part.type else part.content
                for part in block.children
                if part.type not in ("code_inline", "html_inline")
            )
        )
    )


def _form(claim: Claim) -> tuple[str, str, str | None]:
    return claim.text, claim.statement, claim.not_checkable


def _blocks(text: str, markdown: bool) -> list[tuple[str, int, int, int]]:
    """Kind, level, depth and, of a row, the number of cells of each block."""
    return [
        (one.kind, one.level, one.depth, len(one.spans) if one.kind.startswith("table") else 0)
        for one in read_blocks(text, markdown=markdown)
    ]


def _meant(claim: Claim) -> list[Word] | None:
    """What stands before a claim of its subject, where that is a pronoun that may mean several
    things; None where it is clear what the claim is about."""
    named = claim.resolved or _CLEFT.match(claim.statement)
    if named or pronoun_of(claim.statement) is None:
        return None
    own = {word.stem for word in words(claim.statement)}
    return [word for word in content_words(claim.query) if word.stem not in own]


def _is_on_the_matter(verdict: Verdict) -> bool:
    """Whether what supports a claim speaks of what its pronoun is likely to mean."""
    meant = _meant(verdict.claim)
    if not meant:
        return meant is None
    around = {w.stem for c in verdict.citations for w in words(f"{c.heading or ''} {c.context}")}
    return coverage(meant, around) >= _HALF


def _leans_to_supported(verdict: Verdict) -> bool:
    """Whether a claim is likelier supported than not, if not clearly."""
    scores = verdict.scores
    if verdict.label is not Label.UNCERTAIN or scores is None:
        return False
    return scores.supported > max(scores.neutral, scores.contradicted)


def _edits(before: str, after: str) -> list[str]:
    """What took the place of what, if that is all the difference; nothing where more is new."""
    old, new = before.split(), after.split()
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    edits = [one for one in matcher.get_opcodes() if one[0] != "equal"]
    if matcher.ratio() < _ALIKE or any(kind != "replace" for kind, *_ in edits):
        return []
    return [f"“{_bare(new[c:d])}”, not “{_bare(old[a:b])}”" for _, a, b, c, d in edits]


def _bare(words: Sequence[str]) -> str:
    return " ".join(words).strip("*_.,;:!?() ")
