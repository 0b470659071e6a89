"""Physical damage: the Size/Physique table, collapse, terminal damage, death. Heading: Physical damage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import character
from ledger.rules.mongrel import accounts
from ledger.rules.mongrel.choices import Shunt
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.ground import Ruling, check_alive, conflict_of, now, physique_of
from ledger.rules.mongrel.inputs import AnswerTerminal, Heal
from ledger.rules.mongrel.strife import (
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
from ledger.rules.mongrel.tasks import check_natural
from ledger.rules.mongrel.terms import ApLoss, CollapseCause, DeathCause, TerminalCause, Zone, is_natural

NET = "mongrel.damage.net"
SHUNT = "mongrel.damage.shunt"
ZONES = "mongrel.damage.zones"
HIT = "mongrel.damage.hit"
COLLAPSE = "mongrel.damage.collapse"
TERMINAL = "mongrel.damage.terminal"
RESIST_DEATH = "mongrel.damage.resist-death"
HEALING = "mongrel.damage.healing"


@dataclass(frozen=True, slots=True)
class Blow:
    """`shunt`: points said beforehand to go to Beauty; None asks the target's side."""

    effect: int
    weapon: int = 0
    armour: int = 0
    shunt: Any = None
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


def check_weapon(ruling: Ruling, weapon: Any, armour: Any) -> None:
    """Refuses `bad-score`, `weapon-cap`."""
    check_natural(NET, "bad-score", weapon=weapon, armour=armour)
    cap = ruling.dials.weapon_bonus_cap
    if cap is not None and weapon > cap:
        raise Refused(NET, "weapon-cap", weapon=weapon, cap=cap)


def nothing_to_shunt(points: Any) -> None:
    """A miss, or a task that does no damage, leaves nothing to move. Refuses `nothing-to-shunt`."""
    if points is not None and points != 0:
        raise Refused(SHUNT, "nothing-to-shunt", points=repr(points))


def physical_hit(ruling: Ruling, id: str, blow: Blow) -> Asking[None]:
    """A physical hit lands: what is left after armour, what goes to Beauty, where the rest comes to lie."""
    net = max(0, blow.effect + blow.weapon - blow.armour)
    ruling.about(id, DamageRolled(id, blow.effect, blow.weapon, blow.armour, net, blow.reason, blow.ruling))
    ruling.by(NET, net, effect=blow.effect, weapon=blow.weapon, armour=blow.armour)
    shunted = yield from _shunted(ruling, id, blow.shunt, net)
    if net == 0:
        return
    if shunted:
        done = DamageShunted(id, shunted, 1, shunted - 1)
        scars = accounts.move(accounts.beauty(id), accounts.SCARS, 1)
        ruling.about(id, done, scars, accounts.move(accounts.beauty(id), accounts.BRUISES, shunted - 1))
        ruling.by(SHUNT, net - shunted, net=net, shunted=shunted)
        ruling.mark(id, "beauty")
    _count(ruling, id, net - shunted)


def _shunted(ruling: Ruling, id: str, said: Any, net: int) -> Asking[int]:
    """Refuses `shunt-too-large`; a choice that is too large is asked for again."""
    most = max(0, min(net, ruling.score(id, "beauty")))
    if said is not None:
        if not is_natural(said) or said > most:
            raise Refused(SHUNT, "shunt-too-large", points=repr(said), most=most)
        return said
    if most == 0:
        return 0
    owner, purpose = ruling.table.owner(character(id)), f"how much of {net} goes to Beauty"
    chosen = yield from ask(owner, Shunt, slot="shunt", purpose=purpose)
    if not is_natural(chosen.points) or chosen.points > most:
        raise Unfit(SHUNT, "shunt-too-large", points=repr(chosen.points), most=most)
    points: int = chosen.points
    return points


def _count(ruling: Ruling, id: str, counted: int) -> None:
    """`mongrel.damage.hit`, its steps in order."""
    who = ruling.who(id)
    size, physique = who.attributes.get("size", 0), physique_of(who)
    adds_up = ruling.dials.damage_track == "cumulative"
    before = who.damage if adds_up else 0
    after = before + counted
    cause: TerminalCause | None = "collapsed" if who.collapsed else "stage" if who.terminal else None
    lies: Zone = zone_of(after, size, physique, ruling.dials) if counted else "shunted"
    zone: Zone = "terminal" if cause else lies
    kept = counted if adds_up else 0
    ruling.about(id, DamageCounted(id, counted, kept, before, after, zone, size, physique))
    ruling.by(ZONES, lies, total=after, size=size, physique=physique)
    ruling.by(HIT, zone, before=before, counted=counted, after=after)
    if counted:
        ruling.mark(id, "size", "physique")
    if before < size <= after:
        lose_ap(ruling, id, 1, "size reached")
    if zone == "terminal":
        terminal(ruling, id, cause or "column")
    elif zone == "gray":
        collapse(ruling, id, "damage")
    elif zone == "clear" or (zone == "row" and _on_size(ruling, after, size, physique)):
        ruling.about(id, PhysiqueReduced(id, 1))


def _on_size(ruling: Ruling, after: int, size: int, physique: int) -> bool:
    """`exact_size_costs_physique`."""
    return ruling.dials.exact_size_costs_physique and after == size and physique >= 1


# --- collapse and death ----------------------------------------------------------------------------------------------


def lose_ap(ruling: Ruling, id: str, amount: int, cause: ApLoss) -> None:
    """Never below 0."""
    lost = min(amount, ruling.ap(id))
    if lost > 0:
        ruling.about(id, ActionPointsLost(id, lost, cause), accounts.move(accounts.ap(id), accounts.AP, lost))


def collapse(ruling: Ruling, id: str, cause: CollapseCause) -> None:
    """`mongrel.damage.collapse`: all Action Points are lost, and no defence until one is recovered."""
    lose_ap(ruling, id, ruling.ap(id), "collapse")
    if not ruling.who(id).collapsed:
        ruling.about(id, CharacterCollapsed(id, cause))
    ruling.by(COLLAPSE, "collapsed", cause=cause)


def terminal(ruling: Ruling, id: str, cause: TerminalCause) -> None:
    """`mongrel.damage.terminal`: dead at once without Infernal Resolve; else there is a decision to be made."""
    collapse(ruling, id, "terminal")
    decides = ruling.resolve(id) > 0
    ruling.about(id, TerminalDamageTaken(id, cause, decides))
    ruling.by(TERMINAL, "decision" if decides else "dead", cause=cause, resolve=ruling.resolve(id))
    if not decides:
        die(ruling, id, "terminal damage")


def die(ruling: Ruling, id: str, cause: DeathCause) -> None:
    """`mongrel.damage.dead`: no Action Points, and out of the queue; an action it had declared, or on it, lapses."""
    ruling.about(id, CharacterDied(id, cause))
    lose_ap(ruling, id, ruling.ap(id), "death")
    ruling.by("mongrel.damage.dead", "dead", cause=cause)
    leave(ruling, id)


def leave(ruling: Ruling, id: str, reason: str = "") -> None:
    """Out of the queue of the conflict it is in, if any."""
    place = conflict_of(ruling, id)
    if place is None or id not in place.conflict.queue:
        return
    action = now(ruling, place).action
    if action is not None and id in (action.actor, action.target) and not ruling.under_way:
        ruling.tell(place.subject, DeclarationLapsed(action.actor))
    ruling.tell(place.subject, ParticipantLeft(id, reason))


def impose_maximum(ruling: Ruling, id: str) -> None:
    if not ruling.who(id).ap_imposed:
        ruling.about(id, ActionPointMaximumImposed(id, 1))


def stand_up(ruling: Ruling, id: str) -> None:
    """A collapse ends with the first Action Point recovered."""
    if ruling.who(id).collapsed:
        ruling.about(id, CharacterStoodUp(id))


def answer_terminal(ruling: Ruling, do: AnswerTerminal) -> None:
    """A point of Infernal Resolve keeps from dying, unless it was the last."""
    id = do.character
    who = ruling.who(id)
    if who.dead:
        raise Refused("mongrel.damage.dead", "dead", character=id)
    if not who.dying:
        raise Refused(RESIST_DEATH, "no-decision-pending", character=id)
    if do.spend and ruling.resolve(id) < 1:
        raise Refused(RESIST_DEATH, "no-resolve", character=id)
    ruling.plays(id)
    if not do.spend:
        ruling.by(RESIST_DEATH, "declined")
        die(ruling, id, "terminal damage")
        return
    spent = accounts.move(accounts.resolve(id), accounts.HELL, 1)
    ruling.about(id, InfernalResolveSpent(id, 1, "avoid death"), spent)
    ruling.by(RESIST_DEATH, ruling.resolve(id), spent=1)
    if ruling.resolve(id) < 1:
        if not ruling.dials.last_resolve_point_saves:
            die(ruling, id, "resolve")
            return
        if ruling.dials.zero_resolve_collapse == "any_cause":
            impose_maximum(ruling, id)
    if do.recover:
        _recover_all(ruling, id)


def _recover_all(ruling: Ruling, id: str) -> None:
    """To the maximum, if not already there; no action, and no fatigue."""
    gained = ruling.maximum(id) - ruling.ap(id)
    if gained > 0:
        done = ActionPointsRecovered(id, gained, refresh=False, counted=False, minute=None, by="avoid death")
        ruling.about(id, done, accounts.move(accounts.AP, accounts.ap(id), gained))
    stand_up(ruling, id)


# --- healing ---------------------------------------------------------------------------------------------------------


def heal(ruling: Ruling, do: Heal) -> None:
    """`mongrel.damage.healing`: what the table rules, at most what was lost."""
    id = do.character
    who = check_alive(ruling, id)
    check_natural(HEALING, "bad-number", damage=do.damage, physique=do.physique, beauty=do.beauty)
    bruised = min(who.beauty_temp, who.attributes.get("beauty", 0) - ruling.balance(accounts.beauty(id)))
    for name, healed, lost in (
        ("damage", do.damage, who.damage),
        ("physique", do.physique, who.physique_loss),
        ("beauty", do.beauty, bruised),
    ):
        if healed > max(0, lost):
            raise Refused(HEALING, "heal-too-much", what=name, healed=healed, lost=lost)
    ended = do.end_terminal and who.terminal
    done = WoundsHealed(id, do.damage, do.physique, do.beauty, ended, do.reason)
    ruling.about(id, done, accounts.move(accounts.BRUISES, accounts.beauty(id), do.beauty))
    ruling.by(HEALING, do.reason, damage=do.damage, physique=do.physique, beauty=do.beauty)
    if ended:
        ruling.by("mongrel.damage.terminal-stage", "ended")
