"""A die belongs to whose roll it is, however it was entered: typed with a declaration as if it had been asked for."""

from __future__ import annotations

import dataclasses
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import given

from ledger.rules import systems
from ledger.rules.intensity.defence import Defend
from ledger.rules.intensity.rolling import RollDice
from ledger.rules.intensity.turns import SettleTie
from ledger.rules.kernel.adjudication import Conversation
from ledger.rules.kernel.contract import About, AnyRuleset, Verdict
from ledger.rules.kernel.declarations import find_kind
from ledger.rules.kernel.domains import Fell, load_marked_hints
from ledger.rules.kernel.facts import Leg
from ledger.rules.kernel.frozen import changed
from ledger.rules.kernel.offers import BY_TYPE, list_offers
from ledger.rules.kernel.questions import Choice, Dice, Roll
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import Subject
from ledger.rules.kernel.table import RulingTable
from ledger.rules.kernel.thrown import Thrown, contains_dice, list_typed_faces
from ledger.rules.kernel.world import Past, PastRuling
from ledger.rules.moc.damage import RollDamage
from ledger.rules.moc.turns import RollInitiative
from tests.laws.test_moves import seldom
from tests.laws.test_play import SEEDS, every_system, slowly
from tests.rules.anything import play
from tests.rules.moves import Filling, steps, viewers
from tests.rules.world import World

#: Whose, how many sides, which face: how often.
Faces = Counter[tuple[str | None, int, int]]


@dataclass(frozen=True)
class Recorded:
    """A ruling of a game, as `Ruleset.thrown` reads it."""

    number: int
    game: World
    verdict: Verdict[Any] | None = None

    @property
    def facts(self) -> Sequence[About[Any]]:
        return self.verdict.facts if self.verdict is not None else self.list_earlier_facts(self.number)

    def list_earlier_facts(self, number: int) -> Sequence[About[Any]]:
        told = self.game.history[number - 1].facts
        return [
            About(subject, done.fact, (), done.audience) for subject, done in told if not isinstance(done.fact, Leg)
        ]

    def list_numbers_since(self, number: int) -> Iterable[int]:
        return range(self.number - 1, number - 1, -1)


def counted(ruleset: AnyRuleset, game: World, ruling: PastRuling) -> list[Thrown]:
    return list(systems()[ruleset.name].thrown(ruling.declared, Recorded(ruling.number, game)))


def typed(ruling: PastRuling) -> list[int]:
    """With the declaration, and with choices made on the way."""
    chosen = [answer.value for answer in ruling.answers if isinstance(answer, Choice)]
    return [face for do in (ruling.declared, *chosen) for face in list_typed_faces(do)]


def whose(past: Past, table: RulingTable, who: Subject | None) -> str | None:
    if who is None:
        return None
    return who.id if who.kind == "seat" else table.owner(who)


def left_out(do: Any) -> Any:
    """The same declaration without its faces."""
    hints = load_marked_hints(type(do))
    return dataclasses.replace(
        do,
        **{field.name: without(getattr(do, field.name), hints[field.name], field) for field in dataclasses.fields(do)},
    )


def without(value: Any, hint: Any, field: Any) -> Any:
    if not holds_mark(hint) or value is None:
        return value
    if dataclasses.is_dataclass(value):
        return left_out(value)
    if field.name in ("faces", "bonus", "raise_faces", "raise_bonus", "numbers", "face", "intensity", "trait"):
        return field.default if field.default is not dataclasses.MISSING else {}
    if isinstance(value, tuple):
        return tuple(left_out(item) if dataclasses.is_dataclass(item) else item for item in value)
    return value


def holds_mark(hint: Any) -> bool:
    text = repr(hint)
    return Fell.__name__ in text or "Die" in text or "Faces" in text


def asked(past: Past, ruling: PastRuling) -> Iterator[tuple[Roll, tuple[int, ...]]]:
    """The dice that the ruling asks for when no faces come with it: each answered with those that were typed."""
    faces = deque(typed(ruling))
    do = left_out(ruling.declared)
    if hasattr(do, "participants") and not do.participants and isinstance(ruling.declared, RollDice):
        do = changed(do, participants=tuple(entry.char for entry in ruling.declared.faces))
    table = RulingTable(past.ruleset, past, ruling.number, ruling.by, ruling.scene)
    conversation = Conversation(past.ruleset, table, do)
    choices = deque(answer for answer in ruling.answers if not isinstance(answer, Dice))
    rolled = deque(answer for answer in ruling.answers if isinstance(answer, Dice))
    while (question := conversation.question) is not None:
        if not isinstance(question, Roll):
            answer: Any = choices.popleft()
            if isinstance(answer, Choice) and list_typed_faces(answer.value):
                answer = Choice(left_out(answer.value))
            conversation.answer(answer)
            continue
        if len(faces) < question.count:
            conversation.answer(rolled.popleft())
            continue
        fell = [own(ruling.declared, question, faces) for _ in range(question.count)]
        opened = fell
        while question.opens is not None and (more := opened.count(question.opens)):
            opened = [faces.popleft() for _ in range(more)]
            fell += opened
        yield question, tuple(fell)
        conversation.answer(Dice(question.sides, tuple(fell)))


def own(do: Any, question: Roll, faces: deque[int]) -> int:
    """The next face; of dice that were typed by name, that of the die asked for."""
    throws = do.faces if isinstance(do, SettleTie) else (do.faces,) if isinstance(do, RollDice) else ()
    rolls = len([face for throw in throws for entry in throw for face in list_typed_faces(entry)])
    passed = rolls - len(faces)
    for throw in throws:
        size = sum(len(list_typed_faces(entry)) for entry in throw)
        if passed < size:
            faces.popleft()
            (entry,) = (entry for entry in throw if question.who is not None and entry.char == question.who.id)
            face: int = getattr(entry, question.slot.rpartition(":")[2])
            return face
        passed -= size
    return faces.popleft()


@every_system
@slowly
@given(seed=SEEDS)
def test_every_face_that_was_typed_is_counted_once(name: str, seed: int) -> None:
    """Nothing typed is left out (numbers that no die showed aside), and nothing is counted that was asked for."""
    game = play(name, seed, 80)
    for ruling in game.history:
        found = Counter(face for throw in counted(game.ruleset, game, ruling) for face in throw.faces)
        assert found == Counter(typed(ruling)) or (not found and no_dice(ruling)), ruling.declared


def no_dice(ruling: PastRuling) -> bool:
    """Mnemonic's numbers are cards or voices by its method."""
    return any(getattr(done.fact, "method", "one_dice") not in ("one_dice", "three_dice") for _, done in ruling.facts)


@every_system
@slowly
@given(seed=SEEDS)
def test_a_typed_die_is_whose_it_would_have_been_had_it_been_asked_for(name: str, seed: int) -> None:
    looked_at(name, seed)


#: Words that can bring dice with them.
BRING: Mapping[str, set[str]] = {
    "intensity": {"roll", "defend", "spend-advantage", "settle-tie"},
    "mnemonic": {"enter-roll"},
    "moc": {"roll-dice", "roll-initiative", "roll-damage", "resist-damage", "heal"},
    "mongrel": {"roll-task", "attack", "carry-out", "occult", "purchase"},
    "scattershot": {"roll-mib", "react-off-guard", "contribute-die", "plot-device", "develop"},
}


@every_system
def test_random_play_types_dice_with_every_word_that_takes_them(name: str) -> None:
    if name in BRING:
        found = Counter[str]()
        for seed in range(60):
            found += looked_at(name, seed, 200)
            if BRING[name] <= set(found):
                return
        pytest.fail(f"never typed with {BRING[name] - set(found)}: {found}")


def looked_at(name: str, seed: int, words: int = 80) -> Counter[str]:
    """How often dice came with which word. AssertionError where they are counted as somebody else's."""
    game, kinds = play(name, seed, words), Counter[str]()
    for past, ruling in steps(game):
        table = RulingTable(past.ruleset, past, ruling.number, ruling.by, ruling.scene)
        if throws := counted(game.ruleset, game, ruling):
            kinds[find_kind(ruling.declared)] += 1
            if not any(isinstance(answer, Dice) for answer in ruling.answers):  # some typed, some asked for
                assert faces_of(past, table, throws) == expected(past, table, asked(past, ruling)), ruling.declared
        elif rolls := list(answered(past, ruling)):
            told = typed_in(past, ruling, rolls)
            if told is not None:
                do, verdict = told
                kinds[find_kind(do)] += 1
                throws = list(systems()[name].thrown(do, Recorded(ruling.number, game, verdict)))
                assert faces_of(past, table, throws) == expected(past, table, rolls), do
    return kinds


def faces_of(past: Past, table: RulingTable, throws: list[Thrown]) -> Faces:
    return Counter((whose(past, table, throw.who), throw.sides, face) for throw in throws for face in throw.faces)


def expected(past: Past, table: RulingTable, rolls: Iterable[tuple[Roll, tuple[int, ...]]]) -> Faces:
    return Counter((whose(past, table, roll.who), roll.sides, face) for roll, faces in rolls for face in faces)


def answered(past: Past, ruling: PastRuling) -> Iterator[tuple[Roll, tuple[int, ...]]]:
    """The dice it asked for, each with what fell."""
    table = RulingTable(past.ruleset, past, ruling.number, ruling.by, ruling.scene)
    conversation = Conversation(past.ruleset, table, ruling.declared)
    for answer in ruling.answers:
        if isinstance(conversation.question, Roll) and isinstance(answer, Dice):
            yield conversation.question, answer.faces
        conversation.answer(answer)


def typed_in(
    past: Past, ruling: PastRuling, rolls: Sequence[tuple[Roll, tuple[int, ...]]]
) -> tuple[Any, Verdict[Any]] | None:
    """The same declaration with these faces, and what comes of it; None where it cannot say them."""
    do = with_faces(ruling.declared, rolls)
    if do is None:
        return None
    table = RulingTable(past.ruleset, past, ruling.number, ruling.by, ruling.scene)
    try:
        conversation = Conversation(past.ruleset, table, do)
        for answer in ruling.answers:
            if not isinstance(answer, Dice) and conversation.question is not None:
                conversation.answer(answer)
    except Refused:
        return None
    verdict = conversation.verdict
    return (do, verdict) if verdict is not None else None


def with_faces(do: Any, rolls: Sequence[tuple[Roll, tuple[int, ...]]]) -> Any:
    (first, fell), fields = rolls[0], [field.name for field in dataclasses.fields(do)]
    match do:
        case Defend():
            faces = [face for _, fallen in rolls for face in fallen]
            dice = (changed(die, face=face) for die, face in zip(do.dice, faces, strict=True))
            return changed(do, dice=tuple(dice))
        case RollInitiative():
            base = {str(roll.who and roll.who.id): fallen[: roll.count] for roll, fallen in rolls}
            more = {str(roll.who and roll.who.id): fallen[roll.count :] for roll, fallen in rolls}
            return changed(do, faces=base, bonus=more)
        case RollDamage():
            raises, raised = next(((roll, more) for roll, more in rolls if roll.slot == "raises"), (first, ()))
            extra: Any = {"raise_faces": raised[: raises.count], "raise_bonus": raised[raises.count :]}
            return changed(do, faces=fell[: first.count], bonus=fell[first.count :], **extra)
        case _ if "bonus" in fields and "faces" in fields:
            more_dice = tuple(face for _, fallen in rolls[1:] for face in fallen)
            return changed(do, faces=fell[: first.count], bonus=(*fell[first.count :], *more_dice))
        case _ if "face" in fields and len(fell) == len(rolls) == 1:
            return changed(do, face=fell[0])
        case _ if "faces" in fields and len(rolls) == 1 and not isinstance(do, RollDice | SettleTie):
            return changed(do, faces=fell)
    return None


@pytest.mark.parametrize("wrong", ["by the declarer", "other dice", "left out"])
def test_dice_counted_wrongly_are_found(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    ruleset = systems()["intensity"]

    def thrown(do: Any, told: Any) -> Iterator[Thrown]:
        for throw in list(ruleset.thrown(do, told))[1 if wrong == "left out" else 0 :]:
            yield changed(throw, who=None) if wrong == "by the declarer" else changed(throw, sides=20)

    monkeypatch.setitem(systems(), "intensity", dataclasses.replace(ruleset, thrown=thrown))
    with pytest.raises(AssertionError):
        for seed in range(20):
            looked_at("intensity", seed, 200)


# --- where the ledger rolls all dice ---


@pytest.mark.slow
@every_system
@seldom
@given(seed=SEEDS)
def test_no_move_offers_faces_where_the_ledger_rolls_all(name: str, seed: int) -> None:
    game = play(name, seed, 60)
    rng = Random(seed)
    for past, ruling in steps(game):
        strict = past.branch(past.revisions, {"dice": "ledger_only"})
        for by in viewers(strict):
            offers = list_offers(strict.ruleset, Seen(strict.ruleset, strict, by))
            assert len(offers) <= len(list_offers(past.ruleset, Seen(past.ruleset, past, by)))
            for offer in rng.sample(offers, min(4, len(offers))):
                if offer.move.do not in BY_TYPE:
                    do = Filling(strict.ruleset, strict, rng).of(offer.move)
                    assert not contains_dice(do), do
        assert contains_dice(ruling.declared) >= bool(list_typed_faces(ruling.declared))
