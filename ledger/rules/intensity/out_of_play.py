"""The chapter Impact: a victim's fate in words, going out of play and coming back, and the effects on the round."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias, get_args

from ledger.rules.intensity.draft import CurrentScene, Draft, check_text, name_fatals_account, name_standing_account
from ledger.rules.intensity.impact import Mutilation, list_traits_to_hit, say_trait_left
from ledger.rules.intensity.rolling import complete_the_roll
from ledger.rules.intensity.state import (
    IMPACTS,
    STEPS,
    AttackId,
    Cause,
    Char,
    Character,
    Fatal,
    FatalId,
    OpenAttack,
    Out,
    Round,
    RoundId,
    SaidOut,
    SaidUse,
    Scene,
    TraitName,
    TraitSize,
    Use,
    drop_key,
    for_open_attack,
    in_its_round,
    is_out,
    join_sentences,
    quote,
    with_turn,
    word_name,
)
from ledger.rules.kernel.kit import (
    GM,
    OPEN,
    Among,
    CharacterId,
    Domain,
    Either,
    Move,
    Names,
    Reason,
    Refusal,
    Refused,
    Says,
    Seen,
    Shape,
    Some,
    Story,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    offers,
    once_created,
    require,
    rule,
)

# --- describing the victim's fate ------------------------------------------------------------------------------------

HowOut: TypeAlias = Annotated[SaidOut | None, Says("Out of play")]
HowUsed: TypeAlias = Annotated[SaidUse, Says("Used as")]
Happens: TypeAlias = Annotated[Story, Says("What happens to the victim")]
OutFor: TypeAlias = Annotated[Story, Says("For how long", "Needed only if the victim is out of play for a time.")]
Changed: TypeAlias = Annotated[tuple[Mutilation, ...], Says("Traits that change for good")]


@dataclass(frozen=True, slots=True)
class Fate:
    """The effect of a fatal impact. `text`: the victim's fate, in words. `use_as`: `fate` if the text is the whole
    effect, or `tax`, `advantage`, `damage` or `wound`.

    `trait`: the trait that a tax or damage lowers. `out`: whether the victim goes out of play: for the `scene`, for a
    `time`, or `permanent`. `out_for`: the time in words ("three weeks of coma"). A game master decides when it is over.
    `mutilations`: traits that change for good, each named once. `mutilation`: the same, for one trait.
    """

    text: Happens = ""
    use_as: HowUsed = "fate"
    trait: TraitName | None = None
    out: HowOut = None
    mutilation: Mutilation | None = None
    out_for: OutFor = ""
    mutilations: Changed = ()


@dataclass(frozen=True, slots=True)
class FatalUse:
    """The use of a held fatal impact; see `Fate`. `by`: its holder; leave it out for the current holder."""

    fatal: FatalId
    text: Happens = ""
    use_as: HowUsed = "fate"
    trait: TraitName | None = None
    out: HowOut = None
    by: Annotated[
        CharacterId | None, Says("Holder", "If you leave this out, it is the character who holds the fatal impact now.")
    ] = None
    mutilation: Mutilation | None = None
    out_for: OutFor = ""
    mutilations: Changed = ()


def say_fatal_use(use: FatalUse, names: Names) -> str:
    holder_name = word_name(names, use.by) if use.by else "The holder"
    parts = [quote(f"{holder_name} uses a fatal impact{say_use(use.use_as, use.trait)}", use.text)]
    mutilations = (*((use.mutilation,) if use.mutilation is not None else ()), *use.mutilations)
    parts += [
        say_trait_left("The victim", mutilation.trait, mutilation.base)
        for mutilation in mutilations
        if mutilation.base in STEPS
    ]
    if is_out(use.out):
        parts.append(say_out_of_play("The victim", use.out, use.out_for))
    return join_sentences(parts)


@dataclass(frozen=True, slots=True)
class CheckedUse:
    """A use of a held fatal impact that has been checked and will happen."""

    id: str
    held: Fatal
    use_as: Use
    trait: str | None
    out: Out | None
    text: str
    out_for: str = ""
    mutilated: tuple[tuple[str, TraitSize], ...] = ()


def word_uses(draft: Draft, uses: Iterable[CheckedUse]) -> str:
    """Put the uses into words: for each, the holder, the victim, the text and the effects."""
    return join_sentences(_word_use(draft, use) for use in uses)


def _word_use(draft: Draft, use: CheckedUse) -> str:
    holder, subject = (draft.name(character(char)) for char in (use.held.holder, use.held.subject))
    use_as = say_use(use.use_as, use.trait)
    parts = [quote(f"{holder} uses the fatal impact on {subject}{use_as}", use.text)]
    parts += [say_trait_left(subject, trait, base) for trait, base in use.mutilated]
    is_out = use.out is not None
    parts.append(say_out_of_play(subject, use.out or "", use.out_for) if is_out else f"{subject} stays in play.")
    return join_sentences(parts)


def say_use(use_as: str, trait: str | None) -> str:
    trait_words = f" on {trait}" if trait else ""
    return f" as {IMPACTS[use_as]}{trait_words}" if use_as in IMPACTS and use_as != "fate" else ""


def say_out_of_play(name: str, out: str, out_for: str) -> str:
    if out == "time":
        return quote(f"{name} is out of play until a game master ends this", out_for)
    return f"{name} is out of play {'for good' if out == 'permanent' else 'until the scene ends'}."


Fields: TypeAlias = dict[str, Domain]
NOT_OUT = ("Stays in play", "Stays in play")
#: Titles for the uses of a fatal impact, for each of `OUTS`: a use in words or without a trait, a tax, and damage.
WAYS = (
    (
        "Say what happens to {who}, or choose a wound or an advantage point",
        "Tax a trait of {who}",
        "Damage a trait of {who}",
    ),
    (
        "Take {who} out of play for a time",
        "Take {who} out of play for a time, and tax a trait",
        "Take {who} out of play for a time, and damage a trait",
    ),
)
USED_AS = ("Only what you describe", "An advantage point", "A wound")
STAYS: Fields = {"out": Among((None, "none"), NOT_OUT), "out_for": Among(("",))}
#: The fields for how long a character is out of play, if at all. `out_for` describes a time in words.
OUTS: tuple[Fields, ...] = (
    {
        "out": Among((None, "none", "scene", "permanent"), (*NOT_OUT, "Until the scene ends", "For good")),
        "out_for": Among(("",)),
    },
    {"out": Among(("time",), ("For a time",)), "out_for": OPEN},
)


def list_ways_to_use(
    draft: Draft, victim: str, used_trait: str | None, outs: tuple[Fields, ...] = OUTS
) -> Iterator[tuple[str, Fields]]:
    """Yield the uses of a fatal impact, each with its title for people: a fate in words or a lower impact, with its
    other fields.
    """
    trait_names = tuple(trait.name for trait in draft.read_character(victim).traits)
    mutilation_shape = Shape(Mutilation, {"trait": Among(trait_names), "base": Among(STEPS)})
    mutilations: Fields = (
        {"mutilation": Among((None,)), "mutilations": Some(mutilation_shape, key="trait")} if trait_names else {}
    )
    traits_by_impact = {impact: list_traits_to_hit(draft, impact, victim, used_trait) for impact in ("tax", "damage")}
    victim_name = draft.name(character(victim))
    for out, ways in zip(outs, WAYS, strict=False):
        first_title, *titles = (way.format(who=victim_name) for way in ways)
        shared_fields = {**out, **mutilations}
        yield first_title, {**shared_fields, "use_as": Among(("fate", "advantage", "wound"), USED_AS)}
        for (impact, traits), title in zip(traits_by_impact.items(), titles, strict=True):
            if traits:
                yield title, {**shared_fields, "use_as": Among((impact,)), "trait": Among(traits)}


def make_domain_of_one_use(draft: Draft, fatal_id: str, fatal: Fatal) -> Some:
    return Some(Either(_list_use_shapes(draft, fatal_id, fatal, [fatal], are_titled=True)), 1, 1)


def make_domain_of_uses(draft: Draft, fatals: Mapping[str, Fatal], first_id: str | None = None) -> Some:
    """Return the uses of several of these fatal impacts together. `first_id`: the fatal impact that must be used
    first, if any.
    """
    used_fatals = list(fatals.values())
    shapes = tuple(
        shape for fatal_id, fatal in fatals.items() for shape in _list_use_shapes(draft, fatal_id, fatal, used_fatals)
    )
    first_domain = (
        Either(_list_use_shapes(draft, first_id, fatals[first_id], used_fatals)) if first_id is not None else None
    )
    return Some(Either(shapes), 2, len(fatals), key="fatal", first=first_domain)


def _list_use_shapes(
    draft: Draft, fatal_id: str, fatal: Fatal, used_fatals: Collection[Fatal], *, are_titled: bool = False
) -> tuple[Shape, ...]:
    """Return the ways to use a fatal impact. If characters who go out of play lose their fatal impacts, no use takes
    out a character who uses one at the same moment.

    `are_titled`: whether the ways have titles. Only give titles if all of them use the same fatal impact.
    """
    is_answered = any(other.holder == fatal.subject for other in used_fatals)
    outs = (STAYS,) if is_answered and draft.dials.held_fatal_when_holder_out == "lapse" else OUTS
    fatal_fields: Fields = {"fatal": Among((fatal_id,)), "by": Among((fatal.holder,))}
    ways = list_ways_to_use(draft, fatal.subject, fatal.trait_used, outs)
    return tuple(Shape(FatalUse, {**fatal_fields, **way}, title if are_titled else "") for title, way in ways)


# --- going out of play -----------------------------------------------------------------------------------------------

OUT = rule(
    "intensity.fatal.out",
    "The use of a fatal impact can also take the victim out of play: until the scene closes, for good, or for"
    " a time that the holder describes, such as “three weeks in hospital”. A game master says when such a"
    " time is over.",
    "Impact",
)


def say_taken_out(fact: CharacterTakenOut, names: Names) -> str:
    return say_out_of_play(word_name(names, fact.char), fact.until, fact.out_for)


@fact("character-taken-out", version=2, says=say_taken_out, headline=3)
class CharacterTakenOut:
    """Subject: the character. The character went out of play. `cause`: `fatal:<id>`. `out_for`: how long, in words, if
    `until` is `time`.
    """

    char: CharacterId
    until: Out
    cause: Cause
    out_for: Story = ""


@changes
@once_created
def take_out(state: Character, fact: CharacterTakenOut) -> Character:
    """Take the character out of play. A shorter time out does not replace a longer one."""
    lengths = get_args(Out)
    if state.out is not None and lengths.index(state.out) > lengths.index(fact.until):
        return state
    return changed(state, out=fact.until, out_for=fact.out_for)


# --- effects on the round --------------------------------------------------------------------------------------------


TARGET_GONE = rule(
    "intensity.action.target-gone",
    "Not in the source: a character who goes out of play loses their action, and an open attack by or against"
    " them ends without a result. Participants who declared this character as their target lose their actions"
    " too. A table may decide that they choose another target instead.",
)


@dataclass(frozen=True, slots=True)
class GivenUp:
    """The fatal impacts and actions that the same ruling has already given up, and whether it has closed the open
    attack.
    """

    released: frozenset[str] = frozenset()
    passed: frozenset[str] = frozenset()
    attack_closed: bool = False


@fact("round-left", says="{char} is no longer in the round.")
class RoundLeft:
    """A participant went out of play before the roll was complete. The participant left the round, and is no longer
    anybody's target.
    """

    round: RoundId
    char: CharacterId


@changes
@in_its_round
def leave_round(round: Round, fact: RoundLeft) -> Round | None:
    """Take the character out of the round. The character is no longer anybody's target."""
    if fact.char not in round.participants:
        return None
    participants_after = {
        char: changed(participant, target=None) if participant.target == fact.char else participant
        for char, participant in round.participants.items()
        if char != fact.char
    }
    return changed(round, participants=participants_after)


@fact("action-lapsed", says="{char}'s action is lost.")
class ActionLapsed:
    """A pending action was lost, because its actor or its target went out of play."""

    round: RoundId
    char: CharacterId


@changes
@in_its_round
def lapse_action(round: Round, fact: ActionLapsed) -> Round | None:
    return with_turn(round, fact.char, "lapsed")


@fact("attack-lapsed", says="The attack ends without a result.")
class AttackLapsed:
    """The open attack ended without a result."""

    attack: AttackId


@changes
@for_open_attack
def lapse_attack(round: Round, attack: OpenAttack, fact: AttackLapsed) -> Round:
    return changed(round, attack=None)


def go_on_without(draft: Draft, open_scene: CurrentScene, chars_out: set[str], given_up: GivenUp) -> None:
    """Let actions lapse if their actor is out of play or, if an option says so, if their target is. Let the open attack
    lapse if either side is out of play.
    """
    round = open_scene.scene.round
    if round is None:
        return
    if round.groups is None:
        _leave_before_the_roll(draft, open_scene, round, chars_out)
        return
    is_action_lost = draft.dials.retarget_when_target_gone == "lapse"
    for char, participant in round.participants.items():
        if participant.turn != "pending" or char in given_up.passed:
            continue
        if char in chars_out or (is_action_lost and participant.target in chars_out):
            draft.tell(open_scene.subject, ActionLapsed(round.id, char))
            draft.by(TARGET_GONE, "lapsed", char=char, target=participant.target)
    attack = round.attack
    if attack is not None and not given_up.attack_closed and {attack.attacker, attack.defender} & chars_out:
        draft.tell(open_scene.subject, AttackLapsed(attack.id))
        draft.by(TARGET_GONE, "lapsed", attack=attack.id)


def _leave_before_the_roll(draft: Draft, open_scene: CurrentScene, round: Round, chars_out: set[str]) -> None:
    """Remove characters who are out, and their dice, from the round. If all others have rolled, the
    roll is complete.
    """
    leaving_chars = [char for char in round.participants if char in chars_out]
    for char in leaving_chars:
        draft.tell(
            open_scene.subject,
            RoundLeft(round.id, char),
            draft.make_posting_from(name_standing_account(open_scene.subject, char)),
        )
        draft.by(TARGET_GONE, "left", char=char)
    if leaving_chars and any(participant.dice for participant in round.participants.values()):
        complete_the_roll(draft, open_scene)


# --- effects on fatal impacts ----------------------------------------------------------------------------------------

HOLDER_OUT = rule(
    "intensity.fatal.holder-out",
    "Not in the source: a character who is about to go out of play may answer at that moment with the fatal"
    " impacts they hold. Those that they do not use are lost. A table may decide that characters who are out"
    " of play keep them, or that nobody can answer.",
)


@fact("fatal-lapsed", says="A held fatal impact is lost.")
class FatalLapsed:
    """A held fatal impact was lost."""

    fatal: FatalId


@changes
def lose_fatal(state: Scene, fact: FatalLapsed) -> Scene | None:
    return remove_fatal(state, fact.fatal)


def remove_fatal(state: Scene, fatal_id: str) -> Scene | None:
    return changed(state, fatals=drop_key(state.fatals, fatal_id)) if fatal_id in state.fatals else None


def lose_fatals(draft: Draft, open_scene: CurrentScene, outs_by_char: dict[str, Out], ended_ids: set[str]) -> None:
    """Let fatal impacts lapse: those against a character who is out for good and, unless an option keeps them, those
    whose holder is out.
    """
    are_kept = draft.dials.held_fatal_when_holder_out == "survive"
    for fatal_id, fatal in draft.state(open_scene.subject, Scene).fatals.items():
        is_subject_gone = outs_by_char.get(fatal.subject) == "permanent"
        if fatal_id not in ended_ids and (is_subject_gone or (fatal.holder in outs_by_char and not are_kept)):
            let_fatal_lapse(draft, open_scene, fatal_id, fatal, HOLDER_OUT)


def let_fatal_lapse(draft: Draft, open_scene: CurrentScene, fatal_id: str, fatal: Fatal, rule: str) -> None:
    draft.tell(
        open_scene.subject,
        FatalLapsed(fatal_id),
        draft.make_posting_from(name_fatals_account(open_scene.subject, fatal.holder), 1),
    )
    draft.by(rule, "lapsed", fatal=fatal_id, holder=fatal.holder)


# --- coming back -----------------------------------------------------------------------------------------------------

NOT_OUT_FOR_A_TIME = Refusal(OUT, "not-out-for-a-time", "{char} is not temporarily out of play.")


def say_brought_back(do_or_fact: BringBack | BroughtBack, names: Names) -> str:
    return quote(f"{word_name(names, do_or_fact.char)} is back in play", do_or_fact.reason)


@fact("brought-back", says=say_brought_back)
class BroughtBack:
    """Subject: the character. Its time out of play is over."""

    char: CharacterId
    reason: Reason


@changes
@once_created
def return_to_play(state: Character, fact: BroughtBack) -> Character | None:
    return changed(state, out=None, out_for="") if state.out == "time" else None


@declares("bring-back", GM, says=say_brought_back, records=(BroughtBack,))
class BringBack:
    """Bring back a character who is out of play for a time. `reason`: why the character's time out of play is over."""

    char: Char
    reason: Reason


def may_bring_back(draft: Draft, char: str) -> Refused | None:
    return None if draft.read_character(char).out == "time" else NOT_OUT_FOR_A_TIME(char=char)


@decides
def bring_back(draft: Draft, do: BringBack) -> None:
    """Bring back a character who was out of play for a time."""
    require(may_bring_back(draft, do.char))
    check_text(OUT, "reason", do.reason)
    draft.about(do.char, BroughtBack(do.char, do.reason))
    draft.by(OUT, "brought-back", char=do.char, out_for=draft.read_character(do.char).out_for)


@offers
def offer_to_bring_back(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer to bring characters back, in a scene or between scenes."""
    for char in draft.present:
        if may_bring_back(draft, char) is None:
            yield Move(BringBack, {"char": Among((char,))})
