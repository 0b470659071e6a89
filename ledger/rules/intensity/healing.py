"""Healing: the moment in which one damage or wound of each character heals. Everybody who could heal is asked at once.

A game master may answer for a player who does not. A choice that no longer fits is asked for again.
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
    impacts,
)
from ledger.rules.intensity.impact import is_hurt, oldest
from ledger.rules.intensity.scenes_and_rest import HEALING_IS_REST, TaxEnded, end_taxes, still_in_play
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
    name,
    people,
    quote,
    together,
    without,
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

# --- what heals ------------------------------------------------------------------------------------------------------

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
    return changed(state, impacts=without(state.impacts, fact.impact), healed_on=fact.day)


def could_heal(draft: Draft, char: str, day: int | None) -> bool:
    return is_hurt(draft.character(char)) and not draft.is_gone(char) and not _healed_today(draft, char, day)


def _healed_today(draft: Draft, char: str, day: int | None) -> bool:
    """Return whether the character healed on that day, if each heals once a day. `day`: None for a later day."""
    last = draft.character(char).healed_on
    is_limited = draft.dials.healing_once_a_day_scope == "character"
    return is_limited and last is not None and day is not None and last >= day


def may_heal(draft: Draft, char: str, heal: str, trait: str | None, day: int | None) -> Refused | None:
    """Refuse all but one damage, by its trait, or one wound; and nothing, unless the table allows that."""
    who = draft.character(char)
    if heal not in ("damage", "wound", "none"):
        return NOT_HEALABLE(char=char, heal=heal)
    if trait is not None and heal != "damage":
        return NO_TRAIT_HERE.under(ONE_EACH, char=char, heal=heal)
    if heal == "none":
        is_bound = not draft.dials.healing_optional and could_heal(draft, char, day)
        return MUST_HEAL(hurt=[char]) if is_bound else None
    if draft.is_gone(char):
        return SUBJECT_GONE.under(ONE_EACH, char=char)
    if heal == "damage" and trait not in [own.name for own in who.traits]:
        return UNKNOWN_TRAIT.under(ONE_EACH, char=char, trait=trait)
    if oldest(who, heal, trait) is None:
        return NOTHING_TO_HEAL(char=char, heal=heal, trait=trait)
    return HEALED_TODAY(char=char, day=day) if _healed_today(draft, char, day) else None


def ways_to_heal(draft: Draft, char: str, day: int | None) -> Iterator[dict[str, Domain]]:
    """Return nothing, a wound, or a damage by its trait, as far as the character may heal it."""
    for heal in ("none", "wound"):
        if may_heal(draft, char, heal, None, day) is None:
            yield {"heal": Among((heal,))}
    traits = tuple(trait.name for trait in draft.character(char).traits)
    if healable := tuple(trait for trait in traits if may_heal(draft, char, "damage", trait, day) is None):
        yield {"heal": Among(("damage",)), "trait": Among(healable)}


@dataclass(frozen=True, slots=True)
class Healed:
    """One active impact that heals now. `worth`: advantage points it gives each opponent."""

    impact: str
    worth: int


def healed_by(draft: Draft, char: str, heal: str, trait: str | None, day: int) -> Healed | None:
    """Return the oldest such impact; None to heal nothing, which anybody may choose."""
    require(may_heal(draft, char, heal, trait, day))
    impact = oldest(draft.character(char), heal, trait) if heal != "none" else None
    return Healed(impact, 1 if heal == "damage" else 2) if impact is not None else None


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


def say_held(fact: HealingMomentHeld, names: Names) -> str:
    return quote(f"A healing moment takes place on day {fact.day}", fact.fiction)


@fact("healing-moment-held", says=say_held)
class HealingMomentHeld:
    """Subject: the campaign. A healing moment took place."""

    day: int
    requested_by: Asker
    fiction: Story


@changes
def note_day(state: Campaign, fact: HealingMomentHeld) -> Campaign:
    return changed(state, healed_on=fact.day)


def say_closed(fact: HealingMomentClosed, names: Names) -> str:
    return quote(f"A game master no longer waits for an answer about {people(names, fact.passed_over)}", fact.reason)


@fact("healing-moment-closed", says=say_closed, changes=None)
class HealingMomentClosed:
    """Subject: the campaign. A game master stopped waiting for a player. `passed_over`: the player's characters."""

    day: int
    reason: Reason
    passed_over: tuple[CharacterId, ...]


@fact("healing-declined", says="{char} heals nothing.")
class HealingDeclined:
    """Subject: the character. The character was hurt, but healed nothing."""

    char: CharacterId


def say_passed_over(fact: HealingPassedOver, names: Names) -> str:
    who = name(names, fact.char)
    return quote(f"{who} heals nothing on day {fact.day}, because a game master answered for the player", fact.reason)


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
    what = IMPACTS.get(choice.heal, "an impact").capitalize()
    return f"{what}{f' to {choice.trait}' if choice.trait else ''} heals."


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
    """A game master stops waiting for the player who is asked. The player's other characters heal nothing, either.

    All other players are still asked. `reason`: the reason for not waiting, which the player can read.
    """

    reason: Reason


@dataclass(frozen=True, slots=True)
class HealingChoice:
    """What one character heals: `damage` (with its trait), `wound` or `none`."""

    char: Char
    heal: Annotated[SaidHealing, Says("What heals")]
    trait: OwnTrait | None = None


def say_moment(do: HealingMoment, names: Names) -> str:
    noted = [opponents.say_in_conflict(pair, names) for pair in do.pairs]
    return together([quote(f"A healing moment begins on day {do.day}", do.fiction), *noted])


@declares(
    "healing-moment",
    ANYONE,
    says=say_moment,
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

    `fiction`: the care or the night's rest that makes it possible. `choices`: what your own characters heal; a game
    master can choose for anybody. The players of all others who are hurt are asked. `requested_by`: who asks for the
    moment, if not you. `pairs`: for a game master only, other characters who were in conflict since the last one.
    """

    day: Day
    fiction: Annotated[Story, Says("What makes healing possible")]
    choices: Annotated[tuple[HealingChoice, ...], Says("Who heals what")] = ()
    requested_by: Annotated[Asker, Says("Who asks for the healing moment")] = ""
    pairs: opponents.OtherPairs = ()


@dataclass(slots=True)
class Moment:
    """The answers so far, by character: what heals, or None for nothing. `closed`: where a game master answered."""

    day: int
    answers: dict[str, Healed | None] = field(default_factory=dict)
    closed: list[HealingMomentClosed] = field(default_factory=list)

    @property
    def healing(self) -> dict[str, Healed]:
        return {char: healed for char, healed in self.answers.items() if healed is not None}

    @property
    def passed_over(self) -> dict[str, str]:
        """Return the reasons, by character."""
        return {char: closed.reason for closed in self.closed for char in closed.passed_over}


@decides
def healing_moment(draft: Draft, do: HealingMoment) -> Asking[None]:
    """Let everybody heal one damage or wound; unharmed main characters gain against opponents who do."""
    day = _check_words(draft, do)
    require(may_heal_now(draft))
    require(may_heal_on(draft, day))
    moment = Moment(day)
    for own in do.choices:
        _check_own(draft, own.char)
        moment.answers[own.char] = healed_by(draft, own.char, own.heal, own.trait, day)
    links = opponents.links_with(draft, do.pairs)
    hurt = [char for char in draft.everybody() if is_hurt(draft.character(char)) and not draft.is_gone(char)]
    yield from _everybody_answers(draft, moment, links)
    passed_over = moment.passed_over
    last = draft.campaign().healed_on
    for added in do.pairs:
        opponents.note_pair(draft, added)
    draft.campaign_wide(HealingMomentHeld(day, do.requested_by or draft.table.by.seat, do.fiction))
    draft.by(WHEN, do.fiction, in_open_scene=bool(draft.table.subjects("scene")))
    draft.by(DAILY, day, last=last, scope=draft.dials.healing_once_a_day_scope)
    draft.by(MOMENT, list(moment.answers), passed_over=list(passed_over))
    opponents.count_conflicts(draft, links)
    for closed in moment.closed:
        draft.campaign_wide(closed)
    healing = moment.healing
    for char, healed in healing.items():
        draft.about(char, ImpactHealed(healed.impact, char, day), draft.taken(impacts(char), 1))
        draft.by(ONE_EACH, healed.impact, char=char)
    for char in hurt:
        if char in passed_over:
            draft.about(char, HealingPassedOver(char, day, passed_over[char]))
        elif char not in healing:
            draft.about(char, HealingDeclined(char))
    opponents.award(draft, {char: healed.worth for char, healed in healing.items()}, links)
    draft.campaign_wide(opponents.ConflictLinksCleared())
    if draft.dials.healing_counts_as_rest:
        end_taxes(draft, still_in_play(draft), HEALING_IS_REST)


def _check_words(draft: Draft, do: HealingMoment) -> int:
    """Check the day and the names. Refuses `day`, `unknown-character`, `duplicate`, `text-blank`."""
    if type(do.day) is not int:
        raise DAY(day=repr(do.day))
    for own in do.choices:
        draft.check_character(own.char)
    asker = do.requested_by
    if asker and not draft.table.has(seat(asker)) and not draft.table.has(character(asker)):
        raise Refused(WHEN, "unknown-character", requested_by=asker)
    check_once([own.char for own in do.choices], ONE_EACH)
    check_text(WHEN, "fiction", do.fiction)
    return do.day


def may_heal_now(draft: Draft) -> Refused | None:
    """Refuse during a round, and in an open scene unless the table allows it."""
    scenes = draft.table.subjects("scene")
    if any(draft.table.get(scene, Scene).round is not None for scene in scenes):
        return ROUND_OPEN.under(WHEN)
    return SCENE_OPEN.under(WHEN) if scenes and not draft.dials.healing_in_open_scene else None


def may_heal_on(draft: Draft, day: int) -> Refused | None:
    """Refuse a second time on a day of the campaign; or, for each character, a day before the last."""
    last = draft.campaign().healed_on
    if last is None:
        return None
    if draft.dials.healing_once_a_day_scope == "campaign":
        return HEALED_TODAY(day=day, last=last) if day <= last else None
    return DAY_BACKWARDS(day=day, last=last) if day < last else None


def _check_own(draft: Draft, char: str) -> None:
    """Refuse to say what another player's character heals, except by a game master (`not-your-character`)."""
    if draft.table.by.role != "gm" and char not in draft.table.by.characters:
        raise NOT_YOUR_CHARACTER(char=char, seat=draft.table.by.seat)


def _everybody_answers(draft: Draft, moment: Moment, links: opponents.Links) -> Asking[None]:
    """Ask all players at the same time about their characters that could heal and were not named."""
    waiting: dict[str, list[str]] = {}
    for asked, char in _yet_to_answer(draft, moment):
        waiting.setdefault(asked, []).append(char)
    yield from ask_all(_player_answers(draft, moment, links, asked, chars) for asked, chars in waiting.items())


def _player_answers(draft: Draft, moment: Moment, links: opponents.Links, asked: str, chars: list[str]) -> Asking[None]:
    """Ask a player about each character of the player's. Where a game master closes the moment, nothing heals."""
    for char in chars:
        who = draft.table.name(character(char))
        purpose = f"What does {who} heal?{opponents.say_opponents(draft, char, links)}"
        shapes = (Shape(Heal, fields) for fields in ways_to_heal(draft, char, moment.day))
        answer = yield from ask(asked, Heal, CloseMoment, slot=ASK_HEAL(char), purpose=purpose, within=shapes)
        if isinstance(answer, CloseMoment):
            if not answer.reason.strip():
                raise TEXT_BLANK.unfit(MOMENT, field="reason")
            left = tuple(other for other in chars if other not in moment.answers)
            moment.closed.append(HealingMomentClosed(moment.day, answer.reason, left))
            draft.by(MOMENT, "none", asked=asked, passed_over=list(left), spoken_for=answer.reason)
            return
        try:
            moment.answers[char] = healed_by(draft, char, answer.heal, answer.trait, moment.day)
        except Refused as no:
            raise Unfit(no.rule, no.code, **no.context) from None
        draft.by(MOMENT, answer.heal, char=char, asked=asked, trait=answer.trait)


def _yet_to_answer(draft: Draft, moment: Moment) -> list[tuple[str, str]]:
    """Return (seat that is asked, character) of those who have not answered."""
    able = (char for char in draft.everybody() if could_heal(draft, char, moment.day))
    return draft.in_seat_order(char for char in able if char not in moment.answers)


# --- what can be offered ---------------------------------------------------------------------------------------------


@offers
def offer_moment(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer it on any later day; and, where each character heals once a day, on the last one again."""
    if may_heal_now(draft) is not None:
        return
    last = draft.campaign().healed_on
    yield _moment(seen, draft, Between(None if last is None else last + 1), None if last is None else last + 1)
    if last is not None and may_heal_on(draft, last) is None:
        yield _moment(seen, draft, Among((last,)), last)


def _choices(draft: Draft, char: str, day: int | None) -> Iterator[Shape]:
    """Yield what a character can heal, each way with its name for people; nothing if there is nothing."""
    who, own = draft.name(character(char)), {"char": Among((char,))}
    for fields in ways_to_heal(draft, char, day) if is_hurt(draft.character(char)) else ():
        match fields:
            case {"heal": heal, "trait": Among(traits)}:
                for trait in traits:
                    title = f"{who}: the damage to {trait} heals"
                    yield Shape(HealingChoice, {**own, "heal": heal, "trait": Among((trait,))}, title)
            case {"heal": Among((heal,))}:
                yield Shape(HealingChoice, {**own, **fields}, f"{who}: {WHAT[str(heal)]} heals")


def _moment(seen: Seen, draft: Draft, days: Domain, day: int | None) -> Move:
    present = draft.present
    spoken_for = [char for char in present if seen.seat.role == "gm" or char in seen.seat.characters]
    choices = tuple(choice for char in spoken_for for choice in _choices(draft, char, day))
    askers = [*draft.table.subjects("seat"), *map(character, present)]
    asker = Among(("", *(who.id for who in askers)), ("You", *map(draft.table.name, askers)))
    fields: dict[str, Domain] = {"day": days, "requested_by": asker}
    pairs = [Shape(opponents.InConflict, pair) for pair in opponents.pairs_of(draft)] if seen.seat.role == "gm" else []
    if pairs:
        fields["pairs"] = Some(Either(tuple(pairs)), repeats=True)
    return Move(HealingMoment, {**fields, "choices": Some(Either(choices), key="char")} if choices else fields)
