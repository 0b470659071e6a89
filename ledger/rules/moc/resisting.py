"""Resisting damage (heading "Resisting Damage")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Annotated

from ledger.rules.kernel.kit import (
    Among,
    Asking,
    Between,
    Move,
    Names,
    Question,
    RecordedFacts,
    Refusal,
    Roll,
    Says,
    Seen,
    Shape,
    Some,
    Table,
    Thrown,
    ask,
    changed,
    changes,
    character,
    choice,
    decides,
    declares,
    either,
    fact,
    format_count,
    listed,
    offers,
    reports,
    roll,
    rule,
    throws,
)
from ledger.rules.moc import cards_on_dice, damage, hands, hits, holdings, own_dice, piles, pools, stacks, turns
from ledger.rules.moc.cards import LaidCard, make_cards_domain, make_floating_dice_domain, make_typed_dice_domain
from ledger.rules.moc.dice import (
    BONUS_DIE_MISSING,
    UNEARNED_BONUS_DIE,
    WRONG_DICE_COUNT,
    check_faces,
    say_dice_shown,
    say_ordinal,
    show_dice,
)
from ledger.rules.moc.draft import Draft, acts
from ledger.rules.moc.shown import Fields, Offering, fix, get_offering
from ledger.rules.moc.state import Character, Damage, Hit, Play, Resisting, Scene
from ledger.rules.moc.types import MOST, BonusFaces, DieNumber, Faces, FloatingCounts, HitId, Natural, PrimaryName
from ledger.rules.moc.words import NEGATIVE_HARM, STANDARD_TN, read_whole, say_count

RESIST = rule(
    "moc.combat.resist",
    "The character who was hit rolls Body dice. Each success turns a point of damage into pain. A 10 can "
    "remove a point altogether instead.",
    "Resisting Damage",
    step="{dice:die|dice} against TN {tn}: {out:success|successes}."
    " {removals:point of damage is|points of damage are} removed.",
)
NOT_A_TEN = Refusal(
    RESIST,
    "not-a-ten",
    "Only a 10 can remove a point of damage[: die {die} is not a 10][. Not all of these dice are 10s: {dice}].",
)


def say_resisted(fact: DamageResisted, names: Names) -> str:
    pain_words = say_count(fact.conversions, "point can become pain", "points can become pain")
    removed_words = f", and {say_count(fact.removals, 'is', 'are')} removed" if fact.removals else ""
    return f"The damage is resisted ({say_dice_shown(fact.faces, fact.bonus)}): {pain_words}{removed_words}."


@fact("damage-resisted", says=say_resisted)
class DamageResisted:
    """The character who was hit resisted damage. `conversions`, `removals`: how many points become pain or are removed,
    including those from cards and beads. `faces`, `bonus`: the dice as rolled. `ignored`: the dice that removed a
    point. `pain`: pain that the hit causes directly. If a play on the dice is trumped, a new fact is recorded.
    """

    hit: HitId
    tn: int
    faces: tuple[int, ...]
    bonus: tuple[int, ...]
    conversions: int
    removals: int
    ignored: tuple[int, ...] = ()
    pain: int = 0


@changes
def resist_hit(state: Scene, fact: DamageResisted) -> Scene | None:
    hit = state.hits.get(fact.hit)
    if hit is None:
        return None
    resisting = Resisting(fact.tn, fact.faces, fact.bonus, fact.ignored, fact.pain)
    hit_damage = changed(state.damage.get(fact.hit, Damage()), resisting=resisting)
    return piles._with_hits_and_damage(
        state, {**state.hits, fact.hit: changed(hit, stage="applied")}, {**state.damage, fact.hit: hit_damage}
    )


@fact("harm-undone", says="The harm that the hit did to {subject} is undone and worked out again.")
class HarmUndone:
    """The harm of the last hit was undone, because the resisting dice changed. A new `harm-applied` follows."""

    hit: HitId


@changes
def undo_harm(state: Character, fact: HarmUndone) -> Character | None:
    harm = state.harm
    if harm is None or harm.hit != fact.hit:
        return None
    return changed(
        state,
        damage=harm.damage,
        pain=harm.pain,
        pain_turn=harm.pain_turn,
        status=harm.status,
        dazed=harm.dazed,
        recovering=harm.recovering,
        healing_days=harm.healing_days,
        harm=None,
    )


def say_ignored(answer: Ignore, names: Names) -> str:
    """Put into words which resisting dice remove a point."""
    if not answer.dice:
        return "Every 10 adds a bonus die."
    ordinal_words = listed(say_ordinal(die) for die in answer.dice)
    return f"The {ordinal_words} {'die removes' if len(answer.dice) == 1 else 'dice remove'} a point."


@choice("ignore", says=say_ignored)
class Ignore:
    """Choose which natural 10s remove a point of damage. Each other 10 adds a bonus die."""

    dice: Annotated[
        tuple[Annotated[int, Between(0, MOST)], ...], Says("Dice", "The number of each die: `0` is the first.")
    ] = ()


ASK_TENS = Question("tens", "Choose {purpose}.")


def _find_victim(table: Table[object], do: ResistDamage) -> str | None:
    scene = pools.find_scene(table)
    hit = scene.hits.get(do.hit) if scene is not None else None
    return hit.target if hit is not None else None


VICTIM = either(_find_victim, "the player of the character hit")


@acts(_find_victim)
@declares(
    "resist-damage",
    VICTIM,
    says="The damage is resisted.",
    records=(
        own_dice.PeriodDiceUsed,
        pools.TokenSpent,
        pools.FatigueGained,
        hands.CardDiscarded,
        hands.VillainCardUsed,
        hands.CardShown,
        cards_on_dice.CardPlayedOnDice,
        DamageResisted,
        damage.HarmApplied,
        damage.TokensLost,
        damage.CharacterDowned,
        damage.CharacterDazed,
        turns.RecoveryPreEmpted,
    ),
)
class ResistDamage:
    """Resist the damage of a hit. `ignore`: the dice whose natural 10 removes a point of damage, by number (0 is the
    first).

    `token`: the Primary whose token adds Toughness. `pain`: how much more pain the hit causes, as the game master
    decides. `fatigue`: how much more fatigue the hit causes, as the game master decides. `cards`: cards played before
    the roll. `ask_cards`: whether players are asked for cards after the roll. `floating`: how many floating dice the
    character adds, the same as for damage.
    """

    hit: HitId
    faces: Faces | None = None
    bonus: BonusFaces = ()
    ignore: Annotated[
        tuple[DieNumber, ...],
        Says(
            "Dice that remove a point",
            "The numbers of the dice whose natural 10 removes a point of damage. `0` is the first die.",
        ),
    ] = ()
    token: Annotated[PrimaryName | None, Says("Token", "The Primary whose token adds Toughness.")] = None
    pain: Natural = 0
    fatigue: Natural = 0
    cards: tuple[LaidCard, ...] = ()
    ask_cards: bool = False
    floating: FloatingCounts = field(default_factory=dict)


@decides
def resist_damage(draft: Draft, do: ResistDamage) -> Asking[None]:
    """Roll to resist: successes turn points into pain, and a 10 can remove one."""
    hit = draft.get_hit(do.hit, "rolled")
    char_id = hit.target
    pain = read_whole(do.pain, NEGATIVE_HARM, RESIST)
    fatigue = read_whole(do.fatigue, NEGATIVE_HARM, RESIST)
    dice_count = max(
        0, draft.cite_active_value(char_id, "body") + draft.cite_own_dice(char_id, "resisting")
    ) + own_dice.use_floating_dice(draft, char_id, do.floating)
    if do.token is not None:
        dice_count += pools.pay_token(draft, char_id, "T", pools.read_token_primary("T", do.token))
    tn = max(draft.dials.tn_floor, STANDARD_TN + hit.severity + draft.cite_own_shift(char_id, "resisting"))
    has_typed_dice = do.faces is not None or bool(do.bonus or do.ignore)
    typed_dice = _read_typed_dice(dice_count, do) if has_typed_dice else None
    fallen_count = len(typed_dice[0]) + len(typed_dice[1]) if typed_dice is not None else dice_count
    cards_on_dice.lay_cards(
        draft, do.cards, cards_on_dice.Pool("resisting", char_id, (fallen_count,), hit.element, hit.id)
    )
    faces, bonus, ignored_dice = (
        typed_dice if typed_dice is not None else (yield from _ask_dice(draft, char_id, dice_count))
    )
    if do.ask_cards and typed_dice is None:
        fallen_pool = cards_on_dice.Pool("resisting", char_id, (len(faces) + len(bonus),), hit.element, hit.id)
        yield from cards_on_dice.ask_cards_after(draft, fallen_pool)
    _tell_resisted(draft, hit.id, Resisting(tn, faces, bonus, tuple(sorted(ignored_dice)), pain), fatigue)


def _tell_resisted(draft: Draft, hit_id: str, resisting: Resisting, fatigue: int = 0) -> None:
    """Record the result of the resisting dice with the plays on them, and the harm of the hit."""
    hit, plays = draft.get_scene().hits[hit_id], draft.get_scene().damage.get(hit_id, Damage()).plays
    can_tens_take_all = draft.dials.ten_ignores == "all"
    conversions, removals = piles.count_resisted(resisting, plays, hit.resistible, can_tens_take_all=can_tens_take_all)
    draft.here(
        DamageResisted(
            hit_id,
            resisting.tn,
            resisting.faces,
            resisting.bonus,
            conversions,
            removals,
            resisting.ignored,
            resisting.pain,
        )
    )
    draft.by(RESIST, conversions, tn=resisting.tn, dice=len(resisting.faces), removals=removals)
    damage.harm(
        draft,
        hit.target,
        hit_id,
        (hit.resistible, hit.unresistible, conversions, removals, resisting.pain),
        fatigue,
        "",
    )


def _read_typed_dice(count: int, do: ResistDamage) -> tuple[tuple[int, ...], tuple[int, ...], set[int]]:
    """Return the typed dice, the bonus dice and the ignored dice. Refuses `not-a-ten`, and impossible dice."""
    given_count = len(do.faces or ())
    all_faces = check_faces((*(do.faces or ()), *do.bonus), 10)
    if given_count != count:
        raise WRONG_DICE_COUNT(expected=count, given=given_count)
    ignored_dice: set[int] = set()
    for die in do.ignore:
        if type(die) is not int or not 0 <= die < len(all_faces) or all_faces[die] != 10:
            raise NOT_A_TEN(die=str(die))
        ignored_dice.add(die)
    opening_flags = [face == 10 and die not in ignored_dice for die, face in enumerate(all_faces)]
    owed_count = sum(opening_flags[:count])
    for index in range(count, len(all_faces)):
        if owed_count == 0:
            raise UNEARNED_BONUS_DIE(face=all_faces[index])
        owed_count += opening_flags[index] - 1
    if owed_count:
        raise BONUS_DIE_MISSING(missing=owed_count)
    return all_faces[:count], all_faces[count:], ignored_dice


def _ask_dice(draft: Draft, char_id: str, count: int) -> Asking[tuple[tuple[int, ...], tuple[int, ...], set[int]]]:
    roller, ignored_dice = character(char_id), set[int]()
    if count == 0:
        return (), (), ignored_dice
    faces = yield from roll(roller, count, 10, slot="resist", purpose="resisting damage")
    bonus: tuple[int, ...] = ()
    new_indexes = range(count)
    while True:
        all_faces = (*faces, *bonus)
        ten_indexes = {die for die in new_indexes if all_faces[die] == 10}
        if not ten_indexes:
            return faces, bonus, ignored_dice
        purpose = _word_choice_of_tens(all_faces, len(ten_indexes), is_new=bool(bonus))
        choices = tuple(sorted(ten_indexes))
        titles = tuple(f"Die {die + 1}: {all_faces[die]}" for die in choices)
        shapes = (Shape(Ignore, {"dice": Some(Among(choices, titles))}),)
        answer = yield from ask(draft.table.owner(roller), Ignore, slot=ASK_TENS(), purpose=purpose, within=shapes)
        if not set(answer.dice) <= ten_indexes:
            raise NOT_A_TEN.unfit(dice=list(answer.dice))
        ignored_dice |= set(answer.dice)
        owed_count = len(ten_indexes - set(answer.dice))
        if not owed_count:
            return faces, bonus, ignored_dice
        new_indexes = range(len(all_faces), len(all_faces) + owed_count)
        bonus += yield from roll(roller, owed_count, 10, slot="resist:bonus", purpose="resisting damage: bonus dice")


def _word_choice_of_tens(faces: tuple[int, ...], count: int, *, is_new: bool) -> str:
    """Return the choice to make about the 10s, with all dice. `is_new`: whether another 10 added these dice."""
    if count > 1:
        return f"which 10s of {listed(map(str, faces))} remove a point instead of adding a bonus die"
    ten_words = "the new 10" if is_new else "the 10"
    return f"whether {ten_words} of {listed(map(str, faces))} removes a point or adds a bonus die"


def reconsider_harm(draft: Draft, hit_id: str, earlier_plays: tuple[Play, ...]) -> None:
    """Undo the harm of a hit and record it again, if its resisting dice now have a different result. `earlier_plays`:
    the plays before the change.
    """
    hit, hit_damage = draft.get_scene().hits[hit_id], draft.get_scene().damage.get(hit_id, Damage())
    resisting = hit_damage.resisting
    if hit.stage != "applied" or resisting is None:
        return
    can_tens_take_all = draft.dials.ten_ignores == "all"
    new_counts, old_counts = (
        piles.count_resisted(resisting, plays, hit.resistible, can_tens_take_all=can_tens_take_all)
        for plays in (hit_damage.plays, earlier_plays)
    )
    if new_counts == old_counts:
        return
    harm = draft.get_character(hit.target).harm
    lost_counts = harm.lost if harm is not None else {}
    postings = [
        holdings.make_posting(holdings.TOKENS, holdings.name_token_account(hit.target, primary), n)
        for primary, n in lost_counts.items()
    ]
    draft.about(hit.target, HarmUndone(hit_id), *postings)
    draft.by(stacks.TRUMP_EFFECT, hit_id, character=hit.target)
    _tell_resisted(draft, hit_id, resisting)


@throws
def list_resisting_typed(do: ResistDamage, log: RecordedFacts) -> Iterator[Thrown]:
    hit = hits.find_scored_hit(log, do.hit)
    if do.faces is not None and hit is not None:
        yield Thrown(character(hit.target), 10, check_faces((*do.faces, *do.bonus), 10))


@reports
def report_resisting(fact: DamageResisted) -> Iterator[Roll]:
    points_words = format_count(fact.conversions + fact.removals, "point")
    dice = show_dice(fact.faces, fact.bonus)
    yield Roll(name="Resisting damage", dice=dice, target=fact.tn, effect=f"{points_words} resisted", bound="at-least")


def list_resisting_moves(offering: Offering, hit: Hit, own_fields: Fields) -> Iterator[Move]:
    """Yield ways to resist: with a token for Toughness, with cards before the roll, or with a question about cards
    after it.
    """
    target_id = hit.target
    dice_count = max(
        0, offering.draft.find_active_value(target_id, "body") + offering.draft.cite_own_dice(target_id, "resisting")
    )
    token_primaries = (None, "body") if pools.may_spend_token(offering.draft, target_id, "body") is None else (None,)
    fields: Fields = {**own_fields, "pain": Between(0), "fatigue": Between(0)}
    asking_fields: Fields = {
        **fields,
        "token": Among(token_primaries),
        "ask_cards": Among((False, True)),
        "floating": make_floating_dice_domain(offering, target_id),
    }
    yield Move(ResistDamage, asking_fields, RESIST, target_id)
    cards_domain = make_cards_domain(offering, target_id, hit.element, (dice_count,))
    if cards_domain is not None:
        yield Move(ResistDamage, {**asking_fields, "cards": cards_domain}, RESIST, target_id)
    yield Move(ResistDamage, {**fields, "faces": make_typed_dice_domain(dice_count)}, RESIST, target_id)


@offers
def offer_to_resist(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    for hit in offering.scene.hits.values() if offering.scene is not None else ():
        if hit.stage == "rolled" and hit.target in offering.active_ids:
            yield from list_resisting_moves(offering, hit, {"hit": fix(hit.id)})
