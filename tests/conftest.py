"""What holds for all tests."""

import signal


def pytest_configure() -> None:
    """Interrupts work: a shell's background jobs, and all that they start, would ignore them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
