"""The time that something will still take, in words; one wording for every face."""

import math
from collections import deque

_AT_ONCE = 0.5
_LEAST = 2.0
_RECENT = 20.0
"""Seconds."""


class Pace:
    """Tells the time left at the pace of the last half of the work, and at least 20 seconds of it.

    What was there at the first call is no merit, nor is what comes at once with it: verdicts that
    need no judging, files that have not changed. Before two seconds are measured there is no pace.
    """

    def __init__(self) -> None:
        self._began = 0.0
        """Seconds, of the first call."""
        self._seen: deque[tuple[float, int]] = deque()
        """When so many were done; the first of them is what the pace is measured from."""

    def left(self, done: int, total: int, now: float) -> str:
        """Such as ``3 min left``, rounded up; nothing before there is a pace.

        Args:
            done: Of ``total``; where it is less than before, the count begins anew.
            total: All there is to do.
            now: Seconds, monotonic.
        """
        if not self._seen or done < self._seen[-1][1]:
            self._began = now
            self._seen.clear()
        if now - self._began < _AT_ONCE:
            self._seen.clear()
        self._seen.append((now, done))
        recent = now - max(_RECENT, (now - self._began) / 2)
        while len(self._seen) > 2 and self._seen[1][0] <= recent:
            self._seen.popleft()
        since, first = self._seen[0]
        if done == first or now - since < _LEAST:
            return ""
        return f"{_duration((now - since) / (done - first) * (total - done))} left"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{math.ceil(seconds)} s"
    if seconds < 3600:
        return f"{math.ceil(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"
