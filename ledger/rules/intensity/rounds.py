"""Actions, before the roll: opening a round, declaring, raising the intensity, restating, abandoning, closing."""

from __future__ import annotations

from ledger.rules.intensity import accounts
from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.facts_of_rounds import (
    ActionDeclared,
    DeclarationAmended,
    IntensityRaised,
    Restated,
    RoundAbandoned,
    RoundClosed,
    RoundOpened,
)
from ledger.rules.intensity.guards import Place, the_participant, the_round, the_scene
from ledger.rules.intensity.inputs_of_rounds import (
    AbandonRound,
    AmendDeclaration,
    CloseRound,
    Declare,
    OpenRound,
    Raise,
)
from ledger.rules.intensity.state import Participant, Round
from ledger.rules.intensity.tables import INTENSITY
from ledger.rules.intensity.terms import UNTOUCHED, Level, is_level
from ledger.rules.intensity.traits import check_can_act, check_declarable, explain_trait
from ledger.rules.kernel.refusals import Refused


def open_round(draft: Draft, do: OpenRound) -> None:
    """At least two characters, none of them out, in the open scene."""
    rule = "intensity.round.open"
    for id in do.participants:
        draft.known(id)
    place = the_scene(draft, rule)
    if place.scene.round is not None:
        raise Refused(rule, "round-open", round=place.scene.round.id)
    if len(do.participants) < 2 or len(set(do.participants)) != len(do.participants):
        raise Refused(rule, "participants", participants=list(do.participants))
    for id in do.participants:
        if draft.is_out(id):
            raise Refused(rule, "character-out", char=id)
    draft.tell(place.subject, RoundOpened(draft.table.new_id(), do.participants))
    draft.by(rule, len(do.participants), participants=list(do.participants))


def declare(draft: Draft, do: Declare) -> None:
    """One target (or none), one level, one trait; once."""
    rule = "intensity.round.declare"
    draft.known(do.char)
    if do.target is not None:
        draft.known(do.target)
    level = _level(do.level)
    place = the_scene(draft, rule)
    round = the_round(place, rule)
    participant = the_participant(round, do.char, rule)
    _check_before_roll(round, rule)
    if participant.level is not None:
        raise Refused(rule, "already-declared", char=do.char)
    _check_target(round, do.char, do.target)
    _check_not_lowered(draft, place, do.char, level)
    check_declarable(draft, do.char, do.trait)
    check_can_act(draft, do.char, do.target)
    draft.tell(place.subject, ActionDeclared(round.id, do.char, do.target, level, do.trait, do.text))
    draft.by(rule, do.char, target=do.target)
    draft.by("intensity.level.dice", INTENSITY[level], level=level)
    last = place.scene.levels.get(do.char)
    if draft.dials.intensity_scope == "scene_ratchet" and last is not None:
        draft.by("intensity.level.scope", level, last=last)
    explain_trait(draft, do.char, do.trait)


def raise_intensity(draft: Draft, do: Raise) -> None:
    """Up only, before the first face, and as a reaction to somebody else's declaration."""
    rule = "intensity.level.raise-only"
    draft.known(do.char)
    level = _level(do.level)
    place = the_scene(draft, rule)
    round = the_round(place, rule)
    declared = _declared_level(the_participant(round, do.char, rule), do.char, rule)
    if INTENSITY[level] <= INTENSITY[declared]:
        raise Refused(rule, "not-a-raise", char=do.char, declared=declared, level=level)
    others = [id for id, one in round.participants.items() if id != do.char and one.level is not None]
    if draft.dials.intensity_raise_gate == "other_declared" and not others:
        raise Refused(rule, "no-other-declaration", char=do.char)
    _check_before_roll(round, rule)
    draft.tell(place.subject, IntensityRaised(round.id, do.char, declared, level, do.text))
    draft.by(rule, INTENSITY[level], declared=declared, others=others)


def amend(draft: Draft, do: AmendDeclaration) -> None:
    """Target, trait and intent can be restated until the roll; the level cannot."""
    rule = "intensity.round.amend"
    if do.level != UNTOUCHED or do.target == do.trait == do.text == UNTOUCHED:
        raise Refused(rule, "amend-what", char=do.char)
    draft.known(do.char)
    if do.target is not None and do.target != UNTOUCHED:
        draft.known(do.target)
    place = the_scene(draft, rule)
    round = the_round(place, rule)
    participant = the_participant(round, do.char, rule)
    _check_before_roll(round, rule)
    _declared_level(participant, do.char, rule)
    if not draft.dials.declaration_amendable:
        raise Refused(rule, "declaration-fixed", char=do.char)
    target = participant.target if do.target == UNTOUCHED else do.target
    if do.target != UNTOUCHED:
        _check_target(round, do.char, do.target)
    if do.trait != UNTOUCHED:
        check_declarable(draft, do.char, do.trait)
    check_can_act(draft, do.char, target)
    before = Restated(
        UNTOUCHED if do.target == UNTOUCHED else participant.target,
        UNTOUCHED if do.trait == UNTOUCHED else participant.trait,
        UNTOUCHED if do.text == UNTOUCHED else participant.text,
    )
    after = Restated(do.target, do.trait, do.text)
    draft.tell(place.subject, DeclarationAmended(round.id, do.char, before, after))
    trait = participant.trait if do.trait == UNTOUCHED else do.trait
    draft.by(rule, do.char, target=target, trait=trait)
    if do.trait != UNTOUCHED:
        explain_trait(draft, do.char, trait)


def abandon(draft: Draft, do: AbandonRound) -> None:
    """A round whose roll is not complete is dropped; dice already entered go back, and nobody is linked by it."""
    rule = "intensity.round.abandon"
    place = the_scene(draft, rule)
    round = the_round(place, rule)
    if round.groups is not None:
        raise Refused(rule, "wrong-stage", round=round.id)
    _put_away(draft, place, round, RoundAbandoned(round.id))
    draft.by(rule, round.id)


def close(draft: Draft, do: CloseRound) -> None:
    """Once nobody is left to act, all dice leave the table."""
    rule = "intensity.round.close"
    place = the_scene(draft, rule)
    round = the_round(place, rule)
    if round.groups is None:
        raise Refused(rule, "wrong-stage", round=round.id)
    pending = [id for id, one in round.participants.items() if one.turn == "pending"]
    if round.attack is not None or pending:
        raise Refused(rule, "actions-left", attack=round.attack.id if round.attack else None, pending=pending)
    _put_away(draft, place, round, RoundClosed(round.id))
    draft.by(rule, round.id)


def _put_away(draft: Draft, place: Place, round: Round, done: RoundClosed | RoundAbandoned) -> None:
    """The round ends with its standing and defence dice back in the supply."""
    moved = []
    for id in round.participants:
        moved.append(draft.taken(accounts.standing(place.subject, id)))
        moved.append(draft.taken(accounts.defence(place.subject, id)))
    draft.tell(place.subject, done, *moved)


def _level(word: str) -> Level:
    if not is_level(word):
        raise Refused("intensity.level.dice", "unknown-level", level=word)
    return word


def _check_before_roll(round: Round, rule: str) -> None:
    """The first face on the table closes declaring, raising and restating, even if who rolled it has left since."""
    if round.begun or round.groups is not None or any(one.dice for one in round.participants.values()):
        raise Refused(rule, "wrong-stage", round=round.id)


def _declared_level(participant: Participant, char: str, rule: str) -> Level:
    if participant.level is None:
        raise Refused(rule, "not-declared", char=char)
    return participant.level


def _check_target(round: Round, char: str, target: str | None) -> None:
    rule = "intensity.round.declare"
    if target == char:
        raise Refused(rule, "self", char=char)
    if target is not None and target not in round.participants:
        raise Refused(rule, "target-not-in-round", target=target)


def _check_not_lowered(draft: Draft, place: Place, char: str, level: Level) -> None:
    """intensity.level.scope: under the ratchet, never below the last level of the scene."""
    last = place.scene.levels.get(char)
    if draft.dials.intensity_scope == "scene_ratchet" and last is not None and INTENSITY[level] < INTENSITY[last]:
        raise Refused("intensity.level.scope", "lowered", char=char, last=last, level=level)
