"""What facts do to a scene: its resolutions, its Mechanical Play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ledger.rules.record import changed
from ledger.rules.scattershot import deeds, facts, strife
from ledger.rules.scattershot.reckoning import reached
from ledger.rules.scattershot.state import Deed, Die, Fight, Flurry, Resolution, Scene, Side, Standing
from ledger.rules.scattershot.terms import ACTOR


def _unchanged(was: Scene, done: Any) -> Scene:
    return was


def _shifted(was: Scene, done: facts.PlayModeShifted) -> Scene:
    return changed(was, mode=done.to)


def _speaks(was: Scene, done: facts.SpeakerChanged) -> Scene:
    return changed(was, speaker=done.to)


# --- resolutions -----------------------------------------------------------------------------------------------------


def _keep(was: Scene, id: str, one: Resolution) -> Scene:
    return changed(was, resolutions={**was.resolutions, id: one})


def _declared(was: Scene, done: deeds.ActionDeclared) -> Scene:
    deed = Deed(done.actor, done.player, done.subject, done.magnitude, done.nature, None, done.flurry)
    mine = {ACTOR: Side(done.player, done.rating)}
    after = _keep(was, done.resolution, Resolution(deed, "opportunity", done.engaged, mine))
    return _played_out(after) if done.flurry else after


def _played_out(was: Scene) -> Scene:
    """A step of the Flurry, as an Action or an answer."""
    fight = was.fight
    if fight is None or fight.flurry is None:
        return was
    return changed(was, fight=changed(fight, flurry=changed(fight.flurry, deeds=fight.flurry.deeds + 1)))


def _device(was: Scene, done: deeds.PlotDeviceRolled) -> Scene:
    deed = Deed(None, done.by, done.subject, target=done.target)
    return _keep(was, done.resolution, Resolution(deed, "decision", sides={ACTOR: Side(done.by, 0)}))


def _in_resolution(change: Callable[[Resolution, Any], Resolution | None]) -> Callable[[Scene, Any], Scene | None]:
    """Of the resolution the fact names, while it is open."""

    def changes(was: Scene, done: Any) -> Scene | None:
        one = was.resolutions.get(done.resolution)
        after = change(one, done) if one is not None else None
        return _keep(was, done.resolution, after) if after is not None else None

    return changes


def _side(one: Resolution, name: str, **new: Any) -> Resolution | None:
    side = one.sides.get(name)
    if side is None:
        return None
    return changed(one, sides={**one.sides, name: changed(side, **new)})


def _answered(one: Resolution, done: deeds.ResistorAnswered) -> Resolution:
    engaged = {**one.engaged, done.character: "opposing" if done.opposes else "passive"}
    if not done.opposes:
        return changed(one, engaged=engaged)
    side = Side(done.player, done.rating, nature=done.nature)
    return changed(one, engaged=engaged, sides={**one.sides, done.character: side})


def _reacted(one: Resolution, done: deeds.OffGuardReactionRolled) -> Resolution:
    return changed(one, engaged={**one.engaged, done.character: "obliged" if done.engaged else "passive"})


def _modified(one: Resolution, done: deeds.ModifierApplied) -> Resolution | None:
    side = one.sides.get(done.side)
    return _side(one, done.side, modifier=side.modifier + done.amount) if side is not None else None


def _opportunity_closed(one: Resolution, done: deeds.OpportunityClosed) -> Resolution:
    return changed(one, phase="decision", situation=done.situation)


def _rolled(one: Resolution, done: deeds.MibRolled) -> Resolution | None:
    return _side(one, done.roll, dice=done.dice, replaced=False)


def _replaced(one: Resolution, done: deeds.RollReplaced) -> Resolution | None:
    return _side(one, done.roll, replaced=True)


def _die_rolled(one: Resolution, done: deeds.ExperienceDieRolled) -> Resolution | None:
    side = one.sides.get(done.target)
    if side is None:
        return None
    new: dict[str, Any] = {}
    if done.to != done.final:
        die = Die(done.die, done.by, done.kind, done.face, done.borrower, done.final)
        new["dice"] = (*one.dice, die)
    if done.use is not None:
        new["freebies"] = (*one.freebies, done.use)
    more = changed(side, experience=side.experience + done.sign * done.face, dice_rolled=side.dice_rolled + 1)
    return changed(one, sides={**one.sides, done.target: more}, **new)


def _handed_over(one: Resolution, done: deeds.ExperienceDieHandedOver) -> Resolution | None:
    left = tuple(die for die in one.dice if die.id != done.die)
    return changed(one, dice=left) if len(left) < len(one.dice) else None


def _decided(one: Resolution, done: deeds.DecisionClosed) -> Resolution:
    return changed(one, phase="challenges")


def _challenged(one: Resolution, done: deeds.ChallengeTaken) -> Resolution | None:
    side = one.sides.get(done.side)
    return _side(one, done.side, challenges=side.challenges + done.n) if side is not None else None


def _benefited(one: Resolution, done: deeds.BenefitTaken) -> Resolution | None:
    side = one.sides.get(done.side)
    if side is None or done.automatic:
        return one if side is not None else None
    after = changed(side, benefits=side.benefits + done.n)
    return changed(one, phase="benefits", sides={**one.sides, done.side: after})


def _reached(one: Resolution, done: deeds.OutcomeReached) -> Resolution | None:
    if ACTOR not in one.sides or (done.resistor is not None and done.resistor not in one.sides):
        return None
    found = reached(one, done.resistor, done.cj, done.adjusting, done.resistors)
    return changed(one, phase="results", reached=(*one.reached, found), junctures=(*one.junctures, *done.junctures))


def _named(one: Resolution, done: deeds.JunctureConsequenceNamed) -> Resolution | None:
    if not 0 <= done.juncture < len(one.junctures):
        return None
    place = done.juncture
    named = changed(one.junctures[place], named=True)
    return changed(one, junctures=(*one.junctures[:place], named, *one.junctures[place + 1 :]))


def _scalar(one: Resolution, done: deeds.ScalarRecorded) -> Resolution:
    return one


def _closed(was: Scene, done: deeds.ApplicationClosed) -> Scene | None:
    """Closed with consequences still to be named, it is kept until they are."""
    one = was.resolutions.get(done.resolution)
    if one is None or one.phase == "closed":
        return None
    if any(not juncture.named for juncture in one.junctures):
        return _keep(was, done.resolution, changed(one, phase="closed"))
    return _gone(was, done.resolution)


def _gone(was: Scene, id: str) -> Scene:
    return changed(was, resolutions={other: one for other, one in was.resolutions.items() if other != id})


def _consequence(was: Scene, done: deeds.JunctureConsequenceNamed) -> Scene | None:
    after = _in_resolution(_named)(was, done)
    one = after.resolutions[done.resolution] if after is not None else None
    if after is None or one is None or one.phase != "closed" or any(not juncture.named for juncture in one.junctures):
        return after
    return _gone(after, done.resolution)


def _answers(was: Scene, done: deeds.ResistorAnswered) -> Scene | None:
    after = _in_resolution(_answered)(was, done)
    return _played_out(after) if after is not None and done.paid == "flurry" else after


# --- Mechanical Play -------------------------------------------------------------------------------------------------


def _called(was: Scene, done: strife.MechanicalPlayCalled) -> Scene:
    standing = {id: Standing() for id in done.characters}
    return changed(was, fight=Fight(done.caller, done.order, done.scope, done.melee, standing), mode="mechanical")


def _in_fight(change: Callable[[Fight, Any], Fight | None]) -> Callable[[Scene, Any], Scene | None]:
    def changes(was: Scene, done: Any) -> Scene | None:
        after = change(was.fight, done) if was.fight is not None else None
        return changed(was, fight=after) if after is not None else None

    return changes


def _stands(fight: Fight, id: str, **new: Any) -> Fight | None:
    standing = fight.standing.get(id)
    if standing is None:
        return None
    return changed(fight, standing={**fight.standing, id: changed(standing, **new)})


def _turn_started(was: Scene, done: strife.TurnStarted) -> Scene | None:
    fight = was.fight
    standing = fight.standing.get(done.persona) if fight is not None else None
    if fight is None or standing is None:
        return None
    ready = changed(standing, forfeited=0, taken=True, all_out=None)
    fight = changed(fight, turn=done.persona, standing={**fight.standing, done.persona: ready})
    return changed(was, fight=fight, speaker=done.player)


def _turn_ended(fight: Fight, done: strife.TurnEnded) -> Fight | None:
    return changed(fight, turn=None) if fight.turn == done.persona else None


def _round_ended(fight: Fight, done: strife.RoundEnded) -> Fight:
    standing = {id: changed(one, taken=False, free=(), refreshed=False) for id, one in fight.standing.items()}
    return changed(fight, standing=standing, round=fight.round + 1, turn=None)


def _ended(was: Scene, done: strife.MechanicalPlayEnded) -> Scene | None:
    return changed(was, fight=None) if was.fight is not None else None


def _same(fight: Fight, done: Any) -> Fight:
    return fight


def _forfeited(fight: Fight, done: strife.ActionForfeited) -> Fight | None:
    standing = fight.standing.get(done.persona)
    return _stands(fight, done.persona, forfeited=standing.forfeited + 1) if standing is not None else None


def _free(fight: Fight, done: strife.FreeActionTaken) -> Fight | None:
    standing = fight.standing.get(done.persona)
    return _stands(fight, done.persona, free=(*standing.free, done.kind)) if standing is not None else None


def _refreshed(fight: Fight, done: strife.FreeCapacityRestored) -> Fight | None:
    return _stands(fight, done.persona, free=(), refreshed=True)


def _all_out(fight: Fight, done: strife.AllOutDeclared) -> Fight | None:
    return _stands(fight, done.persona, all_out=done.mode)


def _flurry(fight: Fight, done: strife.FlurryStarted) -> Fight:
    return changed(fight, flurry=Flurry(done.persona, done.foe, done.script, done.limit))


def _stepped(fight: Fight, done: strife.FlurryStepped) -> Fight | None:
    flurry = fight.flurry
    return changed(fight, flurry=changed(flurry, steps=flurry.steps + 1, deeds=0)) if flurry is not None else None


def _flurry_ended(fight: Fight, done: strife.FlurryEnded) -> Fight | None:
    return changed(fight, flurry=changed(fight.flurry, ended=done.by)) if fight.flurry is not None else None


def _foe(fight: Fight, done: strife.FoeChanged) -> Fight | None:
    return _stands(fight, done.persona, foe=done.to)


OF_A_RESOLUTION: Mapping[type[Any], Callable[[Resolution, Any], Resolution | None]] = {
    deeds.OffGuardReactionRolled: _reacted,
    deeds.ModifierApplied: _modified,
    deeds.OpportunityClosed: _opportunity_closed,
    deeds.MibRolled: _rolled,
    deeds.RollReplaced: _replaced,
    deeds.ExperienceDieRolled: _die_rolled,
    deeds.ExperienceDieHandedOver: _handed_over,
    deeds.DecisionClosed: _decided,
    deeds.ChallengeTaken: _challenged,
    deeds.BenefitTaken: _benefited,
    deeds.OutcomeReached: _reached,
    deeds.ScalarRecorded: _scalar,
}
OF_A_FIGHT: Mapping[type[Any], Callable[[Fight, Any], Fight | None]] = {
    strife.TurnEnded: _turn_ended,
    strife.RoundEnded: _round_ended,
    strife.ActionExpended: _same,
    strife.ActionForfeited: _forfeited,
    strife.FreeActionTaken: _free,
    strife.FreeCapacityRestored: _refreshed,
    strife.AllOutDeclared: _all_out,
    strife.FlurryStarted: _flurry,
    strife.FlurryStepped: _stepped,
    strife.FlurryEnded: _flurry_ended,
    strife.FoeChanged: _foe,
    strife.AdvantageSeized: _same,
    strife.AdvantageHeld: _same,
    strife.AdvantageChecked: _same,
    strife.AdvantageErased: _same,
    deeds.AdvantageConverted: _same,
}
TO_A_SCENE: Mapping[type[Any], Callable[[Scene, Any], Scene | None]] = {
    facts.PlayModeShifted: _shifted,
    facts.SpeakerChanged: _speaks,
    deeds.ActionDeclared: _declared,
    deeds.PlotDeviceRolled: _device,
    deeds.ApplicationClosed: _closed,
    **{kind: _in_resolution(change) for kind, change in OF_A_RESOLUTION.items()},
    deeds.ResistorAnswered: _answers,
    deeds.JunctureConsequenceNamed: _consequence,
    strife.MechanicalPlayCalled: _called,
    strife.TurnStarted: _turn_started,
    strife.MechanicalPlayEnded: _ended,
    **{kind: _in_fight(change) for kind, change in OF_A_FIGHT.items()},
}
