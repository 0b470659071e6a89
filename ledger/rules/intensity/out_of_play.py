"""Impact: what a fatal does to its subject: mutilation, going out of play, and what goes with that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, get_args

from ledger.rules.intensity.advantage_points import AdvantageGained, gain
from ledger.rules.intensity.draft import UNKNOWN_TRAIT, Draft, Place, check_text, held_fatals, standing_dice
from ledger.rules.intensity.impact import INFLICTED, inflict, traits_to_hit
from ledger.rules.intensity.opponents import ConflictLinked
from ledger.rules.intensity.rolling import OrderEstablished, establish_order
from ledger.rules.intensity.state import (
    IMPACTS,
    STEPS,
    AttackId,
    Base,
    Cause,
    Char,
    Character,
    Fatal,
    FatalId,
    OpenAttack,
    Out,
    Round,
    RoundId,
    Scene,
    TraitName,
    TraitSize,
    Use,
    in_its_attack,
    in_its_round,
    is_base,
    name,
    once_created,
    quote,
    together,
    with_turn,
    without,
)
from ledger.rules.kernel.chapters import Refusal, changes, decides, declares, fact, offers, require, rule
from ledger.rules.kernel.declarations import GM
from ledger.rules.kernel.domains import CharacterId, Reason, Story
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.moves import OPEN, Among, Domain, Move, Shape, Some
from ledger.rules.kernel.phrases import Names
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character

USE = rule(
    "intensity.fatal.use",
    "Only the holder can use a fatal impact, and says what happens to its victim. That may be a"
    " lower impact instead. The fatal impact is then used up. If the holder's player declines to use it, fatal"
    " impacts used in answer to it are not used either.",
    "Impact",
)
MUTILATION = rule(
    "intensity.fatal.mutilation",
    "Using a fatal impact can also change traits of its victim for good: each to another die, or to none.",
    "Impact",
)
OUT = rule(
    "intensity.fatal.out",
    "Using a fatal impact can take its victim out of play: until the scene closes, for good, or for a time that is"
    " put in words and that a game master ends.",
    "Impact",
)
HOLDER_OUT = rule(
    "intensity.fatal.holder-out",
    "Not in the source: a character about to go out of play may answer with the fatal impacts that they hold."
    " Those not used are lost, unless the table lets a character who is out of play keep them.",
)
TARGET_GONE = rule(
    "intensity.action.target-gone",
    "Not in the source: when a character goes out of play, their own action and any open attack by or against"
    " them are lost. Actions declared against them are lost too, unless the table lets these take another target.",
)
TRAIT_BASE = Refusal(MUTILATION, "trait-base", "{base} is not a trait die. Choose {allowed}.")


@dataclass(frozen=True, slots=True)
class Mutilation:
    """A trait that changes for good, and its new die: 10, 8, 6, 4, or 0 for none."""

    trait: TraitName
    base: Base


@dataclass(frozen=True, slots=True)
class CheckedUse:
    """A use of a held fatal that was checked and is to happen."""

    id: str
    held: Fatal
    use_as: Use
    trait: str | None
    out: Out | None
    text: str
    out_for: str = ""
    mutilated: tuple[tuple[str, TraitSize], ...] = ()


@dataclass(frozen=True, slots=True)
class GivenUp:
    """What the same ruling has given up: fatal impacts, actions, and the open attack if it is closed."""

    released: frozenset[str] = frozenset()
    passed: frozenset[str] = frozenset()
    attack_closed: bool = False


def may_mutilate(draft: Draft, mutilation: Mutilation, char: str) -> Refused | None:
    if mutilation.trait not in [trait.name for trait in draft.known(char).traits]:
        return UNKNOWN_TRAIT.under(MUTILATION, trait=mutilation.trait, char=char)
    return None if is_base(mutilation.base) else TRAIT_BASE(base=repr(mutilation.base), allowed=list(STEPS))


def mutilated(draft: Draft, mutilation: Mutilation, char: str) -> tuple[str, TraitSize]:
    """The trait and its new die. Refuses `unknown-trait`, `trait-base`."""
    require(may_mutilate(draft, mutilation, char))
    assert is_base(mutilation.base)
    return mutilation.trait, mutilation.base


Fields: TypeAlias = dict[str, Domain]
STAYS: Fields = {"out": Among((None, "none")), "out_for": Among(("",))}
#: How long, and the words for it where it is for a time.
OUTS: tuple[Fields, ...] = (
    {"out": Among((None, "none", "scene", "permanent")), "out_for": Among(("",))},
    {"out": Among(("time",)), "out_for": OPEN},
)


def ways_to_use(draft: Draft, on: str, used: str | None, outs: tuple[Fields, ...] = OUTS) -> Iterator[Fields]:
    """A fate in words, or a lower impact; and what goes with either."""
    names = tuple(trait.name for trait in draft.known(on).traits)
    lost = Shape(Mutilation, {"trait": Among(names), "base": Among(STEPS)})
    mutilations: Fields = {"mutilation": Among((None,)), "mutilations": Some(lost, key="trait")} if names else {}
    hits = {impact: traits_to_hit(draft, impact, on, used) for impact in ("tax", "damage")}
    for out in outs:
        also = {**out, **mutilations}
        yield {**also, "use_as": Among(("fate", "advantage", "wound"))}
        for impact, traits in hits.items():
            if traits:
                yield {**also, "use_as": Among((impact,)), "trait": Among(traits)}


# --- in words --------------------------------------------------------------------------------------------------------


def in_words(draft: Draft, uses: Iterable[CheckedUse]) -> str:
    """Who uses which fatal on whom, with which words, and what comes of it."""
    return together(_in_words(draft, use) for use in uses)


def _in_words(draft: Draft, use: CheckedUse) -> str:
    holder, subject = (draft.name(character(char)) for char in (use.held.holder, use.held.subject))
    use_as = say_use(use.use_as, use.trait)
    parts = [quote(f"{holder} uses the fatal impact on {subject}{use_as}", use.text)]
    parts += [say_trait_left(subject, trait, base) for trait, base in use.mutilated]
    is_out = use.out is not None
    parts.append(say_out_of_play(subject, use.out or "", use.out_for) if is_out else f"{subject} stays in play.")
    return together(parts)


def say_use(use_as: str, trait: str | None) -> str:
    on = f" on {trait}" if trait else ""
    return f" as {IMPACTS.get(use_as, 'an impact')}{on}" if use_as != "fate" else ""


def say_trait_left(whose: str, trait: str, base: object) -> str:
    return f"{whose}'s {trait} {f'is now a D{base} for good' if base else 'is lost for good'}."


def say_out_of_play(who: str, out: str, out_for: str) -> str:
    if out == "time":
        return quote(f"{who} is out of play until a game master ends it", out_for)
    return f"{who} is out of play {'for good' if out == 'permanent' else 'until the scene ends'}."


# --- what happens ----------------------------------------------------------------------------------------------------


def say_used(fact: FatalUsed, names: Names) -> str:
    as_what = f" as {IMPACTS[fact.use_as]}" if fact.use_as != "fate" else ""
    return quote(f"The fatal impact is used{as_what}", fact.fate)


@fact("fatal-used", says=say_used, headline=11)
class FatalUsed:
    fatal: FatalId
    use_as: Use
    fate: Story
    out: Out | None


@fact("fatal-lapsed", says="A held fatal impact is lost.")
class FatalLapsed:
    fatal: FatalId


@changes
def spend_fatal(state: Scene, fact: FatalUsed | FatalLapsed) -> Scene | None:
    return changed(state, fatals=without(state.fatals, fact.fatal)) if fact.fatal in state.fatals else None


def say_taken_out(fact: CharacterTakenOut, names: Names) -> str:
    return say_out_of_play(name(names, fact.char), fact.until, fact.out_for)


@fact("character-taken-out", version=2, says=say_taken_out, headline=3)
class CharacterTakenOut:
    """About the character. `cause`: `fatal:<id>`. `out_for`: how long, in words, if it is for a `time`."""

    char: CharacterId
    until: Out
    cause: Cause
    out_for: Story = ""


@changes
@once_created
def take_out(state: Character, fact: CharacterTakenOut) -> Character:
    """A longer fate is not undone by a shorter one."""
    lengths = get_args(Out)
    if state.out is not None and lengths.index(state.out) > lengths.index(fact.until):
        return state
    return changed(state, out=fact.until, out_for=fact.out_for)


def say_mutilated(fact: TraitMutilated, names: Names) -> str:
    return say_trait_left(name(names, fact.char), fact.trait, fact.base)


@fact("trait-mutilated", says=say_mutilated, headline=5)
class TraitMutilated:
    """About the character: the trait's new die, for good, or 0 for none. `cause`: `fatal:<id>`."""

    char: CharacterId
    trait: TraitName
    base: TraitSize
    cause: Cause


@changes
@once_created
def mutilate(state: Character, fact: TraitMutilated) -> Character | None:
    if fact.trait not in [trait.name for trait in state.traits]:
        return None
    after = (changed(trait, base=fact.base) if trait.name == fact.trait else trait for trait in state.traits)
    return changed(state, traits=tuple(after))


def happen(draft: Draft, place: Place, uses: list[CheckedUse], given_up: GivenUp) -> None:
    """All uses of one instant, then all that goes with the characters taken out."""
    out: dict[str, Out] = {}
    for use in uses:
        _befall(draft, place, use)
        if use.out is not None:
            is_gone = "permanent" in (use.out, out.get(use.held.subject))
            out[use.held.subject] = "permanent" if is_gone else use.out
    if out:
        used = {use.id for use in uses}
        _fatals_lapse(draft, place, out, used | given_up.released)
        _round_goes_on_without(draft, place, set(out), given_up)


def _befall(draft: Draft, place: Place, use: CheckedUse) -> None:
    held = use.held
    spent = draft.taken(held_fatals(place.subject, held.holder), 1)
    draft.tell(place.subject, FatalUsed(use.id, use.use_as, use.text, use.out), spent)
    draft.by(USE, use.use_as, fatal=use.id, holder=held.holder, subject=held.subject)
    cause = f"fatal:{use.id}"
    if use.use_as == "advantage":
        gain(draft, held.holder, held.subject, 1, cause)
    elif use.use_as != "fate":
        inflict(draft, use.use_as, held.holder, held.subject, use.trait, cause)
    for trait, base in use.mutilated:
        draft.about(held.subject, TraitMutilated(held.subject, trait, base, cause))
        draft.by(MUTILATION, base, char=held.subject, trait=trait)
    if use.out is not None:
        draft.about(held.subject, CharacterTakenOut(held.subject, use.out, cause, use.out_for))
        draft.by(OUT, use.out, char=held.subject)


def _fatals_lapse(draft: Draft, place: Place, out: dict[str, Out], ended: set[str]) -> None:
    """What somebody out still holds, and every fatal on somebody permanently out."""
    survive = draft.dials.held_fatal_when_holder_out == "survive"
    for id, held in draft.state(place.subject, Scene).fatals.items():
        subject_gone = out.get(held.subject) == "permanent"
        if id not in ended and (subject_gone or (held.holder in out and not survive)):
            lapse(draft, place, id, held, HOLDER_OUT)


def lapse(draft: Draft, place: Place, id: str, held: Fatal, rule: str) -> None:
    draft.tell(place.subject, FatalLapsed(id), draft.taken(held_fatals(place.subject, held.holder), 1))
    draft.by(rule, "lapsed", fatal=id, holder=held.holder)


# --- the round goes on -----------------------------------------------------------------------------------------------


@fact("round-left", says="{char} is no longer in the round.")
class RoundLeft:
    """A participant went out of play before the roll was complete, and is no longer in the round or a target."""

    round: RoundId
    char: CharacterId


@changes
@in_its_round
def leave_round(round: Round, fact: RoundLeft) -> Round | None:
    """Gone from the round, and nobody's target any more."""
    if fact.char not in round.participants:
        return None
    others = {
        char: changed(participant, target=None) if participant.target == fact.char else participant
        for char, participant in round.participants.items()
        if char != fact.char
    }
    return changed(round, participants=others)


@fact("action-lapsed", says="{char}'s action is lost.")
class ActionLapsed:
    """The pending action is lost, because its actor or its target went out of play."""

    round: RoundId
    char: CharacterId


@changes
@in_its_round
def lapse_action(round: Round, fact: ActionLapsed) -> Round | None:
    return with_turn(round, fact.char, "lapsed")


@fact("attack-lapsed", says="The attack ends without a result.")
class AttackLapsed:
    attack: AttackId


@changes
@in_its_attack
def lapse_attack(round: Round, attack: OpenAttack, fact: AttackLapsed) -> Round:
    return changed(round, attack=None)


#: What a use can record: after an attack, and at any time.
BEFALLEN = (FatalUsed, FatalLapsed, CharacterTakenOut, TraitMutilated, ActionLapsed, AdvantageGained, *INFLICTED)
HAPPENED = (*BEFALLEN, AttackLapsed, RoundLeft, OrderEstablished, ConflictLinked)


def _round_goes_on_without(draft: Draft, place: Place, out: set[str], given_up: GivenUp) -> None:
    """Actions by and, where they lapse, against those who are out; the open attack."""
    round = place.scene.round
    if round is None:
        return
    if round.groups is None:
        _leave_before_the_roll(draft, place, round, out)
        return
    lapses = draft.dials.retarget_when_target_gone == "lapse"
    for char, participant in round.participants.items():
        if participant.turn != "pending" or char in given_up.passed:
            continue
        if char in out or (lapses and participant.target in out):
            draft.tell(place.subject, ActionLapsed(round.id, char))
            draft.by(TARGET_GONE, "lapsed", char=char, target=participant.target)
    attack = round.attack
    if attack is not None and not given_up.attack_closed and {attack.attacker, attack.defender} & out:
        draft.tell(place.subject, AttackLapsed(attack.id))
        draft.by(TARGET_GONE, "lapsed", attack=attack.id)


def _leave_before_the_roll(draft: Draft, place: Place, round: Round, out: set[str]) -> None:
    """Who is out leaves the round, dice and all. If everybody else has rolled, that completes the roll."""
    leaving = [char for char in round.participants if char in out]
    for char in leaving:
        draft.tell(place.subject, RoundLeft(round.id, char), draft.taken(standing_dice(place.subject, char)))
        draft.by(TARGET_GONE, "left", char=char)
    if leaving and any(participant.dice for participant in round.participants.values()):
        establish_order(draft, place)


# --- coming back -----------------------------------------------------------------------------------------------------

NOT_OUT_FOR_A_TIME = Refusal(OUT, "not-out-for-a-time", "{char} is not out of play for a limited time.")


def say_back(word: BringBack | BroughtBack, names: Names) -> str:
    return quote(f"{name(names, word.char)} is back in play", word.reason)


@fact("brought-back", says=say_back)
class BroughtBack:
    """About the character: its time out of play is over."""

    char: CharacterId
    reason: Reason


@changes
@once_created
def return_to_play(state: Character, fact: BroughtBack) -> Character | None:
    return changed(state, out=None, out_for="") if state.out == "time" else None


@declares("bring-back", GM, says=say_back, records=(BroughtBack,))
class BringBack:
    """Bring back a character who was out of play for a time."""

    char: Char
    reason: Reason


def may_bring_back(draft: Draft, char: str) -> Refused | None:
    return None if draft.known(char).out == "time" else NOT_OUT_FOR_A_TIME(char=char)


@decides
def bring_back(draft: Draft, do: BringBack) -> None:
    """A game master rules that the time is over for which somebody was out."""
    require(may_bring_back(draft, do.char))
    check_text(OUT, "reason", do.reason)
    draft.about(do.char, BroughtBack(do.char, do.reason))
    draft.by(OUT, "brought-back", char=do.char, out_for=draft.known(do.char).out_for)


@offers
def offer_to_bring_back(seen: Seen, draft: Draft) -> Iterator[Move]:
    """In a scene or between scenes."""
    for char in draft.present:
        if may_bring_back(draft, char) is None:
            yield Move(BringBack, {"char": Among((char,))})
