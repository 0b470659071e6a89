"""Damage: its dice, and what it does to a body (heading "Damage")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Annotated

from ledger.rules.kernel.kit import (
    GM,
    Among,
    Asking,
    Between,
    CharacterId,
    Domain,
    Move,
    Names,
    Reason,
    RecordedFacts,
    Refused,
    Roll,
    Says,
    Seen,
    Thrown,
    changed,
    changes,
    changing,
    character,
    decides,
    declares,
    fact,
    format_count,
    guards,
    listed,
    offers,
    reports,
    require,
    rule,
    throws,
)
from ledger.rules.moc import cards_on_dice, hands, hits, holdings, own_dice, piles, pools, turns
from ledger.rules.moc.cards import NO_DICE, LaidCard, list_floating_dice, make_cards_domain, make_typed_dice
from ledger.rules.moc.dice import check_pool, say_dice_shown, show_dice
from ledger.rules.moc.draft import DAZED, Draft, nobody_acts
from ledger.rules.moc.shown import Fields, Offering, fix, look
from ledger.rules.moc.state import Character, Damage, Harm, Hit, Scene, find_daze_limit, find_pain_capacity
from ledger.rules.moc.types import BonusFaces, Faces, FloatingCounts, HitId, HowMany, Natural, PrimaryName
from ledger.rules.moc.words import (
    MOST_DAMAGE,
    NEGATIVE_HARM,
    NOTHING_DECLARED,
    PRIMARIES,
    read_whole,
    say_count,
    say_who,
    say_whom,
    say_with,
)

DAMAGE_ROLL = rule(
    "moc.combat.damage-roll",
    "The threshold is the weapon's lethality minus the severity of the hit location. Each damage die that "
    "reaches it scores one point. Points scored by dice that were added by raises cannot be resisted.",
    "Damage",
    step="{out:point|points} from dice that show {threshold} or more. {unresistible} of them cannot be resisted.",
)


def make_damage_pool(draft: Draft, hit: Hit, sizes: tuple[int, int] | None = None) -> cards_on_dice.Pool:
    """Return the dice of a hit: part 0 for damage dice, part 1 for raise dice. `sizes`: for dice that are typed now."""
    rolled = draft.get_scene().damage.get(hit.id, Damage())
    if sizes is None:
        sizes = (hit.dice, hit.raises)
        if hit.stage != "scored":
            sizes = len(rolled.faces) + len(rolled.bonus), len(rolled.raise_faces) + len(rolled.raise_bonus)
    return cards_on_dice.Pool("damage", hit.attacker, sizes, hit.element, hit.id)


def say_damage(fact: DamageRolled, names: Names) -> str:
    raises = f"; raise dice {say_dice_shown(fact.raise_faces, fact.raise_bonus)}" if fact.raise_faces else ""
    beyond = f", {fact.unresistible} of which cannot be resisted" if fact.unresistible else ""
    total = say_count(fact.resistible + fact.unresistible, "point", "points")
    dice = f"{say_dice_shown(fact.faces, fact.bonus)}{raises}"
    return f"Damage is rolled: {dice}. Dice of {fact.threshold} or more score {total}{beyond}."


@fact("damage-rolled", says=say_damage, headline=13)
class DamageRolled:
    """Damage was rolled. `resistible`, `unresistible`: points of damage, including those from cards
    played before the roll.
    """

    hit: HitId
    threshold: int
    faces: tuple[int, ...]
    bonus: tuple[int, ...]
    raise_faces: tuple[int, ...]
    raise_bonus: tuple[int, ...]
    resistible: int
    unresistible: int


@changes
def roll_hit_damage(state: Scene, fact: DamageRolled) -> Scene | None:
    hit = state.hits.get(fact.hit)
    if hit is None:
        return None
    plays = state.damage[fact.hit].plays if fact.hit in state.damage else ()
    dice = Damage(fact.threshold, fact.faces, fact.bonus, fact.raise_faces, fact.raise_bonus, plays)
    return piles._count_hit(state, hit, fact.hit, dice, "rolled")


@nobody_acts
@declares(
    "roll-damage",
    hits.ATTACKER,
    says="Damage is rolled.",
    records=(
        own_dice.PeriodDiceUsed,
        hands.CardDiscarded,
        hands.VillainCardUsed,
        hands.CardShown,
        cards_on_dice.CardPlayedOnDice,
        DamageRolled,
    ),
)
class RollDamage:
    """Roll damage. `faces`: the damage dice. `raise_faces`: one die for each raise. `bonus`, `raise_bonus`: bonus d10s.

    `cards`: cards played before the roll. If you enter the dice, cards can also add points to the bonus dice.
    `floating`: how many floating dice the attacker adds, by Advantage and period, such as `floating-dice:scene`.
    """

    hit: HitId
    faces: Faces | None = None
    bonus: BonusFaces = ()
    raise_faces: Annotated[Faces, Says("Raise dice", "One die for each raise.")] = ()
    raise_bonus: Annotated[BonusFaces, Says("Bonus dice from raise dice")] = ()
    cards: tuple[LaidCard, ...] = ()
    floating: FloatingCounts = field(default_factory=dict)


@guards
def may_roll_damage(draft: Draft, hit: Hit) -> Refused | None:
    """Refuse damage before the hit has a location."""
    return None if hit.location else NOTHING_DECLARED.under(hits.LOCATION, hit=hit.id)


@decides
def roll_damage(draft: Draft, do: RollDamage) -> Asking[None]:
    """Roll damage: each die at or above the threshold is a point. Points of raise dice cannot be resisted."""
    hit = draft.get_hit(do.hit, "scored")
    require(may_roll_damage(draft, hit))
    threshold = max(draft.dials.tn_floor, hit.lethality - hit.severity)
    typed: tuple[int, int] | None = None
    dice = hit.dice + own_dice.lay_floating(draft, hit.attacker, do.floating)
    if do.faces is not None:
        base, bonus = check_pool(dice, do.faces, do.bonus, hit.sides)
        extra, extra_bonus = check_pool(hit.raises, do.raise_faces, do.raise_bonus, hit.sides)
        typed = len(base) + len(bonus), len(extra) + len(extra_bonus)
    cards_on_dice.lay_cards(draft, do.cards, make_damage_pool(draft, hit, typed or (dice, hit.raises)))
    if typed is None:
        base, bonus = yield from draft.ask_pool(hit.attacker, dice, None, (), "damage", sides=hit.sides)
        extra, extra_bonus = yield from draft.ask_pool(hit.attacker, hit.raises, None, (), "raises", sides=hit.sides)
    plays = draft.get_scene().damage.get(hit.id, Damage()).plays
    resistible, unresistible = piles.count_damage(Damage(threshold, base, bonus, extra, extra_bonus, plays))
    unresistible += hit.flat
    fact = DamageRolled(hit.id, threshold, base, bonus, extra, extra_bonus, resistible, unresistible)
    draft.here(fact)
    draft.by(DAMAGE_ROLL, resistible + unresistible, threshold=threshold, unresistible=unresistible)


@throws
def list_damage_typed(do: RollDamage, log: RecordedFacts) -> Iterator[Thrown]:
    hit = hits.find_scored_hit(log, do.hit) if do.faces is not None else None
    for about in log.facts if hit is not None else ():
        if isinstance(fell := about.fact, DamageRolled) and hit is not None:
            dice = (*fell.faces, *fell.bonus, *fell.raise_faces, *fell.raise_bonus)
            yield Thrown(character(hit.attacker), hit.sides, dice)


@reports
def report_damage(fact: DamageRolled) -> Iterator[Roll]:
    """Report the dice that score. Whether they are d6 or d10 is known only of dice that no d6 could show."""
    opened = fact.bonus or fact.raise_bonus
    sides = 10 if opened or any(face > 6 for face in (*fact.faces, *fact.raise_faces)) else None
    shown = (
        *show_dice(fact.faces, fact.bonus),
        *show_dice(fact.raise_faces, fact.raise_bonus, "Raise"),
    )
    dice = tuple(changed(die, sides=sides, counts=die.face >= fact.threshold) for die in shown)
    points = format_count(fact.resistible + fact.unresistible, "point")
    yield Roll(name="Damage", dice=dice, target=fact.threshold, effect=f"{points} of damage")


def list_damage_moves(now: Offering, hit: Hit, mine: Fields) -> Iterator[Move]:
    of = hit.attacker
    dice = list_floating_dice(now, of) if of in now.alive else NO_DICE
    yield Move(RollDamage, {**mine, "floating": dice}, DAMAGE_ROLL, of)
    cards = make_cards_domain(now, of, hit.element, (hit.dice, hit.raises)) if of in now.alive else None
    if cards is not None:
        yield Move(RollDamage, {**mine, "floating": dice, "cards": cards}, DAMAGE_ROLL, of)
    typed: Fields = {
        "faces": make_typed_dice(hit.dice, hit.sides),
        "raise_faces": make_typed_dice(hit.raises, hit.sides),
    }
    yield Move(RollDamage, {**mine, **typed}, DAMAGE_ROLL, of)


@offers
def offer_damage(seen: Seen, draft: Draft) -> Iterator[Move]:
    now = look(seen, draft)
    for hit in now.scene.hits.values() if now.scene is not None else ():
        if hit.stage == "scored" and may_roll_damage(draft, hit) is None and now.knows(hit.attacker):
            yield from list_damage_moves(now, hit, {"hit": fix(hit.id)})


HARM = rule(
    "moc.combat.apply",
    "Points of a damage roll that were resisted become pain. The others count as damage. Neither pain nor damage"
    " can exceed the character's limits. At 6 damage, the character goes down.",
    "Damage",
    step="{out} damage and {pain} pain. {removed:point of damage is|points of damage are} removed.",
)
LIMITS = rule(
    "moc.char.derived",
    "A character can take at most 6 damage. The most pain that a character can take is twice Body, plus "
    "Toughness, plus Luck. A character who takes more pain in one hit than Body plus Toughness is dazed.",
    "Damage",
)


def say_harmed(fact: HarmApplied, names: Names) -> str:
    suffered = [f"{number} {what}" for number, what in ((fact.damage, "damage"), (fact.pain, "pain")) if number]
    removed = (
        f", and {say_count(fact.removed, 'point of damage is', 'points of damage are')} removed" if fact.removed else ""
    )
    return say_with(f"{say_whom(names)} takes {listed(suffered) if suffered else 'no harm'}{removed}", fact.reason)


@fact("harm-applied", says=say_harmed, headline=2)
class HarmApplied:
    """What one hit did. `damage`, `pain`: how much the character took. `removed`: how many points were removed. `hit`:
    empty if a game master decided the harm.
    """

    hit: HitId
    damage: int
    pain: int
    removed: int
    reason: Reason = ""


_with_harm = changing(Character, "damage", "pain", "pain_turn", "harm", "healing", "healing_days")


@changes
def suffer(state: Character, fact: HarmApplied) -> Character:
    """Return the character with the harm. Damage above six is lost."""
    damage = min(MOST_DAMAGE, state.damage + fact.damage) if fact.damage else state.damage
    used = state.healing_days
    before = Harm(
        fact.hit, state.damage, state.pain, state.pain_turn, state.status, state.dazed, state.recovering, used
    )
    pain, pain_turn = state.pain + fact.pain, state.pain_turn + fact.pain
    return _with_harm(state, damage, pain, pain_turn, before, None, 0 if fact.damage else used)


@fact("tokens-lost", says="{subject} loses {lost}.")
class TokensLost:
    """Tokens were lost. `lost`: how many of each Primary."""

    lost: Mapping[PrimaryName, int]


@changes
def note_tokens_lost(state: Character, fact: TokensLost) -> Character:
    return changed(state, harm=changed(state.harm, lost=fact.lost)) if state.harm is not None else state


@fact("character-dazed", says="{subject} is dazed.")
class CharacterDazed:
    """A character is dazed."""


@changes
def daze(state: Character, fact: CharacterDazed) -> Character:
    return _with_daze(state, True)


_with_daze = changing(Character, "dazed")


@fact("character-downed", says="{subject} goes down.", headline=1)
class CharacterDowned:
    """A character went down."""


@changes
def go_down(state: Character, fact: CharacterDowned) -> Character:
    return changed(state, status="down")


def say_harming(fact: ApplyHarm, names: Names) -> str:
    """Return the harm in numbers."""
    parts = (
        (fact.resistible, "resistible damage"),
        (fact.unresistible, "unresistible damage"),
        (fact.pain, "pain"),
        (fact.fatigue, "fatigue"),
    )
    suffered = listed(f"{number} {what}" for number, what in parts if number)
    sentence = f"{say_who(names, fact.character)} is hurt{f' ({suffered})' if suffered != 'none' else ''}"
    return say_with(sentence, fact.reason)


@nobody_acts
@declares(
    "apply-harm",
    GM,
    says=say_harming,
    records=(pools.FatigueGained, HarmApplied, TokensLost, CharacterDowned, CharacterDazed, turns.RecoveryPreEmpted),
)
class ApplyHarm:
    """Apply harm in numbers, from a hit or from anything else that you rule causes harm.

    `resistible`: points of damage that can be resisted. `unresistible`: points of damage that cannot be resisted.
    `conversions`, `removals`: how many of the resistible points become pain, or are removed. `pain`: how much pain the
    harm causes as well. `fatigue`: how much fatigue the harm causes as well.
    """

    character: CharacterId
    resistible: Natural = 0
    unresistible: Natural = 0
    conversions: Annotated[HowMany, Says("Converted", "How many resistible points become pain.")] = 0
    removals: Annotated[HowMany, Says("Removed", "How many resistible points are removed.")] = 0
    pain: Natural = 0
    fatigue: Natural = 0
    reason: Reason = ""


@decides
def apply_harm(draft: Draft, do: ApplyHarm) -> None:
    """Apply one hit in numbers."""
    draft.get_character(do.character)
    given = (do.resistible, do.unresistible, do.conversions, do.removals, do.pain)
    points = tuple(read_whole(number, NEGATIVE_HARM, HARM) for number in given)
    fatigue = read_whole(do.fatigue, NEGATIVE_HARM, HARM)
    if not any((*points, fatigue)):
        raise NOTHING_DECLARED.under(HARM)
    harm(draft, do.character, "", points, fatigue, do.reason)


def harm(draft: Draft, id: str, hit: str, points: tuple[int, ...], fatigue: int, reason: str) -> None:
    """Record what a hit does. `points`: resistible, unresistible, conversions, removals, direct pain."""
    who = draft.get_character(id)
    resistible, unresistible, conversions, removals, direct = points
    free = max(0, find_pain_capacity(who.ratings) - who.pain)
    removed = min(removals, resistible)
    converted = min(conversions, resistible - removed, free)
    felt = min(direct, free - converted)
    damage = resistible - removed - converted + unresistible + direct - felt
    pain = converted + felt
    if any(points) or hit:
        draft.about(id, HarmApplied(hit, damage, pain, removed, reason))
        draft.by(HARM, damage, pain=pain, removed=removed)
    if damage or (pain and draft.dials.pain_strips_tokens):
        _strip_tokens(draft, id)
    if damage and draft.get_character(id).damage == MOST_DAMAGE and draft.get_character(id).status == "active":
        draft.about(id, CharacterDowned())
    shock = pain + (damage if draft.dials.daze_counts == "pain_plus_damage" else 0)
    if shock > find_daze_limit(who.ratings) and not who.dazed:
        draft.about(id, CharacterDazed())
        draft.by(DAZED, shock, limit=find_daze_limit(who.ratings))
    if fatigue:
        draft.about(id, pools.FatigueGained(fatigue, reason or "a hit"))
        draft.by(pools.FATIGUE, fatigue)
    if damage or pain:
        turns.interrupt(draft, id, "an injury")


def _strip_tokens(draft: Draft, id: str) -> None:
    """Take tokens above the limit from each pool. The limit is six minus the damage."""
    who = draft.get_character(id)
    most = MOST_DAMAGE - who.damage
    if draft.dials.pain_strips_tokens:
        most = max(0, most - who.pain_turn)
    held = {primary: draft.balance(holdings.token(id, primary)) for primary in PRIMARIES}
    lost = {primary: count - most for primary, count in held.items() if count > most}
    if lost:
        moved = [holdings.move(holdings.token(id, primary), holdings.TOKENS, n) for primary, n in lost.items()]
        draft.about(id, TokensLost(lost), *moved)
        draft.by(HARM, most, lost=lost)


HARMS = ("resistible", "unresistible", "conversions", "removals", "pain", "fatigue")


@offers
def offer_harm(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer harm of at least 1 of some kind."""
    now = look(seen, draft)
    amounts: dict[str, Domain] = dict.fromkeys(HARMS, Between(0))
    for name in HARMS if now.roster else ():
        yield Move(ApplyHarm, {"character": Among(now.roster), **amounts, name: Between(1)})
