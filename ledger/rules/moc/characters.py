"""Characters: joining the game, dying and inheriting chips (headings "Character Generation", "Fate")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, TypeAlias

from ledger.rules.kernel.kit import (
    GM,
    OPEN,
    Among,
    Asking,
    Between,
    CharacterId,
    Domain,
    Either,
    Enrol,
    Entries,
    Faults,
    Move,
    Names,
    OneOf,
    Reason,
    Refusal,
    Refused,
    Retire,
    Says,
    Seen,
    Title,
    changed,
    changes,
    character,
    decides,
    declares,
    either,
    fact,
    guards,
    offers,
    require,
)
from ledger.rules.moc import beads, buying, damage, holdings, negotiating, pools, recovery
from ledger.rules.moc.chips import count_value
from ledger.rules.moc.draft import INHERIT, Draft, may_act, nobody_acts, read_chips
from ledger.rules.moc.shown import fix, get_offering
from ledger.rules.moc.state import Character, find_pain_capacity
from ledger.rules.moc.types import (
    BUDGETS,
    ArchetypeName,
    CharacteristicName,
    ChipCounts,
    ColourName,
    ElementName,
    FractionSent,
    LevelSent,
    SessionId,
    SkillName,
    StatusName,
)
from ledger.rules.moc.words import (
    ARCHETYPES,
    CASCADE,
    CHIPS,
    CHIPS_NOT_HELD,
    GONE,
    POINT,
    PRIMARIES,
    UNKNOWN_ARCHETYPE,
    VALUE_NOT_POSITIVE,
    Sent,
    read_fraction,
    read_points,
    read_whole,
    say_chips,
    say_subject,
    say_who,
    say_with,
    say_word,
)

Budget: TypeAlias = Annotated[
    Sent,
    Between(1, 100_000),
    Says(
        "Points", "How many points the character is built with. Leave this out to use the number for the power level."
    ),
]
BUDGET_TOO_LOW = Refusal(buying.BUDGET, "budget-too-low", "A superheroic budget must be at least 200, not {budget}.")
NOT_IN_PLAY = Refusal(INHERIT, "not-in-play", "{character} is no longer in play.")
NOT_THE_HEIR = Refusal(INHERIT, "not-the-heir", "{character} is not the next character of {source}'s player.")
BONUS_NEEDS_SACRIFICE = Refusal(
    INHERIT, "bonus-needs-sacrifice", "{source} was not sacrificed for the story, so there is no bonus."
)
STILL_IN_PLAY = Refusal(INHERIT, "still-in-play", "{source} is still in play.")
ALREADY_INHERITED = Refusal(INHERIT, "already-inherited", "The bonus for {source}'s sacrifice has already been given.")
UNKNOWN_STATUS = Refusal(damage.HARM, "unknown-status", "A character is active, down or dead, not {status}.")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A new character. `characteristics`: the level of each characteristic, including free levels. `skills`: the level
    of each skill, including free levels. `purchases`: the purchases, in order.

    `disadvantages`: the points that each Disadvantage gives back, as agreed. `villain`: whether the game master plays
    the character.
    """

    archetype: ArchetypeName
    characteristics: Mapping[CharacteristicName, LevelSent] = field(default_factory=dict)
    skills: Mapping[SkillName, LevelSent] = field(default_factory=dict)
    purchases: tuple[holdings.Purchase, ...] = ()
    disadvantages: Mapping[Title, FractionSent] = field(default_factory=dict)
    villain: Annotated[bool, Says("Villain", "Whether the game master plays the character.")] = False
    budget: Budget | None = None


def say_created(fact: CharacterCreated, names: Names) -> str:
    kind_words = f"{say_archetype(fact.archetype)}{', run by the game master' if fact.villain else ''}"
    return f"{say_subject(names)} is {kind_words}, built on {holdings.say_points(f'{fact.budget}/120')}."


def say_archetype(name: str) -> str:
    return f"{'an' if name[:1] in 'ae' else 'a'} {say_word(name)}"


@fact("character-created", says=say_created, headline=33)
class CharacterCreated:
    """A character was created. `budget`: the starting points. `primaries`, `secondaries`: the Elements of the
    archetype.
    """

    archetype: ArchetypeName
    villain: bool
    primaries: tuple[ElementName, ...]
    secondaries: tuple[ElementName, ...]
    budget: int


@changes
def create(state: Character, fact: CharacterCreated) -> Character:
    ratings = {**dict.fromkeys(PRIMARIES, 1), **dict.fromkeys(CASCADE, 1)}
    return changed(
        state,
        archetype=fact.archetype,
        villain=fact.villain,
        primaries=fact.primaries,
        secondaries=fact.secondaries,
        ratings=ratings,
        budget=fact.budget,
    )


@decides
def enrol(draft: Draft, do: Enrol[Sheet]) -> Asking[None]:
    """Create a character. A game master approves purchases and Disadvantages."""
    char_id, sheet, faults = str(draft.table.number), do.sheet, Faults()
    budget, points_left = build(draft, char_id, sheet, faults)
    faults.raise_found()
    if points_left < 0:
        cost, points_short = str(budget - Fraction(points_left, POINT)), str(Fraction(-points_left, POINT))
        faults.note(buying.OVER_BUDGET(cost=cost, short=points_short), "sheet")
    faults.raise_found()
    draft.by(buying.BUDGET, str(Fraction(points_left, POINT)), left=True)
    for primary in PRIMARIES:
        rating = draft.get_character(char_id).ratings[primary]
        posting = holdings.make_posting(holdings.TOKENS, holdings.name_token_account(char_id, primary), rating)
        draft.about(char_id, pools.TokensFilled(primary, rating), posting)
    draft.by(damage.LIMITS, find_pain_capacity(draft.get_character(char_id).ratings), character=char_id)
    beads.award_newcomer(draft, char_id)
    if sheet.purchases or sheet.disadvantages or sheet.villain or sheet.budget is not None:
        yield from buying.require_approval(draft, None, f"the character {do.name}")


def build(draft: Draft, char_id: str, sheet: Sheet, faults: Faults) -> tuple[int, int]:
    """Create a character and buy everything on the sheet. Return the starting points, and the remaining points in
    120ths.
    """
    draft.begin(character(char_id))
    with faults.at("sheet", "archetype"):
        _check_archetype(sheet.archetype)
    primaries, secondaries = ARCHETYPES.get(sheet.archetype, ((), ()))
    budget = BUDGETS[draft.dials.power_level]
    with faults.at("sheet", "budget"):
        budget = _read_budget(draft, sheet)
    fact = CharacterCreated(sheet.archetype, sheet.villain, primaries, secondaries, budget * POINT)
    draft.about(
        char_id, fact, holdings.make_posting(holdings.BUDGET, holdings.name_point_account(char_id), budget * POINT)
    )
    draft.by(buying.BUDGET, budget)
    _spend_points(draft, char_id, sheet, faults)
    return budget, draft.balance(holdings.name_point_account(char_id))


def _spend_points(draft: Draft, char_id: str, sheet: Sheet, faults: Faults) -> None:
    """Credit the points of the Disadvantages and buy everything on the sheet. After a fault in an Element, other
    Elements are not checked.
    """
    for name, points_given in sheet.disadvantages.items():
        with faults.at("sheet", "disadvantages", name):
            _refund_disadvantage(draft, char_id, name, points_given)
    for name, level in sheet.characteristics.items():
        with faults.at("sheet", "characteristics", name):
            buying.buy_level(draft, char_id, holdings.Purchase("characteristic", name, level), is_making=True)
    for name, level in sheet.skills.items():
        with faults.at("sheet", "skills", name):
            buying.buy_level(draft, char_id, holdings.Purchase("skill", name, level), is_making=True)
    are_elements_known = sheet.archetype in ARCHETYPES
    for index, purchase in enumerate(sheet.purchases):
        is_of_element, fault_count = purchase.what in holdings.ELEMENTS_COST, len(faults.found)
        if are_elements_known or not is_of_element:
            with faults.at("sheet", "purchases", index):
                buying.buy_level(draft, char_id, purchase, is_making=True)
            are_elements_known = are_elements_known and not (is_of_element and len(faults.found) > fault_count)


def _refund_disadvantage(draft: Draft, char_id: str, name: str, points_given: Sent) -> None:
    """Give back the points of a Disadvantage, as agreed."""
    points = read_fraction(points_given, buying.BUDGET)
    if points < 0:
        raise VALUE_NOT_POSITIVE.under(buying.BUDGET, disadvantage=name)
    trait_id = draft.table.new_id()
    draft.about(char_id, negotiating.TraitProposed(trait_id, "disadvantage", name, "", str(-points)))
    posting = holdings.make_posting(
        holdings.BUDGET, holdings.name_point_account(char_id), read_points(points, buying.BUDGET)
    )
    draft.about(char_id, negotiating.TraitApproved(trait_id, str(-points)), posting)
    draft.by(buying.NEGOTIATE, str(-points), name=name)


def _check_archetype(archetype: str) -> None:
    if archetype not in ARCHETYPES:
        raise UNKNOWN_ARCHETYPE.under(beads.BEAD_ALLOCATE, archetype=archetype)


def _read_budget(draft: Draft, sheet: Sheet) -> int:
    """Return the sheet's budget, or the campaign's. Refuses `value-not-positive`, `over-budget`, `budget-too-low`."""
    usual_budget = BUDGETS[draft.dials.power_level]
    if sheet.budget is None:
        return usual_budget
    budget = read_whole(sheet.budget, VALUE_NOT_POSITIVE, buying.BUDGET, 1)
    if draft.dials.power_level != "superheroic" and budget != usual_budget:
        raise buying.OVER_BUDGET(budget=budget)
    if draft.dials.power_level == "superheroic" and budget < 200:
        raise BUDGET_TOO_LOW(budget=budget)
    return budget


# --- death and inheritance --------------------------------------------------------------------------------------------


def find_heir(draft: Draft, char_id: str) -> str:
    """Return the character who gets this character's chips: the player's next character, if this character has left
    play and there is a next one, or else this character.
    """
    table = draft.table
    if draft.get_character(char_id).status not in GONE:
        return char_id
    roster_ids = [subject.id for subject in table.subjects("character")]
    later_ids = roster_ids[roster_ids.index(char_id) + 1 :]
    seat_id = table.owner(character(char_id))
    return next(
        (
            other
            for other in later_ids
            if table.owner(character(other)) == seat_id and draft.get_character(other).status not in GONE
        ),
        char_id,
    )


def is_in_play_or_fell_last_session(draft: Draft, char_id: str) -> bool:
    """Return whether the character is in play, or left play in the open or latest session."""
    state = draft.get_character(char_id)
    return state.status not in GONE or state.fell == draft.find_session_id()


def count_chips_held(draft: Draft, char_id: str) -> dict[str, int]:
    chip_counts = {colour: draft.balance(holdings.name_chip_account(char_id, colour)) for colour in CHIPS}
    return {colour: count for colour, count in chip_counts.items() if count > 0}


@fact("chips-returned", says="{subject} leaves {chips} to the player's next character.")
class ChipsReturned:
    """A dead or retired character's chips went to the bank, where they stay until the player's next character gets
    them.
    """

    reason: Reason
    chips: Mapping[ColourName, int]


@changes
def leave_chips(state: Character, fact: ChipsReturned) -> Character:
    return changed(state, left=fact.chips)


def leave_chips_behind(draft: Draft, char_id: str, reason: str) -> None:
    """Put the chips of a character who died or retired into the bank, for the player's next character."""
    chip_counts = count_chips_held(draft, char_id)
    if chip_counts:
        draft.about(
            char_id,
            ChipsReturned(reason, chip_counts),
            *holdings.list_chip_postings(char_id, chip_counts, is_to_bank=True),
        )
        draft.by(INHERIT, 0, character=char_id)


@fact("character-sacrificed", says="{subject} is sacrificed for the story[: {reason}].")
class CharacterSacrificed:
    """A character was sacrificed for the story. `session`: the session in which, or after which, the sacrifice
    happened.
    """

    reason: Reason
    session: SessionId = ""


@changes
def note_sacrifice(state: Character, fact: CharacterSacrificed) -> Character:
    return changed(state, status="sacrificed", fell=fact.session)


@nobody_acts
@declares(
    "sacrifice",
    either("character"),
    says="{character} is sacrificed for the story: {reason}.",
    records=(CharacterSacrificed,),
)
class Sacrifice:
    """Sacrifice a character for the story. The character's chips wait for the player's next character."""

    character: CharacterId
    reason: Reason


@guards
def may_sacrifice(draft: Draft, char_id: str) -> Refused | None:
    return NOT_IN_PLAY(character=char_id) if draft.get_character(char_id).status in GONE else None


@decides
def sacrifice(draft: Draft, do: Sacrifice) -> None:
    require(may_sacrifice(draft, do.character))
    draft.about(do.character, CharacterSacrificed(do.reason, draft.find_session_id()))
    draft.by(INHERIT, count_value(count_chips_held(draft, do.character)), character=do.character)


def say_inherited(fact: ChipsInherited, names: Names) -> str:
    bonus_words = f", with a bonus of {say_chips(fact.bonus)}" if any(fact.bonus.values()) else ""
    return f"{say_subject(names)} inherits {say_who(names, fact.source)}'s chips{bonus_words}."


@fact("chips-inherited", says=say_inherited, headline=39)
class ChipsInherited:
    """A character inherited chips. `source`: the character who left them. `bonus`: extra chips, if that character was
    sacrificed.
    """

    source: CharacterId
    bonus: Mapping[ColourName, int]


@changes
def note_inheritance(state: Character, fact: ChipsInherited) -> Character:
    return changed(state, heir_of=(*state.heir_of, fact.source))


@fact("chips-passed-on", says="{subject}'s chips go to {heir}.")
class ChipsPassedOn:
    """The chips that a character left behind went to the `heir`."""

    heir: CharacterId


@changes
def pass_chips_on(state: Character, fact: ChipsPassedOn) -> Character:
    return changed(state, left={})


@nobody_acts
@declares("inherit-chips", GM, says="{character} inherits {source}'s chips.", records=(ChipsInherited, ChipsPassedOn))
class InheritChips:
    """Give a player's next character the chips of a character who died, retired or was sacrificed.

    `bonus`: extra chips, given once, if the previous character was sacrificed for the story.
    """

    character: CharacterId
    source: Annotated[CharacterId, Says("From", "The character who died, retired or was sacrificed.")]
    bonus: ChipCounts = field(default_factory=dict)


@guards
def may_inherit(draft: Draft, heir_id: str, source_id: str, has_bonus: bool) -> Refused | None:
    """Refuse chips unless they go from a character who has left play to the player's next character. A sacrifice gives
    one bonus.
    """
    table = draft.table
    if heir_id == source_id or table.owner(character(heir_id)) != table.owner(character(source_id)):
        return NOT_THE_HEIR(character=heir_id, source=source_id)
    if (refusal := may_act(draft, heir_id)) is not None:
        return refusal
    status = draft.get_character(source_id).status
    if has_bonus and status != "sacrificed":
        return BONUS_NEEDS_SACRIFICE(source=source_id)
    if status not in GONE:
        return STILL_IN_PLAY(source=source_id)
    if has_bonus and any(
        source_id in draft.get_character(subject.id).heir_of for subject in table.subjects("character")
    ):
        return ALREADY_INHERITED(source=source_id)
    if not (has_bonus or count_chips_held(draft, source_id) or draft.get_character(source_id).left):
        return CHIPS_NOT_HELD.under(INHERIT, source=source_id)
    return None


@decides
def inherit_chips(draft: Draft, do: InheritChips) -> None:
    """Give the heir all the chips, and the bonus if the game master awards one."""
    bonus = read_chips(do.bonus, INHERIT)
    require(may_inherit(draft, do.character, do.source, bool(bonus)))
    chip_counts, left_counts = count_chips_held(draft, do.source), dict(draft.get_character(do.source).left)
    held_postings = [
        holdings.make_posting(
            holdings.name_chip_account(do.source, colour), holdings.name_chip_account(do.character, colour), n
        )
        for colour, n in chip_counts.items()
    ]
    bonus_postings = holdings.list_chip_postings(do.character, bonus, is_to_bank=False)
    left_postings = holdings.list_chip_postings(do.character, left_counts, is_to_bank=False)
    draft.about(do.character, ChipsInherited(do.source, bonus), *held_postings, *left_postings, *bonus_postings)
    if left_counts:
        draft.about(do.source, ChipsPassedOn(do.character))
    draft.by(INHERIT, count_value(chip_counts) + count_value(left_counts) + count_value(bonus), source=do.source)


def say_status(fact: StatusSet, names: Names) -> str:
    phrases = {"dead": "is dead", "down": "is down", "active": "is up again", "retired": "is retired"}
    return say_with(f"{say_subject(names)} {phrases.get(fact.status, f'is {fact.status}')}", fact.reason)


@fact("status-set", says=say_status)
class StatusSet:
    """A character's status was set. `session`: the session in which, or after which, the change happened."""

    status: Annotated[str, OneOf(("active", "down", *GONE))]
    reason: Reason
    session: SessionId = ""


@changes
def set_status_of(state: Character, fact: StatusSet) -> Character:
    session_id = fact.session if fact.status in GONE else ""
    return changed(state, status=fact.status, fell=session_id, harm=None, healing=None)


def say_status_to_set(do: SetStatus, names: Names) -> str:
    phrases = {"dead": "dies", "down": "goes down", "active": "gets up again"}
    return say_with(f"{say_who(names, do.character)} {phrases.get(do.status, f'is {do.status} now')}", do.reason)


@nobody_acts
@declares("set-status", GM, says=say_status_to_set, records=(StatusSet, ChipsReturned))
class SetStatus:
    """Set a character's status. `status`: active, down or dead."""

    character: CharacterId
    status: StatusName
    reason: Reason = ""


@decides
def set_status(draft: Draft, do: SetStatus) -> None:
    draft.get_character(do.character)
    if do.status not in ("active", "down", "dead"):
        raise UNKNOWN_STATUS(status=do.status)
    draft.about(do.character, StatusSet(do.status, do.reason, draft.find_session_id()))
    draft.by(damage.HARM, do.status, character=do.character)
    if do.status == "dead":
        leave_chips_behind(draft, do.character, "dead")


@decides
def retire(draft: Draft, do: Retire) -> None:
    """Retire a character. Its chips wait for the player's next character."""
    if draft.get_character(do.character).status not in GONE:
        draft.about(do.character, StatusSet("retired", do.reason, draft.find_session_id()))
        leave_chips_behind(draft, do.character, do.reason)


@offers
def offer_fates(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    if offering.roster:
        yield Move(SetStatus, {"character": Among(offering.roster), "status": Among(("active", "down", "dead"))})
    if offering.active_ids:
        yield Move(recovery.GrantRecovery, {"character": Among(offering.active_ids)})
    if playing_ids := tuple(char_id for char_id in offering.roster if may_sacrifice(draft, char_id) is None):
        yield Move(Sacrifice, {"character": Among(playing_ids), "reason": OPEN})
    for source_id in (char_id for char_id in offering.roster if may_sacrifice(draft, char_id) is not None):
        bonus_domains: list[Domain] = []
        if heir_ids := tuple(
            char_id for char_id in offering.roster if may_inherit(draft, char_id, source_id, False) is None
        ):
            bonus_domains.append(Entries({colour: fix(0) for colour in CHIPS}))
        if favoured_ids := tuple(
            char_id for char_id in offering.roster if may_inherit(draft, char_id, source_id, True) is None
        ):
            bonus_domains.append(
                Either(tuple(Entries({**_make_any_chips_domains(), colour: Between(1)}, (colour,)) for colour in CHIPS))
            )
        if bonus_domains:
            fields: dict[str, Domain] = {"character": Among(heir_ids or favoured_ids), "source": fix(source_id)}
            yield Move(InheritChips, {**fields, "bonus": Either(tuple(bonus_domains))})


def _make_any_chips_domains() -> dict[str, Domain]:
    return dict.fromkeys(CHIPS, Between(0))
