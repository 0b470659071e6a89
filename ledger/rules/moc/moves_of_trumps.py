"""What can be trumped: plays wherever they lie, and dice; by cards, by chips, by the game master's own will."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ledger.rules.kernel.moves import Among, Domain, Move
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import inputs_of_play
from ledger.rules.moc import trumps as rules
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.effects import worth_of
from ledger.rules.moc.laying import rank_of
from ledger.rules.moc.offering import AGREED, LEFT_OUT, Offering, one
from ledger.rules.moc.piles import top_of
from ledger.rules.moc.stacks import Pile, everywhere, on_healing, on_initiative
from ledger.rules.moc.state_of_actions import Play
from ledger.rules.moc.terms import CHIPS, CLASSES

Fields = dict[str, Domain]


@dataclass(frozen=True, slots=True)
class Found:
    """What can be trumped. `named`: the fields that say where it lies; `bare`: whether it is the dice themselves."""

    target: rules.Target
    named: Fields
    bare: bool

    def below(self, now: Offering) -> Play | None:
        return top_of(self.target.pile.plays(now.draft), self.target.on, self.target.place)


def trumps(now: Offering) -> Iterator[Move]:
    for found in _targets(now):
        yield from _by_fiat(now, found)
        if now.dials.advanced_trump == "on":
            yield from _trumped(now, found)


# --- what lies where ---


def _targets(now: Offering) -> Iterator[Found]:
    """All that is not settled yet."""
    piles = list(everywhere(now.draft))
    if now.scene is not None:
        laid = now.scene.initiative
        piles += [on_initiative(now.draft, id) for id in laid.faces if id not in laid.plays]
    piles += [on_healing(now.draft, id) for id in now.roster if now.who(id).healing is not None]
    for pile in piles:
        named = _named(pile)
        for play in pile.plays(now.draft):
            yield from _one(now, play.id, named, bare=False)
        for on, dice in _dice(now, pile):
            yield from _one(now, on, {**_exact(named), **dice}, bare=True)


def _named(pile: Pile) -> Fields:
    """Where it lies, which need not be said of a play but of a healing."""
    match pile.kind:
        case "action":
            return {"action": Among(("", pile.id))}
        case "hit":
            return {"action": one(""), "hit": Among(("", pile.id))}
        case "story":
            return {"action": one(""), "change": Among(("", pile.id))}
        case "healing":
            return {"action": one(""), "whose": one(pile.subject.id)}
        case _:
            return {"action": one(""), "whose": Among(("", pile.id))}


def _exact(named: Fields) -> Fields:
    """The last that is said."""
    return {name: one(domain.values[-1]) for name, domain in named.items() if isinstance(domain, Among)}


def _dice(now: Offering, pile: Pile) -> Iterator[tuple[str, Fields]]:
    match pile.kind:
        case "action":
            action = now.draft.action(pile.id, closed=True)
            for place, part in enumerate(action.parts):
                if part.stage == "declared" and action.stage == "open":
                    yield "roll", {"part": one(place)}
        case "hit":
            yield "damage", {}
            yield "resisting", {}
        case "initiative":
            yield "initiative", {}
        case "healing":
            yield "healing", {}


def _one(now: Offering, on: str, named: Fields, *, bare: bool) -> Iterator[Found]:
    said = {name: domain.values[-1] for name, domain in named.items() if isinstance(domain, Among)}
    do = inputs_of_play.TrumpByFiat(play=on, **said)  # type: ignore[arg-type]
    try:
        target = rules._target(now.draft, do, on)
    except Refused:
        return
    yield Found(target, named, bare)


# --- by whom ---


def _settles(now: Offering, found: Found, play: Play) -> bool:
    """Whether beads that are restored by it are there: they went back to their player, who may have spent them."""
    target = found.target
    if not any(one.returned for one in target.pile.plays(now.draft)):
        return True
    return now.allows(lambda draft: rules._lay(draft, target, play))


def _by_fiat(now: Offering, found: Found) -> Iterator[Move]:
    """moc.trump.fiat"""
    target = found.target
    gone = target.whose not in now.roster
    chips = () if gone or not now.has_chips or now.who(target.whose).villain else tuple(CHIPS)
    do = inputs_of_play.TrumpByFiat(play=target.on, **_words(found))  # type: ignore[arg-type]
    if any(one.returned for one in target.pile.plays(now.draft)) and not now.allows(lambda draft: _fiat(draft, do)):
        return
    fields: Fields = {**found.named, "play": one(target.on), "chip": Among((None, *chips))}
    yield Move(inputs_of_play.TrumpByFiat, fields)


def _fiat(draft: Draft, do: inputs_of_play.TrumpByFiat) -> None:
    rules.fiat(draft, do)


def _words(found: Found) -> dict[str, object]:
    return {name: domain.values[-1] for name, domain in found.named.items() if isinstance(domain, Among)}


def _trumped(now: Offering, found: Found) -> Iterator[Move]:
    """moc.trump.order"""
    below, target = found.below(now), found.target
    kind = below.kind if below is not None else "roll"
    on = below.id if below is not None else target.on
    play = Play("new", "", "card", "trump", target.place, on=on)
    if kind in ("chip", "fiat") or not _settles(now, found, play):
        return
    allowed = AGREED if found.bare else LEFT_OUT
    fields: Fields = {**found.named, "on": one(target.on), "allowed": allowed}
    for id in now.alive:
        cards = tuple(card for card in now.cards(id) if _beats(now, id, card, target.element, below))
        if cards:
            yield Move(inputs_of_play.Trump, {**fields, "character": one(id), "card": Among(cards)})
    may = now.dials.chip_may_trump
    if now.has_chips and (may == "any" or (may == "cards" and kind == "card")):
        for colour in CHIPS:
            ids = tuple(id for id in now.alive if colour in now.chips(id))
            if ids:
                yield Move(inputs_of_play.Trump, {**fields, "character": Among(ids), "chip": one(colour)})


def _beats(now: Offering, id: str, card: str, element: str, below: Play | None) -> bool:
    if below is None or below.kind != "card":
        return True
    rank = rank_of(now, id, card, (element,))
    return (CLASSES[rank], worth_of(now.who(id), card)) > (CLASSES[below.rank], below.number)
