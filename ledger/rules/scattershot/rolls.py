"""The roll: modifiers are fixed, two ten-sided dice are rolled, and the totals are called out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ledger.rules.kernel.chapters import (
    Question,
    Refusal,
    changes,
    decides,
    declares,
    fact,
    offers,
    require,
    rule,
    throws,
)
from ledger.rules.kernel.declarations import ANYONE
from ledger.rules.kernel.domains import CharacterId
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import Among, Domain, Move
from ledger.rules.kernel.phrases import Names, listed
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import Subject, character
from ledger.rules.kernel.thrown import RecordedFacts, Thrown, list_making_facts
from ledger.rules.scattershot import conditions, declaring, game
from ledger.rules.scattershot.agreement import BASIC_MIB, faces_of, two_d10
from ledger.rules.scattershot.draft import ENGAGE, PHASES, TWO_D10, Draft, may_go_on
from ledger.rules.scattershot.ratings import MODIFIERS
from ledger.rules.scattershot.scene import (
    Resolution,
    basic,
    final,
    in_its_resolution,
    modified,
    opposers,
    put_side,
    resultant,
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


def say_fixed(done: OpportunityClosed, names: Names) -> str:
    ratings = [f"the Actor's Rating is {done.modified_rating}"]
    ratings += [f"{names.name(character(id))}'s is {n}" for id, n in done.resistors.items()]
    return f"The Opportunity Phase ends: {listed(ratings)}."


@fact("opportunity-closed", says=say_fixed, headline=15)
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
def close_opportunity_of(one: Resolution, fact: OpportunityClosed) -> Resolution:
    return changed(one, phase="decision", situation=fact.situation)


@declares("close-opportunity", ANYONE, says="The Opportunity Phase ends.", records=(OpportunityClosed,))
class CloseOpportunity:
    """End the Opportunity Phase. All modifiers are added up, including those for Combat Advantage and reduced
    Resources. They cannot change after that.
    """

    resolution: ResolutionId


def may_close_opportunity(one: Resolution) -> Refused | None:
    if any(stance in ("asked", "obliged") for stance in one.engaged.values()):
        return RESISTOR_HAS_NOT_ANSWERED.under(ENGAGE, engaged=list(one.engaged))
    return None


@decides
def close_opportunity(draft: Draft, do: CloseOpportunity) -> None:
    """All summed and fixed. Refuses `resistor-has-not-answered`."""
    one = draft.resolution(do.resolution)
    require(may_go_on(one, "opportunity"))
    require(may_close_opportunity(one))
    numbers: dict[str, int] = {}
    suffered: dict[str, int] = {}
    for name, side in one.sides.items():
        id = one.actor if name == ACTOR else name
        suffered[name] = conditions.situation(draft, id) if id is not None else 0
        numbers[name] = side.rating + side.modifier + suffered[name]
        draft.by(MODIFIERS, numbers[name], side=name, rating=side.rating, modifiers=side.modifier)
    own = numbers.pop(ACTOR)
    felt = {name: amount for name, amount in suffered.items() if amount}
    draft.here(OpportunityClosed(do.resolution, own, numbers, felt))
    draft.by(PHASES, "decision")


def say_rolled(done: MibRolled, names: Names) -> str:
    return f"{name_side(done.roll, names)} rolls {listed(str(face) for face in done.dice)}: {sum(done.dice)}."


@fact("mib-rolled", says=say_rolled, headline=14)
class MibRolled:
    """Two ten-sided dice were rolled for a MIB. `roll`: `actor`, or the id of the Resistor."""

    resolution: ResolutionId
    roll: SideName
    dice: tuple[int, ...]


@changes
@in_its_resolution
def roll_of_side(one: Resolution, fact: MibRolled) -> Resolution | None:
    side = one.sides.get(fact.roll)
    return put_side(one, fact.roll, changed(side, dice=fact.dice, replaced=False)) if side is not None else None


OUTCOMES = {
    "success": "a success",
    "minimal-success": "a minimal success",
    "failure": "a failure",
    "telling-blow": "a Telling Blow",
    "catastrophic-failure": "a Catastrophic Failure",
}


def say_reported(done: RollReported, names: Names) -> str:
    """Return by how much the roll succeeded or failed, and what that means."""
    by = "exactly" if done.mib == 0 else f"by {abs(done.mib)}"
    who = f"{name_side(done.roll, names)} {'misses' if done.mib < 0 else 'makes'} the roll {by}"
    if not done.outcomes:
        return f"{who}. Others still have to roll."
    each = [
        f"{'' if name == ACTOR else _say_rmib(done, name, names)}{OUTCOMES[outcome]}"
        f"{'' if name == ACTOR else ' for the Actor'}"
        for name, outcome in done.outcomes.items()
    ]
    return f"{who}{', ' if ACTOR in done.outcomes else ': '}{'; '.join(each)}."


def _say_rmib(done: RollReported, resistor: str, names: Names) -> str:
    return f"an RMIB of {done.rmib.get(resistor, 0)} against {names.name(character(resistor))}, "


@fact("roll-reported", says=say_reported, headline=13, kw_only=True)
class RollReported:
    """How a roll stands so far. `mib`: its MIB, which is 0 or more if the roll succeeded. `rmib`: the RMIB against each
    Resistor, once everybody has rolled. `outcomes`: what the MIB or RMIB means, for each Resistor, or for the Actor if
    nobody opposes. Experience Dice, Challenges and Benefits can still change this later.
    """

    resolution: ResolutionId
    roll: SideName
    mib: int
    rmib: Mapping[CharacterId, int]
    outcomes: Mapping[SideName, Outcome]


@changes
@in_its_resolution
def note_roll_reported(one: Resolution, fact: RollReported) -> Resolution:
    return one


def judged_as(draft: Draft, number: int) -> JunctureKind | None:
    """What a number is by itself."""
    cj = draft.dials.critical_juncture
    if number >= cj:
        return "telling-blow"
    below = number < -cj if draft.dials.catastrophe_boundary == "below" else number <= -cj
    return "catastrophic-failure" if below else None


def report_roll(draft: Draft, id: str, roll: str) -> None:
    """Made or missed by how much, and what it means once everybody has rolled."""
    resolution = draft.resolution(id)
    mib, resistors = basic(resolution, roll), opposers(resolution)
    complete = all(is_rolled(resolution, name) for name in resolution.sides)
    rmib, outcomes = {}, {}
    if complete:
        rmib = {name: resultant(basic(resolution, ACTOR), basic(resolution, name)) for name in resistors}
        outcomes = {name or ACTOR: _outcome(draft, resolution, name) for name in resistors or (None,)}
    draft.here(RollReported(resolution=id, roll=roll, mib=mib, rmib=rmib, outcomes=outcomes))
    draft.by(REPORT, mib, roll=roll)


def is_rolled(resolution: Resolution, name: str) -> bool:
    """Whether this side has a MIB. A plot device is Experience Dice alone."""
    side = resolution.sides[name]
    return resolution.actor is None or bool(side.dice) or side.replaced


def _outcome(draft: Draft, resolution: Resolution, resistor: str | None) -> Outcome:
    """Return what the number means as it stands."""
    number = final(resolution, resistor, draft.dials.contested_adjust)
    juncture = judged_as(draft, number)
    if resistor is not None:
        match draft.dials.contested_juncture:
            case "each-initial":
                juncture = None
            case "rmib-and-initial":
                initial = (basic(resolution, ACTOR), basic(resolution, resistor))
                juncture = juncture if any(judged_as(draft, mib) for mib in initial) else None
    if juncture is not None:
        return juncture
    return "success" if number > 0 else "minimal-success" if number == 0 else "failure"


def say_rolls(do: RollMib, names: Names) -> str:
    faces = f" {listed(str(face) for face in do.faces)}" if do.faces else ""
    return f"{name_side(do.roll, names)} rolls{faces}."


@declares("roll-mib", ANYONE, says=say_rolls, records=(MibRolled, RollReported))
class RollMib:
    """Roll two ten-sided dice for a MIB.

    `roll`: whose roll it is: `actor`, or the id of a Resistor. `faces`: what the dice show; leave them out to be asked.
    """

    resolution: ResolutionId
    roll: SideName = "actor"
    faces: D10Faces | None = None


ASK_MIB = Question("mib", "{who} rolls two ten-sided dice for the MIB.")


@decides
def roll_mib(draft: Draft, do: RollMib) -> Asking[None]:
    """Two d10, for the Actor or a Resistor who opposes."""
    one = draft.resolution(do.resolution)
    require(may_go_on(one, "decision"))
    id = _roller(draft, one, do.roll)
    require(game.may_use_mechanics(draft))
    faces = faces_of(do.faces, 2, 10, BASIC_MIB, BAD_D10)
    if faces is None:
        faces = yield from two_d10(id, ASK_MIB(), "MIB")
    draft.here(MibRolled(do.resolution, do.roll, faces))
    draft.by(BASIC_MIB, modified(one, do.roll) - sum(faces), roll=do.roll)
    report_roll(draft, do.resolution, do.roll)


@throws
def throw_mib(do: RollMib, told: RecordedFacts) -> Iterator[Thrown]:
    """Two ten-sided dice are the Character's that rolls."""
    for rolled in (about.fact for about in told.facts):
        if isinstance(rolled, MibRolled) and do.faces is not None:
            yield Thrown(_find_roller(told, rolled), 10, rolled.dice)


def _find_roller(told: RecordedFacts, rolled: MibRolled) -> Subject | None:
    if rolled.roll != ACTOR:
        return character(rolled.roll)
    declared = (about.fact for about in list_making_facts(told, rolled.resolution))
    return next((character(one.actor) for one in declared if isinstance(one, declaring.ActionDeclared)), None)


def may_roll(one: Resolution, name: str) -> Refused | None:
    """Once."""
    side = one.sides[name]
    return WRONG_PHASE.under(BASIC_MIB, roll=name) if side.dice or side.replaced else None


def _roller(draft: Draft, one: Resolution, name: str) -> str:
    """Whose roll it is. Refuses `no-such-roll`, `not-proprietor`; `wrong-phase` where it was rolled."""
    id = one.actor if name == ACTOR else name
    if id is None or name not in one.sides:
        raise NO_SUCH_ROLL.under(BASIC_MIB, roll=name)
    if draft.me != one.sides[name].player:
        draft.must_play(id, BASIC_MIB)
    require(may_roll(one, name))
    return id


@fact("roll-replaced", says="The Experience Dice replace {roll}'s ten-sided dice.")
class RollReplaced:
    """The Experience Dice replaced the ten-sided dice: they alone make up the MIB, without a Rating."""

    resolution: ResolutionId
    roll: SideName


@changes
@in_its_resolution
def replace_roll_of_side(one: Resolution, fact: RollReplaced) -> Resolution | None:
    side = one.sides.get(fact.roll)
    return put_side(one, fact.roll, changed(side, replaced=True)) if side is not None else None


@declares(
    "replace-roll",
    ANYONE,
    says="The Experience Dice replace {roll}'s ten-sided dice.",
    records=(RollReplaced, RollReported),
)
class ReplaceRoll:
    """Let the Experience Dice that have already been rolled be the whole MIB, without ten-sided dice. An option must
    allow this.

    `roll`: whose roll it is: `actor`, or the id of a Resistor.
    """

    resolution: ResolutionId
    roll: SideName = "actor"


def may_replace_roll(draft: Draft, one: Resolution, name: str) -> Refused | None:
    """Where the table plays so, with dice that were rolled; not in Mechanical Play."""
    allowed = draft.dials.preempt == "replace" and draft.mode() != "mechanical"
    return None if allowed and one.sides[name].dice_rolled else CANNOT_REPLACE_THE_ROLL(roll=name)


@decides
def replace_roll(draft: Draft, do: ReplaceRoll) -> None:
    """Dice in place of the roll, where the table plays so; not in Mechanical Play."""
    one = draft.resolution(do.resolution)
    require(may_go_on(one, "decision"))
    _roller(draft, one, do.roll)
    require(may_replace_roll(draft, one, do.roll))
    draft.here(RollReplaced(do.resolution, do.roll))
    draft.by(PREEMPT, one.sides[do.roll].experience, roll=do.roll)
    report_roll(draft, do.resolution, do.roll)


@offers
def offer_rolls(seen: Seen, draft: Draft) -> Iterator[Move]:
    for id, one in draft.resolutions().items():
        resolution: dict[str, Domain] = {"resolution": Among((id,))}
        if may_go_on(one, "opportunity") is None and may_close_opportunity(one) is None:
            yield Move(CloseOpportunity, resolution, PHASES, one.actor)
        if may_go_on(one, "decision") is None and one.actor is not None:
            for name in one.sides:
                if may_roll(one, name) is None:
                    roller = one.actor if name == ACTOR else name
                    seats = tuple(dict.fromkeys((one.sides[name].player, *draft.speak_for(roller))))
                    fields: dict[str, Domain] = {**resolution, "roll": Among((name,))}
                    if game.may_use_mechanics(draft) is None:
                        yield Move(RollMib, {**fields, "faces": TWO_D10}, BASIC_MIB, roller, seats)
                    if may_replace_roll(draft, one, name) is None:
                        yield Move(ReplaceRoll, fields, of=roller, seats=seats)
