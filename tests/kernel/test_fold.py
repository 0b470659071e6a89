"""The fold: by (ruling, step), of what stands. Pure, on the toy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ledger.rules import systems
from ledger.rules.kernel import comparison
from ledger.rules.kernel.contract import About, Posting, Verdict
from ledger.rules.kernel.facts import Amended, CharacterEnrolled
from ledger.rules.kernel.fold import Folded, fold
from ledger.rules.kernel.subjects import Audience, character

TOY = systems()["toy"]
MADE, HURT, MISSED, MOVED = TOY.facts[:4]
SUBJECT = character("1")


@dataclass(frozen=True)
class Told:
    """A recorded fact, as the store would give it."""

    ruling: int
    fact: Any
    step: int = 0
    revision: int = 0
    postings: tuple[Posting, ...] = ()
    audience: Audience = None
    after: int = 0


BEGIN = [Told(1, CharacterEnrolled("A", "s1")), Told(1, MADE(10), 1)]
coins = st.builds(
    lambda amount, out: (
        (Posting("character:1/coin", "bank/coin", "coin", amount),)
        if out
        else (Posting("bank/coin", "character:1/coin", "coin", amount),)
    ),
    st.integers(1, 9),
    st.booleans(),
)
facts = st.one_of(
    st.builds(HURT, st.integers(1, 6)),
    st.builds(MISSED, st.just("2")),
    st.builds(Amended, st.just("harm"), st.integers(0, 9), st.just("the table says so")),
)


@st.composite
def histories(draw: st.DrawFn) -> list[Told]:
    history = list(BEGIN)
    for number in range(2, 2 + draw(st.integers(0, 12))):
        for step in range(draw(st.integers(1, 3))):
            history.append(Told(number, draw(facts), step, 0, draw(st.one_of(st.just(()), coins))))
    return history


def folded(history: list[Told], revisions: dict[int, int | None] | None = None) -> Folded[Any]:
    return fold(TOY, SUBJECT, history, revisions or {})


@given(histories(), st.data())
def test_striking_is_as_if_never_ruled(history: list[Told], data: st.DataObject) -> None:
    """fold(log + overturn n) == fold(log without n), for every n."""
    for number in {told.ruling for told in history}:
        struck = folded(history, {number: None})
        assert struck.same_as(folded([told for told in history if told.ruling != number]))


@given(histories(), st.randoms(use_true_random=False))
def test_stored_order_does_not_matter(history: list[Told], random: Any) -> None:
    shuffled = list(history)
    random.shuffle(shuffled)
    assert folded(shuffled).same_as(folded(history))


@given(histories(), st.data())
def test_a_revision_folds_in_the_place_of_what_it_replaces(history: list[Told], data: st.DataObject) -> None:
    number = data.draw(st.sampled_from(sorted({told.ruling for told in history})))
    new = [Told(number, data.draw(facts), 0, 1)]
    replaced = [
        *[told for told in history if told.ruling < number],
        *new,
        *[told for told in history if told.ruling > number],
    ]
    assert folded([*history, *new], {number: 1}).same_as(folded(replaced, {number: 1}))
    assert folded([*history, *new], {number: 0}).same_as(folded(history)), "and can be put back"


def test_hit_five_amend_to_nothing_revise_the_hit_to_three_gives_nothing() -> None:
    amended = Amended("harm", 0, "too harsh")
    history = [*BEGIN, Told(2, HURT(5)), Told(3, amended), Told(2, HURT(3), revision=1)]
    assert folded(history).state.harm == 0
    assert folded(history, {2: 1}).state.harm == 0
    assert folded(history, {2: 1, 3: None}).state.harm == 3


def test_a_fact_without_ground_is_adrift_and_comes_back_with_it() -> None:
    history = [*BEGIN, Told(2, HURT(5))]
    without = folded(history, {1: None})
    assert without.adrift == [(2, 0)]
    assert without.state.adrift == (HURT(5),)
    assert without.entry is None
    assert folded(history, {1: 0}).same_as(folded(history))


def test_an_amendment_that_no_longer_fits_is_adrift() -> None:
    history = [*BEGIN, Told(2, Amended("harm/0", 3, "an earlier edition had a list here"))]
    assert folded(history).adrift == [(2, 0)]
    assert folded(history).state.harm == 0


def test_a_purse_keeps_only_its_own_accounts() -> None:
    moved = Posting("character:2/coin", "character:1/coin", "coin", 4)
    history = [*BEGIN, Told(2, MOVED(4), postings=(moved,))]
    assert folded(history).purse == {"character:1/coin": 4}
    assert folded(history, {2: None}).purse.get("character:1/coin", 0) == 0


def test_what_differs_in_secret_is_known_to_who_may_see_it() -> None:
    def row(*then: tuple[int, Any]) -> comparison.Row:
        now = Verdict((About(SUBJECT, MOVED(1)),))
        told = Verdict((*now.facts, *(About(SUBJECT, MOVED(amount), audience=who) for amount, who in then)))
        return comparison.Row(2, "changes", now, told, False, False)

    assert row((2, None)).find_audience() is None
    assert row((2, ("s2",))).find_audience() == ("s2",)
    assert row((2, ("s2",)), (3, ("s3",))).find_audience() == ("gm",)
    assert row((2, ("s2",)), (3, None)).find_audience() is None, "something public differs too"
    assert comparison.Row(2, "loses support", None, None, False, False).find_audience() is None
