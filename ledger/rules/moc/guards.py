"""What is checked again and again: who may act, what is seen, the cards, beads and chips that are there."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import GM_ONLY, Audience, Viewer
from ledger.rules.moc import accounts, numbers, terms
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.state_of_actions import Action, hidden
from ledger.rules.moc.terms import DECK, GONE, Number

# --- who may act ---


def in_play(draft: Draft, id: str) -> None:
    """Refuses `character-gone`: the dead, sacrificed and retired neither act nor play."""
    status = draft.who(id).status
    if status in GONE:
        raise Refused("moc.fate.inherit", "character-gone", character=id, status=status)


def in_interval(draft: Draft, rule: str) -> None:
    """Refuses `not-in-interval`."""
    if draft.campaign().phase != "interval":
        raise Refused(rule, "not-in-interval")


def must_see(draft: Draft, action: Action, place: int) -> None:
    """Who does not see a roll takes nothing from it, whatever it is. Refuses `roll-not-seen`."""
    if not draft.table.by.may_see(hidden(action, place)):
        raise Refused("moc.opposed.net", "roll-not-seen", action=action.id, part=place)


# --- cards, beads and chips ---


def no_cards(draft: Draft, rule: str) -> None:
    if draft.dials.beads_only == "on":
        raise Refused(rule, "beads-only")


def chips_on(draft: Draft, rule: str) -> None:
    if draft.dials.advanced_chips == "off" or draft.dials.beads_only == "on":
        raise Refused(rule, "no-chips-in-play")


def named_card(card: Number, rule: str) -> str:
    """A card by its name (`8C`, `10H`, `AS`). Refuses `unknown-card`."""
    named = str(card).upper()
    if named not in DECK:
        raise Refused(rule, "unknown-card", card=str(card))
    return named


def held(draft: Draft, id: str, card: Number, rule: str, speaker: Viewer | None = None) -> str:
    """A card of the character's hand, or of the villains' pool. `speaker`: who names it, if not who declares.

    Refuses `not-own-card`, whatever is held, to who may not see the hand; `unknown-card`, `card-not-in-hand`.
    """
    no_cards(draft, rule)
    in_play(draft, id)
    who = draft.who(id)
    if not (speaker or draft.table.by).may_see(_seen_by(draft, id)):
        raise Refused(rule, "not-own-card", character=id)
    named = named_card(card, rule)
    if named not in who.hand and not (who.villain and named in _pool(draft)):
        raise Refused(rule, "card-not-in-hand", audience=draft.sees_held(id), character=id, card=named)
    return named


def can_lay(draft: Draft, id: str, speaker: Viewer) -> tuple[str, ...]:
    """What `held` lets `speaker` name."""
    who = draft.who(id)
    if draft.dials.beads_only == "on" or not speaker.may_see(_seen_by(draft, id)):
        return ()
    return (*who.hand, *(_pool(draft) if who.villain else ()))


def _seen_by(draft: Draft, id: str) -> Audience:
    who = draft.who(id)
    return GM_ONLY if who.villain else who.seen_by or draft.sees_hand(id)


def _pool(draft: Draft) -> tuple[str, ...]:
    return draft.scene().pool if draft.table.scene is not None else ()


def suit_of(draft: Draft, id: str, card: str, named: str | None, rule: str) -> str:
    """`moc.card.class`: the Element a card is of; a Wildcard names it."""
    if named is None:
        return numbers.card_element(card)
    wanted = terms.element(named, rule)
    if draft.who(id).archetype != "wildcard" and wanted != numbers.card_element(card):
        raise Refused(rule, "not-a-wildcard", character=id, card=card)
    return wanted


def has_beads(draft: Draft, id: str, element: str, number: int, rule: str) -> None:
    """Refuses `not-enough-beads`."""
    if draft.beads(id, element) < number:
        raise Refused(rule, "not-enough-beads", character=id, element=element, needed=number)


def counts(given: Mapping[str, Number], rule: str) -> dict[str, int]:
    """Chips by colour, without empty ones. Refuses `unknown-chip`, `negative-chips`."""
    counted = {terms.chip(colour, rule): terms.whole(n, "negative-chips", rule) for colour, n in given.items()}
    return {colour: n for colour, n in counted.items() if n}


def holds(draft: Draft, id: str, counts: Mapping[str, int], rule: str) -> None:
    """Refuses `chips-not-held`."""
    for colour, count in counts.items():
        if draft.balance(accounts.chip(id, colour)) < count:
            raise Refused(rule, "chips-not-held", character=id, chip=colour, needed=count)
