"""Resist: the answer to Occult, and at some tables to Chill. Heading: Sorcery Expertise and spiritual damage."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.chapters import Question, changes, choice, fact, rule
from ledger.rules.kernel.domains import CharacterId
from ledger.rules.kernel.moves import OPEN, Among, Shape, Some
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.subjects import character
from ledger.rules.mongrel.acting import conflict_of
from ledger.rules.mongrel.clock import TIME_FACTS, pass_time
from ledger.rules.mongrel.draft import Draft, asked_again
from ledger.rules.mongrel.identity_and_attributes import ATTRIBUTE_UNKNOWN
from ledger.rules.mongrel.sayings import spoken, whether
from ledger.rules.mongrel.state import Character, once_created
from ledger.rules.mongrel.tables import HOUR, OPTIONS, POWERS
from ledger.rules.mongrel.tasks import (
    TN,
    Pool,
    Result,
    TaskDeclared,
    check_difficulty,
    check_typed,
    explain_task,
    faces_of,
    make_task,
    pool_of,
    resolve,
)
from ledger.rules.mongrel.terms import (
    AttributeName,
    Difficulty,
    DifficultyReason,
    Faces,
    PowerOptions,
    Resisted,
    called,
    is_attribute,
)

RESIST = rule(
    "mongrel.sorcery.resist",
    "When an Occult roll succeeds, each target may answer with a roll of Resist, which also takes an hour for each"
    " die. If Resist succeeds, its Effect lowers the Effect of the Occult on that target (our reading). A purchase"
    " by Occult fails if its Effect is lowered to 0.",
    "Sorcery Expertise and spiritual damage",
)
ASK_RESIST = Question("resist", "{purpose} If so, choose the attribute that the roll is against.")


@fact("ritual-timed", says="The sorcery takes {character} {hours:hour|hours}.")
class RitualTimed:
    """A character's sorcery takes time. `hours`: how many hours."""

    character: CharacterId
    hours: int


@fact(
    "occult-resisted",
    says=whether(
        "cancelled",
        "{character} resists {against} completely.",
        "{character} resists {against}: its Effect falls by {taken_off}.",
    ),
)
class OccultResisted:
    """Occult or Chill is resisted. `taken_off`: by how much its Effect falls. `cancelled`: whether the Occult fails."""

    character: CharacterId
    against: Resisted
    taken_off: int
    cancelled: bool


@changes
@once_created
def note_resisted(state: Character, fact: RitualTimed | OccultResisted) -> Character:
    return state


RESIST_FACTS = (TaskDeclared, OccultResisted, RitualTimed, *TIME_FACTS)


def take_time(draft: Draft, pool: Pool, rule: str, begun: int | None = None) -> None:
    """An hour for each die rolled; at Expertise 0 there are two."""
    draft.about(pool.actor, RitualTimed(pool.actor, pool.dice))
    draft.by(rule, pool.dice, hours=pool.dice)
    pass_time(draft, pool.dice * HOUR, "a ritual", begun)


@choice("resist", says=spoken("The target rolls Resist against their own {attribute}."))
class Resist:
    """Roll Resist against one of your own attributes."""

    attribute: AttributeName = "spirit"
    power: PowerOptions = ()
    difficulty: Difficulty = 0
    reason: DifficultyReason = ""
    faces: Faces | None = None


@choice("submit", says="The target does not resist.")
class Submit:
    """Do not resist."""


def resisted_chill(draft: Draft, id: str, effect: int) -> Asking[int]:
    """`mongrel.sorcery.chill`: by default Resist is no answer to it."""
    if not draft.dials.resist_defends_chill:
        return effect
    return (yield from resisted(draft, id, effect, "chill")) or 0


def resisted(
    draft: Draft, id: str, effect: int, against: Resisted, *, begun: int | None = None, also: str | None = None
) -> Asking[int | None]:
    """What is left of the Effect after the target has had the choice to resist; None: it fails, weapon and all.

    `begun`: when the hours of it began. `also`: one of several targets, who is asked by name.
    """
    who = draft.who(id)
    if who.dead or who.dying or (who.npc and not draft.dials.npc_rolls):
        return effect
    if against == "occult" and conflict_of(draft, id) is not None:
        draft.by(RESIST, effect, in_conflict=True)
        return effect
    if who.collapsed:
        draft.by(RESIST, effect, collapsed=True)
        return effect
    owner = draft.table.owner(character(id))
    chosen = yield from ask(
        owner,
        Resist,
        Submit,
        slot=ASK_RESIST(against) if also is None else ASK_RESIST(against, also),
        purpose=f"{_called_on(draft, also)} {called(against)} (Effect {effect})?",
        within=resisting(draft, id),
    )
    if isinstance(chosen, Submit):
        return effect
    slot = ASK_RESIST() if also is None else ASK_RESIST(also)
    with asked_again():
        result = yield from _roll_resist(draft, id, chosen, against, begun, slot)
    if not result.success:
        draft.by(RESIST, effect, success=False)
        return effect
    cancelled = draft.dials.resist_method == "cancel"
    left = 0 if cancelled else max(0, effect - result.effect)
    draft.about(id, OccultResisted(id, against, effect - left, cancelled))
    draft.by(RESIST, left, effect=effect, resisted=result.effect, cancelled=cancelled)
    return None if cancelled else left


def resisting(draft: Draft, id: str) -> Iterator[Shape]:
    """`mongrel.sorcery.resist`: with dice that are asked for; how many they are depends on the Power."""
    options = OPTIONS[POWERS[draft.who(id).primary]]
    yield Shape(Resist, {"attribute": OPEN, "power": Some(Among(options), repeats=True), "difficulty": OPEN})


def _called_on(draft: Draft, also: str | None) -> str:
    return "Resist" if also is None else f"Does {draft.table.name(character(also))} resist"


def _roll_resist(draft: Draft, id: str, do: Resist, against: Resisted, begun: int | None, slot: str) -> Asking[Result]:
    """Resist against an attribute of one's own; as slow as what it answers, and against Chill at once."""
    pool = pool_of(draft, id, "resist", do.power)
    if not is_attribute(do.attribute):
        raise ATTRIBUTE_UNKNOWN.under(TN, attribute=do.attribute)
    difficulty = check_difficulty(do.difficulty)
    typed = check_typed(do.faces, pool.dice)
    task = make_task(draft, pool, "own", do.attribute, None, difficulty)
    explain_task(draft, task)
    draft.about(
        id, TaskDeclared(id, "resist", do.power, "own", do.attribute, None, "", difficulty, do.reason, 0, "")
    )  # fmt: skip
    if against == "occult":
        take_time(draft, pool, RESIST, begun)
    rolled = yield from faces_of(draft, pool, typed, slot)
    return resolve(draft, task, rolled)
