"""Resisting damage, and what a hit does to a body (headings "Resisting Damage", "Damage")."""

from __future__ import annotations

from ledger.rules.kernel.moves import Among, Shape, Some
from ledger.rules.kernel.phrases import listed
from ledger.rules.kernel.questions import Asking, ask, roll
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import character
from ledger.rules.moc import (
    accounts,
    facts_of_bodies,
    facts_of_dice,
    facts_of_people,
    inputs_of_combat,
    numbers,
    terms,
    tokens,
)
from ledger.rules.moc.cards_on_dice import Pool, lay, lay_after
from ledger.rules.moc.choices import Ignore
from ledger.rules.moc.counting import resisted
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.own_dice import laid as floating
from ledger.rules.moc.state_of_actions import Play
from ledger.rules.moc.state_of_combat import Damage, Resisting
from ledger.rules.moc.terms import MOST_DAMAGE, PRIMARIES, STANDARD_TN


def resist(draft: Draft, do: inputs_of_combat.ResistDamage) -> Asking[None]:
    """`moc.combat.resist`: successes turn points into pain; a 10 may remove one outright."""
    rule = "moc.combat.resist"
    hit = draft.hit(do.hit, "rolled")
    id = hit.target
    pain = terms.whole(do.pain, "negative-harm", rule)
    fatigue = terms.whole(do.fatigue, "negative-harm", rule)
    count = max(0, draft.active(id, "body") + draft.own_dice(id, "resisting")) + floating(draft, id, do.floating)
    if do.token is not None:
        count += tokens.spend_token(draft, id, "T", tokens.token_pool("T", do.token))
    tn = max(draft.dials.tn_floor, STANDARD_TN + hit.severity + draft.own_shift(id, "resisting"))
    typed = _typed(count, do) if do.faces is not None else None
    there = len(typed[0]) + len(typed[1]) if typed is not None else count
    lay(draft, do.cards, Pool("resisting", id, (there,), hit.element, hit.id))
    faces, bonus, ignored = typed if typed is not None else (yield from _rolled(draft, id, count))
    if do.ask_cards and typed is None:
        fallen = Pool("resisting", id, (len(faces) + len(bonus),), hit.element, hit.id)
        yield from lay_after(draft, fallen)
    _resisted(draft, hit.id, Resisting(tn, faces, bonus, tuple(sorted(ignored)), pain), fatigue)


def _resisted(draft: Draft, id: str, own: Resisting, fatigue: int = 0) -> None:
    """What the dice that resist come to, with what lies on them; and what the hit does then."""
    hit, plays = draft.scene().hits[id], draft.scene().damage.get(id, Damage()).plays
    tens = draft.dials.ten_ignores == "all"
    conversions, removals = resisted(own, plays, hit.resistible, tens_take_all=tens)
    draft.here(
        facts_of_dice.DamageResisted(id, own.tn, own.faces, own.bonus, conversions, removals, own.ignored, own.pain)
    )  # fmt: skip
    draft.by("moc.combat.resist", conversions, tn=own.tn, dice=len(own.faces), removals=removals)
    harm(draft, hit.target, id, (hit.resistible, hit.unresistible, conversions, removals, own.pain), fatigue, "")


def reconsider(draft: Draft, id: str, was: tuple[Play, ...]) -> None:
    """`moc.trump.effect`: where what resisted the hit counts otherwise now, its harm is undone and told anew.

    `was`: what lay on it before.
    """
    hit, dice = draft.scene().hits[id], draft.scene().damage.get(id, Damage())
    own = dice.resisting
    if hit.stage != "applied" or own is None:
        return
    tens = draft.dials.ten_ignores == "all"
    now, then = (resisted(own, plays, hit.resistible, tens_take_all=tens) for plays in (dice.plays, was))
    if now == then:
        return
    before = draft.who(hit.target).harm
    lost = before.lost if before is not None else {}
    back = [accounts.move(accounts.TOKENS, accounts.token(hit.target, primary), n) for primary, n in lost.items()]
    draft.about(hit.target, facts_of_dice.HarmUndone(id), *back)
    draft.by("moc.trump.effect", id, character=hit.target)
    _resisted(draft, id, own)


def _typed(count: int, do: inputs_of_combat.ResistDamage) -> tuple[tuple[int, ...], tuple[int, ...], set[int]]:
    """Refuses `not-a-ten`, and dice that do not fit."""
    given = len(do.faces or ())
    both = numbers.check_faces((*(do.faces or ()), *do.bonus), 10)
    if given != count:
        raise Refused("moc.dice.faces", "wrong-dice-count", expected=count, given=given)
    ignored: set[int] = set()
    for die in do.ignore:
        if type(die) is not int or not 0 <= die < len(both) or both[die] != 10:
            raise Refused("moc.combat.resist", "not-a-ten", die=str(die))
        ignored.add(die)
    opening = [face == 10 and die not in ignored for die, face in enumerate(both)]
    owed = sum(opening[:count])
    for place in range(count, len(both)):
        if owed == 0:
            raise Refused("moc.dice.open-ended", "unearned-bonus-die", face=both[place])
        owed += opening[place] - 1
    if owed:
        raise Refused("moc.dice.open-ended", "bonus-die-missing", missing=owed)
    return both[:count], both[count:], ignored


def _rolled(draft: Draft, id: str, count: int) -> Asking[tuple[tuple[int, ...], tuple[int, ...], set[int]]]:
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
        said = yield from ask(draft.table.owner(who), Ignore, slot="tens", purpose=purpose, within=within)
        if not set(said.dice) <= tens:
            raise Unfit("moc.combat.resist", "not-a-ten", dice=list(said.dice))
        ignored |= set(said.dice)
        owed = len(tens - set(said.dice))
        if not owed:
            return faces, bonus, ignored
        new = range(len(both), len(both) + owed)
        bonus += yield from roll(who, owed, 10, slot="resist:bonus", purpose="resisting damage: bonus dice")


# --- harm ---


def apply_harm(draft: Draft, do: inputs_of_combat.ApplyHarm) -> None:
    """`moc.combat.apply`: one hit by its numbers."""
    rule = "moc.combat.apply"
    draft.who(do.character)
    given = (do.resistible, do.unresistible, do.conversions, do.removals, do.pain)
    points = tuple(terms.whole(one, "negative-harm", rule) for one in given)
    fatigue = terms.whole(do.fatigue, "negative-harm", rule)
    if not any((*points, fatigue)):
        raise Refused(rule, "nothing-declared")
    harm(draft, do.character, "", points, fatigue, do.reason)


def harm(draft: Draft, id: str, hit: str, points: tuple[int, ...], fatigue: int, reason: str) -> None:
    """`points`: resistible, unresistible, conversions, removals, direct pain."""
    rule, who = "moc.combat.apply", draft.who(id)
    resistible, unresistible, conversions, removals, direct = points
    free = max(0, numbers.pain_capacity(who.ratings) - who.pain)
    removed = min(removals, resistible)
    converted = min(conversions, resistible - removed, free)
    felt = min(direct, free - converted)
    damage = resistible - removed - converted + unresistible + direct - felt
    pain = converted + felt
    if any(points) or hit:
        draft.about(id, facts_of_bodies.HarmApplied(hit, damage, pain, removed, reason))
        draft.by(rule, damage, pain=pain, removed=removed)
    if damage or (pain and draft.dials.pain_strips_tokens):
        _strip(draft, id)
    if damage and draft.who(id).damage == MOST_DAMAGE and draft.who(id).status == "active":
        draft.about(id, facts_of_people.CharacterDowned())
    shock = pain + (damage if draft.dials.daze_counts == "pain_plus_damage" else 0)
    if shock > numbers.daze_limit(who.ratings) and not who.dazed:
        draft.about(id, facts_of_bodies.CharacterDazed())
        draft.by("moc.combat.dazed", shock, limit=numbers.daze_limit(who.ratings))
    if fatigue:
        draft.about(id, facts_of_bodies.FatigueGained(fatigue, reason or "a hit"))
        draft.by("moc.combat.fatigue", fatigue)
    if damage or pain:
        draft.interrupted(id, "an injury")


def _strip(draft: Draft, id: str) -> None:
    """Every pool above what is left of six loses the excess."""
    who = draft.who(id)
    most = MOST_DAMAGE - who.damage
    if draft.dials.pain_strips_tokens:
        most = max(0, most - who.pain_turn)
    held = {primary: draft.balance(accounts.token(id, primary)) for primary in PRIMARIES}
    lost = {primary: count - most for primary, count in held.items() if count > most}
    if lost:
        moved = [accounts.move(accounts.token(id, primary), accounts.TOKENS, n) for primary, n in lost.items()]
        draft.about(id, facts_of_bodies.TokensLost(lost), *moved)
        draft.by("moc.combat.apply", most, lost=lost)
