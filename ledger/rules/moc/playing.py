"""What is played on actions beside cards on dice and trumps: beads, shifts, white chips.

Headings "What Beads can do", "Chips".
"""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel.contract import Table, Verdict
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import accounts, facts, inputs, terms
from ledger.rules.moc.actions import bead_dice, others_of, with_beads
from ledger.rules.moc.beads import not_dazed, tier_of
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.outcomes import free_marginal, level_as_it_stands, outcome_of
from ledger.rules.moc.piles import standing
from ledger.rules.moc.state import Action, Character, Part, Play, hidden
from ledger.rules.moc.terms import CASCADE, LEVELS, RELATED, USES

USE = "moc.bead.use"
BEFORE = ("reduce_difficulty", "add_dice", "free_marginal", "superhuman")
#: What serves one's own actions only.
OWN = ("add_dice", "free_marginal", "martial_arts")
GATED = ("add_successes", "reduce_difficulty", "free_marginal")


# --- beads ---


def play_beads(table: Table[Dials], do: inputs.PlayBeads) -> Asking[Verdict[Any]]:
    """`moc.bead.use`."""
    ruling, id = Ruling(table), do.character
    who = ruling.who(id)
    if do.use not in USES:
        raise Refused(USE, "unknown-bead-use", use=do.use)
    action = ruling.action(do.action)
    place, part = ruling.part(action, do.part)
    number = terms.whole(do.number, "negative-beads", USE)
    if number == 0:
        raise Refused(USE, "no-beads-played")
    element = terms.element(do.element or ("storytelling" if do.use == "storytelling" else part.roll.element), USE)
    not_dazed(ruling, id)
    if do.use in OWN:
        own_action(ruling, action, id)
    _check_time(do.use, part, place)
    if do.use in GATED and ruling.dials.bead_element_gate == "strict" and element != part.roll.element:
        raise Refused(USE, "wrong-element", element=element, action=part.roll.element)
    play = Play(table.new_id(), id, "beads", do.use, place, number, element)
    play = _bead_use(ruling, action, part, who, do, play)
    ruling.has_beads(id, element, number, USE)
    if do.use in ("archetype", "other") and not (yield from ruling.approved(do.approved, f"{do.use}: {do.effect}")):
        raise Refused(USE, "gm-approval-needed", use=do.use)
    ruling.here(
        facts.BeadsPlayed(action.id, play.id, play), accounts.move(accounts.bead(id, element), accounts.SPENT, number)
    )
    ruling.by(USE, play.dice or number, use=do.use, element=element)
    return ruling.verdict()


def _check_time(use: str, part: Part, place: int) -> None:
    if use in BEFORE and part.rolled:
        raise Refused(USE, "already-rolled", use=use, part=place)
    if use == "add_successes" and not part.rolled:
        raise Refused(USE, "roll-not-completed", use=use, part=place)


def _bead_use(ruling: Ruling, action: Action, part: Part, who: Character, do: inputs.PlayBeads, play: Play) -> Play:
    """The play with what it does. Each use has its own refusals."""
    match do.use:
        case "add_successes":
            return _adding(action, play, play.number)
        case "reduce_difficulty":
            played = sum(one.number for one in standing(action.plays) if one.use == do.use and one.part == play.part)
            if played + play.number > 1 and part.roll.element not in who.primaries:
                raise Refused(USE, "one-bead-unless-primary", element=part.roll.element)
            return play
        case "add_dice":
            own = part.roll.element in (*who.primaries, *who.secondaries)
            each = 2 if own and play.element in (part.roll.element, RELATED[part.roll.element]) else 1
            return _buying(
                ruling, action, _with(play, dice=each * _doubled(ruling, play, action.character, part.roll.primary))
            )
        case "free_marginal":
            if play.number != 1:
                raise Refused(USE, "one-bead-only", number=play.number)
            return play
        case "storytelling":
            return _storytelling(ruling, action, do, play)
        case "archetype":
            if not ruling.campaign().uses.get(who.archetype):
                raise Refused(USE, "unknown-bead-use", use=do.use, archetype=who.archetype)
            return play
        case "superhuman":
            return _superhuman(ruling, who, action, do, play)
        case "martial_arts":
            level = who.counts.get(f"martial-arts:{do.characteristic}", 0)
            if level == 0:
                raise Refused(USE, "unknown-purchase", martial_arts=do.characteristic)
            return _with(play, successes=level * play.number)
        case _:
            return play


def _with(play: Play, **new: Any) -> Play:
    fields = {name: getattr(play, name) for name in Play.__dataclass_fields__}
    return Play(**{**fields, **new})


def _adding(action: Action, play: Play, successes: int) -> Play:
    """`moc.level.resolve`, step 4. Refuses `free-success-fixed`."""
    if successes > 0 and free_marginal(action, play.part):
        raise Refused("moc.level.resolve", "free-success-fixed", part=play.part)
    return _with(play, successes=successes)


def _doubled(ruling: Ruling, play: Play, id: str, primary: str) -> int:
    """How many beads' worth: at active 0 each costs two. Refuses `not-enough-beads`."""
    if ruling.value(id, primary) > 0:
        return play.number
    ruling.active(id, primary)
    if play.number < 2:
        raise Refused(USE, "not-enough-beads", primary=primary, needed=2)
    if play.number % 2:
        raise Refused(USE, "no-dice-to-buy", primary=primary, each=2, number=play.number)
    return play.number // 2


def _buying(ruling: Ruling, action: Action, play: Play) -> Play:
    """Refuses `no-dice-to-buy` where the pool would be no larger: what its untrained skill takes off eats them up."""
    there = bead_dice(action, play.part)
    if with_beads(ruling, action, play.part, there + play.dice) <= with_beads(ruling, action, play.part, there):
        raise Refused(USE, "no-dice-to-buy", part=play.part, number=play.number)
    return play


def own_action(ruling: Ruling, action: Action, id: str) -> None:
    """Some EMs serve one's own actions only, unless a dial allows helping. Refuses `not-own-action`."""
    if action.character != id and not ruling.dials.helping:
        raise Refused(USE, "not-own-action", character=id, action=action.id)


def _storytelling(ruling: Ruling, action: Action, do: inputs.PlayBeads, play: Play) -> Play:
    """`moc.story.tiers`: one bead moves one success of another's action."""
    if play.element != "storytelling":
        raise Refused(USE, "wrong-element", element=play.element)
    if type(do.successes) is not int or not -1 <= do.successes <= 1:
        raise Refused(USE, "negative-successes", successes=str(do.successes))
    tier = tier_of(ruling, do.character, play.number)
    if tier > 1 or action.character == do.character:
        return play
    return _adding(action, play, do.successes)


def _superhuman(ruling: Ruling, who: Character, action: Action, do: inputs.PlayBeads, play: Play) -> Play:
    """`moc.adv.superhuman`: its level in dice for each bead, on its owner's actions of that characteristic."""
    rule, key = "moc.adv.superhuman", f"superhuman:{do.characteristic}"
    if action.character != do.character:
        raise Refused(rule, "not-own-action", character=do.character, action=action.id)
    level = who.counts.get(key, 0)
    if level == 0:
        raise Refused(USE, "unknown-characteristic", characteristic=do.characteristic)
    if who.elements.get(key) != play.element:
        raise Refused(USE, "wrong-element", element=play.element)
    roll = action.parts[play.part].roll
    own = roll.primary in CASCADE[do.characteristic] if not roll.skill else ()
    if not own and do.characteristic not in (*others_of(ruling, action.parts[play.part]), *action.activated):
        raise Refused(rule, "characteristic-not-of-skill", characteristic=do.characteristic)
    times = _doubled(ruling, play, do.character, CASCADE[do.characteristic][0])
    ruling.by(rule, level * times, characteristic=do.characteristic, level=level)
    return _buying(ruling, action, _with(play, dice=level * times))


# --- white chips ---


def claim(table: Table[Dials], do: inputs.ClaimSuccess) -> Asking[Verdict[Any]]:
    """`moc.chip.automatic-success`: a white chip, even after the roll and all trumps."""
    rule, ruling, id = "moc.chip.automatic-success", Ruling(table), do.character
    ruling.chips_on(rule)
    colour = terms.chip(do.chip, rule)
    action = ruling.action(do.action)
    place, part = ruling.part(action, do.part)
    if colour != "white":
        raise Refused(rule, "chips-not-held", chip="white", given=colour)
    ruling.holds(id, {"white": 1}, rule)
    found = outcome_of(ruling, action, place)
    if found.free and not found.trumped:
        raise Refused("moc.level.resolve", "free-success-fixed", part=place)
    if part.white:
        raise Refused(rule, "already-success", part=place)
    level = level_as_it_stands(part, found)
    known = bool(part.claims) or table.by.may_see(hidden(action, place))
    if part.rolled and known and level >= LEVELS["success"]:
        raise Refused(rule, "already-success", level=level)
    own_action(ruling, action, id)
    agreed = yield from ruling.approved(do.approved, "a white chip makes it a Success")
    if not agreed and do.approved is False:
        raise Refused(rule, "gm-approval-needed", action=action.id)
    ruling.here(facts.AutomaticSuccessClaimed(action.id, place))
    if agreed:
        paid = accounts.chips(id, {"white": 1}, to_bank=True)
        ruling.here(facts.AutomaticSuccessApproved(action.id, place, id), *paid)
    ruling.by(rule, agreed, part=place)
    return ruling.verdict()
