"""The base of every view, and the transaction with which views process saves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import ClassVar, TypeAlias

import psycopg
from psycopg.rows import TupleRow

import projections
from ledger.application import ShownRuling, find_ruleset, load_bare_rulings, load_shown_rulings
from ledger.application.sources import hash_all_sources
from ledger.events.codec import Codec
from ledger.events.envelope import Body, Event
from ledger.events.recorder import LedgerRecorder
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.places import BITS
from projections.redaction import MadeFact, make_fact_maker
from projections.views.saves import Saved
from projections.wording import Wording

#: The condition for rows of `rulings` that were entered late.
IS_LATE = f"in_play <> number::bigint << {BITS}"
#: A new row: a value for each of its columns.
Written: TypeAlias = tuple[object, ...]


@dataclass(slots=True)
class ViewTransaction:
    """The transaction with which views process saves: a cursor for their rows, and the record to read.

    `systems_by_campaign`: the campaigns' games looked up so far. `events_at_hand`: the events that are being processed.
    `is_careful`: whether to replace characters that no column can hold. Otherwise they cause a DataError.
    `rewound_campaigns`: campaigns with a rewind in this batch.
    """

    cursor: psycopg.Cursor[TupleRow]
    recorder: LedgerRecorder
    codec: Codec
    systems_by_campaign: dict[str, AnyRuleset] = field(default_factory=dict)
    events_at_hand: dict[tuple[str, int], Event] = field(default_factory=dict)
    is_careful: bool = False
    rewound_campaigns: frozenset[str] = frozenset()
    _facts_made: dict[int, tuple[Body[object], MadeFact]] = field(default_factory=dict)

    def find_system(self, campaign: str) -> AnyRuleset:
        """Return the campaign's game."""
        if campaign not in self.systems_by_campaign:
            self.systems_by_campaign[campaign] = find_ruleset(self.recorder, self.codec, campaign)
        return self.systems_by_campaign[campaign]

    def get_wording(self, campaign: str) -> Wording:
        return Wording(self.find_system(campaign))

    def is_new_ruling(self, campaign: str, number: int) -> bool:
        """Return whether the ruling was made in this batch."""
        return (f"{campaign}/ruling/{number}", 1) in self.events_at_hand

    def copy_rows(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Append rows."""
        row_iterator = iter(rows)
        first_row = next(row_iterator, None)
        if first_row is None:
            return
        with self.cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy:
            for row in chain([first_row], row_iterator):
                copy.write_row([make_storable(value) for value in row] if self.is_careful else row)

    def delete_rows(self, table: str, keys: Mapping[str, tuple[str, Sequence[object]]]) -> None:
        """Delete the rows with these keys. `keys`: for each column, its type and its values; the values at the same
        index form one key."""
        if not all(values for _, values in keys.values()):
            return
        columns = ", ".join(f"%({column})s::{type}[]" for column, (type, _) in keys.items())
        condition = " AND ".join(f"{table}.{column} = gone.{column}" for column in keys)
        query = f"DELETE FROM {table} USING unnest({columns}) AS gone({', '.join(keys)}) WHERE {condition}"
        self.cursor.execute(query.encode(), {column: list(values) for column, (_, values) in keys.items()})

    def select(self, query: str, parameters: Mapping[str, object]) -> list[TupleRow]:
        self.cursor.execute(query.encode(), parameters)
        return list(self.cursor.fetchall())

    def load_events(self, streams: Collection[str]) -> dict[str, list[Event]]:
        """Return whole streams, each in order, with one query."""
        events_by_stream: dict[str, list[Event]] = {stream: [] for stream in streams}
        rows = (
            self.recorder.select_streams([(stream, 0) for stream in sorted(events_by_stream)])
            if events_by_stream
            else []
        )
        for stream, version, topic, state in rows:
            events_by_stream[stream].append(Event(stream, version, self.codec.decode(topic, state)))
        return events_by_stream

    def make_fact(self, subject_key: str, body: Body[object]) -> MadeFact:
        """Return the fact's document, computed once for each event."""
        cache_entry = self._facts_made.get(id(body))
        if cache_entry is None:
            cache_entry = self._facts_made[id(body)] = body, make_fact_maker(self.codec)(subject_key, body)
        return cache_entry[1]

    def load_rulings(self, campaign: str, numbers: Iterable[int], position: int) -> list[ShownRuling]:
        """Return the campaign's rulings with their facts, as of a position."""
        return load_shown_rulings(
            self.recorder,
            self.codec,
            campaign,
            numbers,
            position,
            self.events_at_hand,
            may_be_rewound=campaign in self.rewound_campaigns,
        )

    def load_late_places(self, campaign: str) -> dict[int, int]:
        """Return the place in play of every late entry, by ruling number."""
        query = f"SELECT number, in_play FROM rulings WHERE campaign = %(campaign)s AND {IS_LATE}"
        return dict(self.select(query, {"campaign": campaign}))

    def index_standing_changes(self, save: Saved) -> dict[int, int | None]:
        """Return the new standing revision, or None, of each ruling that this save changes."""
        if not save.rewound_numbers:
            return save.single_changes
        rulings = load_bare_rulings(self.recorder, self.codec, save.campaign, save.rewound_numbers, save.position)
        rewound_changes = {
            ruling.number: decree.revision
            for ruling in rulings
            for decree in ruling.decisions
            if decree.position == save.position and decree.decision in ("rewound", "reinstated")
        }
        return rewound_changes | save.single_changes


VERSION_LIMIT = 2**31  # the part that the column can hold


@cache
def compute_code_version() -> int:
    """Return a number that changes whenever the code behind the views changes: the ledger, the documents or a game.

    Views of another version are rebuilt in tables beside the old ones.
    """
    return int.from_bytes(hash_all_sources(projections)[:8]) % VERSION_LIMIT


class View(ABC):
    """Rows made from the events. An instance follows one set of tables. The data it keeps in memory only saves time.

    `tables`: name -> definition, created in the schema of the views. `built_with`: the columns of the indexes that
    `apply_saves` needs to find rows. When a view is rebuilt, all other indexes are made last.
    """

    name: ClassVar[str]
    tables: ClassVar[Mapping[str, str]]
    built_with: ClassVar[Collection[str]] = ()

    @abstractmethod
    def apply_saves(self, transaction: ViewTransaction, saves: Sequence[Saved]) -> None:
        """Process the next saves, in order. No valid save is refused. The caller commits, or drops this instance."""


def index_last_saves(saves: Iterable[Saved]) -> dict[str, Saved]:
    """Return the last save of each campaign."""
    return {save.campaign: save for save in saves}


def make_storable(value: object) -> object:
    """Return the value with U+0000 replaced in its texts, because PostgreSQL cannot store this character."""
    if isinstance(value, str):
        return value.replace("\x00", "\ufffd")
    return [make_storable(item) for item in value] if isinstance(value, list) else value
