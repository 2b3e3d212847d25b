"""The time left, as every face tells it."""

from veracite.tui.progress import Pace


def test_the_time_left_is_told_at_the_pace_that_was_measured() -> None:
    pace = Pace()
    assert pace.left(500, 2000, 0.0) == ""
    assert pace.left(600, 2000, 10.0) == "3 min left"
    assert pace.left(1800, 2000, 20.0) == "4 s left"


def test_what_comes_at_once_is_no_measure_of_the_pace() -> None:
    pace = Pace()
    assert [pace.left(done, 37, done / 100) for done in range(1, 15)] == [""] * 14
    assert pace.left(18, 37, 10.14) == "48 s left"


def test_nothing_is_told_before_something_costly_was_measured() -> None:
    pace = Pace()
    assert pace.left(12, 37, 0.0) == ""
    assert pace.left(14, 37, 0.9) == ""
    assert pace.left(16, 37, 6.0) == "32 s left"


def test_the_time_left_follows_a_pace_that_changes() -> None:
    pace = Pace()
    for second in range(0, 21, 2):
        pace.left(32 * second, 6400, float(second))
    slower = [pace.left(640 + second, 6400, 20.0 + second) for second in range(2, 24, 2)]
    assert slower[0] == "4 min left"
    assert slower[-1] == "1.6 h left", "of what was fast nothing is left in the last 20 seconds"


def test_a_long_piece_of_work_goes_by_the_last_half_of_it() -> None:
    pace = Pace()
    for minute in range(10):
        pace.left(minute, 100, 60.0 * minute)
    assert pace.left(10, 100, 600.0) == "1.5 h left"
    assert pace.left(11, 100, 601.0) == "1.2 h left"
