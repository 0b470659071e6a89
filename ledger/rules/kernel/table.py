"""The table of a ruling: folded subjects behind the `Table` protocol, with notes of everything read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, Protocol, Self, TypeVar, assert_never

from ledger.rules.kernel import purses, register
from ledger.rules.kernel.citations import name_citation
from ledger.rules.kernel.contract import About, AnyRuleset, Underway
from ledger.rules.kernel.dials import Dials, apply_dials
from ledger.rules.kernel.fold import Folded, Recorded
from ledger.rules.kernel.places import place_of
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, Role, Subject, SubjectKind, Viewer, character, scene

S = TypeVar("S")


class Subjects(Protocol):
    """The source of folded subjects: the cache of a book, or a past in memory."""

    def find(self, subject: Subject) -> Folded[object] | None:
        """Return the subject, or None if nothing was ever recorded about it."""

    def seats(self) -> Sequence[Subject]:
        """Return every seat in order, including removed ones."""

    def cited(self, number: int) -> Sequence[tuple[Subject, Recorded]]:
        """Return those facts of the ruling that a declaration can cite. A ruling that does not stand has none."""


class RulingTable:
    """The subjects as one ruling sees them.

    `after`: the ruling that a late entry follows in play, else 0.
    """

    def __init__(
        self,
        ruleset: AnyRuleset,
        subjects: Subjects,
        number: int,
        by: Viewer,
        named_scene: Subject | None,
        underway: Callable[[], tuple[Underway, ...]] = tuple,
        *,
        after: int = 0,
    ) -> None:
        self._ruleset = ruleset
        self._subjects = subjects
        self._scene = named_scene
        self._id_count = 0
        self._dials: object = None
        self._folds: dict[Subject, Folded[Any] | None] = {}
        self._asked_names: set[str] = set()
        self._wholly_read: set[Subject] = set()
        self.number = number
        self.place = place_of(number, after)
        self.by = by
        #: Returns the other waiting declarations. They are not noted as read.
        self.underway = underway

    @property
    def reads(self) -> set[str]:
        """Return the names of everything that the ruling read (`character:12`, `dials`, `session`, `scenes`)."""
        return {*self._asked_names, *map(str, self._folds)}

    @property
    def entries(self) -> frozenset[str]:
        """Return the names of subjects that the ruling read only in part: the kernel's entry without the state."""
        return frozenset(str(subject) for subject in self._folds if subject not in self._wholly_read)

    def aside(self) -> Self:
        table = copy(self)
        table._folds, table._asked_names, table._wholly_read = {}, set(), set()
        return table

    @property
    def dials(self) -> Any:
        self._asked_names.add("dials")
        if self._dials is None:
            self._dials = load_dials_in_force(self._ruleset, self._subjects)
        return self._dials

    @property
    def steps_follow(self) -> bool:
        self._asked_names.add("dials")
        return bool(load_dials(Dials, load_campaign_entry(self._subjects)).forced_steps == "by_ledger")

    @property
    def session(self) -> str | None:
        self._asked_names.add("session")
        return find_open_session(self._subjects)

    @property
    def scene(self) -> Subject | None:
        """Return the named scene, else the only open scene, else None."""
        if self._scene is None:
            open_scenes = self.subjects("scene")
            self._scene = open_scenes[0] if len(open_scenes) == 1 else None
        return self._scene

    def new_id(self) -> str:
        self._id_count += 1
        return str(self.number) if self._id_count == 1 else f"{self.number}-{self._id_count}"

    def has(self, subject: Subject) -> bool:
        folded = self._find(subject)
        return folded is not None and folded.entry is not None

    def get(self, subject: Subject, state_class: type[S], /) -> S:
        current_state: object = self._get_folded(subject).state
        self._wholly_read.add(subject)
        assert isinstance(current_state, state_class), f"{subject} is not a {state_class.__name__}"
        return current_state

    def name(self, subject: Subject) -> str:
        entry = self._get_folded(subject).entry
        return entry.title if isinstance(entry, register.SceneEntry) else entry.name if entry else ""

    def owner(self, subject: Subject) -> str:
        entry = self._get_folded(subject).entry
        assert isinstance(entry, register.CharacterEntry), f"{subject} has no owner"
        return entry.seat

    def role(self, seat: Subject) -> Role:
        entry = self._get_folded(seat).entry
        assert isinstance(entry, register.SeatEntry), f"{seat} is not a seat"
        return entry.role

    def is_open(self, subject: Subject) -> bool:
        entry = self._get_folded(subject).entry
        if isinstance(entry, register.SceneEntry):
            return entry.open
        if isinstance(entry, register.CharacterEntry):
            return not entry.retired
        return not (isinstance(entry, register.SeatEntry) and entry.removed)

    def subjects(self, kind: SubjectKind) -> tuple[Subject, ...]:
        self._asked_names.add(f"{kind}s")
        entry = load_campaign_entry(self._subjects)
        match kind:
            case "campaign":
                return (CAMPAIGN,)
            case "character":
                return tuple(character(id) for id in entry.roster)
            case "scene":
                return tuple(scene(id) for id in entry.scenes)
            case "seat":
                return tuple(self._subjects.seats())
            case _:
                assert_never(kind)

    def balance(self, account: str) -> int:
        if account.partition("/")[0].endswith(":"):
            return 0  # a subject without an id is treated like any unknown one
        owner = purses.owner_of(account)
        assert owner is not None, f"{account} is unlimited"
        self._wholly_read.add(owner)
        folded = self._find(owner)
        return folded.purse.get(account, 0) if folded is not None else 0

    def cited(self, number: str) -> tuple[About[Any], ...]:
        self._asked_names.add(name_citation(number))
        if not number.isdecimal() or str(int(number)) != number or not int(number):
            return ()
        return tuple(
            About(subject, record.fact, record.postings, record.audience)
            for subject, record in self._subjects.cited(int(number))
            if place_of(record.ruling, record.after) < self.place and self.by.may_see(record.audience)
        )

    def times_cited(self, subject: Subject, number: str) -> int:
        self._wholly_read.add(subject)
        folded = self._find(subject)
        return folded.citation_counts.get(number, 0) if folded is not None else 0

    def _find(self, subject: Subject) -> Folded[Any] | None:
        folded = self._folds.get(subject)
        if folded is None:
            folded = self._folds[subject] = self._subjects.find(subject)
        return folded

    def _get_folded(self, subject: Subject) -> Folded[Any]:
        folded = self._find(subject)
        if folded is None or folded.entry is None:
            raise Refused("ledger.subject", f"unknown-{subject.kind}", subject=str(subject))
        return folded


def load_campaign_entry(subjects: Subjects) -> register.CampaignEntry:
    folded = subjects.find(CAMPAIGN)
    assert folded is not None and isinstance(folded.entry, register.CampaignEntry)
    return folded.entry


def find_open_session(subjects: Subjects) -> str | None:
    return load_campaign_entry(subjects).session


def load_dials_in_force(ruleset: AnyRuleset, subjects: Subjects) -> object:
    """Return the game's options in force."""
    return load_dials(ruleset.dials, load_campaign_entry(subjects))


_groups_by_roster: dict[int, tuple[Mapping[str, str], Mapping[str, frozenset[str]]]] = {}
_dials_by_entry: dict[tuple[type, int], tuple[register.CampaignEntry, object]] = {}
_dials_by_values: dict[tuple[type, str], object] = {}


def load_dials(dials_class: type, entry: register.CampaignEntry) -> Any:
    """Return the options in force."""
    cached_pair = _dials_by_entry.get((dials_class, id(entry)))
    if cached_pair is None or cached_pair[0] is not entry:
        cached_pair = (entry, _apply_dials(dials_class, entry.read_dials_in_force()))
        _put_into_cache(_dials_by_entry, (dials_class, id(entry)), cached_pair)
    return cached_pair[1]


def _apply_dials(dials_class: type, values: Mapping[str, object]) -> object:
    key = (dials_class, repr(values))
    dials_in_force = _dials_by_values.get(key)
    if dials_in_force is None:
        dials_in_force = apply_dials(dials_class, values)
        _put_into_cache(_dials_by_values, key, dials_in_force)
    return dials_in_force


def _put_into_cache(cache: dict[Any, Any], key: object, value: object) -> None:
    if len(cache) > 1000:
        cache.clear()
    cache[key] = value


def _group_by_seat(roster: Mapping[str, str]) -> Mapping[str, frozenset[str]]:
    """Return the characters of each seat."""
    cached_pair = _groups_by_roster.get(id(roster))
    if cached_pair is None or cached_pair[0] is not roster:
        ids_by_seat: dict[str, list[str]] = {}
        for id_, seat_id in roster.items():
            ids_by_seat.setdefault(seat_id, []).append(id_)
        cached_pair = roster, {seat_id: frozenset(ids) for seat_id, ids in ids_by_seat.items()}
        _put_into_cache(_groups_by_roster, id(roster), cached_pair)
    return cached_pair[1]


def find_viewer(subjects: Subjects, seat: Subject) -> Viewer | None:
    """Return the seat with the characters it plays and the chairs it holds now; None if it is not at the table."""
    folded = subjects.find(seat)
    if folded is None or not isinstance(folded.entry, register.SeatEntry) or folded.entry.removed:
        return None
    character_ids = _group_by_seat(load_campaign_entry(subjects).roster).get(seat.id, frozenset())
    campaign = subjects.find(CAMPAIGN)
    assert campaign is not None
    chairs = frozenset(
        name for name, find_holder in campaign.ruleset.chairs.items() if find_holder(campaign.state) == seat.id
    )
    return Viewer(seat.id, folded.entry.role, character_ids, chairs=chairs)
