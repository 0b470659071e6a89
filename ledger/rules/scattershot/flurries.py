"""Flurries: a script of attacks, defenses and moves that runs as one Action. 3.12."""

from __future__ import annotations

from ledger.rules.scattershot.actions import check_all_out, check_engaged, expend, forfeit
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_fights import FlurryEnded, FlurryStarted, FlurryStepped
from ledger.rules.scattershot.foes import turn_to
from ledger.rules.scattershot.guards import no
from ledger.rules.scattershot.inputs_of_fights import InterruptFlurry, StartFlurry, StepFlurry
from ledger.rules.scattershot.listings import check_script
from ledger.rules.scattershot.melee import fight_at, standing_of
from ledger.rules.scattershot.resources import check_fight_left
from ledger.rules.scattershot.state import Fight, Flurry, Resolution


def start_flurry(draft: Draft, do: StartFlurry) -> None:
    """`mech.flurry`: one Involved Action; on another's Turn it opens with a Reactive Action, forfeited."""
    draft.must_play(do.character, "mech.flurry")
    fight = draft.fight(do.character)
    if not any(one.melee for one in draft.fights().values()) or (fight is not None and not fight.melee):
        raise no("mech.flurry", "not-in-melee")
    standing_of(draft, do.character, "mech.flurry")
    standing_of(draft, do.foe, "mech.flurry")
    if fight is None or do.foe not in fight.standing:
        raise no("mech.flurry", "not-in-this-scene", character=do.foe)
    if do.foe == do.character:
        raise no("mech.flurry", "flurry-against-self", character=do.character)
    if draft.dials.epic_index == 0:
        raise no("mech.flurry", "flurry-ended", index=0)
    check_fight_left(draft, do.character)
    listed = draft.who(do.character).ratings.get(do.ability)
    check_script(draft, draft.who(do.character), do.ability, do.script)
    script = do.script or (listed.script if listed is not None else ())
    if not script:
        raise no("mech.flurry", "unknown-step", ability=do.ability)
    if fight.turn == do.character:
        expend(draft, do.character, 1, do.ability)
    else:
        check_all_out(standing_of(draft, do.character), do.character, "defense")
        check_engaged(do.character, *draft.scene().resolutions.values())
        forfeit(draft, do.character, do.ability)
    if fight.flurry is not None and fight.flurry.ended is None:
        draft.here(FlurryEnded("interruption", fight.scope))
    draft.here(FlurryStarted(do.character, do.foe, do.ability, script, draft.dials.epic_index))
    turn_to(draft, do.character, do.foe)
    draft.by("mech.flurry", draft.dials.epic_index, ability=do.ability)


def step_flurry(draft: Draft, do: StepFlurry) -> None:
    """An attack, a defense or a move of the script. After as many as the Epic Index it is over, with the last of them
    played out."""
    fight = fight_at(draft, do.scope, "mech.flurry")
    flurry = fight.flurry
    if flurry is None or flurry.ended is not None:
        raise no("mech.flurry", "flurry-ended")
    draft.must_play(flurry.persona, "mech.flurry")
    if do.step not in flurry.script:
        raise no("mech.flurry", "unknown-step", step=do.step)
    _count(draft, fight.scope, flurry, do.step)


def _count(draft: Draft, scope: str, flurry: Flurry, step: str) -> int:
    """Record one step more and return which it is. Refuses `flurry-ended`: the last there may be was announced."""
    n = flurry.steps + 1
    if n > flurry.limit:
        raise no("mech.flurry", "flurry-ended", limit=flurry.limit)
    draft.here(FlurryStepped(n, step, scope))
    draft.by("mech.flurry", n, step=step)
    return n


def interrupt_flurry(draft: Draft, do: InterruptFlurry) -> None:
    """An Action the script does not cover: a roll that succeeded, or an Action that is paid for."""
    fight = fight_at(draft, do.scope, "mech.flurry")
    flurry = fight.flurry
    if flurry is None or flurry.ended is not None:
        raise no("mech.flurry", "flurry-ended")
    if do.resolution is not None:
        interrupting = draft.resolution(do.resolution)
        if not interrupts(interrupting, fight):
            raise no("mech.flurry", "nothing-interrupts", resolution=do.resolution)
        draft.must_play(interrupting.actor or "", "mech.flurry")
    else:
        _pay_for_interrupting(draft, do, fight, flurry)
    draft.here(FlurryEnded("interruption", fight.scope))
    draft.by("mech.flurry", "interruption", what=do.what)


def interrupts(resolution: Resolution, fight: Fight) -> bool:
    """Whether it is the Action of somebody in this fight, no step of its Flurry, that succeeded."""
    if resolution.actor not in fight.standing or resolution.deed.flurry:
        return False
    return any(outcome.adjusted >= 0 for outcome in resolution.reached)


def _pay_for_interrupting(draft: Draft, do: InterruptFlurry, fight: Fight, flurry: Flurry) -> None:
    """An Action of one's own Turn, or one of the next; only the Engaged, and the Flurry's two, act on another's Turn.

    Refuses `nothing-interrupts`.
    """
    id = do.character
    if id is None:
        raise no("mech.flurry", "nothing-interrupts")
    draft.must_play(id, "mech.flurry")
    if id not in fight.standing:
        raise no("mech.flurry", "not-in-this-scene", character=id)
    if fight.turn == id:
        expend(draft, id, 1, do.what)
        return
    check_all_out(fight.standing[id], id, "other")
    if id not in (flurry.persona, flurry.foe):
        check_engaged(id, *draft.scene().resolutions.values())
    forfeit(draft, id, do.what)


def in_flurry(draft: Draft, id: str, nature: str, answered: Resolution | None = None) -> None:
    """What the Flurry pays for is a step of it, declared or as an answer: the one announced and not yet played out, or
    one more. What the foe defends with is part of the step it answers.

    Refuses `flurry-ended` to who is in none that goes on.
    """
    fight = draft.fight(id)
    flurry = fight.flurry if fight is not None else None
    if fight is None or flurry is None or id not in (flurry.persona, flurry.foe):
        raise no("mech.flurry", "flurry-ended", character=id)
    defends = id == flurry.foe and nature != "attack"
    if defends and answered is not None and answered.deed.flurry and flurry.ended == "limit":
        return
    if not flurry.flows:
        raise no("mech.flurry", "flurry-ended", character=id)
    if defends:
        return
    is_announced = flurry.is_announced and (id == flurry.persona or not flurry.is_last_due)
    step = flurry.steps if is_announced else _count(draft, fight.scope, flurry, nature)
    if step >= flurry.limit and flurry.ended is None:
        draft.here(FlurryEnded("limit", fight.scope))


def flows(draft: Draft, id: str) -> bool:
    """Whether the Persona is in a Flurry under way."""
    fight = draft.fight(id)
    flurry = fight.flurry if fight is not None else None
    return flurry is not None and flurry.flows and id in (flurry.persona, flurry.foe)
