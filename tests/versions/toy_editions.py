"""The toy as its second edition has it: most of what it stores has another form.

`released` is the moment of a release: from then on the games that are here are these.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Annotated, Any, Literal

from ledger.rules import systems
from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.contract import About, AnyRuleset, Table, Verdict
from ledger.rules.kernel.declarations import choice, declares, dial, fact, owner
from ledger.rules.kernel.domains import Between, CharacterId, Title
from ledger.rules.kernel.fold import Fold
from ledger.rules.kernel.questions import Asking, ask, roll
from ledger.rules.kernel.subjects import character
from ledger.rules.kernel.upcasting import Stored, Upcast

TOY = systems()["toy"]
toy: Any = __import__("ledger.rules.toy", fromlist=["toy"])


@dataclass(frozen=True, slots=True)
class Dials:
    sides: Literal[6, 8] = dial(6, "toy.hit")
    alert: Annotated[int, Between(0, 100)] = dial(5, "toy.look")
    open: bool = dial(False, "toy.sneak", hides=True)


@dataclass(frozen=True, slots=True)
class Sheet:
    health: Annotated[int, Between(0)]
    luck: Annotated[int, Between(0)]


@declares("hit", owner("char"), records=("hurt", "missed"))
class Hit:
    char: CharacterId
    target: CharacterId
    witness: Title


@choice("stand")
class Stand:
    firmly: bool


@fact("hurt", version=2)
class Hurt:
    amount: int
    witness: Title


def _hurt(was: Any, done: Hurt) -> Any:
    return toy.hurt(was, toy.Hurt(done.amount))


FOLD = Fold(toy.FOLD.blanks, {toy.Being: {**toy.FOLD.changes[toy.Being], Hurt: _hurt}})


def adjudicate(table: Table[Dials], do: Any) -> Asking[Verdict[Any]]:
    match do:
        case Enrol():
            return Verdict((About(character(str(table.number)), toy.Made(do.sheet.health)),))
        case Hit():
            target = character(do.target)
            answer = yield from ask(table.owner(target), toy.Dodge, Stand, slot="dodge")
            (face,) = yield from roll(character(do.char), 1, table.dials.sides, slot="hit")
            if isinstance(answer, toy.Dodge) and face <= 3:
                return Verdict((About(target, toy.Missed(do.char)),))
            return Verdict((About(target, Hurt(face, do.witness)),))
        case _:
            verdict: Verdict[Any] = yield from toy.adjudicate(table, do)
            return verdict


def add_witness(stored: Stored) -> Stored:
    return {**stored, "witness": "nobody"}


UPCASTERS = (
    Upcast("hit", to=2, change=add_witness),
    Upcast("stand", to=2, change=lambda stored: {**stored, "firmly": True}),
    Upcast("hurt", to=2, change=add_witness),
    Upcast("sheet", to=2, change=lambda stored: {**stored, "luck": 0}),
    Upcast("dials", to=2, change=lambda dials: {("sides" if name == "die" else name): dials[name] for name in dials}),
)


@cache  # so that its description is made once
def second_edition(upcasters: tuple[Upcast, ...] = UPCASTERS) -> AnyRuleset:
    """What was played with the first must be readable by this, if these upcasters do what they must."""
    phrases = replace(
        TOY.phrases,
        inputs={
            **{cls: said for cls, said in TOY.phrases.inputs.items() if cls is not toy.Hit},
            Hit: "{char} hits {target}.",
        },
        choices={toy.Dodge: "Dodge.", Stand: "Stand."},
        facts={
            **{cls: said for cls, said in TOY.phrases.facts.items() if cls is not toy.Hurt},
            Hurt: "{subject} is hurt for {amount}.",
        },
        headlines=(Hurt, *TOY.phrases.headlines[1:]),
    )
    second: AnyRuleset = replace(
        TOY,
        edition=2,
        dials=Dials,
        sheet=Sheet,
        inputs=(Hit, *TOY.inputs[1:]),
        choices=(toy.Dodge, Stand),
        facts=tuple(Hurt if cls is toy.Hurt else cls for cls in TOY.facts),
        adjudicate=adjudicate,
        apply=FOLD.apply,
        phrases=phrases,
        people={"Ann Arrow": Sheet(8, 1)},
        moves=None,
        upcasters=upcasters,
    )
    return second


@contextmanager
def released(ruleset: AnyRuleset | None) -> Iterator[None]:
    """Within it this is the toy; None: there is none."""
    games = systems()
    before = dict(games)
    games.pop("toy")
    if ruleset is not None:
        games["toy"] = ruleset
    forget()
    try:
        yield
    finally:
        games.clear()
        games.update(before)
        forget()


def forget() -> None:
    """What was worked out of the games that were here: a new process begins without it."""
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in ("api", "ledger", "projections"):
            for kept in vars(module).values():
                if type(kept) is type(systems) and kept is not systems:
                    kept.cache_clear()
