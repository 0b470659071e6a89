"""Physical damage: the Size/Physique table, collapse, terminal damage, death. Heading: Physical damage."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.rules.kernel.frozen import quick
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import character
from ledger.rules.mongrel import accounts, answers
from ledger.rules.mongrel.choices import Shunt
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.facts_of_strife import (
    ActionPointMaximumImposed,
    ActionPointsLost,
    ActionPointsRecovered,
    CharacterCollapsed,
    CharacterDied,
    CharacterStoodUp,
    DamageCounted,
    DamageRolled,
    DamageShunted,
    DeclarationLapsed,
    InfernalResolveSpent,
    ParticipantLeft,
    PhysiqueReduced,
    TerminalDamageTaken,
    WoundsHealed,
)
from ledger.rules.mongrel.guards import check_alive, conflict_of, now
from ledger.rules.mongrel.inputs import AnswerTerminal, Heal
from ledger.rules.mongrel.state import physique_of
from ledger.rules.mongrel.tasks import check_natural
from ledger.rules.mongrel.terms import ApLoss, CollapseCause, DeathCause, Number, TerminalCause, Zone, is_natural

NET = "mongrel.damage.net"
SHUNT = "mongrel.damage.shunt"
ZONES = "mongrel.damage.zones"
HIT = "mongrel.damage.hit"
COLLAPSE = "mongrel.damage.collapse"
TERMINAL = "mongrel.damage.terminal"
RESIST_DEATH = "mongrel.damage.resist-death"
HEALING = "mongrel.damage.healing"


@quick
@dataclass(frozen=True, slots=True)
class Blow:
    """`shunt`: points said beforehand to go to Beauty; None asks the target's side."""

    effect: int
    weapon: int = 0
    armour: int = 0
    shunt: Number = None
    reason: str = ""
    ruling: str | None = None


def zone_of(total: int, size: int, physique: int, dials: Dials) -> Zone:
    """`mongrel.damage.zones`: where a total lies. 0 and less count as the row."""
    column = total - size
    if column <= 0:
        return "row"
    if column > 2 * (size if dials.terminal_basis == "size" else physique):
        return "terminal"
    return "clear" if column <= physique else "gray"


# --- a hit -----------------------------------------------------------------------------------------------------------


def check_weapon(draft: Draft, weapon: Number, armour: Number) -> tuple[int, int]:
    """What both are worth. Refuses `bad-score`, `weapon-cap`."""
    adds, stops = check_natural(NET, "bad-score", weapon=weapon, armour=armour)
    cap = draft.dials.weapon_bonus_cap
    if cap is not None and adds > cap:
        raise Refused(NET, "weapon-cap", weapon=adds, cap=cap)
    return adds, stops


def nothing_to_shunt(points: Number) -> None:
    """A miss, or a task that does no damage, leaves nothing to move. Refuses `nothing-to-shunt`."""
    if points is not None and points != 0:
        raise Refused(SHUNT, "nothing-to-shunt", points=repr(points))


def physical_hit(draft: Draft, id: str, blow: Blow, *, also: bool = False) -> Asking[None]:
    """A physical hit lands: what is left after armour, what goes to Beauty, where the rest comes to lie.

    `also`: one of several who are hit, and asked by name.
    """
    net = max(0, blow.effect + blow.weapon - blow.armour)
    draft.about(id, DamageRolled(id, blow.effect, blow.weapon, blow.armour, net, blow.reason, blow.ruling))
    draft.by(NET, net, effect=blow.effect, weapon=blow.weapon, armour=blow.armour)
    shunted = yield from _shunted(draft, id, blow.shunt, net, also=also)
    if net == 0:
        return
    if shunted:
        done = DamageShunted(id, shunted, 1, shunted - 1)
        scars = accounts.move(accounts.beauty(id), accounts.SCARS, 1)
        draft.about(id, done, scars, accounts.move(accounts.beauty(id), accounts.BRUISES, shunted - 1))
        draft.by(SHUNT, net - shunted, net=net, shunted=shunted)
        draft.mark(id, "beauty")
    _count(draft, id, net - shunted)


def _shunted(draft: Draft, id: str, said: Number, net: int, *, also: bool) -> Asking[int]:
    """Refuses `shunt-too-large`; a choice that is too large is asked for again."""
    most = max(0, min(net, draft.score(id, "beauty")))
    if said is not None:
        if not is_natural(said) or said > most:
            raise Refused(SHUNT, "shunt-too-large", character=id, points=repr(said), most=most)
        return said
    if most == 0:
        return 0
    owner, whose = draft.table.owner(character(id)), f" of {draft.table.name(character(id))}" if also else ""
    purpose, slot = f"How much of the damage ({net}) goes to Beauty{whose}?", f"shunt:{id}" if also else "shunt"
    chosen = yield from ask(owner, Shunt, slot=slot, purpose=purpose, within=answers.shunting(most))
    if not is_natural(chosen.points) or chosen.points > most:
        raise Unfit(SHUNT, "shunt-too-large", character=id, points=repr(chosen.points), most=most)
    return chosen.points


def _count(draft: Draft, id: str, counted: int) -> None:
    """`mongrel.damage.hit`, its steps in order."""
    who = draft.who(id)
    size, physique = who.attributes.get("size", 0), physique_of(who)
    adds_up = draft.dials.damage_track == "cumulative"
    before = who.damage if adds_up else 0
    after = before + counted
    cause: TerminalCause | None = "collapsed" if who.collapsed else "stage" if who.terminal else None
    lies: Zone = zone_of(after, size, physique, draft.dials) if counted else "shunted"
    zone: Zone = "terminal" if cause else lies
    kept = counted if adds_up else 0
    draft.about(id, DamageCounted(id, counted, kept, before, after, zone, size, physique))
    draft.by(ZONES, lies, total=after, size=size, physique=physique)
    draft.by(HIT, zone, before=before, counted=counted, after=after)
    if counted:
        draft.mark(id, "size", "physique")
    if before < size <= after:
        lose_ap(draft, id, 1, "size reached")
    if zone == "terminal":
        terminal(draft, id, cause or "column")
    elif zone == "gray":
        collapse(draft, id, "damage")
    elif zone == "clear" or (zone == "row" and _on_size(draft, after, size, physique)):
        draft.about(id, PhysiqueReduced(id, 1))


def _on_size(draft: Draft, after: int, size: int, physique: int) -> bool:
    """`exact_size_costs_physique`."""
    return draft.dials.exact_size_costs_physique and after == size and physique >= 1


# --- collapse and death ----------------------------------------------------------------------------------------------


def lose_ap(draft: Draft, id: str, amount: int, cause: ApLoss) -> None:
    """Never below 0."""
    lost = min(amount, draft.ap(id))
    if lost > 0:
        draft.about(id, ActionPointsLost(id, lost, cause), accounts.move(accounts.ap(id), accounts.AP, lost))


def collapse(draft: Draft, id: str, cause: CollapseCause) -> None:
    """`mongrel.damage.collapse`: all Action Points are lost, and no defence until one is recovered."""
    lose_ap(draft, id, draft.ap(id), "collapse")
    if not draft.who(id).collapsed:
        draft.about(id, CharacterCollapsed(id, cause))
    draft.by(COLLAPSE, "collapsed", cause=cause)


def terminal(draft: Draft, id: str, cause: TerminalCause) -> None:
    """`mongrel.damage.terminal`: dead at once without Infernal Resolve; else there is a decision to be made."""
    collapse(draft, id, "terminal")
    decides = draft.resolve(id) > 0
    draft.about(id, TerminalDamageTaken(id, cause, decides))
    draft.by(TERMINAL, "decision" if decides else "dead", cause=cause, resolve=draft.resolve(id))
    if not decides:
        die(draft, id, "terminal damage")


def die(draft: Draft, id: str, cause: DeathCause) -> None:
    """`mongrel.damage.dead`: no Action Points, and out of the queue; an action it had declared, or on it, lapses."""
    draft.about(id, CharacterDied(id, cause))
    lose_ap(draft, id, draft.ap(id), "death")
    draft.by("mongrel.damage.dead", "dead", cause=cause)
    leave(draft, id)


def leave(draft: Draft, id: str, reason: str = "") -> None:
    """Out of the queue of the conflict it is in, if any."""
    strife = conflict_of(draft, id)
    if strife is None or id not in strife.conflict.queue:
        return
    action = now(draft, strife).action
    if action is not None and id in (action.actor, action.target) and not draft.under_way:
        draft.tell(strife.scene, DeclarationLapsed(action.actor))
    draft.tell(strife.scene, ParticipantLeft(id, reason))


def impose_maximum(draft: Draft, id: str) -> None:
    if not draft.who(id).ap_imposed:
        draft.about(id, ActionPointMaximumImposed(id, 1))


def stand_up(draft: Draft, id: str) -> None:
    """A collapse ends with the first Action Point recovered."""
    if draft.who(id).collapsed:
        draft.about(id, CharacterStoodUp(id))


def answer_terminal(draft: Draft, do: AnswerTerminal) -> None:
    """A point of Infernal Resolve keeps from dying, unless it was the last."""
    id = do.character
    who = draft.who(id)
    if who.dead:
        raise Refused("mongrel.damage.dead", "dead", character=id)
    if not who.dying:
        raise Refused(RESIST_DEATH, "no-decision-pending", character=id)
    if do.spend and draft.resolve(id) < 1:
        raise Refused(RESIST_DEATH, "no-resolve", character=id)
    draft.plays(id)
    if not do.spend:
        draft.by(RESIST_DEATH, "declined")
        die(draft, id, "terminal damage")
        return
    spent = accounts.move(accounts.resolve(id), accounts.HELL, 1)
    draft.about(id, InfernalResolveSpent(id, 1, "avoid death"), spent)
    draft.by(RESIST_DEATH, draft.resolve(id), spent=1)
    if draft.resolve(id) < 1:
        if not draft.dials.last_resolve_point_saves:
            die(draft, id, "resolve")
            return
        if draft.dials.zero_resolve_collapse == "any_cause":
            impose_maximum(draft, id)
    if do.recover:
        _recover_all(draft, id)


def _recover_all(draft: Draft, id: str) -> None:
    """To the maximum, if not already there; no action, and no fatigue."""
    gained = draft.maximum(id) - draft.ap(id)
    if gained > 0:
        done = ActionPointsRecovered(id, gained, refresh=False, counted=False, minute=None, by="avoid death")
        draft.about(id, done, accounts.move(accounts.AP, accounts.ap(id), gained))
    stand_up(draft, id)


# --- healing ---------------------------------------------------------------------------------------------------------


def heal(draft: Draft, do: Heal) -> None:
    """`mongrel.damage.healing`: what the table rules, at most what was lost."""
    id = do.character
    who = check_alive(draft, id)
    damage, physique, beauty = check_natural(
        HEALING, "bad-number", damage=do.damage, physique=do.physique, beauty=do.beauty
    )
    names, most = ("damage", "physique", "beauty"), healable(draft, id)
    for name, healed, lost in zip(names, (damage, physique, beauty), most, strict=True):
        if healed > lost:
            raise Refused(HEALING, "heal-too-much", character=id, what=name, healed=healed, lost=lost)
    ended = do.end_terminal and who.terminal
    done = WoundsHealed(id, damage, physique, beauty, ended, do.reason)
    draft.about(id, done, accounts.move(accounts.BRUISES, accounts.beauty(id), beauty))
    draft.by(HEALING, do.reason, damage=damage, physique=physique, beauty=beauty)
    if ended:
        draft.by("mongrel.damage.terminal-stage", "ended")


def healable(draft: Draft, id: str) -> tuple[int, int, int]:
    """What was lost and can heal: damage, Physique, Beauty."""
    who = draft.who(id)
    bruised = who.beauty_temp
    if bruised > 0:
        bruised = min(bruised, who.attributes.get("beauty", 0) - draft.balance(accounts.beauty(id)))
    return max(0, who.damage), max(0, who.physique_loss), max(0, bruised)
