"""What others notice of bad manners: thousands of bodies made to be slow to read, sent beside a table that plays."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable

from scripts.bench_play import Bench

LINES = 8  # open at once, each sending its next body as soon as the last was answered
PAUSE = 0.02  # seconds that others think between two requests
#: A process of its own, so that sending takes no time from those who are measured.
HOSTILE = """
import json, os, socket, sys, threading
told = json.loads(os.environ["HOSTILE"])
WIDE = b"[" + b",".join([b"[" * 31 + b"]" * 31] * 15000) + b"]"
bodies = [WIDE, b"[" * 960000, b"[" + b"1," * 9990 + b"1]", b'{"reason":"' + b"x" * 960000 + b'"}',
          b"{" + b",".join(b'"%d":1' % n for n in range(900)) + b"}"]
left, lock, counts = list(range(told["count"])), threading.Lock(), {}

def line():
    with socket.create_connection((told["host"], told["port"])) as sock:
        answers = sock.makefile("rb")
        while True:
            with lock:
                if not left:
                    return
                body = bodies[left.pop() % (1 if told["widest"] else len(bodies))]
            sock.sendall(told["head"].replace("LENGTH", str(len(body))).encode() + body)
            status = answers.readline().split()[1].decode()
            length = 0
            while (said := answers.readline()) != b"\\r\\n":
                if said.lower().startswith(b"content-length:"):
                    length = int(said.split(b":")[1])
            answers.read(length)
            with lock:
                counts[status] = counts.get(status, 0) + 1

threads = [threading.Thread(target=line) for _ in range(told["lines"])]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(json.dumps(counts))
"""

Act = Callable[[], Awaitable[None]]


async def manners(bench: Bench, act: Act, address: str, path: str, token: str, count: int) -> None:
    """`act`: a request of others. `token`: of a seat at a table of its own, whose bodies are parsed."""
    for _ in range(20):
        await act()
    quiet = await _times(act, 4.0)
    nobodys, told = await _beside(act, _hostile(address, path, "", count, widest=True))
    seats, told_seats = await _beside(act, _hostile(address, path, token, count, widest=False))
    quiet += await _times(act, 4.0)
    for who, times, answers in (("without a token", nobodys, told), ("of a seat", seats, told_seats)):
        ratio = _tail(times) / _tail(quiet)
        detail = f"{1000 * _tail(times):,.0f} ms beside {1000 * _tail(quiet):,.0f} ms; answered {answers}"
        bench.at_most(f"others' 99th percentile under hostile bodies {who}, over without", ratio, 5.0, detail)


def _hostile(address: str, path: str, token: str, count: int, *, widest: bool) -> subprocess.Popen[bytes]:
    host, _, port = address.removeprefix("http://").partition(":")
    said = f"Authorization: Bearer {token}\r\n" if token else ""
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{said}Content-Length: LENGTH\r\n\r\n"
    told = {"host": host, "port": int(port), "head": head, "count": count, "lines": LINES, "widest": widest}
    environment = {**os.environ, "HOSTILE": json.dumps(told)}
    return subprocess.Popen([sys.executable, "-c", HOSTILE], env=environment, stdout=subprocess.PIPE)


async def _beside(act: Act, hostile: subprocess.Popen[bytes]) -> tuple[list[float], str]:
    """What others' requests took until all hostile ones were answered, and how those were."""
    times: list[float] = []
    while hostile.poll() is None:
        times += await _times(act, 0.5)
    assert hostile.returncode == 0 and hostile.stdout is not None
    counts = json.loads(hostile.stdout.read())
    return times, ", ".join(f"{count:,} times {status}" for status, count in sorted(counts.items()))


async def _times(act: Act, seconds: float) -> list[float]:
    """What each of some requests took, one after the other."""
    times = []
    deadline = time.perf_counter() + seconds
    while time.perf_counter() < deadline:
        started = time.perf_counter()
        await act()
        times.append(time.perf_counter() - started)
        await asyncio.sleep(PAUSE)
    return times


def _tail(times: list[float]) -> float:
    """Of a hundred requests the slowest but one."""
    return sorted(times)[int(len(times) * 0.99)]
