"""Hits and their damage (heading "Combat" and below)."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.rules.kernel.questions import Asking, roll
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from ledger.rules.moc import facts_of_dice, guards, inputs_of_combat, numbers, terms
from ledger.rules.moc.cards_on_dice import damage_pool, lay
from ledger.rules.moc.counting import damage_points
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.outcomes import Outcome, declared_on, hit_by, open_targets, outcome_of
from ledger.rules.moc.own_dice import laid as floating
from ledger.rules.moc.piles import effective
from ledger.rules.moc.state_of_actions import Action, Part
from ledger.rules.moc.state_of_combat import Damage, Hit
from ledger.rules.moc.tables import Weapon

LETHAL_DICE = 6


# --- hits ---


def score_hit(draft: Draft, do: inputs_of_combat.ScoreHit) -> None:
    """`moc.combat.to-hit`, `moc.combat.damage-pool`: how many dice, of which kind."""
    rule = "moc.combat.damage-pool"
    draft.who(do.attacker)
    draft.who(do.target)
    attack = _attack(draft, do)
    net = _net(draft, do, attack)
    weapon = _weapon(draft, do)
    if net < 1:
        raise Refused("moc.combat.to-hit", "not-a-hit", net=net)
    _check_agreed(draft, do, attack)
    _check_first(draft, do, attack)
    dice = weapon.damage + (draft.who(do.attacker).ratings.get(weapon.adds, 0) if weapon.adds else 0)
    dice = max(LETHAL_DICE, dice) if weapon.lethal else dice
    dice = max(0, dice - 1 if net == 1 else dice) + attack.dice
    dice = max(0, dice + draft.own_dice(do.attacker, "damage"))
    raising = draft.dials.raise_effect == "raise_dice"
    hit = Hit(
        draft.table.new_id(), do.attacker, do.target, net, net >= 4, dice, net - 1 if raising else 0,
        6 if net <= 2 else 10, weapon.lethality, flat=0 if raising else net - 1, element=attack.element,
        action=do.action or "", part=attack.place,
    )  # fmt: skip
    draft.here(facts_of_dice.HitScored(hit.id, hit))
    draft.by("moc.combat.to-hit", net, target=do.target)
    draft.by(rule, dice, sides=hit.sides, raises=net - 1)
    if do.location is not None:
        _locate(draft, hit, do.location)


@dataclass(frozen=True, slots=True)
class Attack:
    """The roll that hits. `place`: which part of the `action`; `dice`: of Martial Arts beads on it. None: no action."""

    action: Action | None = None
    place: int = 0
    element: str = ""
    dice: int = 0

    @property
    def part(self) -> Part | None:
        return self.action.parts[self.place] if self.action is not None else None


def _attack(draft: Draft, do: inputs_of_combat.ScoreHit) -> Attack:
    """Refuses `unknown-action`: the attacker's own; `not-an-attack`: any other roll than one to hit."""
    if do.action is None:
        return Attack()
    action = draft.action(do.action, closed=True)
    if action.character != do.attacker:
        raise Refused("moc.combat.to-hit", "unknown-action", action=do.action)
    place, part = draft.part(action, do.part, resolved=True)
    if part.roll.kind != "to_hit":
        raise Refused("moc.combat.to-hit", "not-an-attack", action=action.id, part=place)
    dice = sum(
        play.successes
        for play in action.plays
        if play.use == "martial_arts" and play.part == place and effective(action.plays, play)
    )
    return Attack(action, place, part.roll.element, dice)


def _net(draft: Draft, do: inputs_of_combat.ScoreHit, attack: Attack) -> int:
    """As it is said; left out, what the attack came to."""
    if do.net is not None or attack.action is None or attack.part is None:
        return terms.whole(do.net, "negative-successes", "moc.combat.to-hit")
    if not attack.part.claims:
        guards.must_see(draft, attack.action, attack.place)
    if attack.part.stage == "pre-empted" or not is_thrown(attack.part):
        raise Refused("moc.combat.to-hit", "roll-not-completed", part=attack.place)
    return net_against(attack.part, outcome_of(draft, attack.action, attack.place), do.target)


def is_thrown(part: Part) -> bool:
    """Whether it is settled what the roll came to."""
    return bool(part.rolled or part.white) or part.stage == "resolved"


def net_against(part: Part, found: Outcome, target: str) -> int:
    """What a roll came to against this target: what was declared of it, less what was taken off; else all of it."""
    claims = [one for one in part.claims if one.target == target]
    net = sum(max(0, one.number - one.taken) for one in claims) if part.claims else found.total
    if part.claims and found.trumped:
        net = 0
    return max(3, net) if part.white and (claims or not part.claims) else net


def _check_agreed(draft: Draft, do: inputs_of_combat.ScoreHit, attack: Attack) -> None:
    """Refuses `gm-approval-needed`: a hit without an attack, or by another net than it came to."""
    if draft.table.by.role == "gm" or (do.net is None and do.action is not None):
        return
    action, part = attack.action, attack.part
    if action is not None and part is not None and part.stage != "pre-empted" and is_thrown(part):
        if not part.claims:
            guards.must_see(draft, action, attack.place)
        if net_against(part, outcome_of(draft, action, attack.place), do.target) == do.net:
            return
    raise Refused("moc.combat.to-hit", "gm-approval-needed", action=do.action)


def _check_first(draft: Draft, do: inputs_of_combat.ScoreHit, attack: Attack) -> None:
    """One attack hits once: each target that successes were declared on, or one target where none were declared.

    Refuses `already-scored`, `nothing-declared`.
    """
    if attack.action is None or attack.part is None:
        return
    rule, action = "moc.combat.to-hit", attack.action.id
    hit = hit_by(draft.scene(), action, attack.place)
    if do.target in hit:
        raise Refused(rule, "already-scored", action=action, target=do.target)
    if do.target in open_targets(attack.part, hit, (do.target,)):
        return
    if undeclared := hit - declared_on(attack.part):
        raise Refused(rule, "already-scored", action=action, target=min(undeclared))
    raise Refused(rule, "nothing-declared", action=action, target=do.target)


def _weapon(draft: Draft, do: inputs_of_combat.ScoreHit) -> Weapon:
    rule = "moc.combat.damage-pool"
    if do.weapon is not None:
        found = draft.campaign().weapons.get(do.weapon)
        if found is None:
            raise Refused(rule, "unknown-weapon", weapon=do.weapon)
        return found
    damage = terms.whole(do.damage, "negative-dice", rule)
    return Weapon(do.lethal, damage, terms.whole(do.lethality, "value-not-positive", rule, 1))


def set_location(draft: Draft, do: inputs_of_combat.SetLocation) -> Asking[None]:
    """`moc.combat.location`."""
    rule = "moc.combat.location"
    hit = draft.hit(do.hit, "scored")
    if do.location is not None:
        _locate(draft, hit, do.location)
        return
    if hit.chooses:
        raise Refused(rule, "nothing-declared", hit=hit.id)
    if do.face is not None:
        (face,) = numbers.check_faces((do.face,), 10)
    else:
        (face,) = yield from roll(character(hit.attacker), 1, 10, slot="location", purpose="hit location")
    found = next(
        (name for name, one in draft.campaign().locations.items() if one.low <= face <= one.high), "torso"
    )  # fmt: skip
    severity = draft.campaign().locations[found].severity if found in draft.campaign().locations else 0
    draft.here(facts_of_dice.LocationSet(hit.id, found, severity, "die", face))
    draft.by(rule, found, face=face)


def _locate(draft: Draft, hit: Hit, location: str) -> None:
    """Chosen with an Outstanding hit, else the game master's."""
    rule, found = "moc.combat.location", draft.campaign().locations.get(location)
    if found is None:
        raise Refused(rule, "unknown-location", location=location)
    gm = draft.table.by.role == "gm"
    if not hit.chooses and not gm:
        raise Refused(rule, "gm-approval-needed", location=location)
    draft.here(facts_of_dice.LocationSet(hit.id, location, found.severity, "attacker" if hit.chooses else "gm", None))
    draft.by(rule, found.severity, location=location)


def roll_damage(draft: Draft, do: inputs_of_combat.RollDamage) -> Asking[None]:
    """`moc.combat.damage-roll`: each die at or above the threshold is a point; those of raises are unresistible."""
    rule = "moc.combat.damage-roll"
    hit = draft.hit(do.hit, "scored")
    if not hit.location:
        raise Refused("moc.combat.location", "nothing-declared", hit=hit.id)
    threshold = max(draft.dials.tn_floor, hit.lethality - hit.severity)
    typed: tuple[int, int] | None = None
    dice = hit.dice + floating(draft, hit.attacker, do.floating)
    if do.faces is not None:
        base, bonus = numbers.check_pool(dice, do.faces, do.bonus, hit.sides)
        extra, extra_bonus = numbers.check_pool(hit.raises, do.raise_faces, do.raise_bonus, hit.sides)
        typed = len(base) + len(bonus), len(extra) + len(extra_bonus)
    lay(draft, do.cards, damage_pool(draft, hit, typed or (dice, hit.raises)))
    if typed is None:
        base, bonus = yield from draft.pool(hit.attacker, dice, None, (), "damage", sides=hit.sides)
        extra, extra_bonus = yield from draft.pool(hit.attacker, hit.raises, None, (), "raises", sides=hit.sides)
    plays = draft.scene().damage.get(hit.id, Damage()).plays
    resistible, unresistible = damage_points(Damage(threshold, base, bonus, extra, extra_bonus, plays))
    unresistible += hit.flat
    done = facts_of_dice.DamageRolled(hit.id, threshold, base, bonus, extra, extra_bonus, resistible, unresistible)
    draft.here(done)
    draft.by(rule, resistible + unresistible, threshold=threshold, unresistible=unresistible)
