"""The verifier understands a denial in other words than the claim's, and still what it denies."""

import pytest
from readings import claim, evidence, raw_text_of, sentences_of

from veracite.engine.judging.decision import bundled_decision
from veracite.engine.judging.verify import Judge
from veracite.engine.words import Label
from veracite.models.verifier import Verifier


@pytest.mark.parametrize(
    ("told", "statement", "expected"),
    [
        ("Smoking is not allowed in the garden.", "Smoking is forbidden in the garden.", "same"),
        ("Smoking is not allowed in the garden.", "Smoking is allowed in the garden.", "other"),
        ("Attendance is not compulsory.", "Attendance is voluntary.", "same"),
        ("Attendance is voluntary.", "Attendance is compulsory.", "other"),
        ("The bridge was not finished until 1932.", "The bridge was finished in 1932.", "same"),
        ("The bridge was not finished until 1932.", "The bridge was finished in 1931.", "other"),
        ("The library no longer charges fines.", "The library stopped charging fines.", "same"),
        ("The library no longer charges fines.", "The library charges fines.", "other"),
    ],
)
def test_a_denial_is_understood_in_other_words(
    verifier: Verifier, told: str, statement: str, expected: str
) -> None:
    item = evidence("notes", [told, "The gravel was raked in June."])
    judge = Judge(verifier, bundled_decision(), 0.6, sentences_of, raw_text_of(item))

    ((_, verdict, _),) = judge.judge([claim(statement)], [[item]])

    assert verdict.label is (Label.SUPPORTED if expected == "same" else Label.CONTRADICTED)
    assert verdict.citations[0].quote == told
