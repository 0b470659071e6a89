"""Declarations that suit the current table, so that random play reaches every rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ledger.rules.kernel import commands
from ledger.rules.kernel.subjects import character
from ledger.rules.moc.beads import AllocateBeads, AnnounceScene, UseSessionBead
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.cards import CardPoints, ExchangeCard, LaidCard, ShiftBeads
from ledger.rules.moc.characters import InheritChips, Sacrifice, SetStatus
from ledger.rules.moc.chips import ChipToPoint, ExchangeChip, GiveBack, Penalise, TradeDown, TradeUp
from ledger.rules.moc.damage import ApplyHarm, RollDamage
from ledger.rules.moc.deciding import ClaimSuccess, DetermineAction
from ledger.rules.moc.fate import AwardChip, CloseArc, TallyNominations
from ledger.rules.moc.hands import DrawVillains
from ledger.rules.moc.hits import ScoreHit, SetLocation
from ledger.rules.moc.negotiating import ApproveTrait, CounterTrait, LoseBackground, ProposeTrait, SetTraitEffect
from ledger.rules.moc.other_dice import PlayBeadsOnDice, PlayCardOnDamage, PlayCardOnInitiative
from ledger.rules.moc.own_dice import UseBit, UsePeriodDice
from ledger.rules.moc.recovery import CompleteRecovery, DeclareRecovery, Heal, LoseAction, RecoverScene
from ledger.rules.moc.resisting import ResistDamage
from ledger.rules.moc.resolving import Resolve
from ledger.rules.moc.rolling import DeclareSuccesses, RollDice, TakeOffSuccesses
from ledger.rules.moc.story import AmendStory, ChangeStory, UseBeads, UseCard, VetoStory
from ledger.rules.moc.trading import ForceDiscard, ForceVortex, TradeCards
from ledger.rules.moc.trumps import Trump, TrumpByFiat
from ledger.rules.moc.words import CHIPS, ELEMENTS, GONE, PRIMARIES


def fitting(chance: Any) -> Any:
    """Return a declaration that could be allowed, or None. Each kind is equally likely."""
    found: dict[type, list[Any]] = {}
    for one in (*_people(chance), *_played(chance), *_fought(chance), *_told(chance), *_seldom(chance)):
        found.setdefault(type(one), []).append(one)
    kinds = sorted(found, key=lambda kind: kind.__name__)
    return chance.rng.choice(found[chance.rng.choice(kinds)]) if kinds else None


def _people(chance: Any) -> Iterator[Any]:
    game = chance.game
    roster = [subject.id for subject in game.table().subjects("character")]
    interval = chance.campaign().phase == "interval"
    for id in roster:
        who = game.character(id)
        chips = {colour for colour in CHIPS if game.balance(f"character:{id}/chip:{colour}")}
        yield from _body(chance, id, who)
        yield from _owned(chance, id, who, roster)
        if interval:
            yield from _between(chance, id, who, chips)
        if who.status in GONE:
            if chips or who.left:
                yield InheritChips(chance.heir(id), id, chance.pick({}, {}, {"white": 1}))
            yield SetStatus(id, "active", "it was another")
        elif chips and chance.rng.random() < 0.05:
            yield Sacrifice(id, "for them")
        elif chips and chance.rng.random() < 0.05:
            yield SetStatus(id, "dead", "so it ends")
        elif not interval and not who.dazed and chance.rng.random() < 0.05:
            yield ApplyHarm(id, pain=9)
        elif interval and not who.villain and chance.rng.random() < 0.1:
            yield AwardChip(id, {chance.pick("red", "blue"): 1}, "well told", True)
        if not who.traits and chance.rng.random() < 0.3:
            yield ProposeTrait(id, "sleight of hand", "", 1, allows="card-trade")
        if any(one.allows and one.stage == "approved" for one in who.traits.values()) and who.hand:
            yield TradeCards(id, chance.one())
        pool = chance.here().pool if who.villain and chance.here() is not None else ()
        if pool and chance.rng.random() < 0.2:
            yield ExchangeCard(id, pool[0])
        for trait, told in who.traits.items():
            if (told.stage, told.does) == ("approved", "forced-discard"):
                yield ForceDiscard(id, trait, chance.one() if told.of == "one" else "")
        if who.hand and chance.rng.random() < 0.1:
            yield UseCard(id, who.hand[0], "An old friend.")
        beads = [one for one in ELEMENTS if game.balance(f"character:{id}/bead:{one}") > 0]
        if beads and chance.rng.random() < 0.1:
            yield UseBeads(id, chance.pick("An old friend.", "He flies."), beads[0])
        if "blue" in chips:
            yield ChipToPoint(id) if chance.campaign().arc_ended else CloseArc()


def _body(chance: Any, id: str, who: Any) -> Iterator[Any]:
    if who.due:
        yield RecoverScene(id, chance.pick(*PRIMARIES))
    if who.dazed:
        yield LoseAction(id)
    if who.recovering:
        yield CompleteRecovery(id, chance.pick(*PRIMARIES))
    if who.damage:
        yield Heal(id, who.healing_days + 28, chance.pick(None, None, "spirit"))
        if who.hand:
            yield Heal(id, who.healing_days + 28, cards=(LaidCard(who.hand[0], (CardPoints(0, 1),)),))
            yield Heal(id, who.healing_days + 28, ask_cards=True)


def _owned(chance: Any, id: str, who: Any, roster: list[str]) -> Iterator[Any]:
    """Yield uses of Advantages, lost Backgrounds and settled traits."""
    for key in who.counts:
        if key.startswith(("money", "contacts")) and chance.rng.random() < 0.3:
            yield LoseBackground(id, key, "spent")
        if key == "extra-bead-session":
            yield UseSessionBead(id, chance.element())
        if key == "vortex":
            holding = [other for other in roster if other != id and chance.game.character(other).hand]
            if holding:
                yield ForceVortex(id, chance.rng.choice(holding))
    for trait, told in who.traits.items():
        if told.stage in ("proposed", "countered"):
            does, of = chance.pick(("dice", "Firearms"), ("bead-price", chance.element()), ("card-worth", ""))
            more = (
                ("bead-return", chance.element()),
                ("forced-discard", chance.pick("one", "all")),
                ("difficulty", chance.pick("", "Firearms")),
                ("scene-beads", chance.element()),
            )
            does, of = chance.pick((does, of), *more, ("bead-return", chance.element()))
            yield SetTraitEffect(id, trait, does, chance.pick(1, 2), of)
            yield chance.pick(ApproveTrait(id, trait), ApproveTrait(id, trait), CounterTrait(id, trait, "9", 1))


def _between(chance: Any, id: str, who: Any, chips: set[str]) -> Iterator[Any]:
    """Yield what is possible in an interval. A player with too many chips gives some back or exchanges them."""
    over = _held_by_player(chance, id) > 4
    if over and chips:
        colour = chance.rng.choice(sorted(chips))
        yield GiveBack(id, {colour: 1})
        yield ExchangeChip(id, colour, chance.pick(None, {"plot": 2 * CHIPS[colour]}))
    if "white" in chips and chance.campaign().scenes:
        yield TradeUp(id, {"white": 4}, "red")
    if "red" in chips and chance.campaign().scenes:
        yield TradeDown(id, "red", {"white": 3})
    if not who.allocated:
        yield AllocateBeads(id)
    laid = [element for element in ELEMENTS if chance.game.balance(f"character:{id}/bead:{element}")]
    if who.hand and laid:
        yield ShiftBeads(id, who.hand[0], chance.rng.choice(laid), chance.element(), 1)


def _held_by_player(chance: Any, id: str) -> int:
    table = chance.game.table()
    own = [one for one in table.subjects("character") if table.owner(one) == table.owner(character(id))]
    return sum(chance.game.balance(f"{one}/chip:{colour}") for one in own for colour in CHIPS)


def _played(chance: Any) -> Iterator[Any]:
    here = chance.here()
    for action in here.actions.values() if here is not None else ():
        if action.stage != "open":
            continue
        for place, part in enumerate(action.parts):
            if part.stage == "declared":
                yield from _on(chance, action, place, part)
        yield from _trumps(chance, action)
    yield from _trumps_elsewhere(chance)


def _on(chance: Any, action: Any, place: int, part: Any) -> Iterator[Any]:
    game, id = chance.game, action.character
    if game.balance(f"character:{id}/chip:white"):
        yield ClaimSuccess(action.id, id, place, approved=chance.pick(True, None))
        yield DetermineAction(action.id, id, "He does it.", chip="white", part=place, consequence="It hurts.")
    for key in game.character(id).counts if not part.rolled else ():
        if game.balance(f"character:{id}/die:{key}"):
            yield UsePeriodDice(action.id, key, 1, place)
        if key.startswith("bits"):
            yield UseBit(action.id, place)
    if game.balance(f"character:{id}/bead:{part.roll.element}"):
        use = "add_successes" if part.rolled else chance.pick("add_dice", "add_dice", "free_marginal")
        yield PlayBeads(action.id, id, use, 1, "", place)
    other = chance.rng.choice([one for one in ELEMENTS if one not in game.character(id).primaries] or ELEMENTS)
    if not part.rolled and game.balance(f"character:{id}/bead:{other}"):
        yield PlayBeads(action.id, id, "add_dice", 1, other, place)
    if part.white and not part.rolled:  # it can be a Success anyway
        yield RollDice(action.id, place)
    if part.rolled and part.roll.opposed and game.balance(f"character:{id}/chip:white"):
        yield ClaimSuccess(action.id, id, place)
    if part.rolled and part.roll.opposed and not part.claims:
        yield DeclareSuccesses(action.id, chance.one(), 1, 0, place)
    if part.rolled and part.roll.kind == "to_hit":
        targets = [claim.target for claim in part.claims]
        target = chance.rng.choice(targets) if targets and chance.mostly() else chance.one()
        yield ScoreHit(action.character, target, "Blade", None, action.id, place)
    if part.rolled:
        yield Resolve(action.id)
    for claim in part.claims:
        yield TakeOffSuccesses(action.id, claim.target, 0, part=place)


def _fought(chance: Any) -> Iterator[Any]:
    """Yield cards on damage, resisting and initiative."""
    here = chance.here()
    for hit in here.hits.values() if here is not None else ():
        points = (CardPoints(chance.pick(0, 0, 1), chance.pick(1, 2, 3), chance.pick(0, 0, 0, 1)),)
        card, own = chance.some_card(hit.attacker), chance.some_card(hit.target)
        if hit.stage != "applied":
            yield PlayCardOnDamage(hit.id, hit.attacker, card, points, chance.pick(None, *ELEMENTS))
        if hit.stage == "scored" and hit.location:
            yield RollDamage(hit.id, cards=(LaidCard(card, points),))
        if hit.stage == "rolled":
            yield ResistDamage(hit.id, cards=(LaidCard(own, points),), ask_cards=chance.pick(True, False))
    yield from _beads_on_dice(chance)
    for id in here.cast if here is not None and chance.rng.random() < 0.1 else ():  # cards are for trumps, too
        card, points = chance.some_card(id), (CardPoints(chance.pick(0, 1, 4), chance.pick(1, 2)),)
        whose, coming = chance.pick(None, None, chance.one()), chance.pick(True, False)
        yield PlayCardOnInitiative(id, card, points, whose, coming)


def _roster(game: Any) -> list[str]:
    return [subject.id for subject in game.table().subjects("character")]


def _beads_on_dice(chance: Any) -> Iterator[Any]:
    """Yield beads of the roller, and a Storytelling bead of somebody else."""
    here, game = chance.here(), chance.game
    rolls = [("healing", "", id) for id in _roster(game) if game.character(id).healing is not None]
    if here is not None:
        for hit in here.hits.values():
            rolls += [("damage", hit.id, hit.attacker)] if hit.stage == "rolled" else []
            rolls += [("resisting", hit.id, hit.target)] if hit.stage == "applied" else []
        rolls += [("initiative", "", id) for id in here.initiative.faces]
    for roll, hit_id, whose in rolls:
        other = chance.one()
        named = whose if roll in ("initiative", "healing") else ""
        yield PlayBeadsOnDice(whose, roll, hit_id, number=chance.pick(1, 1, 2))
        fewer = chance.pick(True, False)
        yield PlayBeadsOnDice(other, roll, hit_id, named, 1, "storytelling", fewer)


def _trumps(chance: Any, action: Any) -> Iterator[Any]:
    """Yield cards that trump plays on an action, and chips that trump cards."""
    for play in action.plays[-2:]:
        for subject in chance.game.table().subjects("character"):
            hand = chance.game.state(character(subject.id)).hand
            if play.kind == "beads" and hand:
                lost = play.element not in chance.game.character(play.by).primaries
                again = 1 if not lost else 4 if chance.game.table().dials.trumped_beads_regenerate else 16
                yield from [Trump(action.id, subject.id, play.id, hand[0])] * again
            if play.kind == "card" and chance.rng.random() < 0.3 and chance.game.balance(f"{subject}/chip:white"):
                yield Trump(action.id, subject.id, play.id, chip="white")


def _trumps_elsewhere(chance: Any) -> Iterator[Any]:
    """Yield trumps of plays and dice outside actions: damage, resisting, initiative, healing, stories."""
    here, colour = chance.here(), chance.pick(None, "white", "red")
    roster = [one.id for one in chance.game.table().subjects("character")]
    by = chance.rng.choice(roster)
    card = chance.some_card(by)
    piles: list[tuple[dict[str, str], str, Any]] = []
    if here is not None:
        for hit in here.hits.values():
            plays = here.damage[hit.id].plays if hit.id in here.damage else ()
            piles.append(({"hit": hit.id}, "resisting" if hit.stage == "applied" else "damage", plays))
        piles += [({"change": id}, "", one.plays) for id, one in here.story.items()]
        piles += [({"whose": id}, "initiative", here.initiative.plays.get(id, ())) for id in here.initiative.faces]
        piles += [({"whose": id}, "", plays) for id, plays in here.initiative.waiting.items()]
    piles += [({"change": id}, "", one.plays) for id, one in chance.campaign().story.items()]
    for id in roster:
        if chance.game.character(id).healing is not None:
            piles.append(({"whose": id}, "healing", chance.game.character(id).healing.plays))
    for named, dice, plays in piles:
        for on in (*(one.id for one in plays[-2:]), *((dice,) if dice else ())):
            yield Trump("", by, on, card, allowed=True, **chance.pick(named, named, {}))
            if chance.rng.random() < (0.5 if on == "resisting" else 0.1):
                yield TrumpByFiat("", on, colour, "the story", **named)


def _told(chance: Any) -> Iterator[Any]:
    here = chance.here()
    if here is None:
        return
    for subject in chance.game.table().subjects("character"):
        if chance.game.balance(f"{subject}/bead:storytelling"):
            yield ChangeStory(subject.id, 1, "The door is open.")
    for change, told in here.story.items():
        if not told.vetoed:
            yield chance.pick(VetoStory(change, "no"), AmendStory(change, "It is ajar."))


def _seldom(chance: Any) -> Iterator[Any]:
    """Yield what would happen too rarely otherwise."""
    game, here = chance.game, chance.here()
    roster = [one.id for one in game.table().subjects("character")]
    chips = {id: colour for id in roster for colour in CHIPS if game.balance(f"character:{id}/chip:{colour}")}
    if chips and chance.rng.random() < 0.3:
        id = chance.rng.choice(list(chips))
        yield chance.pick(GiveBack(id, {chips[id]: 1}), Penalise(id, "vain", {chips[id]: 1}))
    if here is None:
        if any(not game.character(id).allocated for id in roster):
            yield AnnounceScene()
        if chance.rng.random() < 0.3:
            yield TallyNominations(None, True)
        yield from (RecoverScene(id, PRIMARIES[0]) for id in roster if game.character(id).due)
        return
    if chance.rng.random() < 0.3:
        yield chance.pick(DeclareRecovery(chance.one()), DrawVillains(1))
    if chance.rng.random() < 0.1:
        yield commands.CloseScene(game.table().scene.id)
    for hit in here.hits.values():
        if hit.stage == "scored" and not hit.location:
            yield SetLocation(hit.id, chance.pick("arm", "head"))
        elif hit.stage == "scored":
            yield RollDamage(hit.id)
        elif hit.stage == "rolled":
            yield ResistDamage(hit.id)
