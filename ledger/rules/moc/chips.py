"""Chips: their value, trading, exchanging; awards, penalties, nominations, inheritance (headings "Chips", "Fate")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ledger.rules.kernel.contract import Posting
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, Audience, character, seat
from ledger.rules.moc import (
    accounts,
    facts_of_campaign,
    facts_of_modifiers,
    facts_of_people,
    guards,
    inputs,
    inputs_of_modifiers,
    terms,
)
from ledger.rules.moc.cards import NOBODY, dealt
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.gone import fell_this_evening, heir_of
from ledger.rules.moc.terms import CHIPS, GONE, POINT


def value(counts: Mapping[str, int]) -> int:
    """`moc.chip.value`."""
    return sum(CHIPS[colour] * count for colour, count in counts.items())


def _at_scene_end(draft: Draft, rule: str) -> None:
    """In the interval after a scene: never before the first one. Refuses `only-at-scene-end`."""
    campaign = draft.campaign()
    if campaign.phase != "interval" or not campaign.scenes:
        raise Refused(rule, "only-at-scene-end")


def trade_up(draft: Draft, do: inputs_of_modifiers.TradeUp) -> None:
    """`moc.chip.trade-up`: chips of lower value, worth one more than the chip wanted."""
    rule, id = "moc.chip.trade-up", do.character
    guards.chips_on(draft, rule)
    _at_scene_end(draft, rule)
    taken, given = terms.chip(do.taken, rule), guards.counts(do.given, rule)
    if not given or any(CHIPS[colour] >= CHIPS[taken] for colour in given):
        raise Refused(rule, "not-a-trade-up", taken=taken, given=given)
    if value(given) != CHIPS[taken] + 1:
        raise Refused(rule, "wrong-trade-value", expected=CHIPS[taken] + 1, given=value(given))
    guards.holds(draft, id, given, rule)
    draft.about(
        id, facts_of_modifiers.ChipsTradedUp(given, taken), *accounts.chips(id, given, to_bank=True),
        *accounts.chips(id, {taken: 1}, to_bank=False),
    )  # fmt: skip
    draft.by(rule, taken, worth=value(given))


def trade_down(draft: Draft, do: inputs_of_modifiers.TradeDown) -> None:
    """`moc.chip.trade-down`: one chip into lower ones of its value."""
    rule, id = "moc.chip.trade-down", do.character
    guards.chips_on(draft, rule)
    _at_scene_end(draft, rule)
    given, taken = terms.chip(do.given, rule), guards.counts(do.taken, rule)
    if not taken or any(CHIPS[colour] >= CHIPS[given] for colour in taken):
        raise Refused(rule, "not-a-trade-down", given=given, taken=taken)
    if value(taken) != CHIPS[given]:
        raise Refused(rule, "wrong-trade-value", expected=CHIPS[given], taken=value(taken))
    guards.holds(draft, id, {given: 1}, rule)
    draft.about(
        id, facts_of_modifiers.ChipsTradedDown(given, taken), *accounts.chips(id, {given: 1}, to_bank=True),
        *accounts.chips(id, taken, to_bank=False),
    )  # fmt: skip
    draft.by(rule, value(taken), given=given)


def give_back(draft: Draft, do: inputs_of_modifiers.GiveBack) -> None:
    """`moc.chip.limit`: what is too much goes back."""
    rule, id = "moc.chip.limit", do.character
    given = guards.counts(do.given, rule)
    if not given:
        raise Refused(rule, "nothing-declared")
    guards.holds(draft, id, given, rule)
    draft.about(id, facts_of_modifiers.ChipsGivenBack(given), *accounts.chips(id, given, to_bank=True))
    draft.by(rule, sum(given.values()))


def exchange(draft: Draft, do: inputs_of_modifiers.ExchangeChip) -> Asking[None]:
    """`moc.chip.exchange`: as many cards as its value, or twice as many beads."""
    rule, id = "moc.chip.exchange", do.character
    guards.chips_on(draft, rule)
    chip = terms.chip(do.chip, rule)
    if do.beads is not None:
        beads = {terms.element(one, rule): terms.whole(n, "negative-beads", rule) for one, n in do.beads.items()}
        beads = {element: n for element, n in beads.items() if n}
        if sum(beads.values()) != 2 * CHIPS[chip]:
            raise Refused(rule, "wrong-trade-value", expected=2 * CHIPS[chip], given=sum(beads.values()))
        guards.holds(draft, id, {chip: 1}, rule)
        moved = [accounts.move(accounts.SOURCE, accounts.bead(id, one), n) for one, n in beads.items()]
        done = facts_of_modifiers.ChipExchangedForBeads(chip, beads)
        draft.about(id, done, *accounts.chips(id, {chip: 1}, to_bank=True), *moved)
        draft.by(rule, 2 * CHIPS[chip], chip=chip)
        return
    guards.holds(draft, id, {chip: 1}, rule)
    count = CHIPS[chip]
    if draft.drawable() < count:
        raise Refused(rule, "deck-empty")
    dealing = yield from dealt(draft, character(id), count, "chip", "cards for a chip")
    drawn = dealing.cards
    draft.about(id, facts_of_modifiers.ChipSpentOnCards(chip, count), *accounts.chips(id, {chip: 1}, to_bank=True))
    draft.tell(CAMPAIGN, facts_of_campaign.DeckCut(drawn, dealing.source == "ledger"), audience=NOBODY)
    moved_ = accounts.move(accounts.DECK, accounts.hand(id), count)
    seen = draft.sees_hand(id)
    draft.about(id, facts_of_modifiers.ChipExchangedForCards(drawn, seen or ()), moved_, audience=seen)
    draft.by(rule, count, chip=chip)


def to_point(draft: Draft, do: inputs_of_modifiers.ChipToPoint) -> None:
    """`moc.chip.character-point`: a blue chip at an arc's end."""
    rule, id = "moc.chip.character-point", do.character
    guards.chips_on(draft, rule)
    chip = terms.chip(do.chip, rule)
    if not draft.campaign().arc_ended:
        raise Refused(rule, "only-at-arc-end")
    if chip != "blue":
        raise Refused(rule, "chips-not-held", chip="blue", given=chip)
    guards.holds(draft, id, {chip: 1}, rule)
    gained = accounts.move(accounts.BUDGET, accounts.point(id), POINT)
    draft.about(id, facts_of_modifiers.ChipBecamePoint(), *accounts.chips(id, {chip: 1}, to_bank=True), gained)
    draft.by(rule, 1)


# --- awards and penalties ---


def _award(draft: Draft, id: str, chips: dict[str, int], reason: str, enlarge: bool) -> None:
    """`moc.fate.purse`: paid from the arc's purse at its value. Refuses `purse-empty`.

    What falls to somebody who is gone since this session goes to the player's next character.
    """
    id = heir_of(draft, id)
    arc, worth = draft.campaign().arc, value(chips)
    paid: Posting | None = None
    if draft.dials.arc_purse_enforced:
        left = draft.balance(accounts.purse(arc)) if arc is not None else 0
        if left < worth:
            if not enlarge or arc is None:
                raise Refused("moc.fate.purse", "purse-empty", left=left, needed=worth)
            more = accounts.move(accounts.XP, accounts.purse(arc), worth - left)
            draft.tell(CAMPAIGN, facts_of_campaign.PurseEnlarged(arc, worth - left, reason), more)
    if arc is not None:
        spend = max(0, min(worth, draft.balance(accounts.purse(arc))))
        paid = accounts.move(accounts.purse(arc), accounts.XP, spend)
    draft.about(
        id, facts_of_modifiers.ChipAwarded(chips, reason, worth), *accounts.chips(id, chips, to_bank=False), paid
    )
    draft.by("moc.fate.purse", worth, character=id)


def award(draft: Draft, do: inputs_of_modifiers.AwardChip) -> None:
    guards.chips_on(draft, "moc.fate.purse")
    chips = guards.counts(do.chips, "moc.chip.value")
    if not chips:
        raise Refused("moc.chip.value", "nothing-declared")
    if draft.who(do.character).villain:
        raise Refused("moc.chip.value", "not-a-players-character", character=do.character)
    _not_long_gone(draft, do.character)
    _award(draft, do.character, chips, do.reason, do.enlarge)


def _not_long_gone(draft: Draft, id: str, audience: Audience = None) -> None:
    """Refuses `character-gone` for who fell in an earlier session."""
    if not fell_this_evening(draft, id):
        raise Refused(
            "moc.fate.inherit", "character-gone", audience=audience, character=id, status=draft.who(id).status
        )


def penalise(draft: Draft, do: inputs_of_modifiers.Penalise) -> None:
    """`moc.fate.penalty`: only chips that are held."""
    rule = "moc.fate.penalty"
    guards.chips_on(draft, rule)
    chips = guards.counts(do.chips if do.chips is not None else {"white": 1}, rule)
    if not chips:
        raise Refused(rule, "empty-penalty")
    guards.holds(draft, do.character, chips, rule)
    taken = accounts.chips(do.character, chips, to_bank=True)
    draft.about(do.character, facts_of_modifiers.ChipsPenalised(chips, do.reason), *taken)
    draft.by(rule, value(chips), reason=do.reason)


def nominate(draft: Draft, do: inputs_of_modifiers.Nominate) -> None:
    """`moc.fate.nominate`: for others a ruling with a number, and nothing else."""
    rule = "moc.fate.nominate"
    seen = ("gm", do.seat)
    if draft.table.by.role != "gm" and draft.table.by.seat != do.seat:
        raise Refused(rule, "not-own-nomination", seat=do.seat)
    named = draft.seat(do.seat)
    if draft.table.role(seat(do.seat)) != "player":
        raise Refused(rule, "not-a-player", audience=seen, seat=do.seat)
    if draft.table.owner(character(do.nominee)) == do.seat:
        raise Refused(rule, "no-self-nomination", audience=seen, nominee=do.nominee)
    if draft.who(do.nominee).villain:
        raise Refused(rule, "not-a-players-character", audience=seen, nominee=do.nominee)
    _not_long_gone(draft, do.nominee, seen)
    session = draft.evening()
    if named.session == session and do.nominee in named.named:
        raise Refused(rule, "already-nominated", audience=seen, nominee=do.nominee)
    draft.tell(seat(do.seat), facts_of_campaign.NominationMade(do.nominee, session), audience=seen)
    draft.by(rule, do.nominee, seen)
    draft.audience = seen


def tally(draft: Draft, do: inputs_of_modifiers.TallyNominations) -> None:
    """`moc.fate.nominate`: one chip for everybody named by enough players."""
    rule = "moc.fate.nominate"
    chip = terms.chip(do.chip if do.chip is not None else draft.dials.nomination_chip, rule)
    session = draft.evening()
    if draft.campaign().tallied == session:
        raise Refused(rule, "already-tallied", session=session)
    votes: Counter[str] = Counter()
    for one in draft.table.subjects("seat"):
        state = draft.seat(one.id)
        if state.session == session:
            votes.update(set(state.named))
    winners = tuple(id for id in sorted(votes) if votes[id] >= draft.dials.nomination_quorum)
    draft.tell(CAMPAIGN, facts_of_campaign.NominationsTallied(session, winners))
    draft.by(rule, list(winners), quorum=draft.dials.nomination_quorum)
    for id in winners:
        _award(draft, id, {chip: 1}, "nominated", do.enlarge)


# --- giving a character up ---


def held(draft: Draft, id: str) -> dict[str, int]:
    counts = {colour: draft.balance(accounts.chip(id, colour)) for colour in CHIPS}
    return {colour: count for colour, count in counts.items() if count > 0}


def leave_behind(draft: Draft, id: str, reason: str) -> None:
    """`moc.fate.inherit`: chips of who died or retired lie in the bank for the player's next character."""
    chips = held(draft, id)
    if chips:
        draft.about(id, facts_of_people.ChipsReturned(reason, chips), *accounts.chips(id, chips, to_bank=True))
        draft.by("moc.fate.inherit", 0, character=id)


def sacrifice(draft: Draft, do: inputs.Sacrifice) -> None:
    if draft.who(do.character).status in GONE:
        raise Refused("moc.fate.inherit", "not-in-play", character=do.character)
    draft.about(do.character, facts_of_people.CharacterSacrificed(do.reason, draft.evening()))
    draft.by("moc.fate.inherit", value(held(draft, do.character)), character=do.character)


def inherit(draft: Draft, do: inputs.InheritChips) -> None:
    """`moc.fate.inherit`: all its chips, plus a bonus the game master may give."""
    rule = "moc.fate.inherit"
    bonus = guards.counts(do.bonus, rule)
    heir, source = character(do.character), character(do.source)
    if heir == source or draft.table.owner(heir) != draft.table.owner(source):
        raise Refused(rule, "not-the-heir", character=do.character, source=do.source)
    guards.in_play(draft, do.character)
    status = draft.who(do.source).status
    if bonus and status != "sacrificed":
        raise Refused(rule, "bonus-needs-sacrifice", source=do.source)
    if status not in GONE:
        raise Refused(rule, "still-in-play", source=do.source)
    if bonus and any(do.source in draft.who(one.id).heir_of for one in draft.table.subjects("character")):
        raise Refused(rule, "already-inherited", source=do.source)
    chips, left = held(draft, do.source), dict(draft.who(do.source).left)
    if not (chips or left or bonus):
        raise Refused(rule, "chips-not-held", source=do.source)
    moved = [accounts.move(accounts.chip(do.source, c), accounts.chip(do.character, c), n) for c, n in chips.items()]
    given = accounts.chips(do.character, bonus, to_bank=False)
    kept = accounts.chips(do.character, left, to_bank=False)
    draft.about(do.character, facts_of_people.ChipsInherited(do.source, bonus), *moved, *kept, *given)
    if left:
        draft.about(do.source, facts_of_people.ChipsPassedOn(do.character))
    draft.by(rule, value(chips) + value(left) + value(bonus), source=do.source)


def set_status(draft: Draft, do: inputs.SetStatus) -> None:
    draft.who(do.character)
    if do.status not in ("active", "down", "dead"):
        raise Refused("moc.combat.apply", "unknown-status", status=do.status)
    draft.about(do.character, facts_of_people.StatusSet(do.status, do.reason, draft.evening()))
    draft.by("moc.combat.apply", do.status, character=do.character)
    if do.status == "dead":
        leave_behind(draft, do.character, "dead")
