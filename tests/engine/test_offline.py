"""Offline is enforced; each proof runs in a process of its own, for the guard cannot be removed."""

import subprocess
import sys

from veracite.engine.offline import QUIET

ATTEMPTS = {
    "socket": "socket.socket()",
    "ipv6": "socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)",
    "raw family": "__import__('_socket').socket(socket.AF_INET, socket.SOCK_STREAM)",
    "packets": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "name": "socket.getaddrinfo('example.org', 80)",
    "old name": "socket.gethostbyname('localhost')",
    "address": "socket.gethostbyaddr('127.0.0.1')",
    "info": "socket.getnameinfo(('127.0.0.1', 80), 0)",
    "connection": "socket.create_connection(('127.0.0.1', 9))",
    "url": "urllib.request.urlopen('http://127.0.0.1:9/')",
    "server": "http.server.HTTPServer(('127.0.0.1', 0), None)",
}


BEGIN = """
import asyncio, http.server, os, socket, subprocess, sys, threading, urllib.request
from veracite.engine import offline
from veracite.engine.errors import OfflineError
open_before = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
offline.install()
"""


def run(code: str) -> "subprocess.CompletedProcess[str]":
    whole = [sys.executable, "-c", BEGIN + code]
    return subprocess.run(whole, capture_output=True, text=True, check=False)


REACH = f"""
for name, attempt in {ATTEMPTS}.items():
    try:
        eval(attempt)
    except OfflineError as error:
        assert "Veracite works offline." in error.message
        print(name)
for use in (lambda: open_before.connect(("127.0.0.1", 9)),
            lambda: open_before.sendto(b"x", ("127.0.0.1", 9)),
            lambda: open_before.sendmsg([b"x"], [], 0, ("127.0.0.1", 9)),
            lambda: open_before.bind(("127.0.0.1", 0))):
    try:
        use()
    except OfflineError:
        print("refused")
one, other = socket.socketpair()
one.send(b"hello")
print(other.recv(5).decode(), asyncio.run(asyncio.sleep(0, "awake")))
"""


def test_the_network_is_out_of_reach_and_what_leads_to_no_other_machine_is_not() -> None:
    """A socket that was open before is of no use either; asyncio needs those of Unix."""
    done = run(REACH)
    told = [*ATTEMPTS, *["refused"] * 4, "hello awake"]
    assert done.stdout.splitlines() == told, done.stderr


def test_children_are_told_not_to_phone_home() -> None:
    told = "import os; print(*sorted(os.environ))"
    done = run(f"subprocess.run([sys.executable, '-c', {told!r}])")
    assert set(QUIET) <= set(done.stdout.split()), done.stderr


LIFT = """
def attempt(where):
    try:
        socket.socket().close()
        print(where, "opened")
    except OfflineError:
        print(where, "refused")
with offline.lifted():
    with offline.lifted():
        pass
    attempt("here")
    thread = threading.Thread(target=attempt, args=["elsewhere"])
    thread.start()
    thread.join()
attempt("afterwards")
try:
    with offline.lifted():
        raise KeyError
except KeyError:
    attempt("after a failure")
"""


def test_it_is_lifted_for_one_thread_and_a_while() -> None:
    done = run(LIFT)
    told = ["here opened", "elsewhere refused", "afterwards refused", "after a failure refused"]
    assert done.stdout.splitlines() == told, done.stderr
