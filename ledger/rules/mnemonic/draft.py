"""The draft of a ruling of this game, and the description of a character that offers use.

In an offer, the draft uses the table as it is shown to the viewer (`shown`), so that a function called by both rules
and offers decides by what the viewer can see.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ledger.rules.kernel.kit import (
    CAMPAIGN,
    Audience,
    BaseDraft,
    Refused,
    Step,
    Subject,
    Table,
    changed,
    character,
    quick,
)
from ledger.rules.mnemonic import ladders
from ledger.rules.mnemonic.boards import Boards, find_place
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.shown import ShownTable
from ledger.rules.mnemonic.state import Assignment, Campaign, Character, Importance, State
from ledger.rules.mnemonic.words import Ladder, normalize_name


def find_referee(table: Table[object]) -> str | None:
    """Return the seat to which questions for the referee go: the seat in the chair, or else `gm` for any game master.

    Return None if nobody rules.
    """
    referee_seat = table.get(CAMPAIGN, Campaign).referee
    if referee_seat is not None:
        return referee_seat
    dials = table.dials
    assert isinstance(dials, Dials)
    return "gm" if dials.dramatic_seen_by_gm else None


class Draft(BaseDraft[Dials, State, Any]):
    """The draft of a ruling. `readers`: the only seats that may read what is being written now, or None for
    everybody.
    """

    readers: Audience = None

    @contextmanager
    def write_secretly(self, readers: Audience) -> Iterator[None]:
        """Hide everything written within this context from all seats except these readers. This includes the names and
        numbers of a refusal, because they could reveal a rating.
        """
        fact_count, step_count, self.readers = len(self._facts), len(self._because), readers
        try:
            yield
        except Refused as refusal:
            if readers is None:
                raise
            raise type(refusal)(refusal.rule, refusal.code, readers, **refusal.context) from None
        if readers is not None:
            self._facts[fact_count:] = [changed(about, audience=readers) for about in self._facts[fact_count:]]
            self._because[step_count:] = [changed(step, audience=readers) for step in self._because[step_count:]]
            self.readers = None

    def cite_steps(self, steps: Iterable[Step]) -> None:
        """Record steps that were worked out outside a ruling."""
        self._because += steps

    def place(self) -> Subject:
        """Return the scene in which this is declared, or the campaign outside any scene."""
        return find_place(self.table)

    def character(self, character_id: str) -> Character:
        """Return the character. Refuses `unknown-character`."""
        return self.state(character(character_id), Character)

    @cached_property
    def referee(self) -> str | None:
        """The seat to which questions for the referee go."""
        return find_referee(self.table)

    # --- for offers ---------------------------------------------------------------------------------------------------

    @cached_property
    def boards(self) -> Boards:
        """The actions and checks that can be ruled on or finished."""
        return Boards(self.table)

    @cached_property
    def referees(self) -> tuple[str, ...]:
        """The seats that rule now."""
        assert isinstance(self.table, ShownTable)
        seats = self.table.seats
        if self.referee == "gm":
            return tuple(seat_id for seat_id, entry in seats.items() if entry.role == "gm")
        return (self.referee,) if self.referee is not None and self.referee in seats else ()

    @cached_property
    def ladder(self) -> Ladder:
        """The rating ladder. It is empty if it lacks the Primary Role's rating, which can happen when an option is
        overturned.
        """
        try:
            return ladders.read_ratings(self.dials)
        except Refused:
            return ()

    @cached_property
    def ratings(self) -> tuple[str, ...]:
        """Names of ratings, from low to high."""
        return tuple(name for name, _ in self.ladder)

    @cached_property
    def chances(self) -> tuple[str, ...]:
        """Names of Chances, from low to high."""
        return tuple(name for name, _ in ladders.read_chances(self.dials))

    @cached_property
    def unrated_number(self) -> int | None:
        """The number that a trait without a rating counts as, or None if such traits are refused."""
        return None if self.dials.traits_unrated == "refuse" else self.read_number(self.dials.traits_unrated)

    @cached_property
    def roster(self) -> tuple[str, ...]:
        """All characters, in the order in which they joined."""
        return tuple(subject.id for subject in self.table.subjects("character"))

    @cached_property
    def beings_by_id(self) -> Mapping[str, Being]:
        """All characters with the numbers that their traits count as, in the same order."""
        return {character_id: self._make_being(character_id) for character_id in self.roster}

    @cached_property
    def groups_with_same_rulings(self) -> list[list[Being]]:
        """The characters in groups. The same rulings are possible for everybody in a group."""
        groups: dict[Hashable, list[Being]] = {}
        for being in self.beings_by_id.values():
            groups.setdefault(self._make_group_key(being), []).append(being)
        return list(groups.values())

    def read_number(self, rating: str) -> int | None:
        """Return the number of a rating on the current ladder, or None if the ladder does not have that rating."""
        numbers = self._numbers_by_rating
        if rating not in numbers:
            has_row = ladders.has_rating(self.ladder, rating)
            numbers[rating] = ladders.read_rating_row(self.ladder, rating)[1] if has_row else None
        return numbers[rating]

    @cached_property
    def _numbers_by_rating(self) -> dict[str, int | None]:
        return {}

    def list_usable_assignment_ids(self, being: Being) -> tuple[str, ...]:
        """Return the ids of the assigned Aptitudes that a check of this character can use."""
        if self.dials.feather_mode == "off":
            return ()
        ladder = self.ladder
        return tuple(
            assigned.id
            for assigned in being.list_assignments()
            if ladders.may_be_aptitude(ladder, assigned.final) is None
        )

    def _make_being(self, character_id: str) -> Being:
        state = self.character(character_id)
        numbers_by_kind: dict[str, dict[str, int | None]] = {"talent": {}, "life": {}}
        for rating in state.ratings.values():
            if rating.kind in numbers_by_kind:
                numbers_by_kind[rating.kind][rating.name] = self.read_number(rating.rating)
        return Being(character_id, state, numbers_by_kind, self.unrated_number)

    def _make_group_key(self, being: Being) -> Hashable:
        state = being.state
        importance: object = state.importance
        rating_name = importance.rating if isinstance(importance, Importance) else None  # may be a veil
        traits = tuple((kind, *numbers.items()) for kind, numbers in being.numbers_by_kind.items())
        resistance = (state.resist_talent, state.source, rating_name, self.list_usable_assignment_ids(being))
        return (state.level, state.condition, traits, resistance)


@quick
@dataclass(frozen=True, slots=True)
class Being:
    """A character, for offers.

    `numbers_by_kind`: for each kind of trait, the numbers of the rated traits by name; None if the ladder has no such
    rating. `unrated_number`: the number that any other trait counts as, if the table allows it.
    """

    id: str
    state: Character
    numbers_by_kind: Mapping[str, Mapping[str, int | None]]
    unrated_number: int | None

    def list_names(self, kind: str) -> tuple[str, ...]:
        """Return the traits of a kind that count now."""
        return tuple(name for name, number in self.numbers_by_kind[kind].items() if number is not None)

    def read_number(self, kind: str, name: str) -> int | None:
        """Return the number that a trait counts as, or None if it may not be used."""
        for own_name, number in self.numbers_by_kind[kind].items():
            if normalize_name(own_name) == normalize_name(name):
                return number
        return self.unrated_number

    def can_take_any_name(self, kind: str) -> bool:
        """Return whether any name can be used for an unrated trait of this kind. It cannot if a rating of the character
        is no longer on the ladder.
        """
        return self.unrated_number is not None and None not in self.numbers_by_kind[kind].values()

    def list_assignments(self) -> Iterator[Assignment]:
        """Yield every Aptitude assigned to the character that no check has used, in the order of the tasks."""
        if self.state.ready:
            for _, log in sorted(self.state.tasks.items()):
                yield from (assigned for assigned in log if assigned.id in self.state.ready)
