"""Mistakes of people who know the game: refusals that neither play nor near misses reach."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ledger.rules.kernel import commands
from ledger.rules.kernel.questions import Roll
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, character
from ledger.rules.moc.beads import AllocateBeads
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.cards import CardPoints, ShiftBeads
from ledger.rules.moc.cards_on_dice import PlayCard
from ledger.rules.moc.characters import InheritChips, Sheet
from ledger.rules.moc.damage import RollDamage
from ledger.rules.moc.deciding import ClaimSuccess
from ledger.rules.moc.fate import Nominate
from ledger.rules.moc.hands import DrawHand, DrawVillains
from ledger.rules.moc.hits import ScoreHit
from ledger.rules.moc.holdings import Purchase, find_period
from ledger.rules.moc.own_tables import SetTableRow
from ledger.rules.moc.rolling import RollDice, TakeOffSuccesses
from ledger.rules.moc.trading import TradeCards
from ledger.rules.moc.words import ARCHETYPES, ELEMENTS, GONE, PERIODS, PRIMARIES


def slips(chance: Any) -> Iterator[Any]:
    """Yield mistakes of every kind that suit the current table. `chance` has its own random numbers."""
    id = chance.one()
    yield from _bought(chance, id)
    yield from _set_by_hand(chance, id)
    yield from _handed_on(chance, id)
    yield from _cards(chance, id)
    here = chance.here()
    if here is not None:
        for action in list(here.actions.values())[-2:]:
            yield from _rolled(chance, action)
        for hit in here.hits.values():
            key = chance.pick("action-hero", "floating-dice") + ":" + chance.rng.choice(PERIODS)
            yield RollDamage(hit.id, floating={key: 1})


def _bought(chance: Any, id: str) -> Iterator[Any]:
    rng = chance.rng
    level = rng.choice((0, 1, 6))
    yield Buy(id, Purchase("characteristic", rng.choice(PRIMARIES), level))
    yield Buy(id, Purchase("bits", level=-1))
    yield Buy(id, Purchase(chance.pick("fortune", "vortex"), level=2))
    yield Buy(id, Purchase("floating-dice", "", 9, period="scene", multiplier=rng.choice(("1/2", 3, "much"))))
    held = chance.game.character(id).counts if id != "nobody" else {}
    for key, number in held.items():
        what, period = key.partition(":")[0], find_period(key)
        named = chance.game.character(id).related.get(key, ())
        if what == "weapons-master":  # other skills, and some of another group
            for skills in (("Dodge",), (*named, "Dodge")):
                yield Buy(id, Purchase(what, "", number + 1, period=period, skills=skills))
    yield commands.Enrol("Somebody", "gm", Sheet(rng.choice(list(ARCHETYPES)), budget=rng.choice((100, 900, 0))))


def _set_by_hand(chance: Any, id: str) -> Iterator[Any]:
    field, value = chance.rng.choice((("ratings/body", 0), ("pain", 99), ("damage", 7), ("fatigue", -1)))
    yield commands.Amend(f"character:{id}", field, value, "so it is")
    skill = {"element": "action", "primary": "body", "others": ["S"], "difficulty": chance.rng.choice((3, "hard"))}
    yield SetTableRow("skills", "Juggling", skill)
    yield commands.SetDial("superheroic_bead_rate", chance.pick("1/2", 1, "many"), "ours")
    yield commands.SetDial("power_level", "epic", "ours")


def _handed_on(chance: Any, id: str) -> Iterator[Any]:
    """Yield inheritances from characters in play, or whose chips are already inherited."""
    game, heir = chance.game, chance.heir(id) if id != "nobody" else "nobody"
    yield InheritChips(heir, id)
    for subject in game.table().subjects("character"):
        if game.state(subject).status in GONE and id != subject.id:
            yield InheritChips(chance.heir(subject.id), subject.id, {"white": 1})
    yield TradeCards(id, chance.one())
    yield Nominate(chance.pick("ann", "bob", "gm", "dora"), id)


def _cards(chance: Any, id: str) -> Iterator[Any]:
    yield DrawHand(id, *chance.pick((("8C", "8C"), None), (("8C", "9D"), ("8C", "8C")), (("8C", "9D"), ("8C",))))
    shown = chance.game.state(CAMPAIGN).shown
    if shown:
        card = chance.rng.choice(shown)
        yield DrawHand(id, (card, chance.pick("8C", "9D")), None)
        yield DrawVillains(1, (card,))
    card = chance.some_card(id)
    source, target = chance.element(), chance.element()
    yield ShiftBeads(id, card, source, source, 1)
    yield ShiftBeads(id, card, source, target, 20)
    yield AllocateBeads(id, chance.pick({}, {source: 1}))
    if id != "nobody" and chance.game.state(character(id)).archetype == "wildcard":
        yield AllocateBeads(id, dict.fromkeys(ELEMENTS[:2], 1))


def _rolled(chance: Any, action: Any) -> Iterator[Any]:
    """Yield dice with wrong bonus dice, an earlier defence, and cards of a wrong class or in several places."""
    place, id = chance.part(action.id), action.character
    try:
        conversation, _ = chance.game.begin(RollDice(action.id, place))
    except Refused:
        pass
    else:
        if isinstance(conversation.question, Roll):
            face, more = chance.pick((10, ()), (9, (5,)), (10, (5,) * 30), (11, ()))
            yield RollDice(action.id, place, (face,) * conversation.question.count, more)
    points = (CardPoints(0, 1), CardPoints(1, 1))
    yield PlayCard(action.id, id, chance.some_card(id), points, part=place)
    named = chance.pick("suited", "related", "off")
    yield PlayCard(action.id, id, chance.some_card(id), points[:1], part=place, card_class=named)
    yield PlayBeads(action.id, id, "add_successes", 1, "", place)
    yield ClaimSuccess(action.id, id, place)
    yield ScoreHit(id, chance.one(), "Club", chance.pick(None, 2), action.id, place)
    for claim in action.parts[place].claims if place < len(action.parts) else ():
        own = [one.id for one in chance.here().actions.values() if one.character == claim.target]
        yield from (TakeOffSuccesses(action.id, claim.target, 1, 0, one, part=place) for one in (*own[:2], *own[:-1]))
