"""Healing: the moment in which each character heals one instance of damage or one wound. All players with characters
who could heal are asked at the same time.

A game master may answer for a player who does not answer. A choice that no longer fits is asked for again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

from ledger.rules.intensity import opponents
from ledger.rules.intensity.advantage_points import AdvantageGained
from ledger.rules.intensity.draft import (
    NO_TRAIT_HERE,
    ROUND_OPEN,
    SCENE_OPEN,
    SUBJECT_GONE,
    TEXT_BLANK,
    UNKNOWN_TRAIT,
    Draft,
    check_once,
    check_text,
    name_impacts_account,
)
from ledger.rules.intensity.impact import find_oldest_impact, is_hurt
from ledger.rules.intensity.scenes_and_rest import HEALING_IS_REST, TaxEnded, end_taxes, list_still_in_play
from ledger.rules.intensity.state import (
    IMPACTS,
    Asker,
    Campaign,
    Char,
    Character,
    Day,
    ImpactId,
    OwnTrait,
    SaidHealing,
    Scene,
    TraitName,
    drop_key,
    join_sentences,
    quote,
    word_name,
    word_people,
)
from ledger.rules.kernel.kit import (
    ANYONE,
    Among,
    Asking,
    Between,
    CharacterId,
    Domain,
    Either,
    Move,
    Names,
    Question,
    Reason,
    Refusal,
    Refused,
    Says,
    Seen,
    Shape,
    Some,
    Story,
    Unfit,
    ask,
    ask_all,
    changed,
    changes,
    character,
    choice,
    decides,
    declares,
    fact,
    offers,
    once_created,
    require,
    rule,
    seat,
)

# --- the impacts that heal -------------------------------------------------------------------------------------------

DAILY = rule("intensity.heal.daily", "There can be only one healing moment per day of the story.", "Healing")
ONE_EACH = rule(
    "intensity.heal.one-each",
    "In a healing moment, each character may heal one instance of damage or one wound.",
    "Healing",
)
MUST_HEAL = Refusal(ONE_EACH, "must-heal", "At this table, {hurt} must heal something.")
NOT_HEALABLE = Refusal(ONE_EACH, "not-healable", "{char} cannot heal {heal}. Choose “damage”, “wound” or “none”.")
NOTHING_TO_HEAL = Refusal(ONE_EACH, "nothing-to-heal", "{char} has no {heal}[ on {trait}] to heal.")
HEALED_TODAY = Refusal(
    DAILY,
    "already-healed-today",
    "[{char} has already healed on day {day}.][Day {day} is too early. The last healing moment was on day {last}.]",
)


@fact("impact-healed", says="{char} heals on day {day}.", headline=9)
class ImpactHealed:
    """Subject: the character. The character healed from this impact."""

    impact: ImpactId
    char: CharacterId
    day: int


@changes
@once_created
def heal_impact(state: Character, fact: ImpactHealed) -> Character | None:
    if fact.impact not in state.impacts:
        return None
    return changed(state, impacts=drop_key(state.impacts, fact.impact), healed_on=fact.day)


def can_heal(draft: Draft, char: str, day: int | None) -> bool:
    return is_hurt(draft.read_character(char)) and not draft.is_gone(char) and not _has_healed_today(draft, char, day)


def _has_healed_today(draft: Draft, char: str, day: int | None) -> bool:
    """Return whether the character healed on that day, if each heals once a day. `day`: None means a later day."""
    last_day, scope = draft.read_character(char).healed_on, draft.dials.healing_once_a_day_scope
    return scope == "character" and last_day is not None and day is not None and last_day >= day


def may_heal(draft: Draft, char: str, heal: str, trait: str | None, day: int | None) -> Refused | None:
    """Refuse any choice except one instance of damage, named by its trait, or one wound. Refuse the choice `none` as
    well, unless the table allows it.
    """
    char_state = draft.read_character(char)
    if heal not in ("damage", "wound", "none"):
        return NOT_HEALABLE(char=char, heal=heal)
    if trait is not None and heal != "damage":
        return NO_TRAIT_HERE.under(ONE_EACH, char=char, heal=heal)
    if heal == "none":
        must_heal = not draft.dials.healing_optional and can_heal(draft, char, day)
        return MUST_HEAL(hurt=[char]) if must_heal else None
    if draft.is_gone(char):
        return SUBJECT_GONE.under(ONE_EACH, char=char)
    if heal == "damage" and trait not in [own_trait.name for own_trait in char_state.traits]:
        return UNKNOWN_TRAIT.under(ONE_EACH, char=char, trait=trait)
    if find_oldest_impact(char_state, heal, trait) is None:
        return NOTHING_TO_HEAL(char=char, heal=heal, trait=trait)
    return HEALED_TODAY(char=char, day=day) if _has_healed_today(draft, char, day) else None


def list_ways_to_heal(draft: Draft, char: str, day: int | None) -> Iterator[dict[str, Domain]]:
    """Yield the ways to heal that the character may choose: nothing, a wound, or damage to a trait."""
    for heal in ("none", "wound"):
        if may_heal(draft, char, heal, None, day) is None:
            yield {"heal": Among((heal,))}
    traits = tuple(trait.name for trait in draft.read_character(char).traits)
    if healable := tuple(trait for trait in traits if may_heal(draft, char, "damage", trait, day) is None):
        yield {"heal": Among(("damage",)), "trait": Among(healable)}


@dataclass(frozen=True, slots=True)
class Healed:
    """An active impact that heals now. `worth`: how many advantage points it gives each opponent who is in conflict
    with the character.
    """

    impact: str
    worth: int


def check_healing(draft: Draft, char: str, heal: str, trait: str | None, day: int) -> Healed | None:
    """Return the oldest impact of this kind, or None if nothing heals. Refuses the codes of `may_heal`."""
    require(may_heal(draft, char, heal, trait, day))
    impact_id = find_oldest_impact(draft.read_character(char), heal, trait) if heal != "none" else None
    return Healed(impact_id, 1 if heal == "damage" else 2) if impact_id is not None else None


# --- the healing moment ----------------------------------------------------------------------------------------------

WHEN = rule(
    "intensity.heal.when",
    "Any player may ask for a healing moment when the story allows prolonged care or a night's rest. It is not"
    " possible while a round is open or, unless an option allows it, while a scene is open.",
    "Healing",
)
MOMENT = rule(
    "intensity.heal.moment",
    "All characters may heal in a healing moment. Each player says what their characters heal, and a game"
    " master answers for characters without a player. If a player does not answer, a game master may answer"
    " that nothing heals, with a reason that the player can read. All other players are still asked.",
    "Healing",
    outcome="id",
)
DAY = Refusal(DAILY, "day", "{day} is not a day. Enter a whole number.")
DAY_BACKWARDS = Refusal(DAILY, "day-backwards", "Day {day} is too early. The last healing moment was on day {last}.")
NOT_YOUR_CHARACTER = Refusal(
    MOMENT, "not-your-character", "{seat} does not play {char} and cannot say what {char} heals."
)
LABELS, WHAT = {"scope": "Once a day"}, {"none": "nothing", "wound": "a wound"}
ASK_HEAL = Question("heal", "{purpose}")


def say_moment_held(fact: HealingMomentHeld, names: Names) -> str:
    return quote(f"A healing moment takes place on day {fact.day}", fact.fiction)


@fact("healing-moment-held", says=say_moment_held)
class HealingMomentHeld:
    """Subject: the campaign. A healing moment took place."""

    day: int
    requested_by: Asker
    fiction: Story


@changes
def note_day(state: Campaign, fact: HealingMomentHeld) -> Campaign:
    return changed(state, healed_on=fact.day)


def say_moment_closed(fact: HealingMomentClosed, names: Names) -> str:
    char_names = word_people(names, fact.passed_over)
    return quote(f"A game master no longer waits for an answer about {char_names}", fact.reason)


@fact("healing-moment-closed", says=say_moment_closed, changes=None)
class HealingMomentClosed:
    """Subject: the campaign. A game master stopped waiting for a player. `passed_over`: the player's characters, who
    heal nothing.
    """

    day: int
    reason: Reason
    passed_over: tuple[CharacterId, ...]


@fact("healing-declined", says="{char} heals nothing.")
class HealingDeclined:
    """Subject: the character. The character was hurt, but healed nothing."""

    char: CharacterId


def say_passed_over(fact: HealingPassedOver, names: Names) -> str:
    char_name = word_name(names, fact.char)
    return quote(
        f"{char_name} heals nothing on day {fact.day}, because a game master answered for the player", fact.reason
    )


@fact("healing-passed-over", says=say_passed_over)
class HealingPassedOver:
    """Subject: the character. A game master answered for the player that the character heals nothing."""

    char: CharacterId
    day: int
    reason: Reason


@changes
@once_created
def heal_nothing(state: Character, fact: HealingDeclined | HealingPassedOver) -> Character:
    return state


def say_heals(choice: Heal, names: Names) -> str:
    if choice.heal == "none":
        return "Nothing is healed."
    impact_words = IMPACTS.get(choice.heal, "an impact").capitalize()
    return f"{impact_words}{f' to {choice.trait}' if choice.trait else ''} heals."


@choice("heal", by="asked", says=say_heals)
class Heal:
    """Choose what your character heals: `damage`, a `wound` or `none`. `trait`: the damaged trait that heals.

    Only the player who is asked can do this.
    """

    heal: Annotated[SaidHealing, Says("What heals")] = "none"
    trait: TraitName | None = None


def say_waits_no_longer(choice: CloseMoment, names: Names) -> str:
    return quote("A game master no longer waits for the answer", choice.reason)


@choice("close-moment", by="gm", says=say_waits_no_longer)
class CloseMoment:
    """As a game master, stop waiting for the player who is asked. The player's other characters heal nothing, either.

    All other players are still asked. `reason`: the reason for not waiting, which the player can read.
    """

    reason: Reason


@dataclass(frozen=True, slots=True)
class HealingChoice:
    """A character's healing choice: `damage` (with its trait), `wound` or `none`."""

    char: Char
    heal: Annotated[SaidHealing, Says("What heals")]
    trait: OwnTrait | None = None


def say_healing_moment(do: HealingMoment, names: Names) -> str:
    pair_sentences = [opponents.say_in_conflict(pair, names) for pair in do.pairs]
    return join_sentences([quote(f"A healing moment begins on day {do.day}", do.fiction), *pair_sentences])


@declares(
    "healing-moment",
    ANYONE,
    says=say_healing_moment,
    records=(
        AdvantageGained,
        TaxEnded,
        *opponents.COUNTED,
        HealingMomentHeld,
        HealingMomentClosed,
        ImpactHealed,
        HealingDeclined,
        HealingPassedOver,
    ),
)
class HealingMoment:
    """Ask for a healing moment: every character may heal one instance of damage or one wound.

    `fiction`: the care or the night's rest by which the characters heal. `choices`: what your own characters heal; a
    game master can choose for anybody. The players of all other hurt characters are asked. `requested_by`: the seat
    that asks for the moment, if it is not yours. `pairs`: for a game master only, other characters who were in conflict
    since the last healing moment.
    """

    day: Day
    fiction: Annotated[Story, Says("What makes healing possible")]
    choices: Annotated[tuple[HealingChoice, ...], Says("Who heals what")] = ()
    requested_by: Annotated[Asker, Says("Who asks for the healing moment")] = ""
    pairs: opponents.OtherPairs = ()


@dataclass(slots=True)
class Moment:
    """A healing moment while players are asked. `answers`: the answers so far, by character: the impact that heals, or
    None for nothing. `closed`: the times when a game master stopped waiting for a player.
    """

    day: int
    answers: dict[str, Healed | None] = field(default_factory=dict)
    closed: list[HealingMomentClosed] = field(default_factory=list)

    @property
    def healing(self) -> dict[str, Healed]:
        return {char: healed for char, healed in self.answers.items() if healed is not None}

    @property
    def passed_over(self) -> dict[str, str]:
        """Return the game masters' reasons, by the character for whom they did not wait."""
        return {char: closed.reason for closed in self.closed for char in closed.passed_over}


@decides
def hold_healing_moment(draft: Draft, do: HealingMoment) -> Asking[None]:
    """Let each hurt character heal one instance of damage or one wound. Unharmed main characters gain advantage points
    against opponents who heal.
    """
    day = _check_names_and_texts(draft, do)
    require(may_heal_now(draft))
    require(may_heal_on(draft, day))
    moment = Moment(day)
    for own_choice in do.choices:
        _check_own_character(draft, own_choice.char)
        moment.answers[own_choice.char] = check_healing(draft, own_choice.char, own_choice.heal, own_choice.trait, day)
    links = opponents.list_links_with(draft, do.pairs)
    char_ids = draft.list_character_ids()
    hurt_chars = [char for char in char_ids if is_hurt(draft.read_character(char)) and not draft.is_gone(char)]
    yield from _ask_everybody(draft, moment, links)
    reasons_by_char = moment.passed_over
    last_day = draft.read_campaign().healed_on
    for added_pair in do.pairs:
        opponents.note_pair(draft, added_pair)
    draft.campaign_wide(HealingMomentHeld(day, do.requested_by or draft.table.by.seat, do.fiction))
    draft.by(WHEN, do.fiction, in_open_scene=bool(draft.table.subjects("scene")))
    draft.by(DAILY, day, last=last_day, scope=draft.dials.healing_once_a_day_scope)
    draft.by(MOMENT, list(moment.answers), passed_over=list(reasons_by_char))
    opponents.record_conflicts(draft, links)
    for closing in moment.closed:
        draft.campaign_wide(closing)
    healed_by_char = moment.healing
    for char, healed in healed_by_char.items():
        draft.about(
            char, ImpactHealed(healed.impact, char, day), draft.make_posting_from(name_impacts_account(char), 1)
        )
        draft.by(ONE_EACH, healed.impact, char=char)
    for char in hurt_chars:
        if char in reasons_by_char:
            draft.about(char, HealingPassedOver(char, day, reasons_by_char[char]))
        elif char not in healed_by_char:
            draft.about(char, HealingDeclined(char))
    opponents.award_points(draft, {char: healed.worth for char, healed in healed_by_char.items()}, links)
    draft.campaign_wide(opponents.ConflictLinksCleared())
    if draft.dials.healing_counts_as_rest:
        end_taxes(draft, list_still_in_play(draft), HEALING_IS_REST)


def _check_names_and_texts(draft: Draft, do: HealingMoment) -> int:
    """Check the names and texts, and return the day. Refuses `day`, `unknown-character`, `duplicate`, `text-blank`."""
    if type(do.day) is not int:
        raise DAY(day=repr(do.day))
    for own_choice in do.choices:
        draft.check_character(own_choice.char)
    asker = do.requested_by
    if asker and not draft.table.has(seat(asker)) and not draft.table.has(character(asker)):
        raise Refused(WHEN, "unknown-character", requested_by=asker)
    check_once([own_choice.char for own_choice in do.choices], ONE_EACH)
    check_text(WHEN, "fiction", do.fiction)
    return do.day


def may_heal_now(draft: Draft) -> Refused | None:
    """Refuse a healing moment during a round, and in an open scene unless the table allows it."""
    scenes = draft.table.subjects("scene")
    if any(draft.table.get(scene, Scene).round is not None for scene in scenes):
        return ROUND_OPEN.under(WHEN)
    return SCENE_OPEN.under(WHEN) if scenes and not draft.dials.healing_in_open_scene else None


def may_heal_on(draft: Draft, day: int) -> Refused | None:
    """Refuse a day before the last healing moment and, if the campaign heals once a day, the day of that moment."""
    last_day = draft.read_campaign().healed_on
    if last_day is None:
        return None
    if draft.dials.healing_once_a_day_scope == "campaign":
        return HEALED_TODAY(day=day, last=last_day) if day <= last_day else None
    return DAY_BACKWARDS(day=day, last=last_day) if day < last_day else None


def _check_own_character(draft: Draft, char: str) -> None:
    """Refuse a choice for another player's character (`not-your-character`), except from a game master."""
    if draft.table.by.role != "gm" and char not in draft.table.by.characters:
        raise NOT_YOUR_CHARACTER(char=char, seat=draft.table.by.seat)


def _ask_everybody(draft: Draft, moment: Moment, links: opponents.Links) -> Asking[None]:
    """Ask all players at the same time about their characters who could heal and were not in `choices`."""
    chars_by_seat: dict[str, list[str]] = {}
    for seat_id, char in _list_yet_to_answer(draft, moment):
        chars_by_seat.setdefault(seat_id, []).append(char)
    yield from ask_all(_ask_player(draft, moment, links, seat_id, chars) for seat_id, chars in chars_by_seat.items())


def _ask_player(draft: Draft, moment: Moment, links: opponents.Links, seat_id: str, chars: list[str]) -> Asking[None]:
    """Ask a player about each character of the player's. If a game master stops waiting for the player, the characters
    not yet asked about heal nothing.
    """
    for char in chars:
        char_name = draft.table.name(character(char))
        purpose = f"What does {char_name} heal?{opponents.say_opponents(draft, char, links)}"
        shapes = (Shape(Heal, fields) for fields in list_ways_to_heal(draft, char, moment.day))
        answer = yield from ask(seat_id, Heal, CloseMoment, slot=ASK_HEAL(char), purpose=purpose, within=shapes)
        if isinstance(answer, CloseMoment):
            if not answer.reason.strip():
                raise TEXT_BLANK.unfit(MOMENT, field="reason")
            passed_over = tuple(other for other in chars if other not in moment.answers)
            moment.closed.append(HealingMomentClosed(moment.day, answer.reason, passed_over))
            draft.by(MOMENT, "none", asked=seat_id, passed_over=list(passed_over), spoken_for=answer.reason)
            return
        try:
            moment.answers[char] = check_healing(draft, char, answer.heal, answer.trait, moment.day)
        except Refused as refusal:
            raise Unfit(refusal.rule, refusal.code, **refusal.context) from None
        draft.by(MOMENT, answer.heal, char=char, asked=seat_id, trait=answer.trait)


def _list_yet_to_answer(draft: Draft, moment: Moment) -> list[tuple[str, str]]:
    """Return (seat that is asked, character) for each character whose player has not answered."""
    able_chars = (char for char in draft.list_character_ids() if can_heal(draft, char, moment.day))
    return draft.pair_with_asked_seats(char for char in able_chars if char not in moment.answers)


# --- offers ----------------------------------------------------------------------------------------------------------


@offers
def offer_moment(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer a healing moment on any later day and, if each character heals once a day, on the last day again."""
    if may_heal_now(draft) is not None:
        return
    last_day = draft.read_campaign().healed_on
    next_day = None if last_day is None else last_day + 1
    yield _make_moment_move(seen, draft, Between(next_day), next_day)
    if last_day is not None and may_heal_on(draft, last_day) is None:
        yield _make_moment_move(seen, draft, Among((last_day,)), last_day)


def _list_choices(draft: Draft, char: str, day: int | None) -> Iterator[Shape]:
    """Yield the healing choices of a character, each with a title for people. A character who is not hurt has no
    choice.
    """
    char_name, char_field = draft.name(character(char)), {"char": Among((char,))}
    for fields in list_ways_to_heal(draft, char, day) if is_hurt(draft.read_character(char)) else ():
        match fields:
            case {"heal": heal, "trait": Among(traits)}:
                for trait in traits:
                    title = f"{char_name}: the damage to {trait} heals"
                    yield Shape(HealingChoice, {**char_field, "heal": heal, "trait": Among((trait,))}, title)
            case {"heal": Among((heal,))}:
                yield Shape(HealingChoice, {**char_field, **fields}, f"{char_name}: {WHAT[str(heal)]} heals")


def _make_moment_move(seen: Seen, draft: Draft, day_domain: Domain, day: int | None) -> Move:
    present = draft.present
    spoken_for = [char for char in present if seen.seat.role == "gm" or char in seen.seat.characters]
    shapes = tuple(choice for char in spoken_for for choice in _list_choices(draft, char, day))
    askers = [*draft.table.subjects("seat"), *map(character, present)]
    asker_domain = Among(("", *(subject.id for subject in askers)), ("You", *map(draft.table.name, askers)))
    fields: dict[str, Domain] = {"day": day_domain, "requested_by": asker_domain}
    pair_fields = opponents.list_pair_fields(draft) if seen.seat.role == "gm" else ()
    if pairs := tuple(Shape(opponents.InConflict, pair) for pair in pair_fields):
        fields["pairs"] = Some(Either(pairs), repeats=True)
    return Move(HealingMoment, {**fields, "choices": Some(Either(shapes), key="char")} if shapes else fields)
