"""What moves are made with: the table as it is shown, and what somebody there can spend."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

from ledger.rules.kernel.moves import Among, Between, Domain, Either, Entries
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.moc import accounts, inputs_of_modifiers, numbers
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.outcomes import Outcome, hit_by, open_targets, outcome_of
from ledger.rules.moc.shown import ShownTable
from ledger.rules.moc.state import Campaign, Character, Scene, actions_in
from ledger.rules.moc.state_of_actions import Action, Part
from ledger.rules.moc.terms import CHIPS, ELEMENTS, GONE, LEVELS, SUIT_NAMES

T = TypeVar("T", bound=Hashable)
LEFT_OUT = Among((None,))
#: Nobody said no; who is no game master is asked for one's agreement.
AGREED = Among((None, True))
TOLD_LEVELS = (*LEVELS, *LEVELS.values())


def one(value: object) -> Among:
    return Among((value,))


def parts_of(places: tuple[int, ...]) -> Among:
    """Which actions of a split pool: people count from one."""
    return Among(places, tuple(f"Action {place + 1}" for place in places))


def some_of(held: Mapping[str, int]) -> Domain:
    """At least one of what is held."""
    there = {name: Between(0, n) for name, n in held.items() if n > 0}
    return Either(tuple(Entries({**there, name: Between(1, held[name])}, (name,)) for name in there))


def exactly(counts: Mapping[str, int], among: Iterable[str]) -> Entries:
    """So many of each, and none of the others."""
    return Entries({name: one(counts.get(name, 0)) for name in among}, tuple(counts))


def together(those: Iterable[tuple[str, T]]) -> dict[T, tuple[str, ...]]:
    """Who is alike, so that one move serves for all of them."""
    found: dict[T, tuple[str, ...]] = {}
    for id, alike in those:
        found[alike] = (*found.get(alike, ()), id)
    return found


def names_of(element: str) -> tuple[str, ...]:
    """An Element by its own name and by that of its suit."""
    return (element, *(suit for suit, named in SUIT_NAMES.items() if named == element))


class Offering:
    """The game as it is shown, for making moves. `draft`: to ask the rules' own functions; nothing is told on it."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.table = ShownTable(seen)
        self.draft = Draft(self.table)
        self.dials = seen.dials
        self.is_gm = seen.seat.role == "gm"
        self.campaign: Campaign = self.draft.campaign()
        self._people: dict[str, Character] = {}
        self._cards: dict[str, tuple[str, ...]] = {}
        self._chips: dict[str, dict[str, int]] = {}
        self._beads: dict[str, dict[str, int]] = {}
        self._outcomes: dict[tuple[str, int], Outcome] = {}
        self.scene: Scene | None = self.draft.scene() if seen.scene is not None else None

    @cached_property
    def dealing(self) -> bool:
        """moc.card.hand: whether somebody may be dealt cards; nobody, while another has yet to say which to keep."""
        return not self.seen.has_begun(inputs_of_modifiers.DrawHand)

    @cached_property
    def roster(self) -> tuple[str, ...]:
        return self.seen.roster

    @cached_property
    def alive(self) -> tuple[str, ...]:
        """Who acts and plays."""
        return tuple(id for id in self.roster if self.who(id).status not in GONE)

    @property
    def interval(self) -> bool:
        return self.campaign.phase == "interval"

    @cached_property
    def has_chips(self) -> bool:
        return bool(self.dials.advanced_chips == "on" and self.dials.beads_only == "off")

    @cached_property
    def has_cards(self) -> bool:
        return bool(self.dials.beads_only == "off")

    def who(self, id: str) -> Character:
        found = self._people.get(id)
        if found is None:
            found = self._people[id] = self.draft.who(id)
        return found

    def allows(self, rule: Callable[[Draft], object]) -> bool:
        """Whether a rule refuses it."""
        try:
            rule(Draft(self.table))
        except Refused:
            return False
        return True

    def not_hit(self, action: Action, place: int) -> tuple[str, ...]:
        """Whom this attack can still hit."""
        if self.scene is None:
            return ()
        return open_targets(action.parts[place], hit_by(self.scene, action.id, place), self.roster)

    # --- what there is to spend ---

    def hand(self, id: str) -> tuple[str, ...]:
        """Cards of a hand that the seat may play, as far as they are shown; none of one whose account is empty."""
        who, seat = self.who(id), self.seen.seat
        if not self.has_cards or not who.hand or not (self.is_gm or (id in seat.characters and not who.villain)):
            return ()
        return who.hand if self.table.balance(accounts.hand(id)) > 0 else ()

    def cards(self, id: str) -> tuple[str, ...]:
        """And of the villains' pool."""
        found = self._cards.get(id)
        if found is None:
            shared = self.scene.pool if self.scene is not None and self.who(id).villain and self.is_gm else ()
            found = tuple(dict.fromkeys((*self.hand(id), *(shared if self.has_cards else ()))))
            self._cards[id] = found
        return found

    def chips(self, id: str) -> dict[str, int]:
        found = self._chips.get(id)
        if found is None:
            held = {colour: self.table.balance(accounts.chip(id, colour)) for colour in CHIPS}
            found = self._chips[id] = {colour: n for colour, n in held.items() if n > 0}
        return found

    def beads(self, id: str) -> dict[str, int]:
        found = self._beads.get(id)
        if found is None:
            held = {element: self.table.balance(accounts.bead(id, element)) for element in ELEMENTS}
            found = self._beads[id] = {element: n for element, n in held.items() if n > 0}
        return found

    def playable_beads(self, id: str) -> dict[str, int]:
        """moc.combat.dazed: none while dazed."""
        return {} if self.who(id).dazed else self.beads(id)

    def suit(self, id: str, card: str) -> tuple[object, ...]:
        """What Element can be named for a card: a Wildcard's any; left out, its own."""
        if self.who(id).archetype == "wildcard":
            return (None, *ELEMENTS, *SUIT_NAMES)
        return (None, *names_of(numbers.card_element(card)))

    # --- actions ---

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """All of the scene."""
        return tuple(actions_in(self.scene)) if self.scene is not None else ()

    @cached_property
    def open_actions(self) -> tuple[Action, ...]:
        return tuple(one for one in self.actions if one.stage == "open" and self.known(one.character))

    def declared(self) -> Iterator[tuple[Action, int, Part]]:
        """Parts that are neither resolved nor pre-empted."""
        for action in self.open_actions:
            for place, part in enumerate(action.parts):
                if part.stage == "declared":
                    yield action, place, part

    def outcome(self, action: Action, place: int) -> Outcome:
        """What a part comes to as things stand, by the dice that are shown."""
        found = self._outcomes.get((action.id, place))
        if found is None:
            found = self._outcomes[action.id, place] = outcome_of(self.draft, action, place)
        return found

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.roster)

    def known(self, id: str) -> bool:
        return id in self._known

    def fallen(self, action: str, place: int) -> int:
        """How many dice were rolled to begin with, which everybody sees."""
        here = self.seen.scene
        shown = self.seen.view(here)["actions"] if here is not None else ()
        return next((int(one["parts"][place]["fallen"]) for one in shown if one["id"] == action), 0)

    def helps(self, action: Action, id: str) -> bool:
        """moc.bead.use: some EMs serve one's own actions only, unless a dial allows helping."""
        return action.character == id or bool(self.dials.helping)
