"""The time that something will still take, in words; one wording for every face."""

import math

__all__ = ["Pace"]

_AT_ONCE = 0.5
"""Seconds."""


class Pace:
    """Tells the time left at the pace since the beginning.

    What was there at the first call is no merit, nor is what comes at once with it: verdicts that
    need no judging, files that have not changed.
    """

    def __init__(self) -> None:
        self._first = 0.0
        """Seconds, of the first call."""
        self._began: tuple[int, float] | None = None

    def left(self, done: int, total: int, now: float) -> str:
        """Such as ``3 min left``, rounded up; nothing before there is a pace.

        Args:
            done: Of ``total``; where it is less than at the first call, the count begins anew.
            total: All there is to do.
            now: Seconds, monotonic.
        """
        if self._began is None or done < self._began[0]:
            self._first = now
        if self._began is None or done < self._began[0] or now - self._first < _AT_ONCE:
            self._began = (done, now)
        first, since = self._began
        if done == first or now == since:
            return ""
        return f"{_duration((now - since) / (done - first) * (total - done))} left"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{math.ceil(seconds)} s"
    if seconds < 3600:
        return f"{math.ceil(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"
