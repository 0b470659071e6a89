"""The fold: a subject's state after a fact. Total: a fact whose ground (an action ...) is gone goes adrift.

Each kind of fact changes one kind of subject; what it changes is a function of the state and the fact alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from ledger.rules.contract import SubjectKind
from ledger.rules.moc import facts as f
from ledger.rules.moc.folding_scenes import SCENES
from ledger.rules.moc.state import Campaign, Character, Scene, Seat, State, Trait
from ledger.rules.moc.tables import Location, Skill, Weapon
from ledger.rules.moc.terms import CASCADE, MOST_DAMAGE, POINT, PRIMARIES
from ledger.rules.record import changed, changing

_hurt = changing(Character, "damage", "pain", "pain_turn")
_pained = changing(Character, "pain_turn")
_tired = changing(Character, "fatigue")
_laid = changing(Character, "allocated")
_holding = changing(Character, "hand")
_dazed = changing(Character, "dazed")


def blank(kind: SubjectKind) -> State:
    match kind:
        case "character":
            return Character()
        case "scene":
            return Scene()
        case "campaign":
            return Campaign()
        case "seat":
            return Seat()
        case _:
            assert_never(kind)


def apply(state: Any, done: Any) -> Any:
    """The state after the fact; the fact in `adrift` when it finds no ground there."""
    found = CHANGES.get(type(done))
    if found is not None and type(state) is found[0]:
        after = found[1](state, done)
        if after is not None:
            return after
    return changed(state, adrift=(*state.adrift, done))


# --- the campaign and its seats ---


def _row(was: Campaign, done: f.TableRowSet) -> Campaign | None:
    match done.table:
        case "skills":
            return changed(was, skills={**was.skills, done.row: done.skill or Skill("action", "body", (), 0)})
        case "weapons":
            return changed(was, weapons={**was.weapons, done.row: done.weapon or Weapon(False, 0, 0)})
        case "locations":
            return changed(was, locations={**was.locations, done.row: done.location or Location(0, 0, 0)})
        case "healing":
            return changed(was, healing={**was.healing, done.row: done.number})
        case "ag":
            return changed(was, ag={**was.ag, done.row: done.number})
        case "uses":
            return changed(was, uses={**was.uses, done.row: done.text})
        case _:
            return None


def _arc_ended(was: Campaign, done: f.ArcEnded) -> Campaign | None:
    return changed(was, arc=None, arc_ended=True) if was.arc == done.arc else None


def _nominated(was: Seat, done: f.NominationMade) -> Seat:
    named = was.named if was.session == done.session else ()
    return changed(was, session=done.session, named=(*named, done.nominee))


# --- characters ---


def _created(was: Character, done: f.CharacterCreated) -> Character:
    ratings = {**dict.fromkeys(PRIMARIES, 1), **dict.fromkeys(CASCADE, 1)}
    return changed(
        was, archetype=done.archetype, villain=done.villain, primaries=done.primaries, secondaries=done.secondaries,
        ratings=ratings, budget=done.budget,
    )  # fmt: skip


def _bought(was: Character, done: f.LevelBought) -> Character | None:
    match done.what:
        case "characteristic":
            return changed(was, ratings={**was.ratings, done.name: done.to}) if was.ratings else None
        case "skill":
            return changed(was, skills={**was.skills, done.name: done.to})
        case "extra-primary":
            return changed(was, primaries=(*was.primaries, done.element))
        case "extra-secondary":
            return changed(was, secondaries=(*was.secondaries, done.element))
        case "change-secondary":
            kept = tuple(one for one in was.secondaries if one != done.instead)
            return changed(was, secondaries=(*kept, done.element))
        case _:
            key = f"{done.what}:{done.name}" if done.name else done.what
            after = changed(was, counts={**was.counts, key: done.to})
            return changed(after, elements={**was.elements, key: done.element}) if done.element else after


def _trait(was: Character, id: str, **new: Any) -> Character | None:
    trait = was.traits.get(id)
    return changed(was, traits={**was.traits, id: changed(trait, **new)}) if trait is not None else None


def _countered(was: Character, done: f.TraitCountered) -> Character | None:
    return _trait(was, done.trait, effect=done.effect, cost=done.cost, stage="countered")


def _lost(was: Character, done: f.BackgroundLost) -> Character | None:
    if done.what in was.traits:
        return _trait(was, done.what, stage="lost")
    if done.what not in was.counts:
        return None
    return changed(was, counts={key: n for key, n in was.counts.items() if key != done.what})


def _without(hand: tuple[str, ...], card: str) -> tuple[str, ...] | None:
    if card not in hand:
        return None
    place = hand.index(card)
    return (*hand[:place], *hand[place + 1 :])


def _card_gone(was: Character, done: Any) -> Character | None:
    hand = _without(was.hand, done.card)
    return _holding(was, hand) if hand is not None else None


def _kept(was: Character, done: f.CardsKept) -> Character:
    return changed(was, hand=(*was.hand, *done.cards))


def _returned(was: Character, done: f.EffectModifierReturned) -> Character:
    return _holding(was, (*was.hand, done.card)) if done.card else was


def _used(was: Character, what: str, number: int) -> Character:
    return changed(was, used={**was.used, what: was.used.get(what, 0) + number})


def _dice_returned(was: Character, done: f.PeriodDiceReturned) -> Character:
    """What was used in that period is there again."""
    ending = f":{done.period}"
    return changed(was, used={key: n for key, n in was.used.items() if not key.endswith(ending)})


def _harmed(was: Character, done: f.HarmApplied) -> Character:
    """Damage never goes past six: the rest is lost."""
    damage = min(MOST_DAMAGE, was.damage + done.damage) if done.damage else was.damage
    return _hurt(was, damage, was.pain + done.pain, was.pain_turn + done.pain)


def _scene_recovered(was: Character, done: f.SceneRecoveryTaken) -> Character:
    return changed(was, fatigue=max(0, was.fatigue - done.fatigue), due=max(0, was.due - 1))


def _same(was: Any, done: Any) -> Any:
    return was


_ON_CHARACTERS: dict[type, Callable[[Character, Any], Character | None]] = {
    f.CharacterCreated: _created,
    f.LevelBought: _bought,
    f.TraitProposed: lambda was, done: changed(
        was, traits={**was.traits, done.trait: Trait(done.what, done.name, done.effect, done.cost)}
    ),
    f.TraitCountered: _countered,
    f.TraitApproved: lambda was, done: _trait(was, done.trait, cost=done.cost, stage="approved"),
    f.BackgroundLost: _lost,
    f.CharacterSacrificed: lambda was, done: changed(was, status="sacrificed"),
    f.ChipsReturned: _same,
    f.ChipsInherited: _same,
    f.CharacterDowned: lambda was, done: changed(was, status="down"),
    f.StatusSet: lambda was, done: changed(was, status=done.status),
    f.CardsDrawn: lambda was, done: changed(was, drawn=done.session, seen_by=done.seen_by),
    f.CardsKept: _kept,
    f.HandDiscarded: lambda was, done: _holding(was, ()),
    f.CardDiscarded: _card_gone,
    f.CardExchangedForBeads: _card_gone,
    f.CardShiftedBeads: _card_gone,
    f.ChipsTradedUp: _same,
    f.ChipsTradedDown: _same,
    f.ChipsGivenBack: _same,
    f.ChipSpentOnCards: _same,
    f.ChipExchangedForCards: lambda was, done: changed(was, hand=(*was.hand, *done.cards), seen_by=done.seen_by),
    f.ChipExchangedForBeads: _same,
    f.ChipBecamePoint: lambda was, done: changed(was, earned=was.earned + POINT),
    f.ChipAwarded: _same,
    f.ChipsPenalised: _same,
    f.BeadsAllocated: lambda was, done: _laid(was, True),
    f.BeadsEnded: lambda was, done: _laid(was, False),
    f.BeadsTrumped: lambda was, done: _used(was, "trumped-beads:session", done.number),
    f.SessionBeadUsed: lambda was, done: _used(was, "extra-bead:session", 1),
    f.PeriodDiceGiven: _same,
    f.PeriodDiceUsed: lambda was, done: _used(was, done.advantage, done.number),
    f.PeriodDiceReturned: _dice_returned,
    f.VortexForced: lambda was, done: _used(was, "vortex:session", 1),
    f.TokensFilled: _same,
    f.TokenSpent: _same,
    f.TokensLost: _same,
    f.FatigueGained: lambda was, done: _tired(was, was.fatigue + done.number),
    f.HarmApplied: _harmed,
    f.CharacterDazed: lambda was, done: _dazed(was, True),
    f.DazeEnded: lambda was, done: _dazed(was, False),
    f.TurnPassed: lambda was, done: _pained(was, 0),
    f.SceneRecoveryDue: lambda was, done: changed(was, due=done.steps),
    f.SceneRecoveryTaken: _scene_recovered,
    f.RecoveryDeclared: lambda was, done: changed(was, recovering=True),
    f.RecoveryPreEmpted: lambda was, done: changed(was, recovering=False),
    f.RecoveryCompleted: lambda was, done: changed(was, recovering=False, pain=max(0, was.pain - done.pain)),
    f.MovementMade: _same,
    f.DamageHealed: lambda was, done: changed(was, damage=max(0, was.damage - 1)),
    f.HealingFailed: _same,
    f.CardPlayedOnHealing: _same,
    f.EffectModifierReturned: _returned,
    f.EffectModifierRestored: _same,
}
_ON_CAMPAIGNS: dict[type, Callable[[Campaign, Any], Campaign | None]] = {
    f.TableRowSet: _row,
    f.ArcOpened: lambda was, done: changed(was, arc=done.arc, arc_name=done.name, arc_ended=False),
    f.PurseEnlarged: _same,
    f.ArcEnded: _arc_ended,
    f.PlayBegun: lambda was, done: changed(was, out=(), dealt=False, last_session=done.session),
    f.SessionEnded: lambda was, done: changed(was, out=(), dealt=False),
    f.IntervalOpened: lambda was, done: changed(was, phase="interval"),
    f.IntervalEnded: lambda was, done: changed(was, phase="running", scenes=was.scenes + 1),
    f.DeckCut: lambda was, done: changed(was, out=(*was.out, *done.cards), dealt=was.dealt or done.by_ledger),
    f.DeckCounted: _same,
    f.NominationsTallied: lambda was, done: changed(was, tallied=done.session),
}
CHANGES: dict[type, tuple[type, Callable[[Any, Any], Any]]] = {
    **{kind: (Character, change) for kind, change in _ON_CHARACTERS.items()},
    **{kind: (Campaign, change) for kind, change in _ON_CAMPAIGNS.items()},
    **{kind: (Scene, change) for kind, change in SCENES.items()},
    f.NominationMade: (Seat, _nominated),
}
