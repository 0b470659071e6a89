"""The fold: a subject's state after a fact. Total: a fact whose round, attack, impact or fatal is gone goes adrift.

Tables say what each fact does to a character, the campaign, a scene, its round, its open attack: tables, and not one
long `match`, because the fold runs over every fact of a campaign.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, assert_never

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
    pair,
)
from ledger.rules.intensity.terms import UNTOUCHED, DieName, Turn
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.subjects import SubjectKind


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
        case Scene():
            after = _scene(state, done)
        case Character():
            after = _character(state, done)
        case Campaign():
            after = _campaign(state, done)
        case Seat():
            after = None
        case _:
            assert_never(state)
    return after if after is not None else changed(state, adrift=(*state.adrift, done))


# --- a character --------------------------------------------------------------------------------------------------


def _character(was: Character, done: Fact) -> Character | None:
    change = TO_A_CHARACTER.get(type(done))
    if change is None or (was.kind is None and type(done) is not facts.CharacterCreated):
        return None
    return change(was, done)


def _created(was: Character, done: facts.CharacterCreated) -> Character:
    return changed(was, kind=done.kind, traits=done.traits)


def _taxed(was: Character, done: facts.TraitTaxed) -> Character:
    return changed(was, impacts={**was.impacts, done.impact: Weight("tax", done.trait, done.by, done.cause)})


def _damaged(was: Character, done: facts.TraitDamaged) -> Character:
    return changed(was, impacts={**was.impacts, done.impact: Weight("damage", done.trait, done.by, done.cause)})


def _wounded(was: Character, done: facts.CharacterWounded) -> Character:
    return changed(was, impacts={**was.impacts, done.impact: Weight("wound", None, done.by, done.cause)})


def _tax_ended(was: Character, done: facts.TaxEnded) -> Character | None:
    if done.impact not in was.impacts:
        return None
    return changed(was, impacts=_without(was.impacts, done.impact))


def _healed(was: Character, done: facts.ImpactHealed) -> Character | None:
    if done.impact not in was.impacts:
        return None
    return changed(was, impacts=_without(was.impacts, done.impact), healed_on=done.day)


def _taken_out(was: Character, done: facts.CharacterTakenOut) -> Character:
    """Out for good is not undone by a fate that reaches only to the scene's end."""
    return changed(was, out="permanent" if was.out == "permanent" else done.until)


def _mutilated(was: Character, done: facts.TraitMutilated) -> Character | None:
    if done.trait not in [trait.name for trait in was.traits]:
        return None
    after = (changed(trait, base=done.base) if trait.name == done.trait else trait for trait in was.traits)
    return changed(was, traits=tuple(after))


def _returned(was: Character, done: facts.ReturnedToPlay) -> Character | None:
    return changed(was, out=None) if was.out == "scene" else None


def _unchanged(was: Any, done: Any) -> Any:
    """The fact moves something countable, or is testimony; the state is as it was."""
    return was


def _without(kept: Mapping[str, Any], id: str) -> dict[str, Any]:
    return {other: one for other, one in kept.items() if other != id}


TO_A_CHARACTER: Mapping[type, Callable[[Character, Any], Character | None]] = {
    facts.CharacterCreated: _created,
    facts.TraitTaxed: _taxed,
    facts.TraitDamaged: _damaged,
    facts.CharacterWounded: _wounded,
    facts.TaxEnded: _tax_ended,
    facts.ImpactHealed: _healed,
    facts.CharacterTakenOut: _taken_out,
    facts.ReturnedToPlay: _returned,
    facts.TraitMutilated: _mutilated,
    facts.AdvantageGained: _unchanged,
    facts.HealingDeclined: _unchanged,
}

# --- the campaign -------------------------------------------------------------------------------------------------


def _campaign(was: Campaign, done: Fact) -> Campaign | None:
    change = TO_THE_CAMPAIGN.get(type(done))
    return change(was, done) if change is not None else None


def _linked(was: Campaign, done: facts.ConflictLinked | facts.ConflictNoted) -> Campaign:
    link = pair(done.a, done.b)
    return was if link in was.links else changed(was, links=(*was.links, link))


def _links_cleared(was: Campaign, done: facts.ConflictLinksCleared) -> Campaign:
    return changed(was, links=())


def _moment_held(was: Campaign, done: facts.HealingMomentHeld) -> Campaign:
    return changed(was, healed_on=done.day)


def _rest_allowed(was: Campaign, done: facts.RestAllowed) -> Campaign:
    return changed(was, last_scene=done.scene)


TO_THE_CAMPAIGN: Mapping[type, Callable[[Campaign, Any], Campaign]] = {
    facts.ConflictLinked: _linked,
    facts.ConflictNoted: _linked,
    facts.ConflictLinksCleared: _links_cleared,
    facts.HealingMomentHeld: _moment_held,
    facts.HealingMomentClosed: _unchanged,
    facts.RestAllowed: _rest_allowed,
    facts.RestTaken: _unchanged,
}

# --- a scene ------------------------------------------------------------------------------------------------------


def _scene(was: Scene, done: Any) -> Scene | None:
    """A fact about the open attack, about the round, or about the scene itself."""
    round, word = was.round, type(done)
    if word in TO_THE_ATTACK and not (word is facts.OutcomeNegotiated and done.attack is None):
        if round is None or round.attack is None or round.attack.id != done.attack:
            return None
        after = TO_THE_ATTACK[word](round, round.attack, done)
    elif word in TO_THE_ROUND:
        if round is None or round.id != done.round:
            return None
        after = TO_THE_ROUND[word](round, done)
    else:
        return TO_A_SCENE[word](was, done) if word in TO_A_SCENE else None
    if after is None:
        return None
    levels = was.levels
    if word is facts.ActionDeclared:
        levels = {**levels, done.char: done.level}
    elif word is facts.IntensityRaised:
        levels = {**levels, done.char: done.to_level}
    return Scene(after, was.fatals, levels, was.adrift)


def _round_opened(was: Scene, done: facts.RoundOpened) -> Scene:
    return changed(was, round=Round(done.round, {id: Participant() for id in done.participants}))


def _round_over(was: Scene, done: facts.RoundClosed | facts.RoundAbandoned) -> Scene | None:
    return changed(was, round=None) if was.round is not None and was.round.id == done.round else None


def _fatal_held(was: Scene, done: facts.FatalHeld) -> Scene:
    held = Fatal(done.holder, done.subject, done.trait_used, done.attack)
    return changed(was, fatals={**was.fatals, done.fatal: held})


def _fatal_gone(was: Scene, done: facts.FatalUsed | facts.FatalReleased | facts.FatalLapsed) -> Scene | None:
    return changed(was, fatals=_without(was.fatals, done.fatal)) if done.fatal in was.fatals else None


def _declined(was: Scene, done: facts.BargainDeclined) -> Scene | None:
    """Its attack, if it was about one, is still open."""
    open_attack = was.round.attack if was.round is not None else None
    return was if done.attack is None or (open_attack and open_attack.id == done.attack) else None


def _withheld(was: Scene, done: facts.FatalWithheld) -> Scene | None:
    return was if done.fatal in was.fatals else None


TO_A_SCENE: Mapping[type, Callable[[Scene, Any], Scene | None]] = {
    facts.RoundOpened: _round_opened,
    facts.RoundClosed: _round_over,
    facts.RoundAbandoned: _round_over,
    facts.FatalHeld: _fatal_held,
    facts.FatalUsed: _fatal_gone,
    facts.FatalReleased: _fatal_gone,
    facts.FatalLapsed: _fatal_gone,
    facts.FatalWithheld: _withheld,
    facts.OutcomeNegotiated: _unchanged,
    facts.BargainDeclined: _declined,
}

# --- the round ----------------------------------------------------------------------------------------------------


def _with(was: Round, char: str, after: Participant) -> Round:
    return Round(was.id, {**was.participants, char: after}, was.groups, was.rankings, was.attack, was.begun)


def _declared(was: Round, done: facts.ActionDeclared) -> Round | None:
    one = was.participants.get(done.char)
    if one is None:
        return None
    return _with(was, done.char, Participant(done.level, done.target, done.trait, done.text, one.dice, one.turn))


def _raised(was: Round, done: facts.IntensityRaised) -> Round | None:
    one = was.participants.get(done.char)
    return _with(was, done.char, changed(one, level=done.to_level)) if one is not None else None


def _amended(was: Round, done: facts.DeclarationAmended) -> Round | None:
    one = was.participants.get(done.char)
    if one is None:
        return None
    target = one.target if done.after.target == UNTOUCHED else done.after.target
    trait = one.trait if done.after.trait == UNTOUCHED else done.after.trait
    return _with(was, done.char, changed(one, target=target, trait=trait, text=done.after.text or one.text))


def _rolled(was: Round, done: facts.DiceRolled) -> Round | None:
    one = was.participants.get(done.char)
    if one is None:
        return None
    dice: dict[DieName, Die] = {"intensity": Die(done.intensity.size, done.intensity.face)}
    if done.trait is not None:
        dice["trait"] = Die(done.trait.size, done.trait.face)
    after = Participant(one.level, one.target, one.trait, one.text, dice, one.turn)
    return Round(was.id, {**was.participants, done.char: after}, was.groups, was.rankings, was.attack, True)


def _left(was: Round, done: facts.RoundLeft) -> Round | None:
    """Gone from the round, and nobody's target any more."""
    if done.char not in was.participants:
        return None
    others = {
        id: changed(one, target=None) if one.target == done.char else one
        for id, one in was.participants.items()
        if id != done.char
    }
    return changed(was, participants=others)


def _ordered(was: Round, done: facts.OrderEstablished) -> Round:
    participants = {
        id: changed(one, turn="none" if one.target is None else "pending") for id, one in was.participants.items()
    }
    return changed(was, participants=participants, groups=done.groups)


def _tie_settled(was: Round, done: facts.TieSettled) -> Round:
    return changed(was, rankings=(*was.rankings, done.ranking))


def _turned(turn: Turn) -> Callable[[Round, Any], Round | None]:
    def apply(was: Round, done: Any) -> Round | None:
        one = was.participants.get(done.char)
        return _with(was, done.char, changed(one, turn=turn)) if one is not None else None

    return apply


def _attacked(was: Round, done: facts.AttackOpened) -> Round | None:
    attacker = was.participants.get(done.attacker)
    if attacker is None or done.defender not in was.participants:
        return None
    after = changed(attacker, turn="acted", target=done.defender)
    attack = OpenAttack(done.attack, done.attacker, done.defender)
    return Round(was.id, {**was.participants, done.attacker: after}, was.groups, was.rankings, attack, was.begun)


TO_THE_ROUND: Mapping[type, Callable[[Round, Any], Round | None]] = {
    facts.ActionDeclared: _declared,
    facts.IntensityRaised: _raised,
    facts.DeclarationAmended: _amended,
    facts.DiceRolled: _rolled,
    facts.RoundLeft: _left,
    facts.OrderEstablished: _ordered,
    facts.TieSettled: _tie_settled,
    facts.ActionPassed: _turned("passed"),
    facts.ActionForfeited: _turned("forfeited"),
    facts.ActionLapsed: _turned("lapsed"),
    facts.AttackOpened: _attacked,
}

# --- the open attack ----------------------------------------------------------------------------------------------


def _defence_chosen(was: Round, attack: OpenAttack, done: facts.DefenceChosen) -> Round | None:
    after = _with_dice(was, attack, dict.fromkeys(done.picked_up))
    answered = changed(attack, answered=True, let_stand=done.let_stand)
    return changed(after, attack=answered) if after is not None else None


def _defence_rolled(was: Round, attack: OpenAttack, done: facts.DefenceRolled) -> Round | None:
    return _with_dice(was, attack, {rolled.die: rolled.face for rolled in done.faces})


def _die_rerolled(was: Round, attack: OpenAttack, done: facts.DefenceDieRerolled) -> Round | None:
    return _with_dice(was, attack, {done.die: done.new})


def _with_dice(was: Round, attack: OpenAttack, faces: Mapping[DieName, int | None]) -> Round | None:
    """The defender's dice picked up (None), or rolled against this attack (a face)."""
    if not faces:
        return was
    defender = was.participants.get(attack.defender)
    if defender is None or not all(die in defender.dice for die in faces):
        return None
    dice = dict(defender.dice)
    for name, face in faces.items():
        die = dice[name]
        if face is None:
            dice[name] = Die(die.size, die.face, True, die.defence, die.against)
        else:
            dice[name] = Die(die.size, die.face, True, face, attack.id)
    return _with(was, attack.defender, changed(defender, dice=dice))


def _bought(was: Round, attack: OpenAttack, done: facts.AdvantageSpent) -> Round:
    return changed(was, attack=changed(attack, bought=(*attack.bought, done.effect)))


def _resolved(was: Round, attack: OpenAttack, done: facts.AttackResolved) -> Round:
    return changed(was, attack=changed(attack, success=True) if done.success else None)


def _closed(was: Round, attack: OpenAttack, done: Any) -> Round:
    return changed(was, attack=None)


TO_THE_ATTACK: Mapping[type, Callable[[Round, OpenAttack, Any], Round | None]] = {
    facts.DefenceChosen: _defence_chosen,
    facts.DefenceRolled: _defence_rolled,
    facts.DefenceDieRerolled: _die_rerolled,
    facts.AdvantageSpent: _bought,
    facts.AttackResolved: _resolved,
    facts.AttackLapsed: _closed,
    facts.ImpactChosen: _closed,
    facts.ImpactWaived: _closed,
    facts.OutcomeNegotiated: _closed,
}
