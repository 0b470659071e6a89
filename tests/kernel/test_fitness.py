"""A ruleset is checked when it is loaded: each fault is named, with what is missing and where."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from ledger.rules import systems
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.declarations import dial, fact
from ledger.rules.kernel.fitness import list_faults
from ledger.rules.kernel.fold import Fold
from ledger.rules.kernel.subjects import SUBJECT_KINDS
from tests.laws.test_architecture import ROOT

TOY = systems()["toy"]


@dataclass(frozen=True, slots=True)
class Grounded:
    health: int = 0


@dataclass(frozen=True, slots=True)
class Begun:
    adrift: tuple[Any, ...] = ("something",)


@dataclass
class Loose:
    adrift: tuple[Any, ...] = ()


@fact("sung")
class Sung:
    words: str


class Plain:
    pass


@dataclass(frozen=True, slots=True)
class Undecided:
    die: int = field(metadata={"rule": "toy.hit"})


@dataclass(frozen=True, slots=True)
class Unruled:
    die: int = 6


@dataclass(frozen=True, slots=True)
class Ours:
    dice: int = dial(6, "toy.hit")


def with_states(state: type[Any]) -> AnyRuleset:
    fold = Fold(dict.fromkeys(SUBJECT_KINDS, state), {state: dict.fromkeys(TOY.facts, lambda was, done: was)})
    return replace(TOY, blank=fold.blank, apply=fold.apply)


def without_scenes() -> AnyRuleset:
    return replace(TOY, blank=lambda kind: {"campaign": Begun, "seat": Begun, "character": Begun}[kind](()))


FAULTS: dict[str, tuple[Callable[[], AnyRuleset], str]] = {
    "a state without adrift": (lambda: with_states(Grounded), "test_fitness.Grounded`, has no field `adrift"),
    "a state that begins adrift": (lambda: with_states(Begun), "begins with ('something',) in `adrift`"),
    "a state that can be changed": (lambda: with_states(Loose), "Loose`, is not a dataclass with `frozen=True"),
    "a kind without a state": (
        without_scenes,
        "`blank` does not make a state of a scene: KeyError: 'scene' (tests.kernel",
    ),
    "a fact nobody folds": (
        lambda: replace(TOY, facts=(*TOY.facts, Sung)),
        "takes the fact `tests.kernel.test_fitness",
    ),
    "a fact that is none": (lambda: replace(TOY, facts=(*TOY.facts, Plain)), "Plain` is listed in `facts` but is not"),
    "a fact twice": (lambda: replace(TOY, facts=(*TOY.facts, TOY.facts[0])), "The fact `made@1` is declared 2 times"),
    "a dial without a default": (lambda: replace(TOY, dials=Undecided), "The dial `die` of `tests.kernel.test_fitness"),
    "a dial without a rule": (lambda: replace(TOY, dials=Unruled), "Unruled` names no rule"),
    "a dial of the kernel's": (lambda: replace(TOY, dials=Ours), "has the same name as a dial of the kernel"),
    "an input that is none": (lambda: replace(TOY, inputs=(*TOY.inputs, Sung)), "Sung` is listed in `inputs`"),
    "a view that is none": (lambda: replace(TOY, view=None), "`view` is not a function"),  # type: ignore[arg-type]
    "no facts at all": (lambda: replace(TOY, facts=None), "TypeError"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_with_its_place(name: str) -> None:
    make, told = FAULTS[name]
    found = list_faults(make())
    assert any(told in one for one in found), found


@pytest.mark.parametrize("name", sorted(systems()))
def test_the_games_here_have_none(name: str) -> None:
    assert list_faults(systems()[name]) == []


LOADING = """
import sys, ledger.rules
ledger.rules.__path__.append(sys.argv[1])
from ledger.events.codec import load_codec
load_codec()
print(sorted(ledger.rules.systems()))
for name, faults in sorted(ledger.rules.list_unfit_systems().items()):
    print(name, *faults)
"""
UNSTORABLE = """
from dataclasses import replace
from ledger.rules.kernel.declarations import fact
from tests.systems.toy import FOLD, RULESET as TOY, Being
@fact("sung")
class Sung:
    words: "dict[Being, bytes | str]"
FOLD.changes[Being][Sung] = lambda was, done: was
RULESET = replace(TOY, name="unstorable", facts=(*TOY.facts, Sung))
"""


@pytest.mark.slow
def test_what_cannot_be_loaded_is_not_offered_and_all_others_are(tmp_path: Path) -> None:
    for name, source in {
        "unwritten": "RULESET = (",
        "raising": "import math\n\nmath.sqrt(-1)",
        "empty": "",
        "misnamed": "from ledger.rules.moc import RULESET",
        "unstorable": UNSTORABLE,
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(source)
    line = [sys.executable, "-c", LOADING, str(tmp_path)]
    ended = subprocess.run(line, cwd=ROOT, check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    offered, *unfit = ended.stdout.splitlines()
    assert offered == str(sorted(set(systems())))  # (with the tests' own, which one of these imports)
    told = dict(line.split(" ", 1) for line in unfit)
    assert sorted(told) == ["empty", "misnamed", "raising", "unstorable", "unwritten"]
    assert "SyntaxError" in told["unwritten"]
    assert "ValueError" in told["raising"] and "(ledger.rules.raising, line 3)" in told["raising"]
    assert told["empty"] == "Its package has no `RULESET`."
    assert "'misnamed'" in told["misnamed"] and "'moc'" in told["misnamed"]
    assert "unstorable.Sung` cannot be stored" in told["unstorable"]
