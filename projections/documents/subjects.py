"""Characters and scenes with their states and balances, now or earlier."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from typing_extensions import TypedDict

from ledger.application import (
    Book,
    Moment,
    find_moment,
    find_unsure_adrift_facts,
    json_form,
    load_history,
    load_subjects_at,
)
from ledger.errors import NotFound
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.json_types import escape_part
from ledger.rules.kernel.purses import unit_of
from ledger.rules.kernel.register import CharacterEntry, SceneEntry
from ledger.rules.kernel.subjects import CAMPAIGN, Subject
from projections.documents.shape import Document, give_example
from projections.redaction import Json, LiveLens

Unsure: TypeAlias = frozenset[tuple[str, int, int]]
Known: TypeAlias = Literal["recorded", "corrected"]


class Balance(Document):
    account: str
    unit: str
    balance: int


class _Standing(Document):
    """A character or a scene at one point. `state`: the state as the game shows it to this seat. `adrift`: the number
    of facts that change nothing. `at`, `as`: the requested point and clock.
    """

    id: str
    state: Json
    balances: list[Balance]
    adrift: int
    at: int | str | None
    version: int


#: The name of the requested clock.
As = TypedDict("As", {"as": Known})
STANDING = {"balances": [], "adrift": 0, "at": None, "as": "corrected", "version": 3}


@give_example(id="1", name="Giazza", seat="s2", player="Ben", retired=False, state={"health": 10}, **STANDING)
class Character(_Standing, As):
    """A character. `player`: the player's name."""

    name: str
    seat: str
    player: str
    retired: bool


@give_example(id="4", title="On the bridge", cast=["1", "2"], open=True, state={}, **STANDING)
class Scene(_Standing, As):
    title: str
    cast: list[str]
    open: bool


class Field(Document):
    """A changed value. `field`: a path in the subject's document: `state/...`, `card/...`, `balances/...`."""

    field: str
    before: object
    after: object


class Changed(Document):
    subject: str
    name: str
    fields: list[Field]


class Whole(TypedDict, total=False):
    """Everything that a viewer sees of a subject, for comparison. `balances`: the balances by account."""

    state: Json
    card: object
    balances: dict[str, int]
    adrift: int


DescribeSubject: TypeAlias = Callable[[LiveLens], Character | Scene]


@dataclass(frozen=True, slots=True)
class Clock:
    """A point in play, as known then (`recorded`) or with later corrections. `at`: a ruling's number or a time; None
    means now.
    """

    at: int | datetime | None = None
    recorded: bool = False

    def find_moment(self, book: Book) -> Moment:
        return find_moment(book, self.at, recorded=self.recorded)

    @property
    def point(self) -> int | str | None:
        return self.at.isoformat() if isinstance(self.at, datetime) else self.at

    @property
    def basis(self) -> Known:
        return "recorded" if self.recorded else "corrected"


def describe_subject(lens: LiveLens, subject: Subject, clock: Clock) -> Character | Scene:
    """Return a character or scene with its state. Raise NotFound if it does not exist, or did not exist then."""
    snapshot = Snapshot(lens, clock) if subject in lens.book.campaign.subjects else None
    document = snapshot.describe_existing(subject) if snapshot is not None else None
    if document is None:
        raise make_not_found_error(subject)
    return document


class Snapshot:
    """The state at one point on both clocks, or now."""

    def __init__(self, lens: LiveLens, clock: Clock, moment: Moment | None = None) -> None:
        self.lens = lens
        self.clock = clock
        self.moment = moment or (clock.find_moment(lens.book) if clock.at is not None else None)
        self._folded_subjects: dict[Subject, tuple[Folded[object], int]] = {}
        self.campaign, _ = self.load_folded(CAMPAIGN)

    def load_subjects(self, subjects: Iterable[Subject]) -> None:
        """Load these subjects together."""
        if self.moment is not None:
            missing_subjects = [subject for subject in subjects if subject not in self._folded_subjects]
            self._folded_subjects.update(load_subjects_at(self.lens.book, missing_subjects, self.moment))

    def load_folded(self, subject: Subject) -> tuple[Folded[object], int]:
        """Return the subject, and its version. A subject without facts is blank."""
        if self.moment is None:
            stream = self.lens.book.load_stream(subject)
            return stream.folded, stream.version
        self.load_subjects([subject])
        return self._folded_subjects[subject]

    def describe_existing(self, subject: Subject) -> Character | Scene | None:
        """Return a character or scene with its state, or None if it does not exist."""
        folded, version = self.load_folded(subject)
        if isinstance(folded.entry, CharacterEntry):
            return self._make_character(subject.id, folded, folded.entry, version)
        return (
            self._make_scene(subject.id, folded, folded.entry, version)
            if isinstance(folded.entry, SceneEntry)
            else None
        )

    def _make_character(self, id: str, folded: Folded[object], entry: CharacterEntry, version: int) -> Character:
        return {
            "id": id,
            "name": entry.name,
            "seat": entry.seat,
            "player": self.lens.find_seat_name(entry.seat),
            "retired": entry.retired,
            "state": self.lens.show_state(folded, self.campaign),
            "balances": list_balances(folded, list_hidden_accounts_of(self.lens, folded.subject)),
            "adrift": count_adrift(self.lens, folded),
            "at": self.clock.point,
            "as": self.clock.basis,
            "version": version,
        }

    def _make_scene(self, id: str, folded: Folded[object], entry: SceneEntry, version: int) -> Scene:
        return {
            "id": id,
            "title": entry.title,
            "cast": list(entry.cast),
            "open": entry.open,
            "state": self.lens.show_state(folded, self.campaign),
            "balances": list_balances(folded, list_hidden_accounts_of(self.lens, folded.subject)),
            "adrift": count_adrift(self.lens, folded),
            "at": self.clock.point,
            "as": self.clock.basis,
            "version": version,
        }


def make_not_found_error(subject: Subject) -> NotFound:
    return NotFound(f"There is no {subject.kind} {subject.id!r}.", code=f"{subject.kind}-not-found")


def list_hidden_accounts_of(lens: LiveLens, *owners: Subject) -> set[str]:
    """Return the owners' accounts whose balance the viewer may not see, because hidden facts changed them."""
    account_audiences = (item for owner in owners for item in lens.book.load_stream(owner).audiences_by_account.items())
    return {account for account, audiences in account_audiences if not all(map(lens.may_see, audiences))}


def list_hidden_accounts(lens: LiveLens) -> set[str]:
    """Return every account whose balance the viewer may not see."""
    return list_hidden_accounts_of(lens, *lens.book.campaign.subjects)


def list_balances(folded: Folded[object], hidden_accounts: set[str]) -> list[Balance]:
    """Return the subject's visible balances by account, even those that are 0 now."""
    return [
        {"account": account, "unit": unit_of(account), "balance": balance}
        for account, balance in folded.purse.items()
        if account not in hidden_accounts
    ]


def flatten(document: object, path: str = "") -> Json:
    """Return every leaf of a document by path: `state/traits/0/base`. An empty list or object is a leaf, too."""
    leaves: Json = {}
    _add_leaves(leaves, document, path)
    return leaves


def _add_leaves(leaves: Json, document: object, path: str) -> None:
    prefix = f"{path}/" if path else ""
    if isinstance(document, dict) and document:
        for name, value in document.items():
            _add_leaves(leaves, value, prefix + escape_part(name))
    elif isinstance(document, list) and document:
        for index, value in enumerate(document):
            _add_leaves(leaves, value, f"{prefix}{index}")
    else:
        leaves[path] = document


def list_changed_fields(before: Whole, after: Whole) -> list[Field]:
    """Return every leaf that differs between the two documents, in order."""
    return list_differing_leaves(flatten(before), flatten(after))


def list_differing_leaves(before: Json, after: Json) -> list[Field]:
    """Return every leaf that differs: changed, added (`before` is None) or removed (`after` is None)."""
    return [
        {"field": path, "before": before.get(path), "after": after.get(path)}
        for path in dict.fromkeys([*before, *after])
        if before.get(path) != after.get(path)
    ]


def describe_for_comparison(
    lens: LiveLens,
    folded: Folded[object] | None,
    hidden_accounts: set[str],
    campaign: Folded[object] | None,
    unsure_facts: Unsure = frozenset(),
) -> Whole:
    """Return everything a viewer sees of a subject: the game's state, the kernel's entry, the balances.

    `campaign`: the campaign in the same past. `unsure_facts`: facts that must not be counted as adrift.
    """
    if folded is None:
        return {}
    return {
        "state": lens.show_state(folded, campaign) if folded.entry is not None else {},
        "card": json_form.to_json(folded.entry) if folded.entry is not None else None,
        "balances": {row["account"]: row["balance"] for row in list_balances(folded, hidden_accounts)},
        "adrift": count_adrift(lens, folded, unsure_facts),
    }


def count_adrift(lens: LiveLens, folded: Folded[object], unsure_facts: Unsure = frozenset()) -> int:
    """Return how many visible facts change nothing, because they no longer fit the state."""
    if not folded.adrift:
        return 0
    facts_by_number = load_history(lens.book).facts
    adrift_steps, unsure_facts = set(folded.adrift), unsure_facts | find_unsure_adrift_facts(lens.book, lens.viewer)
    visible_steps = {
        (number, body.step)
        for number in {number for number, _ in adrift_steps}
        for subject, body in facts_by_number.get(number, ())
        if subject == folded.subject
        and lens.may_see(body.audience)
        and (str(subject), number, body.step) not in unsure_facts
    }
    return len(visible_steps & adrift_steps)
