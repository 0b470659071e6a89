"""Convert stored classes to and from bytes. Every class has its own topic.

Registering a class builds its decoder (`decoders` explains why).

msgspec ignores unknown fields of a dataclass, so every decoded value is encoded again and compared with the stored
bytes. If the bytes differ, the values are compared, because another release may write a number differently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import starmap
from typing import Any, TypeAlias

import msgspec
from eventsourcing.persistence import Mapper, StoredEvent

from ledger.errors import Fault, Newer
from ledger.events.decoders import build_decoder
from ledger.events.envelope import Body, Event, Json, Upcast
from ledger.events.records import RECORDS
from ledger.rules import systems, withdraw_system
from ledger.rules.kernel import facts
from ledger.rules.kernel.declarations import find_fact_kind
from ledger.rules.kernel.json_types import cached_by_identity
from ledger.rules.kernel.upcasting import Upcast as Upcaster

#: A function that returns an event's body from its stored state.
Reader: TypeAlias = Callable[[bytes], Body[Any]]
ANY: Any = Any
encode: Callable[[Any], bytes] = msgspec.json.Encoder().encode
plain: Callable[[bytes | str], Any] = build_decoder(ANY).decode
_read_plain: Reader = build_decoder(Body[Json]).decode


class Codec:
    """The topics of a set of classes.

    The class of a record may have an attribute `upcasts = {1: function}` for its earlier versions. The upcasters of a
    game's facts are in its ruleset. A version that only adds fields with defaults needs no function.

    `absent_system`: the name of a game that is not installed. Its facts are read as dicts.
    """

    def __init__(self, absent_system: str = "") -> None:
        self._absent_prefix = f"{absent_system}." if absent_system else ""
        self.topics: dict[type[object], str] = {}
        self._names_by_class: dict[type[object], tuple[str, int]] = {}
        self._readers: dict[str, Reader] = {}
        self._earlier_topics: set[str] = set()

    def register(self, prefix: str, cls: type[object], upcasters: Iterable[Upcaster] = ()) -> None:
        """Register the class as `prefix.kind@version`. Raise ValueError if the topic is taken."""
        topic = f"{prefix}.{find_fact_kind(cls)}"
        self._add_reader(topic, _make_reader(cls))
        self.topics[cls] = topic
        name, _, version = topic.rpartition("@")
        self._names_by_class[cls] = (name, int(version))
        upcasts: dict[int, Upcast] = {
            **getattr(cls, "upcasts", {}),
            **{upcaster.to - 1: upcaster.change for upcaster in upcasters if f"{prefix}.{upcaster.kind}" == name},
        }
        for earlier_version in range(1, int(version)):
            steps = [upcasts[start] for start in range(earlier_version, int(version)) if start in upcasts]
            self._add_reader(
                f"{name}@{earlier_version}",
                _make_upcasting_reader(_make_reader(cls), steps) if steps else _make_reader(cls),
            )
            self._earlier_topics.add(f"{name}@{earlier_version}")

    def _add_reader(self, topic: str, reader: Reader) -> None:
        if topic in self._readers:
            raise ValueError(f"two classes are stored as {topic}")
        self._readers[topic] = reader

    def find_name(self, cls: type[object]) -> tuple[str, int]:
        """Return the name and version under which the class is stored."""
        return self._names_by_class[cls]

    def encode(self, body: Body[Any]) -> bytes:
        return encode(body)

    def to_row(self, event: Event) -> tuple[str, int, str, bytes]:
        """Return the event as stored: stream, version, topic, state."""
        body = event.body
        return event.originator_id, event.originator_version, self.topics[type(body.fact)], encode(body)

    def decode(self, topic: str, state: bytes) -> Body[Any]:
        """Return the body. Raise Fault for an unknown topic, an unknown or missing field, or a value of a wrong
        type.
        """
        read = self._readers.get(topic) or self._make_reader_without_class(topic)
        try:
            body = read(state)
        except msgspec.MsgspecError as problem:
            raise Fault(f"An event stored as {topic} cannot be read: {problem}.", topic=topic) from problem
        if encode(body) != state and topic not in self._earlier_topics:
            _check_no_field_is_lost(topic, body, state)
        return body

    def decode_bodies(self, rows: Iterable[tuple[str, bytes]]) -> Iterator[Body[Any]]:
        """Return the bodies of events, given as topic and state. Reading them raises the errors of `decode`."""
        return starmap(self.decode, rows)

    def _make_reader_without_class(self, topic: str) -> Reader:
        if self._absent_prefix and topic.startswith(self._absent_prefix):
            return _read_plain
        name, _, version = topic.rpartition("@")
        system = systems().get(topic.partition(".")[0])
        if version.isdecimal() and f"{name}@1" in self._readers and system is not None:
            message = f"A newer edition of {system.title} than the installed edition {system.edition}"
            raise Newer(
                f"{message} stored some of these events. Install the newer edition. Nothing was changed.", topic=topic
            )
        if topic.startswith("ledger."):
            message = "A newer version of Campaign Ledger stored some of these events."
            raise Newer(f"{message} Install that version. Nothing was changed.", topic=topic)
        raise Fault(f"No installed game knows events of the type {topic}.", topic=topic)


@cached_by_identity
def _make_reader(cls: Any) -> Reader:
    """Return the reader of bodies with a fact of this class. All codecs share it."""
    return build_decoder(Body[cls]).decode


def _make_upcasting_reader(read: Reader, steps: list[Upcast]) -> Reader:
    def decode(state: bytes) -> Body[Any]:
        body = _read_plain(state)
        fact = body.fact
        for step in steps:
            fact = step(fact)
        return read(encode(msgspec.structs.replace(body, fact=fact)))

    return decode


def _check_no_field_is_lost(topic: str, body: Body[Any], state: bytes) -> None:
    if plain(encode(body)) != plain(state):
        raise Fault(f"An event of the type {topic} has fields that this version does not know.", topic=topic)


@cache
def load_codec(absent_system: str = "") -> Codec:
    """Return this installation's codec: the kernel's records and facts, and the facts of every installed game."""
    codec = Codec(absent_system)
    for cls in (*RECORDS, *facts.FACTS):
        codec.register("ledger", cls)
    for name, game in list(systems().items()):
        if problems := list(_list_unstorable_facts(game.facts)):
            withdraw_system(name, problems)
            continue
        for cls in game.facts:
            codec.register(name, cls, game.upcasters)
    return codec


def _list_unstorable_facts(classes: Iterable[type[object]]) -> Iterator[str]:
    """Yield a sentence for each fact that cannot be stored."""
    for cls in classes:
        try:
            _make_reader(cls)
        except Exception as problem:  # noqa: BLE001  (msgspec has many)
            yield f"The fact `{cls.__module__}.{cls.__qualname__}` cannot be stored: {problem}"


class LedgerMapper(Mapper[str]):
    """Converts between events and stored rows, for the library."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        return StoredEvent(*self.codec.to_row(domain_event))

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        body = self.codec.decode(stored_event.topic, stored_event.state)
        return Event(str(stored_event.originator_id), stored_event.originator_version, body)
