"""What facts do to the resolutions of a scene."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from ledger.rules.kernel.fold import Change, unchanged
from ledger.rules.kernel.frozen import changed, changing
from ledger.rules.scattershot.facts_of_deeds import (
    ActionDeclared,
    ApplicationClosed,
    BenefitTaken,
    ChallengeOffered,
    ChallengeTaken,
    DecisionClosed,
    ExperienceDieHandedOver,
    ExperienceDieRolled,
    JunctureConsequenceNamed,
    MibRolled,
    ModifierApplied,
    OffGuardReactionRolled,
    OpportunityClosed,
    OutcomeReached,
    PartDeclined,
    PlotDeviceRolled,
    ResistorAnswered,
    RollReplaced,
    RollReported,
    ScalarRecorded,
)
from ledger.rules.scattershot.fold_of_fights import of_the_scene, played_out
from ledger.rules.scattershot.reckoning import reached
from ledger.rules.scattershot.state import Deed, Die, Reaction, Resolution, Scene, Side
from ledger.rules.scattershot.terms import ACTOR, REACTION, Stance


class OfAResolution(Protocol):
    @property
    def resolution(self) -> str: ...


F = TypeVar("F", bound=OfAResolution)
_resolving = changing(Scene, "resolutions")
_siding = changing(Resolution, "sides")


def of_its_resolution(change: Callable[[Resolution, F], Resolution | None]) -> Callable[[Scene, F], Scene | None]:
    """To the resolution the fact names, while it is open."""

    def whole(was: Scene, done: F) -> Scene | None:
        one = was.resolutions.get(done.resolution)
        after = change(one, done) if one is not None else None
        return _keep(was, done.resolution, after) if after is not None else None

    return of_the_scene(change, whole)


def _keep(was: Scene, id: str, one: Resolution) -> Scene:
    return _resolving(was, {**was.resolutions, id: one})


def _declared(was: Scene, done: ActionDeclared) -> Scene:
    deed = Deed(done.actor, done.player, done.subject, done.magnitude, done.nature, None, done.flurry, done.text)
    mine = {ACTOR: Side(done.player, done.rating)}
    after = _keep(was, done.resolution, Resolution(deed, "opportunity", done.engaged, mine))
    return played_out(after, done.actor, done.nature) if done.flurry else after


def _device(was: Scene, done: PlotDeviceRolled) -> Scene:
    deed = Deed(None, done.by, done.subject, target=done.target, text=done.text)
    return _keep(was, done.resolution, Resolution(deed, "decision", sides={ACTOR: Side(done.by, 0)}))


def _put(one: Resolution, name: str, side: Side) -> Resolution:
    return _siding(one, {**one.sides, name: side})


# --- the Opportunity Phase -------------------------------------------------------------------------------------------


@of_its_resolution
def _answered(one: Resolution, done: ResistorAnswered) -> Resolution:
    stance: Stance = "opposing" if done.opposes else "passive"
    engaged = {**one.engaged, done.character: stance}
    if done.character in one.reactions:
        over = changed(one.reactions[done.character], answered=True)
        one = changed(one, reactions={**one.reactions, done.character: over})
    if not done.opposes:
        return changed(one, engaged=engaged)
    side = Side(done.player, done.rating, nature=done.nature)
    return changed(one, engaged=engaged, sides={**one.sides, done.character: side})


def _answers(was: Scene, done: ResistorAnswered) -> Scene | None:
    after = _answered(was, done)
    if after is None or done.paid != "flurry":
        return after
    return played_out(after, done.character, done.nature)


@of_its_resolution
def _reacted(one: Resolution, done: OffGuardReactionRolled) -> Resolution:
    return _noticing(one, done.character, Reaction(done.player, done.mib))


def _noticing(one: Resolution, id: str, reaction: Reaction) -> Resolution:
    stance: Stance = "obliged" if reaction.mib >= 0 else "passive"
    return changed(one, reactions={**one.reactions, id: reaction}, engaged={**one.engaged, id: stance})


@of_its_resolution
def _modified(one: Resolution, done: ModifierApplied) -> Resolution | None:
    side = one.sides.get(done.side)
    return _put(one, done.side, changed(side, modifier=side.modifier + done.amount)) if side is not None else None


@of_its_resolution
def _opportunity_closed(one: Resolution, done: OpportunityClosed) -> Resolution:
    return changed(one, phase="decision", situation=done.situation)


# --- the Decision Phase ----------------------------------------------------------------------------------------------


@of_its_resolution
def _rolled(one: Resolution, done: MibRolled) -> Resolution | None:
    side = one.sides.get(done.roll)
    return _put(one, done.roll, changed(side, dice=done.dice, replaced=False)) if side is not None else None


@of_its_resolution
def _replaced(one: Resolution, done: RollReplaced) -> Resolution | None:
    side = one.sides.get(done.roll)
    return _put(one, done.roll, changed(side, replaced=True)) if side is not None else None


@of_its_resolution
def _die_rolled(one: Resolution, done: ExperienceDieRolled) -> Resolution | None:
    id = done.target.removeprefix(REACTION)
    side, reaction = one.sides.get(done.target), one.reactions.get(id) if id != done.target else None
    if side is None and (reaction is None or reaction.answered):
        return None
    die = Die(done.die, done.by, done.kind, done.face, done.borrower, done.final)
    dice = (*one.dice, die) if done.to != done.final else one.dice
    freebies = (*one.freebies, done.use) if done.use is not None else one.freebies
    if side is None or reaction is not None:
        assert reaction is not None
        noticed = changed(reaction, mib=reaction.mib + done.sign * done.face)
        return _noticing(changed(one, dice=dice, freebies=freebies), id, noticed)
    more = changed(side, experience=side.experience + done.sign * done.face, dice_rolled=side.dice_rolled + 1)
    return changed(one, dice=dice, freebies=freebies, sides={**one.sides, done.target: more})


@of_its_resolution
def _handed_over(one: Resolution, done: ExperienceDieHandedOver) -> Resolution | None:
    left = tuple(die for die in one.dice if die.id != done.die)
    return changed(one, dice=left) if len(left) < len(one.dice) else None


@of_its_resolution
def _decided(one: Resolution, done: DecisionClosed) -> Resolution:
    return changed(one, phase="challenges")


# --- the Application Phase -------------------------------------------------------------------------------------------


@of_its_resolution
def _challenged(one: Resolution, done: ChallengeTaken) -> Resolution | None:
    side = one.sides.get(done.side)
    return _put(one, done.side, changed(side, challenges=side.challenges + done.n)) if side is not None else None


@of_its_resolution
def _benefited(one: Resolution, done: BenefitTaken) -> Resolution | None:
    side = one.sides.get(done.side)
    if side is None or done.automatic:
        return one if side is not None else None
    after = changed(side, benefits=side.benefits + done.n)
    return changed(one, phase="benefits", sides={**one.sides, done.side: after})


@of_its_resolution
def _reached(one: Resolution, done: OutcomeReached) -> Resolution | None:
    if ACTOR not in one.sides or (done.resistor is not None and done.resistor not in one.sides):
        return None
    found = reached(one, done.resistor, done.cj, done.adjusting, done.resistors)
    return changed(one, phase="results", reached=(*one.reached, found), junctures=(*one.junctures, *done.junctures))


@of_its_resolution
def _named(one: Resolution, done: JunctureConsequenceNamed) -> Resolution | None:
    if not 0 <= done.juncture < len(one.junctures):
        return None
    place = done.juncture
    named = changed(one.junctures[place], named=True)
    return changed(one, junctures=(*one.junctures[:place], named, *one.junctures[place + 1 :]))


def _testified(was: Scene, done: ChallengeOffered | RollReported | ScalarRecorded) -> Scene | None:
    """It changes no number of the resolution."""
    return was if done.resolution in was.resolutions else None


def _closed(was: Scene, done: ApplicationClosed) -> Scene | None:
    """Closed with consequences still to be named, it is kept until they are."""
    one = was.resolutions.get(done.resolution)
    if one is None or one.phase == "closed":
        return None
    if any(not juncture.named for juncture in one.junctures):
        return _keep(was, done.resolution, changed(one, phase="closed"))
    return _gone(was, done.resolution)


def _gone(was: Scene, id: str) -> Scene:
    return changed(was, resolutions={other: one for other, one in was.resolutions.items() if other != id})


def _consequence(was: Scene, done: JunctureConsequenceNamed) -> Scene | None:
    after = _named(was, done)
    one = after.resolutions[done.resolution] if after is not None else None
    if after is None or one is None or one.phase != "closed" or any(not juncture.named for juncture in one.junctures):
        return after
    return _gone(after, done.resolution)


OF_DEEDS: Mapping[type[object], Change] = {
    ActionDeclared: _declared,
    PartDeclined: unchanged,
    PlotDeviceRolled: _device,
    ResistorAnswered: _answers,
    OffGuardReactionRolled: _reacted,
    ModifierApplied: _modified,
    OpportunityClosed: _opportunity_closed,
    MibRolled: _rolled,
    RollReported: _testified,
    RollReplaced: _replaced,
    ExperienceDieRolled: _die_rolled,
    ExperienceDieHandedOver: _handed_over,
    DecisionClosed: _decided,
    ChallengeTaken: _challenged,
    ChallengeOffered: _testified,
    BenefitTaken: _benefited,
    OutcomeReached: _reached,
    JunctureConsequenceNamed: _consequence,
    ScalarRecorded: _testified,
    ApplicationClosed: _closed,
}
