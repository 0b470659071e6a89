"""Whether the moves of a system are what its rules allow: random play, with every seat's moves looked at before it.

`python -m tests.rules.moves <system> [seeds] [words]` prints what is offered and refused (unsound), what is accepted
and was not offered (incomplete), and how often each kind was offered and accepted.
"""

from __future__ import annotations

import dataclasses
import importlib
import sys
import types
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from random import Random
from typing import Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

from ledger.application.roller import answer_by_chance
from ledger.rules import systems
from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.declarations import find_kind
from ledger.rules.kernel.declarers import may_declare
from ledger.rules.kernel.domains import OPEN, Prose, Ref, load_marked_hints, split_marks
from ledger.rules.kernel.domains import Between as Limits
from ledger.rules.kernel.domains import OneOf as Words
from ledger.rules.kernel.moves import (
    Among,
    Besides,
    Between,
    Domain,
    Either,
    Entries,
    Move,
    Open,
    Row,
    Shape,
    Some,
    allows,
    complete_fields,
)
from ledger.rules.kernel.offers import BY_TYPE, Offer, list_offers
from ledger.rules.kernel.questions import Ask
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen, decides_for_table
from ledger.rules.kernel.subjects import Viewer, scene, seat
from ledger.rules.kernel.table import RulingTable, find_viewer, load_campaign_entry
from ledger.rules.kernel.world import Past, PastRuling
from tests.rules.anything import Anything, play
from tests.rules.near_misses import NearMisses
from tests.rules.world import World

FILLINGS = 3  # of each move
MUTANTS = 4  # of each seat
MOST = 60  # moves of a seat that are filled, and one of each kind
WORDS = "so it is"
#: By kind: which ones, and why they are no moves though they can be accepted.
Unoffered: TypeAlias = Mapping[type[Any], tuple[Callable[[Any], bool], str]]


# --- filling ---


def hollow(domain: Domain) -> bool:
    """Whether there is nothing to be said, or nothing in a part that may be chosen: such a move is left out."""
    match domain:
        case Among(values=values):
            return not values
        case Between(least=least, most=most):
            return least is not None and most is not None and least > most
        case Shape(fields=parts) | Entries(values=parts):
            return any(map(hollow, parts.values()))
        case Either(parts=several):
            return not several or any(map(hollow, several))
        case Row(items=items):
            return any(map(hollow, items))
        case Some(items=items, least=fewest, first=first):
            return bool(fewest) and hollow(first or items)
    return False


class Filling:
    """A declaration within a move, at random."""

    def __init__(self, ruleset: AnyRuleset, past: Past, rng: Random) -> None:
        self.ruleset, self.past, self.rng = ruleset, past, rng

    def of(self, move: Move) -> Any:
        return self._record(move.do, move.fields)

    def _record(self, do: type[Any], fields: Mapping[str, Domain]) -> Any:
        hints = load_marked_hints(do)
        return do(**{name: self._value(domain, hints[name]) for name, domain in complete_fields(do, fields).items()})

    def _value(self, domain: Domain, hint: Any) -> Any:
        match domain:
            case Open():
                return self.anything(hint)
            case Among(values=values):
                return self.rng.choice(values)
            case Besides(values=values):
                those = [one for one in (WORDS, "something else", str(self.anything(hint))) if one not in values]
                return self.rng.choice(those)
            case Between(least=least, most=most):
                return self._number(least, most)
            case Shape(do=do, fields=fields):
                return self._record(do, fields)
            case Either(parts=parts):
                return self._value(self.rng.choice(parts), hint)
            case Entries(values=values, required=required):
                said = [one for one in values if one in required or self.rng.random() < 0.5]
                return {one: self._value(values[one], object) for one in said}
            case Row(items=items):
                return tuple(self._value(one, _item(hint)) for one in items)
            case Some():
                return self._list(domain, _item(hint))

    def _number(self, least: int | None, most: int | None) -> int:
        low = least if least is not None else -3 if most is None else most - 3
        high = most if most is not None else low + 9
        return self.rng.choice([low, high, self.rng.randint(low, high)])

    def _list(self, domain: Some, hint: Any) -> tuple[Any, ...]:
        """What is required, and whatever else comes, in any order; the first first."""
        found: list[Any] = []
        most = domain.most if domain.most is not None else domain.least + 3
        count = self.rng.randint(max(domain.least, len(domain.required)), max(most, domain.least))
        if domain.first is not None and count:
            found.append(self._value(domain.first, hint))
        if domain.key is None:
            found += domain.required
        for _ in range(200):
            names = [getattr(one, domain.key, None) for one in found] if domain.key else found
            missing = [one for one in domain.required if one not in names]
            if len(found) >= count and not missing:
                break
            if domain.items in (Among(()), Either(())):
                break
            one = self._value(domain.items, hint)
            name = getattr(one, domain.key) if domain.key else one
            if (domain.repeats or name not in names) and (
                not missing or len(found) < count - len(missing) or name in missing
            ):
                found.append(one)
        head, rest = (found[:1], found[1:]) if domain.first is not None else ([], found)
        self.rng.shuffle(rest)
        return (*head, *rest)

    def anything(self, hint: Any) -> Any:
        """Whatever the type says, in words that say something."""
        plain, marks = split_marks(hint)
        for mark in marks:
            if isinstance(mark, Words):
                return self.rng.choice(mark.words)
            if isinstance(mark, Limits):
                return self._number(mark.least, mark.most)
            if isinstance(mark, Prose) and not any(isinstance(one, Ref) for one in marks):
                return WORDS
        if get_origin(plain) in (Union, types.UnionType):
            return self.anything(self.rng.choice(get_args(plain)))
        if get_origin(plain) is Literal:
            return self.rng.choice(get_args(plain))
        if dataclasses.is_dataclass(plain) and isinstance(plain, type):
            return plain(
                **{one.name: self.anything(load_marked_hints(plain)[one.name]) for one in dataclasses.fields(plain)}
            )
        if get_origin(plain) is tuple and get_args(plain)[1:] == (Ellipsis,):
            return tuple(self.anything(get_args(plain)[0]) for _ in range(self.rng.randint(0, 2)))
        return self._of_table().of(
            self.ruleset.sheet if isinstance(plain, TypeVar) else WORDS if plain in OPEN else plain
        )

    def _of_table(self) -> Anything:
        game = World(self.ruleset)
        game.past = self.past
        return Anything(self.ruleset.name, self.rng, game)


def _item(hint: Any) -> Any:
    """What a list of this type holds."""
    plain, _ = split_marks(hint)
    if get_origin(plain) is tuple:
        return get_args(plain)[0]
    return next((_item(part) for part in get_args(plain) if get_origin(split_marks(part)[0]) is tuple), object)


# --- looking ---


@dataclass
class Found:
    """What was found out. `unsound`, `incomplete`: by kind and what is wrong, with one example of each."""

    offered: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    filled: Counter[str] = field(default_factory=Counter)
    unsound: Counter[str] = field(default_factory=Counter)
    incomplete: Counter[str] = field(default_factory=Counter)
    examples: dict[str, object] = field(default_factory=dict)

    def note(self, what: Counter[str], wrong: str, example: object) -> None:
        what[wrong] += 1
        self.examples.setdefault(wrong, example)


def viewers(past: Past) -> Iterator[Viewer]:
    for one in past.seats():
        if (viewer := find_viewer(past, one)) is not None:
            yield viewer


def steps(game: World) -> Iterator[tuple[Past, PastRuling]]:
    """The campaign before each of its rulings, and the ruling."""
    past = game.beginning()
    for ruling in game.history:
        yield past, ruling
        past.tell(ruling.facts)


def refusal(past: Past, number: int, do: Any, by: Viewer, in_scene: str | None, rng: Random) -> str | None:
    """Why it is not accepted, as far as it comes before somebody has to choose."""
    ruleset = past.ruleset
    here = scene(in_scene) if in_scene is not None else None

    def table() -> RulingTable:
        return RulingTable(ruleset, past, number, by, here)

    entry = load_campaign_entry(past)
    if may_declare(do, table(), decides_for_table(past, by), entry.roster) is not True:
        return "not yours"
    try:
        conversation = Conversation(ruleset, table(), ruleset.meant(table(), do))
        while (question := conversation.question) is not None and not isinstance(question, Ask):
            conversation.answer(answer_by_chance(question, rng))
    except Refused as no:
        return no.code
    return None


@cache
def unoffered(name: str) -> Unoffered:
    """What can be accepted without being a move."""
    module = f"tests.rules.{name}.unoffered"
    if not find_spec(f"tests.rules.{name}") or not find_spec(module):
        return {}
    found: Unoffered = importlib.import_module(module).UNOFFERED
    return found


@cache
def plainly(name: str) -> Callable[[Past, Any], Any]:
    """How a system's moves spell what can be said in several ways; None of it: it is no move."""
    module = f"tests.rules.{name}.unoffered"
    if not find_spec(f"tests.rules.{name}") or not find_spec(module):
        return lambda past, do: do
    found: Callable[[Past, Any], Any] = getattr(importlib.import_module(module), "plainly", lambda past, do: do)
    return found


def _as_offered(past: Past, do: Any) -> Any:
    """What was accepted, as a move would say it; None where it need not be offered."""
    which, _ = unoffered(past.ruleset.name).get(type(do), (lambda do: False, ""))
    return None if which(do) else plainly(past.ruleset.name)(past, do)


def check_sound(past: Past, number: int, rng: Random, found: Found, offers: Mapping[str, list[Offer]]) -> None:
    """The moves of every seat, filled a few times; of very many one of each kind, and some."""
    filling = Filling(past.ruleset, past, rng)
    for by in viewers(past):
        for offer in _some(offers[by.seat], rng):
            kind = find_kind(offer.move.do)
            for _ in range(FILLINGS):
                do = filling.of(offer.move)
                assert allows(offer.move, do), f"{do} is not within {offer.move}"
                found.filled[kind] += 1
                why = refusal(past, number, do, by, offer.scene, rng)
                if why is not None:
                    found.note(found.unsound, f"{kind}: {why}", (by.seat, do))


def _some(offers: list[Offer], rng: Random) -> list[Offer]:
    there = [one for one in offers if one.move.do not in BY_TYPE]
    if len(there) <= MOST:
        return there
    mixed = rng.sample(there, len(there))
    return [*{one.move.do: one for one in mixed}.values(), *mixed[:MOST]]


def check_complete(past: Past, ruling: PastRuling, found: Found, offers: Mapping[str, list[Offer]]) -> None:
    """What was accepted lies within a move of who declared it, if that seat could."""
    do, by = ruling.declared, find_viewer(past, seat(ruling.by.seat))
    if by is None or (as_said := _as_offered(past, do)) is None:
        return
    table = RulingTable(past.ruleset, past, ruling.number, by, ruling.scene)
    if may_declare(do, table, decides_for_table(past, by), load_campaign_entry(past).roster) is not True:
        return
    found.accepted[find_kind(do)] += 1
    if not any(allows(offer.move, as_said) for offer in offers[by.seat]):
        some = any(offer.move.do is type(do) for offer in offers[by.seat])
        found.note(found.incomplete, f"{find_kind(do)}: {'not so' if some else 'not at all'}", (by.seat, do))


def check_mutants(past: Past, number: int, rng: Random, found: Found, offers: Mapping[str, list[Offer]]) -> None:
    """Moves with one field otherwise: what is accepted all the same lies within a move."""
    game = World(past.ruleset)
    game.past = past
    near, filling = NearMisses(game, rng.randint(0, 2**32), lambda *_: None), Filling(past.ruleset, past, rng)
    for by in viewers(past):
        near.words = dict.fromkeys(_said(offers[by.seat]))
        kinds = list({offer.move.do: offer for offer in _some(offers[by.seat], rng)}.values())
        for offer in rng.sample(kinds, min(MUTANTS, len(kinds))):
            do = near.nearly(filling.of(offer.move))
            if any(allows(one.move, do) for one in offers[by.seat]):
                continue
            try:
                why = refusal(past, number, do, by, offer.scene, rng)
            except (TypeError, AttributeError):  # of a type that no parser lets through
                continue
            if why is not None or (as_said := _as_offered(past, do)) is None:
                continue
            if not any(allows(one.move, as_said) for one in offers[by.seat]):
                found.note(found.incomplete, f"{find_kind(do)}: a mutant", (by.seat, do))


def _said(offers: list[Offer]) -> Iterator[str]:
    """The words that moves offer."""
    for offer in offers:
        for domain in offer.move.fields.values():
            if isinstance(domain, Among):
                yield from (one for one in domain.values if isinstance(one, str))


def looked_at(game: World, rng: Random, sound: float = 1.0) -> Found:
    """A campaign with the moves of every seat before each ruling. `sound`: how often these are filled."""
    found = Found()
    for past, ruling in steps(game):
        offers = {by.seat: list_offers(past.ruleset, Seen(past.ruleset, past, by)) for by in viewers(past)}
        found.offered.update(find_kind(one.move.do) for those in offers.values() for one in those)
        check_complete(past, ruling, found, offers)
        if rng.random() < sound:
            check_sound(past, ruling.number, rng, found, offers)
            check_mutants(past, ruling.number, rng, found, offers)
    return found


def main(name: str, seeds: str = "20", words: str = "60") -> int:
    ruleset, all_found = systems()[name], Found()
    if ruleset.moves is None:
        print(f"{name} says no moves.")
        return 1
    for number in range(int(seeds)):
        for game in (play(name, number, int(words)), Anything(name, Random(number)).play(int(words))):
            found = looked_at(game, Random(number), 0.3)
            for one in ("offered", "accepted", "filled", "unsound", "incomplete"):
                getattr(all_found, one).update(getattr(found, one))
            all_found.examples = {**found.examples, **all_found.examples}
    for one in ("unsound", "incomplete"):
        print(f"{one}: {sum(getattr(all_found, one).values())}")
        for wrong, count in getattr(all_found, one).most_common():
            print(f"  {count:6} {wrong}\n         {all_found.examples[wrong]}")
    print("kind: offered, filled, accepted")
    for kind in sorted(map(find_kind, ruleset.inputs)) + sorted(
        {*all_found.offered} - set(map(find_kind, ruleset.inputs))
    ):
        print(f"  {kind}: {all_found.offered[kind]}, {all_found.filled[kind]}, {all_found.accepted[kind]}")
    return int(bool(all_found.unsound or all_found.incomplete))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
