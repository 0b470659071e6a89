"""Leaks there were, and some that could be: each planted again, for the law of twins to find."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias, cast
from zlib import crc32

import pytest

from ledger.application import SubjectStream
from ledger.application.commands import consequences, declaring, foreseeing, previewing
from ledger.application.reading import comparisons, veiling
from ledger.rules import systems
from ledger.rules.kernel import amending
from ledger.rules.kernel.as_known import AsKnown
from ledger.rules.kernel.comparison import Other
from ledger.rules.kernel.declarations import find_kind
from ledger.rules.kernel.questions import deal, roll
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from ledger.rules.mnemonic.referee import CHAIRS
from ledger.rules.moc import cards_on_dice, deciding, hands
from ledger.rules.moc.hands import _read_typed
from projections.documents import answers, exports
from tests.api.table import Json, Table, rolled
from tests.api.twins.games import SECRETS, WHERE_ALL_DECIDE, Secret, overturned, put_back

Leak: TypeAlias = Callable[[pytest.MonkeyPatch], None]


def called(name: str) -> Secret:
    (found,) = [one for one in (*SECRETS, *WHERE_ALL_DECIDE) if str(one) == name]
    return found


def trying(name: str, *kinds: str) -> Secret:
    """With no other declarations than these: any other would take long to come to."""
    secret = called(name)
    answers = tuple(one for one in secret.answers if "cards" in one)
    return replace(secret, answers=answers, tries=tuple(one for one in secret.tries if one["kind"] in kinds))


# --- what-ifs, previews, findings ---


def trusting(patch: pytest.MonkeyPatch) -> None:
    """What-ifs and previews say of every ruling how it comes out, as the audiences of the other past have it."""
    for place in (comparisons, veiling):
        patch.setattr(place, "find_comparison_as_known", lambda book, viewer, other, reruled=None, entered=None: None)


def for_any_dial(patch: pytest.MonkeyPatch) -> None:
    trusting(patch)
    patch.setattr(previewing, "controls_visibility", lambda ruleset, name: False)


def counting_all(patch: pytest.MonkeyPatch) -> None:
    """Findings are numbered over those that are hidden."""
    _numbered(patch, veiling.address_findings)


def for_everybody(patch: pytest.MonkeyPatch) -> None:
    """Whether a ruling that rests on what is hidden raises a finding is told to all."""
    _numbered(patch, lambda book, shown, position: shown)


def _numbered(patch: pytest.MonkeyPatch, addressed: Any) -> None:
    def numbered(book: Any, shown: Any, position: int) -> Any:
        found = addressed(book, shown, position)
        ids = [replace(one, id=f"{position}-{place}") for place, one in enumerate(found.findings, 1)]
        return replace(found, findings=tuple(ids))

    patch.setattr(comparisons, "address_findings", numbered)


def counting_all_in_exports(patch: pytest.MonkeyPatch) -> None:
    counting_all(patch)
    settling_openly(patch)


def settling_openly(patch: pytest.MonkeyPatch) -> None:
    """An export tells every entry of the journal that names nothing hidden."""
    patch.setattr(exports, "SETTLING", frozenset())


def ruling_all_again(patch: pytest.MonkeyPatch) -> None:
    """With `rerule` also what comes out otherwise for some only: as many more events."""

    def other(*told: Any, openly: bool, **more: Any) -> Other:
        return Other(*told, **more)

    patch.setattr(comparisons, "Other", other)


def ruling_again_for_players(patch: pytest.MonkeyPatch) -> None:
    """Who may not know how it comes out has it ruled again, and sees."""
    for place in (consequences, previewing):
        patch.setattr(place, "must_know_what_follows", lambda book, viewer, changed: None)


def foreseeing_what_comes(patch: pytest.MonkeyPatch) -> None:
    """Previews of declarations tell what comes of them, whatever that rests on."""
    patch.setattr(foreseeing, "load_campaign_as_known", lambda book, viewer: None)


def foreseeing_with_more_work(patch: pytest.MonkeyPatch) -> None:
    """What rests on what is hidden is adjudicated as it is, as many times more as its outcome has it."""
    replayed = AsKnown.replay

    def longer(self: AsKnown, ruling: Any, *more: Any, twice: bool = False) -> Any:
        found = replayed(self, ruling, *more, twice=twice)
        if found is None:
            outcome = self.past.readjudicate(ruling)
            said = (outcome.code, outcome.context) if isinstance(outcome, Refused) else outcome
            for _ in range(crc32(repr(said).encode()) % 97):
                self.past.readjudicate(ruling)
        return found

    patch.setattr(AsKnown, "replay", longer)


# --- what waits, and how many numbers fell ---


def wave_by_wave(patch: pytest.MonkeyPatch) -> None:
    """What a hidden roll goes on with is asked for anew, each time: a roll more, or a save."""

    def waves(who: Any, count: int, sides: int, *, opens: int, **more: Any) -> Any:
        faces: tuple[int, ...] = ()
        while count:
            now = yield from roll(who, count, sides, **more)
            faces, count = (*faces, *now), now.count(opens)
        return faces

    patch.setattr(sys.modules["ledger.rules.toy"], "roll", waves)


def die_by_die(patch: pytest.MonkeyPatch) -> None:
    """The ledger rolls as often as a hidden roll has dice."""

    def dice(who: Any, count: int, sides: int, *, opens: int, **more: Any) -> Any:
        faces: tuple[int, ...] = ()
        for _ in range(count):
            faces = (*faces, *(yield from roll(who, 1, sides, **more)))
        return faces

    patch.setattr(sys.modules["ledger.rules.toy"], "roll", dice)


def _typed_in_waves(table: Table, other: bool) -> None:
    table.fighters()
    waits = table.ben.does("/rulings", {"declare": {"kind": "sneak", "char": "1"}, "dice": "table"}, 202)
    for face in (6, 6, 1) if other else (5,):
        table.ben.does(f"/waiting/{waits['id']}/answers", {"answer": rolled(face)}, 202 if face == 6 else 201)
    table.cleo.declare("look", char="2", at="1")


TYPED_IN_WAVES = replace(called("toy: a hidden roll that waited"), name="dice typed in waves", hide=_typed_in_waves)


# --- what waits, and lapses ---


def unseen(patch: pytest.MonkeyPatch) -> None:
    """No leak, but what could be one: a toy in which nobody hits who hides with ten or more."""
    toy = systems()["toy"]
    being = type(toy.blank("character"))

    def adjudicate(table: Any, do: Any) -> Any:
        if find_kind(do) == "hit" and sum(table.get(character(do.target), being).hidden) >= 10:
            raise Refused("toy.hit", "already-down", target=do.target)
        return (yield from toy.adjudicate(table, do))

    patch.setitem(cast(dict[str, Any], systems()), "toy", replace(toy, adjudicate=adjudicate))


def _hides_no_more(table: Table, other: bool) -> None:
    called("toy: a hidden roll").hide(table, other)
    for path, body in (overturned(4), overturned(3)):
        table.gm.does(path, body, 200)


HIDES = replace(
    called("toy: a hidden roll"),
    name="a hidden roll put back",
    hide=_hides_no_more,
    decides=(put_back(3),),
    tries=({"kind": "hit", "char": "2", "target": "1"},),
)


def lapsing_as_it_is(patch: pytest.MonkeyPatch) -> None:
    """What waits lapses where the rules refuse it, whatever that rests on."""
    patch.setattr(SubjectStream, "has_secrets", property(lambda stream: False, lambda stream, secret: None))


# --- refusals, and tries that are withdrawn ---


def claims_by_what_was_rolled(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(deciding, "find_audience", lambda action, index: None)


def dice_that_were_opened(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cards_on_dice, "find_audience", lambda action, index: None)


def cards_that_are_out(patch: pytest.MonkeyPatch) -> None:
    """Typed cards are refused where somebody holds them."""
    typed = _read_typed

    def held(ruling: Any, named: Any, count: int, seen: Any) -> Any:
        if set(named) & set(ruling.get_campaign().out):
            raise Refused("moc.card.hand", "duplicate-card")
        return typed(ruling, named, count, seen)

    patch.setattr(hands, "_read_typed", held)


def answers_that_are_out(patch: pytest.MonkeyPatch) -> None:
    """Cards typed in answer to a draw that waits are refused where somebody holds them."""

    def of_the_rest(*asked: Any, named: Any, **more: Any) -> Any:
        return deal(*asked, **more)

    patch.setattr(hands, "deal", of_the_rest)


def decks_that_are_left(patch: pytest.MonkeyPatch) -> None:
    """Who types in cards is told which could be drawn."""
    patch.setattr(answers, "_hide_details", lambda question: question)


def adjusting_by_what_there_is(patch: pytest.MonkeyPatch) -> None:
    """An adjustment is `overdrawn` by so much, or made, whoever may see the balance."""
    patch.setattr(declaring, "must_see_balance", lambda book, viewer, do: None)


def a_chair_that_is_kept(patch: pytest.MonkeyPatch) -> None:
    """Who refereed once sees what a referee sees ever after."""
    patch.setitem(cast(dict[str, Any], CHAIRS), "referee", lambda campaign: "s3")


# --- pieces that are amended ---


def amending_what_is_shown(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(amending, "_check_hidden_from_others", lambda *_: None)


def _amended(table: Table, other: bool) -> None:
    table.fighters()
    table.gm.does("/sessions", {"title": "One"})
    told: Json = {"subject": "character:1", "field": "harm", "value": 2 if other else 1, "reason": "as agreed"}
    table.gm.declare("amend", **told, seen_by=["gm", "character:1"])
    table.gm.declare("mint", to="1", coins=2)


AMENDED = replace(called("toy: an amended piece"), name="a piece all are shown", hide=_amended)
HURT = called("moc: a nomination")
RULED_AGAIN = replace(
    HURT, decides=tuple((path, {**body, "settle": "rerule"}) for path, body in (overturned(2), put_back(2)))
)
