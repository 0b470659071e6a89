"""Physical damage: weapon and armour, shunting to Beauty, the Size/Physique table, and healing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from ledger.rules.kernel.kit import (
    GM,
    OPEN,
    Asking,
    Between,
    CharacterId,
    Move,
    Names,
    Question,
    Reason,
    Refusal,
    Refused,
    Says,
    Seen,
    Shape,
    ask,
    changed,
    changes,
    character,
    choice,
    decides,
    declares,
    fact,
    listed,
    offers,
    once_created,
    quick,
    require,
    rule,
    words,
)
from ledger.rules.mongrel import accounts, acting, death
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.draft import BAD_NUMBER, BAD_SCORE, Draft, ask_again_if_refused, check_natural
from ledger.rules.mongrel.sight import Fields, Sight, get_sight, group_ids
from ledger.rules.mongrel.state import Character, add_to_score, work_out_physique
from ledger.rules.mongrel.terms import (
    HittingTask,
    Natural,
    Number,
    Shunted,
    TerminalCause,
    Zone,
    is_natural,
    say,
    whether,
)

# --- a hit -----------------------------------------------------------------------------------------------------------


def say_net(given: Mapping[str, Any]) -> str:
    """Return the damage in words, with the weapon and the armour if there are any."""
    weapon_phrase = ", plus {weapon} for the weapon" if given.get("weapon") else ""
    armour_phrase = ", minus {armour} for the armour" if given.get("armour") else ""
    return (
        f"Effect {{effect}}{weapon_phrase}{armour_phrase}: {{out:point|points}} of damage." if "effect" in given else ""
    )


NET = rule(
    "mongrel.damage.net",
    "A weapon adds to the Effect of a physical hit, and armour lowers it. If nothing is left, the hit does no damage.",
    "Physical damage",
    step=say_net,
)
WEAPON_CAP = Refusal(
    NET,
    "weapon-cap",
    "At this table a weapon adds at most {cap} to an Effect, not {weapon}.",
)


@quick
@dataclass(frozen=True, slots=True)
class Blow:
    """A physical hit. `shunt`: how many points go to Beauty, if this was declared. If it is None, the target's side is
    asked.
    """

    effect: int
    weapon: int = 0
    armour: int = 0
    shunt: Number = None
    reason: str = ""
    ruling: str | None = None


def work_out_net(blow: Blow) -> int:
    return max(0, blow.effect + blow.weapon - blow.armour)


def check_weapon(draft: Draft, weapon: Number, armour: Number) -> tuple[int, int]:
    """Return the values of weapon and armour. Refuses `bad-score`, `weapon-cap`."""
    weapon_bonus, armour_value = check_natural(NET, BAD_SCORE, weapon=weapon, armour=armour)
    cap = draft.dials.weapon_bonus_cap
    if cap is not None and weapon_bonus > cap:
        raise WEAPON_CAP(weapon=weapon_bonus, cap=cap)
    return weapon_bonus, armour_value


def say_blow(fact: DamageRolled, names: Names) -> str:
    """Put into words the hit and the damage after weapon and armour."""
    weapon_phrase = f", plus {fact.weapon} for the weapon" if fact.weapon else ""
    armour_phrase = f", minus {fact.armour} for the armour" if fact.armour else ""
    if not fact.net:
        return say("The hit does no damage to {character}[: {reason}].", fact, names)
    sum_phrase = f" (Effect {fact.effect}{weapon_phrase}{armour_phrase})" if weapon_phrase or armour_phrase else ""
    return say(f"{{character}} is hit for {{net:point|points}} of damage{sum_phrase}[: {{reason}}].", fact, names)


@fact("damage-rolled", says=say_blow, changes=None)
class DamageRolled:
    """A physical hit was made. `net`: the damage, after the weapon is added and the armour is subtracted. `ruling`: the
    task that caused the hit.
    """

    character: CharacterId
    effect: int
    weapon: int
    armour: int
    net: int
    reason: Reason
    ruling: HittingTask | None


def land_physical_hit(draft: Draft, character_id: str, blow: Blow, *, is_one_of_several: bool = False) -> Asking[None]:
    """Land a physical hit: subtract the armour, ask how much damage lowers Beauty, and count the rest.

    `is_one_of_several`: whether there are several targets, so that the question names this one.
    """
    net_damage = work_out_net(blow)
    draft.about(
        character_id,
        DamageRolled(character_id, blow.effect, blow.weapon, blow.armour, net_damage, blow.reason, blow.ruling),
    )
    draft.by(NET, net_damage, effect=blow.effect, weapon=blow.weapon, armour=blow.armour)
    shunted = yield from _ask_shunted(draft, character_id, blow.shunt, net_damage, is_one_of_several=is_one_of_several)
    if net_damage == 0:
        return
    if shunted:
        fact = DamageShunted(character_id, shunted, 1, shunted - 1)
        posting = accounts.make_posting(accounts.name_beauty(character_id), accounts.SCARS, 1)
        draft.about(
            character_id,
            fact,
            posting,
            accounts.make_posting(accounts.name_beauty(character_id), accounts.BRUISES, shunted - 1),
        )
        draft.by(SHUNT, net_damage - shunted, net=net_damage, shunted=shunted)
        draft.mark(character_id, "beauty")
    _count_damage(draft, character_id, net_damage - shunted)


# --- shunting --------------------------------------------------------------------------------------------------------

SHUNT = rule(
    "mongrel.damage.shunt",
    "The target may shunt (move) any part of the damage to Beauty, up to their current Beauty. Beauty then falls"
    " by that amount. The first point is lost permanently, the others temporarily.",
    "Physical damage",
)
NOTHING_TO_SHUNT = Refusal(
    SHUNT,
    "nothing-to-shunt",
    "There is no damage to shunt to Beauty. Leave the points out.",
)
SHUNT_TOO_LARGE = Refusal(
    SHUNT,
    "shunt-too-large",
    "{character} can shunt at most {most:point|points} to Beauty.",
)
ASK_SHUNT = Question("shunt", "{purpose}")


@fact(
    "damage-shunted",
    says=whether(
        "temporary",
        "{character} shunts {shunted:point|points} of damage to Beauty. One point of Beauty is lost permanently, the"
        " others temporarily.",
        "{character} shunts {shunted:point|points} of damage to Beauty. The point of Beauty is lost permanently.",
    ),
)
class DamageShunted:
    """Points of damage lowered Beauty instead of counting as damage. `shunted`: how many points. `permanent`,
    `temporary`: how much Beauty was lost permanently, and how much temporarily.
    """

    character: CharacterId
    shunted: int
    permanent: int
    temporary: int


@changes
@once_created
def lose_beauty(state: Character, fact: DamageShunted) -> Character:
    attributes = add_to_score(state.attributes, "beauty", -fact.permanent)
    return changed(state, attributes=attributes, beauty_temp=state.beauty_temp + fact.temporary)


@choice(
    "shunt",
    says=whether("points", "{points:point of damage goes|points of damage go} to Beauty.", "No damage goes to Beauty."),
)
class Shunt:
    """Choose how many points of damage lower Beauty instead of counting as damage (0 for none)."""

    points: Shunted = 0


def may_shunt_nothing(points: Number) -> Refused | None:
    """Refuse a shunt if there is no damage: after a miss, or for a task that does none."""
    return NOTHING_TO_SHUNT(points=repr(points)) if points is not None and points != 0 else None


def may_shunt(draft: Draft, character_id: str, points: Number, net_damage: int) -> Refused | None:
    """Refuse to shunt more points than the damage or the character's Beauty allows."""
    most_points = _find_most_shuntable(draft, character_id, net_damage)
    if is_natural(points) and points <= most_points:
        return None
    return SHUNT_TOO_LARGE(character=character_id, points=repr(points), most=most_points)


def _find_most_shuntable(draft: Draft, character_id: str, net_damage: int) -> int:
    return max(0, min(net_damage, draft.read_score(character_id, "beauty")))


def _ask_shunted(
    draft: Draft, character_id: str, points: Number, net_damage: int, *, is_one_of_several: bool
) -> Asking[int]:
    """Return how many points are shunted, as declared or answered. An answer that is too large is asked for again."""
    if points is not None:
        require(may_shunt(draft, character_id, points, net_damage))
        assert is_natural(points)
        return points
    most_points = _find_most_shuntable(draft, character_id, net_damage)
    if most_points == 0:
        return 0
    owner, slot = (
        draft.table.owner(character(character_id)),
        ASK_SHUNT(character_id) if is_one_of_several else ASK_SHUNT(),
    )
    owner_phrase = f" of {draft.table.name(character(character_id))}" if is_one_of_several else ""
    purpose = f"How much of the damage ({net_damage}) goes to Beauty{owner_phrase}?"
    answer = yield from ask(owner, Shunt, slot=slot, purpose=purpose, within=list_shunt_shapes(most_points))
    with ask_again_if_refused():
        require(may_shunt(draft, character_id, answer.points, net_damage))
    assert is_natural(answer.points)
    return answer.points


def list_shunt_shapes(most_points: int) -> Iterator[Shape]:
    """Yield the shape of the answer: how many points, up to `most_points`, are shunted to Beauty
    (`mongrel.damage.shunt`).
    """
    yield Shape(Shunt, {"points": Between(0, most_points)})


# --- the table -------------------------------------------------------------------------------------------------------

ZONE_WORDS: Mapping[str, str] = {
    "row": "in the Size row",
    "clear": "in the clear zone",
    "gray": "in the gray zone",
    "terminal": "which is terminal",
}


def say_zones(given: Mapping[str, Any]) -> str:
    zone_phrase = ZONE_WORDS.get(given["out"])
    added_phrase = f", {zone_phrase}" if zone_phrase else ""
    return (
        f"With Size {{size}} and Physique {{physique}}: {{total:point|points}} of damage{added_phrase}."
        if "total" in given
        else ""
    )


ZONES = rule(
    "mongrel.damage.zones",
    "Damage is counted on a table. It first fills the Size row, which holds as many points as the character's"
    " Size. The rest goes down the Physique column: up to Physique it is in the clear zone, up to twice Physique"
    " it is in the gray zone, and beyond that it is terminal.",
    "Physical damage",
    step=say_zones,
)
HIT = rule(
    "mongrel.damage.hit",
    "The hit that fills the Size row costs the character 1 Action Point. A hit that ends in the clear zone costs 1"
    " point of Physique. A hit that ends in the gray zone makes the character collapse, and a hit that goes beyond"
    " it is terminal. Every physical hit on a collapsed character is terminal.",
    "Physical damage",
)


def find_zone(total: int, size: int, physique: int, dials: Dials) -> Zone:
    """Return the zone of the table that a damage total falls in. A total up to Size is in the zone `row`
    (`mongrel.damage.zones`).
    """
    column = total - size
    if column <= 0:
        return "row"
    if column > 2 * (size if dials.terminal_basis == "size" else physique):
        return "terminal"
    return "clear" if column <= physique else "gray"


def say_damage(fact: DamageCounted, names: Names) -> str:
    """Put into words how much damage there is and which zone of the table it falls in."""
    if fact.zone == "shunted":
        return say("The whole hit on {character} goes to Beauty.", fact, names)
    zone_phrase = f", {ZONE_WORDS[fact.zone]}" if fact.zone in ZONE_WORDS else ""
    return say(f"{{character}} has {{after:point|points}} of damage{zone_phrase}.", fact, names)


@fact("damage-counted", says=say_damage, headline=3)
class DamageCounted:
    """Damage was counted. `kept`: how much the lasting total grew; 0 if the table does not add hits together."""

    character: CharacterId
    counted: int
    kept: int
    before: int
    after: int
    zone: Zone
    size: int
    physique: int


@changes
@once_created
def add_damage(state: Character, fact: DamageCounted) -> Character:
    return changed(state, damage=state.damage + fact.kept) if fact.kept else state


@fact("physique-reduced", says="{character} loses {amount:point|points} of Physique to wounds.")
class PhysiqueReduced:
    """A character lost Physique to a wound."""

    character: CharacterId
    amount: int


@changes
@once_created
def lose_physique(state: Character, fact: PhysiqueReduced) -> Character:
    return changed(state, physique_loss=state.physique_loss + fact.amount)


def _count_damage(draft: Draft, character_id: str, net_damage: int) -> None:
    """Count the damage, following the steps of `mongrel.damage.hit` in order."""
    state = draft.read_character(character_id)
    size, physique = state.attributes.get("size", 0), work_out_physique(state)
    is_cumulative = draft.dials.damage_track == "cumulative"
    damage_before = state.damage if is_cumulative else 0
    damage_after = damage_before + net_damage
    cause: TerminalCause | None = "collapsed" if state.collapsed else "stage" if state.terminal else None
    own_zone: Zone = find_zone(damage_after, size, physique, draft.dials) if net_damage else "shunted"
    zone: Zone = "terminal" if cause else own_zone
    kept_damage = net_damage if is_cumulative else 0
    draft.about(
        character_id,
        DamageCounted(character_id, net_damage, kept_damage, damage_before, damage_after, zone, size, physique),
    )
    draft.by(ZONES, own_zone, total=damage_after, size=size, physique=physique)
    draft.by(HIT, zone, before=damage_before, counted=net_damage, after=damage_after)
    if net_damage:
        draft.mark(character_id, "size", "physique")
    if damage_before < size <= damage_after:
        death.lose_ap(draft, character_id, 1, "size reached")
    if zone == "terminal":
        death.take_terminal_damage(draft, character_id, cause or "column")
    elif zone == "gray":
        death.collapse(draft, character_id, "damage")
    elif zone == "clear" or (zone == "row" and _is_on_size(draft, damage_after, size, physique)):
        draft.about(character_id, PhysiqueReduced(character_id, 1))


def _is_on_size(draft: Draft, damage_total: int, size: int, physique: int) -> bool:
    """Return whether the total is exactly Size, and an option makes that cost Physique
    (`exact_size_costs_physique`).
    """
    return draft.dials.exact_size_costs_physique and damage_total == size and physique >= 1


# --- healing ---------------------------------------------------------------------------------------------------------

HEALING = rule(
    "mongrel.damage.healing",
    "A game master decides how much a character heals, up to what they have lost (our reading: the source has no "
    "rule for healing).",
    "Physical damage",
)
HEAL_TOO_MUCH = Refusal(
    HEALING,
    "heal-too-much",
    "{character} can heal at most {lost:point|points} of {what}, not {healed}.",
)


def word_amounts(**amounts: int) -> str:
    """Return the amounts in words: `2 points of damage and 1 of Physique`, or nothing if all are 0."""
    phrases = [
        f"{amount} {'point' if amount == 1 else 'points'} of {words(name)}"
        for name, amount in amounts.items()
        if amount
    ]
    return listed(phrases) if phrases else "nothing"


def say_healed(do_or_fact: Any, names: Names) -> str:
    healed_words = word_amounts(damage=do_or_fact.damage, Physique=do_or_fact.physique, Beauty=do_or_fact.beauty)
    ends_terminal = getattr(do_or_fact, "terminal_ended", False) or getattr(do_or_fact, "end_terminal", False)
    end_phrase = " and leaves the terminal stage" if ends_terminal else ""
    return say(f"{{character}} heals {healed_words}{end_phrase}[: {{reason}}].", do_or_fact, names)


@fact("wounds-healed", says=say_healed)
class WoundsHealed:
    """A character healed. `damage`, `physique`, `beauty`: how many points of each healed. `terminal_ended`: whether the
    terminal stage ended.
    """

    character: CharacterId
    damage: int
    physique: int
    beauty: int
    terminal_ended: bool
    reason: Reason


@changes
@once_created
def heal_wounds(state: Character, fact: WoundsHealed) -> Character:
    """Heal the losses that exist. A loss that is missing because its hit was overturned does not heal, because the next
    hit would then count for less.

    In that case the fact also goes adrift, so that a game master can resolve it.
    """
    losses = [
        (state.damage, fact.damage),
        (state.physique_loss, fact.physique),
        (state.beauty_temp, fact.beauty),
    ]
    damage, physique_loss, beauty_temp = (lost - max(0, min(lost, healing)) for lost, healing in losses)
    is_short = any(healing > max(0, lost) for lost, healing in losses)
    return changed(
        state,
        damage=damage,
        physique_loss=physique_loss,
        beauty_temp=beauty_temp,
        terminal=state.terminal and not fact.terminal_ended,
        adrift=(*state.adrift, fact) if is_short else state.adrift,
    )


@declares("heal", GM, says=say_healed, records=(WoundsHealed,))
class Heal:
    """Heal a character, by no more than they lost."""

    character: CharacterId
    damage: Annotated[Natural, Says("Damage healed")] = 0
    physique: Annotated[Natural, Says("Physique regained")] = 0
    beauty: Annotated[Natural, Says("Beauty regained")] = 0
    end_terminal: Annotated[bool, Says("End the terminal stage")] = False
    reason: Reason = ""


@decides
def heal(draft: Draft, do: Heal) -> None:
    """Heal as much as a game master decides, but not more than was lost (`mongrel.damage.healing`)."""
    character_id = do.character
    state = acting.check_alive(draft, character_id)
    damage, physique, beauty = check_natural(
        HEALING, BAD_NUMBER, damage=do.damage, physique=do.physique, beauty=do.beauty
    )
    names, losses = ("damage", "physique", "beauty"), list_losses(draft, character_id)
    for name, healed, lost in zip(names, (damage, physique, beauty), losses, strict=True):
        if healed > lost:
            raise HEAL_TOO_MUCH(character=character_id, what=name, healed=healed, lost=lost)
    ends_terminal = do.end_terminal and state.terminal
    fact = WoundsHealed(character_id, damage, physique, beauty, ends_terminal, do.reason)
    draft.about(character_id, fact, accounts.make_posting(accounts.BRUISES, accounts.name_beauty(character_id), beauty))
    draft.by(HEALING, do.reason, damage=damage, physique=physique, beauty=beauty)
    if ends_terminal:
        draft.by(death.TERMINAL_STAGE, "ended")


def list_losses(draft: Draft, character_id: str) -> tuple[int, int, int]:
    """Return how much the character has lost and can heal: damage, Physique, Beauty."""
    state = draft.read_character(character_id)
    beauty_loss = state.beauty_temp
    if beauty_loss > 0:
        beauty_loss = min(
            beauty_loss, state.attributes.get("beauty", 0) - draft.balance(accounts.name_beauty(character_id))
        )
    return max(0, state.damage), max(0, state.physique_loss), max(0, beauty_loss)


@offers
def offer_healing(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight = get_sight(seen, draft)
    for losses, hurt_characters in group_ids(sight.alive, lambda character_id: _find_losses(sight, character_id)):
        damage, physique, beauty = (Between(0, most_points) for most_points in losses)
        healing_fields: Fields = {"damage": damage, "physique": physique, "beauty": beauty, "end_terminal": OPEN}
        yield Move(Heal, {"character": hurt_characters, **healing_fields})


def _find_losses(sight: Sight, character_id: str) -> tuple[int, ...] | None:
    """Return how much the character can heal (damage, Physique, Beauty), or None if there is nothing to heal."""
    losses = list_losses(sight.draft, character_id)
    return losses if any(losses) or sight.people[character_id].terminal else None
