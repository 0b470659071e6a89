"""The fold of bodies: harm, daze, fatigue, recovery and healing.

The last hit and the last try to heal keep what the body was before them, so that they can be told anew where a trump
changes what resisted, or healed. Whatever else befalls the body settles them.
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.fold import Change, unchanged
from ledger.rules.kernel.frozen import changed, changing
from ledger.rules.moc import facts_of_bodies, facts_of_dice, facts_of_people
from ledger.rules.moc.state import Character
from ledger.rules.moc.state_of_combat import Harm, Healing
from ledger.rules.moc.terms import MOST_DAMAGE

_hurt = changing(Character, "damage", "pain", "pain_turn", "harm", "healing", "healing_days")
_acted = changing(Character, "acted_scene", "acted_turn", "acted_halves")
_tired = changing(Character, "fatigue")
_dazed = changing(Character, "dazed")
_calmed = changing(Character, "pain_turn", "dodge", "harm", "half_defence")
_rested = changing(Character, "damage", "laid", "harm", "healing", "healing_days")


def _harmed(was: Character, done: facts_of_bodies.HarmApplied) -> Character:
    """Damage never goes past six: the rest is lost."""
    damage = min(MOST_DAMAGE, was.damage + done.damage) if done.damage else was.damage
    used = was.healing_days
    before = Harm(done.hit, was.damage, was.pain, was.pain_turn, was.status, was.dazed, was.recovering, used)
    pain, pain_turn = was.pain + done.pain, was.pain_turn + done.pain
    return _hurt(was, damage, pain, pain_turn, before, None, 0 if done.damage else used)


def _undone(was: Character, done: facts_of_dice.HarmUndone) -> Character | None:
    before = was.harm
    if before is None or before.hit != done.hit:
        return None
    return changed(
        was, damage=before.damage, pain=before.pain, pain_turn=before.pain_turn, status=before.status,
        dazed=before.dazed, recovering=before.recovering, healing_days=before.healing_days, harm=None,
    )  # fmt: skip


def _lost(was: Character, done: facts_of_bodies.TokensLost) -> Character:
    return changed(was, harm=changed(was.harm, lost=done.lost)) if was.harm is not None else was


def _passed(was: Character, done: facts_of_bodies.TurnPassed) -> Character:
    return _calmed(was, 0, 0, None, False)


def _scene_recovered(was: Character, done: facts_of_bodies.SceneRecoveryTaken) -> Character:
    return changed(
        was, fatigue=max(0, was.fatigue - done.fatigue), due=max(0, was.due - 1), harm=None, healing=None
    )  # fmt: skip


def _completed(was: Character, done: facts_of_bodies.RecoveryCompleted) -> Character:
    return changed(was, recovering=False, pain=max(0, was.pain - done.pain), harm=None, healing=None)


def _healed(was: Character, done: facts_of_dice.DamageHealed) -> Character:
    healing = _try(was, done, healed=True)
    return _rested(was, max(0, healing.damage - 1), (), None, healing, _used_days(was, done))


def _failed(was: Character, done: facts_of_dice.HealingFailed) -> Character:
    healing = _try(was, done, healed=False)
    return _rested(was, healing.damage, (), None, healing, _used_days(was, done))


def _used_days(was: Character, done: facts_of_dice.DamageHealed | facts_of_dice.HealingFailed) -> int:
    """A try uses up its period; the same try told anew uses up no more."""
    return was.healing_days if _is_told_anew(was, done) else was.healing_days + done.period


def _is_told_anew(was: Character, done: facts_of_dice.DamageHealed | facts_of_dice.HealingFailed) -> bool:
    return was.healing is not None and bool(done.heal) and was.healing.id == done.heal


def _try(was: Character, done: facts_of_dice.DamageHealed | facts_of_dice.HealingFailed, *, healed: bool) -> Healing:
    """The same try told anew stands on the damage before it."""
    before = was.healing
    if before is not None and _is_told_anew(was, done):
        return changed(before, healed=healed)
    return Healing(done.heal, was.damage, done.period, done.tn, done.faces, done.bonus, was.laid, healed)


BODIES: Mapping[type, Change] = {
    facts_of_bodies.TokensFilled: unchanged,
    facts_of_bodies.TokenSpent: unchanged,
    facts_of_bodies.TokensLost: _lost,
    facts_of_bodies.FatigueGained: lambda was, done: _tired(was, was.fatigue + done.number),
    facts_of_bodies.HarmApplied: _harmed,
    facts_of_dice.HarmUndone: _undone,
    facts_of_people.CharacterDowned: lambda was, done: changed(was, status="down"),
    facts_of_bodies.CharacterDazed: lambda was, done: _dazed(was, True),
    facts_of_bodies.DazeEnded: lambda was, done: changed(was, dazed=False, harm=None),
    facts_of_bodies.TurnPassed: _passed,
    facts_of_bodies.SceneRecoveryDue: lambda was, done: changed(was, due=done.steps),
    facts_of_bodies.SceneRecoveryTaken: _scene_recovered,
    facts_of_bodies.RecoveryDeclared: lambda was, done: changed(was, recovering=True, harm=None),
    facts_of_bodies.RecoveryPreEmpted: lambda was, done: changed(was, recovering=False),
    facts_of_bodies.RecoveryCompleted: _completed,
    facts_of_bodies.DefenceHalved: lambda was, done: changed(was, half_defence=True),
    facts_of_bodies.ActionTaken: lambda was, done: _acted(was, done.scene, done.turn, done.halves),
    facts_of_bodies.MovementMade: lambda was, done: changed(was, dodge=done.dodge) if was.dodge != done.dodge else was,
    facts_of_dice.DamageHealed: _healed,
    facts_of_dice.HealingFailed: _failed,
    facts_of_dice.CardPlayedOnHealing: lambda was, done: changed(was, laid=(*was.laid, done.what)),
}
