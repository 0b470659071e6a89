"""Faults that the law of correct rulings must find: each is planted, and evenings are played until one is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeAlias

import pytest

from ledger.application import Ledger
from ledger.application.commands import consequences, overturning, revising
from ledger.application.reading import comparisons
from ledger.errors import LedgerError
from ledger.events.records_of_journal import Settlement
from ledger.rules.kernel import comparison
from ledger.rules.kernel.chronicle import Chronicle, SubjectHistory
from ledger.rules.kernel.fold import Recorded
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.world import Past
from tests.kernel.correctness import audited
from tests.kernel.test_correctness import WORDS, Evening
from tests.rules.anything import play

pytestmark = pytest.mark.nightly
Patch: TypeAlias = pytest.MonkeyPatch
GAMES = ("toy", "scattershot", "mongrel", "intensity", "moc", "mnemonic")
EVENINGS = 8  # of each game at the most


def put_back_unjudged(patch: Patch) -> None:
    """A ruling that is put back is in no comparison."""
    add = comparison._Pasts._compare_ruling

    def only_later(self: Any, ruling: Any, counted: Any, *, may_skip_replay: bool) -> Any:
        return add(self, ruling, counted, may_skip_replay=may_skip_replay) if self.now.stands(ruling.number) else None

    patch.setattr(comparison._Pasts, "_compare_ruling", only_later)


def reads_less(patch: Patch) -> None:
    """A ruling that reads the campaign is not looked at where a dial, a session or a scene differs."""
    mark = comparison._note_difference
    patch.setattr(
        comparison, "_note_difference", lambda differ, what, alike: mark(differ, what, alike or ":" not in what)
    )


def finding_of(kind: str) -> Callable[[Patch], None]:
    """No finding of the kind is raised."""

    def plant(patch: Patch) -> None:
        found = comparisons._list_findings
        patch.setattr(
            comparisons, "_list_findings", lambda *given: tuple(one for one in found(*given) if one.kind != kind)
        )

    return plant


def nothing_cleared(patch: Patch) -> None:
    """Findings stay open though what they say is not so any more."""
    for module in (consequences, overturning, revising):
        patch.setattr(module, "list_clearing_settlements", lambda *given: [])


def all_cleared(patch: Patch) -> None:
    """Each decision closes every finding."""
    cleared = consequences.list_clearing_settlements

    def everything(book: Any, changed: Any, reason: str) -> Any:
        known = {one.finding for one in cleared(book, changed, reason)}
        more = [Settlement(one, "cleared", reason) for one in book.campaign.open_findings if one not in known]
        return [*cleared(book, changed, reason), *more]

    for module in (consequences, overturning, revising):
        patch.setattr(module, "list_clearing_settlements", everything)


def overturned_stays_found(patch: Patch) -> None:
    """A finding about a ruling stays open when that is overturned."""
    patch.setattr(
        overturning,
        "list_settlements",
        lambda book, numbers, changed, reason: consequences.list_clearing_settlements(book, changed, reason),
    )


def states_kept_too_long(patch: Patch) -> None:
    """Kept states still include what was overturned later."""
    replace = SubjectHistory.replace_facts_at

    def keeping(self: SubjectHistory, place: int, facts: Iterable[Recorded]) -> None:
        kept = self.kept_states
        replace(self, place, facts)
        self.kept_states = kept

    patch.setattr(SubjectHistory, "replace_facts_at", keeping)


def everything_as_recorded(patch: Patch) -> None:
    """Whatever has facts is as recorded."""
    as_recorded = Past.is_as_recorded
    patch.setattr(
        Past, "is_as_recorded", lambda self, past, outcome: as_recorded(self, past, outcome) or bool(past.facts)
    )


def refusals_as_recorded(patch: Patch) -> None:
    """A ruling that is refused by now is taken for one that was refused anew before."""
    as_recorded = Past.is_as_recorded
    patch.setattr(
        Past,
        "is_as_recorded",
        lambda self, past, outcome: isinstance(outcome, Refused) or as_recorded(self, past, outcome),
    )


def others_forgotten(patch: Patch) -> None:
    """Of several rulings overturned together only the first is in the comparison."""
    without = comparisons.compare_without_rulings

    def first_alone(book: Any, numbers: Any, **more: Any) -> Any:
        return without(book, frozenset([more.get("cause") or min(numbers)]), **more)

    patch.setattr(overturning, "compare_without_rulings", first_alone)


def reruled_untold(patch: Patch) -> None:
    """Rulings that should be ruled again are not."""
    for module in (overturning, revising):
        patch.setattr(module, "make_rulings_again", lambda *given: None)


def revised_unfound(patch: Patch) -> None:
    """A revision has no findings."""
    with_anew = comparisons.compare_with_revised
    patch.setattr(revising, "compare_with_revised", lambda *given: replace(with_anew(*given), findings=()))


def put_back_as_first_ruled(patch: Patch) -> None:
    """What is reinstated is compared as if it had its first telling."""
    with_again = comparisons.compare_with_reinstated
    patch.setattr(
        overturning,
        "compare_with_reinstated",
        lambda book, number, revisions, *more: with_again(book, number, {number: 0}, *more),
    )


def last_ruling_forgotten(patch: Patch) -> None:
    """The latest ruling is compared with nothing."""
    rows = comparison._Pasts.list_rows
    patch.setattr(comparison._Pasts, "list_rows", lambda self: rows(self)[:-1])


def index_of_readers_forgotten(patch: Patch) -> None:
    """Whoever reads a subject is not looked at where it comes to differ by what else was decided."""
    add = Chronicle.add_ruling

    def fewer(self: Any, ruling: Any) -> None:
        reads = [one for one in ruling.reads if not one.startswith("character:")]
        add(self, replace(ruling, reads=frozenset(reads)))

    patch.setattr(Chronicle, "add_ruling", fewer)


def order_forgotten(patch: Patch) -> None:
    """Facts are as recorded in whatever order."""
    as_recorded = Past.is_as_recorded

    def any_order(self: Any, past: Any, outcome: Any) -> bool:
        turned = replace(outcome, facts=outcome.facts[::-1]) if hasattr(outcome, "facts") else outcome
        return as_recorded(self, past, turned)

    patch.setattr(Past, "is_as_recorded", any_order)


FAULTS: dict[str, Callable[[Patch], None]] = {
    "put-back": put_back_unjudged,
    "reads-less": reads_less,
    "no-changes": finding_of("changes"),
    "no-loses-support": finding_of("loses support"),
    "no-needs-dice": finding_of("needs dice"),
    "no-overdrawn": finding_of("overdrawn"),
    "no-adrift": finding_of("adrift"),
    "nothing-cleared": nothing_cleared,
    "all-cleared": all_cleared,
    "overturned-stays-found": overturned_stays_found,
    "as-recorded": everything_as_recorded,
    "refusals-as-recorded": refusals_as_recorded,
    "others-forgotten": others_forgotten,
    "reruled-untold": reruled_untold,
    "revised-unfound": revised_unfound,
    "put-back-as-first-ruled": put_back_as_first_ruled,
    "last-forgotten": last_ruling_forgotten,
    "readers-forgotten": index_of_readers_forgotten,
    "order-forgotten": order_forgotten,
}


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_a_planted_fault_is_found(fault: str, ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    FAULTS[fault](monkeypatch)
    assert any(played(ledger, game, seed) for seed in range(EVENINGS) for game in GAMES)


def played(ledger: Ledger, game: str, seed: int) -> str:
    """What was wrong in an evening; nothing, where nothing was."""
    try:
        Evening(ledger, play(game, seed, WORDS), seed).tell()
    except AssertionError as wrong:
        return str(wrong)
    except (Refused, LedgerError):  # its dials do not go together
        pass
    return ""


@pytest.mark.parametrize("fault", ["put-back", "no-changes", "no-loses-support", "all-cleared", "nothing-cleared"])
def test_so_does_the_audit(fault: str, ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told to a ledger with the fault, and audited by one without."""
    for seed in range(EVENINGS):
        for game in GAMES:
            with monkeypatch.context() as patch:
                FAULTS[fault](patch)
                patch.setattr(Evening, "holds", lambda self: None)
                try:
                    evening = Evening(ledger, play(game, seed, WORDS), seed)
                except Refused:
                    continue
                evening.tell()
            if any(one.startswith("finding") for one in audited(evening.desk)):
                return
    raise AssertionError("not found")


def test_an_audit_that_keeps_states_too_long_is_wrong(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    states_kept_too_long(monkeypatch)
    evenings = [Evening(ledger, play("toy", seed, WORDS), seed) for seed in range(EVENINGS)]
    for evening in evenings:
        evening.tell()
    assert any(audited(evening.desk) for evening in evenings)
