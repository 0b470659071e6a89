"""Random play, with near misses beside it, comes to every fact, input and choice of a game and to all it refuses.

Intensity, Mongrel and Scattershot have this law among their own tests.
"""

from __future__ import annotations

import importlib

import pytest

from ledger.rules import systems
from ledger.rules.kernel.questions import Choice
from tests.levels import LEVEL
from tests.rules.refusals import heard, uncited, unmet, unsaid
from tests.rules.world import World

#: What can be refused and is in random play not.
NOT_REACHED: dict[str, dict[str, str]] = {
    "moc": {
        "movement-needs-name": "a movement bought without a name or with a known one; moc/test_movement",
        "draw-underway": "takes a second declaration that waits, which only the store knows of; see moc/test_secrets",
    },
    "mnemonic": {},
}
SEEDS_OF_MOC = (115, 19, 138, 81, 65, 89, 20, 120, 88, 84, 113, 1, 98, 54, 63, 97)
#: Seeds that together reach everything: they are tried first. When a game changes, find them again, else it takes long.
FIRST = {
    "moc": SEEDS_OF_MOC,
    "mnemonic": (33, 23, 20, 35, 29, 12, 0, 4, 24, 34, 40),
}
#: Rules that are no step, no refusal and no dial.
NOT_CITED: dict[str, dict[str, str]] = {
    "moc": {"moc.split.one-pool": "says of the others how they are read"},
    "mnemonic": {
        "mnemonic.check.odds": "no dice",
        "mnemonic.dramatic.preview": "no dice",
        "mnemonic.status.fold": "the fold",
        "mnemonic.recovery.guides": "advice to the referee",
    },
}


def campaign(name: str, seed: int, misses: int) -> World:
    game: World = importlib.import_module(f"tests.rules.{name}.chance").play_at_random(seed, 120, misses)
    return game


@pytest.mark.parametrize("name", list(NOT_REACHED))
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_what_is_tried_out_changes_nothing(name: str, seed: int) -> None:
    alone, beside = campaign(name, seed, 0), campaign(name, seed, 5)
    assert alone.history == beside.history and alone.met < beside.met


@pytest.mark.parametrize("name", list(NOT_REACHED))
def test_random_play_reaches_everything(name: str) -> None:
    """What is not met stands in `NOT_REACHED` with the reason. Each refusal has a sentence, of what it gives."""
    ruleset, cited = systems()[name], set[str]()
    told, declared, said = set[type](), set[type](), set[type]()

    def is_reached() -> bool:
        met = set(ruleset.facts) <= told and set(ruleset.inputs) <= declared and set(ruleset.choices) <= said
        return (
            met
            and unmet(ruleset, refusals) == set(NOT_REACHED[name])
            and uncited(ruleset, refusals, cited) == set(NOT_CITED[name])
        )

    with heard() as refusals:
        for seed in (*FIRST[name], *range(150)):
            if LEVEL != "all" and is_reached():
                break
            game = campaign(name, seed, 5)
            cited |= {one.rule for verdict in game.verdicts for one in verdict.because}
            told |= {type(about.fact) for verdict in game.verdicts for about in verdict.facts}
            declared |= {type(past.declared) for past in game.history}
            answers = [one.answer for past in game.history for one in past.said]
            said |= {type(one.value) for one in answers if isinstance(one, Choice)}
    assert not set(ruleset.facts) - told
    assert not set(ruleset.inputs) - declared
    assert not set(ruleset.choices) - said
    assert unmet(ruleset, refusals) == set(NOT_REACHED[name]), "some are not met, or are met after all"
    assert unsaid(ruleset, refusals) == []
    assert uncited(ruleset, refusals, cited) == set(NOT_CITED[name])
    assert {rule for rule in cited | refusals.rules if not rule.startswith("ledger.")} <= set(ruleset.rules)
    assert all((*NOT_REACHED[name].values(), *NOT_CITED[name].values()))
