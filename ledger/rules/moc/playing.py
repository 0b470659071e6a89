"""What is played on actions beside cards on dice and trumps: beads, shifts, white chips.

Headings "What Beads can do", "Chips".
"""

from __future__ import annotations

from typing import Any

from ledger.rules.contract import Asking, Refused, Table, Verdict
from ledger.rules.moc import accounts, facts, inputs, numbers, terms
from ledger.rules.moc.beads import not_dazed, tier_of
from ledger.rules.moc.cards_on_dice import class_of
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.stacks import effective
from ledger.rules.moc.state import Action, Character, Part, Play, hidden
from ledger.rules.moc.terms import CASCADE, CHIPS, LEVELS, RELATED, USES

USE = "moc.bead.use"
BEFORE = ("reduce_difficulty", "add_dice", "free_marginal", "superhuman")
GATED = ("add_successes", "reduce_difficulty", "free_marginal")


def free_marginal(action: Action, place: int) -> bool:
    """Whether a bead's Marginal Success stands on the part."""
    return any(one.use == "free_marginal" and one.part == place and effective(action, one) for one in action.plays)


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
            played = sum(
                one.number
                for one in action.plays
                if one.use == do.use and one.part == play.part and effective(action, one)
            )
            if played + play.number > 1 and part.roll.element not in who.primaries:
                raise Refused(USE, "one-bead-unless-primary", element=part.roll.element)
            return play
        case "add_dice":
            own = part.roll.element in (*who.primaries, *who.secondaries)
            each = 2 if own and play.element in (part.roll.element, RELATED[part.roll.element]) else 1
            return _with(play, dice=each * _doubled(ruling, play, action.character, part.roll.primary))
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
    if play.number < 2:
        raise Refused(USE, "not-enough-beads", primary=primary, needed=2)
    return play.number // 2


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
    key = f"superhuman:{do.characteristic}"
    level = who.counts.get(key, 0)
    if level == 0:
        raise Refused(USE, "unknown-characteristic", characteristic=do.characteristic)
    if who.elements.get(key) != play.element:
        raise Refused(USE, "wrong-element", element=play.element)
    times = _doubled(ruling, play, do.character, CASCADE[do.characteristic][0])
    return _with(play, dice=level * min(1, times))


# --- shifts and white chips ---


def shift(table: Table[Dials], do: inputs.ShiftFailure) -> Verdict[Any]:
    """`moc.level.resolve`, step 3: an opponent spends one EM."""
    rule, ruling, id = "moc.level.resolve", Ruling(table), do.character
    ruling.who(id)
    action = ruling.action(do.action)
    place, part = ruling.part(action, do.part)
    if sum(one is not None for one in (do.element, do.card, do.chip)) != 1:
        raise Refused(rule, "nothing-declared")
    if action.character == id:
        raise Refused(rule, "not-an-opponent", character=id)
    new, moved = table.new_id(), []
    if do.element is not None:
        element = terms.element(do.element, rule)
        not_dazed(ruling, id)
        ruling.has_beads(id, element, 1, rule)
        moved = [accounts.move(accounts.bead(id, element), accounts.SPENT, 1)]
        play = Play(new, id, "beads", "shift", place, 1, element)
    elif do.card is not None:
        card = ruling.held(id, do.card, rule)
        rank = class_of(ruling, id, card, None, [part.roll.element])
        origin = ruling.discard(id, card)
        value = numbers.card_value(card)
        play = Play(
            new, id, "card", "shift", place, value, card=card, rank=rank, origin=origin, session=table.session or ""
        )
    else:
        ruling.chips_on(rule)
        colour = terms.chip(do.chip, rule)
        ruling.holds(id, {colour: 1}, rule)
        moved = list(accounts.chips(id, {colour: 1}, to_bank=True))
        play = Play(new, id, "chip", "shift", place, CHIPS[colour], colour=colour)
    ruling.here(facts.FailureShifted(action.id, play.id, play), *moved)
    ruling.by(rule, "shifted", kind=play.kind)
    return ruling.verdict()


def claim(table: Table[Dials], do: inputs.ClaimSuccess) -> Asking[Verdict[Any]]:
    """`moc.chip.automatic-success`: a white chip, even after the roll and all trumps."""
    from ledger.rules.moc.resolving import level_as_it_stands, outcome_of

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
    agreed = yield from ruling.approved(do.approved, "a white chip makes it a Success")
    if not agreed and do.approved is False:
        raise Refused(rule, "gm-approval-needed", action=action.id)
    ruling.here(facts.AutomaticSuccessClaimed(action.id, place))
    if agreed:
        paid = accounts.chips(id, {"white": 1}, to_bank=True)
        ruling.here(facts.AutomaticSuccessApproved(action.id, place, id), *paid)
    ruling.by(rule, agreed, part=place)
    return ruling.verdict()
