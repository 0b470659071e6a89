"""Everything a check becomes names the ruling of its roll; board and character, Status and account always agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from ledger.rules.kernel.comparison import Other, compare
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.kept_twice import list_disagreements
from ledger.rules.kernel.questions import Dice
from ledger.rules.kernel.subjects import character
from ledger.rules.kernel.world import Past, PastRuling, Revision
from ledger.rules.mnemonic import RULESET, is_settled
from ledger.rules.mnemonic.checks import EnterRoll, Resolve, RuleFluke
from ledger.rules.mnemonic.consequences import NarrateConsequence
from ledger.rules.mnemonic.injuries import RuleInjury
from ledger.rules.mnemonic.records import CameOut, CheckRolled, Rolled
from ledger.rules.mnemonic.recovery_checks import NameRecovery
from ledger.rules.mnemonic.shelves import Shelf
from ledger.rules.mnemonic.state import Check
from tests.levels import seeds
from tests.rules.mnemonic.chance import Chance, play_at_random, try_out
from tests.rules.mnemonic.game import Game

DECIDED = (
    "enter-roll",
    "rule-check",
    "rule-injury",
    "rule-fluke",
    "resolve",
    "rule-recovery-check",
    "name-recovery",
    "declare-recovery",
    "narrate-consequence",
)


# --- decisions in memory ------------------------------------------------------------------------------------------


class Table:
    """A random game in which rulings are overturned, reinstated and revised between two declarations."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"one life {seed}")
        self.game = play_at_random(seed, 25)
        self.chance = Chance(self.game, self.rng)
        self.standing: dict[int, int | None] = {}

    def told(self, until: int | None = None) -> Past:
        """The campaign as it stands, up to the ruling of this number."""
        past = Past(self.game.ruleset, self.standing)
        past.tell(self.game.opening)
        for ruling in self.game.history[: until - 1 if until is not None else None]:
            past.tell(ruling.facts)
        return past

    def decide(self) -> None:
        how, stand = self.rng.random(), [ruling for ruling in self.game.history if self.stands(ruling)]
        overturned = [number for number, revision in self.standing.items() if revision is None]
        if overturned and how < 0.4:
            number = self.rng.choice(overturned)
            self.settle({number: self.game.history[number - 1].revision}, {})
        elif how < 0.7:
            rolls = [ruling for ruling in stand if isinstance(ruling.declared, EnterRoll)]
            anew = self.corrected(self.rng.choice(rolls)) if rolls else None
            if anew is not None:
                self.settle({anew.number: anew.revision}, {anew.number: anew})
        elif decided := [ruling.number for ruling in stand if ruling.declared.kind in DECIDED]:
            self.settle({self.rng.choice(decided): None}, {})

    def stands(self, ruling: PastRuling) -> bool:
        return self.standing.get(ruling.number, 0) is not None

    def corrected(self, ruling: PastRuling) -> Revision | None:
        """The roll with other numbers; None where they do not fit."""
        numbers = tuple(map(self.face, ruling.declared.numbers)) if ruling.declared.numbers else ruling.declared.numbers
        said = tuple(
            replace(one, answer=replace(one.answer, faces=tuple(map(self.face, one.answer.faces))))
            if isinstance(one.answer, Dice)
            else one
            for one in ruling.said
        )
        other = replace(ruling, declared=replace(ruling.declared, numbers=numbers), said=said)
        anew = self.told(ruling.number).rule_again(other, ruling.revision + 1)
        return anew if isinstance(anew.outcome, Verdict) else None

    def face(self, _: object) -> int:
        return self.rng.choice((1, 12, self.rng.randint(1, 12)))

    def settle(self, standing: Mapping[int, int | None], revised: Mapping[int, Revision]) -> None:
        """As the service does: later rulings keep their facts or are ruled again, and what follows is counted again."""
        other = Other({**self.standing, **standing}, revised, rerule=self.rng.random() < 0.3, openly=True, counts=True)
        compared = compare(self.game.beginning(), self.game.history, self.standing, other)
        self.standing |= standing
        for number, anew in {**revised, **{one.number: one for one in compared.reruled}}.items():
            ruling = self.game.history[number - 1]
            refused = ruling.refused | (frozenset() if isinstance(anew.outcome, Verdict) else {anew.revision})
            self.standing[number] = anew.revision
            self.game.history[number - 1] = replace(
                ruling,
                declared=anew.declared,
                facts=(*ruling.facts, *anew.facts),
                revision=anew.revision,
                refused=refused,
            )
        self.game.past = self.told()


def checks(past: Past) -> Iterator[tuple[str, Check]]:
    for subject, folded in past.folded.items():
        if subject.kind in ("scene", "campaign"):
            yield from folded.state.board.checks.items()


# --- the laws -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", seeds(4, 12, 400))
def test_board_and_character_agree_whatever_is_decided(seed: int) -> None:
    table = Table(seed)
    for _ in range(25):
        try_out(table.game, table.chance.word(), table.rng)
        table.decide()
        resisting = {
            id: check
            for subject, folded in table.game.past.folded.items()
            if subject.kind == "character"
            for id, check in folded.state.resisting.items()
        }
        for id, check in checks(table.game.past):
            if check.ruled.purpose != "action":
                assert (id, is_settled(check)) == (id, resisting[id].settled)


@pytest.mark.parametrize("seed", seeds(4, 12, 400))
def test_status_and_account_are_equal_at_every_place(seed: int) -> None:
    table = Table(seed)
    for _ in range(15):
        try_out(table.game, table.chance.word(), table.rng)
        table.decide()
    for number in range(1, table.game.number + 1):
        past = table.told(number)
        for id in table.game.roster:
            folded = past.told(character(id))
            lost, regained = (folded.purse.get(f"character:{id}/status:{way}", 0) for way in ("lost", "regained"))
            assert 6 - lost + regained == folded.state.level


@pytest.mark.parametrize("seed", seeds(4, 12, 200))
def test_what_rests_on_an_overturned_roll_is_never_as_recorded(seed: int) -> None:
    game = play_at_random(seed, 120)
    rolls = {one.fact.check: one.ruling for _, one in game.told() if isinstance(one.fact, CheckRolled)}
    for ruling in game.history:
        named = getattr(ruling.declared, "check", None) or getattr(ruling.declared, "cause_check", None)
        rolled = rolls.get(named or "")
        if rolled is not None and rolled < ruling.number and _rests_on_it(ruling.declared):
            rows = {row.number: row for row in game.without(rolled).rows}
            assert not rows[ruling.number].as_recorded


def _rests_on_it(declared: Any) -> bool:
    if isinstance(declared, RuleInjury):
        return declared.cause != "referee"
    return isinstance(declared, RuleFluke | Resolve | NameRecovery | NarrateConsequence)


# --- the audit compares both sides ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "reported"),
    [
        ({"settled": False}, "end of check"),
        ({"injury": "99"}, "injury of check"),
        ({"awaited": CameOut(3, None, 1)}, "result of check"),
        ({"rolled": Rolled(3, None, 0, "99", ("3",))}, "roll of check"),
        (None, "check"),
    ],
)
def test_the_audit_reports_where_board_and_character_differ(change: dict[str, Any] | None, reported: str) -> None:
    game = Game()
    check = game.injury()
    game.roll(check, 4)
    assert not differences(game)
    hero = game.past.told(character(game.hero))
    own = hero.state.resisting
    resisting = Shelf() if change is None else own.put(check, replace(own.find(check), **change))
    hero.state = replace(hero.state, resisting=resisting)
    assert differences(game) == {f"{reported} {check}"}


def differences(game: Game) -> set[str]:
    """What the audit reports."""
    return {found.value.what for found in list_disagreements(RULESET, game.past.find, game.past.folded)}


def test_the_audit_reports_a_recovery_whose_roll_was_overturned_on_one_side_only() -> None:
    """Status and account, 5 and 6: the board has lost the roll, the character kept what came of it."""
    game = Game(recovery__check_reading="step")
    game.hurt_to(5)
    check = game.recovery_check()
    game.roll(check, 3)
    board = game.past.told(game.there)
    (found,) = (found for id, found in board.state.board.checks.items() if id == check)
    checks = board.state.board.checks.put(check, replace(found, rolled=None, resolved=None))
    board.state = replace(board.state, board=replace(board.state.board, checks=checks))
    assert differences(game) == {f"end of check {check}", f"roll of check {check}"}


# --- a corrected roll is a different roll -------------------------------------------------------------------------


def test_the_same_number_rolled_again_is_a_different_roll() -> None:
    """A fluke ruled on a roll that was overturned says nothing of the one entered after it, and comes back with it."""
    game = Game(flukes__on=True)
    check = game.injury()
    first = game.number
    game.roll(check, 12, 12, 7)
    fluke = game.number
    game.fluke(check)
    game.past = game.without(first, fluke).then
    second = game.number
    game.roll(check, 12, 12, 7)
    back = Past(game.ruleset, {first: None})
    back.tell(game.told())
    board = back.told(game.there).state.board.checks.find(check)
    assert board.rolled.ruling == str(second) and board.fluke is None and board.resolved is None
    assert back.told(character(game.hero)).state.level == 6
    assert {number for number, _ in back.told(game.there).adrift} == {fluke}


def test_a_roll_left_and_one_resolved_at_once_do_not_share_a_result() -> None:
    """The first was left and is reinstated: what came of the second, with the same number, is adrift on both sides."""
    game = Game()
    check = game.injury()
    first = game.number
    game.declare(EnterRoll(check, (4,), resolve=False))
    game.past = game.without(first).then
    second = game.number
    game.roll(check, 4)
    assert game.status() == (3, None)
    back = Past(game.ruleset, {})
    back.tell(game.told())
    board = back.told(game.there).state.board.checks.find(check)
    assert board.rolled.ruling == str(first) and board.resolved is None
    assert back.told(character(game.hero)).state.level == 6
    for subject in (game.there, character(game.hero)):
        assert {number for number, _ in back.told(subject).adrift} == {second}


def test_every_decision_names_the_ruling_of_its_roll() -> None:
    game = Game(flukes__on=True, recovery__check_reading="referee")
    fumble = game.check(life_or_death=True)
    rolled = str(game.number)
    game.roll(fumble, 12, 12, 12)
    fluke = game.fluke(fumble)
    narrated = game.declare(NarrateConsequence(fumble, "It falls."))
    game.injury(cause="spectacular", cause_check=fumble)
    injury = game.fact(game.verdicts[-1], "injury-ruled")
    decided = [game.fact(fluke, "fluke-ruled"), game.fact(fluke, "check-resolved")]
    for fact in (*decided, game.fact(narrated, "consequence-narrated"), injury):
        assert fact.rolled.ruling == rolled
    resisted = str(game.number)
    assert game.fact(game.roll(injury.check, 5), "injury-resolved").rolled.ruling == resisted
    check = game.recovery_check()
    recovered = str(game.number)
    awaited = game.fact(game.roll(check, 3), "recovery-awaited")
    named = game.declare(NameRecovery(check, 5))
    for result in (awaited.result, game.fact(named, "recovery-named").result):
        assert result.rolled.ruling == recovered
    assert game.fact(named, "recovery-checked").rolled.ruling == recovered


def test_a_check_named_for_the_referees_own_word_must_stand() -> None:
    game = Game()
    check = game.check()
    ruled = game.number - 1
    do = RuleInjury(game.hero, "referee", "dead", "Even", reason="A fall.")
    for missing in ("999", game.hero, game.place):
        assert game.refused(replace(do, cause_check=missing)) == "cause-missing"
    game.declare(replace(do, cause_check=check))
    assert {row.number: row.standpoint for row in game.without(ruled).rows}[game.number - 1] == "loses support"
