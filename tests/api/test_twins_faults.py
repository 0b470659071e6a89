"""A check counts once it was seen to find what it is for: every leak there was is planted again, and found.

Found by drawn attacks, of which each goes on for `MOST` steps at a table of its own; what was drawn follows from the
seed. Steps it took, with what is drawn today:

- what-ifs that trust the audience of the other past: 3 (a rating), 3 (where all decide), 37 (Chances), 32 (dice that
  are not declared), 49 (coins), 49 (where all decide), 54 (how well somebody hides); by dials that hide: 3, 32
- findings that are counted: 62; for everybody: 62; entries of an export: 39
- ruled again, what nobody else notices: 39; by a player: 77
- `/dice`, a number for each die: 17; what waits, wave by wave: 1
- `claim-success`: 90; `play-card` on a die that may be there: 71; cards typed in for a hand: 68, for villains: 61, in
  answer to a draw that waits: 61; what could be drawn, told with such an answer: 90
- previews that tell what comes of it: 30 (who hides), 8 (coins, where all decide), 8 (an injury)
- `adjust`: 66; a piece amended for some that all are shown: 20; a chair that is kept: 22
"""

from __future__ import annotations

from typing import TypeAlias

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.api.table import Service
from tests.api.twins import faults
from tests.api.twins.attacks import Difference, Step, Twins, steps
from tests.api.twins.faults import Leak, called, trying
from tests.api.twins.foreseen import FORESEEN
from tests.api.twins.games import Secret
from tests.levels import sampled

pytestmark = pytest.mark.slow
MOST = 120  # steps of one attack
ATTACKS = 6
SEEDS = 5  # the one named, and those after it: what is drawn changes with every word a system gains

Planted: TypeAlias = tuple[Secret, Leak, int]  # with the seed of the attack
PLANTED: list[Planted] = [
    (called("mnemonic: a hidden rating"), faults.for_any_dial, 0),
    (called("mnemonic: a hidden rating"), faults.trusting, 0),
    (called("mnemonic: a hidden rating, where all decide"), faults.trusting, 0),
    (called("mnemonic: hidden Chances"), faults.for_any_dial, 0),
    (called("mnemonic: hidden Chances"), faults.trusting, 0),
    (called("moc: a hidden roll"), faults.trusting, 0),
    (called("toy: coins"), faults.trusting, 0),
    (called("toy: coins, where all decide"), faults.trusting, 0),
    (called("toy: a hidden roll"), faults.trusting, 0),
    (called("toy: coins"), faults.counting_all, 11),
    (called("toy: coins"), faults.for_everybody, 11),
    (called("toy: coins"), faults.settling_openly, 1),
    (faults.RULED_AGAIN, faults.ruling_all_again, 0),
    (called("toy: coins, where all decide"), faults.ruling_again_for_players, 11),
    (called("toy: a hidden roll of the ledger's"), faults.die_by_die, 0),
    (faults.TYPED_IN_WAVES, faults.wave_by_wave, 0),
    (called("moc: a hidden ten"), faults.claims_by_what_was_rolled, 1),
    (trying("moc: a hidden ten", "draw-hand", "play-card"), faults.dice_that_were_opened, 10),
    (called("moc: a hand of cards"), faults.cards_that_are_out, 10),
    (called("moc: a hand of cards, where all decide"), faults.cards_that_are_out, 6),
    (trying("moc: a hand of cards", "draw-hand"), faults.answers_that_are_out, 9),
    (called("moc: the villains' cards"), faults.decks_that_are_left, 4),
    (called("mnemonic: a rating since she refereed"), faults.a_chair_that_is_kept, 0),
    (called("toy: coins, where all decide"), faults.adjusting_by_what_there_is, 10),
    (faults.AMENDED, faults.amending_what_is_shown, 0),
    *((secret, faults.foreseeing_what_comes, 0) for secret in FORESEEN[:3]),
]


def leak_of(planted: Planted) -> str:
    return planted[1].__name__


def found(service: Service, secret: Secret, number: int) -> tuple[int, Difference | None]:
    """The steps that attacks took, up to the one that found a difference."""
    taken = 0
    for one in range(number, number + SEEDS):
        more, difference = _found(service, secret, one)
        taken += more
        if difference is not None:
            return taken, difference
    return taken, None


def _found(service: Service, secret: Secret, number: int) -> tuple[int, Difference | None]:
    taken = 0
    difference: Difference | None = None

    @seed(number)
    @settings(
        max_examples=ATTACKS,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
        database=None,
    )
    @given(attack=steps(MOST))
    def tried(attack: list[Step]) -> None:
        nonlocal taken, difference
        if difference is not None:
            return
        twins = Twins(service, secret)
        for step in attack:
            twins.take(step)
            taken += 1
            if (difference := twins.difference) is not None:
                return

    tried()
    return taken, difference


@pytest.mark.nightly
@pytest.mark.parametrize(
    "planted", sampled(PLANTED, 3, group=leak_of), ids=lambda planted: f"{planted[0]}, {leak_of(planted)}"
)
def test_a_leak_is_found(monkeypatch: pytest.MonkeyPatch, service: Service, planted: Planted) -> None:
    secret, leak, number = planted
    leak(monkeypatch)
    taken, difference = found(service, secret, number)
    print(f"{secret}, {leak.__name__}: {taken} steps, {difference}")
    assert difference is not None


@pytest.mark.parametrize(
    ("place", "leak"),
    [
        ("/findings", faults.counting_all),
        ("/audit", faults.counting_all),
        ("", faults.counting_all),
        ("/export", faults.counting_all_in_exports),
    ],
)
def test_ids_of_findings_are_found_wherever_they_are(
    monkeypatch: pytest.MonkeyPatch, service: Service, place: str, leak: Leak
) -> None:
    leak(monkeypatch)
    twins = Twins(service, called("toy: coins"))
    twins.master(*twins.secret.decides[0])
    assert twins.look(place)


@pytest.mark.parametrize(
    "place",
    [
        "/characters/1",
        "/characters/1?at=5&as=recorded",
        "/sessions/3/replay",
        "/what-if?without=4",
        "/rulings/4",
        "/timeline?limit=500",
        "/export",
    ],
)
def test_a_piece_that_all_are_shown_is_found_wherever_it_is(
    monkeypatch: pytest.MonkeyPatch, service: Service, place: str
) -> None:
    faults.amending_what_is_shown(monkeypatch)
    shown = Twins(service, faults.AMENDED).look(place)
    assert shown is not place.startswith(("/rulings", "/timeline", "/export")), "the event itself is hidden"
