"""Actions: attacking, defending, and what comes of it."""

from __future__ import annotations

from ledger.rules.intensity import accounts
from ledger.rules.intensity.dials import Dials
from ledger.rules.intensity.faces import ask_face, check_face
from ledger.rules.intensity.facts_of_attacks import (
    AttackOpened,
    AttackResolved,
    DefenceChosen,
    DefenceRolled,
    RolledDefence,
)
from ledger.rules.intensity.facts_of_rounds import ActionForfeited, ConflictLinked
from ledger.rules.intensity.ground import (
    Ruling,
    check_once,
    in_name_order,
    is_out,
    known,
    the_attack,
    the_round,
    the_scene,
)
from ledger.rules.intensity.impact import explain_rating, rating_of
from ledger.rules.intensity.inputs_of_attacks import Attack, Defend, Resolve
from ledger.rules.intensity.order import check_turn, explain_turn, standing
from ledger.rules.intensity.state import Die, OpenAttack, Participant, Round
from ledger.rules.intensity.tables import BONUS
from ledger.rules.intensity.terms import DieName, is_die
from ledger.rules.intensity.traits import sizes_of
from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, Subject


def attack(table: Table[Dials], ruling: Ruling, do: Attack) -> None:
    """The next pending participant acts against the declared target, with whatever still stands."""
    rule = "intensity.action.attack"
    known(table, do.char)
    if do.target is not None:
        known(table, do.target)
    place = the_scene(table, rule)
    round = the_round(place, rule)
    attacker = check_turn(table, round, do.char, rule)
    defender = _target(table, round, do, attacker)
    faces = tuple(die.face for die in standing(attacker))
    ruling.tell(place.subject, AttackOpened(table.new_id(), round.id, do.char, defender, faces, do.text))
    explain_turn(table, ruling, round, do.char)
    ruling.by(rule, max(faces, default=0), standing=list(faces))
    if defender != attacker.target:
        a, b = in_name_order(table, (do.char, defender))
        ruling.tell(CAMPAIGN, ConflictLinked(a, b, round.id))
        ruling.by("intensity.action.target-gone", defender, declared=attacker.target)


def _target(table: Table[Dials], round: Round, do: Attack, attacker: Participant) -> str:
    """intensity.action.target-gone: another target only when the declared one is out and the table lets it be."""
    rule = "intensity.action.target-gone"
    declared = attacker.target
    there = declared is not None and declared in round.participants and not is_out(table, declared)
    if do.target is None or do.target == declared:
        if declared is None or not there:
            raise Refused(rule, "target-gone", char=do.char, target=declared)
        return declared
    if there or table.dials.retarget_when_target_gone == "lapse":
        raise Refused(rule, "retarget", declared=declared, target=do.target)
    if do.target == do.char:
        raise Refused(rule, "self", char=do.char)
    if do.target not in round.participants:
        raise Refused(rule, "target-not-in-round", target=do.target)
    if is_out(table, do.target):
        raise Refused(rule, "target-gone", char=do.char, target=do.target)
    return do.target


# --- defence ------------------------------------------------------------------------------------------------------


def defend(table: Table[Dials], ruling: Ruling, do: Defend) -> Asking[None]:
    """The defender picks up and rolls any of the two dice, or lets them stand."""
    rule = "intensity.defence.pick-up"
    check_once([one.die for one in do.dice], rule)
    place = the_scene(table, rule)
    round = the_round(place, rule)
    attack = the_attack(round, rule)
    if attack.success is not None:
        raise Refused(rule, "wrong-stage", attack=attack.id)
    defender = round.participants[attack.defender]
    names = _dice_chosen(table, attack, defender, do)
    sizes = {name: size_in_defence(table, attack.defender, defender, name) for name in names}
    faces = {one.die: check_face(one.face, sizes[name], rule)
             for name, one in zip(names, do.dice, strict=True) if one.face is not None}  # fmt: skip
    picked_up = tuple(name for name in names if not defender.dice[name].picked_up)
    rerolled = tuple(name for name in names if defender.dice[name].picked_up)
    source = accounts.standing(place.subject, attack.defender)
    target = accounts.defence(place.subject, attack.defender)
    moved = ruling.taken(source, len(picked_up), target) if picked_up else None
    ruling.tell(place.subject, DefenceChosen(attack.id, picked_up, rerolled, not names, do.text), moved)
    if not names:
        ruling.by("intensity.defence.let-stand", 0, defender=attack.defender)
        return
    rolled = []
    for name in names:
        face = faces.get(name) or (yield from ask_face(attack.defender, name, sizes[name], "defence", "defence", rule))
        rolled.append(RolledDefence(name, sizes[name], face))
    ruling.by("intensity.defence.commit", names, manner=table.dials.defence_second_pick)
    ruling.tell(place.subject, DefenceRolled(attack.id, tuple(rolled)))
    ruling.by(rule, [one.face for one in rolled], picked_up=list(picked_up), rerolled=list(rerolled))
    _forfeit_when_nothing_stands(ruling, place.subject, round, attack, len(picked_up))


def _dice_chosen(table: Table[Dials], attack: OpenAttack, defender: Participant, do: Defend) -> list[DieName]:
    """Refuses `already-responded`, `no-such-die`. A choice to roll nothing is final under every dial."""
    again = table.dials.defence_second_pick == "after_seeing" and not attack.let_stand
    rolled = {name for name, die in defender.dice.items() if die.against == attack.id}
    if attack.answered and not (again and do.dice):
        raise Refused("intensity.defence.commit", "already-responded", attack=attack.id)
    rule = "intensity.defence.pick-up"
    names: list[DieName] = []
    for one in do.dice:
        if not is_die(one.die) or one.die not in defender.dice:
            raise Refused(rule, "no-such-die", die=one.die)
        names.append(one.die)
    if rolled & set(names):
        raise Refused("intensity.defence.commit", "already-responded", attack=attack.id, dice=sorted(rolled))
    return names


def size_in_defence(table: Table[Dials], id: str, defender: Participant, name: DieName) -> int:
    """intensity.impact.immediate: the size a die of the running round is rolled with. Refuses `die-unusable`."""
    if name == "intensity" or defender.trait is None or table.dials.impact_on_dice_in_play == "locked_for_round":
        return defender.dice[name].size
    size = sizes_of(table, id).get(defender.trait, 0)
    if size == 0:
        raise Refused("intensity.impact.immediate", "die-unusable", trait=defender.trait)
    return size


def _forfeit_when_nothing_stands(ruling: Ruling, scene: Subject, round: Round, attack: OpenAttack, up: int) -> None:
    """intensity.defence.forfeit: picking up the last standing die gives up an action still to come."""
    defender = round.participants[attack.defender]
    left = len(standing(defender)) - up
    if defender.turn == "pending" and left == 0:
        ruling.tell(scene, ActionForfeited(round.id, attack.defender, attack.id))
        ruling.by("intensity.defence.forfeit", "forfeited", char=attack.defender)
    elif defender.turn != "pending":
        ruling.by("intensity.defence.after-acting", defender.turn, char=attack.defender)


def counting(table: Table[Dials], attack: OpenAttack, defender: Participant) -> dict[DieName, Die]:
    """intensity.defence.reroll: dice rolled against this attack; where old faces are kept, every die picked up."""
    keep = table.dials.defence_carryover == "keep_or_reroll"
    return {
        name: die
        for name, die in defender.dice.items()
        if die.defence is not None and die.picked_up and (keep or die.against == attack.id)
    }


# --- resolution ---------------------------------------------------------------------------------------------------


def resolve(table: Table[Dials], ruling: Ruling, do: Resolve) -> None:
    """Attack against defence: success only when the attack is greater."""
    rule = "intensity.action.success"
    place = the_scene(table, rule)
    round = the_round(place, rule)
    attack = the_attack(round, rule)
    if attack.success is not None:
        raise Refused(rule, "wrong-stage", attack=attack.id)
    if not attack.answered:
        raise Refused(rule, "no-defence-yet", attack=attack.id)
    faces = [die.face for die in standing(round.participants[attack.attacker])]
    attack_value = max(faces, default=0) + BONUS * attack.bought.count("attack4")
    ruling.by("intensity.action.attack", attack_value, standing=faces, attack4=attack.bought.count("attack4"))
    counted = [die.defence for die in counting(table, attack, round.participants[attack.defender]).values()]
    best = max((face for face in counted if face is not None), default=0)
    defence_value = best + BONUS * attack.bought.count("defence4")
    ruling.by("intensity.defence.reroll", defence_value, counting=counted, defence4=attack.bought.count("defence4"))
    success = attack_value > defence_value
    ruling.by(rule, success, attack=attack_value, defence=defence_value)
    rating = rating_of(round, attack) if success else None
    ruling.tell(place.subject, AttackResolved(attack.id, attack_value, defence_value, success, rating, do.text))
    if rating is not None:
        explain_rating(ruling, round, attack, rating)
