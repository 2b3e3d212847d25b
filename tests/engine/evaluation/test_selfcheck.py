"""SelfCheck by NLI: a row beside the verdicts, where samples are there and it is asked for."""

from pathlib import Path

import pytest
from labelled import STATEMENTS, write_rows
from upstream import written

from veracite.engine.errors import InputError, SettingsError
from veracite.engine.evaluation.figures import sum_up
from veracite.engine.evaluation.items import Answered, Asked
from veracite.engine.evaluation.models import Models
from veracite.engine.evaluation.predict import SELFCHECK, ask

SAID = "Ada Moss was a painter."
DENIED = "Ada Moss was born in 1901."
ROWS = [
    {
        "wiki_bio_text": "Ada Moss (1903-1970) was a painter.",
        "gpt3_sentences": [SAID, DENIED],
        "annotation": ["accurate", "major_inaccurate"],
        "wiki_bio_test_idx": number,
        "gpt3_text_samples": ["Ada Moss was a painter. She was not born in 1901.", SAID],
    }
    for number in range(4)
]


def answered(asked: Asked, models: Models, folder: Path) -> Answered:
    *_, last = ask(asked, models, folder / "runs")
    assert isinstance(last, Answered)
    return last


def test_what_the_samples_deny_scores_less_than_what_they_say(
    models: Models, tmp_path: Path
) -> None:
    asked = Asked("detect", (written(tmp_path / "a.jsonl", *ROWS),), methods=(SELFCHECK,))
    found = answered(asked, models, tmp_path)
    scores = {item: said.score or 0.0 for item, said in found.said[SELFCHECK].items()}
    assert len(scores) == 8
    assert scores["0.1"] > 0.9
    assert scores["0.2"] < 0.6
    rows = {row.method: row for row in sum_up(found).methods}
    assert SELFCHECK in rows
    assert "veracite" not in rows


def test_it_is_only_computed_when_it_is_asked_for_and_then_kept(
    models: Models, tmp_path: Path
) -> None:
    files = (written(tmp_path / "a.jsonl", *ROWS[:2]),)
    assert SELFCHECK not in answered(Asked("detect", files), models, tmp_path).said
    asked = Asked("detect", files, methods=("veracite", SELFCHECK))
    first = answered(asked, models, tmp_path)
    again = answered(asked, models, tmp_path)
    assert first.said == again.said
    assert set(first.said["veracite"]) == set(first.said[SELFCHECK])


def test_without_samples_it_says_what_is_missing(models: Models, tmp_path: Path) -> None:
    data = write_rows(tmp_path / "a.jsonl", STATEMENTS[:4])
    with pytest.raises(InputError, match="other answers of the same model"):
        answered(Asked("detect", (data,), methods=(SELFCHECK,)), models, tmp_path)
    with pytest.raises(SettingsError, match="no method"):
        answered(Asked("attribute", (data,), methods=(SELFCHECK,)), models, tmp_path)
