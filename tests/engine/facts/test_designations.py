"""Numbered names, and names that only begin like one."""

import pytest

from veracite.engine.facts.names import designations


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Apollo 11 flew.", ["Apollo 11"]),
        ("Apollo XI flew.", ["Apollo XI"]),
        ("Louis XIV, who reigned long", ["Louis XIV"]),
        ("The barn was painted by Karl Voss.", []),
        ("Anna Xu met Leo Iverson.", []),
        ("Maria Imhof won.", []),
    ],
)
def test_a_surname_is_no_number(text: str, found: list[str]) -> None:
    assert [one.text for one in designations(text)] == found
