"""What facts of an attack change: the defender's dice, what was bought, whether it succeeded, that it is closed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Protocol, TypeVar

from ledger.rules.intensity import facts_of_attacks as facts
from ledger.rules.intensity.fold_rounds import in_its_round, in_round, with_participant
from ledger.rules.intensity.state import Die, OpenAttack, Round, Scene
from ledger.rules.intensity.terms import DieName
from ledger.rules.kernel.frozen import changed, changing


class OfAnAttack(Protocol):
    """A fact that names its attack."""

    @property
    def attack(self) -> str | None: ...


F = TypeVar("F", bound=OfAnAttack)
_picked_up = changing(Die, "picked_up")
_defending = changing(Die, "picked_up", "defence", "against")


def in_its_attack(change: Callable[[Round, OpenAttack, F], Round | None]) -> Callable[[Scene, F], Scene | None]:
    """The scene after what changes its open attack, if that is still the one the fact is of."""

    @wraps(change)
    def after(was: Scene, done: F) -> Scene | None:
        round = was.round
        if round is None or round.attack is None or round.attack.id != done.attack:
            return None
        then = change(round, round.attack, done)
        return in_round(was, then) if then is not None else None

    hints = change.__annotations__
    after.__annotations__ = {"was": Scene, "done": hints["done"], "return": Scene | None}
    return after


@in_its_round
def opened(was: Round, done: facts.AttackOpened) -> Round | None:
    attacker = was.participants.get(done.attacker)
    if attacker is None or done.defender not in was.participants:
        return None
    after = changed(attacker, turn="acted", target=done.defender)
    attack = OpenAttack(done.attack, done.attacker, done.defender)
    return changed(was, participants={**was.participants, done.attacker: after}, attack=attack)


# --- defence ------------------------------------------------------------------------------------------------------


@in_its_attack
def defence_chosen(was: Round, attack: OpenAttack, done: facts.DefenceChosen) -> Round | None:
    after = _with_dice(was, attack, dict.fromkeys(done.picked_up))
    answered = changed(attack, answered=True, let_stand=done.let_stand)
    return changed(after, attack=answered) if after is not None else None


@in_its_attack
def defence_rolled(was: Round, attack: OpenAttack, done: facts.DefenceRolled) -> Round | None:
    return _with_dice(was, attack, {rolled.die: rolled.face for rolled in done.faces})


@in_its_attack
def die_rerolled(was: Round, attack: OpenAttack, done: facts.DefenceDieRerolled) -> Round | None:
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
        if face is None:
            dice[name] = _picked_up(dice[name], True)
        else:
            dice[name] = _defending(dice[name], True, face, attack.id)
    return with_participant(was, attack.defender, changed(defender, dice=dice))


# --- what comes of it ---------------------------------------------------------------------------------------------


@in_its_attack
def bought(was: Round, attack: OpenAttack, done: facts.AdvantageSpent) -> Round:
    return changed(was, attack=changed(attack, bought=(*attack.bought, done.effect)))


@in_its_attack
def resolved(was: Round, attack: OpenAttack, done: facts.AttackResolved) -> Round:
    return changed(was, attack=changed(attack, success=True) if done.success else None)


@in_its_attack
def closed(
    was: Round,
    attack: OpenAttack,
    done: facts.AttackLapsed | facts.ImpactChosen | facts.ImpactWaived | facts.OutcomeNegotiated,
) -> Round:
    return changed(was, attack=None)


def negotiated(was: Scene, done: facts.OutcomeNegotiated) -> Scene | None:
    """A bargain at another time closes nothing."""
    return closed(was, done) if done.attack is not None else was


def declined(was: Scene, done: facts.BargainDeclined) -> Scene | None:
    """Its attack, if it was about one, is still open."""
    open_attack = was.round.attack if was.round is not None else None
    return was if done.attack is None or (open_attack and open_attack.id == done.attack) else None
