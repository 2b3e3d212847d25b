"""A session refuses what it cannot run, in words, and stops when it is told to."""

import threading
from collections.abc import Callable

import numpy as np
import pytest

from veracite.models.errors import Cancelled, ModelError
from veracite.models.onnx import Session

Doubling = Callable[[int], bytes]

ONE = {"input_ids": np.ones((1, 1), dtype=np.int64)}

MANY = 20_000_000
"""Turns that take far longer than a test, unless they are stopped."""


def test_what_is_no_network_is_refused_in_words(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ModelError) as caught:
        Session(b"not a network", "nonsense")
    assert "nonsense" in caught.value.message
    assert caught.value.message.endswith(".")
    assert caught.value.advice.endswith(".")
    assert capfd.readouterr() == ("", "")


def test_a_run_stops_in_the_middle(doubling: Doubling, capfd: pytest.CaptureFixture[str]) -> None:
    session = Session(doubling(MANY), "slow")
    stopped = []

    def run() -> None:
        try:
            session.run(ONE)
        except Cancelled:
            stopped.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    while thread.is_alive():
        session.terminate()
        thread.join(0.01)
    assert stopped == [True]
    assert capfd.readouterr() == ("", "")


def test_terminating_stops_work_begun_before_and_not_what_begins_after(doubling: Doubling) -> None:
    session = Session(doubling(3), "quick")
    begun = session.generation()
    assert session.run(ONE, begun) == 8
    session.terminate()
    with pytest.raises(Cancelled):
        session.run(ONE, begun)
    assert session.run(ONE, session.generation()) == 8


def test_a_closed_session_says_so_and_may_be_closed_again(doubling: Doubling) -> None:
    session = Session(doubling(3), "quick")
    session.close()
    session.close()
    with pytest.raises(ModelError, match="quick was closed"):
        session.run(ONE)
