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
from ledger.rules.moc.cards import LaidCard, list_floating_dice, make_cards_domain, make_typed_dice
from ledger.rules.moc.dice import (
    BONUS_DIE_MISSING,
    UNEARNED_BONUS_DIE,
    WRONG_DICE_COUNT,
    check_faces,
    say_dice_shown,
    say_place,
    show_dice,
)
from ledger.rules.moc.draft import Draft, acts
from ledger.rules.moc.shown import Fields, Offering, fix, look
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
    pain = say_count(fact.conversions, "point can become pain", "points can become pain")
    removed = f", and {say_count(fact.removals, 'is', 'are')} removed" if fact.removals else ""
    return f"The damage is resisted ({say_dice_shown(fact.faces, fact.bonus)}): {pain}{removed}."


@fact("damage-resisted", says=say_resisted)
class DamageResisted:
    """The character who was hit resisted damage. `conversions`, `removals`: how many points become pain or are removed,
    including those from cards and beads. `faces`, `bonus`: the dice as rolled. `ignored`: the dice that removed a
    point. `pain`: pain that the hit causes directly. If a play is trumped, a new fact follows.
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
    own = Resisting(fact.tn, fact.faces, fact.bonus, fact.ignored, fact.pain)
    dice = changed(state.damage.get(fact.hit, Damage()), resisting=own)
    return piles._counting(
        state, {**state.hits, fact.hit: changed(hit, stage="applied")}, {**state.damage, fact.hit: dice}
    )


@fact("harm-undone", says="The harm that the hit did to {subject} is undone and worked out again.")
class HarmUndone:
    """What the last hit did is undone because the resisting dice changed. A new `harm-applied` follows."""

    hit: HitId


@changes
def undo_harm(state: Character, fact: HarmUndone) -> Character | None:
    before = state.harm
    if before is None or before.hit != fact.hit:
        return None
    return changed(
        state,
        damage=before.damage,
        pain=before.pain,
        pain_turn=before.pain_turn,
        status=before.status,
        dazed=before.dazed,
        recovering=before.recovering,
        healing_days=before.healing_days,
        harm=None,
    )


def say_ignored(fact: Ignore, names: Names) -> str:
    """Return which resisting dice remove a point."""
    if not fact.dice:
        return "Every 10 adds a bonus die."
    these = listed(say_place(die) for die in fact.dice)
    return f"The {these} {'die removes' if len(fact.dice) == 1 else 'dice remove'} a point."


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
    id = hit.target
    pain = read_whole(do.pain, NEGATIVE_HARM, RESIST)
    fatigue = read_whole(do.fatigue, NEGATIVE_HARM, RESIST)
    count = max(0, draft.cite_value(id, "body") + draft.cite_own_dice(id, "resisting")) + own_dice.lay_floating(
        draft, id, do.floating
    )
    if do.token is not None:
        count += pools.pay_token(draft, id, "T", pools.find_token_pool("T", do.token))
    tn = max(draft.dials.tn_floor, STANDARD_TN + hit.severity + draft.cite_own_shift(id, "resisting"))
    typed = _read_typed(count, do) if do.faces is not None else None
    size = len(typed[0]) + len(typed[1]) if typed is not None else count
    cards_on_dice.lay_cards(draft, do.cards, cards_on_dice.Pool("resisting", id, (size,), hit.element, hit.id))
    faces, bonus, ignored = typed if typed is not None else (yield from _ask_dice(draft, id, count))
    if do.ask_cards and typed is None:
        fallen = cards_on_dice.Pool("resisting", id, (len(faces) + len(bonus),), hit.element, hit.id)
        yield from cards_on_dice.ask_cards_after(draft, fallen)
    _tell_resisted(draft, hit.id, Resisting(tn, faces, bonus, tuple(sorted(ignored)), pain), fatigue)


def _tell_resisted(draft: Draft, id: str, own: Resisting, fatigue: int = 0) -> None:
    """Record the result of the resisting dice with the plays on them, and the harm of the hit."""
    hit, plays = draft.get_scene().hits[id], draft.get_scene().damage.get(id, Damage()).plays
    tens = draft.dials.ten_ignores == "all"
    conversions, removals = piles.count_resisted(own, plays, hit.resistible, tens_take_all=tens)
    draft.here(DamageResisted(id, own.tn, own.faces, own.bonus, conversions, removals, own.ignored, own.pain))
    draft.by(RESIST, conversions, tn=own.tn, dice=len(own.faces), removals=removals)
    damage.harm(draft, hit.target, id, (hit.resistible, hit.unresistible, conversions, removals, own.pain), fatigue, "")


def _read_typed(count: int, do: ResistDamage) -> tuple[tuple[int, ...], tuple[int, ...], set[int]]:
    """Return typed dice. Refuses `not-a-ten`, and dice that do not fit."""
    given = len(do.faces or ())
    both = check_faces((*(do.faces or ()), *do.bonus), 10)
    if given != count:
        raise WRONG_DICE_COUNT(expected=count, given=given)
    ignored: set[int] = set()
    for die in do.ignore:
        if type(die) is not int or not 0 <= die < len(both) or both[die] != 10:
            raise NOT_A_TEN(die=str(die))
        ignored.add(die)
    opening = [face == 10 and die not in ignored for die, face in enumerate(both)]
    owed = sum(opening[:count])
    for place in range(count, len(both)):
        if owed == 0:
            raise UNEARNED_BONUS_DIE(face=both[place])
        owed += opening[place] - 1
    if owed:
        raise BONUS_DIE_MISSING(missing=owed)
    return both[:count], both[count:], ignored


def _ask_dice(draft: Draft, id: str, count: int) -> Asking[tuple[tuple[int, ...], tuple[int, ...], set[int]]]:
    who, ignored = character(id), set[int]()
    if count == 0:
        return (), (), ignored
    faces = yield from roll(who, count, 10, slot="resist", purpose="resisting damage")
    bonus: tuple[int, ...] = ()
    new = range(count)
    while True:
        both = (*faces, *bonus)
        tens = {die for die in new if both[die] == 10}
        if not tens:
            return faces, bonus, ignored
        purpose = f"which 10s of {listed(map(str, both))} remove a point instead of adding a bonus die"
        these = tuple(sorted(tens))
        titles = tuple(f"Die {die + 1}: {both[die]}" for die in these)
        within = (Shape(Ignore, {"dice": Some(Among(these, titles))}),)
        answer = yield from ask(draft.table.owner(who), Ignore, slot=ASK_TENS(), purpose=purpose, within=within)
        if not set(answer.dice) <= tens:
            raise NOT_A_TEN.unfit(dice=list(answer.dice))
        ignored |= set(answer.dice)
        owed = len(tens - set(answer.dice))
        if not owed:
            return faces, bonus, ignored
        new = range(len(both), len(both) + owed)
        bonus += yield from roll(who, owed, 10, slot="resist:bonus", purpose="resisting damage: bonus dice")


def reconsider_harm(draft: Draft, id: str, earlier: tuple[Play, ...]) -> None:
    """Undo the harm of a hit and record it again, if its resisting dice have another result. `earlier`: the plays
    before.
    """
    hit, dice = draft.get_scene().hits[id], draft.get_scene().damage.get(id, Damage())
    own = dice.resisting
    if hit.stage != "applied" or own is None:
        return
    tens = draft.dials.ten_ignores == "all"
    now, then = (
        piles.count_resisted(own, plays, hit.resistible, tens_take_all=tens) for plays in (dice.plays, earlier)
    )
    if now == then:
        return
    before = draft.get_character(hit.target).harm
    lost = before.lost if before is not None else {}
    back = [holdings.move(holdings.TOKENS, holdings.token(hit.target, primary), n) for primary, n in lost.items()]
    draft.about(hit.target, HarmUndone(id), *back)
    draft.by(stacks.TRUMP_EFFECT, id, character=hit.target)
    _tell_resisted(draft, id, own)


@throws
def list_resisting_typed(do: ResistDamage, log: RecordedFacts) -> Iterator[Thrown]:
    hit = hits.find_scored_hit(log, do.hit)
    if do.faces is not None and hit is not None:
        yield Thrown(character(hit.target), 10, check_faces((*do.faces, *do.bonus), 10))


@reports
def report_resisting(fact: DamageResisted) -> Iterator[Roll]:
    resisted = format_count(fact.conversions + fact.removals, "point")
    dice = show_dice(fact.faces, fact.bonus)
    yield Roll(name="Resisting damage", dice=dice, target=fact.tn, effect=f"{resisted} resisted")


def list_resisting_moves(now: Offering, hit: Hit, mine: Fields) -> Iterator[Move]:
    """Yield ways to resist: with a token for Toughness, with cards before the roll, or with a question for cards
    after it.
    """
    of = hit.target
    count = max(0, now.draft.find_value(of, "body") + now.draft.cite_own_dice(of, "resisting"))
    tokens = (None, "body") if pools.may_spend_token(now.draft, of, "body") is None else (None,)
    fields: Fields = {**mine, "pain": Between(0), "fatigue": Between(0)}
    asking: Fields = {
        **fields,
        "token": Among(tokens),
        "ask_cards": Among((False, True)),
        "floating": list_floating_dice(now, of),
    }
    yield Move(ResistDamage, asking, RESIST, of)
    cards = make_cards_domain(now, of, hit.element, (count,))
    if cards is not None:
        yield Move(ResistDamage, {**asking, "cards": cards}, RESIST, of)
    yield Move(ResistDamage, {**fields, "faces": make_typed_dice(count)}, RESIST, of)


@offers
def offer_to_resist(seen: Seen, draft: Draft) -> Iterator[Move]:
    now = look(seen, draft)
    for hit in now.scene.hits.values() if now.scene is not None else ():
        if hit.stage == "rolled" and hit.target in now.alive:
            yield from list_resisting_moves(now, hit, {"hit": fix(hit.id)})
