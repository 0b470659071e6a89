"""What is played on actions beside cards on dice and trumps: beads, shifts, white chips.

Headings "What Beads can do", "Chips".
"""

from __future__ import annotations

from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import accounts, facts_of_scenes, guards, inputs_of_play, terms
from ledger.rules.moc.actions import bead_dice, check_martial_art, others_of, with_beads
from ledger.rules.moc.beads import not_dazed, tier_of
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.outcomes import free_marginal, level_as_it_stands, outcome_of
from ledger.rules.moc.piles import standing
from ledger.rules.moc.purchases import key_of
from ledger.rules.moc.state import Character
from ledger.rules.moc.state_of_actions import Action, Part, Play, hidden
from ledger.rules.moc.terms import CASCADE, LEVELS, RELATED, USES

USE = "moc.bead.use"
BEFORE = ("reduce_difficulty", "add_dice", "free_marginal", "superhuman")
#: What serves one's own actions only.
OWN = ("add_dice", "free_marginal", "martial_arts")
GATED = ("add_successes", "reduce_difficulty", "free_marginal")


# --- beads ---


def play_beads(draft: Draft, do: inputs_of_play.PlayBeads) -> Asking[None]:
    """`moc.bead.use`."""
    id = do.character
    who = draft.who(id)
    if do.use not in USES:
        raise Refused(USE, "unknown-bead-use", use=do.use)
    action = draft.action(do.action)
    place, part = draft.part(action, do.part)
    number = terms.whole(do.number, "negative-beads", USE)
    if number == 0:
        raise Refused(USE, "no-beads-played")
    element = terms.element(do.element or ("storytelling" if do.use == "storytelling" else part.roll.element), USE)
    not_dazed(draft, id)
    if do.use in OWN:
        own_action(draft, action, id)
    _check_time(do.use, part, place)
    if do.use in GATED and draft.dials.bead_element_gate == "strict" and element != part.roll.element:
        raise Refused(USE, "wrong-element", element=element, action=part.roll.element)
    play = Play(draft.table.new_id(), id, "beads", do.use, place, number, element)
    play = _bead_use(draft, action, part, who, do, play)
    guards.has_beads(draft, id, element, number, USE)
    if do.use in ("archetype", "other") and not (
        yield from draft.approved(do.approved, f"a use of beads ({do.use}): {do.effect}")
    ):
        raise draft.no(USE, "gm-approval-needed", do.approved, use=do.use)
    draft.here(
        facts_of_scenes.BeadsPlayed(action.id, play.id, play),
        accounts.move(accounts.bead(id, element), accounts.SPENT, number),
    )
    draft.by(USE, play.dice or number, use=do.use, element=element)


def _check_time(use: str, part: Part, place: int) -> None:
    if use in BEFORE and part.rolled:
        raise Refused(USE, "already-rolled", use=use, part=place)
    if use == "add_successes" and not part.rolled:
        raise Refused(USE, "roll-not-completed", use=use, part=place)


def _bead_use(
    draft: Draft, action: Action, part: Part, who: Character, do: inputs_of_play.PlayBeads, play: Play
) -> Play:
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
                draft, action, changed(play, dice=each * _doubled(draft, play, action.character, part.roll.primary))
            )
        case "free_marginal":
            if play.number != 1:
                raise Refused(USE, "one-bead-only", number=play.number)
            return play
        case "storytelling":
            return _storytelling(draft, action, do, play)
        case "archetype":
            if not draft.campaign().uses.get(who.archetype):
                raise Refused(USE, "unknown-bead-use", use=do.use, archetype=who.archetype)
            return play
        case "superhuman":
            return _superhuman(draft, who, action, do, play)
        case "martial_arts":
            level = who.counts.get(key_of("martial-arts", do.characteristic), 0)
            if level == 0:
                raise Refused(USE, "unknown-purchase", martial_arts=do.characteristic)
            check_martial_art(draft, action, play.part, do.characteristic)
            if play.number != 1:
                raise Refused(USE, "one-bead-only", number=play.number)
            if any(one.use == do.use and one.part == play.part for one in standing(action.plays)):
                raise Refused("moc.adv.martial-arts", "already-activated", characteristic=do.characteristic)
            draft.by("moc.adv.martial-arts", level, area=do.characteristic)
            return changed(play, successes=level)
        case _:
            return play


def _adding(action: Action, play: Play, successes: int) -> Play:
    """`moc.level.resolve`, step 4. Refuses `free-success-fixed`."""
    if successes > 0 and free_marginal(action, play.part):
        raise Refused("moc.level.resolve", "free-success-fixed", part=play.part)
    return changed(play, successes=successes)


def _doubled(draft: Draft, play: Play, id: str, primary: str) -> int:
    """How many beads' worth: at active 0 each costs two. Refuses `not-enough-beads`."""
    if draft.value(id, primary) > 0:
        return play.number
    draft.active(id, primary)
    if play.number < 2:
        raise Refused(USE, "not-enough-beads", primary=primary, needed=2)
    if play.number % 2:
        raise Refused(USE, "no-dice-to-buy", primary=primary, each=2, number=play.number)
    return play.number // 2


def _buying(draft: Draft, action: Action, play: Play) -> Play:
    """Refuses `no-dice-to-buy` where the pool would be no larger: what its untrained skill takes off eats them up."""
    there = bead_dice(action, play.part)
    if with_beads(draft, action, play.part, there + play.dice) <= with_beads(draft, action, play.part, there):
        raise Refused(USE, "no-dice-to-buy", part=play.part, number=play.number)
    return play


def own_action(draft: Draft, action: Action, id: str) -> None:
    """Some EMs serve one's own actions only, unless a dial allows helping. Refuses `not-own-action`."""
    if action.character != id and not draft.dials.helping:
        raise Refused(USE, "not-own-action", character=id, action=action.id)


def _storytelling(draft: Draft, action: Action, do: inputs_of_play.PlayBeads, play: Play) -> Play:
    """`moc.story.tiers`: one bead moves one success of another's action."""
    if play.element != "storytelling":
        raise Refused(USE, "wrong-element", element=play.element)
    if type(do.successes) is not int or not -1 <= do.successes <= 1:
        raise Refused(USE, "negative-successes", successes=str(do.successes))
    tier = tier_of(draft, do.character, play.number)
    if tier > 1 or action.character == do.character:
        return play
    return _adding(action, play, do.successes)


def _superhuman(draft: Draft, who: Character, action: Action, do: inputs_of_play.PlayBeads, play: Play) -> Play:
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
    if not own and do.characteristic not in (*others_of(draft, action.parts[play.part]), *action.activated):
        raise Refused(rule, "characteristic-not-of-skill", characteristic=do.characteristic)
    times = _doubled(draft, play, do.character, CASCADE[do.characteristic][0])
    draft.by(rule, level * times, characteristic=do.characteristic, level=level)
    return _buying(draft, action, changed(play, dice=level * times))


# --- white chips ---


def claim(draft: Draft, do: inputs_of_play.ClaimSuccess) -> Asking[None]:
    """`moc.chip.automatic-success`: a white chip, even after the roll and all trumps."""
    rule, id = "moc.chip.automatic-success", do.character
    guards.chips_on(draft, rule)
    colour = terms.chip(do.chip, rule)
    action = draft.action(do.action)
    place, part = draft.part(action, do.part)
    if colour != "white":
        raise Refused(rule, "chips-not-held", chip="white", given=colour)
    guards.holds(draft, id, {"white": 1}, rule)
    found = outcome_of(draft, action, place)
    if found.free and not found.trumped:
        raise Refused("moc.level.resolve", "free-success-fixed", part=place)
    if part.white:
        raise Refused(rule, "already-success", part=place)
    level = level_as_it_stands(part, found)
    known = bool(part.claims) or draft.table.by.may_see(hidden(action, place))
    if part.rolled and known and level >= LEVELS["success"]:
        raise Refused(rule, "already-success", level=level)
    own_action(draft, action, id)
    agreed = yield from draft.approved(do.approved, "a white chip that makes this action a Success")
    if not agreed and do.approved is False:
        raise Refused(rule, "gm-approval-needed", action=action.id)
    draft.here(facts_of_scenes.AutomaticSuccessClaimed(action.id, place))
    if agreed:
        paid = accounts.chips(id, {"white": 1}, to_bank=True)
        draft.here(facts_of_scenes.AutomaticSuccessApproved(action.id, place, id), *paid)
    draft.by(rule, agreed, part=place)
