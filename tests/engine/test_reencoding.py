"""Two real encoders, one after the other: the next check encodes the library anew."""

from collections.abc import Iterable
from pathlib import Path

import checkpoints
from indexing import write_corpus
from mill import TRUE, write_documents

from veracite.engine.events import Event, Finished
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Report
from veracite.engine.workbench import Workbench
from veracite.index.progress import Encoded
from veracite.models.bundled import encoder_id
from veracite.models.store import Choices, Store
from veracite.models.store.bringing import bring


def report_of(events: Iterable[Event]) -> Report:
    *_, last = events
    assert isinstance(last, Finished)
    return last.report


def test_a_check_goes_by_the_encoder_that_is_chosen(tmp_path: Path) -> None:
    paths = Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")
    store = Store(paths.models)
    for name, family, pooling in (("old", "bert", "mean_tokens"), ("new", "mpnet", "cls_token")):
        checkpoints.write_folder(tmp_path / name, family)
        checkpoints.write_modules(tmp_path / name, pooling)
        list(bring(store, tmp_path / name))
    old, new = (encoder_id(store.path(name)) for name in ("old", "new"))
    against = (write_documents(tmp_path / "documents"),)
    write_corpus(against[0])
    with Workbench(CheckSettings(), paths) as bench:
        Choices(store).choose("encoder", "old")
        before = report_of(bench.check(TRUE, against=against))
        Choices(store).choose("encoder", "new")
        stopped = bench.check(TRUE, against=against)
        first = next(event for event in stopped if isinstance(event, Encoded))
        stopped.close()
        events = list(bench.check(TRUE, against=against))
        after = report_of(events)
        again = list(bench.check(TRUE, against=against))
    assert (old in before.models, new in before.models) == (True, False)
    assert (old in after.models, new in after.models) == (False, True)
    assert after.settings["threshold"] != before.settings["threshold"]
    assert after.settings["search"] == "exact"
    left = first.total - first.done
    assert [event for event in events if isinstance(event, Encoded)][-1] == Encoded(left, left)
    assert not any(isinstance(event, Encoded) for event in again)
