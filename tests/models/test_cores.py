"""The number of threads is what this process may really use."""

import os

from veracite.models.onnx import physical_cores


def test_it_lies_between_one_and_the_processors_of_this_machine() -> None:
    assert 1 <= physical_cores() <= (os.cpu_count() or 1)


def test_a_process_held_to_one_processor_has_one_core() -> None:
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert physical_cores() == 1
    finally:
        os.sched_setaffinity(0, allowed)
