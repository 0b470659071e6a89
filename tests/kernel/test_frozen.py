"""Frozen records made fast are what `dataclasses` makes of them. Pure."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, asdict, dataclass, field, replace

import pytest

from ledger.rules import systems
from ledger.rules.kernel import draft
from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.fold import Fold
from ledger.rules.kernel.frozen import changed, quick
from ledger.rules.kernel.json_types import by_name
from ledger.rules.kernel.moves import Among
from tests.rules.world import World

TOY = systems()["toy"]


@dataclass(frozen=True, slots=True)
class Slow:
    """As it comes."""

    name: str
    count: int = 1
    by_name: Mapping[str, int] = field(default_factory=dict)


@quick
@dataclass(frozen=True, slots=True)
class Quick:
    """The same."""

    name: str
    count: int = 1
    by_name: Mapping[str, int] = field(default_factory=dict)


@quick
@dataclass(frozen=True, slots=True)
class Further(Quick):
    """One that adds to it: it stays as it is."""

    more: int = 2


@fact("ended")
class Ended:
    """With a field of which the public name is no Python name, and one that was left out."""

    from_: str
    to: str = "nowhere"


@dataclass(frozen=True, slots=True)
class Holding:
    """Records wherever one can be."""

    plain: tuple[int, ...]
    held: Slow | None
    listed: tuple[Quick, ...]
    named: Mapping[str, tuple[Slow, ...]]
    whatever: object = None


def test_a_record_is_shown_by_name_as_dataclasses_shows_it() -> None:
    full = Holding((1, 2), Slow("a"), (Quick("b", 2), Quick("c")), {"d": (Slow("e", 3, {"f": 1}),), "g": ()}, Slow("h"))
    for record in (full, Holding((), None, (), {}), Slow("a"), Ended("b"), TOY.blank("character")):
        assert by_name(record) == asdict(record)


def test_it_is_made_as_its_fields_say():
    for made in (Quick("a"), Quick("a", 1, {}), Quick(count=1, name="a"), Quick("a", by_name={})):
        assert made == Quick("a") and repr(made) == "Quick(name='a', count=1, by_name={})"
    assert Quick("a").by_name is not Quick("a").by_name
    assert Further("a", 3, {"b": 1}).more == 2 and repr(Further("a", more=5)).endswith("more=5)")
    assert type(Further("a")) is Further and Further("a") != Quick("a")
    assert inspect.signature(Quick).parameters.keys() == inspect.signature(Slow).parameters.keys()
    assert Ended("a").from_ == "a" and Ended("a", "b").to == "b" and Ended("a") == Ended("a", "nowhere")


@pytest.mark.parametrize("values", [(), ("a", 1, {}, "more")])
def test_it_refuses_what_is_missing_or_too_much_in_the_same_words(values: tuple[object, ...]):
    told = []
    for cls in (Slow, Quick):
        with pytest.raises(TypeError) as refused:
            cls(*values)  # type: ignore[arg-type]
        told.append(str(refused.value).replace(cls.__name__, ""))
    assert told[0] == told[1]


def test_it_is_frozen_hashed_copied_and_kept_as_ever():
    one = Quick("a", 2)
    with pytest.raises(FrozenInstanceError):
        one.count = 3  # type: ignore[misc]
    assert not hasattr(one, "__dict__")
    assert replace(one, count=3) == changed(one, count=3) == Quick("a", 3)
    assert pickle.loads(pickle.dumps(one)) == one
    assert (
        pickle.loads(pickle.dumps(Further("a", 2))) == replace(Further("a"), count=2) == changed(Further("a"), count=2)
    )
    assert hash(Ended("a")) == hash(Ended("a", "nowhere"))


def test_what_was_kept_of_a_record_is_not_kept_of_a_changed_one():
    among = Among(("axe", "bow"))
    fewer = changed(among, values=("axe",))
    assert fewer == Among(("axe",)) and hash(fewer) == hash(Among(("axe",)))
    among.keep("what it says")
    assert hash(among) and not hasattr(changed(among, values=("axe",)), "kept")
    assert hash(changed(among, values=("axe",))) == hash(fewer)


def test_one_that_asks_more_of_its_making_stays_as_it_is():
    @quick
    @dataclass(frozen=True, slots=True)
    class Checked:
        count: int

        def __post_init__(self) -> None:
            assert self.count > 0

    with pytest.raises(AssertionError):
        Checked(0)


class Draft(draft.Draft):  # type: ignore[type-arg]
    fold = Fold({}, {})


def test_what_is_only_shown_with_a_question_is_not_noted_as_read():
    """Also not where the rule looks at it afterwards by itself, and was told of it before."""
    game = World(TOY)
    who = game.enrol("A", TOY.sheet(5))
    table = game.table()
    mine = Draft(table)
    assert mine.aside().balance(f"character:{who}/coin") == 0
    assert not table.reads
    assert mine.balance(f"character:{who}/coin") == 0
    assert table.reads == {f"character:{who}"}
    assert table.aside().reads == set() and table.reads == {f"character:{who}"}
    assert table.has(game.past.seats()[0]) and len(table.reads) == 2
