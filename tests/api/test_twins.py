"""The law of twins: who may not know a secret can neither read nor compute it, try as he may."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from contextvars import ContextVar
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from api.service.feed_hub import FeedHub
from ledger.rules.kernel import adjudication
from tests.api.table import Json, Service, Table
from tests.api.test_feed import listening
from tests.api.twins import faults
from tests.api.twins.attacks import Step, Twins, steps
from tests.api.twins.foreseen import FORESEEN
from tests.api.twins.games import (
    SECRETS,
    WHERE_ALL_DECIDE,
    WHERE_CONSENT_IS_ASKED,
    WHERE_STEPS_FOLLOW,
    Secret,
    overturned,
    put_back,
    system_of,
)
from tests.api.twins.masks import masked
from tests.levels import sampled

pytestmark = pytest.mark.slow
each = pytest.mark.parametrize("secret", sampled(SECRETS, 1, group=system_of), ids=str)
most = pytest.mark.parametrize("secret", sampled(SECRETS, 1, salt="read all", group=system_of), ids=str)
each_table = pytest.mark.parametrize(
    "secret",
    sampled([*SECRETS, *WHERE_ALL_DECIDE, *WHERE_CONSENT_IS_ASKED, *WHERE_STEPS_FOLLOW, *FORESEEN], 2, group=system_of),
    ids=str,
)
each_that_asks = pytest.mark.parametrize("secret", sampled(WHERE_CONSENT_IS_ASKED, 1, group=system_of), ids=str)
MOST = 24  # steps


@each_table
@settings(
    max_examples=2, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate], database=None
)
@given(attack=steps(MOST))
def test_what_is_hidden_cannot_be_computed(service: Service, secret: Secret, attack: list[Step]) -> None:
    twins = Twins(service, secret)
    for step in attack:
        twins.take(step)
        assert twins.difference is None, str(twins.difference)


@most
def test_whatever_is_tried_and_read_tells_nothing(
    monkeypatch: pytest.MonkeyPatch, service: Service, secret: Secret
) -> None:
    """Each thing that can be done, by itself; then every path, every place in both clocks.

    How much is adjudicated for a what-if is the same, too: else it would be told by how long that takes.
    """
    twins = Twins(service, secret, ruled=counted(monkeypatch))
    twins.try_all()
    twins.read_all()
    assert twins.difference is None, str(twins.difference)


@each_that_asks
def test_whom_a_decision_asks_and_when_it_takes_effect_tells_nothing(service: Service, secret: Secret) -> None:
    """Everything that can be done, while what the game master decides waits for Ben, and after he has agreed."""
    twins = Twins(service, secret)
    twins.try_all()
    for path in ("/waiting", "/rulings?limit=500", "/timeline?limit=500", "/export", "/seal", "/findings", "/state"):
        for who in range(len(twins.attackers)):
            twins.look_at(who, path)
    assert twins.difference is None, str(twins.difference)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rulings that are adjudicated from now on, in order.

    Those for a live connection are left out: it may look once more after the browser left, during another request.
    """
    ruled: list[int] = []
    adjudicate, listen = adjudication.adjudicate, FeedHub.listen
    live: ContextVar[bool] = ContextVar("live", default=False)

    def counting(ruleset: Any, table: Any, do: Any) -> Any:
        if not live.get():
            ruled.append(table.number)
        return adjudicate(ruleset, table, do)

    def listening_live(hub: FeedHub, campaign: str, seat: str) -> Any:
        live.set(True)
        return listen(hub, campaign, seat)

    monkeypatch.setattr(adjudication, "adjudicate", counting)
    monkeypatch.setattr(FeedHub, "listen", listening_live)
    return ruled


@each
def test_who_listens_hears_the_same(service: Service, secret: Secret) -> None:
    """All there was, then what becomes true meanwhile, up to a dispute that everybody may know of."""
    twins = Twins(service, secret)
    for name in dict.fromkeys(("cleo", *secret.attackers)):
        if name != "dora":
            assert heard(twins, name)[0] == heard(twins, name)[1]
    one, other = heard(twins, "dora", meanwhile=secret.decides)
    assert one == other
    if secret.owner != "ben":
        return
    one, other = heard(twins, secret.owner)
    assert one != other, "who may know hears the difference"


def heard(twins: Twins, name: str, meanwhile: Sequence[tuple[str, Json]] = ()) -> list[str]:
    """What a seat of either campaign hears from the beginning on.

    Whether a fact is struck is told as it is by then: where something is decided meanwhile, that is left out.
    """
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
            if meanwhile:
                told = [(id, event, {**data, "struck": None}) for id, event, data in told]
            found.append("\n".join(masked(json.dumps(one), table.id) for one in told))
    return found


@each
def test_what_waits_and_lapses_tells_nothing(service: Service, secret: Secret) -> None:
    """Neither where it is asked for nor in what is told of it live."""
    twins = Twins(service, secret)
    twins.see_what_lapses()
    assert twins.difference is None, str(twins.difference)
    assert heard(twins, "dora")[0] == heard(twins, "dora")[1]
    assert heard(twins, "cleo")[0] == heard(twins, "cleo")[1]


def test_what_would_lapse_by_a_secret_goes_on_waiting(monkeypatch: pytest.MonkeyPatch, service: Service) -> None:
    """What a hidden roll forbids is declared while that is overturned, and it is put back: in one it is refused now."""
    faults.unseen(monkeypatch)
    twins = Twins(service, faults.HIDES)
    twins.see_what_lapses()
    assert twins.difference is None, str(twins.difference)


def test_a_lapse_that_tells_a_secret_is_found(monkeypatch: pytest.MonkeyPatch, service: Service) -> None:
    faults.unseen(monkeypatch)
    faults.lapsing_as_it_is(monkeypatch)
    twins = Twins(service, faults.HIDES)
    twins.see_what_lapses()
    assert twins.difference is not None


@each
def test_who_may_know_finds_the_difference(service: Service, secret: Secret) -> None:
    twins = Twins(service, secret, (secret.owner,))
    twins.read_all()
    assert twins.difference is not None


@each
def test_what_is_ruled_again_tells_no_more_than_everybody_sees(service: Service, secret: Secret) -> None:
    """The game master overturns each ruling and puts it back, and has ruled again what rests on it.

    Where a ruling then comes out otherwise for all to see (`Secret.told`), that is the game's, as it was when it was
    declared: that ruling differs, and whatever counts its events; see the next test.
    """
    twins = Twins(service, secret)
    for number in range(1, twins.rulings + 1):
        if number not in secret.told:
            twins.master(*overturned(number, settle="rerule"))
            twins.master(*put_back(number, settle="rerule"))
            assert not twins.look("/seal"), f"{number}: {twins.difference}"
    for path in ("", "/rulings?limit=500", "/timeline?limit=500", "/export", "/findings", "/audit", "/accounts"):
        assert not twins.look(path), str(twins.difference)


@pytest.mark.parametrize("secret", [one for one in SECRETS if one.told], ids=str)
def test_what_everybody_sees_ruled_again_is_all_that_differs(service: Service, secret: Secret) -> None:
    for number, falls in secret.told.items():
        twins = Twins(service, secret)
        twins.master(*overturned(number, settle="rerule"))
        one, other = ([masked(json.dumps(row), table.id) for row in rows(table)] for table in twins.tables)
        differs = [place for place, (here, there) in enumerate(zip(one, other, strict=True), 1) if here != there]
        assert differs == list(falls)
        for place in falls:
            refused = [rows(table)[place - 1]["refusal"] is not None for table in twins.tables]
            assert sorted(refused) == [False, True], "it falls in one of them, and everybody sees it"


def rows(table: Table) -> list[Json]:
    return list(table.cleo.look("/rulings", limit=500)["rulings"])


# --- what is only looked at beforehand --------------------------------------------------------------------------------

each_foreseen = pytest.mark.parametrize("secret", sampled(FORESEEN, 2), ids=str)


@each_foreseen
def test_looking_beforehand_tells_nothing(monkeypatch: pytest.MonkeyPatch, service: Service, secret: Secret) -> None:
    """Nor how long it takes."""
    twins = Twins(service, secret, ruled=counted(monkeypatch))
    twins.foresee_all()
    assert twins.difference is None, str(twins.difference)


@each_foreseen
def test_who_may_know_foresees_the_difference(service: Service, secret: Secret) -> None:
    """So there is something that might have been told."""
    twins = Twins(service, secret, (secret.owner,))
    twins.foresee_all()
    assert twins.difference is not None


@pytest.mark.nightly
@each_foreseen
def test_what_would_be_told_beforehand_is_found(
    monkeypatch: pytest.MonkeyPatch, service: Service, secret: Secret
) -> None:
    faults.foreseeing_what_comes(monkeypatch)
    twins = Twins(service, secret)
    twins.foresee_all()
    assert twins.difference is not None


def test_what_would_take_longer_beforehand_is_found(monkeypatch: pytest.MonkeyPatch, service: Service) -> None:
    faults.foreseeing_with_more_work(monkeypatch)
    twins = Twins(service, FORESEEN[1], ruled=counted(monkeypatch))
    with pytest.raises(AssertionError, match="takes longer"):
        twins.foresee_all()
