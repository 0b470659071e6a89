"""Actions: attacking, defending, and what comes of it."""

from __future__ import annotations

from ledger.rules.intensity import accounts
from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.faces import ask_face, check_face
from ledger.rules.intensity.facts_of_attacks import (
    AttackOpened,
    AttackResolved,
    DefenceChosen,
    DefenceRolled,
    RolledDefence,
)
from ledger.rules.intensity.facts_of_rounds import ActionForfeited, ConflictLinked
from ledger.rules.intensity.guards import check_once, the_attack, the_round, the_scene
from ledger.rules.intensity.impact import explain_rating, rating_of
from ledger.rules.intensity.inputs_of_attacks import Attack, Defend, Resolve
from ledger.rules.intensity.order import check_turn, explain_turn, standing
from ledger.rules.intensity.state import Die, OpenAttack, Participant, Round
from ledger.rules.intensity.tables import BONUS
from ledger.rules.intensity.terms import DieName, is_die
from ledger.rules.intensity.traits import sizes_of
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Subject


def attack(draft: Draft, do: Attack) -> None:
    """The next pending participant acts against the declared target, with whatever still stands."""
    rule = "intensity.action.attack"
    draft.known(do.char)
    if do.target is not None:
        draft.known(do.target)
    place = the_scene(draft, rule)
    round = the_round(place, rule)
    attacker = check_turn(draft, round, do.char, rule)
    defender = _target(draft, round, do, attacker)
    faces = tuple(die.face for die in standing(attacker))
    draft.tell(place.subject, AttackOpened(draft.table.new_id(), round.id, do.char, defender, faces, do.text))
    explain_turn(draft, round, do.char)
    draft.by(rule, max(faces, default=0), standing=list(faces))
    if defender != attacker.target:
        a, b = draft.in_name_order((do.char, defender))
        draft.campaign_wide(ConflictLinked(a, b, round.id))
        draft.by("intensity.action.target-gone", defender, declared=attacker.target)


def _target(draft: Draft, round: Round, do: Attack, attacker: Participant) -> str:
    """intensity.action.target-gone: another target only when the declared one is out and the table lets it be."""
    rule = "intensity.action.target-gone"
    declared = attacker.target
    there = declared is not None and declared in round.participants and not draft.is_out(declared)
    if do.target is None or do.target == declared:
        if declared is None or not there:
            raise Refused(rule, "target-gone", char=do.char, target=declared)
        return declared
    if there or draft.dials.retarget_when_target_gone == "lapse":
        raise Refused(rule, "retarget", char=do.char, declared=declared, target=do.target)
    if do.target == do.char:
        raise Refused(rule, "self", char=do.char)
    if do.target not in round.participants:
        raise Refused(rule, "target-not-in-round", target=do.target)
    if draft.is_out(do.target):
        raise Refused(rule, "target-gone", char=do.char, target=do.target)
    return do.target


# --- defence ------------------------------------------------------------------------------------------------------


def defend(draft: Draft, do: Defend) -> Asking[None]:
    """The defender picks up and rolls any of the two dice, or lets them stand."""
    rule = "intensity.defence.pick-up"
    check_once([one.die for one in do.dice], rule)
    place = the_scene(draft, rule)
    round = the_round(place, rule)
    attack = the_attack(round, rule)
    if attack.success is not None:
        raise Refused(rule, "wrong-stage", attack=attack.id)
    defender = round.participants[attack.defender]
    names = _dice_chosen(draft, attack, defender, do)
    sizes = {name: size_in_defence(draft, attack.defender, defender, name) for name in names}
    faces = {one.die: check_face(one.face, sizes[name], rule)
             for name, one in zip(names, do.dice, strict=True) if one.face is not None}  # fmt: skip
    picked_up = tuple(name for name in names if not defender.dice[name].picked_up)
    rerolled = tuple(name for name in names if defender.dice[name].picked_up)
    source = accounts.standing(place.subject, attack.defender)
    target = accounts.defence(place.subject, attack.defender)
    moved = draft.taken(source, len(picked_up), target) if picked_up else None
    draft.tell(place.subject, DefenceChosen(attack.id, picked_up, rerolled, not names, do.text), moved)
    if not names:
        draft.by("intensity.defence.let-stand", 0, defender=attack.defender)
        return
    rolled = []
    for name in names:
        face = faces.get(name) or (yield from ask_face(attack.defender, name, sizes[name], "defence", "defence", rule))
        rolled.append(RolledDefence(name, sizes[name], face))
    draft.by("intensity.defence.commit", names, manner=draft.dials.defence_second_pick)
    draft.tell(place.subject, DefenceRolled(attack.id, tuple(rolled)))
    draft.by(rule, [one.face for one in rolled], picked_up=list(picked_up), rerolled=list(rerolled))
    _forfeit_when_nothing_stands(draft, place.subject, round, attack, len(picked_up))


def _dice_chosen(draft: Draft, attack: OpenAttack, defender: Participant, do: Defend) -> list[DieName]:
    """Refuses `already-responded`, `no-such-die`. A choice to roll nothing is final under every dial."""
    again = draft.dials.defence_second_pick == "after_seeing" and not attack.let_stand
    rolled = {name for name, die in defender.dice.items() if die.against == attack.id}
    if attack.answered and not (again and do.dice):
        raise Refused("intensity.defence.commit", "already-responded", attack=attack.id, defender=attack.defender)
    rule = "intensity.defence.pick-up"
    names: list[DieName] = []
    for one in do.dice:
        if not is_die(one.die) or one.die not in defender.dice:
            raise Refused(rule, "no-such-die", die=one.die, defender=attack.defender)
        names.append(one.die)
    if rolled & set(names):
        raise Refused("intensity.defence.commit", "already-responded", defender=attack.defender, dice=sorted(rolled))
    return names


def size_in_defence(draft: Draft, id: str, defender: Participant, name: DieName) -> int:
    """intensity.impact.immediate: the size a die of the running round is rolled with. Refuses `die-unusable`."""
    if name == "intensity" or defender.trait is None or draft.dials.impact_on_dice_in_play == "locked_for_round":
        return defender.dice[name].size
    size = sizes_of(draft, id).get(defender.trait, 0)
    if size == 0:
        raise Refused("intensity.impact.immediate", "die-unusable", trait=defender.trait)
    return size


def _forfeit_when_nothing_stands(draft: Draft, scene: Subject, round: Round, attack: OpenAttack, up: int) -> None:
    """intensity.defence.forfeit: picking up the last standing die gives up an action still to come."""
    defender = round.participants[attack.defender]
    left = len(standing(defender)) - up
    if defender.turn == "pending" and left == 0:
        draft.tell(scene, ActionForfeited(round.id, attack.defender, attack.id))
        draft.by("intensity.defence.forfeit", "forfeited", char=attack.defender)
    elif defender.turn != "pending":
        draft.by("intensity.defence.after-acting", defender.turn, char=attack.defender)


def counting(draft: Draft, attack: OpenAttack, defender: Participant) -> dict[DieName, Die]:
    """intensity.defence.reroll: dice rolled against this attack; where old faces are kept, every die picked up."""
    keep = draft.dials.defence_carryover == "keep_or_reroll"
    return {
        name: die
        for name, die in defender.dice.items()
        if die.defence is not None and die.picked_up and (keep or die.against == attack.id)
    }


# --- resolution ---------------------------------------------------------------------------------------------------


def resolve(draft: Draft, do: Resolve) -> None:
    """Attack against defence: success only when the attack is greater."""
    rule = "intensity.action.success"
    place = the_scene(draft, rule)
    round = the_round(place, rule)
    attack = the_attack(round, rule)
    if attack.success is not None:
        raise Refused(rule, "wrong-stage", attack=attack.id)
    if not attack.answered:
        raise Refused(rule, "no-defence-yet", attack=attack.id, defender=attack.defender)
    faces = [die.face for die in standing(round.participants[attack.attacker])]
    attack_value = max(faces, default=0) + BONUS * attack.bought.count("attack4")
    draft.by("intensity.action.attack", attack_value, standing=faces, attack4=attack.bought.count("attack4"))
    counted = [die.defence for die in counting(draft, attack, round.participants[attack.defender]).values()]
    best = max((face for face in counted if face is not None), default=0)
    defence_value = best + BONUS * attack.bought.count("defence4")
    draft.by("intensity.defence.reroll", defence_value, counting=counted, defence4=attack.bought.count("defence4"))
    success = attack_value > defence_value
    draft.by(rule, success, attack=attack_value, defence=defence_value)
    rating = rating_of(round, attack) if success else None
    draft.tell(place.subject, AttackResolved(attack.id, attack_value, defence_value, success, rating, do.text))
    if rating is not None:
        explain_rating(draft, round, attack, rating)
