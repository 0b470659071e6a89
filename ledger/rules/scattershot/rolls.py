"""The roll: modifiers are fixed, two ten-sided dice are rolled, and the totals are called out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ledger.rules.kernel.kit import (
    ANYONE,
    Among,
    Asking,
    CharacterId,
    Domain,
    Move,
    Names,
    Question,
    RecordedFacts,
    Refusal,
    Refused,
    Seen,
    Subject,
    Thrown,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    list_making_facts,
    listed,
    offers,
    require,
    rule,
    throws,
)
from ledger.rules.scattershot import conditions, declaring, game
from ledger.rules.scattershot.agreement import BASIC_MIB, read_faces, roll_two_d10
from ledger.rules.scattershot.draft import ENGAGE, PHASES, TWO_D10, Draft, may_act_in
from ledger.rules.scattershot.ratings import MODIFIERS
from ledger.rules.scattershot.scene import (
    Resolution,
    find_basic_mib,
    find_final_mib,
    find_modified_rating,
    find_resultant,
    in_its_resolution,
    list_opposers,
    put_side,
)
from ledger.rules.scattershot.words import (
    ACTOR,
    BAD_D10,
    NO_SUCH_ROLL,
    RESISTOR_HAS_NOT_ANSWERED,
    WRONG_PHASE,
    D10Faces,
    JunctureKind,
    Outcome,
    ResolutionId,
    SideName,
    name_side,
)

PREEMPT = rule(
    "scattershot.mib.preempt",
    "Players may roll Experience Dice before the ten-sided dice. An option can let Experience Dice replace"
    " the ten-sided dice.",
    "Adding/Subtracting Experience Dice",
)
CANNOT_REPLACE_THE_ROLL = Refusal(
    PREEMPT,
    "cannot-replace-the-roll",
    "Experience Dice cannot replace the ten-sided dice here. An option must allow this, an Experience"
    " Die must be on the table, and the scene must not be in Mechanical Play.",
)
REPORT = rule(
    "scattershot.mib.report",
    "After each roll, the ledger shows by how much the roll succeeded or failed, and what that means so far.",
    "MIB numbers",
)


def say_opportunity_closed(fact: OpportunityClosed, names: Names) -> str:
    clauses = [f"the Action needs {fact.modified_rating} or less"]
    clauses += [f"{names.name(character(char_id))} needs {n} or less" for char_id, n in fact.resistors.items()]
    return f"The Opportunity Phase ends: {listed(clauses)}."


@fact("opportunity-closed", says=say_opportunity_closed, headline=15)
class OpportunityClosed:
    """The Opportunity Phase ended. `modified_rating`: the Actor's modified Rating. `resistors`: the modified Ratings of
    the Resistors. `situation`: for each side, the modifier from reduced Resources and Combat Advantage.
    """

    resolution: ResolutionId
    modified_rating: int
    resistors: Mapping[CharacterId, int]
    situation: Mapping[SideName, int]


@changes
@in_its_resolution
def close_opportunity_of(resolution: Resolution, fact: OpportunityClosed) -> Resolution:
    return changed(resolution, phase="decision", situation=fact.situation)


@declares("close-opportunity", ANYONE, says="The Opportunity Phase ends.", records=(OpportunityClosed,))
class CloseOpportunity:
    """End the Opportunity Phase. All modifiers are added up, including those for Combat Advantage and reduced
    Resources. They cannot change after that.
    """

    resolution: ResolutionId


def may_close_opportunity(resolution: Resolution) -> Refused | None:
    if any(stance in ("asked", "obliged") for stance in resolution.engaged.values()):
        return RESISTOR_HAS_NOT_ANSWERED.under(ENGAGE, engaged=list(resolution.engaged))
    return None


@decides
def close_opportunity(draft: Draft, do: CloseOpportunity) -> None:
    """Add up and fix all modifiers. Refuses `resistor-has-not-answered`."""
    resolution = draft.require_resolution(do.resolution)
    require(may_act_in(resolution, "opportunity"))
    require(may_close_opportunity(resolution))
    numbers: dict[str, int] = {}
    situations: dict[str, int] = {}
    for name, side in resolution.sides.items():
        char_id = resolution.actor if name == ACTOR else name
        situations[name] = conditions.add_up_situation(draft, char_id) if char_id is not None else 0
        numbers[name] = side.rating + side.modifier + situations[name]
        draft.by(MODIFIERS, numbers[name], side=name, rating=side.rating, modifiers=side.modifier)
    actor_number = numbers.pop(ACTOR)
    situation_by_side = {name: amount for name, amount in situations.items() if amount}
    draft.here(OpportunityClosed(do.resolution, actor_number, numbers, situation_by_side))
    draft.by(PHASES, "decision")


def say_rolled(fact: MibRolled, names: Names) -> str:
    roll_clause = "The roll for the Action shows" if fact.roll == ACTOR else f"{name_side(fact.roll, names)} rolls"
    return f"{roll_clause} {listed(str(face) for face in fact.dice)}: {sum(fact.dice)}."


@fact("mib-rolled", says=say_rolled, headline=14)
class MibRolled:
    """Two ten-sided dice were rolled for a MIB. `roll`: `actor`, or the id of the Resistor."""

    resolution: ResolutionId
    roll: SideName
    dice: tuple[int, ...]


@changes
@in_its_resolution
def keep_dice_of_side(resolution: Resolution, fact: MibRolled) -> Resolution | None:
    side = resolution.sides.get(fact.roll)
    return put_side(resolution, fact.roll, changed(side, dice=fact.dice, replaced=False)) if side is not None else None


OUTCOME_PHRASES = {
    "success": "a success",
    "minimal-success": "a minimal success",
    "failure": "a failure",
    "telling-blow": "a Telling Blow",
    "catastrophic-failure": "a Catastrophic Failure",
}


def say_reported(fact: RollReported, names: Names) -> str:
    """Put into words by how much the roll succeeded or failed, and the resulting outcome."""
    margin_phrase = "exactly" if fact.mib == 0 else f"by {abs(fact.mib)}"
    actor_name = name_side(ACTOR, names, fact.actor)
    roll_clause = (
        f"{name_side(fact.roll, names, fact.actor)} {'misses' if fact.mib < 0 else 'makes'} the roll {margin_phrase}"
    )
    if not fact.outcomes:
        return f"{roll_clause}. Others still have to roll."
    if ACTOR in fact.outcomes:
        return f"{roll_clause}, {OUTCOME_PHRASES[fact.outcomes[ACTOR]]}."
    lead_phrases = {
        char_id: _say_lead(fact.rmib.get(char_id, 0), names.name(character(char_id))) for char_id in fact.outcomes
    }
    outcome_clauses = [
        f"{actor_name} is {lead_phrases[char_id]}, {OUTCOME_PHRASES[outcome]}"
        for char_id, outcome in fact.outcomes.items()
    ]
    return f"{roll_clause}: {'; '.join(outcome_clauses)}."


def _say_lead(rmib: int, resistor_name: str) -> str:
    if rmib == 0:
        return f"even with {resistor_name}"
    return f"{'ahead of' if rmib > 0 else 'behind'} {resistor_name} by {abs(rmib)}"


@fact("roll-reported", says=say_reported, headline=13, kw_only=True, version=2)
class RollReported:
    """The result of a roll so far was reported. `mib`: its MIB, which is 0 or more if the roll succeeded. `rmib`: the
    RMIB against each Resistor, once all sides have rolled. `outcomes`: the outcome of the MIB or RMIB, for each
    Resistor, or for the Actor if nobody opposes. Experience Dice, Challenges and Benefits can still change it later.
    `actor`: the Character whose Action it is.
    """

    resolution: ResolutionId
    roll: SideName
    mib: int
    rmib: Mapping[CharacterId, int]
    outcomes: Mapping[SideName, Outcome]
    actor: CharacterId | None = None


@changes
@in_its_resolution
def note_roll_reported(resolution: Resolution, fact: RollReported) -> Resolution:
    return resolution


def find_juncture_kind(draft: Draft, mib: int) -> JunctureKind | None:
    """Return the kind of Critical Juncture that this number is by itself, or None."""
    cj = draft.dials.critical_juncture
    if mib >= cj:
        return "telling-blow"
    is_catastrophic = mib < -cj if draft.dials.catastrophe_boundary == "below" else mib <= -cj
    return "catastrophic-failure" if is_catastrophic else None


def report_roll(draft: Draft, resolution_id: str, side_name: str) -> None:
    """Record by how much a roll succeeds or fails and, once all sides have rolled, the outcome so far."""
    resolution = draft.require_resolution(resolution_id)
    mib, resistors = find_basic_mib(resolution, side_name), list_opposers(resolution)
    is_complete = all(is_rolled(resolution, name) for name in resolution.sides)
    rmib, outcomes = {}, {}
    if is_complete:
        rmib = {
            name: find_resultant(find_basic_mib(resolution, ACTOR), find_basic_mib(resolution, name))
            for name in resistors
        }
        outcomes = {name or ACTOR: _judge_outcome(draft, resolution, name) for name in resistors or (None,)}
    draft.here(
        RollReported(
            resolution=resolution_id, roll=side_name, mib=mib, rmib=rmib, outcomes=outcomes, actor=resolution.actor
        )
    )
    draft.by(REPORT, mib, roll=side_name)


def is_rolled(resolution: Resolution, side_name: str) -> bool:
    """Return whether this side has a MIB. A plot device consists of Experience Dice alone."""
    side = resolution.sides[side_name]
    return resolution.actor is None or bool(side.dice) or side.replaced


def _judge_outcome(draft: Draft, resolution: Resolution, resistor: str | None) -> Outcome:
    """Return the outcome that the current number would give."""
    final_mib = find_final_mib(resolution, resistor, draft.dials.contested_adjust)
    juncture = find_juncture_kind(draft, final_mib)
    if resistor is not None:
        match draft.dials.contested_juncture:
            case "each-initial":
                juncture = None
            case "rmib-and-initial":
                basic_mibs = (find_basic_mib(resolution, ACTOR), find_basic_mib(resolution, resistor))
                juncture = juncture if any(find_juncture_kind(draft, basic_mib) for basic_mib in basic_mibs) else None
    if juncture is not None:
        return juncture
    return "success" if final_mib > 0 else "minimal-success" if final_mib == 0 else "failure"


def say_rolls(do: RollMib, names: Names) -> str:
    faces_phrase = f" {listed(str(face) for face in do.faces)}" if do.faces else ""
    return f"{name_side(do.roll, names)} rolls{faces_phrase}."


@declares("roll-mib", ANYONE, says=say_rolls, records=(MibRolled, RollReported))
class RollMib:
    """Roll two ten-sided dice for a MIB.

    `roll`: the side that rolls: `actor`, or the id of a Resistor. `faces`: the numbers on the dice; leave them out to
    be asked.
    """

    resolution: ResolutionId
    roll: SideName = "actor"
    faces: D10Faces | None = None


ASK_MIB = Question("mib", "{who} rolls two ten-sided dice for the MIB.")


@decides
def roll_mib(draft: Draft, do: RollMib) -> Asking[None]:
    """Roll two d10 for the Actor, or for a Resistor who opposes."""
    resolution = draft.require_resolution(do.resolution)
    require(may_act_in(resolution, "decision"))
    char_id = _check_roller(draft, resolution, do.roll)
    require(game.may_use_mechanics(draft))
    faces = read_faces(do.faces, 2, 10, BASIC_MIB, BAD_D10)
    if faces is None:
        faces = yield from roll_two_d10(char_id, ASK_MIB(), "MIB")
    draft.here(MibRolled(do.resolution, do.roll, faces))
    draft.by(BASIC_MIB, find_modified_rating(resolution, do.roll) - sum(faces), roll=do.roll)
    report_roll(draft, do.resolution, do.roll)


@throws
def throw_mib(do: RollMib, ruling: RecordedFacts) -> Iterator[Thrown]:
    """Yield the ten-sided dice that were typed in. They belong to the Character that rolls."""
    for rolled_fact in (about.fact for about in ruling.facts):
        if isinstance(rolled_fact, MibRolled) and do.faces is not None:
            yield Thrown(_find_roller(ruling, rolled_fact), 10, rolled_fact.dice)


def _find_roller(ruling: RecordedFacts, rolled_fact: MibRolled) -> Subject | None:
    if rolled_fact.roll != ACTOR:
        return character(rolled_fact.roll)
    making_facts = (about.fact for about in list_making_facts(ruling, rolled_fact.resolution))
    return next((character(fact.actor) for fact in making_facts if isinstance(fact, declaring.ActionDeclared)), None)


def may_roll(resolution: Resolution, side_name: str) -> Refused | None:
    """Refuse a second roll for the same side."""
    side = resolution.sides[side_name]
    return WRONG_PHASE.under(BASIC_MIB, roll=side_name) if side.dice or side.replaced else None


def _check_roller(draft: Draft, resolution: Resolution, side_name: str) -> str:
    """Return the Character whose roll it is. Refuses `no-such-roll`, `not-proprietor`, and `wrong-phase` if the side
    has already rolled.
    """
    char_id = resolution.actor if side_name == ACTOR else side_name
    if char_id is None or side_name not in resolution.sides:
        raise NO_SUCH_ROLL.under(BASIC_MIB, roll=side_name)
    if draft.me != resolution.sides[side_name].player:
        draft.check_plays(char_id, BASIC_MIB)
    require(may_roll(resolution, side_name))
    return char_id


@fact("roll-replaced", says="The Experience Dice replace {roll}'s ten-sided dice.")
class RollReplaced:
    """The Experience Dice replaced the ten-sided dice: they alone make up the MIB, without a Rating."""

    resolution: ResolutionId
    roll: SideName


@changes
@in_its_resolution
def replace_roll_of_side(resolution: Resolution, fact: RollReplaced) -> Resolution | None:
    side = resolution.sides.get(fact.roll)
    return put_side(resolution, fact.roll, changed(side, replaced=True)) if side is not None else None


@declares(
    "replace-roll",
    ANYONE,
    says="The Experience Dice replace {roll}'s ten-sided dice.",
    records=(RollReplaced, RollReported),
)
class ReplaceRoll:
    """Use the Experience Dice that have already been rolled as the whole MIB, without ten-sided dice. An option must
    allow this.

    `roll`: the side whose roll it is: `actor`, or the id of a Resistor.
    """

    resolution: ResolutionId
    roll: SideName = "actor"


def may_replace_roll(draft: Draft, resolution: Resolution, side_name: str) -> Refused | None:
    """Refuse to replace a roll unless the table allows this, Experience Dice were rolled, and the scene is not in
    Mechanical Play.
    """
    is_allowed = draft.dials.preempt == "replace" and draft.find_mode() != "mechanical"
    return None if is_allowed and resolution.sides[side_name].dice_rolled else CANNOT_REPLACE_THE_ROLL(roll=side_name)


@decides
def replace_roll(draft: Draft, do: ReplaceRoll) -> None:
    """Replace the ten-sided dice of a side with its Experience Dice."""
    resolution = draft.require_resolution(do.resolution)
    require(may_act_in(resolution, "decision"))
    _check_roller(draft, resolution, do.roll)
    require(may_replace_roll(draft, resolution, do.roll))
    draft.here(RollReplaced(do.resolution, do.roll))
    draft.by(PREEMPT, resolution.sides[do.roll].experience, roll=do.roll)
    report_roll(draft, do.resolution, do.roll)


@offers
def offer_rolls(seen: Seen, draft: Draft) -> Iterator[Move]:
    for resolution_id, resolution in draft.read_resolutions().items():
        resolution_fields: dict[str, Domain] = {"resolution": Among((resolution_id,))}
        if may_act_in(resolution, "opportunity") is None and may_close_opportunity(resolution) is None:
            can_react = "off-guard" in resolution.engaged.values()
            yield Move(
                CloseOpportunity,
                resolution_fields,
                PHASES,
                resolution.actor,
                follows=None if can_react else CloseOpportunity(resolution_id),
            )
        if may_act_in(resolution, "decision") is None and resolution.actor is not None:
            for side_name in resolution.sides:
                if may_roll(resolution, side_name) is None:
                    roller_id = resolution.actor if side_name == ACTOR else side_name
                    seats = tuple(dict.fromkeys((resolution.sides[side_name].player, *draft.list_speakers(roller_id))))
                    fields: dict[str, Domain] = {**resolution_fields, "roll": Among((side_name,))}
                    if game.may_use_mechanics(draft) is None:
                        can_replace = draft.dials.preempt == "replace" and draft.find_mode() != "mechanical"
                        follows = RollMib(resolution_id, side_name) if not can_replace else None
                        yield Move(RollMib, {**fields, "faces": TWO_D10}, BASIC_MIB, roller_id, seats, follows=follows)
                    if may_replace_roll(draft, resolution, side_name) is None:
                        yield Move(ReplaceRoll, fields, of=roller_id, seats=seats)
