"""What is asked of an evaluation, and every prediction it takes, as a stream of events."""

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from veracite.engine.errors import InputError, SettingsError
from veracite.engine.evaluation.fingerprints import data_files
from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Loaded, Prediction, Question, Task
from veracite.engine.evaluation.models import Models
from veracite.engine.evaluation.predicting import METHODS, Predicting, every_source, predict
from veracite.engine.evaluation.progress import Predicted
from veracite.engine.evaluation.record import (
    identity,
    library_versions,
    record,
    this_machine,
)
from veracite.engine.evaluation.results import DataFile
from veracite.engine.evaluation.runs import Run
from veracite.engine.evaluation.selfchecking import SELFCHECK, selfcheck
from veracite.engine.evaluation.splits import SplitKind
from veracite.engine.evaluation.variants import Variant, variants
from veracite.engine.methods.configured import BEST
from veracite.index.progress import SyncEvent

__all__ = ["Answered", "Asked", "ask", "run_folder"]

_AGAINST_CONTRADICTION = ("felm",)
"""Formats in which only an actual error is nonfactual (CEG, Table 12)."""
_WITH_PASSAGES = ("asqa", "qampari", "eli5", "quotesum", "hotpotqa", "musique", "qed", "squad")
"""Formats of questions whose rows bring passages."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be evaluated."""

    task: Task
    files: tuple[Path, ...]
    format: str | None = None
    """Of the files; None recognises it."""
    methods: tuple[str, ...] = ()
    """Those to report; all if none is named. For ``answer`` those that answer, beside the plain
    ones (``veracite.engine.evaluation.variants``); the best one if none is named."""
    limit: int | None = None
    """Items drawn at random from the seed; None takes all."""
    split: SplitKind = "halves"
    predicting: Predicting = field(default_factory=Predicting)
    score: str | None = None
    """ "supported" or "not-contradicted"; None goes by the format."""
    label_map: Mapping[str, bool] = field(default_factory=dict)
    """Labels of the set to true or false, instead of the format's own map."""
    command: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """Every method has said what it says of every item."""

    asked: Asked
    loaded: Loaded
    predicting: Predicting
    """The settings as they were used."""
    said: Mapping[str, Mapping[str, Prediction]]
    """By method and item; items that a method said nothing of are missing."""
    files: tuple[DataFile, ...]
    record: Mapping[str, Any]
    run: Path
    """The folder with the record and every prediction."""


def run_folder(root: Path, task: Task, kept: Mapping[str, object]) -> Path:
    """Where a run is kept unless the user says: the same evaluation has the same folder."""
    text = json.dumps(kept, sort_keys=True)
    return root / f"{task}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def ask(
    asked: Asked,
    models: Models,
    root: Path,
    *,
    run: Path | None = None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Iterator[SyncEvent | Predicted | Answered]:
    """Load, and predict what is not yet predicted; last comes ``Answered``.

    Args:
        asked: What is to be evaluated.
        models: Opened as they are needed; the caller closes them.
        root: Folder of the runs, and of the libraries that they share.
        run: Folder of this run, if not below ``root``.
        clock: Tells the time, for the record.

    Raises:
        SettingsError: A method or a format is unknown, or a label that no row has is given a
            meaning.
        InputError: The data cannot be read or are too few or lack what a method needs, ``run`` is
            another run's, or the calibration cannot be used.
        CheckError: The run's folder cannot be written.
        LibraryError, ModelError: As for a check.
    """
    answering = _variants(asked, models)
    files = data_files(asked.files)
    loaded = load(asked.task, asked.files, asked.format, asked.label_map)
    _require_labels(loaded)
    _require_documents(loaded, models)
    predicting = _settled(asked, loaded)
    loaded = _drawn(loaded, asked, predicting)
    kept = record(
        command=asked.command,
        files=files,
        models=models.ids,
        settings={
            **predicting.as_mapping(),
            "calibration": models.tuning.id if models.tuning else None,
            "limit": asked.limit,
            "format": loaded.format,
        },
        seed=predicting.seed,
        machine=this_machine(),
        libraries=library_versions(),
        clock=clock,
    )
    held = {"task": asked.task, **identity(kept)}
    folder = run or run_folder(root, asked.task, held)
    with Run(folder, held) as opened:
        requested = (SELFCHECK,) if SELFCHECK in asked.methods else ()
        if requested:
            yield from selfcheck(loaded, models.verifier, opened)
        yield from predict(loaded, predicting, models, opened, root / "libraries", answering)
        names = [*(variant.name for variant in answering), *METHODS[asked.task], *requested]
        said = {name: _said(loaded, opened, name) for name in names}
    settings = {**kept["settings"], **({"split": asked.split} if _is_split(asked) else {})}
    yield Answered(asked, loaded, predicting, said, files, {**kept, "settings": settings}, folder)


def _variants(asked: Asked, models: Models) -> tuple[Variant, ...]:
    """The methods that answer, the best one unless some are named; none for the other tasks.

    Raises:
        SettingsError: A method is unknown.
    """
    known = METHODS[asked.task]
    if asked.task == "answer":
        best = BEST["extractive" if models.writer is None else "prompted"]
        return variants(asked.methods or (best,), tuple(known))
    valid = (*known, SELFCHECK) if asked.task == "detect" else tuple(known)
    for method in asked.methods:
        if method not in valid:
            raise SettingsError(
                f"{asked.task} has no method {method!r}.", f"It has: {', '.join(valid)}."
            )
    return ()


def _require_labels(loaded: Loaded) -> None:
    """Raises SettingsError where a label is given a meaning that no row has."""
    if loaded.unmet_labels:
        raise SettingsError(
            f"No row has the label {', '.join(map(repr, loaded.unmet_labels))}.",
            f"The labels that are read are {', '.join(map(repr, sorted(loaded.label_map)))}.",
        )


def _require_documents(loaded: Loaded, models: Models) -> None:
    """Raises InputError where questions have neither documents nor answers nor a writer."""
    if loaded.task != "answer" or every_source(loaded) or models.writer is not None:
        return
    if any(isinstance(item, Question) and item.output is not None for item in loaded.items):
        return
    raise InputError(
        "Nothing can be answered: none of the questions comes with documents to answer from.",
        f"Give a set that brings passages ({', '.join(_WITH_PASSAGES)}; open-qa with ctxs), or a "
        "language model with --model that answers without.",
    )


def _settled(asked: Asked, loaded: Loaded) -> Predicting:
    by_format = loaded.format in _AGAINST_CONTRADICTION
    against = by_format if asked.score is None else asked.score == "not-contradicted"
    return replace(asked.predicting, against_contradiction=against)


def _is_split(asked: Asked) -> bool:
    return asked.task in ("detect", "attribute")


def _drawn(loaded: Loaded, asked: Asked, predicting: Predicting) -> Loaded:
    """So many items, at random, in their order; the library stays that of all."""
    total, limit = len(loaded.items), asked.limit
    if _is_split(asked) and min(total, limit or total) < 2:
        few = "One item is too few: thresholds are chosen on some items, results are of others."
        raise InputError(
            " ".join([few, *loaded.left_out]) if total < 2 else few,
            "Give more items." if total < 2 else "Give a higher --limit.",
        )
    if limit is None or limit >= total:
        return loaded
    places = random.Random(predicting.seed).sample(range(total), limit)
    everything = every_source(loaded) if predicting.scope == "all" else loaded.corpus
    drawn = f"{limit:,} of {total:,} items, drawn at random from seed {predicting.seed}."
    return replace(
        loaded,
        items=tuple(loaded.items[place] for place in sorted(places)),
        corpus=tuple(everything),
        notes=(drawn, *loaded.notes),
    )


def _said(loaded: Loaded, run: Run, method: str) -> dict[str, Prediction]:
    found = ((item.id, run.get(item.id, method)) for item in loaded.items)
    return {item: prediction for item, prediction in found if prediction is not None}
