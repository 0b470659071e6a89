"""A program: threads read and write every stored topic for the first time. Each round is a process of its own.

`python -m tests.kernel.first_reads shared 20`: one thread makes the codec, all use it. `own`: each thread makes a codec
for each topic. It prints how many of the rounds ended in which way (0: all is as it should be, 1: a thread read
something else, -11: the process crashed).
"""

from __future__ import annotations

import dataclasses
import os
import sys
import types
from collections import Counter
from collections.abc import Iterator, Mapping
from threading import Barrier, BrokenBarrierError, Thread
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import tests  # noqa: F401  which adds the toy
from ledger.errors import Fault
from ledger.events.codec import Codec, load_codec
from ledger.events.envelope import Body
from ledger.events.records import RECORDS
from ledger.rules import systems
from ledger.rules.kernel import facts
from ledger.rules.kernel.contract import Posting
from ledger.rules.kernel.declarations import find_fact_kind
from ledger.rules.kernel.json_types import load_hints

THREADS = 8


@dataclasses.dataclass(frozen=True)
class Case:
    """A topic and a state stored under it. `body`: what was encoded; None: a state of an earlier version."""

    prefix: str
    cls: type[object]
    topic: str
    state: bytes
    body: Body[Any] | None


def sample(hint: Any) -> Any:
    """A value of the type in which every field is set and no collection is empty."""
    origin, parts = get_origin(hint), get_args(hint)
    values: dict[Any, object] = {bool: True, int: 1, str: "x", type(None): None, Any: 1, object: 1}
    if isinstance(hint, TypeVar):
        return 1
    if hint in values:
        return values[hint]
    if origin is Literal:
        return parts[0]
    if origin in (Union, types.UnionType):
        return sample(next(part for part in parts if part is not type(None)))
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return hint(**{field.name: sample(load_hints(hint)[field.name]) for field in dataclasses.fields(hint)})
    if origin is tuple:
        return tuple(sample(part) for part in parts if part is not Ellipsis)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"x": sample(parts[1])}
    raise TypeError(f"no sample of {hint}")


def cases() -> Iterator[Case]:
    stored = [("ledger", cls) for cls in (*RECORDS, *facts.FACTS)]
    stored += [(name, cls) for name, system in systems().items() for cls in system.facts]
    for prefix, cls in stored:
        body = Body(
            position=1,
            by="s1",
            at="2026-01-01T00:00:00.000000Z",
            salt="x" * 22,
            ruling=3,
            step=1,
            fact=sample(cls),
            postings=(Posting("bank/coin", "character:1/coin", "coin", 2),),
            audience=("gm",),
        )
        state = Codec().encode(body)
        name, _, version = f"{prefix}.{find_fact_kind(cls)}".rpartition("@")
        yield Case(prefix, cls, f"{name}@{version}", state, body)
        # An earlier version held other fields; whatever is made of these, every thread must make the same of them.
        for earlier in range(1, int(version)):
            yield Case(prefix, cls, f"{name}@{earlier}", state, None)
        if prefix == "toy":  # as a codec without the toy reads it
            yield Case(prefix, cls, f"absent.{name}@{version}", state, None)


def outcome(codec: Codec, case: Case) -> object:
    try:
        return codec.decode(case.topic, case.state)
    except Fault as problem:
        return problem.detail


def own_codec(case: Case) -> Codec:
    codec = Codec(absent_system="absent")
    codec.register(case.prefix, case.cls)
    return codec


def play(cases: list[Case], *, shared: bool) -> list[str]:
    """What threads read that was not as it should be."""
    codec = load_codec(absent_system="absent") if shared else None
    start, wrong = Barrier(THREADS), list[str]()
    outcomes: list[list[object]] = [[] for _ in range(THREADS)]

    def work(number: int) -> None:
        try:
            for place, case in enumerate(cases):
                start.wait()
                writes = (place + number) % THREADS == 0
                if writes and case.body is not None and Codec().encode(case.body) != case.state:
                    wrong.append(f"{case.topic} was written differently")
                outcomes[number].append(outcome(codec or own_codec(case), case))
        except BrokenBarrierError:
            pass
        except BaseException as problem:
            wrong.append(repr(problem))
            start.abort()
            raise

    threads = [Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = [outcome(codec or own_codec(case), case) for case in cases]
    wrong += [
        f"{case.topic} was read as {result}"
        for case, result in zip(cases, expected, strict=True)
        if case.body is not None and result != case.body
    ]
    wrong += ["a thread read something else" for results in outcomes if results != expected]
    return wrong


def main(way: str, rounds: int) -> None:
    stored = list(cases())
    ends: Counter[int] = Counter()
    for _ in range(rounds):
        child = os.fork()
        if child == 0:
            sys.setswitchinterval(1e-6)  # threads change over often, as they do on a busy machine
            wrong = play(stored, shared=way == "shared")
            print(*wrong[:3], sep="\n", end="", file=sys.stderr, flush=True)
            os._exit(1 if wrong else 0)
        ends[os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])] += 1
    print(dict(ends))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
