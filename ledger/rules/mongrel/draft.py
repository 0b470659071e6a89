"""The verdict in the making: characters as they are by now, their scores, and the refusals that many rules share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ledger.rules.kernel.kit import (
    CAMPAIGN,
    BaseDraft,
    Refused,
    RuleId,
    SharedRefusal,
    Subject,
    Table,
    Unfit,
    character,
    scene,
    seat,
)
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.state import Campaign, Character, Scene, State, physique_of
from ledger.rules.mongrel.terms import Number, is_natural

BAD_NUMBER = SharedRefusal("bad-number", "Enter a whole number, 0 or more ({what}).")
BAD_SCORE = SharedRefusal("bad-score", "A score must be a whole number, 0 or more[ ({what})][ ({expertise})].")
BAD_AMOUNT = SharedRefusal(
    "bad-amount",
    "That amount is not possible here[: {amount}][: {price}][: {credited}][: {change}]. Where an amount is asked "
    "for, give a whole number, 1 or more.",
)
DUPLICATE = SharedRefusal(
    "duplicate",
    "{named} is named twice.",
)


class Draft(BaseDraft[Dials, State, Any]):
    """`under_way`: an action is being carried out, so it no longer lapses. `used`: features to be told at the end of
    the ruling, by character. `sight`: what all offers look at (`sight.look`).
    """

    def __init__(self, table: Table[Dials]) -> None:
        super().__init__(table)
        self.under_way = False
        self.used: dict[str, dict[str, None]] = {}
        self.sight: Any = None

    def who(self, id: str) -> Character:
        """Return the present state of the character. Refuses `unknown-character`."""
        return self.state(character(id), Character)

    def scene(self, subject: Subject) -> Scene:
        return self.state(subject, Scene)

    def campaign(self) -> Campaign:
        return self.state(CAMPAIGN, Campaign)

    def place(self, named: str | None = None) -> Subject:
        """Return the scene named, else the present one. Refuses `no-scene`, also for one that is closed."""
        here = scene(named) if named is not None else self.table.scene
        if here is None or not self.table.has(here) or not self.table.is_open(here):
            raise Refused("mongrel.conflict.order", "no-scene")
        return here

    def ap(self, id: str) -> int:
        return self.balance(accounts.ap(id))

    def resolve(self, id: str) -> int:
        return self.balance(accounts.resolve(id))

    def maximum(self, id: str) -> int:
        """Return the maximum of Action Points for the present score; 1 while that is imposed (`mongrel.derived.ap`)."""
        who = self.who(id)
        return 1 if who.ap_imposed else who.attributes.get("speed", 0) + max(0, self.dials.starting_ap_bonus)

    def score(self, id: str, attribute: str) -> int:
        """Return the present value: wounds lower Physique, and shunted hits Beauty.

        Beauty's account can hold too much if a hit was struck and its healing stands.
        """
        who = self.who(id)
        if attribute == "beauty":
            return min(self.balance(accounts.beauty(id)), who.attributes.get("beauty", 0) - who.beauty_temp)
        if attribute == "physique":
            return physique_of(who)
        return who.attributes.get(attribute, 0)

    def clock(self) -> int:
        """Return the minute of the campaign's clock; before it was kept, that of the latest recovery."""
        clock = self.campaign().clock
        if clock is not None:
            return clock
        return max((self.who(subject.id).minute or 0 for subject in self.table.subjects("character")), default=0)

    def mark(self, id: str, *features: str) -> None:
        """Keep what was used for the end of the ruling (`sessions.tell_used`)."""
        self.used.setdefault(id, {}).update(dict.fromkeys(features))


def check_natural(rule: RuleId, refusal: SharedRefusal, **numbers: Number) -> tuple[int, ...]:
    """Return the numbers. Refuses the first that is not a natural number."""
    checked = []
    for name, number in numbers.items():
        if not is_natural(number):
            raise refusal.under(rule, what=name, given=repr(number))
        checked.append(number)
    return tuple(checked)


def check_once(ids: Iterable[str], rule: RuleId) -> None:
    """Refuse a name that occurs twice (`duplicate`)."""
    seen: set[str] = set()
    for id in ids:
        if id in seen:
            raise DUPLICATE.under(rule, named=id)
        seen.add(id)


@contextmanager
def asked_again() -> Iterator[None]:
    """Turn a refusal inside into one of the answer: the question stays open."""
    try:
        yield
    except Unfit:
        raise
    except Refused as no:
        raise Unfit(no.rule, no.code, **no.context) from None


GAME_MASTER = "gm"


def whose(draft: Draft, id: str | None) -> str:
    """Return the seat that is asked for a character: its player's while that is open, else any game master's."""
    table = draft.table
    owner = seat(table.owner(character(id))) if id is not None else None
    if owner is not None and table.has(owner) and table.is_open(owner) and table.role(owner) == "player":
        return owner.id
    return GAME_MASTER
