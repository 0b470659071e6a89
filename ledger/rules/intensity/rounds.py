"""The chapter Actions: opening a round, joining it, declaring, changing a declaration, and how a round ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, get_args

from ledger.rules.intensity import levels_and_traits as levels
from ledger.rules.intensity.draft import (
    CHARACTER_OUT,
    ROUND_OPEN,
    WRONG_STAGE,
    Draft,
    may_still_declare,
    put_dice_away,
    require_participant,
    require_scene,
    require_scene_and_round,
)
from ledger.rules.intensity.state import (
    INTENSITY,
    UNTOUCHED,
    Char,
    InWords,
    Level,
    OwnTrait,
    Participant,
    Restated,
    Round,
    RoundId,
    SaidLevel,
    Scene,
    TraitName,
    in_its_round,
    quote,
    with_participant,
    word_name,
    word_people,
)
from ledger.rules.kernel.kit import (
    ANYONE,
    GM,
    Among,
    CharacterId,
    Domain,
    Move,
    Names,
    OneOf,
    Refusal,
    Refused,
    Says,
    Seen,
    Some,
    Story,
    changed,
    changes,
    decides,
    declares,
    either,
    fact,
    listed,
    offers,
    require,
    rule,
)

# --- opening a round -------------------------------------------------------------------------------------------------

OPEN_ROUND = rule(
    "intensity.round.open",
    "Anybody can open a round in an open scene. Only one round is open at a time. It needs two or more characters,"
    " none of them out of play. Characters who are not in the round do not roll and cannot be attacked.",
    "Actions",
)
PARTICIPANTS = Refusal(OPEN_ROUND, "participants", "A round needs at least two different characters.")


@fact("round-opened", says="A round begins[ with {participants}].")
class RoundOpened:
    round: RoundId
    participants: tuple[CharacterId, ...]


@changes
def begin_round(state: Scene, fact: RoundOpened) -> Scene:
    return changed(state, round=Round(fact.round, {char: Participant() for char in fact.participants}))


def say_opens(do: OpenRound, names: Names) -> str:
    people = word_people(names, do.participants)
    return quote(f"A round begins{f' with {people}' if people not in ('', 'somebody') else ''}", do.text)


@declares("open-round", ANYONE, says=say_opens, records=(RoundOpened,))
class OpenRound:
    """Begin a round. `participants`: the characters who roll and can be attacked in this round. `text`: what the round
    is about.
    """

    participants: tuple[CharacterId, ...]
    text: InWords = ""


def may_open_round(round: Round | None) -> Refused | None:
    return ROUND_OPEN.under(OPEN_ROUND, round=round.id) if round is not None else None


def may_take_part(draft: Draft, char: str, rule: str) -> Refused | None:
    return CHARACTER_OUT.under(rule, char=char) if draft.is_out(char) else None


@decides
def open_round(draft: Draft, do: OpenRound) -> None:
    """Open a round of at least two characters, none of them out, in the open scene."""
    for char in do.participants:
        draft.check_character(char)
    open_scene = require_scene(draft, OPEN_ROUND)
    require(may_open_round(open_scene.scene.round))
    if len(do.participants) < 2 or len(set(do.participants)) != len(do.participants):
        raise PARTICIPANTS(participants=list(do.participants))
    for char in do.participants:
        require(may_take_part(draft, char, OPEN_ROUND))
    draft.tell(open_scene.subject, RoundOpened(draft.table.new_id(), do.participants))
    draft.by(OPEN_ROUND, len(do.participants), participants=list(do.participants))


@offers
def offer_round(seen: Seen, draft: Draft) -> Iterator[Move]:
    open_scene = draft.open_scene
    if open_scene is None or may_open_round(open_scene.scene.round):
        return
    able_chars = tuple(char for char in draft.present if may_take_part(draft, char, OPEN_ROUND) is None)
    if len(able_chars) >= 2:
        yield Move(OpenRound, {"participants": Some(Among(able_chars), 2)})


# --- joining a round -------------------------------------------------------------------------------------------------

JOIN = rule(
    "intensity.round.join",
    "Not in the source: until the first die is rolled, a character who is not out of play may join the open round.",
)
ALREADY_IN_ROUND = Refusal(JOIN, "already-in-round", "{char} is already in this round.")


@fact("round-joined", says="{char} joins the round.")
class RoundJoined:
    """A character joined the open round."""

    round: RoundId
    char: CharacterId


@changes
@in_its_round
def add_participant(round: Round, fact: RoundJoined) -> Round:
    return with_participant(round, fact.char, Participant())


@declares("join-round", either("char"), says="{char} joins the round.", records=(RoundJoined,))
class JoinRound:
    """Join the open round. The others' declarations stay as they are."""

    char: Char


def may_join(draft: Draft, round: Round, char: str) -> Refused | None:
    if char in round.participants:
        return ALREADY_IN_ROUND(char=char)
    return may_still_declare(round, JOIN) or may_take_part(draft, char, JOIN)


@decides
def join(draft: Draft, do: JoinRound) -> None:
    draft.check_character(do.char)
    open_scene, round = require_scene_and_round(draft, JOIN)
    require(may_join(draft, round, do.char))
    draft.tell(open_scene.subject, RoundJoined(round.id, do.char))
    draft.by(JOIN, "joined", char=do.char)


@offers
def offer_to_join(seen: Seen, draft: Draft) -> Iterator[Move]:
    round = draft.open_round
    for char in draft.present if round is not None else ():
        if round is not None and may_join(draft, round, char) is None:
            yield Move(JoinRound, {"char": Among((char,))})


# --- declaring -------------------------------------------------------------------------------------------------------

DECLARE = rule(
    "intensity.round.declare",
    "Before the roll, each participant declares once: a target (another participant), a level and a trait."
    " Not in the source: you may declare no target. You then only defend.",
    "Actions",
    outcome="character",
)
ALREADY_DECLARED = Refusal(DECLARE, "already-declared", "{char} has already declared in this round.")
SELF = Refusal(DECLARE, "self", "{char} cannot be their own target. Choose another character.")
TARGET_NOT_IN_ROUND = Refusal(DECLARE, "target-not-in-round", "{target} is not in this round.")


def say_declared(do_or_fact: Declare | ActionDeclared, names: Names) -> str:
    aim = f"acts against {word_name(names, do_or_fact.target)}" if do_or_fact.target is not None else "only defends,"
    trait = f", with {do_or_fact.trait}" if do_or_fact.trait else ""
    return quote(f"{word_name(names, do_or_fact.char)} {aim} at {do_or_fact.level} intensity{trait}", do_or_fact.text)


@fact("action-declared", says=say_declared, kw_only=True)
class ActionDeclared:
    """A participant declared an action."""

    round: RoundId
    char: CharacterId
    target: CharacterId | None
    level: Level
    trait: TraitName | None
    text: Story


@changes
def note_declaration(state: Scene, fact: ActionDeclared) -> Scene | None:
    return levels.with_last_level(_with_declaration(state, fact), fact.char, fact.level)


@in_its_round
def _with_declaration(round: Round, fact: ActionDeclared) -> Round | None:
    participant = round.participants.get(fact.char)
    if participant is None:
        return None
    participant_after = changed(participant, level=fact.level, target=fact.target, trait=fact.trait, text=fact.text)
    return with_participant(round, fact.char, participant_after)


@declares("declare", either("char"), says=say_declared, records=(ActionDeclared,))
class Declare:
    """Declare a level, a trait and a target. `target`: the character you attack. Leave it out if you only defend.
    `text`: your intent.
    """

    char: Char
    level: SaidLevel
    target: CharacterId | None = None
    trait: OwnTrait | None = None
    text: Annotated[Story, Says("Intent")] = ""


def may_declare(round: Round, char: str) -> Refused | None:
    return ALREADY_DECLARED(char=char) if round.participants[char].level is not None else None


def may_aim_at(round: Round, char: str, target: str | None) -> Refused | None:
    if target == char:
        return SELF(char=char)
    return TARGET_NOT_IN_ROUND(target=target) if target is not None and target not in round.participants else None


@decides
def declare(draft: Draft, do: Declare) -> None:
    """Declare one level, one trait and one target (or none). Each participant does this once."""
    draft.check_character(do.char)
    if do.target is not None:
        draft.check_character(do.target)
    level = levels.check_level(do.level)
    open_scene, round = require_scene_and_round(draft, DECLARE)
    require_participant(round, do.char, DECLARE)
    require(may_still_declare(round, DECLARE))
    require(may_declare(round, do.char))
    require(may_aim_at(round, do.char, do.target))
    require(levels.may_be_as_intense(draft, open_scene, do.char, level))
    require(levels.may_use_trait(draft, do.char, do.trait))
    require(levels.may_declare_attack(draft, do.char, do.target))
    fact = ActionDeclared(round=round.id, char=do.char, target=do.target, level=level, trait=do.trait, text=do.text)
    draft.tell(open_scene.subject, fact)
    draft.by(DECLARE, do.char, target=do.target)
    draft.by(levels.LEVEL_DICE, INTENSITY[level], level=level)
    last_level = open_scene.scene.levels.get(do.char)
    if draft.dials.intensity_scope == "scene_ratchet" and last_level is not None:
        draft.by(levels.LEVEL_SCOPE, level, last=last_level)
    levels.explain_trait(draft, do.char, do.trait)


@offers
def offer_declarations(seen: Seen, draft: Draft) -> Iterator[Move]:
    scene, round = draft.open_scene, draft.open_round
    if scene is None or round is None or may_still_declare(round, DECLARE):
        return
    for char in round.participants:
        if may_declare(round, char) is None:
            open_levels = tuple(level for level in INTENSITY if not levels.may_be_as_intense(draft, scene, char, level))
            fields: dict[str, Domain] = {"char": Among((char,)), "level": levels.make_levels_domain(open_levels)}
            fields["trait"] = Among(levels.list_usable_traits(draft, char))
            fields["target"] = _make_target_domain(draft, round, char)
            yield Move(Declare, fields, awaits=DECLARE)


def _make_target_domain(draft: Draft, round: Round, char: str) -> Among:
    others = [other for other in round.participants if other != char]
    targets = others if others and levels.may_declare_attack(draft, char, others[0]) is None else []
    return Among((None, *targets), ("Only defend", *map(draft.name_of, targets)))


# --- changing a declaration ------------------------------------------------------------------------------------------

AMEND = rule(
    "intensity.round.amend",
    "Not in the source: until the first die is rolled, you may change the target, trait and intent you"
    " declared. A table may decide that declarations cannot be changed.",
    outcome="character",
)
AMEND_WHAT = Refusal(
    AMEND, "amend-what", "You can change {char}'s target, trait or intent here. To change the level, raise it."
)
DECLARATION_FIXED = Refusal(
    AMEND, "declaration-fixed", "{char} has declared. At this table, a declaration cannot be changed."
)


def say_restated(do_or_fact: AmendDeclaration | DeclarationAmended, names: Names) -> str:
    """Put into words the parts of a declaration that were restated. Blank parts did not change."""
    restated = do_or_fact.after if isinstance(do_or_fact, DeclarationAmended) else do_or_fact
    parts = []
    if restated.target != UNTOUCHED:
        parts.append(f"acts against {word_name(names, restated.target)}" if restated.target else "only defends")
    if restated.trait != UNTOUCHED:
        parts.append(f"rolls {restated.trait}" if restated.trait else "rolls no trait")
    change = f"{listed(parts)} instead" if parts else "changes the declaration"
    return quote(f"{word_name(names, do_or_fact.char)} {change}", restated.text)


@fact("declaration-amended", says=say_restated)
class DeclarationAmended:
    """A participant changed their declaration."""

    round: RoundId
    char: CharacterId
    before: Restated
    after: Restated


@changes
@in_its_round
def restate(round: Round, fact: DeclarationAmended) -> Round | None:
    participant = round.participants.get(fact.char)
    if participant is None:
        return None
    target = participant.target if fact.after.target == UNTOUCHED else fact.after.target
    trait = participant.trait if fact.after.trait == UNTOUCHED else fact.after.trait
    participant_after = changed(participant, target=target, trait=trait, text=fact.after.text or participant.text)
    return with_participant(round, fact.char, participant_after)


@declares("amend-declaration", either("char"), says=say_restated, records=(DeclarationAmended,))
class AmendDeclaration:
    """Change the target, trait or intent you declared. `text`: your new intent. Fields that you leave out stay as they
    are; null removes the target or trait. To change the level, raise it.
    """

    char: Char
    target: CharacterId | None = UNTOUCHED
    trait: OwnTrait | None = UNTOUCHED
    level: Annotated[str, OneOf((UNTOUCHED, *get_args(Level)))] | None = UNTOUCHED
    text: Annotated[Story, Says("Intent")] = UNTOUCHED


def may_restate(draft: Draft, round: Round, char: str) -> Refused | None:
    if round.participants[char].level is None:
        return levels.NOT_DECLARED.under(AMEND, char=char)
    return DECLARATION_FIXED(char=char) if not draft.dials.declaration_amendable else None


@decides
def amend(draft: Draft, do: AmendDeclaration) -> None:
    """Restate the target, trait and intent, before the roll. The level cannot be restated."""
    if do.level != UNTOUCHED or do.target == do.trait == do.text == UNTOUCHED:
        raise AMEND_WHAT(char=do.char)
    draft.check_character(do.char)
    if do.target is not None and do.target != UNTOUCHED:
        draft.check_character(do.target)
    open_scene, round = require_scene_and_round(draft, AMEND)
    participant = require_participant(round, do.char, AMEND)
    require(may_still_declare(round, AMEND))
    require(may_restate(draft, round, do.char))
    target = participant.target if do.target == UNTOUCHED else do.target
    if do.target != UNTOUCHED:
        require(may_aim_at(round, do.char, do.target))
    if do.trait != UNTOUCHED:
        require(levels.may_use_trait(draft, do.char, do.trait))
    require(levels.may_declare_attack(draft, do.char, target))
    before = Restated(
        UNTOUCHED if do.target == UNTOUCHED else participant.target,
        UNTOUCHED if do.trait == UNTOUCHED else participant.trait,
        UNTOUCHED if do.text == UNTOUCHED else participant.text,
    )
    after = Restated(do.target, do.trait, do.text)
    draft.tell(open_scene.subject, DeclarationAmended(round.id, do.char, before, after))
    trait = participant.trait if do.trait == UNTOUCHED else do.trait
    draft.by(AMEND, do.char, target=target, trait=trait)
    if do.trait != UNTOUCHED:
        levels.explain_trait(draft, do.char, trait)


@offers
def offer_to_restate(seen: Seen, draft: Draft) -> Iterator[Move]:
    round = draft.open_round
    if round is None or may_still_declare(round, AMEND):
        return
    for char, participant in round.participants.items():
        if may_restate(draft, round, char) is not None:
            continue
        traits = levels.list_usable_traits(draft, char)
        fields = {"char": Among((char,)), "trait": Among((UNTOUCHED, *traits))}
        yield Move(AmendDeclaration, {**fields, "target": _make_target_domain(draft, round, char)})
        if levels.may_declare_attack(draft, char, participant.target) is None:
            yield Move(AmendDeclaration, {"char": Among((char,)), "trait": Among(traits)})
            yield Move(AmendDeclaration, {"char": Among((char,))})


# --- ending a round --------------------------------------------------------------------------------------------------

ABANDON = rule(
    "intensity.round.abandon",
    "Not in the source: until everybody has rolled, a game master can cancel the round. A cancelled round does"
    " not count as a conflict between its participants.",
    outcome="id",
)


@fact("round-abandoned", says="The round is cancelled.")
class RoundAbandoned:
    round: RoundId


@declares("abandon-round", GM, says="The round is cancelled.", records=(RoundAbandoned,))
class AbandonRound:
    """Cancel the round. This is possible until everybody has rolled."""


def may_abandon(round: Round) -> Refused | None:
    return WRONG_STAGE.under(ABANDON, round=round.id) if round.groups is not None else None


@decides
def abandon(draft: Draft, do: AbandonRound) -> None:
    """Abandon the round. Dice that were already entered go back, and the round brings nobody into conflict."""
    open_scene, round = require_scene_and_round(draft, ABANDON)
    require(may_abandon(round))
    put_dice_away(draft, open_scene, round, RoundAbandoned(round.id))
    draft.by(ABANDON, round.id)


CLOSE_ROUND = rule(
    "intensity.round.close",
    "When no attack is open and nobody has an action left, a game master ends the round. All dice of the"
    " round leave the table.",
    "Actions",
    outcome="id",
)
ACTIONS_LEFT = Refusal(CLOSE_ROUND, "actions-left", "The round is not over[: {pending} can still act].")


@fact("round-closed", says="The round ends.")
class RoundClosed:
    round: RoundId


@changes
def end_round(state: Scene, fact: RoundAbandoned | RoundClosed) -> Scene | None:
    return changed(state, round=None) if state.round is not None and state.round.id == fact.round else None


@declares("close-round", GM, says="The round ends.", records=(RoundClosed,))
class CloseRound:
    """End a round in which nobody has an action left."""


def may_close_round(round: Round) -> Refused | None:
    if round.groups is None:
        return WRONG_STAGE.under(CLOSE_ROUND, round=round.id)
    pending_chars = [char for char, participant in round.participants.items() if participant.turn == "pending"]
    if round.attack is not None or pending_chars:
        return ACTIONS_LEFT(attack=round.attack.id if round.attack else None, pending=pending_chars)
    return None


@decides
def close_round(draft: Draft, do: CloseRound) -> None:
    """Close the round. All dice leave the table."""
    open_scene, round = require_scene_and_round(draft, CLOSE_ROUND)
    require(may_close_round(round))
    put_dice_away(draft, open_scene, round, RoundClosed(round.id))
    draft.by(CLOSE_ROUND, round.id)


@offers
def offer_to_end(seen: Seen, draft: Draft) -> Iterator[Move]:
    round = draft.open_round
    if round is not None and may_abandon(round) is None:
        yield Move(AbandonRound)
    if round is not None and may_close_round(round) is None:
        yield Move(CloseRound, awaits=CLOSE_ROUND, follows=CloseRound())
