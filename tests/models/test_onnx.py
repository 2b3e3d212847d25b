"""A session refuses what it cannot run, and stops when told to; batches depend on shapes alone."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import doubling_network

from veracite.models.errors import Cancelled, ModelError
from veracite.models.onnx import Session, padded_length, physical_cores, plan

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


def test_a_run_stops_in_the_middle(capfd: pytest.CaptureFixture[str]) -> None:
    session = Session(doubling_network(MANY), "slow")
    with ThreadPoolExecutor() as pool:
        running = pool.submit(session.run, ONE)
        while not running.done():
            session.terminate()
    with pytest.raises(Cancelled):
        running.result()
    assert capfd.readouterr() == ("", "")


def test_terminating_stops_work_begun_before_and_not_what_begins_after() -> None:
    session = Session(doubling_network(3), "quick")
    begun = session.generation()
    assert session.run(ONE, begun) == 8
    session.terminate()
    with pytest.raises(Cancelled):
        session.run(ONE, begun)
    assert session.run(ONE, session.generation()) == 8


def test_a_closed_session_says_so_and_may_be_closed_again() -> None:
    session = Session(doubling_network(3), "quick")
    session.close()
    session.close()
    with pytest.raises(ModelError, match="quick was closed"):
        session.run(ONE)


@given(st.lists(st.integers(min_value=1, max_value=256), max_size=200))
def test_every_sequence_is_in_one_batch_of_its_length(lengths: list[int]) -> None:
    batches = list(plan(lengths))
    assert sorted(position for batch in batches for position in batch) == list(range(len(lengths)))
    widths = [padded_length(lengths[batch[0]]) for batch in batches]
    assert widths == sorted(widths, reverse=True)
    for batch in batches:
        assert len({padded_length(lengths[position]) for position in batch}) == 1
        assert len(batch) * padded_length(lengths[batch[0]]) <= 2048
        assert len(batch) <= 32


def test_a_process_held_to_one_processor_has_one_core() -> None:
    assert 1 <= physical_cores() <= (os.cpu_count() or 1)
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert physical_cores() == 1
    finally:
        os.sched_setaffinity(0, allowed)
