"""Flurries: scripts of attacks, defenses and moves that cost one Action."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.kit import (
    ANYONE,
    OPEN,
    Among,
    Besides,
    CharacterId,
    Domain,
    Move,
    Names,
    Reason,
    Refusal,
    Refused,
    Seen,
    Some,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    listed,
    offers,
    require,
)
from ledger.rules.scattershot import actions, advantage, conditions, listings, power
from ledger.rules.scattershot.draft import Draft, require_fight_at, require_standing
from ledger.rules.scattershot.mechanical_play import FLURRY, FlurryEnded
from ledger.rules.scattershot.scene import (
    Fight,
    Flurry,
    Resolution,
    Scene,
    Standing,
    in_its_fight,
    in_its_scope,
    keep_fight,
)
from ledger.rules.scattershot.words import (
    NOT_IN_MELEE,
    NOT_IN_THIS_SCENE,
    FlurryStep,
    Rating,
    ResolutionId,
    Scope,
    name_rating,
)

FLURRY_AGAINST_SELF = Refusal(
    FLURRY, "flurry-against-self", "{character} cannot start a Flurry against itself. Choose another foe."
)
FLURRY_ENDED = Refusal(
    FLURRY,
    "flurry-ended",
    "[{character} is not in a Flurry at the moment. ][With an Epic Index of {index}, there are no Flurries."
    " ][This Flurry has already had its {limit:step|steps}. ]This is possible only during a Flurry.",
)
UNKNOWN_STEP = Refusal(
    FLURRY, "unknown-step", "[{step} is not a step of the script][{ability} has no script. List the Flurry's steps]."
)
NOTHING_INTERRUPTS = Refusal(
    FLURRY,
    "nothing-interrupts",
    "Nothing interrupts the Flurry. Name a successful resolution that is not a step of it, or a"
    " Character who pays an Action.",
)


def say_script(fact: FlurryStarted, names: Names) -> str:
    ability, step_list = name_rating(fact.ability), listed(fact.script)
    name, foe_name = names.name(character(fact.persona)), names.name(character(fact.foe))
    limit_phrase = "1 step" if fact.limit == 1 else f"{fact.limit} steps"
    return f"{name} starts a Flurry against {foe_name} with {ability}: {step_list}, at most {limit_phrase}."


@fact("flurry-started", says=say_script, headline=38, kw_only=True)
class FlurryStarted:
    """A Persona began a Flurry. `limit`: how many steps it can have."""

    persona: CharacterId
    foe: CharacterId
    ability: Rating
    script: tuple[FlurryStep, ...]
    limit: int


@changes
@in_its_fight
def start_flurry_of(fight: Fight, fact: FlurryStarted) -> Fight:
    return changed(fight, flurry=Flurry(fact.persona, fact.foe, fact.script, fact.limit))


@fact("flurry-stepped", says="Step {n} of the Flurry: {step}.")
class FlurryStepped:
    """A Persona took the next step of a Flurry. `n`: the step's number in the Flurry."""

    n: int
    step: FlurryStep
    scope: Scope


@changes
@in_its_scope
def step_flurry_of(fight: Fight, fact: FlurryStepped) -> Fight | None:
    flurry = fight.flurry
    return changed(fight, flurry=changed(flurry, steps=flurry.steps + 1, deeds=0)) if flurry is not None else None


def play_out_step(state: Scene, char_id: str, nature: str) -> Scene:
    """Count an Action or answer as a step of this Character's Flurry.

    A defense of the foe is not counted, because it is part of the step that it answers.
    """
    scope = state.find_scope_of(char_id)
    flurry = state.fights[scope].flurry if scope is not None else None
    if scope is None or flurry is None or (char_id == flurry.foe and nature != "attack"):
        return state
    return keep_fight(state, scope, changed(state.fights[scope], flurry=changed(flurry, deeds=flurry.deeds + 1)))


@declares(
    "start-flurry",
    ANYONE,
    says="{character} starts a Flurry against {foe} with {ability}.",
    records=(
        FlurryStarted,
        FlurryEnded,
        actions.ActionExpended,
        actions.ActionForfeited,
        advantage.FoeChanged,
        advantage.AdvantageErased,
    ),
)
class StartFlurry:
    """Start a Flurry: a series of attacks, defenses and moves that costs only one Action. On another Character's Turn
    it begins as a reaction and costs an Action of the next Turn. This interrupts any other Flurry under way at that
    Scope.

    `ability`: the ability whose script is followed. `script`: the possible steps of the Flurry; leave it out to use the
    script on the Persona Sheet.
    """

    character: CharacterId
    foe: CharacterId
    ability: Rating
    script: tuple[FlurryStep, ...] = ()


def may_pay_to_begin(draft: Draft, fight: Fight, char_id: str) -> Refused | None:
    """Refuse to begin a Flurry unless the Character can spend an Action of its Turn or, if it is Engaged on another
    Character's Turn, forfeit one.
    """
    if fight.turn == char_id:
        return actions.may_expend(draft, fight, char_id, 1)
    standing = fight.standing[char_id]
    refused = conditions.may_act_in_mode(standing, char_id, "defense") or actions.may_react(
        char_id, *draft.read_resolutions().values()
    )
    return refused or actions.may_forfeit(draft, char_id, standing)


@decides
def start_flurry(draft: Draft, do: StartFlurry) -> None:
    """Start a Flurry for 1 Action. On another Character's Turn it begins as a reaction, for a forfeited Action."""
    draft.check_plays(do.character, FLURRY)
    fight = draft.find_fight(do.character)
    if not any(other.melee for other in draft.read_fights().values()) or (fight is not None and not fight.melee):
        raise NOT_IN_MELEE.under(FLURRY)
    require_standing(draft, do.character, FLURRY)
    require_standing(draft, do.foe, FLURRY)
    if fight is None or do.foe not in fight.standing:
        raise NOT_IN_THIS_SCENE.under(FLURRY, character=do.foe)
    if do.foe == do.character:
        raise FLURRY_AGAINST_SELF(character=do.character)
    if draft.dials.epic_index == 0:
        raise FLURRY_ENDED(index=0)
    require(power.may_fight(draft, do.character))
    rating = draft.read_character(do.character).ratings.get(do.ability)
    listings.check_script(draft, draft.read_character(do.character), do.ability, do.script)
    script = do.script or (rating.script if rating is not None else ())
    if not script:
        raise UNKNOWN_STEP(ability=do.ability)
    require(may_pay_to_begin(draft, fight, do.character))
    if fight.turn == do.character:
        actions.expend_actions(draft, do.character, 1, do.ability)
    else:
        actions.forfeit_one_action(draft, do.character, do.ability)
    if fight.flurry is not None and fight.flurry.ended is None:
        draft.here(FlurryEnded("interruption", fight.scope))
    draft.here(
        FlurryStarted(persona=do.character, foe=do.foe, ability=do.ability, script=script, limit=draft.dials.epic_index)
    )
    advantage.turn_to_foe(draft, do.character, do.foe)
    draft.by(FLURRY, draft.dials.epic_index, ability=do.ability)


@declares("step-flurry", ANYONE, says="The next step of the Flurry: {step}.", records=(FlurryStepped, FlurryEnded))
class StepFlurry:
    """Announce the next step of a Flurry: a move, or an attack or defense that you then declare. You need not announce
    an Action that the Flurry pays for. Once you announce the last step that the limit allows, it must be carried out.

    `step`: a step of the script. `scope`: the Scope of the Flurry, needed only if Mechanical Play is under way at
    several Scopes.
    """

    step: FlurryStep
    scope: Scope | None = None


@decides
def step_flurry(draft: Draft, do: StepFlurry) -> None:
    """Announce a step of the script. At the limit, the Flurry is over once its last step is played out."""
    fight = require_fight_at(draft, do.scope, FLURRY)
    flurry = fight.flurry
    if flurry is None or flurry.ended is not None:
        raise FLURRY_ENDED()
    draft.check_plays(flurry.persona, FLURRY)
    if do.step not in flurry.script:
        raise UNKNOWN_STEP(step=do.step)
    _count_step(draft, fight.scope, flurry, do.step)


def may_step(flurry: Flurry) -> Refused | None:
    return FLURRY_ENDED(limit=flurry.limit) if flurry.steps >= flurry.limit else None


def _count_step(draft: Draft, scope: str, flurry: Flurry, step: str) -> int:
    """Record one more step and return its number."""
    require(may_step(flurry))
    number = flurry.steps + 1
    draft.here(FlurryStepped(number, step, scope))
    draft.by(FLURRY, number, step=step)
    return number


@declares(
    "interrupt-flurry",
    ANYONE,
    says="The Flurry is interrupted: {what}.",
    records=(FlurryEnded, actions.ActionExpended, actions.ActionForfeited),
)
class InterruptFlurry:
    """Interrupt a Flurry with an Action that its script does not cover. Give either `resolution` or `character`.

    `what`: the interruption, in words. `resolution`: a successful Action, by a Character in the fight, that is not a
    step of the Flurry. `character`: the Character that spends an Action of this Turn or the next one on the
    interruption. `scope`: the Scope of the Flurry, needed only if Mechanical Play is under way at several Scopes.
    """

    what: Reason
    scope: Scope | None = None
    character: CharacterId | None = None
    resolution: ResolutionId | None = None


@decides
def interrupt_flurry(draft: Draft, do: InterruptFlurry) -> None:
    """Interrupt a Flurry with a successful roll, or by paying for an Action."""
    fight = require_fight_at(draft, do.scope, FLURRY)
    flurry = fight.flurry
    if flurry is None or flurry.ended is not None:
        raise FLURRY_ENDED()
    if do.resolution is not None:
        interrupting_resolution = draft.require_resolution(do.resolution)
        require(may_interrupt(do.resolution, interrupting_resolution, fight))
        draft.check_plays(interrupting_resolution.actor or "", FLURRY)
    else:
        _pay_for_interrupting(draft, do, fight, flurry)
    draft.here(FlurryEnded("interruption", fight.scope))
    draft.by(FLURRY, "interruption", what=do.what)


def may_pay_to_interrupt(draft: Draft, fight: Fight, flurry: Flurry, char_id: str) -> Refused | None:
    """Refuse to interrupt a Flurry unless the Character can spend an Action of its Turn, or forfeit one on another
    Character's Turn.

    Only the two Characters in the Flurry can forfeit an Action without being Engaged.
    """
    if fight.turn == char_id:
        return actions.may_expend(draft, fight, char_id, 1)
    standing = fight.standing[char_id]
    refused = conditions.may_act_in_mode(standing, char_id, "other")
    if refused is None and char_id not in (flurry.persona, flurry.foe):
        refused = actions.may_react(char_id, *draft.read_resolutions().values())
    return refused or actions.may_forfeit(draft, char_id, standing)


def _pay_for_interrupting(draft: Draft, do: InterruptFlurry, fight: Fight, flurry: Flurry) -> None:
    char_id = do.character
    if char_id is None:
        raise NOTHING_INTERRUPTS()
    draft.check_plays(char_id, FLURRY)
    if char_id not in fight.standing:
        raise NOT_IN_THIS_SCENE.under(FLURRY, character=char_id)
    require(may_pay_to_interrupt(draft, fight, flurry, char_id))
    if fight.turn == char_id:
        actions.expend_actions(draft, char_id, 1, do.what)
    else:
        actions.forfeit_one_action(draft, char_id, do.what)


def may_interrupt(char_id: str, resolution: Resolution, fight: Fight) -> Refused | None:
    """Refuse an interruption unless a Character in this fight succeeded with an Action that is not a step of a
    Flurry.
    """
    is_action_in_fight = resolution.actor in fight.standing and not resolution.deed.flurry
    if is_action_in_fight and any(reached_outcome.adjusted >= 0 for reached_outcome in resolution.reached):
        return None
    return NOTHING_INTERRUPTS(resolution=char_id)


def may_use_flurry(draft: Draft, char_id: str, nature: str, answered: Resolution | None = None) -> Refused | None:
    """Refuse an Action that the Flurry cannot pay for. It can pay while it goes on and has a step left, and for the
    foe's defense against its last step.
    """
    fight = draft.find_fight(char_id)
    flurry = fight.flurry if fight is not None else None
    if flurry is None or char_id not in (flurry.persona, flurry.foe):
        return FLURRY_ENDED(character=char_id)
    if _is_part_of_a_step(flurry, char_id, nature, answered):
        return None
    if not flurry.is_flowing:
        return FLURRY_ENDED(character=char_id)
    if _is_defending(flurry, char_id, nature) or _plays_announced_step(flurry, char_id):
        return None
    return may_step(flurry)


def _is_defending(flurry: Flurry, char_id: str, nature: str) -> bool:
    """Return whether the foe defends. A defense is part of the step that it answers, not a step of its own."""
    return char_id == flurry.foe and nature != "attack"


def _is_part_of_a_step(flurry: Flurry, char_id: str, nature: str, answered: Resolution | None) -> bool:
    """Return whether the foe defends against the last step, which has ended the Flurry."""
    is_answer_to_last_step = answered is not None and answered.deed.flurry and flurry.ended == "limit"
    return is_answer_to_last_step and _is_defending(flurry, char_id, nature)


def _plays_announced_step(flurry: Flurry, char_id: str) -> bool:
    """Return whether this Character plays out the announced step."""
    return flurry.is_announced and (char_id == flurry.persona or not flurry.is_last_due)


def use_flurry(draft: Draft, char_id: str, nature: str, answered: Resolution | None = None) -> None:
    """Play out the announced step, or count one more."""
    require(may_use_flurry(draft, char_id, nature, answered))
    fight = draft.find_fight(char_id)
    assert fight is not None and fight.flurry is not None, "`may_use_flurry` has checked this"
    flurry = fight.flurry
    if _is_defending(flurry, char_id, nature):
        return
    step_number = (
        flurry.steps if _plays_announced_step(flurry, char_id) else _count_step(draft, fight.scope, flurry, nature)
    )
    if step_number >= flurry.limit and flurry.ended is None:
        draft.here(FlurryEnded("limit", fight.scope))


def is_in_flurry(draft: Draft, char_id: str) -> bool:
    """Return whether the Persona is in a Flurry under way."""
    fight = draft.find_fight(char_id)
    flurry = fight.flurry if fight is not None else None
    return flurry is not None and flurry.is_flowing and char_id in (flurry.persona, flurry.foe)


def list_natures_of_flurry(
    draft: Draft, char_id: str, standing: Standing, natures: tuple[str, ...], answered: Resolution | None = None
) -> tuple[str, ...]:
    """Return the natures that a Flurry pays for: its steps, and the foe's answers."""
    allowed_natures = conditions.list_natures_allowed(standing, char_id, natures, "flurry")
    return tuple(nature for nature in allowed_natures if may_use_flurry(draft, char_id, nature, answered) is None)


@offers
def offer_flurries(seen: Seen, draft: Draft) -> Iterator[Move]:
    for fight in draft.read_fights().values():
        if fight.flurry is not None and fight.flurry.ended is None:
            yield from _list_flurry(draft, fight, fight.flurry)
        if fight.melee and draft.dials.epic_index > 0 and len(fight.standing) > 1:
            for char_id in draft.filter_mine(fight.standing):
                if power.may_fight(draft, char_id) is None and may_pay_to_begin(draft, fight, char_id) is None:
                    yield from _list_beginnings(draft, fight, char_id)


def _list_flurry(draft: Draft, fight: Fight, flurry: Flurry) -> Iterator[Move]:
    """Yield moves that continue or interrupt a Flurry under way."""
    own_ids, scope_domain = draft.filter_mine(fight.standing), draft.make_scope_domain(fight)
    if payer_ids := tuple(id for id in own_ids if may_pay_to_interrupt(draft, fight, flurry, id) is None):
        yield Move(InterruptFlurry, {"scope": scope_domain, "character": Among(payer_ids)})
    ids_and_resolutions = draft.read_resolutions().items()
    interrupting_ids = tuple(
        id
        for id, resolution in ids_and_resolutions
        if may_interrupt(id, resolution, fight) is None and draft.filter_mine((resolution.actor or "",))
    )
    if interrupting_ids:
        character_domain: Domain = Among((None, *draft.roster))
        yield Move(
            InterruptFlurry,
            {"scope": scope_domain, "character": character_domain, "resolution": Among(interrupting_ids)},
        )
    if may_step(flurry) is None and draft.filter_mine((flurry.persona,)):
        yield Move(StepFlurry, {"step": Among(tuple(dict.fromkeys(flurry.script))), "scope": scope_domain})


def _list_beginnings(draft: Draft, fight: Fight, char_id: str) -> Iterator[Move]:
    """Yield moves that begin a Flurry by the listed script, or by any script if none is listed, and by the script on
    the sheet.
    """
    foe_domain = Among(tuple(foe for foe in fight.standing if foe != char_id))
    fields: dict[str, Domain] = {"character": Among((char_id,)), "foe": foe_domain}
    scripts_by_ability = {
        name: rating.script for name, rating in draft.read_character(char_id).ratings.items() if rating.script
    }
    listed_abilities = (
        () if draft.is_by_gm else tuple(name for name, use in draft.read_campaign().uses.items() if use.script)
    )
    yield Move(StartFlurry, {**fields, "ability": Besides(listed_abilities), "script": Some(OPEN, 1, repeats=True)})
    for name in listed_abilities:
        if name in scripts_by_ability:
            yield Move(StartFlurry, {**fields, "ability": Among((name,)), "script": Among((scripts_by_ability[name],))})
    if scripts_by_ability:
        yield Move(StartFlurry, {**fields, "ability": Among(tuple(scripts_by_ability)), "script": Among(((),))})
