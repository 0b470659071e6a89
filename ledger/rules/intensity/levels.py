"""Levels of Intensity: how much somebody cares, and what it costs to care more."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.intensity.draft import (
    Draft,
    Place,
    may_still_declare,
    the_participant,
    the_round,
    the_scene,
)
from ledger.rules.intensity.state import (
    INTENSITY,
    Char,
    Level,
    Participant,
    Round,
    RoundId,
    SaidLevel,
    Scene,
    in_its_round,
    is_level,
    name,
    quote,
    with_participant,
)
from ledger.rules.kernel.chapters import Refusal, changes, decides, declares, fact, offers, require, rule
from ledger.rules.kernel.declarations import either
from ledger.rules.kernel.domains import CharacterId, Story
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import Among, Move
from ledger.rules.kernel.phrases import Names
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen

LEVEL_DICE = rule(
    "intensity.level.dice",
    "There are four levels, each with its own die: calm (D6), invested (D8), passionate (D10) and fanatical (D12)."
    " You choose freely.",
    "Levels of Intensity",
    step="{level} is a D{out}.",
)
LEVEL_SCOPE = rule(
    "intensity.level.scope",
    "Not in the source: a level counts for one round, or you cannot go below it for the rest of the scene.",
)
UNKNOWN_LEVEL = Refusal(
    LEVEL_DICE, "unknown-level", "{level} is not a level. Choose calm, invested, passionate or fanatical."
)
LOWERED = Refusal(LEVEL_SCOPE, "lowered", "{char} was {last} in this scene and cannot go down to {level}.")


def level_of(word: str) -> Level:
    if not is_level(word):
        raise UNKNOWN_LEVEL(level=word)
    return word


def may_be_as_intense(draft: Draft, place: Place, char: str, level: Level) -> Refused | None:
    """Under the ratchet, never below the last level of the scene."""
    last = place.scene.levels.get(char)
    if draft.dials.intensity_scope == "scene_ratchet" and last is not None and INTENSITY[level] < INTENSITY[last]:
        return LOWERED(char=char, last=last, level=level)
    return None


def with_last_level(state: Scene | None, char: str, level: Level) -> Scene | None:
    """The scene keeps the last level of everybody, beyond the round."""
    return changed(state, levels={**state.levels, char: level}) if state is not None else None


# --- raising ---------------------------------------------------------------------------------------------------------

RAISE_ONLY = rule(
    "intensity.level.raise-only",
    "Before the roll, you can raise your level by any number of steps, any number of times, in reaction to what"
    " others declare. You cannot lower it.",
    "Levels of Intensity",
)
NOT_DECLARED = Refusal(RAISE_ONLY, "not-declared", "{char} has not declared yet.")
NOT_A_RAISE = Refusal(
    RAISE_ONLY, "not-a-raise", "{char} is already {declared}, so {level} is not a raise. Choose a higher level."
)
NO_OTHER_DECLARATION = Refusal(
    RAISE_ONLY,
    "no-other-declaration",
    "{char} can raise only after another participant has declared.",
)


def say_raises(do: Raise, names: Names) -> str:
    return quote(f"{name(names, do.char)} raises the level to {do.level}", do.text)


def say_raised(fact: IntensityRaised, names: Names) -> str:
    return quote(f"{name(names, fact.char)} raises the level from {fact.from_level} to {fact.to_level}", fact.text)


@fact("intensity-raised", says=say_raised, kw_only=True)
class IntensityRaised:
    round: RoundId
    char: CharacterId
    from_level: Level
    to_level: Level
    text: Story = ""


@changes
def raise_level(state: Scene, fact: IntensityRaised) -> Scene | None:
    return with_last_level(_with_level(state, fact), fact.char, fact.to_level)


@in_its_round
def _with_level(round: Round, fact: IntensityRaised) -> Round | None:
    participant = round.participants.get(fact.char)
    if participant is None:
        return None
    return with_participant(round, fact.char, changed(participant, level=fact.to_level))


@declares("raise", either("char"), says=say_raises, records=(IntensityRaised,))
class Raise:
    """Raise a declared level, in reaction to others."""

    char: Char
    level: SaidLevel
    text: Story = ""


def may_raise(draft: Draft, round: Round, char: str, declared: Level, level: Level) -> Refused | None:
    """Up only, and as a reaction to somebody else's declaration."""
    if INTENSITY[level] <= INTENSITY[declared]:
        return NOT_A_RAISE(char=char, declared=declared, level=level)
    if draft.dials.intensity_raise_gate == "other_declared" and not any(_others_declared(round, char)):
        return NO_OTHER_DECLARATION(char=char)
    return None


def _others_declared(round: Round, char: str) -> Iterator[str]:
    return (other for other, participant in round.participants.items() if other != char and participant.level)


def _declared_level(participant: Participant, char: str, rule: str) -> Level:
    if participant.level is None:
        raise NOT_DECLARED.under(rule, char=char)
    return participant.level


@decides
def raise_intensity(draft: Draft, do: Raise) -> None:
    draft.known(do.char)
    level = level_of(do.level)
    place = the_scene(draft, RAISE_ONLY)
    round = the_round(place, RAISE_ONLY)
    declared = _declared_level(the_participant(round, do.char, RAISE_ONLY), do.char, RAISE_ONLY)
    require(may_raise(draft, round, do.char, declared, level))
    require(may_still_declare(round, RAISE_ONLY))
    draft.tell(
        place.subject,
        IntensityRaised(round=round.id, char=do.char, from_level=declared, to_level=level, text=do.text),
    )
    draft.by(RAISE_ONLY, INTENSITY[level], declared=declared, others=list(_others_declared(round, do.char)))


@offers
def offer_raises(seen: Seen, draft: Draft) -> Iterator[Move]:
    round = draft.open_round
    if round is None or may_still_declare(round, RAISE_ONLY):
        return
    for char, participant in round.participants.items():
        declared = participant.level
        if declared is not None:
            above = tuple(level for level in INTENSITY if may_raise(draft, round, char, declared, level) is None)
            if above:
                yield Move(Raise, {"char": Among((char,)), "level": Among(above)})
