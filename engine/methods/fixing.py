"""Fix: CEG's regeneration (section 3.4) for a text of the user's, claim by claim.

Only claims that no document supports change. A change is kept if every claim that stands in its
place is supported, and nothing else has lost its support or its place.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace

from veracite.engine.claims.segmentation import segment
from veracite.engine.events import Segmented
from veracite.engine.methods.base import Steps, StepsEvent, Tools
from veracite.engine.methods.events import Began, Drafted, Proposed
from veracite.engine.methods.lookups import LookedUp, look_up, passages_of, unsupported_labels
from veracite.engine.methods.objections import (
    LookedUpText,
    is_left_open,
    is_nearly_supported,
    objection,
)
from veracite.engine.methods.options import as_mapping, option, require_valid
from veracite.engine.methods.reasons import (
    DISAGREE,
    DISPUTED,
    DISTURBS,
    MENDED_BY_OTHERS,
    NEEDED,
    NOBODY_KNOWS_WHO,
    NOTHING_BETTER,
    ONLY_REMOVAL,
    is_edit,
    why_changed,
    why_left,
    why_removed,
)
from veracite.engine.methods.splicing import Splice, laid_out
from veracite.engine.settings import Retrieval
from veracite.engine.texts import removal
from veracite.engine.types import Change, Claim, Fix, Label, Verdict
from veracite.models.errors import Cancelled, ModelError


@dataclass(frozen=True, slots=True)
class FixSettings:
    """Of fix."""

    k: int = option(6, "Passages per claim (CEG, Table 1).", within=(1, 50))
    t: float | None = option(
        None,
        "Cosine under which a passage is dropped, the first one never (none takes what belongs to "
        "the encoder).",
        within=(-1.0, 1.0),
    )
    T: int = option(2, "Attempts at most for each claim (CEG, section 3.4).", within=(1, 20))
    retrieval: Retrieval = option("hybrid", "Where passages are looked for.")
    mend: str = option(
        "contradicted,not_found,uncertain", "Labels of the claims that are to be mended."
    )
    passages: int = option(6, "Passages that a claim is mended by, at most.", within=(1, 100))
    remove: bool = option(
        False, "True takes out what is contradicted or not found and cannot be mended."
    )

    def __post_init__(self) -> None:
        require_valid(self)
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
    steps = mending.steps()
    try:
        while not stopped():
            try:
                event = next(steps)
            except StopIteration:
                return mending.result(complete=True)
            yield event
    except Cancelled:
        pass
    finally:
        steps.close()
    return mending.result(complete=False)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What came of the attempts at a claim."""

    text: str
    """What stands in its place, or was last tried."""
    reason: str
    splice: Splice | None = None
    """None if nothing changed."""
    read: LookedUpText | None = None
    """The text with the change."""


class _Mending:
    """A text on its way; what it holds is verified at any time."""

    def __init__(self, text: str, tools: Tools, settings: FixSettings, markdown: bool) -> None:
        self._source = text
        self._tools = tools
        self._settings = settings
        self._markdown = markdown
        self._known: dict[tuple[str | None, ...], LookedUp] = {}
        self._current: LookedUpText | None = None
        self._changes: tuple[Change, ...] = ()

    def result(self, *, complete: bool) -> Mended | None:
        """The text as it stands."""
        if self._current is None:
            return None
        made = Fix(self._source, self._current.text, self._changes)
        return Mended(made, tuple(one.verdict for one in self._current.claims), complete)

    def steps(self) -> Steps[None]:
        """Mends every claim that is not supported, in order of position."""
        mended = unsupported_labels("mend", self._settings.mend)
        yield Began(None, "fix", self._tools.skills.id, as_mapping(self._settings))
        current = first = yield from self._look_up(self._source)
        self._current = current
        shift = 0
        for before in [one.verdict for one in first.claims if one.verdict.label in mended]:
            place = before.claim.start + shift
            now = next(one for one in current.claims if one.verdict.claim.start == place)
            outcome = yield from self._mend(current, now)
            if outcome.splice is not None and outcome.read is not None:
                current = outcome.read
                shift += outcome.splice.shift
            kept = outcome.splice is not None
            change = Change(before, outcome.text, kept, outcome.reason)
            self._current, self._changes = current, (*self._changes, change)
            yield Proposed(change)

    def _mend(self, current: LookedUpText, claim: LookedUp) -> Steps[_Outcome]:
        if claim.verdict.label is Label.SUPPORTED:
            return _Outcome(claim.verdict.claim.text, MENDED_BY_OTHERS)
        if claim.verdict.disagreement is not None:
            return _left(claim.verdict, claim.verdict.claim.text, DISPUTED)
        if is_left_open(claim.verdict):
            return _left(claim.verdict, claim.verdict.claim.text, NOBODY_KNOWS_WHO)
        try:
            outcome = yield from self._rewritten(current, claim)
        except ModelError as error:
            return _Outcome(claim.verdict.claim.text, str(error))
        if outcome.splice is not None:
            return outcome
        reason = outcome.reason
        if self._settings.remove and _is_removable(claim.verdict) and reason is not DISAGREE:
            removed = yield from self._removed(current, claim.verdict)
            if removed is not None:
                return removed
            reason = f"{reason} {NEEDED}"
        return _left(claim.verdict, outcome.text, reason)

    def _rewritten(self, current: LookedUpText, claim: LookedUp) -> Steps[_Outcome]:
        """The first replacement that passes, each made from the one before."""
        given = claim.verdict.claim
        text, start, wrong = given.text, given.start, [claim]
        tried = {text}
        reason = NOTHING_BETTER
        for attempt in range(1, self._settings.T + 1):
            draft = yield from self._tools.skills.revise(
                text,
                [_moved(one.verdict.claim, -start) for one in wrong],
                passages_of(wrong, self._settings.passages),
            )
            text = laid_out(draft.text, current.text, given, markdown=self._markdown)
            yield Drafted(text, "revised", attempt)
            if not text and attempt == 1 and _is_removable(claim.verdict):
                reason = NOTHING_BETTER if self._settings.remove else ONLY_REMOVAL
            if not text or text in tried:
                break
            if is_nearly_supported(claim.verdict) and not is_edit(given.text, text):
                return _Outcome(given.text, NOTHING_BETTER)
            tried.add(text)
            splice = Splice(current.text, start, given.end, text)
            read = yield from self._look_up(splice.result)
            found = objection(current, read, splice, self._markdown)
            if found is None:
                return _Outcome(text, why_changed(claim.verdict, text), splice, read)
            reason = found
            wrong = [one for one in read.within(start, splice.stop) if not _is_supported(one)]
            if not wrong or found in (DISTURBS, DISAGREE):
                break
        return _Outcome(text, reason)

    def _removed(self, current: LookedUpText, verdict: Verdict) -> Steps[_Outcome | None]:
        """The text without a claim; None if something else would lose its support by that."""
        span = removal(current.text, verdict.claim.start, verdict.claim.end)
        splice = Splice(current.text, span.start, span.end, "")
        read = yield from self._look_up(splice.result)
        if objection(current, read, splice, self._markdown) is not None:
            return None
        return _Outcome("", why_removed(verdict), splice, read)

    def _look_up(self, text: str) -> Steps[LookedUpText]:
        """A text's claims; those that read as they did before keep their verdicts."""
        claims = segment(text, markdown=self._markdown)
        new = [claim for claim in claims if _reading(claim) not in self._known]
        yield Segmented(tuple(new))
        settings = self._settings
        found = yield from look_up(
            new, self._tools, k=settings.k, mode=settings.retrieval, threshold=settings.t
        )
        self._known |= {_reading(one.verdict.claim): one for one in found}
        known = [(claim, self._known[_reading(claim)]) for claim in claims]
        return LookedUpText(
            text,
            tuple(replace(one, verdict=replace(one.verdict, claim=claim)) for claim, one in known),
        )


def _left(verdict: Verdict, text: str, reason: str) -> _Outcome:
    return _Outcome(text, why_left(verdict, reason))


def _is_removable(verdict: Verdict) -> bool:
    return verdict.label in (Label.CONTRADICTED, Label.NOT_FOUND)


def _is_supported(one: LookedUp) -> bool:
    return one.verdict.label is Label.SUPPORTED


def _moved(claim: Claim, by: int) -> Claim:
    return replace(claim, start=claim.start + by, end=claim.end + by)


def _reading(claim: Claim) -> tuple[str | None, ...]:
    """All of a claim that its verdict depends on."""
    return claim.statement, claim.query, claim.resolved, claim.not_checkable
