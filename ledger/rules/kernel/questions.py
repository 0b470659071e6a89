"""The questions that a rule may ask, and their answers.

A rule writes `faces = yield from roll(actor, 4, 6)` and continues. Each helper checks the answer when it arrives, so a
rule refuses the same answers in a test as in the service.

A question is identified by the seat asked, its kind (with the number of sides) and its `slot`: a word that says what
the question is for ("resist", "roll-off:trait"). If a rule can ask one seat for the same thing several times, it must
use different slots, or always ask in the same order.

A new kind of question also needs these parts:

- its name in `kit`, and its sentence (`sentences`);
- how a recorded answer is shortened for it (`answers`), and its JSON (`application/json_form`);
- the ledger's own answer (`application/roller`);
- whether an answer contains chance (`has_chance` in `application/commands/adjudicating`). Without this, people could
  enter results where only the ledger rolls;
- proofs of its dice (`events/dice_proofs`, `application/checks/dice_check`, `application/checks/dossier`);
- its form in answers and descriptions (`projections/documents/answer_schemas`, `projections/redaction`,
  `api/http/forms`, `api/table/correcting`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar, cast, overload

from ledger.rules.kernel.declarations import find_kind
from ledger.rules.kernel.frozen import changed, quick
from ledger.rules.kernel.moves import Shape
from ledger.rules.kernel.open_dice import check_faces, is_complete_roll
from ledger.rules.kernel.refusals import Unfit
from ledger.rules.kernel.subjects import Audience, Subject

Source: TypeAlias = Literal["table", "ledger"]
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
E = TypeVar("E")


@quick
@dataclass(frozen=True, slots=True)
class Roll:
    """Roll `count` dice of `sides` sides. `who`: the subject that rolls. `purpose`: a few words for people.

    `opens`: each die that shows this face adds another die. All these dice are one answer, in the order in which they
    fell, so that no further question reveals their number.
    """

    who: Subject | None
    count: int
    sides: int
    purpose: str = ""
    audience: Audience = None
    slot: str = ""
    opens: int | None = None


@quick
@dataclass(frozen=True, slots=True)
class Draw:
    """Draw `count` of these cards, unseen. `who`: the subject that draws.

    `form`: how a card is written. If it is given, the drawing seat does not see which cards are left. `named` (not
    stored): the cards that may be entered by hand. `by_ledger` (not stored): whether only the ledger can draw.
    """

    who: Subject | None
    count: int
    cards: tuple[str, ...]
    purpose: str = ""
    audience: Audience = None
    slot: str = ""
    form: str = ""
    named: tuple[str, ...] = ()
    by_ledger: bool = False


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Put these cards into a random order."""

    who: Subject | None
    cards: tuple[str, ...]
    purpose: str = ""
    audience: Audience = None
    slot: str = ""


@dataclass(frozen=True, slots=True)
class Flip:
    """Flip `count` coins."""

    who: Subject | None
    count: int
    purpose: str = ""
    audience: Audience = None
    slot: str = ""


@quick
@dataclass(frozen=True, slots=True)
class Ask:
    """Ask a seat to choose one of these kinds.

    - `within` (not stored): the values that their fields can have now, as in a move (`moves.Shape`). A kind that is not
      listed accepts every value of its type. A field without values (`Among(())`) means that its kind cannot be chosen
      now. Everyone who can answer sees `within`, so it must not reveal more than they may know.
    - `known`: whether the question, the seat asked and the declaration are public, although only the audience may know
      the answer.
    - `beside` (not stored): the other questions that are open at the same time (`ask_all`).
    - `answered` (not stored): the questions of the same `ask_all` that already have answers. These can still be
      changed.
    """

    seat: str
    kinds: tuple[type[object], ...]
    purpose: str = ""
    audience: Audience = None
    slot: str = ""
    within: tuple[Shape, ...] = ()
    known: bool = False
    beside: tuple[Ask, ...] = ()
    answered: tuple[Ask, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Dice:
    """Faces rolled, in order. `source`: `table` (rolled by hand and entered) or `ledger` (rolled by the service)."""

    sides: int
    faces: tuple[int, ...]
    source: Source = "table"
    proof: str | None = None


@quick
@dataclass(frozen=True, slots=True)
class Drawn:
    """Cards drawn, in order."""

    cards: tuple[str, ...]
    source: Source = "table"
    proof: str | None = None


@dataclass(frozen=True, slots=True)
class Shuffled:
    """All the cards in their new order, the top card first."""

    cards: tuple[str, ...]
    source: Source = "table"
    proof: str | None = None


@dataclass(frozen=True, slots=True)
class Flipped:
    """Coins in order: `heads` or `tails`."""

    coins: tuple[Literal["heads", "tails"], ...]
    source: Source = "table"
    proof: str | None = None


@quick
@dataclass(frozen=True, slots=True)
class Choice:
    """What the seat chose: an instance of one of the kinds asked for."""

    value: object


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer to an open question other than the first. `place`: the index of the question among the open ones."""

    place: int
    answer: Answer


Question: TypeAlias = Roll | Draw | Shuffle | Flip | Ask
Chance: TypeAlias = Roll | Draw | Shuffle | Flip
Answer: TypeAlias = Dice | Drawn | Shuffled | Flipped | Choice
#: Fields of questions that describe the present state. They do not identify the question, and are not stored.
LIVE = frozenset({"within", "named", "by_ledger", "beside", "answered"})
R = TypeVar("R")
#: A rule that asks questions, and returns its result once they are answered.
Asking: TypeAlias = Generator[Question, Answer, R]


def question_json(question: Any) -> dict[str, object]:
    """Return the question as JSON: `{"ask": "roll", "who": "character:3", "count": 2, "sides": 6, ...}`. A choice has
    its kinds and their fields.

    `audience`, `known`, `opens` and `form` are included only if they are set.
    """
    document: dict[str, object] = {
        "ask": {"Ask": "choice"}.get(type(question).__name__, type(question).__name__.lower())
    }
    for name in question.__dataclass_fields__:
        value = getattr(question, name)
        if name == "kinds":
            document["choices"] = [{"kind": find_kind(cls), "fields": list(cls.__dataclass_fields__)} for cls in value]
        elif name == "who":
            document["who"] = str(value) if value is not None else None
        elif name in LIVE:
            continue
        elif value is not None if name in ("audience", "opens") else value or name not in ("form", "known"):
            document[name] = list(value) if isinstance(value, tuple) else value
    return document


def roll(  # noqa: PLR0913  (all but three by name)
    who: Subject | None,
    count: int,
    sides: int,
    *,
    slot: str = "",
    purpose: str = "",
    audience: Audience = None,
    opens: int | None = None,
    rule: str = "ledger.dice",
    count_code: str = "dice-count",
    face_code: str = "face-range",
) -> Asking[tuple[int, ...]]:
    """Ask for the faces of `count` dice of `sides` sides, and of the dice that they open. Raise Unfit for a different
    number or size of dice, or a face out of range.
    """
    answer = yield Roll(who, count, sides, purpose, audience, slot, opens)
    if not isinstance(answer, Dice):
        raise Unfit(rule, "answer-kind", expected="dice")
    if answer.sides != sides or not is_complete_roll(answer.faces, count, opens):
        given_dice = f"{len(answer.faces)}d{answer.sides}"
        addition = f", and another for each {opens}" if opens is not None else ""
        raise Unfit(rule, count_code, expected=f"{count}d{sides}{addition}", given=given_dice)
    check_faces(answer.faces, sides, rule, face_code)
    return answer.faces


def draw(
    who: Subject | None,
    count: int,
    cards: tuple[str, ...],
    *,
    slot: str = "",
    purpose: str = "",
    audience: Audience = None,
) -> Asking[tuple[str, ...]]:
    """Ask for `count` of the cards. Raise Unfit for a different number of cards, or for a card that is not there
    (`card-not-there`).
    """
    return (yield from deal(who, count, cards, slot=slot, purpose=purpose, audience=audience)).cards


def deal(  # noqa: PLR0913  (all but three by name)
    who: Subject | None,
    count: int,
    cards: tuple[str, ...],
    *,
    slot: str = "",
    purpose: str = "",
    audience: Audience = None,
    by_ledger: str | None = None,
    named: tuple[str, ...] | None = None,
    form: str = "",
) -> Asking[Drawn]:
    """Ask as `draw` does, but return the whole answer, which also says whether the ledger drew the cards.

    `by_ledger`: the rule by which only the ledger may draw, if there is one. Other answers then raise Unfit
    `dealt-by-the-ledger`. `named`: the cards that may be entered by hand if the remaining cards are secret. It can
    include cards that are gone, so that a refusal reveals nothing. `form`: how a card is written.
    """
    answer = yield Draw(who, count, cards, purpose, audience, slot, form, named or cards, by_ledger is not None)
    if not isinstance(answer, Drawn):
        raise Unfit("ledger.draw", "answer-kind", expected="cards")
    if by_ledger is not None and answer.source != "ledger":
        raise Unfit(by_ledger, "dealt-by-the-ledger")
    if len(answer.cards) != count:
        raise Unfit("ledger.draw", "card-count", expected=count, given=len(answer.cards))
    if Counter(answer.cards) - Counter(cards if named is None or answer.source == "ledger" else named):
        raise Unfit("ledger.draw", "card-not-there", audience=audience)
    return answer


def shuffle(
    who: Subject | None, cards: tuple[str, ...], *, slot: str = "", purpose: str = "", audience: Audience = None
) -> Asking[tuple[str, ...]]:
    """Ask for the same cards in a new order. Raise Unfit for other cards (`not-these-cards`)."""
    answer = yield Shuffle(who, cards, purpose, audience, slot)
    if not isinstance(answer, Shuffled):
        raise Unfit("ledger.shuffle", "answer-kind", expected="order")
    if Counter(answer.cards) != Counter(cards):
        raise Unfit("ledger.shuffle", "not-these-cards", audience=audience)
    return answer.cards


def flip(
    who: Subject | None, count: int, *, slot: str = "", purpose: str = "", audience: Audience = None
) -> Asking[tuple[Literal["heads", "tails"], ...]]:
    """Ask for `count` coins, each `heads` or `tails`."""
    answer = yield Flip(who, count, purpose, audience, slot)
    if not isinstance(answer, Flipped):
        raise Unfit("ledger.flip", "answer-kind", expected="coins")
    if len(answer.coins) != count or any(coin not in ("heads", "tails") for coin in answer.coins):
        raise Unfit("ledger.flip", "coins", expected=count)
    return answer.coins


@overload
def ask(
    seat: str,
    a: type[A],
    /,
    *,
    slot: str = "",
    purpose: str = "",
    audience: Audience = None,
    within: Iterable[Shape] = (),
    known: bool = False,
) -> Asking[A]: ...
@overload
def ask(
    seat: str,
    a: type[A],
    b: type[B],
    /,
    *,
    slot: str = "",
    purpose: str = "",
    audience: Audience = None,
    within: Iterable[Shape] = (),
    known: bool = False,
) -> Asking[A | B]: ...
@overload
def ask(
    seat: str,
    a: type[A],
    b: type[B],
    c: type[C],
    /,
    *,
    slot: str = "",
    purpose: str = "",
    audience: Audience = None,
    within: Iterable[Shape] = (),
    known: bool = False,
) -> Asking[A | B | C]: ...
@overload
def ask(
    seat: str,
    a: type[A],
    b: type[B],
    c: type[C],
    d: type[E],
    /,
    *,
    slot: str = "",
    purpose: str = "",
    audience: Audience = None,
    within: Iterable[Shape] = (),
    known: bool = False,
) -> Asking[A | B | C | E]: ...
def ask(
    seat: str,
    /,
    *kinds: type[object],
    slot: str = "",
    purpose: str = "",
    audience: Audience = None,
    within: Iterable[Shape] = (),
    known: bool = False,
) -> Asking[object]:
    """Ask the seat to choose one of up to four kinds. `within`, `known`: as in `Ask`. Raise Unfit for another kind
    (`choice-kind`).
    """
    answer = yield Ask(seat, kinds, purpose, audience, slot, tuple(within), known)
    if not isinstance(answer, Choice) or not isinstance(answer.value, kinds):
        raise Unfit("ledger.ask", "choice-kind", expected=[find_kind(kind) for kind in kinds])
    return answer.value


def list_open_questions(question: Question | None) -> tuple[Question, ...]:
    """Return this question and those that are open at the same time, in the order in which the rule asks them."""
    if question is None:
        return ()
    return (question, *question.beside) if isinstance(question, Ask) else (question,)


def ask_all(
    askings: Iterable[Asking[R]], *, is_final: Callable[[R], bool] = lambda result: False
) -> Asking[tuple[R, ...]]:
    """Ask several seats at the same time, and return the result of each `Asking`, in order. Raise TypeError if one asks
    for anything but a choice.

    An `Asking` must not depend on what another one records. `is_final`: returns whether a result is the last one. Later
    seats then need not answer.
    """
    askings_by_place = dict(enumerate(askings))
    open_questions: dict[int, Ask] = {}
    answered_questions: list[Ask] = []
    results: dict[int, R] = {}

    def advance(place: int, answer: Answer | None) -> None:
        try:
            question = next(askings_by_place[place]) if answer is None else askings_by_place[place].send(answer)
        except StopIteration as stop:
            results[place] = stop.value
            open_questions.pop(place, None)
            return
        if not isinstance(question, Ask):
            raise TypeError(f"Only choices can be asked of several seats at once, not {type(question).__name__}.")
        open_questions[place] = question

    def list_final_results() -> list[R] | None:
        """Return the results if no further ones are needed, else None."""
        needed_results: list[R] = []
        for place in askings_by_place:
            if place not in results:
                return None
            needed_results.append(results[place])
            if is_final(results[place]):
                break
        return needed_results

    for place in askings_by_place:
        advance(place, None)
    while (final_results := list_final_results()) is None:
        open_places = sorted(open_questions)
        first, *others = (open_questions[place] for place in open_places)
        answer = cast(
            "Answer | Reply", (yield changed(first, beside=tuple(others), answered=tuple(answered_questions)))
        )
        open_index, answer = (answer.place, answer.answer) if isinstance(answer, Reply) else (0, answer)
        answered_questions.append(open_questions[open_places[open_index]])
        advance(open_places[open_index], answer)
    return tuple(final_results)
