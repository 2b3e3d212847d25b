"""A check with a script: its events are real, its verdicts are given, its pace is the test's."""

import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import reports
from asking import RELATIONS
from scripted_libraries import Paced, ScriptedLibraries

from veracite.engine import events, types
from veracite.engine.errors import InputError
from veracite.engine.surroundings import Surroundings
from veracite.index.documents import FailedDocument
from veracite.index.progress import FileFailed, FileRead, Scanned
from veracite.tui.local_engine import LocalEngine

TRUE = "The mill burned down in 1904."
FALSE = "It was rebuilt in 1911."
QUESTION = "Who owned it?"
UNFOUNDED = "The mayor collects stamps."
VAGUE = "Perhaps it rained that day."
TEXT = f"{TRUE} {FALSE} {QUESTION}\n\n{UNFOUNDED} {VAGUE}"

LABELS = {
    TRUE: types.Label.SUPPORTED,
    FALSE: types.Label.CONTRADICTED,
    QUESTION: types.Label.NOT_CHECKABLE,
    UNFOUNDED: types.Label.NOT_FOUND,
    VAGUE: types.Label.UNCERTAIN,
}
QUOTE = "The mill burned\ndown in 1904 and was never re-\nbuilt."
CONTEXT = "Harrow had a mill. The mill burned down in 1904 and was never rebuilt. Bees live there."
FAILED = FailedDocument("/papers/locked.pdf", "It is encrypted.")


def citation(relation: types.Relation) -> types.Citation:
    """A quote from page 3 of a document."""
    place = {"start": 19, "end": 19 + len(QUOTE), "heading": "Harrow > The mill"}
    return reports.citation(QUOTE, relation, **place, probability=0.87, context=CONTEXT)


def verdict(claim: types.Claim) -> types.Verdict:
    """The verdict that the script has for a claim; unknown claims are supported."""
    label = LABELS.get(claim.text, types.Label.SUPPORTED)
    quotes = (
        () if label is types.Label.NOT_CHECKABLE else (citation(RELATIONS.get(label, "nearest")),)
    )
    return types.Verdict(claim, label, 0.8, None, "script", f"Because it is {label.value}.", quotes)


def claims(text: str) -> tuple[types.Claim, ...]:
    """Every run of words up to a full stop or question mark."""
    return tuple(
        types.Claim(match[0], match.start(), match.end(), match[0], match[0])
        for match in re.finditer(r"\S[^.?]*[.?]", text)
    )


@dataclass
class Script(Paced, LocalEngine):
    """An engine for the app; the steps of its work are the claims that are judged."""

    texts: list[str] = field(default_factory=list)
    against: list[object] = field(default_factory=list)
    forms: list[tuple[Path | None, bool]] = field(default_factory=list)
    """Where the texts came from, and whether they are Markdown."""
    places: list[int] = field(default_factory=list)
    notes: tuple[str, ...] = ()
    """Of the report."""
    judge: Callable[[types.Claim], types.Verdict] = verdict
    answer: str = TEXT
    """To every question."""
    questions: list[tuple[str, str]] = field(default_factory=list)
    """What was asked, with the method."""
    model: str | None = None
    """The language model in use."""
    mended: dict[str, str] = field(default_factory=lambda: {FALSE: "It was never rebuilt."})
    """What is put in the place of a claim; others without support cannot be mended."""
    gone: Exception | None = None
    """Why nothing stands around a quote."""
    libraries: ScriptedLibraries = field(default_factory=ScriptedLibraries)

    def check(
        self,
        text: str,
        against: tuple[Path, ...] | str | None,
        path: Path | None = None,
        markdown: bool = True,
        *,
        place: int = 0,
    ) -> Generator[events.Event, None, None]:
        self.texts.append(text)
        self.places.append(place)
        self.against.append(against)
        self.forms.append((path, markdown))
        end = "stopped"
        try:
            yield from self._events(text)
            end = "finished"
        except Exception:
            end = "failed"
            raise
        finally:
            self.closed.append(end)

    def ask(
        self, question: str, against: tuple[Path, ...] | str | None, method: str
    ) -> Generator[events.Event, None, None]:
        self.questions.append((question, method))
        self.against.append(against)
        before = self.cancelled
        yield events.Began(question, method, "scripted", {})
        if self.error:
            raise self.error
        found = claims(self.answer)
        verdicts: list[types.Verdict] = []
        for index, claim in enumerate(found):
            yield events.Streamed(claim.text)
            self.pause(index)
            if self.cancelled > before:
                break
            verdicts.append(self.judge(claim))
            yield events.Settled(types.Answer(question, self.answer[: claim.end], tuple(verdicts)))
        answer = types.Answer(question, self.answer, tuple(verdicts))
        if not found:
            answer = replace(answer, nearest=(citation("nearest"),))
            yield events.Settled(answer)
        report = replace(self._report(self.answer, verdicts), method=method, answer=answer)
        yield events.Finished(replace(report, complete=len(verdicts) == len(found)))

    def use_model(self, file: str | None) -> None:
        self.model = file

    def fix(
        self,
        text: str,
        against: tuple[Path, ...] | str | None,
        path: Path | None = None,
        markdown: bool = True,
    ) -> Generator[events.Event, None, None]:
        self.texts.append(text)
        self.against.append(against)
        if self.error:
            raise self.error
        changes = []
        mended = text
        for index, claim in enumerate(claims(text)):
            self.pause(index)
            before = self.judge(claim)
            if before.label in (types.Label.SUPPORTED, types.Label.NOT_CHECKABLE):
                continue
            instead = self.mended.get(claim.text)
            change = types.Change(
                before, instead or "", instead is not None, "The documents say otherwise."
            )
            changes.append(change)
            yield events.Proposed(change)
            mended = mended.replace(claim.text, claim.text if instead is None else instead)
        verdicts = [self.judge(claim) for claim in claims(mended)]
        fix = types.Fix(text, mended, tuple(changes))
        yield events.Finished(replace(self._report(mended, verdicts), method="fix", fix=fix))

    def around(
        self, citation: types.Citation, against: tuple[Path, ...] | str | None
    ) -> Surroundings:
        """The quote's page with the end of the one before."""
        if self.gone:
            raise self.gone
        before = "What stood before.\n\nNobody knew. "
        text = f"{before}{citation.quote} Then came the bees.\n\nThe end."
        pages = ((20, citation.page),) if citation.page else ()
        return Surroundings(text, len(before), len(before) + len(citation.quote), pages)

    def require(self, against: tuple[Path, ...] | str | None) -> None:
        """There are the default library, one named law, and the files and folders there are."""
        there = (None, "law")
        found = all(p.exists() for p in against) if isinstance(against, tuple) else against in there
        if not found:
            raise InputError(f"There is no {against}.", "Check the spelling.")

    def close(self) -> None:
        return

    def _events(self, text: str) -> Generator[events.Event, None, None]:
        found = claims(text)
        yield events.Segmented(found)
        yield Scanned(2, 2)
        yield FileRead("/papers/mill.pdf", 4, 1, 2)
        yield FileFailed(FAILED.file, FAILED.reason, 2, 2)
        if self.error:
            raise self.error
        for index, claim in enumerate(found):
            self.pause(index)
            yield events.Judged(index, self.judge(claim), False, index + 1, len(found))
        yield events.Finished(self._report(text, list(map(self.judge, found))))

    def _report(self, text: str, verdicts: Sequence[types.Verdict]) -> types.Report:
        judged = tuple(verdicts)
        return types.Report(
            None, text, "0" * 64, judged, 1, (FAILED,), (), {}, {}, notes=self.notes
        )
