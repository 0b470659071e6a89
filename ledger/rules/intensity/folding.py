"""The fold: a subject's state after a fact. Total: a fact whose round, attack, impact or fatal is gone goes adrift."""

from __future__ import annotations

from typing import assert_never

from ledger.rules.contract import SubjectKind
from ledger.rules.intensity import facts
from ledger.rules.intensity.facts import Fact
from ledger.rules.intensity.state import (
    Campaign,
    Character,
    Die,
    Fatal,
    OpenAttack,
    Participant,
    Round,
    Scene,
    Seat,
    State,
    Weight,
    changed,
    pair,
)
from ledger.rules.intensity.terms import UNTOUCHED, DieName, Turn


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


def apply(state: State, done: Fact) -> State:
    """The state after the fact; the fact in `adrift` when it finds no ground there."""
    after: State | None
    match state:
        case Character():
            after = _character(state, done)
        case Scene():
            after = _scene(state, done)
        case Campaign():
            after = _campaign(state, done)
        case Seat():
            after = None
        case _:
            assert_never(state)
    return after if after is not None else changed(state, adrift=(*state.adrift, done))


# --- a character --------------------------------------------------------------------------------------------------


def _character(was: Character, done: Fact) -> Character | None:
    if was.kind is None and not isinstance(done, facts.CharacterCreated):
        return None
    match done:
        case facts.CharacterCreated():
            return changed(was, kind=done.kind, traits=done.traits)
        case facts.TraitTaxed():
            return _weighed(was, done.impact, Weight("tax", done.trait, done.by, done.cause))
        case facts.TraitDamaged():
            return _weighed(was, done.impact, Weight("damage", done.trait, done.by, done.cause))
        case facts.CharacterWounded():
            return _weighed(was, done.impact, Weight("wound", None, done.by, done.cause))
        case facts.TaxEnded():
            return _relieved(was, done.impact)
        case facts.ImpactHealed():
            relieved = _relieved(was, done.impact)
            return changed(relieved, healed_on=done.day) if relieved is not None else None
        case facts.CharacterTakenOut():
            return changed(was, out="permanent" if was.out == "permanent" else done.until)
        case facts.ReturnedToPlay() if was.out == "scene":
            return changed(was, out=None)
        case facts.AdvantageGained() | facts.HealingDeclined():
            return was
        case _:
            return None


def _weighed(was: Character, id: str, weight: Weight) -> Character:
    return changed(was, impacts={**was.impacts, id: weight})


def _relieved(was: Character, id: str) -> Character | None:
    if id not in was.impacts:
        return None
    return changed(was, impacts={other: weight for other, weight in was.impacts.items() if other != id})


# --- the campaign -------------------------------------------------------------------------------------------------


def _campaign(was: Campaign, done: Fact) -> Campaign | None:
    match done:
        case facts.ConflictLinked() | facts.ConflictNoted():
            link = pair(done.a, done.b)
            return was if link in was.links else changed(was, links=was.links | {link})
        case facts.ConflictLinksCleared():
            return changed(was, links=frozenset())
        case facts.HealingMomentHeld():
            return changed(was, healed_on=done.day)
        case facts.RestAllowed():
            return changed(was, last_scene=done.scene)
        case facts.RestTaken():
            return was
        case _:
            return None


# --- a scene: its fatals, then its round, then the open attack ----------------------------------------------------


def _scene(was: Scene, done: Fact) -> Scene | None:
    match done:
        case facts.FatalHeld():
            held = Fatal(done.holder, done.subject, done.trait_used, done.attack)
            return changed(was, fatals={**was.fatals, done.fatal: held})
        case facts.FatalUsed() | facts.FatalReleased() | facts.FatalLapsed():
            if done.fatal not in was.fatals:
                return None
            return changed(was, fatals={id: held for id, held in was.fatals.items() if id != done.fatal})
        case facts.RoundOpened():
            return changed(was, round=Round(done.round, {id: Participant() for id in done.participants}))
        case facts.OutcomeNegotiated() if done.attack is None:
            return was
        case (
            facts.AttackOpened()
            | facts.ActionDeclared()
            | facts.IntensityRaised()
            | facts.DeclarationAmended()
            | facts.DiceRolled()
            | facts.RoundLeft()
            | facts.OrderEstablished()
            | facts.TieSettled()
            | facts.ActionPassed()
            | facts.ActionForfeited()
            | facts.ActionLapsed()
            | facts.RoundClosed()
            | facts.RoundAbandoned()
        ):
            return _in_round(was, done) if was.round is not None and was.round.id == done.round else None
        case (
            facts.DefenceChosen()
            | facts.DefenceRolled()
            | facts.AdvantageSpent()
            | facts.DefenceDieRerolled()
            | facts.AttackResolved()
            | facts.AttackLapsed()
            | facts.ImpactChosen()
            | facts.ImpactWaived()
            | facts.OutcomeNegotiated()
        ):
            attack = was.round.attack if was.round is not None else None
            if was.round is None or attack is None or attack.id != done.attack:
                return None
            after = _in_attack(was.round, attack, done)
            return changed(was, round=after) if after is not None else None
        case _:
            return None


def _in_round(was: Scene, done: Fact) -> Scene | None:
    assert was.round is not None
    after: Round | None
    match done:
        case facts.RoundClosed() | facts.RoundAbandoned():
            return changed(was, round=None)
        case facts.ActionDeclared() | facts.IntensityRaised():
            level = done.level if isinstance(done, facts.ActionDeclared) else done.to_level
            after = _declared(was.round, done.char, done)
            return changed(was, round=after, levels={**was.levels, done.char: level}) if after is not None else None
        case facts.OrderEstablished():
            after = _ordered(was.round, done)
        case facts.TieSettled():
            after = changed(was.round, rankings=(*was.round.rankings, done.ranking))
        case facts.AttackOpened():
            after = _attacked(was.round, done)
        case facts.RoundLeft():
            after = _left(was.round, done.char)
        case facts.ActionPassed():
            after = _turned(was.round, done.char, "passed")
        case facts.ActionForfeited():
            after = _turned(was.round, done.char, "forfeited")
        case facts.ActionLapsed():
            after = _turned(was.round, done.char, "lapsed")
        case facts.DeclarationAmended() | facts.DiceRolled():
            after = _declared(was.round, done.char, done)
        case _:
            return None
    return changed(was, round=after) if after is not None else None


def _with(was: Round, char: str, after: Participant) -> Round:
    return changed(was, participants={**was.participants, char: after})


def _declared(was: Round, char: str, done: Fact) -> Round | None:
    """What one participant says or rolls before the order is known."""
    if char not in was.participants:
        return None
    one = was.participants[char]
    match done:
        case facts.ActionDeclared():
            one = changed(one, level=done.level, target=done.target, trait=done.trait, text=done.text)
        case facts.IntensityRaised():
            one = changed(one, level=done.to_level)
        case facts.DeclarationAmended():
            after = done.after
            target = one.target if after.target == UNTOUCHED else after.target
            one = changed(one, target=target, trait=one.trait if after.trait == UNTOUCHED else after.trait)
        case facts.DiceRolled():
            dice: dict[DieName, Die] = {"intensity": Die(done.intensity.size, done.intensity.face)}
            if done.trait is not None:
                dice["trait"] = Die(done.trait.size, done.trait.face)
            one = changed(one, dice=dice)
        case _:
            return None
    return _with(was, char, one)


def _left(was: Round, char: str) -> Round | None:
    """Gone from the round, and nobody's target any more."""
    if char not in was.participants:
        return None
    others = {
        id: changed(one, target=None) if one.target == char else one
        for id, one in was.participants.items()
        if id != char
    }
    return changed(was, participants=others)


def _ordered(was: Round, done: facts.OrderEstablished) -> Round:
    participants = {
        id: changed(one, turn="none" if one.target is None else "pending") for id, one in was.participants.items()
    }
    return changed(was, participants=participants, groups=done.groups)


def _turned(was: Round, char: str, turn: Turn) -> Round | None:
    one = was.participants.get(char)
    return _with(was, char, changed(one, turn=turn)) if one is not None else None


def _attacked(was: Round, done: facts.AttackOpened) -> Round | None:
    attacker = was.participants.get(done.attacker)
    if attacker is None or done.defender not in was.participants:
        return None
    after = _with(was, done.attacker, changed(attacker, turn="acted", target=done.defender))
    return changed(after, attack=OpenAttack(done.attack, done.attacker, done.defender))


def _in_attack(was: Round, attack: OpenAttack, done: Fact) -> Round | None:
    match done:
        case facts.DefenceChosen():
            after = _with_dice(was, attack, dict.fromkeys(done.picked_up))
            return changed(after, attack=changed(attack, answered=True)) if after is not None else None
        case facts.DefenceRolled():
            return _with_dice(was, attack, {rolled.die: rolled.face for rolled in done.faces})
        case facts.DefenceDieRerolled():
            return _with_dice(was, attack, {done.die: done.new})
        case facts.AdvantageSpent():
            return changed(was, attack=changed(attack, bought=(*attack.bought, done.effect)))
        case facts.AttackResolved() if done.success:
            return changed(was, attack=changed(attack, success=True))
        case _:
            return changed(was, attack=None)


def _with_dice(was: Round, attack: OpenAttack, faces: dict[DieName, int | None]) -> Round | None:
    """The defender's dice picked up (None), or rolled against this attack (a face)."""
    defender = was.participants.get(attack.defender)
    if defender is None or not all(die in defender.dice for die in faces):
        return None
    if not faces:
        return was
    dice = dict(defender.dice)
    for name, face in faces.items():
        die = dice[name]
        dice[name] = (
            changed(die, picked_up=True)
            if face is None
            else changed(die, picked_up=True, defence=face, against=attack.id)
        )
    return _with(was, attack.defender, changed(defender, dice=dice))
