"""Names and bytes: every stored class has its own chosen topic; bytes decode to exactly the class or are an error.

msgspec passes over fields a dataclass does not have, so what was decoded is encoded again and compared: as bytes, and
only should they differ (another release may write a number otherwise) as what they say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import msgspec
from eventsourcing.persistence import Mapper, StoredEvent

from ledger.errors import Fault
from ledger.events.envelope import Body, Event, Json, Upcast
from ledger.events.records import RECORDS
from ledger.rules import systems
from ledger.rules.kernel import facts
from ledger.rules.kernel.declarations import fact_kind

encode: Callable[[Any], bytes] = msgspec.json.Encoder().encode
plain: Callable[[bytes], Any] = msgspec.json.Decoder().decode


class Codec:
    """Topics of a set of classes. `upcasts`: a class may carry `upcasts = {1: function}` for its earlier versions.

    `absent`: a system that is not installed: its facts are read as they stand, as dicts.
    """

    def __init__(self, absent: str = "") -> None:
        self._absent = f"{absent}."
        self.topics: dict[type[object], str] = {}
        self._named: dict[type[object], tuple[str, int]] = {}
        self._classes: dict[str, type[object]] = {}
        self._readers: dict[str, Callable[[bytes], Body[Any]]] = {}
        self._earlier: dict[str, tuple[type[object], list[Upcast]]] = {}

    def register(self, prefix: str, cls: type[object]) -> None:
        """`prefix.kind@version` for the class. ValueError when the topic is taken."""
        topic = f"{prefix}.{fact_kind(cls)}"
        if topic in self._classes:
            raise ValueError(f"two classes are stored as {topic}")
        self.topics[cls] = topic
        self._classes[topic] = cls
        name, _, version = topic.rpartition("@")
        self._named[cls] = (name, int(version))
        upcasts: dict[int, Upcast] = getattr(cls, "upcasts", {})
        for earlier in range(1, int(version)):
            steps = [upcasts[step] for step in range(earlier, int(version))]
            self._earlier[f"{name}@{earlier}"] = (cls, steps)

    def named(self, cls: type[object]) -> tuple[str, int]:
        """Under which name, with which version, the class is stored."""
        return self._named[cls]

    def encode(self, body: Body[Any]) -> bytes:
        return encode(body)

    def row(self, event: Event) -> tuple[str, int, str, bytes]:
        """As it is stored: stream, version, topic, state."""
        body = event.body
        return event.originator_id, event.originator_version, self.topics[type(body.fact)], encode(body)

    def decode(self, topic: str, state: bytes) -> Body[Any]:
        """The body. Fault: an unknown topic, an unknown or missing field, a value of another type."""
        return next(self.bodies([(topic, state)]))

    def bodies(self, rows: Iterable[tuple[str, bytes]]) -> Iterator[Body[Any]]:
        """Of many events, given as topic and state; faults as of `decode`."""
        readers, again = self._readers.get, encode
        for topic, state in rows:
            read = readers(topic) or self._reader(topic)
            try:
                body = read(state)
            except msgspec.MsgspecError as problem:
                raise Fault(f"An event stored as {topic} cannot be read: {problem}.", topic=topic) from problem
            if again(body) != state and topic not in self._earlier:
                _must_say_the_same(topic, body, state)
            yield body

    def _reader(self, topic: str) -> Callable[[bytes], Body[Any]]:
        if topic in self._earlier:
            reader = _upcasting(*self._earlier[topic])
        elif topic in self._classes:
            form: Any = Body[self._classes[topic]]  # type: ignore[name-defined]
            reader = msgspec.json.Decoder(form).decode
        elif topic.startswith(self._absent) and self._absent != ".":
            reader = msgspec.json.Decoder(Body[Json]).decode
        else:
            raise Fault(f"No system here knows events stored as {topic}.", topic=topic)
        self._readers[topic] = reader
        return reader


def _upcasting(cls: type[object], steps: list[Upcast]) -> Callable[[bytes], Body[Any]]:
    read = msgspec.json.Decoder(Body[Json]).decode

    def decode(state: bytes) -> Body[Any]:
        body = read(state)
        fact = body.fact
        for step in steps:
            fact = step(fact)
        return msgspec.structs.replace(body, fact=msgspec.convert(fact, cls))

    return decode


def _must_say_the_same(topic: str, body: Body[Any], state: bytes) -> None:
    if plain(encode(body)) != plain(state):
        raise Fault(f"An event stored as {topic} has fields this version does not know.", topic=topic)


@cache
def everything(absent: str = "") -> Codec:
    """The codec of this installation: the kernel's records and facts, and every discovered system's facts."""
    codec = Codec(absent)
    for cls in (*RECORDS, *facts.FACTS):
        codec.register("ledger", cls)
    for name, system in systems().items():
        for cls in system.facts:
            codec.register(name, cls)
    return codec


class LedgerMapper(Mapper[str]):
    """Between events and stored rows, for the library."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        return StoredEvent(*self.codec.row(domain_event))

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        body = self.codec.decode(stored_event.topic, stored_event.state)
        return Event(str(stored_event.originator_id), stored_event.originator_version, body)
