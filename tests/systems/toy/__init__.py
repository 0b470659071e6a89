"""The smallest whole game: people hit each other with a die, dodge, hide, and hand coins about. One folder is enough.

It keeps secrets: coins that are minted in secret, and how well somebody hides, which is a roll that a six goes on with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypeAlias, get_args

from ledger.rules.kernel.commands import Enrol
from ledger.rules.kernel.contract import About, Account, Posting, Ruleset, RuleText, Secret, Table, Verdict, step
from ledger.rules.kernel.declarations import GM, choice, declares, dial, either, fact, owner
from ledger.rules.kernel.domains import Between, CharacterId, Ref
from ledger.rules.kernel.faults import Faults
from ledger.rules.kernel.fold import Fold, keep_unchanged
from ledger.rules.kernel.moves import Among, Move
from ledger.rules.kernel.offers import list_kernel_moves
from ledger.rules.kernel.phrases import Phrases
from ledger.rules.kernel.questions import Asking, ask, roll
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen as Sight
from ledger.rules.kernel.subjects import SUBJECT_KINDS, Subject, Viewer, character

Coins: TypeAlias = Annotated[int, Between(0)]


@dataclass(frozen=True, slots=True)
class Dials:
    die: Literal[6, 8] = dial(6, "toy.hit")
    #: Who hides with less than this is seen by who looks.
    alert: Annotated[int, Between(0, 100)] = dial(5, "toy.look")
    #: Whether everybody may see how well somebody hides.
    open: bool = dial(False, "toy.sneak", hides=True)


@dataclass(frozen=True, slots=True)
class Sheet:
    health: Annotated[int, Between(0)]


@declares("hit", owner("char"), records=("hurt", "missed"))
class Hit:
    char: CharacterId
    target: CharacterId


@declares("give", either("char"), records=("coins-moved",))
class Give:
    char: CharacterId
    to: CharacterId
    coins: Coins


@declares("mint", GM, records=("coins-moved",))
class Mint:
    to: CharacterId
    coins: Coins
    hidden: bool = False


@declares("sneak", either("char"), records=("hidden",))
class Sneak:
    """With so many dice; every six that falls is rolled once more, and counts with what then falls."""

    char: CharacterId
    dice: Annotated[int, Between(0, 100)] = 1


@declares("look", owner("char"), records=("seen", "overlooked"))
class Look:
    char: CharacterId
    at: CharacterId


Input: TypeAlias = Hit | Give | Mint | Sneak | Look
INPUTS: tuple[type[Input], ...] = get_args(Input)


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
    by: CharacterId


@fact("coins-moved")
class CoinsMoved:
    coins: int


@fact("hidden")
class Hidden:
    faces: tuple[int, ...]
    seen_by: tuple[Annotated[str, Ref("audience")], ...] | None


@fact("seen")
class Seen:
    by: CharacterId


@fact("overlooked")
class Overlooked:
    by: CharacterId


Fact: TypeAlias = Made | Hurt | Missed | CoinsMoved | Hidden | Seen | Overlooked


@dataclass(frozen=True, slots=True)
class Being:
    """`hidden`: how well, in dice; `seen_by`: by whom that may be read."""

    health: int | None = None
    harm: int = 0
    hidden: tuple[int, ...] = ()
    seen_by: tuple[str, ...] | None = ()
    adrift: tuple[Any, ...] = ()


def coins_of(id: str) -> str:
    return f"character:{id}/coin"


def made(was: Being, done: Made) -> Being:
    return replace(was, health=done.health)


def hurt(was: Being, done: Hurt) -> Being | None:
    return replace(was, harm=was.harm + done.amount) if was.health is not None else None


def hidden(was: Being, done: Hidden) -> Being:
    return replace(was, hidden=done.faces, seen_by=done.seen_by)


def seen(was: Being, done: Seen) -> Being:
    return replace(was, hidden=(), seen_by=())


FOLD = Fold(
    dict.fromkeys(SUBJECT_KINDS, Being),
    {
        Being: {
            Made: made,
            Hurt: hurt,
            Hidden: hidden,
            Seen: seen,
            Missed: keep_unchanged,
            CoinsMoved: keep_unchanged,
            Overlooked: keep_unchanged,
        }
    },
)


def adjudicate(table: Table[Dials], do: Any) -> Asking[Verdict[Any]]:
    match do:
        case Enrol():
            faults = Faults()
            if do.sheet.health < 1:
                faults.note(Refused("toy.being", "health-range", health=do.sheet.health), "sheet", "health")
            faults.raise_found()
            return Verdict((About(character(str(table.number)), Made(do.sheet.health)),))
        case Hit():
            return (yield from hit(table, do))
        case Give() | Mint():
            return move(table, do)
        case Sneak():
            return (yield from sneak(table, do))
        case Look():
            return look(table, do)
        case _:
            return Verdict(())


def hit(table: Table[Dials], do: Hit) -> Asking[Verdict[Any]]:
    actor, target = character(do.char), character(do.target)
    table.get(actor, Being)
    if table.get(target, Being).harm >= (table.get(target, Being).health or 0):
        raise Refused("toy.hit", "already-down", target=do.target)
    answer = yield from ask(table.owner(target), Dodge, Stand, slot="dodge")
    (face,) = yield from roll(actor, 1, table.dials.die, slot="hit")
    if isinstance(answer, Dodge) and face <= 3:
        return Verdict((About(target, Missed(do.char)),), (step("toy.dodge", 0, face=face),))
    return Verdict((About(target, Hurt(face)),), (step("toy.hit", face, die=table.dials.die),))


def sneak(table: Table[Dials], do: Sneak) -> Asking[Verdict[Any]]:
    actor = character(do.char)
    table.get(actor, Being)
    if not 1 <= do.dice <= 12:
        raise Refused("toy.sneak", "dice-count", dice=do.dice)
    audience = None if table.dials.open else ("gm", str(actor))
    faces = yield from roll(actor, do.dice, 6, purpose="hiding", audience=audience, opens=6)
    because = (step("toy.sneak", sum(faces), audience),)
    return Verdict((About(actor, Hidden(faces, audience), (), audience),), because)


def look(table: Table[Dials], do: Look) -> Verdict[Any]:
    table.get(character(do.char), Being)
    well = sum(table.get(character(do.at), Being).hidden)
    found = Seen(do.char) if well < table.dials.alert else Overlooked(do.char)
    return Verdict((About(character(do.at), found),), (step("toy.look", isinstance(found, Seen)),))


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


def view(subject: Subject, state: Being, viewer: Viewer) -> Mapping[str, Any]:
    hidden = list(state.hidden) if viewer.may_see(state.seen_by) else None
    return {"health": state.health, "harm": state.harm, "hidden": hidden}


def moves(seen: Sight) -> Iterator[Move]:
    """Who is down is hit no more; who has coins gives some away, as far as is known of them."""
    yield from list_kernel_moves(seen)
    everybody, beings = Among(seen.roster), {id: seen.view(character(id)) for id in seen.roster}
    standing = tuple(id for id, being in beings.items() if being["harm"] < (being["health"] or 0))
    for id in seen.roster:
        yield Move(Look, {"char": Among((id,)), "at": everybody})
        yield Move(Sneak, {"char": Among((id,)), "dice": Between(1, 12)})
        if standing:
            yield Move(Hit, {"char": Among((id,)), "target": Among(standing)})
        if (coins := seen.balance(coins_of(id))) > 0:
            yield Move(Give, {"char": Among((id,)), "to": everybody, "coins": Between(1, coins)})
    if seen.roster:
        yield Move(Mint, {"to": everybody, "coins": Between(1), "hidden": Among((False, True))})


PHRASES = Phrases(
    inputs={
        Hit: "{char} hits {target}.",
        Give: "{char} gives {coins:coin|coins} to {to}.",
        Mint: "{coins:coin is|coins are} minted for {to}.",
        Sneak: "{char} hides with {dice:die|dice}.",
        Look: "{char} looks for {at}.",
    },
    choices={Dodge: "Dodge.", Stand: "Stand."},
    facts={
        Made: "{subject} has {health} health.",
        Hurt: "{subject} is hurt for {amount}.",
        Missed: "{by} misses {subject}.",
        CoinsMoved: "{coins:coin changes|coins change} hands.",
        Hidden: "{subject} hides.",
        Seen: "{by} sees {subject}.",
        Overlooked: "{by} overlooks {subject}.",
    },
    questions={"dodge": "Do you dodge or stand?", "hit": "Roll to hit."},
    refusals={
        "health-range": "{health} is no health to begin with.",
        "already-down": "{target} is down already.",
        "coins-short": "{coins:coin is|coins are} more than there are.",
        "dice-count": "Nobody hides with {dice:die|dice}.",
    },
    headlines=(Hurt, Missed, Seen, Overlooked),
)
PEOPLE = {"Ann Arrow": Sheet(8), "Ben Bow": Sheet(10), "Cleo Club": Sheet(12)}

RULESET: Ruleset[Being, Input, Fact] = Ruleset(
    name="toy",
    title="Toy",
    source="tests",
    edition=1,
    dials=Dials,
    sheet=Sheet,
    inputs=INPUTS,
    choices=(Dodge, Stand),
    facts=get_args(Fact),
    accounts=(Account("character:<id>/coin", "coin", "Coins in the hand."),),
    rules={
        rule: RuleText(text, "Toy")
        for rule, text in {
            "toy.being": "A being has at least one health.",
            "toy.hit": "A hit does what the die shows.",
            "toy.dodge": "Who dodges is missed on 3 or less.",
            "toy.coins": "Nobody gives coins not held.",
            "toy.sneak": "Who hides keeps to himself how well.",
            "toy.look": "Who looks sees whoever does not hide well.",
        }.items()
    },
    blank=FOLD.blank,
    adjudicate=adjudicate,
    apply=FOLD.apply,
    view=view,
    moves=moves,
    phrases=PHRASES,
    people=PEOPLE,
    secrets=(
        Secret("Coins minted in secret", "Who gets them, and game masters.", "That some were, and for whom."),
        Secret("How well somebody hides", "Who plays it, and game masters.", "That somebody hides, and who overlooks."),
    ),
)
