"""How many threads are worth starting: the physical cores this process may use."""

import os
from pathlib import Path

_CPUS = Path("/sys/devices/system/cpu")
_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def physical_cores() -> int:
    """Physical cores, at least 1, that the process's affinity and its container leave it.

    Two hardware threads of one core share its arithmetic units: matrix products gain nothing
    from the second. Where the system does not say (outside Linux), every processor counts.
    """
    cores = _distinct_cores() or os.cpu_count() or 1
    quota = _container_quota()
    return max(1, min(cores, quota) if quota else cores)


def _distinct_cores() -> int:
    if not hasattr(os, "sched_getaffinity"):
        return 0
    usable = os.sched_getaffinity(0)
    siblings = set()
    for cpu in usable:
        try:
            path = _CPUS / f"cpu{cpu}" / "topology" / "thread_siblings_list"
            siblings.add(path.read_text(encoding="ascii"))
        except OSError:
            return len(usable)
    return len(siblings)


def _container_quota() -> int:
    """Whole cores that a control group allows; 0 where there is no limit."""
    try:
        quota, period = _QUOTA.read_text(encoding="ascii").split()
        return 0 if quota == "max" else max(1, int(quota) // int(period))
    except (OSError, ValueError, ZeroDivisionError):
        return 0
