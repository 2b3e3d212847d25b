"""What holds for all tests."""

import signal

import hypothesis
import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Interrupts work: a shell's background jobs, and all that they start, would ignore them.

    Nothing fails because the machine is busy; where long tests are run, chance gets more tries.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    examples = 100 if config.getoption("markexpr") == "not long" else 1000
    hypothesis.settings.register_profile("ours", deadline=None, max_examples=examples)
    hypothesis.settings.load_profile("ours")
