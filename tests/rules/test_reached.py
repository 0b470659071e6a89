"""Random play, with near misses beside it, comes to every fact, input and choice of a game and to all it refuses.

Intensity, Mongrel and Scattershot have this law among their own tests.
"""

from __future__ import annotations

import importlib

import pytest

from ledger.rules import systems
from ledger.rules.kernel.questions import Choice
from tests.rules.refusals import codes, handed, reckoned
from tests.rules.world import World

CAUSES = {"cause-not-success", "cause-not-failure", "cause-not-spectacular"}
#: What the codes can be that are not written where they are refused.
RECKONED: dict[str, dict[str, set[str]]] = {
    "moc": {"code": handed("moc", "whole", 1) | handed("moc", "fraction", 2), "no.code": set()},
    "mnemonic": {"_unfit(do.cause)": CAUSES, "_unfit(_kind(do))": CAUSES, "no.code": set()},
}
#: What can be refused and is in random play not.
NOT_REACHED: dict[str, dict[str, str]] = {
    "moc": {
        "draw-underway": "takes a second declaration that waits, which only the store knows of; see moc/test_secrets"
    },
    "mnemonic": {},
}


def campaign(name: str, seed: int, misses: int) -> World:
    game: World = importlib.import_module(f"tests.rules.{name}.chance").play_at_random(seed, 120, misses)
    return game


@pytest.mark.parametrize("name", list(RECKONED))
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_what_is_tried_out_changes_nothing(name: str, seed: int) -> None:
    alone, beside = campaign(name, seed, 0), campaign(name, seed, 5)
    assert alone.history == beside.history and alone.met < beside.met


@pytest.mark.parametrize("name", list(RECKONED))
def test_random_play_reaches_everything(name: str) -> None:
    """What is refused in a new way stands in `RECKONED`, what is not met in `NOT_REACHED` with the reason."""
    ruleset, met = systems()[name], set[str]()
    told, declared, said = set[type](), set[type](), set[type]()
    for seed in range(150):
        game = campaign(name, seed, 5)
        met |= game.met
        told |= {type(about.fact) for verdict in game.verdicts for about in verdict.facts}
        declared |= {type(past.declared) for past in game.history}
        answers = [one.answer for past in game.history for one in past.said]
        said |= {type(one.value) for one in answers if isinstance(one, Choice)}
    assert not set(ruleset.facts) - told
    assert not set(ruleset.inputs) - declared
    assert not set(ruleset.choices) - said
    assert reckoned(name) == set(RECKONED[name])
    every = codes(name).union(*RECKONED[name].values())
    assert every - met == set(NOT_REACHED[name]), "some are not met, or are met after all"
    assert all(NOT_REACHED[name].values())
