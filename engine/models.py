"""The models that a check needs, each opened when it is first needed and kept until ``close``."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from veracite.engine import own_verifier
from veracite.engine.events import Opening
from veracite.engine.exam_outcome import Outcome, outcome_of, remark
from veracite.engine.judge.cascade import ModelJudge
from veracite.engine.judge.decision import bundled_decision
from veracite.engine.judge.judge import Judge
from veracite.engine.judge.precedence import NEWEST, Precedence
from veracite.engine.judge.tuning import Tuning, read_tuning
from veracite.engine.libraries import Against, Libraries, open_library
from veracite.engine.paths import Paths
from veracite.engine.retrieve import ANSWERED, Reranked, Search, Searchable
from veracite.engine.settings import CheckSettings
from veracite.index.documents import Passage
from veracite.index.library import Library
from veracite.index.memory import MemoryLibrary
from veracite.index.sources import chosen
from veracite.models.bundled import bundled_encoder, bundled_verifier, stored_encoder
from veracite.models.errors import ModelError
from veracite.models.store import Store

if TYPE_CHECKING:
    from veracite.engine.skills.base import Skills, SkillSet
    from veracite.engine.skills.prompted import PromptedSkills
    from veracite.models.encoder import Encoder
    from veracite.models.generator import Generator
    from veracite.models.reranker import Reranker
    from veracite.models.verifier import Verifier


Quotable = Library | MemoryLibrary
"""A library, on disk or in memory."""


class OpenModels:
    """Encoder, verifier and, if the settings name one, a language model.

    Args:
        settings: What they are used for.
        paths: Where prompts are, and what is known of language models.
        verbose: Let llama.cpp write its log to standard error.
        without: Checks of the decision that are passed over.
    """

    def __init__(
        self,
        settings: CheckSettings,
        paths: Paths,
        *,
        verbose: bool = False,
        without: Collection[str] = (),
    ) -> None:
        self._settings = settings
        self._without = without
        self._paths = paths
        self._verbose = verbose
        self._stop = Event()
        self._store = Store(paths.models)
        self._encoder: Encoder | None = None
        self._encoder_folder: Path | None = None
        """Where it lies; None if it is the bundled one."""
        self._verifier: Verifier | None = None
        self._verifier_folder: Path | None = None
        self.generator: Generator | None = None
        """The language model, once ``open_generator`` was called and there is one."""
        self._reranker: Reranker | None = None
        self.writer: PromptedSkills | None = None
        """What it can do, then."""
        self._wording: str | None = None
        self._tuning: Tuning | None = None

    def encoder(self, notes: list[str]) -> "Encoder | None":
        """The encoder that is chosen now, or None if search goes by words alone.

        Args:
            notes: Gets a sentence if that is not what was asked for.
        """
        if self._settings.retrieval == "lexical":
            return None
        try:
            return self.open_encoder()
        except ModelError as error:
            notes.append(f"Only words are searched, not meaning: {error.message} {error.advice}")
            return None

    def open_encoder(self) -> "Encoder":
        """The encoder that is chosen now.

        Raises:
            ModelError: It cannot be used.
        """
        folder = self._store.chosen_path("encoder")
        if self._encoder is None or folder != self._encoder_folder:
            threads = self._settings.threads
            self._encoder = stored_encoder(folder, threads) if folder else bundled_encoder(threads)
            self._encoder_folder = folder
        return self._encoder

    def library(self, against: Against, notes: list[str]) -> Library:
        """Opens the library that is meant; the caller closes it.

        Args:
            against: Which one.
            notes: As ``encoder``.

        Raises:
            InputError: There is no such library.
            LibraryError: Its folder cannot be used, or a source does not exist.
        """
        memory = self._settings.reader_memory
        return open_library(against, Libraries(self._paths), self.encoder(notes), memory)

    @property
    def threshold(self) -> float | None:
        """CEG's t: as set, or the encoder's own."""
        if self._settings.threshold is not None or self._encoder is None:
            return self._settings.threshold
        return self._encoder.threshold

    def searchable(self, library: Quotable) -> Searchable:
        """The library; where a reranker was chosen, with its passages in that one's order.

        Raises:
            ModelError: The reranker is gone or damaged.
        """
        reranker = self.open_reranker()
        return library if reranker is None else Reranked(library, reranker)

    def open_reranker(self) -> "Reranker | None":
        """The reranker that was chosen, if one was.

        Raises:
            ModelError: It is gone or damaged.
        """
        folder = self._store.chosen_path("cross-encoder")
        if folder is None:
            return None
        if self._reranker is None:
            from veracite.models.reranker import stored_reranker

            self._reranker = stored_reranker(folder, threads=self._settings.threads)
        return self._reranker

    def search(self, library: Quotable, without: Collection[str] = ()) -> Search:
        """How evidence is found in a library, but for some documents of it.

        Raises:
            ModelError: As for ``searchable``.
        """
        settings, searchable = self._settings, self.searchable(library)
        return Search(searchable, settings.k, self.threshold, settings.retrieval, without=without)

    def open_verifier(self) -> "Verifier":
        """The verifier that is chosen now: the bundled one, or one of the user's own.

        Raises:
            ModelError: It cannot be used.
        """
        folder = self._store.chosen_path("verifier")
        if self._verifier is None or folder != self._verifier_folder:
            threads = self._settings.threads
            own = folder and own_verifier.opened(folder, threads)
            self._verifier, self._verifier_folder = own or bundled_verifier(threads), folder
        return self._verifier

    def judge(self, library: Quotable | None = None) -> Judge:
        """The verifier with the decision.

        Args:
            library: What it quotes from; without one it can quote nothing.

        Raises:
            ModelError: The verifier cannot be used.
            InputError: The calibration cannot.
            SourceError: What is set to be preferred is a pattern that cannot be understood.
        """
        judge = Judge(
            verifier=self.open_verifier(),
            decision=bundled_decision().without(self._without),
            uncertain_below=self._settings.uncertain_below,
            sentences=(lambda passage: ()) if library is None else library.sentences,
            raw_text=(lambda document: "") if library is None else library.raw_text,
            precedence=self._precedence(library) if isinstance(library, Library) else None,
        )
        if self._settings.calibration is None:
            return judge
        self._tuning = read_tuning(Path(self._settings.calibration), judge.models)
        return replace(judge, tuning=self._tuning)

    def _precedence(self, library: Library) -> Precedence | None:
        rule = self._settings.prefer
        if rule is None:
            return None
        globs = [rule] if rule != NEWEST else []
        return Precedence(rule, library.copies, chosen(globs, library.sources))

    def unfit(self, library: Library) -> list[str]:
        """Says so, if no document of a library is one that is set to be preferred."""
        rule = self._precedence(library)
        if rule and rule.rule != NEWEST and not any(rule.fits(d.path) for d in library.documents()):
            return [f"No document fits --prefer {rule.rule}, so it decides nothing."]
        return []

    def open_generator(
        self, *, writes: bool = False, wording: str | None = None
    ) -> Iterator[Opening]:
        """Open the language model, if there is one to be used and it is not open yet.

        Args:
            writes: Whether it is used even if it judges nothing.
            wording: Whose prompts it is given until the next call; None is ours.

        Raises:
            Cancelled: ``cancel`` was called while the file was looked at for the first time.
            ModelError: It cannot be.
            SettingsError: One of the user's prompts cannot be used, or there is no such wording.
        """
        from veracite.engine.skills.prompts import Prompts

        settings = self._settings
        self._wording = wording
        wordings = (wording,) if wording else ()
        wanted = settings.model is not None and self.generator is None
        if wanted and settings.model is not None and (writes or self._judges()):
            from veracite.engine.skills.prompted import PromptedSkills
            from veracite.models.generator import Generator
            from veracite.models.trial import known_sha256

            file, verified = Path(settings.model), self._paths.verified
            prompts = Prompts.load(self._paths.prompts)
            prompts.choose("judge", wordings)
            self._stop.clear()
            yield Opening(file.name, first_time=known_sha256(file, verified) is None)
            self.generator = Generator.open(
                file,
                context=settings.context,
                gpu_layers=settings.gpu_layers,
                threads=settings.threads,
                verified=verified,
                stop=self._stop,
                verbose=self._verbose,
            )
            reasons = settings.judge_by == "reasoning"
            self.writer = PromptedSkills(self.generator, prompts, judge_reasons=reasons)
        if self.writer is not None and (writes or settings.judged_by != "bundled"):
            prompts = Prompts.load(self._paths.prompts)
            self.writer = replace(self.writer, prompts=prompts, wordings=wordings)

    @property
    def _alone(self) -> bool:
        """Whether the language model decides by itself what it judges: no exam is taken so."""
        settings = self._settings
        return settings.judged_by == "gguf" or settings.joint or settings.judge_by == "reasoning"

    @property
    def conditions(self) -> tuple[str, ...]:
        """What an exam holds for: verifier, decision, and the prompt that judges.

        Raises:
            ModelError: The verifier cannot be used.
            SettingsError: One of the user's prompts cannot, or there is no such wording.
        """
        from veracite.engine.skills.prompts import Prompts

        wordings = (self._wording,) if self._wording else ()
        prompts = self.writer.prompts if self.writer else Prompts.load(self._paths.prompts)
        return (*self.judge().models, prompts.choose("judge", wordings).id)

    def tested(self) -> Outcome | None:
        """What came of the language model's exam; None if it took none as it is used here."""
        from veracite.models.trial import known_sha256

        sha256 = self.generator.sha256 if self.generator else None
        if sha256 is None:
            with suppress(ModelError):
                sha256 = known_sha256(Path(self._settings.model or ""), self._paths.verified)
        outcome = outcome_of(sha256, self._paths)
        return outcome if outcome and outcome.by == self.conditions else None

    def _judges(self) -> bool:
        """Whether the language model is needed where it writes nothing.

        One that nobody has looked at is opened, if only to find out whether that can be done.
        """
        from veracite.models.trial import known_sha256

        if self._settings.judged_by == "bundled":
            return False
        known = known_sha256(Path(self._settings.model or ""), self._paths.verified)
        return known is None or self._alone or bool((found := self.tested()) and found.has_say)

    def remarks(self) -> list[str]:
        """What is to be known of who judges, besides the bundled verifier: of a language model
        nothing where it earned its say."""
        own = self._store.chosen("verifier")
        told = [f"Claims are judged by {own} in place of the bundled verifier."] if own else []
        if self._settings.model is None or self._settings.judged_by == "bundled":
            return told
        file, paths, outcome = Path(self._settings.model), self._paths, self.tested()
        foreign = self._wording and self.conditions[-1].startswith(f"judge.{self._wording}/")
        wording = self._wording if foreign else None
        said = remark(file, paths, outcome, alone=self._alone, wording=wording)
        return [*told, *filter(None, [said])]

    def second(self, first: Judge) -> ModelJudge | None:
        """The language model as a judge beside the first; None unless it is to judge."""
        skills = self.writer
        if self._settings.judged_by == "bundled" or not (self.generator and skills):
            return None
        who = f"{self.generator.id}, {skills.prompt('judge').id}"
        says = None
        if not self._alone:
            outcome = self.tested()
            if outcome is None or not outcome.has_say:
                return None
            says = outcome.judging.says
            who = f"{who}, say {says[0].weight:.2f} and {says[1].weight:.2f}"
        return ModelJudge(
            skills=skills,
            id=who if self._settings.judge_by == "choose" else f"{who}, reasoning",
            context=self.generator.context,
            first=first,
            everything=self._settings.judged_by == "gguf",
            joint=self._settings.joint,
            screen=self._settings.screen,
            says=says,
        )

    def skills(self, chosen: "SkillSet | None", library: Quotable) -> "Skills":
        """Who writes: the language model if it was opened, else the bundled models.

        Args:
            chosen: Which of them; None takes what there is.
            library: What the bundled models quote from.

        Raises:
            ModelError: The bundled encoder cannot be used.
        """
        if chosen != "extractive" and self.writer is not None:
            return self.writer
        from veracite.engine.skills.extractive import ExtractiveSkills

        settings, searchable = self._settings, self.searchable(library)

        def search(query: str) -> list[Passage]:
            k, mode = settings.k or ANSWERED, settings.retrieval
            (found,) = searchable.search_many([query], k=k, mode=mode)
            return [item.passage for item in found]

        return ExtractiveSkills(self._encoder or self.open_encoder(), self.judge(library), search)

    @property
    def ids(self) -> tuple[str, ...]:
        """Names of the models in use, with the start of their SHA-256."""
        opened = (self._encoder, self._reranker, self._verifier, self.generator)
        ids = [model.id for model in opened if model is not None]
        if self._verifier is not None:
            ids.append(bundled_decision().id)
        return tuple(ids)

    def settings(self) -> dict[str, str | int | float | bool | None]:
        """The settings that verdicts depend on, for the report; no paths of this machine.

        Threads, GPU layers and the memory of readers change none; which model it was, ``ids`` says.
        """
        settings = asdict(self._settings)
        left_out = {"threads", "model", "gpu_layers", "reader_memory"}
        left_out |= set() if settings["prefer"] else {"prefer"}
        if self.generator is None:
            left_out |= {"judge_by", "joint", "screen", "context"}
        for name in ("include", "exclude"):
            settings[name] = ", ".join(settings[name])
            left_out |= set() if settings[name] else {name}
        return {name: value for name, value in settings.items() if name not in left_out} | {
            "threshold": self.threshold,
            "judge": self._settings.judged_by,
            "calibration": self._tuning.id if self._tuning else None,
        }

    def cancel(self) -> None:
        """Stop the language model in the middle of a call, or its first load; from any thread."""
        self._stop.set()
        if (generator := self.generator) is not None:
            generator.cancel()

    def close(self) -> None:
        """Let go of them."""
        for model in (self._encoder, self._reranker, self._verifier, self.generator):
            if model is not None:
                model.close()
        self._encoder = self._reranker = self._verifier = None
        self.generator = self.writer = None
