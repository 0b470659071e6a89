"""Hits, and their locations (headings "To Hit", "Success Levels and Damage")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Protocol

from ledger.rules.kernel.kit import (
    Among,
    Asking,
    Between,
    CharacterId,
    Either,
    Move,
    Names,
    OneOf,
    RecordedFacts,
    Refusal,
    Refused,
    Roll,
    Says,
    Seen,
    Table,
    Thrown,
    changed,
    changes,
    changing,
    character,
    decides,
    declares,
    either,
    fact,
    guards,
    list_making_facts,
    offers,
    reports,
    require,
    roll,
    rule,
    throws,
    words,
)
from ledger.rules.moc import piles, pools, rolling
from ledger.rules.moc.actions import TO_HIT
from ledger.rules.moc.dice import (
    check_faces,
    count_net,
    find_outcome,
    has_known_result,
    list_declared_targets,
    list_hit_targets,
    list_open_targets,
    show_dice,
)
from ledger.rules.moc.draft import DAMAGE_POOL, Draft, acts, may_use_roll, nobody_acts
from ledger.rules.moc.shown import LEFT_OUT, Fields, Offering, fix, get_offering, group_ids
from ledger.rules.moc.state import Action, Hit, Part, Scene, find_audience
from ledger.rules.moc.types import (
    ActionId,
    Dice,
    Face,
    HitId,
    HowMany,
    LocationName,
    PartNumber,
    Tn,
    Weapon,
    WeaponName,
)
from ledger.rules.moc.words import (
    GM_APPROVAL_NEEDED,
    NEGATIVE_DICE,
    NEGATIVE_SUCCESSES,
    NOT_AN_ATTACK,
    NOTHING_DECLARED,
    ROLL_NOT_COMPLETED,
    UNKNOWN_ACTION,
    VALUE_NOT_POSITIVE,
    by_value,
    read_whole,
    say_count,
    say_who,
    whether,
)

LOCATION = rule(
    "moc.combat.location",
    "With an Outstanding Success, the attacker chooses the hit location. Otherwise the game master names "
    "it, or one d10 decides.",
    "Success Levels and Damage",
)
UNKNOWN_LOCATION = Refusal(LOCATION, "unknown-location", "There is no hit location {location}.")
NOT_A_HIT = Refusal(TO_HIT, "not-a-hit", "No net success is left, so the attack does not hit.")
ALREADY_SCORED = Refusal(TO_HIT, "already-scored", "That attack has already hit {target}.")
LETHAL_DICE = 6
OUTSTANDING = 4  # from this number of net successes, the attacker chooses the location


def say_hit(fact: HitScored, names: Names) -> str:
    hit = fact.what
    raise_words = f" and {say_count(hit.raises, 'raise die', 'raise dice')}" if hit.raises else ""
    flat_words = f" and {say_count(hit.flat, 'point', 'points')} for the raises" if hit.flat else ""
    location_words = "" if not hit.chooses else "; the attacker chooses the location"
    net_words = say_count(hit.net, "net success", "net successes")
    dice_words = f"{hit.dice}d{hit.sides} damage" if hit.dice else "no damage dice"
    hit_words = f"{say_who(names, hit.attacker)} hits {say_who(names, hit.target)}"
    return f"{hit_words} with {net_words}: {dice_words}{raise_words}{flat_words}{location_words}."


@fact("hit-scored", 2, says=say_hit)
class HitScored:
    """An attack hit. `hit`: the id of the hit. `what`: the hit as recorded."""

    hit: HitId
    what: Hit


@changes
def add_scored_hit(state: Scene, fact: HitScored) -> Scene:
    return with_hit(state, fact.what)


_with_hits = changing(Scene, "hits")


def with_hit(state: Scene, hit: Hit) -> Scene:
    return _with_hits(state, {**state.hits, hit.id: hit})


@fact(
    "location-set",
    2,
    says=by_value(
        "by",
        {
            "attacker": "The hit location is the {location}, as the attacker chooses.",
            "gm": "The hit location is the {location}, as the game master decides.",
            "die": "The hit location is the {location}.",
        },
    ),
    headline=17,
)
class LocationSet:
    """The location of a hit was set. `by`: how the location was decided. `face`: the number on the die, if a die
    decided it.
    """

    hit: HitId
    location: LocationName
    severity: int
    by: Annotated[str, OneOf(("attacker", "gm", "die"))]
    face: int | None


@changes
def locate_hit(state: Scene, fact: LocationSet) -> Scene | None:
    hit = state.hits.get(fact.hit)
    if hit is None:
        return None
    return with_hit(state, changed(hit, location=fact.location, severity=fact.severity))


def say_hitting(do: ScoreHit, names: Names) -> str:
    return f"{say_who(names, do.attacker)} hits {say_who(names, do.target)}{f' ({do.weapon})' if do.weapon else ''}."


@acts("attacker")
@declares("score-hit", either("attacker"), says=say_hitting, records=(HitScored, LocationSet))
class ScoreHit:
    """Record that an attack hits. `net`: the number of net successes, at least 1. Leave it out to use the action's
    result against the target.

    `weapon`: a weapon of the campaign. Without one, enter `damage`, `lethality` and `lethal`. `lethal`: whether the
    weapon is lethal and so rolls at least 6 dice. `location`: the hit location, if the attacker or the game master has
    chosen it.
    """

    attacker: CharacterId
    target: CharacterId
    weapon: WeaponName | None = None
    net: Annotated[HowMany | None, Says("Net successes", "Leave it out to use the action's result.")] = None
    action: ActionId | None = None
    part: PartNumber = 0
    damage: Annotated[
        Dice | None, Says("Damage", "The number of damage dice of a weapon that is not in the table.")
    ] = None
    lethality: Annotated[Tn | None, Says("Lethality", "The number that each damage die must reach.")] = None
    lethal: bool = False
    location: LocationName | None = None


@dataclass(frozen=True, slots=True)
class Attack:
    """The roll that hits. `index`: the part of the `action`. `dice`: the dice from Martial Arts beads. Every field is
    empty if there is no action.
    """

    action: Action | None = None
    index: int = 0
    element: str = ""
    dice: int = 0

    @property
    def part(self) -> Part | None:
        return self.action.parts[self.index] if self.action is not None else None


@decides
def score_hit(draft: Draft, do: ScoreHit) -> None:
    """Work out the damage dice of a hit."""
    draft.get_character(do.attacker)
    draft.get_character(do.target)
    attack = _read_attack(draft, do)
    net = _read_net(draft, do, attack)
    weapon = _read_weapon(draft, do)
    if net < 1:
        raise NOT_A_HIT(net=net)
    _check_needs_no_approval(draft, do, attack)
    require(may_score_hit(draft, do, attack))
    dice_count = weapon.damage + (draft.get_character(do.attacker).ratings.get(weapon.adds, 0) if weapon.adds else 0)
    dice_count = max(LETHAL_DICE, dice_count) if weapon.lethal else dice_count
    dice_count = max(0, dice_count - 1 if net == 1 else dice_count) + attack.dice
    dice_count = max(0, dice_count + draft.cite_own_dice(do.attacker, "damage"))
    has_raise_dice = draft.dials.raise_effect == "raise_dice"
    hit = Hit(
        draft.table.new_id(),
        do.attacker,
        do.target,
        net,
        net >= OUTSTANDING,
        dice_count,
        net - 1 if has_raise_dice else 0,
        6 if net <= 2 else 10,
        weapon.lethality,
        flat=0 if has_raise_dice else net - 1,
        element=attack.element,
        action=do.action or "",
        part=attack.index,
    )
    draft.here(HitScored(hit.id, hit))
    draft.by(TO_HIT, net, target=do.target)
    draft.by(DAMAGE_POOL, dice_count, sides=hit.sides, raises=net - 1)
    if do.location is not None:
        _set_location(draft, hit, do.location)


def _read_attack(draft: Draft, do: ScoreHit) -> Attack:
    """Return the attack. Refuses `unknown-action` for another character's action, and `not-an-attack` for a roll that
    is not an attack.
    """
    if do.action is None:
        return Attack()
    action = draft.get_action(do.action, may_be_closed=True)
    if action.character != do.attacker:
        raise UNKNOWN_ACTION.under(TO_HIT, action=do.action)
    part_index, part = draft.locate_part(action, do.part, may_be_resolved=True)
    if part.roll.kind != "to_hit":
        raise NOT_AN_ATTACK.under(TO_HIT, action=action.id, part=part_index)
    dice_count = sum(
        play.successes
        for play in action.plays
        if play.use == "martial_arts" and play.part == part_index and piles.is_effective(action.plays, play)
    )
    return Attack(action, part_index, part.roll.element, dice_count)


def _read_net(draft: Draft, do: ScoreHit, attack: Attack) -> int:
    """Return the net successes as declared, or else those of the attack."""
    if do.net is not None or attack.action is None or attack.part is None:
        return read_whole(do.net, NEGATIVE_SUCCESSES, TO_HIT)
    if not attack.part.claims:
        require(may_use_roll(draft, attack.action, attack.index))
    if attack.part.stage == "pre-empted" or not has_known_result(attack.part):
        raise ROLL_NOT_COMPLETED.under(TO_HIT, part=attack.index)
    return count_net(attack.part, find_outcome(draft.dials, attack.action, attack.index), do.target)


def _read_weapon(draft: Draft, do: ScoreHit) -> Weapon:
    if do.weapon is not None:
        return draft.get_weapon(do.weapon)
    damage = read_whole(do.damage, NEGATIVE_DICE, DAMAGE_POOL)
    return Weapon(do.lethal, damage, read_whole(do.lethality, VALUE_NOT_POSITIVE, DAMAGE_POOL, 1))


def _check_needs_no_approval(draft: Draft, do: ScoreHit, attack: Attack) -> None:
    """Refuse a player's hit if it has no attack, or a net different from the attack's: `gm-approval-needed`."""
    if draft.table.by.role == "gm" or (do.net is None and do.action is not None):
        return
    action, part = attack.action, attack.part
    if action is not None and part is not None and part.stage != "pre-empted" and has_known_result(part):
        if not part.claims:
            require(may_use_roll(draft, action, attack.index))
        if count_net(part, find_outcome(draft.dials, action, attack.index), do.target) == do.net:
            return
    raise GM_APPROVAL_NEEDED.under(TO_HIT, action=do.action)


@guards
def may_score_hit(draft: Draft, do: ScoreHit, attack: Attack) -> Refused | None:
    """Refuse a hit on a target that the attack has hit or did not declare. Without declared targets, an attack hits
    only one character.

    Refuses `already-scored`, `nothing-declared`.
    """
    if attack.action is None or attack.part is None:
        return None
    action_id = attack.action.id
    hit_ids = list_hit_targets(draft.get_scene(), action_id, attack.index)
    if do.target in hit_ids:
        return ALREADY_SCORED(action=action_id, target=do.target)
    if do.target in list_open_targets(attack.part, hit_ids, (do.target,)):
        return None
    if undeclared_ids := hit_ids - list_declared_targets(attack.part):
        return ALREADY_SCORED(action=action_id, target=min(undeclared_ids))
    return NOTHING_DECLARED.under(TO_HIT, action=action_id, target=do.target)


@guards
def may_choose_location(draft: Draft, hit: Hit, location: str) -> Refused | None:
    """Refuse a player's choice of location, unless the attacker may choose it after an Outstanding Success."""
    if not hit.chooses and draft.table.by.role != "gm":
        return GM_APPROVAL_NEEDED.under(LOCATION, location=location)
    return None


@guards
def may_leave_to_die(draft: Draft, hit: Hit) -> Refused | None:
    return NOTHING_DECLARED.under(LOCATION, hit=hit.id) if hit.chooses else None


def _set_location(draft: Draft, hit: Hit, location_name: str) -> None:
    location = draft.get_campaign().locations.get(location_name)
    if location is None:
        raise UNKNOWN_LOCATION(location=location_name)
    require(may_choose_location(draft, hit, location_name))
    draft.here(LocationSet(hit.id, location_name, location.severity, "attacker" if hit.chooses else "gm", None))
    draft.by(LOCATION, location.severity, location=location_name)


def _list_hits_by_net(offering: Offering, fields: Fields) -> Iterator[Move]:
    """Yield hits with a net that the game master enters."""
    for weapon_fields in _make_weapon_fields(offering):
        net_fields: Fields = {"net": Between(1), "location": _make_location_domain(offering, is_chosen=True)}
        yield Move(ScoreHit, {**fields, **weapon_fields, **net_fields})


def _make_weapon_fields(offering: Offering) -> tuple[Fields, Fields]:
    """Return the fields for a weapon of the campaign, and for one entered by its numbers."""
    yes_or_no = Among((False, True))
    number_fields: Fields = {"weapon": LEFT_OUT, "damage": Between(0), "lethality": Between(1), "lethal": yes_or_no}
    return {"weapon": Among(tuple(offering.campaign.weapons))}, number_fields


def _make_location_domain(offering: Offering, *, is_chosen: bool) -> Among:
    return Among((None, *offering.campaign.locations)) if offering.is_gm or is_chosen else LEFT_OUT


def list_hit_moves(offering: Offering) -> Iterator[Move]:
    """Yield moves that record hits of attacks, with an entered net or with the attack's result."""
    active_actions = [action for action in offering.actions if action.character in offering.active_ids]
    pairs = (
        (action.id, (action.character, part_index, offering.list_open_targets(action, part_index)))
        for action in active_actions
        for part_index in range(len(action.parts))
        if offering.is_gm and offering.list_open_targets(action, part_index)
    )
    for (char_id, index, targets), action_ids in group_ids(pairs).items():
        attack_fields: Fields = {"attacker": fix(char_id), "action": Among(action_ids), "part": fix(index)}
        yield from _list_hits_by_net(offering, {**attack_fields, "target": Among(targets)})
    results = [(action, result) for action in active_actions for result in _list_results(offering, action)]
    for action, (_, index, targets, _) in results:
        yield from _list_named_hits(offering, action, index, targets) if action.weapon else ()
    groups = group_ids((action.id, result) for action, result in results)
    for (char_id, index, targets, is_chosen), action_ids in groups.items():
        attack_fields = {
            "attacker": fix(char_id),
            "action": Among(action_ids),
            "part": fix(index),
            "target": Among(targets),
        }
        location_domain = _make_location_domain(offering, is_chosen=is_chosen)
        for weapon_fields in _make_weapon_fields(offering):
            yield Move(ScoreHit, {**weapon_fields, **attack_fields, "location": location_domain})


def _list_named_hits(offering: Offering, action: Action, part_index: int, targets: tuple[str, ...]) -> Iterator[Move]:
    """Yield hits with the weapon that the attack named, after the targets have answered."""
    unanswered_by_target = rolling.find_unanswered(offering, action, part_index)
    for target in (target for target in targets if unanswered_by_target.get(target) is False):
        do = ScoreHit(action.character, target, action.weapon, action=action.id, part=part_index)
        fields = {name: fix(getattr(do, name)) for name in ("attacker", "target", "weapon", "action", "part")}
        yield Move(ScoreHit, fields, TO_HIT, action.character, follows=do)


def _list_results(offering: Offering, action: Action) -> Iterator[tuple[str, int, tuple[str, ...], bool]]:
    """Yield the attacker, the part and the targets that are hit. Targets whose hit location the attacker chooses are
    yielded separately.
    """
    for part_index, part in enumerate(action.parts):
        audience = find_audience(action, part_index)
        may_see = offering.seen.seat.may_see(audience) and offering.seen.viewer.may_see(audience)
        if part.stage == "pre-empted" or not has_known_result(part) or not (part.claims or may_see):
            continue
        outcome = offering.find_outcome(action, part_index)
        net_by_id = {
            char_id: count_net(part, outcome, char_id)
            for char_id in offering.list_open_targets(action, part_index)
            if not rolling.is_answer_awaited(offering, action, part_index, char_id)
        }
        for is_chosen in (False, True):
            hit_ids = tuple(
                char_id for char_id, net in net_by_id.items() if net >= 1 and (net >= OUTSTANDING) == is_chosen
            )
            if hit_ids:
                yield action.character, part_index, hit_ids, is_chosen


# --- location ---------------------------------------------------------------------------------------------------------


class OfAHit(Protocol):
    """A declaration that names its hit."""

    @property
    def hit(self) -> str: ...


def _find_attacker(table: Table[object], do: OfAHit) -> str | None:
    scene = pools.find_scene(table)
    hit = scene.hits.get(do.hit) if scene is not None else None
    return hit.attacker if hit is not None else None


ATTACKER = either(_find_attacker, "the player of the attacker")


@nobody_acts
@declares(
    "set-location",
    ATTACKER,
    says=whether("location", "The hit location is the {location}.", "A die decides the hit location."),
    records=(LocationSet,),
)
class SetLocation:
    """Set the hit location. `location`: the location that the attacker or the game master chose.

    Without it, one d10 (`face`) decides. A 10 does not add a bonus die here.
    """

    hit: HitId
    location: LocationName | None = None
    face: Annotated[Face | None, Says("Face", "The d10 you rolled. Leave it out to be asked for it.")] = None


@decides
def set_location(draft: Draft, do: SetLocation) -> Asking[None]:
    hit = draft.get_hit(do.hit, "scored")
    if do.location is not None:
        _set_location(draft, hit, do.location)
        return
    require(may_leave_to_die(draft, hit))
    if do.face is not None:
        (face,) = check_faces((do.face,), 10)
    else:
        (face,) = yield from roll(character(hit.attacker), 1, 10, slot="location", purpose="hit location")
    locations = draft.get_campaign().locations
    location_name = next((name for name, row in locations.items() if row.low <= face <= row.high), "torso")
    severity = locations[location_name].severity if location_name in locations else 0
    draft.here(LocationSet(hit.id, location_name, severity, "die", face))
    draft.by(LOCATION, location_name, face=face)


def find_scored_hit(log: RecordedFacts, hit_id: str) -> Hit | None:
    facts = (about.fact for about in list_making_facts(log, hit_id))
    return next((fact.what for fact in facts if isinstance(fact, HitScored) and fact.hit == hit_id), None)


@throws
def list_location_typed(do: SetLocation, log: RecordedFacts) -> Iterator[Thrown]:
    hit = find_scored_hit(log, do.hit)
    if do.face is not None and do.location is None and hit is not None:
        yield Thrown(character(hit.attacker), 10, check_faces((do.face,), 10))


@reports
def report_location(fact: LocationSet) -> Iterator[Roll]:
    if fact.face is not None:
        yield Roll(name="Hit location", dice=show_dice((fact.face,), ()), effect=words(fact.location))


def list_location_moves(offering: Offering, hit: Hit, fields: Fields) -> Iterator[Move]:
    """Yield ways to set the location: the attacker or the game master chooses it, or a die decides."""
    awaits = None if hit.location else LOCATION
    if may_choose_location(offering.draft, hit, "") is None:
        yield Move(SetLocation, {**fields, "location": Among(tuple(offering.campaign.locations))}, awaits, hit.attacker)
    if may_leave_to_die(offering.draft, hit) is None:
        die_fields: Fields = {**fields, "face": Either((LEFT_OUT, Between(1, 10)))}
        yield Move(SetLocation, die_fields, awaits, hit.attacker, follows=SetLocation(hit.id) if awaits else None)


@offers
def offer_hits(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    if offering.scene is None:
        return
    if offering.is_gm and (ids := offering.active_ids):
        yield from _list_hits_by_net(offering, {"attacker": Among(ids), "target": Among(offering.roster)})
    yield from list_hit_moves(offering)
    for hit in offering.scene.hits.values():
        if hit.stage == "scored":
            yield from list_location_moves(offering, hit, {"hit": fix(hit.id)})
