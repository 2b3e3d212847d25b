"""Denials that mean the same in other words are read in the claim's own."""

import pytest

from veracite.engine.wording.complements import denied_alike


@pytest.mark.parametrize(
    ("claim", "premise", "read"),
    [
        ("Dogs are forbidden here.", "Dogs are not allowed here.", "Dogs are forbidden here."),
        ("Smoking is banned.", "Smoking isn't permitted.", "Smoking is banned."),
        ("It is strictly prohibited.", "It is not allowed.", "It is strictly prohibited."),
        ("It is now forbidden.", "It is no longer allowed.", "It is forbidden."),
        ("It is not allowed.", "It is strictly forbidden.", "It is strictly not allowed."),
        ("It is allowed.", "It is not forbidden.", "It is allowed."),
        ("The gate was closed.", "The gate was not open.", "The gate was closed."),
        ("It is closed on Mondays.", "It does not open on Mondays.", "It is closed on Mondays."),
        ("The bill is unpaid.", "The bill has not been paid.", "The bill is unpaid."),
        ("The bill is not paid.", "The bill is unpaid.", "The bill is not paid."),
        ("The fee is non-refundable.", "The fee is not refundable.", "The fee is non-refundable."),
        ("She remained single.", "She never married.", "She remained single."),
        ("Parking is free.", "Parking costs nothing.", "Parking is free."),
        ("Parking costs nothing.", "Parking is free of charge.", "Parking costs nothing."),
        ("It stopped charging.", "It no longer charges fines.", "It stopped charging fines."),
        ("It no longer sells rye.", "It does not sell rye any more.", "It no longer sells rye."),
        ("It does not run any more.", "It no longer runs.", "It does not run any more."),
        ("It was finished in 1932.", "It was not finished until 1932.", "It was finished in 1932."),
        ("It opened in 1950.", "It did not open until May 1950.", "It opened in May 1950."),
        ("It opened on Monday.", "It didn't open until Monday.", "It opened on Monday."),
        ("It opened in 1950.", "It was not until 1950 that it opened.",
         "It was in 1950 that it opened."),
        ("It did not open until 1950.", "The hall opened only in 1950.",
         "The hall did not open until 1950."),
        ("It was not built until 1950.", "It was built in 1950.", "It was not built until 1950."),
        ("Dogs are not allowed in the map room.", "Dogs are allowed everywhere but the map room.",
         "Dogs are not allowed in the map room."),
        ("It is closed on Tuesdays.", "It is open daily except Tuesday.",
         "It is closed on Tuesday."),
        ("Ann was absent from the meeting.", "Ann sent her apologies for the meeting.",
         "Ann was absent from the meeting."),
    ],
)  # fmt: skip
def test_what_means_the_same_is_read_as_the_claim_has_it(
    claim: str, premise: str, read: str
) -> None:
    assert denied_alike(claim, premise) == read


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Smoking is forbidden.", "Smoking is allowed."),
        ("Smoking is allowed.", "Smoking is not allowed."),
        ("Smoking is allowed.", "Smoking is forbidden."),
        ("Smoking is not forbidden.", "Smoking is forbidden."),
        ("Smoking is not allowed.", "Smoking is not forbidden."),
        ("The house is small.", "The house is not large."),
        ("The tool was invaluable.", "The tool was not valuable."),
        ("It is not open.", "The chair closed the meeting."),
        ("It has stopped charging.", "It no longer sells stamps."),
        ("It has stopped charging.", "Fines are no longer charged."),
        ("It was finished in 1931.", "It was not finished until 1932."),
        ("It was begun in 1932.", "It was not finished until 1932."),
        ("It was not finished in 1932.", "It was not finished until 1932."),
        ("It did not open until 1955.", "It opened in 1950."),
        ("It did not open until 1950.", "It did not open in 1950."),
        ("Dogs are allowed everywhere but the map room.", "Dogs are not allowed in the map room."),
        ("Ann sent her apologies for the meeting.", "Ann was absent from the meeting."),
        ("The trip is free of risk.", "The trip costs nothing."),
        ("The lorry was unloaded.", "The lorry was not loaded."),
        ("The lorry was not loaded.", "The lorry was unloaded."),
        ("Smoking is no longer allowed.", "Smoking is forbidden."),
    ],
)
def test_what_does_not_is_left_as_it_is(claim: str, premise: str) -> None:
    assert denied_alike(claim, premise) == premise
