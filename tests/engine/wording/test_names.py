"""Numbered names, and what is registered or numbered: it agrees whole or not at all."""

import pytest

from veracite.engine.wording.names import designations, identifiers, is_stated, stated_instead


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The aeroplane N2699H was sold.", ["N2699H"]),
        ("Invoice INV-2024-0031 is for part 31T-8020060.", ["INV-2024-0031", "31T-8020060"]),
        ("WO2019/123456 and BWV1080", ["WO2019/123456", "BWV1080"]),
        ("The F-16 and COVID-19 of the mid-1990s", []),
        ("It is 1200KM long, has 100W and costs 1,450 pounds.", []),
        ("The budget of FY2020, that of 2020Q3 and AD1066", []),
        ("Write to desk@N2699.example or see x.example/AB1234.", []),
        ("Call 61-0163-083 in 1998.", []),
    ],
)
def test_identifiers_are_capitals_and_digits(text: str, expected: list[str]) -> None:
    found = identifiers(text)
    assert [one.text for one in found] == expected
    assert all(text[one.start : one.end] == one.text for one in found)


@pytest.mark.parametrize(
    ("claimed", "text", "expected"),
    [
        ("N2699H", "Registration: N2699H", True),
        ("N2699H", "Registration: n2699-h.", True),
        ("INV-2024-0031", "INV 2024/0031", True),
        ("N2699H", "Registration: N2699G", False),
        ("N2699H", "N2699HB and XN2699H", False),
    ],
)
def test_identifiers_are_stated_whole(claimed: str, text: str, expected: bool) -> None:
    (own,) = identifiers(claimed)
    assert is_stated(own, text) is expected


@pytest.mark.parametrize(
    ("claimed", "text", "expected"),
    [
        ("N2699H", "Registration: N2699G", "N2699G"),
        ("N2699H", "N2699H, before that N2699G", None),
        ("N2699H", "Invoice INV-2024-0031", None),
    ],
)
def test_only_one_built_alike_stands_instead(claimed: str, text: str, expected: str | None) -> None:
    (own,) = identifiers(claimed)
    other = stated_instead(own, text)
    assert (other and other.text) == expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Apollo 11 flew.", ["Apollo 11"]),
        ("Apollo XI flew.", ["Apollo XI"]),
        ("Louis XIV, who reigned long", ["Louis XIV"]),
        ("The barn was painted by Karl Voss.", []),
        ("Maria Imhof won.", []),
    ],
)
def test_a_surname_is_no_number(text: str, found: list[str]) -> None:
    assert [one.text for one in designations(text)] == found
