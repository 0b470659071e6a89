"""Chips: their value, trading, exchanging; awards, penalties, nominations, inheritance (headings "Chips", "Fate")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ledger.rules.kernel.contract import Posting, Table, Verdict
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, Audience, character, seat
from ledger.rules.moc import accounts, facts, inputs, terms
from ledger.rules.moc.cards import NOBODY, dealt
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.gone import fell_this_evening, heir_of
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.terms import CHIPS, GONE, POINT


def value(counts: Mapping[str, int]) -> int:
    """`moc.chip.value`."""
    return sum(CHIPS[colour] * count for colour, count in counts.items())


def _at_scene_end(ruling: Ruling, rule: str) -> None:
    """In the interval after a scene: never before the first one. Refuses `only-at-scene-end`."""
    campaign = ruling.campaign()
    if campaign.phase != "interval" or not campaign.scenes:
        raise Refused(rule, "only-at-scene-end")


def trade_up(table: Table[Dials], do: inputs.TradeUp) -> Verdict[Any]:
    """`moc.chip.trade-up`: chips of lower value, worth one more than the chip wanted."""
    rule, ruling, id = "moc.chip.trade-up", Ruling(table), do.character
    ruling.chips_on(rule)
    _at_scene_end(ruling, rule)
    taken, given = terms.chip(do.taken, rule), ruling.counts(do.given, rule)
    if not given or any(CHIPS[colour] >= CHIPS[taken] for colour in given):
        raise Refused(rule, "not-a-trade-up", taken=taken, given=given)
    if value(given) != CHIPS[taken] + 1:
        raise Refused(rule, "wrong-trade-value", expected=CHIPS[taken] + 1, given=value(given))
    ruling.holds(id, given, rule)
    ruling.about(
        id, facts.ChipsTradedUp(given, taken), *accounts.chips(id, given, to_bank=True),
        *accounts.chips(id, {taken: 1}, to_bank=False),
    )  # fmt: skip
    ruling.by(rule, taken, worth=value(given))
    return ruling.verdict()


def trade_down(table: Table[Dials], do: inputs.TradeDown) -> Verdict[Any]:
    """`moc.chip.trade-down`: one chip into lower ones of its value."""
    rule, ruling, id = "moc.chip.trade-down", Ruling(table), do.character
    ruling.chips_on(rule)
    _at_scene_end(ruling, rule)
    given, taken = terms.chip(do.given, rule), ruling.counts(do.taken, rule)
    if not taken or any(CHIPS[colour] >= CHIPS[given] for colour in taken):
        raise Refused(rule, "not-a-trade-down", given=given, taken=taken)
    if value(taken) != CHIPS[given]:
        raise Refused(rule, "wrong-trade-value", expected=CHIPS[given], taken=value(taken))
    ruling.holds(id, {given: 1}, rule)
    ruling.about(
        id, facts.ChipsTradedDown(given, taken), *accounts.chips(id, {given: 1}, to_bank=True),
        *accounts.chips(id, taken, to_bank=False),
    )  # fmt: skip
    ruling.by(rule, value(taken), given=given)
    return ruling.verdict()


def give_back(table: Table[Dials], do: inputs.GiveBack) -> Verdict[Any]:
    """`moc.chip.limit`: what is too much goes back."""
    rule, ruling, id = "moc.chip.limit", Ruling(table), do.character
    given = ruling.counts(do.given, rule)
    if not given:
        raise Refused(rule, "nothing-declared")
    ruling.holds(id, given, rule)
    ruling.about(id, facts.ChipsGivenBack(given), *accounts.chips(id, given, to_bank=True))
    ruling.by(rule, sum(given.values()))
    return ruling.verdict()


def exchange(table: Table[Dials], do: inputs.ExchangeChip) -> Asking[Verdict[Any]]:
    """`moc.chip.exchange`: as many cards as its value, or twice as many beads."""
    rule, ruling, id = "moc.chip.exchange", Ruling(table), do.character
    ruling.chips_on(rule)
    chip = terms.chip(do.chip, rule)
    if do.beads is not None:
        beads = {terms.element(one, rule): terms.whole(n, "negative-beads", rule) for one, n in do.beads.items()}
        beads = {element: n for element, n in beads.items() if n}
        if sum(beads.values()) != 2 * CHIPS[chip]:
            raise Refused(rule, "wrong-trade-value", expected=2 * CHIPS[chip], given=sum(beads.values()))
        ruling.holds(id, {chip: 1}, rule)
        moved = [accounts.move(accounts.SOURCE, accounts.bead(id, one), n) for one, n in beads.items()]
        done = facts.ChipExchangedForBeads(chip, beads)
        ruling.about(id, done, *accounts.chips(id, {chip: 1}, to_bank=True), *moved)
        ruling.by(rule, 2 * CHIPS[chip], chip=chip)
        return ruling.verdict()
    ruling.holds(id, {chip: 1}, rule)
    count = CHIPS[chip]
    if ruling.balance(accounts.DECK) < count:
        raise Refused(rule, "deck-empty")
    dealing = yield from dealt(ruling, character(id), count, "chip", f"{count} cards for a chip")
    drawn = dealing.cards
    ruling.about(id, facts.ChipSpentOnCards(chip, count), *accounts.chips(id, {chip: 1}, to_bank=True))
    ruling.tell(CAMPAIGN, facts.DeckCut(drawn, dealing.source == "ledger"), audience=NOBODY)
    moved_ = accounts.move(accounts.DECK, accounts.hand(id), count)
    seen = ruling.sees_hand(id)
    ruling.about(id, facts.ChipExchangedForCards(drawn, seen or ()), moved_, audience=seen)
    ruling.by(rule, count, chip=chip)
    return ruling.verdict()


def to_point(table: Table[Dials], do: inputs.ChipToPoint) -> Verdict[Any]:
    """`moc.chip.character-point`: a blue chip at an arc's end."""
    rule, ruling, id = "moc.chip.character-point", Ruling(table), do.character
    ruling.chips_on(rule)
    chip = terms.chip(do.chip, rule)
    if not ruling.campaign().arc_ended:
        raise Refused(rule, "only-at-arc-end")
    if chip != "blue":
        raise Refused(rule, "chips-not-held", chip="blue", given=chip)
    ruling.holds(id, {chip: 1}, rule)
    gained = accounts.move(accounts.BUDGET, accounts.point(id), POINT)
    ruling.about(id, facts.ChipBecamePoint(), *accounts.chips(id, {chip: 1}, to_bank=True), gained)
    ruling.by(rule, 1)
    return ruling.verdict()


# --- awards and penalties ---


def _award(ruling: Ruling, id: str, chips: dict[str, int], reason: str, enlarge: bool) -> None:
    """`moc.fate.purse`: paid from the arc's purse at its value. Refuses `purse-empty`.

    What falls to somebody who is gone since this session goes to the player's next character.
    """
    id = heir_of(ruling, id)
    arc, worth = ruling.campaign().arc, value(chips)
    paid: Posting | None = None
    if ruling.dials.arc_purse_enforced:
        left = ruling.balance(accounts.purse(arc)) if arc is not None else 0
        if left < worth:
            if not enlarge or arc is None:
                raise Refused("moc.fate.purse", "purse-empty", left=left, needed=worth)
            more = accounts.move(accounts.XP, accounts.purse(arc), worth - left)
            ruling.tell(CAMPAIGN, facts.PurseEnlarged(arc, worth - left, reason), more)
    if arc is not None:
        spend = max(0, min(worth, ruling.balance(accounts.purse(arc))))
        paid = accounts.move(accounts.purse(arc), accounts.XP, spend)
    ruling.about(id, facts.ChipAwarded(chips, reason, worth), *accounts.chips(id, chips, to_bank=False), paid)
    ruling.by("moc.fate.purse", worth, character=id)


def award(table: Table[Dials], do: inputs.AwardChip) -> Verdict[Any]:
    ruling = Ruling(table)
    ruling.chips_on("moc.fate.purse")
    chips = ruling.counts(do.chips, "moc.chip.value")
    if not chips:
        raise Refused("moc.chip.value", "nothing-declared")
    if ruling.who(do.character).villain:
        raise Refused("moc.chip.value", "not-a-players-character", character=do.character)
    _not_long_gone(ruling, do.character)
    _award(ruling, do.character, chips, do.reason, do.enlarge)
    return ruling.verdict()


def _not_long_gone(ruling: Ruling, id: str, audience: Audience = None) -> None:
    """Refuses `character-gone` for who fell in an earlier session."""
    if not fell_this_evening(ruling, id):
        raise Refused(
            "moc.fate.inherit", "character-gone", audience=audience, character=id, status=ruling.who(id).status
        )


def penalise(table: Table[Dials], do: inputs.Penalise) -> Verdict[Any]:
    """`moc.fate.penalty`: only chips that are held."""
    rule, ruling = "moc.fate.penalty", Ruling(table)
    ruling.chips_on(rule)
    chips = ruling.counts(do.chips if do.chips is not None else {"white": 1}, rule)
    if not chips:
        raise Refused(rule, "empty-penalty")
    ruling.holds(do.character, chips, rule)
    taken = accounts.chips(do.character, chips, to_bank=True)
    ruling.about(do.character, facts.ChipsPenalised(chips, do.reason), *taken)
    ruling.by(rule, value(chips), reason=do.reason)
    return ruling.verdict()


def nominate(table: Table[Dials], do: inputs.Nominate) -> Verdict[Any]:
    """`moc.fate.nominate`: for others a ruling with a number, and nothing else."""
    rule, ruling = "moc.fate.nominate", Ruling(table)
    seen = ("gm", do.seat)
    if table.by.role != "gm" and table.by.seat != do.seat:
        raise Refused(rule, "not-own-nomination", seat=do.seat)
    named = ruling.seat(do.seat)
    if table.role(seat(do.seat)) != "player":
        raise Refused(rule, "not-a-player", audience=seen, seat=do.seat)
    if table.owner(character(do.nominee)) == do.seat:
        raise Refused(rule, "no-self-nomination", audience=seen, nominee=do.nominee)
    if ruling.who(do.nominee).villain:
        raise Refused(rule, "not-a-players-character", audience=seen, nominee=do.nominee)
    _not_long_gone(ruling, do.nominee, seen)
    session = ruling.evening()
    if named.session == session and do.nominee in named.named:
        raise Refused(rule, "already-nominated", audience=seen, nominee=do.nominee)
    ruling.tell(seat(do.seat), facts.NominationMade(do.nominee, session), audience=seen)
    ruling.by(rule, do.nominee, seen)
    return ruling.verdict(seen)


def tally(table: Table[Dials], do: inputs.TallyNominations) -> Verdict[Any]:
    """`moc.fate.nominate`: one chip for everybody named by enough players."""
    rule, ruling = "moc.fate.nominate", Ruling(table)
    chip = terms.chip(do.chip if do.chip is not None else ruling.dials.nomination_chip, rule)
    session = ruling.evening()
    if ruling.campaign().tallied == session:
        raise Refused(rule, "already-tallied", session=session)
    votes: Counter[str] = Counter()
    for one in table.subjects("seat"):
        state = ruling.seat(one.id)
        if state.session == session:
            votes.update(set(state.named))
    winners = tuple(id for id in sorted(votes) if votes[id] >= ruling.dials.nomination_quorum)
    ruling.tell(CAMPAIGN, facts.NominationsTallied(session, winners))
    ruling.by(rule, list(winners), quorum=ruling.dials.nomination_quorum)
    for id in winners:
        _award(ruling, id, {chip: 1}, "nominated", do.enlarge)
    return ruling.verdict()


# --- giving a character up ---


def held(ruling: Ruling, id: str) -> dict[str, int]:
    counts = {colour: ruling.balance(accounts.chip(id, colour)) for colour in CHIPS}
    return {colour: count for colour, count in counts.items() if count > 0}


def leave_behind(ruling: Ruling, id: str, reason: str) -> None:
    """`moc.fate.inherit`: chips of who died or retired lie in the bank for the player's next character."""
    chips = held(ruling, id)
    if chips:
        ruling.about(id, facts.ChipsReturned(reason, chips), *accounts.chips(id, chips, to_bank=True))
        ruling.by("moc.fate.inherit", 0, character=id)


def sacrifice(table: Table[Dials], do: inputs.Sacrifice) -> Verdict[Any]:
    ruling = Ruling(table)
    if ruling.who(do.character).status in GONE:
        raise Refused("moc.fate.inherit", "not-in-play", character=do.character)
    ruling.about(do.character, facts.CharacterSacrificed(do.reason, ruling.evening()))
    ruling.by("moc.fate.inherit", value(held(ruling, do.character)), character=do.character)
    return ruling.verdict()


def inherit(table: Table[Dials], do: inputs.InheritChips) -> Verdict[Any]:
    """`moc.fate.inherit`: all its chips, plus a bonus the game master may give."""
    rule, ruling = "moc.fate.inherit", Ruling(table)
    bonus = ruling.counts(do.bonus, rule)
    heir, source = character(do.character), character(do.source)
    if heir == source or table.owner(heir) != table.owner(source):
        raise Refused(rule, "not-the-heir", character=do.character, source=do.source)
    ruling.in_play(do.character)
    status = ruling.who(do.source).status
    if bonus and status != "sacrificed":
        raise Refused(rule, "bonus-needs-sacrifice", source=do.source)
    if status not in GONE:
        raise Refused(rule, "still-in-play", source=do.source)
    if bonus and any(do.source in ruling.who(one.id).heir_of for one in table.subjects("character")):
        raise Refused(rule, "already-inherited", source=do.source)
    chips, left = held(ruling, do.source), dict(ruling.who(do.source).left)
    if not (chips or left or bonus):
        raise Refused(rule, "chips-not-held", source=do.source)
    moved = [accounts.move(accounts.chip(do.source, c), accounts.chip(do.character, c), n) for c, n in chips.items()]
    given = accounts.chips(do.character, bonus, to_bank=False)
    kept = accounts.chips(do.character, left, to_bank=False)
    ruling.about(do.character, facts.ChipsInherited(do.source, bonus), *moved, *kept, *given)
    if left:
        ruling.about(do.source, facts.ChipsPassedOn(do.character))
    ruling.by(rule, value(chips) + value(left) + value(bonus), source=do.source)
    return ruling.verdict()


def set_status(table: Table[Dials], do: inputs.SetStatus) -> Verdict[Any]:
    ruling = Ruling(table)
    ruling.who(do.character)
    if do.status not in ("active", "down", "dead"):
        raise Refused("moc.combat.apply", "unknown-status", status=do.status)
    ruling.about(do.character, facts.StatusSet(do.status, do.reason, ruling.evening()))
    ruling.by("moc.combat.apply", do.status, character=do.character)
    if do.status == "dead":
        leave_behind(ruling, do.character, "dead")
    return ruling.verdict()
