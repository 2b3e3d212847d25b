"""Whether Veracite keeps off the network, found out by trying: ``veracite doctor --offline``.

What needs the network is attempted here, where the guard has to refuse it. Then a child process
makes a whole check where there is no network at all, if the system lets it, and tells what Python
code asked for and what the kernel counted, which sees native code as well.
"""

import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from veracite.engine import offline
from veracite.engine.diagnosis import Finding, guard, self_test

_NAMESPACE = ("unshare", "--map-root-user", "--net")
_LAST = "checking"
"""Of what a self-test tries; the rest has nothing to do with a check."""
_COUNTERS = ("OutNoRoutes", "OutRequests")
"""Packets that found no way, and packets that went out."""


def try_offline() -> Iterator[Finding]:
    """Try to reach the network, then to make a check without one."""
    yield guard()
    command = [sys.executable, "-P", "-m", __name__]
    alone = shutil.which(_NAMESPACE[0]) is not None and not _run([*_NAMESPACE, "true"]).returncode
    done = _run([*_NAMESPACE, *command] if alone else command)
    try:
        told = json.loads(done.stdout)
    except ValueError:
        yield Finding("check", "broken", f"the child ended with {done.returncode}", "Report this.")
        return
    where = "network interfaces there: " + (", ".join(told["interfaces"]) or "none")
    if alone:
        yield Finding("place", "ok", f"a process in a network namespace of its own; {where}, down")
    else:
        advice = "Where `unshare --map-root-user --net true` works, the check is made without any."
        yield Finding("place", "optional", f"a process like this one; {where}", advice)
    yield from (Finding(**one) for one in told["findings"])
    asked = ", ".join(told["asked"]) or "nothing"
    yield _judged(
        "sockets", f"{asked} of the network was asked for by Python code", not told["asked"]
    )
    if alone and told["counted"] is not None:
        counted = f"{told['counted']} packets, of native code too, by the kernel's count"
        yield _judged("packets", counted, told["counted"] == 0)


def _judged(name: str, detail: str, well: bool) -> Finding:
    advice = None if well else "Please report this with what `veracite doctor` prints."
    return Finding(name, "ok" if well else "broken", detail, advice)


def _run(command: list[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _counted() -> int | None:
    """The packets of this network namespace since it began; None where the system tells nothing."""
    folder = Path("/proc/self/net")
    try:
        names, numbers = (folder / "snmp").read_text().splitlines()[:2]
        lines = (folder / "snmp6").read_text().splitlines()
    except (OSError, ValueError):
        return None
    four = dict(zip(names.split(), numbers.split(), strict=True))
    six = dict(line.split() for line in lines)
    return sum(int(four[name]) + int(six[f"Ip6{name}"]) for name in _COUNTERS)


def _main() -> None:
    """Be the child: check a small text, and say as JSON what came of it."""
    asked: list[str] = []

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        harmless = event in ("socket.__new__", "socket.bind", "socket.connect")
        family = arguments[1] if event == "socket.__new__" else getattr(arguments[0], "family", 0)
        if event.startswith("socket.") and not (harmless and family in (socket.AF_UNIX, -1)):
            asked.append(event.removeprefix("socket."))

    interfaces = []
    with suppress(OSError):  # asking the socket module would open one
        lines = Path("/proc/self/net/dev").read_text().splitlines()
        interfaces = [line.partition(":")[0].strip() for line in lines if ":" in line]
    sys.addaudithook(note)
    offline.install()
    findings = []
    for finding in self_test():
        if finding.name in ("encoder", "verifier", _LAST):
            findings.append(asdict(finding))
        if finding.name == _LAST:
            break
    told = {"interfaces": interfaces, "findings": findings, "asked": asked, "counted": _counted()}
    print(json.dumps(told))


if __name__ == "__main__":
    _main()
