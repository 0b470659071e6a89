"""The law of twins: who may not know a secret can neither read nor compute it, try as he may."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from ledger.application import consequences, deciding, veiling
from ledger.rules import housekeeping
from ledger.rules.contract import Refused
from ledger.rules.dice import roll
from ledger.rules.mnemonic.authority import CHAIRS
from ledger.rules.moc import cards, cards_on_dice, playing
from projections import comparisons, exports
from tests.api.table import Json, Service, Table, rolled
from tests.api.test_feed import listening
from tests.api.twins.attacks import Step, Twins, steps
from tests.api.twins.games import SECRETS, Secret
from tests.api.twins.masks import masked

each = pytest.mark.parametrize("secret", SECRETS, ids=str)
MOST = 24  # steps


@each
@settings(
    max_examples=2, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate], database=None
)
@given(attack=steps(MOST))
def test_what_is_hidden_cannot_be_computed(service: Service, secret: Secret, attack: list[Step]) -> None:
    twins = Twins(service, secret)
    for step in attack:
        twins.take(step)
        assert twins.difference is None, str(twins.difference)


@each
def test_whatever_is_tried_alone_tells_nothing(service: Service, secret: Secret) -> None:
    twins = Twins(service, secret)
    twins.probe()
    assert twins.difference is None, str(twins.difference)


@each
def test_who_listens_hears_the_same(service: Service, secret: Secret) -> None:
    """All there was, then what becomes true meanwhile, up to a dispute that everybody may know of."""
    twins = Twins(service, secret)
    assert heard(twins, "cleo")[0] == heard(twins, "cleo")[1]
    one, other = heard(twins, "dora", meanwhile=secret.decides)
    assert one == other
    if secret.owner != "ben":
        return
    one, other = heard(twins, secret.owner)
    assert one != other, "who may know hears the difference"


def heard(twins: Twins, name: str, meanwhile: Sequence[tuple[str, Json]] = ()) -> list[str]:
    """What a seat of either campaign hears from the beginning on."""
    found = []
    with ExitStack() as stack:
        seats = [getattr(table, name) for table in twins.tables]
        feeds = [stack.enter_context(listening(seat, after="0.0")) for seat in seats]
        for path, body in meanwhile:
            twins.master(path, body)
        for table in twins.tables:
            table.gm.post("/rulings/1/dispute", {"reason": "the end"})
        for feed, table in zip(feeds, twins.tables, strict=True):
            told = feed.until_it_says(lambda data: data.get("reason") == "the end")
            found.append("\n".join(masked(json.dumps(one), table.id) for one in told))
    return found


@each
def test_who_may_know_finds_the_difference(service: Service, secret: Secret) -> None:
    twins = Twins(service, secret, (secret.owner,))
    twins.probe()
    assert twins.difference is not None


# --- a check counts once it was seen to find what it is for ---


def called(name: str) -> Secret:
    (found,) = [one for one in SECRETS if str(one) == name]
    return found


def trusting(patch: pytest.MonkeyPatch) -> None:
    """What-ifs say of every ruling how it comes out, as the audiences of the other past have it."""
    patch.setattr(comparisons, "resting_on_hidden", lambda book, shown, viewer: frozenset())


def for_any_dial(patch: pytest.MonkeyPatch) -> None:
    trusting(patch)
    patch.setattr(deciding, "hides", lambda ruleset, name: False)


def counting_all(patch: pytest.MonkeyPatch) -> None:
    """Findings are numbered over those that are hidden."""

    def numbered(book: Any, shown: Any, position: int) -> Any:
        found = addressed(book, shown, position)
        ids = [replace(one, id=f"{position}-{place}") for place, one in enumerate(found.findings, 1)]
        return replace(found, findings=tuple(ids))

    addressed = veiling.addressed
    patch.setattr(consequences, "addressed", numbered)


def for_everybody(patch: pytest.MonkeyPatch) -> None:
    """Whether a ruling that rests on what is hidden raises a finding is told to all."""

    def told(book: Any, shown: Any, position: int) -> Any:
        ids = [replace(one, id=f"{position}-{place}") for place, one in enumerate(shown.findings, 1)]
        return replace(shown, findings=tuple(ids))

    patch.setattr(consequences, "addressed", told)


def wave_by_wave(patch: pytest.MonkeyPatch) -> None:
    """What a hidden roll goes on with is asked for anew, each time: a roll more, or a save."""

    def waves(who: Any, count: int, sides: int, *, opens: int, **more: Any) -> Any:
        faces: tuple[int, ...] = ()
        while count:
            now = yield from roll(who, count, sides, **more)
            faces, count = (*faces, *now), now.count(opens)
        return faces

    patch.setattr(sys.modules["ledger.rules.toy"], "roll", waves)


def settling_openly(patch: pytest.MonkeyPatch) -> None:
    """An export tells every entry of the journal that names nothing hidden."""
    patch.setattr(exports, "SETTLING", frozenset())


def claims_by_what_was_rolled(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(playing, "hidden", lambda action, place: None)


def dice_that_were_opened(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cards_on_dice, "hidden", lambda action, place: None)


def cards_that_are_out(patch: pytest.MonkeyPatch) -> None:
    """Typed cards are refused where somebody holds them."""
    typed = cards._typed

    def held(ruling: Any, named: Any, count: int, seen: Any) -> Any:
        if set(named) & set(ruling.campaign().out):
            raise Refused("moc.card.hand", "duplicate-card")
        return typed(ruling, named, count, seen)

    patch.setattr(cards, "_typed", held)


def a_chair_that_is_kept(patch: pytest.MonkeyPatch) -> None:
    """Who refereed once sees what a referee sees ever after."""
    patch.setitem(cast(dict[str, Any], CHAIRS), "referee", lambda campaign: "s3")


PLANTED = [
    ("mnemonic: a rating since she refereed", a_chair_that_is_kept),
    ("mnemonic: a hidden rating", for_any_dial),
    ("mnemonic: a hidden rating", trusting),
    ("mnemonic: hidden Chances", for_any_dial),
    ("mnemonic: hidden Chances", trusting),
    ("moc: a hidden roll", trusting),
    ("toy: coins", trusting),
    ("toy: a hidden roll", trusting),
    ("toy: coins", counting_all),
    ("toy: coins", for_everybody),
    ("toy: a hidden roll of the ledger's", wave_by_wave),
    ("toy: coins", settling_openly),
    ("moc: a hidden ten", claims_by_what_was_rolled),
    ("moc: a hidden ten", dice_that_were_opened),
    ("moc: a hand of cards", cards_that_are_out),
]


def test_a_hidden_roll_that_is_typed_wave_by_wave_is_found(monkeypatch: pytest.MonkeyPatch, service: Service) -> None:
    def typed(table: Table, other: bool) -> None:
        table.fighters()
        waits = table.ben.does("/rulings", {"declare": {"kind": "sneak", "char": "1"}, "dice": "table"}, 202)
        for face in (6, 6, 1) if other else (5,):
            table.ben.does(f"/waiting/{waits['id']}/answers", {"answer": rolled(face)}, 202 if face == 6 else 201)
        table.cleo.declare("look", char="2", at="1")

    wave_by_wave(monkeypatch)
    twins = Twins(service, replace(called("toy: a hidden roll that waited"), hide=typed))
    twins.probe()
    assert twins.difference is not None


def test_a_piece_that_is_amended_for_some_and_shown_to_all_is_found(
    monkeypatch: pytest.MonkeyPatch, service: Service
) -> None:
    def amended(table: Table, other: bool) -> None:
        table.fighters()
        told: Json = {"subject": "character:1", "field": "harm", "value": 2 if other else 1, "reason": "as agreed"}
        table.gm.declare("amend", **told, seen_by=["gm", "character:1"])

    monkeypatch.setattr(housekeeping, "_must_be_hidden", lambda *_: None)
    twins = Twins(service, replace(called("toy: an amended piece"), hide=amended))
    twins.probe()
    assert twins.difference is not None


@pytest.mark.parametrize(("name", "leak"), PLANTED)
def test_a_leak_is_found(
    monkeypatch: pytest.MonkeyPatch, service: Service, name: str, leak: Callable[[pytest.MonkeyPatch], None]
) -> None:
    leak(monkeypatch)
    twins = Twins(service, called(name))
    twins.probe()
    assert twins.difference is not None
    print(f"{name}, {leak.__name__}: {twins.difference}")
