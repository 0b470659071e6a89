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
from ledger.rules.mongrel.draft import BAD_NUMBER, BAD_SCORE, Draft, asked_again, check_natural
from ledger.rules.mongrel.sight import Fields, Sight, grouped, look
from ledger.rules.mongrel.state import Character, add_to_score, physique_of
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

# --- what a hit does -------------------------------------------------------------------------------------------------


def say_net(given: Mapping[str, Any]) -> str:
    """Say the damage with the weapon and the armour that there are."""
    weapon = ", plus {weapon} for the weapon" if given.get("weapon") else ""
    armour = ", minus {armour} for the armour" if given.get("armour") else ""
    return f"Effect {{effect}}{weapon}{armour}: {{out:point|points}} of damage." if "effect" in given else ""


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
    """`shunt`: points said beforehand to go to Beauty; None asks the target's side."""

    effect: int
    weapon: int = 0
    armour: int = 0
    shunt: Number = None
    reason: str = ""
    ruling: str | None = None


def net_of(blow: Blow) -> int:
    return max(0, blow.effect + blow.weapon - blow.armour)


def check_weapon(draft: Draft, weapon: Number, armour: Number) -> tuple[int, int]:
    """Return the values of both. Refuses `bad-score`, `weapon-cap`."""
    adds, stops = check_natural(NET, BAD_SCORE, weapon=weapon, armour=armour)
    cap = draft.dials.weapon_bonus_cap
    if cap is not None and adds > cap:
        raise WEAPON_CAP(weapon=adds, cap=cap)
    return adds, stops


def say_blow(word: DamageRolled, names: Names) -> str:
    """Say the hit, and what weapon and armour leave of it."""
    weapon = f", plus {word.weapon} for the weapon" if word.weapon else ""
    armour = f", minus {word.armour} for the armour" if word.armour else ""
    if not word.net:
        return say("The hit does no damage to {character}[: {reason}].", word, names)
    of = f" (Effect {word.effect}{weapon}{armour})" if weapon or armour else ""
    return say(f"{{character}} is hit for {{net:point|points}} of damage{of}[: {{reason}}].", word, names)


@fact("damage-rolled", says=say_blow, changes=None)
class DamageRolled:
    """A physical hit. `net`: the damage, after the weapon is added and the armour is subtracted. `ruling`: the task
    that caused the hit.
    """

    character: CharacterId
    effect: int
    weapon: int
    armour: int
    net: int
    reason: Reason
    ruling: HittingTask | None


def physical_hit(draft: Draft, id: str, blow: Blow, *, also: bool = False) -> Asking[None]:
    """Land a physical hit: subtract the armour, ask about Beauty, count the rest.

    `also`: the target is one of several and is asked by name.
    """
    net = net_of(blow)
    draft.about(id, DamageRolled(id, blow.effect, blow.weapon, blow.armour, net, blow.reason, blow.ruling))
    draft.by(NET, net, effect=blow.effect, weapon=blow.weapon, armour=blow.armour)
    shunted = yield from _shunted(draft, id, blow.shunt, net, also=also)
    if net == 0:
        return
    if shunted:
        fact = DamageShunted(id, shunted, 1, shunted - 1)
        scars = accounts.move(accounts.beauty(id), accounts.SCARS, 1)
        draft.about(id, fact, scars, accounts.move(accounts.beauty(id), accounts.BRUISES, shunted - 1))
        draft.by(SHUNT, net - shunted, net=net, shunted=shunted)
        draft.mark(id, "beauty")
    _count(draft, id, net - shunted)


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
    """Points of damage lower Beauty instead of counting as damage. `shunted`: how many points. `permanent`,
    `temporary`: how much Beauty is lost permanently, and how much temporarily.
    """

    character: CharacterId
    shunted: int
    permanent: int
    temporary: int


@changes
@once_created
def lose_beauty(state: Character, fact: DamageShunted) -> Character:
    scarred = add_to_score(state.attributes, "beauty", -fact.permanent)
    return changed(state, attributes=scarred, beauty_temp=state.beauty_temp + fact.temporary)


@choice(
    "shunt",
    says=whether("points", "{points:point of damage goes|points of damage go} to Beauty.", "No damage goes to Beauty."),
)
class Shunt:
    """Choose how many points of damage lower Beauty instead of counting as damage (0 for none)."""

    points: Shunted = 0


def may_shunt_nothing(points: Number) -> Refused | None:
    """Refuse any shunt of a miss, and of a task that does no damage."""
    return NOTHING_TO_SHUNT(points=repr(points)) if points is not None and points != 0 else None


def may_shunt(draft: Draft, id: str, points: Number, net: int) -> Refused | None:
    """Refuse more than the damage, and more than Beauty."""
    most = _find_most(draft, id, net)
    if is_natural(points) and points <= most:
        return None
    return SHUNT_TOO_LARGE(character=id, points=repr(points), most=most)


def _find_most(draft: Draft, id: str, net: int) -> int:
    return max(0, min(net, draft.score(id, "beauty")))


def _shunted(draft: Draft, id: str, points: Number, net: int, *, also: bool) -> Asking[int]:
    """Return the points declared or asked for. A choice that is too large is asked for again."""
    if points is not None:
        require(may_shunt(draft, id, points, net))
        assert is_natural(points)
        return points
    most = _find_most(draft, id, net)
    if most == 0:
        return 0
    owner, whose = draft.table.owner(character(id)), f" of {draft.table.name(character(id))}" if also else ""
    purpose, slot = f"How much of the damage ({net}) goes to Beauty{whose}?", ASK_SHUNT(id) if also else ASK_SHUNT()
    chosen = yield from ask(owner, Shunt, slot=slot, purpose=purpose, within=shunting(most))
    with asked_again():
        require(may_shunt(draft, id, chosen.points, net))
    assert is_natural(chosen.points)
    return chosen.points


def shunting(most: int) -> Iterator[Shape]:
    """`mongrel.damage.shunt`"""
    yield Shape(Shunt, {"points": Between(0, most)})


# --- the table -------------------------------------------------------------------------------------------------------

ZONE_WORDS: Mapping[str, str] = {
    "row": "in the Size row",
    "clear": "in the clear zone",
    "gray": "in the gray zone",
    "terminal": "which is terminal",
}


def say_zones(given: Mapping[str, Any]) -> str:
    lies = ZONE_WORDS.get(given["out"])
    where = f", {lies}" if lies else ""
    return (
        f"With Size {{size}} and Physique {{physique}}: {{total:point|points}} of damage{where}."
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


def zone_of(total: int, size: int, physique: int, dials: Dials) -> Zone:
    """Return the zone in which a total lies; 0 and less lie in the row (`mongrel.damage.zones`)."""
    column = total - size
    if column <= 0:
        return "row"
    if column > 2 * (size if dials.terminal_basis == "size" else physique):
        return "terminal"
    return "clear" if column <= physique else "gray"


def say_damage(word: DamageCounted, names: Names) -> str:
    """Say in which row of the table the damage lies."""
    if word.zone == "shunted":
        return say("The whole hit on {character} goes to Beauty.", word, names)
    where = ZONE_WORDS.get(word.zone)
    return say(f"{{character}} has {{after:point|points}} of damage{f', {where}' if where else ''}.", word, names)


@fact("damage-counted", says=say_damage, headline=3)
class DamageCounted:
    """Damage is counted. `kept`: how much the lasting total grows; 0 if the table does not add hits together."""

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
    """A character loses Physique to a wound."""

    character: CharacterId
    amount: int


@changes
@once_created
def lose_physique(state: Character, fact: PhysiqueReduced) -> Character:
    return changed(state, physique_loss=state.physique_loss + fact.amount)


def _count(draft: Draft, id: str, counted: int) -> None:
    """Take the steps of `mongrel.damage.hit`, in order."""
    who = draft.who(id)
    size, physique = who.attributes.get("size", 0), physique_of(who)
    adds_up = draft.dials.damage_track == "cumulative"
    before = who.damage if adds_up else 0
    after = before + counted
    cause: TerminalCause | None = "collapsed" if who.collapsed else "stage" if who.terminal else None
    lies: Zone = zone_of(after, size, physique, draft.dials) if counted else "shunted"
    zone: Zone = "terminal" if cause else lies
    kept = counted if adds_up else 0
    draft.about(id, DamageCounted(id, counted, kept, before, after, zone, size, physique))
    draft.by(ZONES, lies, total=after, size=size, physique=physique)
    draft.by(HIT, zone, before=before, counted=counted, after=after)
    if counted:
        draft.mark(id, "size", "physique")
    if before < size <= after:
        death.lose_ap(draft, id, 1, "size reached")
    if zone == "terminal":
        death.terminal(draft, id, cause or "column")
    elif zone == "gray":
        death.collapse(draft, id, "damage")
    elif zone == "clear" or (zone == "row" and _on_size(draft, after, size, physique)):
        draft.about(id, PhysiqueReduced(id, 1))


def _on_size(draft: Draft, after: int, size: int, physique: int) -> bool:
    """Return whether the total lies exactly on Size, where that costs Physique (`exact_size_costs_physique`)."""
    return draft.dials.exact_size_costs_physique and after == size and physique >= 1


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


def counted(**parts: int) -> str:
    """Say how much there is of each: `2 points of damage and 1 of Physique`; nothing if all are 0."""
    named = [
        f"{number} {'point' if number == 1 else 'points'} of {words(name)}" for name, number in parts.items() if number
    ]
    return listed(named) if named else "nothing"


def say_healed(word: Any, names: Names) -> str:
    """Say which wounds heal."""
    parts = counted(damage=word.damage, Physique=word.physique, Beauty=word.beauty)
    ended = getattr(word, "terminal_ended", False) or getattr(word, "end_terminal", False)
    out = " and leaves the terminal stage" if ended else ""
    return say(f"{{character}} heals {parts}{out}[: {{reason}}].", word, names)


@fact("wounds-healed", says=say_healed)
class WoundsHealed:
    """A character heals. `damage`, `physique`, `beauty`: how much. `terminal_ended`: whether the terminal
    stage ends.
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
    """Heal what is there. What is missing because its hit was struck does not heal, or the next hit would count less.

    Then the fact goes adrift as well, for somebody to resolve.
    """
    healed = [
        (state.damage, fact.damage),
        (state.physique_loss, fact.physique),
        (state.beauty_temp, fact.beauty),
    ]
    damage, physique_loss, beauty_temp = (had - max(0, min(had, healing)) for had, healing in healed)
    short = any(healing > max(0, had) for had, healing in healed)
    return changed(
        state,
        damage=damage,
        physique_loss=physique_loss,
        beauty_temp=beauty_temp,
        terminal=state.terminal and not fact.terminal_ended,
        adrift=(*state.adrift, fact) if short else state.adrift,
    )


@declares("heal", GM, says=say_healed, records=(WoundsHealed,))
class Heal:
    """Heal a character, by at most as much as they lost."""

    character: CharacterId
    damage: Annotated[Natural, Says("Damage healed")] = 0
    physique: Annotated[Natural, Says("Physique regained")] = 0
    beauty: Annotated[Natural, Says("Beauty regained")] = 0
    end_terminal: Annotated[bool, Says("End the terminal stage")] = False
    reason: Reason = ""


@decides
def heal(draft: Draft, do: Heal) -> None:
    """Heal what a game master rules, at most what was lost (`mongrel.damage.healing`)."""
    id = do.character
    who = acting.check_alive(draft, id)
    damage, physique, beauty = check_natural(
        HEALING, BAD_NUMBER, damage=do.damage, physique=do.physique, beauty=do.beauty
    )
    names, most = ("damage", "physique", "beauty"), healable(draft, id)
    for name, healed, lost in zip(names, (damage, physique, beauty), most, strict=True):
        if healed > lost:
            raise HEAL_TOO_MUCH(character=id, what=name, healed=healed, lost=lost)
    ended = do.end_terminal and who.terminal
    fact = WoundsHealed(id, damage, physique, beauty, ended, do.reason)
    draft.about(id, fact, accounts.move(accounts.BRUISES, accounts.beauty(id), beauty))
    draft.by(HEALING, do.reason, damage=damage, physique=physique, beauty=beauty)
    if ended:
        draft.by(death.TERMINAL_STAGE, "ended")


def healable(draft: Draft, id: str) -> tuple[int, int, int]:
    """Return what was lost and can heal: damage, Physique, Beauty."""
    who = draft.who(id)
    bruised = who.beauty_temp
    if bruised > 0:
        bruised = min(bruised, who.attributes.get("beauty", 0) - draft.balance(accounts.beauty(id)))
    return max(0, who.damage), max(0, who.physique_loss), max(0, bruised)


@offers
def offer_healing(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight = look(seen, draft)
    for lost, hurt in grouped(sight.alive, lambda id: _find_losses(sight, id)):
        damage, physique, beauty = (Between(0, most) for most in lost)
        healed: Fields = {"damage": damage, "physique": physique, "beauty": beauty, "end_terminal": OPEN}
        yield Move(Heal, {"character": hurt, **healed})


def _find_losses(sight: Sight, id: str) -> tuple[int, ...] | None:
    """Return what there is to heal: damage, Physique, Beauty."""
    lost = healable(sight.draft, id)
    return lost if any(lost) or sight.people[id].terminal else None
