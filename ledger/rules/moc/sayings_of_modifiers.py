"""Sentences of cards, beads, chips and dice that come back, outside of actions."""

from __future__ import annotations

from ledger.rules.kernel.phrases import Names, listed
from ledger.rules.moc import facts_of_modifiers as fm
from ledger.rules.moc import inputs_of_modifiers
from ledger.rules.moc.choices import Lay
from ledger.rules.moc.purchases import period_of
from ledger.rules.moc.sayings import beads, capital, card, chips, counted, dice_of, people, said, who, whom


def given(done: fm.PeriodDiceGiven, names: Names) -> str:
    what, period = done.advantage.partition(":")[0], period_of(done.advantage)
    one, many = dice_of(what)
    return f"{whom(names)} has {counted(done.number, f'more {one}', f'more {many}')} per {period}."


def exchanged(done: fm.CardExchangedForBeads | fm.VillainCardExchanged, names: Names) -> str:
    return f"{whom(names)} exchanges a card for beads: {card(done.card)} for {beads({done.element: done.beads})}."


def discarded(done: fm.CardDiscarded, names: Names) -> str:
    return f"{capital(card(done.card))} leaves {whom(names)}'s hand."


def forced(done: fm.DiscardForced, names: Names) -> str:
    each = " each" if len(done.targets) > 1 else ""
    cards = counted(done.number, "card", "cards")
    return f"{whom(names)}'s Advantage makes {people(names, done.targets)} discard {cards}{each}."


def villains_used(done: fm.VillainCardUsed, names: Names) -> str:
    return f"{capital(card(done.card))} leaves the villains' cards."


def awarded(done: fm.ChipAwarded, names: Names) -> str:
    """By the game master, or by a rule, which gives a reason of its own."""
    why = {"trumped by fiat": "after the game master's trump", "nominated": "for being nominated"}.get(done.reason)
    return (
        f"{whom(names)} gets {chips(done.chips)} {why}."
        if why
        else said(f"{whom(names)} gets {chips(done.chips)}", done.reason)
    )


def allocated(done: fm.BeadsAllocated, names: Names) -> str:
    """What there is of each Element, and what the shifts cost."""
    default = " (by default)" if done.by_default else ""
    cost = f" (the allocation costs {done.cost} of {done.allowance} beads)" if done.cost and not done.by_default else ""
    return f"{whom(names)} has {beads(done.pools)} for the scene{default}{cost}."


def allocating(done: inputs_of_modifiers.AllocateBeads, names: Names) -> str:
    where = f": {beads(done.beads)}" if any(done.beads.values()) else ""
    return f"{who(names, done.character)} allocates beads{where}."


def exchanging(done: inputs_of_modifiers.ExchangeChip, names: Names) -> str:
    into = beads(done.beads) if done.beads else "cards"
    return f"{who(names, done.character)} exchanges a {done.chip} chip for {into}."


def laid(done: Lay, names: Names) -> str:
    if not done.cards:
        return "No card is played."
    these = listed(card(str(one.card).upper()) for one in done.cards)
    return f"{capital(these)} {'is' if len(done.cards) == 1 else 'are'} played on the dice."
