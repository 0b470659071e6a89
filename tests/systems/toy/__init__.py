"""The smallest whole game: people hit each other with a die, dodge, and hand coins about. One folder is enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from ledger.rules.contract import (
    GM,
    About,
    Account,
    Asking,
    Posting,
    Refused,
    Ruleset,
    RuleText,
    SubjectKind,
    Table,
    Verdict,
    Viewer,
    character,
    choice,
    declares,
    dial,
    either,
    fact,
    owner,
    step,
)  # fmt: skip
from ledger.rules.dice import ask, roll
from ledger.rules.housekeeping import Enrol


@dataclass(frozen=True, slots=True)
class Dials:
    die: Literal[6, 8] = dial(6, "toy.hit")


@dataclass(frozen=True, slots=True)
class Sheet:
    health: int


@declares("hit", owner("char"), records=("hurt", "missed"))
class Hit:
    char: str
    target: str


@declares("give", either("char"), records=("coins-moved",))
class Give:
    char: str
    to: str
    coins: int


@declares("mint", GM, records=("coins-moved",))
class Mint:
    to: str
    coins: int
    hidden: bool = False


@choice("dodge")
class Dodge:
    pass


@choice("stand")
class Stand:
    pass


@fact("made")
class Made:
    health: int


@fact("hurt")
class Hurt:
    amount: int


@fact("missed")
class Missed:
    by: str


@fact("coins-moved")
class CoinsMoved:
    coins: int


@dataclass(frozen=True, slots=True)
class Being:
    health: int | None = None
    harm: int = 0
    adrift: tuple[Any, ...] = ()


def coins_of(id: str) -> str:
    return f"character:{id}/coin"


def adjudicate(table: Table[Dials], do: Any) -> Asking[Verdict[Any]]:
    match do:
        case Enrol():
            if do.sheet.health < 1:
                raise Refused("toy.being", "health-range", health=do.sheet.health)
            return Verdict((About(character(str(table.number)), Made(do.sheet.health)),))
        case Hit():
            return (yield from hit(table, do))
        case Give() | Mint():
            return move(table, do)
        case _:
            return Verdict(())


def hit(table: Table[Dials], do: Hit) -> Asking[Verdict[Any]]:
    actor, target = character(do.char), character(do.target)
    table.get(actor, Being)
    if table.get(target, Being).harm >= (table.get(target, Being).health or 0):
        raise Refused("toy.hit", "already-down", target=do.target)
    answer = yield from ask(table.owner(target), Dodge, Stand)
    (face,) = yield from roll(actor, 1, table.dials.die)
    if isinstance(answer, Dodge) and face <= 3:
        return Verdict((About(target, Missed(do.char)),), (step("toy.dodge", 0, face=face),))
    return Verdict((About(target, Hurt(face)),), (step("toy.hit", face, die=table.dials.die),))


def move(table: Table[Dials], do: Give | Mint) -> Verdict[Any]:
    for id in (do.char, do.to) if isinstance(do, Give) else (do.to,):
        table.get(character(id), Being)
    source = coins_of(do.char) if isinstance(do, Give) else "bank/coin"
    if do.coins < 1 or (isinstance(do, Give) and table.balance(source) < do.coins):
        raise Refused("toy.coins", "coins-short", coins=do.coins)
    posting = Posting(source, coins_of(do.to), "coin", do.coins)
    subject = character(do.char) if isinstance(do, Give) else character(do.to)
    audience = ("gm", f"character:{do.to}") if isinstance(do, Mint) and do.hidden else None
    return Verdict((About(subject, CoinsMoved(do.coins), (posting,), audience),), (step("toy.coins", do.coins),))


def apply(state: Being, done: Any) -> Being:
    match done:
        case Made():
            return replace(state, health=done.health)
        case Hurt() if state.health is not None:
            return replace(state, harm=state.harm + done.amount)
        case Missed() | CoinsMoved():
            return state
        case _:
            return replace(state, adrift=(*state.adrift, done))


def blank(kind: SubjectKind) -> Being:
    return Being()


def view(state: Being, viewer: Viewer) -> Mapping[str, Any]:
    return {key: value for key, value in asdict(state).items() if key != "adrift"}


RULESET: Ruleset[Any, Any] = Ruleset(
    name="toy", title="Toy", source="tests", edition=1, dials=Dials, sheet=Sheet, inputs=(Hit, Give, Mint),
    choices=(Dodge, Stand), facts=(Made, Hurt, Missed, CoinsMoved),
    accounts=(Account("character:<id>/coin", "coin", "Coins in the hand."),),
    rules={rule: RuleText(text, "Toy") for rule, text in {
        "toy.being": "A being has at least one health.", "toy.hit": "A hit does what the die shows.",
        "toy.dodge": "Who dodges is missed on 3 or less.", "toy.coins": "Nobody gives coins not held.",
    }.items()},
    blank=blank, adjudicate=adjudicate, apply=apply, view=view,
)  # fmt: skip
