"""A library opened for one check, answer or fix, with all that is done on it."""

import hashlib
from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veracite.engine.against import own_document, require_documents
from veracite.engine.events import Event, Warned
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.checking import Checking
from veracite.engine.judge.unread import unread_note
from veracite.engine.models import OpenModels
from veracite.engine.retrieve import Search
from veracite.engine.settings import CheckSettings
from veracite.engine.types import FailedDocument, Report, Verdict
from veracite.index.library import Library

if TYPE_CHECKING:
    from veracite.engine.methods.base import Tools
    from veracite.engine.skills.base import SkillSet

_ITSELF = "The text itself lies among the documents; it is no evidence for its own claims."


@dataclass(slots=True)
class OpenedLibrary:
    """A library, the models that go by it, and the verdicts that are remembered."""

    library: Library
    notes: list[str]
    """What is to be known about it, for the report."""
    memory: Memory
    models: OpenModels
    settings: CheckSettings
    own: str | None = None
    """The path under which it holds the very text that is checked, if it does."""

    def prepare(self, path: str | None = None) -> Generator[Event, None, None]:
        """Brings the library up to date.

        Args:
            path: Where the text that is checked came from.
        """
        for warning in self.notes:
            yield Warned(warning)
        yield from self.library.sync()
        self.own = own_document(path, self.library)
        if self.own is not None:
            self.notes.append(_ITSELF)
            yield Warned(_ITSELF)
        require_documents(self.library, self.own)
        if self.memory.problem:
            yield Warned(self.memory.problem)

    def checking(self, wording: str | None = None) -> Checking:
        """What judges claims; ``wording`` as ``Workbench.ask``."""
        search = Search(
            self.models.searchable(self.library),
            self.settings.k,
            self.models.threshold,
            self.settings.retrieval,
            without=self.own,
        )
        judge = self.models.judge(self.library)
        return Checking(search, judge, self.memory, self.models.second(judge, wording))

    def tools(self, skills: "SkillSet | None", wording: str | None) -> "Tools":
        """What a method answers or mends with; the arguments as ``Workbench.ask``."""
        from veracite.engine.methods.base import Tools

        checking = self.checking(wording)
        searchable = self.models.searchable(self.library)
        return Tools(self.models.skills(skills, self.library, wording), searchable, checking)

    def report(self, text: str, path: str | None, verdicts: tuple[Verdict, ...]) -> Report:
        """On a text that was judged by the library."""
        status = self.library.status()
        unread = unread_note(verdicts)
        return Report(
            path=path,
            source=text,
            sha256=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
            verdicts=verdicts,
            documents_read=status.documents,
            failed=tuple(FailedDocument(file, reason) for file, reason in status.failed),
            models=self.models.ids,
            extractors=self.library.extractors(),
            settings=self.models.settings() | {"search": status.search},
            notes=(*self.notes, unread) if unread else tuple(self.notes),
        )
