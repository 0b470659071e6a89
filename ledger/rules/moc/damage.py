"""Damage: its dice, and its effect on a body (heading "Damage")."""

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
from ledger.rules.moc.cards import (
    NO_DICE,
    LaidCard,
    make_cards_domain,
    make_floating_dice_domain,
    make_typed_dice_domain,
)
from ledger.rules.moc.dice import check_pool, say_dice_shown, show_dice
from ledger.rules.moc.draft import DAZED, Draft, nobody_acts
from ledger.rules.moc.shown import Fields, Offering, fix, get_offering
from ledger.rules.moc.state import Character, Damage, Harm, Hit, Scene, find_daze_limit, find_pain_capacity
from ledger.rules.moc.types import BonusFaces, Faces, FloatingCounts, HitId, HowMany, Natural, PrimaryName
from ledger.rules.moc.words import (
    MOST_DAMAGE,
    NEGATIVE_HARM,
    NOTHING_DECLARED,
    PRIMARIES,
    read_whole,
    say_count,
    say_subject,
    say_who,
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
    """Return the dice of a hit: part 0 for damage dice, part 1 for raise dice. `sizes`: the numbers of dice, if the
    dice are typed now.
    """
    damage = draft.get_scene().damage.get(hit.id, Damage())
    if sizes is None:
        sizes = (hit.dice, hit.raises)
        if hit.stage != "scored":
            sizes = len(damage.faces) + len(damage.bonus), len(damage.raise_faces) + len(damage.raise_bonus)
    return cards_on_dice.Pool("damage", hit.attacker, sizes, hit.element, hit.id)


def say_damage(fact: DamageRolled, names: Names) -> str:
    raise_words = f"; raise dice {say_dice_shown(fact.raise_faces, fact.raise_bonus)}" if fact.raise_faces else ""
    unresistible_words = f", {fact.unresistible} of which cannot be resisted" if fact.unresistible else ""
    total_words = say_count(fact.resistible + fact.unresistible, "point", "points")
    dice_words = f"{say_dice_shown(fact.faces, fact.bonus)}{raise_words}"
    return f"Damage is rolled: {dice_words}. Dice of {fact.threshold} or more score {total_words}{unresistible_words}."


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
    damage = Damage(fact.threshold, fact.faces, fact.bonus, fact.raise_faces, fact.raise_bonus, plays)
    return piles._with_hit_counted(state, hit, fact.hit, damage, "rolled")


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


def has_typed_dice(do: RollDamage) -> bool:
    return do.faces is not None or bool(do.bonus or do.raise_faces or do.raise_bonus)


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
    typed_sizes: tuple[int, int] | None = None
    dice_count = hit.dice + own_dice.use_floating_dice(draft, hit.attacker, do.floating)
    if has_typed_dice(do):
        base_faces, bonus_faces = check_pool(dice_count, do.faces or (), do.bonus, hit.sides)
        raise_base, raise_bonus = check_pool(hit.raises, do.raise_faces, do.raise_bonus, hit.sides)
        typed_sizes = len(base_faces) + len(bonus_faces), len(raise_base) + len(raise_bonus)
    cards_on_dice.lay_cards(draft, do.cards, make_damage_pool(draft, hit, typed_sizes or (dice_count, hit.raises)))
    if typed_sizes is None:
        base_faces, bonus_faces = yield from draft.ask_pool(
            hit.attacker, dice_count, None, (), "damage", sides=hit.sides
        )
        raise_base, raise_bonus = yield from draft.ask_pool(
            hit.attacker, hit.raises, None, (), "raises", sides=hit.sides
        )
    plays = draft.get_scene().damage.get(hit.id, Damage()).plays
    resistible, unresistible = piles.count_damage(
        Damage(threshold, base_faces, bonus_faces, raise_base, raise_bonus, plays)
    )
    unresistible += hit.flat
    fact = DamageRolled(hit.id, threshold, base_faces, bonus_faces, raise_base, raise_bonus, resistible, unresistible)
    draft.here(fact)
    draft.by(DAMAGE_ROLL, resistible + unresistible, threshold=threshold, unresistible=unresistible)


@throws
def list_damage_typed(do: RollDamage, log: RecordedFacts) -> Iterator[Thrown]:
    hit = hits.find_scored_hit(log, do.hit) if has_typed_dice(do) else None
    for about in log.facts if hit is not None else ():
        if isinstance(fact := about.fact, DamageRolled) and hit is not None:
            faces = (*fact.faces, *fact.bonus, *fact.raise_faces, *fact.raise_bonus)
            yield Thrown(character(hit.attacker), hit.sides, faces)


@reports
def report_damage(fact: DamageRolled) -> Iterator[Roll]:
    """Report the dice that score. The fact does not say whether they are d6 or d10. A face above 6 or a bonus die shows
    that they are d10.
    """
    bonus_faces = fact.bonus or fact.raise_bonus
    sides = 10 if bonus_faces or any(face > 6 for face in (*fact.faces, *fact.raise_faces)) else None
    dice_shown = (
        *show_dice(fact.faces, fact.bonus),
        *show_dice(fact.raise_faces, fact.raise_bonus, "Raise"),
    )
    dice = tuple(changed(die, sides=sides, counts=die.face >= fact.threshold) for die in dice_shown)
    point_words = format_count(fact.resistible + fact.unresistible, "point")
    yield Roll(name="Damage", dice=dice, target=fact.threshold, effect=f"{point_words} of damage", bound="at-least")


def list_damage_moves(offering: Offering, hit: Hit, own_fields: Fields) -> Iterator[Move]:
    attacker_id = hit.attacker
    floating_domain = (
        make_floating_dice_domain(offering, attacker_id) if attacker_id in offering.active_ids else NO_DICE
    )
    yield Move(RollDamage, {**own_fields, "floating": floating_domain}, DAMAGE_ROLL, attacker_id)
    cards_domain = (
        make_cards_domain(offering, attacker_id, hit.element, (hit.dice, hit.raises))
        if attacker_id in offering.active_ids
        else None
    )
    if cards_domain is not None:
        yield Move(
            RollDamage, {**own_fields, "floating": floating_domain, "cards": cards_domain}, DAMAGE_ROLL, attacker_id
        )
    typed_fields: Fields = {
        "faces": make_typed_dice_domain(hit.dice, hit.sides),
        "raise_faces": make_typed_dice_domain(hit.raises, hit.sides),
    }
    yield Move(RollDamage, {**own_fields, **typed_fields}, DAMAGE_ROLL, attacker_id)


@offers
def offer_damage(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    for hit in offering.scene.hits.values() if offering.scene is not None else ():
        if hit.stage == "scored" and may_roll_damage(draft, hit) is None and offering.has_character(hit.attacker):
            yield from list_damage_moves(offering, hit, {"hit": fix(hit.id)})


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
    harm_words = [f"{number} {unit}" for number, unit in ((fact.damage, "damage"), (fact.pain, "pain")) if number]
    removed_words = (
        f", and {say_count(fact.removed, 'point of damage is', 'points of damage are')} removed" if fact.removed else ""
    )
    return say_with(
        f"{say_subject(names)} takes {listed(harm_words) if harm_words else 'no harm'}{removed_words}", fact.reason
    )


@fact("harm-applied", says=say_harmed, headline=2)
class HarmApplied:
    """The harm of one hit, or of a game master's decision, was applied. `damage`, `pain`: how much the character took.
    `removed`: how many points were removed. `hit`: empty if a game master decided the harm.
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
    used_days = state.healing_days
    harm = Harm(
        fact.hit, state.damage, state.pain, state.pain_turn, state.status, state.dazed, state.recovering, used_days
    )
    pain, pain_turn = state.pain + fact.pain, state.pain_turn + fact.pain
    return _with_harm(state, damage, pain, pain_turn, harm, None, 0 if fact.damage else used_days)


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


def say_harming(do: ApplyHarm, names: Names) -> str:
    amounts = (
        (do.resistible, "resistible damage"),
        (do.unresistible, "unresistible damage"),
        (do.pain, "pain"),
        (do.fatigue, "fatigue"),
    )
    harm_words = listed(f"{number} {unit}" for number, unit in amounts if number)
    sentence = f"{say_who(names, do.character)} is hurt{f' ({harm_words})' if harm_words != 'none' else ''}"
    return say_with(sentence, do.reason)


@nobody_acts
@declares(
    "apply-harm",
    GM,
    says=say_harming,
    records=(pools.FatigueGained, HarmApplied, TokensLost, CharacterDowned, CharacterDazed, turns.RecoveryPreEmpted),
)
class ApplyHarm:
    """Apply harm to a character, in numbers. It can come from a hit or from any other source that you rule is harmful.

    `resistible`: points of damage that can be resisted. `unresistible`: points of damage that cannot be resisted.
    `conversions`, `removals`: how many of the resistible points become pain, or are removed. `pain`: how much pain the
    harm causes as well. `fatigue`: how much fatigue the harm causes as well.
    """

    character: CharacterId
    resistible: Natural = 0
    unresistible: Natural = 0
    conversions: Annotated[
        HowMany, Says("Points turned into pain", "How many points of resistible damage become pain.")
    ] = 0
    removals: Annotated[HowMany, Says("Points removed", "How many points of resistible damage are removed.")] = 0
    pain: Natural = 0
    fatigue: Natural = 0
    reason: Reason = ""


@decides
def apply_harm(draft: Draft, do: ApplyHarm) -> None:
    """Apply harm in numbers, from a hit or from any other source."""
    draft.get_character(do.character)
    numbers_sent = (do.resistible, do.unresistible, do.conversions, do.removals, do.pain)
    points = tuple(read_whole(number, NEGATIVE_HARM, HARM) for number in numbers_sent)
    fatigue = read_whole(do.fatigue, NEGATIVE_HARM, HARM)
    if not any((*points, fatigue)):
        raise NOTHING_DECLARED.under(HARM)
    harm(draft, do.character, "", points, fatigue, do.reason)


def harm(draft: Draft, char_id: str, hit_id: str, points: tuple[int, ...], fatigue: int, reason: str) -> None:
    """Record harm. `hit_id`: the hit that causes the harm, or an empty text.

    `points`: five numbers: resistible and unresistible points, conversions, removals and direct pain.
    """
    state = draft.get_character(char_id)
    resistible, unresistible, conversions, removals, direct_pain = points
    free_pain = max(0, find_pain_capacity(state.ratings) - state.pain)
    removed_points = min(removals, resistible)
    converted_points = min(conversions, resistible - removed_points, free_pain)
    direct_felt = min(direct_pain, free_pain - converted_points)
    damage = resistible - removed_points - converted_points + unresistible + direct_pain - direct_felt
    pain = converted_points + direct_felt
    if any(points) or hit_id:
        draft.about(char_id, HarmApplied(hit_id, damage, pain, removed_points, reason))
        draft.by(HARM, damage, pain=pain, removed=removed_points)
    if damage or (pain and draft.dials.pain_strips_tokens):
        _strip_tokens(draft, char_id)
    if (
        damage
        and draft.get_character(char_id).damage == MOST_DAMAGE
        and draft.get_character(char_id).status == "active"
    ):
        draft.about(char_id, CharacterDowned())
    daze_points = pain + (damage if draft.dials.daze_counts == "pain_plus_damage" else 0)
    if daze_points > find_daze_limit(state.ratings) and not state.dazed:
        draft.about(char_id, CharacterDazed())
        draft.by(DAZED, daze_points, limit=find_daze_limit(state.ratings))
    if fatigue:
        draft.about(char_id, pools.FatigueGained(fatigue, reason or "a hit"))
        draft.by(pools.FATIGUE, fatigue)
    if damage or pain:
        turns.interrupt_rest(draft, char_id, "an injury")


def _strip_tokens(draft: Draft, char_id: str) -> None:
    """Remove the tokens of each pool that are above its limit. The limit is six minus the damage."""
    state = draft.get_character(char_id)
    most_tokens = MOST_DAMAGE - state.damage
    if draft.dials.pain_strips_tokens:
        most_tokens = max(0, most_tokens - state.pain_turn)
    token_counts = {primary: draft.balance(holdings.name_token_account(char_id, primary)) for primary in PRIMARIES}
    lost_counts = {primary: count - most_tokens for primary, count in token_counts.items() if count > most_tokens}
    if lost_counts:
        postings = [
            holdings.make_posting(holdings.name_token_account(char_id, primary), holdings.TOKENS, n)
            for primary, n in lost_counts.items()
        ]
        draft.about(char_id, TokensLost(lost_counts), *postings)
        draft.by(HARM, most_tokens, lost=lost_counts)


HARMS = ("resistible", "unresistible", "conversions", "removals", "pain", "fatigue")


@offers
def offer_harm(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer harm of at least one kind."""
    offering = get_offering(seen, draft)
    amount_domains: dict[str, Domain] = dict.fromkeys(HARMS, Between(0))
    for name in HARMS if offering.roster else ():
        yield Move(ApplyHarm, {"character": Among(offering.roster), **amount_domains, name: Between(1)})
