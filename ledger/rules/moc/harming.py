"""Resisting damage, and what a hit does to a body (headings "Resisting Damage", "Damage")."""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel.contract import Table, Verdict
from ledger.rules.kernel.questions import Asking, ask, roll
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import character
from ledger.rules.moc import accounts, facts, inputs, numbers, terms
from ledger.rules.moc.cards_on_dice import Pool, lay, lay_after
from ledger.rules.moc.choices import Ignore
from ledger.rules.moc.counting import resisted
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.own_dice import laid as floating
from ledger.rules.moc.state import Damage, Play, Resisting
from ledger.rules.moc.terms import MOST_DAMAGE, PRIMARIES, STANDARD_TN


def resist(table: Table[Dials], do: inputs.ResistDamage) -> Asking[Verdict[Any]]:
    """`moc.combat.resist`: successes turn points into pain; a 10 may remove one outright."""
    rule, ruling = "moc.combat.resist", Ruling(table)
    hit = ruling.hit(do.hit, "rolled")
    id = hit.target
    pain = terms.whole(do.pain, "negative-harm", rule)
    fatigue = terms.whole(do.fatigue, "negative-harm", rule)
    count = ruling.active(id, "body") + floating(ruling, id, do.floating)
    if do.token is not None:
        count += ruling.spend_token(id, "T", ruling.token_pool("T", do.token))
    tn = max(ruling.dials.tn_floor, STANDARD_TN + hit.severity)
    typed = _typed(count, do) if do.faces is not None else None
    there = len(typed[0]) + len(typed[1]) if typed is not None else count
    lay(ruling, do.cards, Pool("resisting", id, (there,), hit.element, hit.id))
    faces, bonus, ignored = typed if typed is not None else (yield from _rolled(ruling, id, count))
    if do.ask_cards and typed is None:
        fallen = Pool("resisting", id, (len(faces) + len(bonus),), hit.element, hit.id)
        yield from lay_after(ruling, fallen)
    _resisted(ruling, hit.id, Resisting(tn, faces, bonus, tuple(sorted(ignored)), pain), fatigue)
    return ruling.verdict()


def _resisted(ruling: Ruling, id: str, own: Resisting, fatigue: int = 0) -> None:
    """What the dice that resist come to, with what lies on them; and what the hit does then."""
    hit, plays = ruling.scene().hits[id], ruling.scene().damage.get(id, Damage()).plays
    tens = ruling.dials.ten_ignores == "all"
    conversions, removals = resisted(own, plays, hit.resistible, tens_take_all=tens)
    ruling.here(
        facts.DamageResisted(id, own.tn, own.faces, own.bonus, conversions, removals, own.ignored, own.pain)
    )  # fmt: skip
    ruling.by("moc.combat.resist", conversions, tn=own.tn, dice=len(own.faces), removals=removals)
    harm(ruling, hit.target, id, (hit.resistible, hit.unresistible, conversions, removals, own.pain), fatigue, "")


def reconsider(ruling: Ruling, id: str, was: tuple[Play, ...]) -> None:
    """`moc.trump.effect`: where what resisted the hit counts otherwise now, its harm is undone and told anew.

    `was`: what lay on it before.
    """
    hit, dice = ruling.scene().hits[id], ruling.scene().damage.get(id, Damage())
    own = dice.resisting
    if hit.stage != "applied" or own is None:
        return
    tens = ruling.dials.ten_ignores == "all"
    now, then = (resisted(own, plays, hit.resistible, tens_take_all=tens) for plays in (dice.plays, was))
    if now == then:
        return
    before = ruling.who(hit.target).harm
    lost = before.lost if before is not None else {}
    back = [accounts.move(accounts.TOKENS, accounts.token(hit.target, primary), n) for primary, n in lost.items()]
    ruling.about(hit.target, facts.HarmUndone(id), *back)
    ruling.by("moc.trump.effect", id, character=hit.target)
    _resisted(ruling, id, own)


def _typed(count: int, do: inputs.ResistDamage) -> tuple[tuple[int, ...], tuple[int, ...], set[int]]:
    """Refuses `not-a-ten`, and dice that do not fit."""
    faces, bonus = tuple(do.faces or ()), tuple(do.bonus)
    numbers.check_faces((*faces, *bonus), 10)
    if len(faces) != count:
        raise Refused("moc.dice.faces", "wrong-dice-count", expected=count, given=len(faces))
    both = (*faces, *bonus)
    for die in do.ignore:
        if type(die) is not int or not 0 <= die < len(both) or both[die] != 10:
            raise Refused("moc.combat.resist", "not-a-ten", die=str(die))
    ignored = set(do.ignore)
    opening = [face == 10 and die not in ignored for die, face in enumerate(both)]
    owed = sum(opening[:count])
    for place in range(count, len(both)):
        if owed == 0:
            raise Refused("moc.dice.open-ended", "unearned-bonus-die", face=both[place])
        owed += opening[place] - 1
    if owed:
        raise Refused("moc.dice.open-ended", "bonus-die-missing", missing=owed)
    return faces, bonus, ignored


def _rolled(ruling: Ruling, id: str, count: int) -> Asking[tuple[tuple[int, ...], tuple[int, ...], set[int]]]:
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
        purpose = "which 10s remove a point instead of opening"
        said = yield from ask(ruling.table.owner(who), Ignore, slot="tens", purpose=purpose)
        if not set(said.dice) <= tens:
            raise Unfit("moc.combat.resist", "not-a-ten", dice=list(said.dice))
        ignored |= set(said.dice)
        owed = len(tens - set(said.dice))
        if not owed:
            return faces, bonus, ignored
        new = range(len(both), len(both) + owed)
        bonus += yield from roll(who, owed, 10, slot="resist:bonus", purpose="resisting damage: bonus dice")


# --- harm ---


def apply_harm(table: Table[Dials], do: inputs.ApplyHarm) -> Verdict[Any]:
    """`moc.combat.apply`: one hit by its numbers."""
    rule, ruling = "moc.combat.apply", Ruling(table)
    ruling.who(do.character)
    given = (do.resistible, do.unresistible, do.conversions, do.removals, do.pain)
    points = tuple(terms.whole(one, "negative-harm", rule) for one in given)
    fatigue = terms.whole(do.fatigue, "negative-harm", rule)
    if not any((*points, fatigue)):
        raise Refused(rule, "nothing-declared")
    harm(ruling, do.character, "", points, fatigue, do.reason)
    return ruling.verdict()


def harm(ruling: Ruling, id: str, hit: str, points: tuple[int, ...], fatigue: int, reason: str) -> None:
    """`points`: resistible, unresistible, conversions, removals, direct pain."""
    rule, who = "moc.combat.apply", ruling.who(id)
    resistible, unresistible, conversions, removals, direct = points
    free = max(0, numbers.pain_capacity(who.ratings) - who.pain)
    removed = min(removals, resistible)
    converted = min(conversions, resistible - removed, free)
    felt = min(direct, free - converted)
    damage = resistible - removed - converted + unresistible + direct - felt
    pain = converted + felt
    if any(points) or hit:
        ruling.about(id, facts.HarmApplied(hit, damage, pain, removed, reason))
        ruling.by(rule, damage, pain=pain, removed=removed)
    if damage or (pain and ruling.dials.pain_strips_tokens):
        _strip(ruling, id)
    if damage and ruling.who(id).damage == MOST_DAMAGE and ruling.who(id).status == "active":
        ruling.about(id, facts.CharacterDowned())
    shock = pain + (damage if ruling.dials.daze_counts == "pain_plus_damage" else 0)
    if shock > numbers.daze_limit(who.ratings) and not who.dazed:
        ruling.about(id, facts.CharacterDazed())
        ruling.by("moc.combat.dazed", shock, limit=numbers.daze_limit(who.ratings))
    if fatigue:
        ruling.about(id, facts.FatigueGained(fatigue, reason or "a hit"))
        ruling.by("moc.combat.fatigue", fatigue)
    if damage or pain:
        ruling.interrupted(id, "an injury")


def _strip(ruling: Ruling, id: str) -> None:
    """Every pool above what is left of six loses the excess."""
    who = ruling.who(id)
    most = MOST_DAMAGE - who.damage
    if ruling.dials.pain_strips_tokens:
        most = max(0, most - who.pain_turn)
    held = {primary: ruling.balance(accounts.token(id, primary)) for primary in PRIMARIES}
    lost = {primary: count - most for primary, count in held.items() if count > most}
    if lost:
        moved = [accounts.move(accounts.token(id, primary), accounts.TOKENS, n) for primary, n in lost.items()]
        ruling.about(id, facts.TokensLost(lost), *moved)
        ruling.by("moc.combat.apply", most, lost=lost)
