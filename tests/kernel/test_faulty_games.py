"""A game whose code breaks on a verdict: nothing is saved, whichever way the verdict came about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from ledger.application import Book, Call, Ledger
from ledger.application.commands.revising import Correction
from ledger.errors import Fault, GameAtFault, Unsound
from ledger.events.codec import Codec
from ledger.events.records import RECORDS, SetAside
from ledger.events.records_of_journal import SetAsideEntry
from ledger.rules import find_package, systems
from ledger.rules.kernel import facts
from ledger.rules.kernel.subjects import character
from tests.desk import Desk, present

toy: Any = find_package("toy")
BROKEN = 5  # a hit for so much breaks the rules


class Defect(Exception):
    """Of a game."""


def hurt(was: Any, done: Any) -> Any:
    if done.amount == BROKEN:
        raise Defect
    return toy.hurt(was, done)


def breaks_the_fold(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(toy.FOLD.changes[toy.Being], toy.Hurt, hurt)


def loses_the_state(patch: pytest.MonkeyPatch) -> None:
    def lost(was: Any, done: Any) -> Any:
        return object() if done.amount == BROKEN else toy.hurt(was, done)

    patch.setitem(toy.FOLD.changes[toy.Being], toy.Hurt, lost)


def breaks_the_view(patch: pytest.MonkeyPatch) -> None:
    def view(subject: Any, state: Any, viewer: Any) -> Any:
        if state.harm >= BROKEN and viewer.seat != "s2":
            raise Defect
        return toy.view(subject, state, viewer)

    install(patch, replace(toy.RULESET, view=view))


def shows_what_no_json_is(patch: pytest.MonkeyPatch) -> None:
    def view(subject: Any, state: Any, viewer: Any) -> Any:
        return {"harm": object() if state.harm >= BROKEN else state.harm}

    install(patch, replace(toy.RULESET, view=view))


def install(patch: pytest.MonkeyPatch, ruleset: Any) -> None:
    patch.setitem(systems(), "toy", ruleset)


BREAKS = [breaks_the_fold, loses_the_state, breaks_the_view, shows_what_no_json_is]


@pytest.fixture
def fight(desk: Desk) -> tuple[Desk, str, str]:
    ann, ben = desk.enrol("Ann"), desk.enrol("Ben")
    desk.hit(ann, ben, 1)
    return desk, ann, ben


def unsaved(desk: Desk, another: Ledger, act: Callable[[], object]) -> GameAtFault:
    """The problem that the act meets; nothing of it is in the record, and play goes on."""
    before = [tuple(row) for row in desk.ledger.store.select_range(f"{desk.campaign}/", f"{desk.campaign}0")]
    with pytest.raises(GameAtFault) as problem:
        act()
    after = [tuple(row) for row in desk.ledger.store.select_range(f"{desk.campaign}/", f"{desk.campaign}0")]
    assert after == before
    return problem.value


@pytest.mark.parametrize("breaking", BREAKS)
def test_a_ruling_that_breaks_the_game_is_not_saved(
    fight: tuple[Desk, str, str],
    another: Ledger,
    monkeypatch: pytest.MonkeyPatch,
    breaking: Callable[[pytest.MonkeyPatch], None],
) -> None:
    desk, ann, ben = fight
    breaking(monkeypatch)
    desk.ledger.get_book(desk.campaign).reset()
    problem = unsaved(desk, another, lambda: desk.hit(ann, ben, BROKEN))
    assert problem.code == "game-at-fault" and "Toy" in problem.detail and problem.context == {"system": "toy"}
    assert ", line " in problem.place
    desk.hit(ann, ben, 2)
    assert desk.state(ben).harm == 3


def test_it_is_shown_as_its_declarer_would_see_it(
    fight: tuple[Desk, str, str], another: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, ann, ben = fight
    seat, token = desk.seat("Cleo")
    cleo = str(desk("enrol", name="Cleo", seat=seat, sheet={"health": 9}))

    def view(subject: Any, state: Any, viewer: Any) -> Any:
        if state.harm >= BROKEN and viewer.seat == seat:
            raise Defect
        return toy.view(subject, state, viewer)

    install(monkeypatch, replace(toy.RULESET, view=view))
    desk.ledger.get_book(desk.campaign).reset()
    given = ({"choice": {"kind": "stand"}}, {"dice": {"sides": 6, "faces": [BROKEN]}})
    hit = {"char": cleo, "target": cleo}
    unsaved(desk, another, lambda: desk.declare("hit", *given, call=desk.call(token=token), **hit))
    desk.hit(ann, ben, BROKEN)  # a game master's own


def test_an_answer_that_breaks_the_game_is_not_saved_and_goes_on_waiting(
    fight: tuple[Desk, str, str], another: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, ann, ben = fight
    waiting = desk("hit", {"choice": {"kind": "stand"}}, dice="table", char=ann, target=ben)
    breaks_the_fold(monkeypatch)

    def answer(face: int) -> object:
        (given,) = desk.answers({"dice": {"sides": 6, "faces": [face]}})
        return desk.ledger.answer_waiting_declaration(desk.call(), waiting, given, present)

    unsaved(desk, another, lambda: answer(BROKEN))
    answer(3)
    assert desk.state(ben).harm == 4


def test_a_revision_that_breaks_the_game_is_not_saved(
    fight: tuple[Desk, str, str], another: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, _, ben = fight
    breaks_the_fold(monkeypatch)

    def revise(face: int) -> object:
        answers = [None, *desk.answers({"dice": {"sides": 6, "faces": [face]}})]
        return desk.ledger.revise(desk.call(), 3, Correction("It was more.", "entry", answers=answers), present)

    unsaved(desk, another, lambda: revise(BROKEN))
    revise(4)
    assert desk.state(ben).harm == 4


def test_a_decision_after_which_the_game_breaks_is_not_saved(
    fight: tuple[Desk, str, str], another: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Overturned, reinstated, ruled again: what stands then breaks the fold, though what stood did not."""
    desk, ann, ben = fight
    desk.hit(ann, ben, BROKEN)

    def hurt_once(was: Any, done: Any) -> Any:
        if done.amount == BROKEN and not was.harm:
            raise Defect
        return toy.hurt(was, done)

    monkeypatch.setitem(toy.FOLD.changes[toy.Being], toy.Hurt, hurt_once)
    unsaved(desk, another, lambda: desk.ledger.overturn(desk.call(), 3, "No.", present))
    unsaved(desk, another, lambda: desk.ledger.overturn(desk.call(), 3, "No.", present, settle="rerule"))
    assert desk.state(ben).harm == 1 + BROKEN
    desk.ledger.overturn(desk.call(), 4, "No.", present)
    desk.ledger.overturn(desk.call(), 3, "No.", present)
    unsaved(desk, another, lambda: desk.ledger.reinstate(desk.call(), 4, "Yes.", present))
    desk.ledger.reinstate(desk.call(), 3, "Yes.", present)
    assert desk.state(ben).harm == 1


def test_an_amendment_that_breaks_the_game_is_not_saved(
    fight: tuple[Desk, str, str], another: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, _, ben = fight
    breaks_the_view(monkeypatch)
    desk.ledger.get_book(desk.campaign).reset()
    amend = {"subject": f"character:{ben}", "field": "harm", "reason": "Worse."}
    unsaved(desk, another, lambda: desk("amend", value=BROKEN, **amend))
    desk("amend", value=2, **amend)
    assert desk.state(ben).harm == 2


def test_rules_that_break_while_they_adjudicate_are_at_fault(
    fight: tuple[Desk, str, str], another: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, ann, ben = fight

    def adjudicate(table: Any, do: Any) -> Any:
        if isinstance(do, toy.Hit):
            raise Defect
        return (yield from toy.adjudicate(table, do))

    install(monkeypatch, replace(toy.RULESET, adjudicate=adjudicate))
    desk.ledger.get_book(desk.campaign).reset()
    unsaved(desk, another, lambda: desk.hit(ann, ben, 2))
    desk.enrol("Dora")


def test_what_is_folded_before_the_save_is_not_folded_again(
    fight: tuple[Desk, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, ann, ben = fight
    folded: list[object] = []

    def counted(was: Any, done: Any) -> Any:
        folded.append(done)
        return toy.hurt(was, done)

    monkeypatch.setitem(toy.FOLD.changes[toy.Being], toy.Hurt, counted)
    desk.hit(ann, ben, 2)
    assert len(folded) == 1
    assert desk.state(ben).harm == 3
    assert len(folded) == 1


def test_a_broken_fact_that_is_recorded_keeps_its_subject_only(
    fight: tuple[Desk, str, str], another: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an earlier version could record one: nothing rests on that subject, all others are played on."""
    desk, ann, ben = fight
    desk.hit(ann, ben, BROKEN)
    cleo = desk.enrol("Cleo")
    breaks_the_fold(monkeypatch)
    for ledger in (desk.ledger, another):
        ledger.get_book(desk.campaign).reset()
        with ledger.open_for_seat(Call(desk.campaign, desk.token)) as (book, _):
            assert isinstance(book, Book)
            with pytest.raises(GameAtFault, match=rf"the results of ruling 4.*repair {desk.campaign} 4") as problem:
                book.find(character(ben))
            assert problem.value.context == {"system": "toy", "ruling": 4}
    unsaved(desk, another, lambda: desk.hit(ann, ben, 1))
    desk.hit(ann, cleo, 1)


def test_an_older_version_of_the_ledger_stops_at_a_ruling_set_aside(
    fight: tuple[Desk, str, str], another: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says that it does not know what was stored, and changes nothing."""
    desk, ann, ben = fight
    desk.hit(ann, ben, BROKEN)
    breaks_the_fold(monkeypatch)
    desk.ledger.get_book(desk.campaign).reset()
    call = Call(desk.campaign, "", "repair", "a key", "")
    desk.ledger.set_ruling_aside(call, 4, "A mistake.", present)
    desk.hit(ann, ben, 2)
    older = Codec()
    for cls in RECORDS:
        if cls not in (SetAside, SetAsideEntry):
            older.register("ledger", cls)
    for cls in (*facts.FACTS, *toy.RULESET.facts):
        older.register("ledger" if cls in facts.FACTS else "toy", cls)
    another.codec = older
    before = desk.ledger.store.max_notification_id()
    for act in (
        lambda: another.overturn(desk.call(), 3, "No.", present),
        lambda: another.check_token(desk.call()),
    ):
        with pytest.raises(Unsound, match="A newer version of Campaign Ledger"):
            act()
    ruling = desk.ledger.store.select_stream(f"{desk.campaign}/ruling/4")
    with pytest.raises(Fault, match="A newer version of Campaign Ledger"):
        list(older.decode_bodies(ruling))
    assert desk.ledger.store.max_notification_id() == before
