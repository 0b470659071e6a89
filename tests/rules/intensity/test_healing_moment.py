"""N2, T1, T5: the healing moment is everybody's, whoever asks for it; it waits while play goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ledger.rules.intensity import RULESET
from ledger.rules.intensity.advantage_points import AdvantageGained
from ledger.rules.intensity.healing import (
    CloseMoment,
    Heal,
    HealingChoice,
    HealingDeclined,
    HealingMoment,
    HealingMomentClosed,
    HealingPassedOver,
    ImpactHealed,
)
from ledger.rules.intensity.opponents import ConflictNoted, ConflictsCounted, InConflict
from ledger.rules.intensity.rounds import CloseRound
from ledger.rules.kernel.adjudication import Waiting
from ledger.rules.kernel.answers import Said
from ledger.rules.kernel.commands import Amend, OpenScene, Retire
from ledger.rules.kernel.declarations import find_chooser, find_kind
from ledger.rules.kernel.phrases import sentence
from ledger.rules.kernel.questions import Ask, Choice, question_json
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, character
from ledger.rules.kernel.world import PastRuling
from tests.rules.intensity.game import Game, asked, given_to, of_kind, unfit

NIGHT = "a quiet night"


def moment(day: Any, *choices: tuple[Any, ...], **more: Any) -> HealingMoment:
    return HealingMoment(day, NIGHT, tuple(HealingChoice(*choice) for choice in choices), **more)


def battered(**dials: Any) -> Game:
    """No scene is open. Ann (p), Bea and Dan (q) and Ed (the game master) have a wound each; Cleo (p) has none."""
    game = Game(**dials)
    for char in (game.bea, game.dan, game.ed):
        game.fight((game.cleo, char, "fanatical", "A", 12, 1), (char, None, "fanatical", "A", 1, 1))
        game.hit(game.cleo, "wound")
        game.does(CloseRound())
    game.fight((game.dan, game.ann, "fanatical", "A", 12, 1), (game.ann, None, "fanatical", "A", 1, 1))
    game.hit(game.dan, "wound")
    game.does(CloseRound())
    game.close_scene()
    return given_to(game, Bea="q", Dan="q", Ed="gm")


def test_n2_every_player_is_asked_in_the_order_of_seats_and_the_game_master_last():
    game = battered()
    order = [("p", game.ann), ("q", game.bea), ("q", game.dan), ("gm", game.ed)]
    said = [Heal("wound")] * 4
    for by in ("p", "q", "gm"):
        assert asked(game, moment(1), *said, by=by) == [(seat, f"heal:{char}") for seat, char in order]
    verdict = game.says_to(moment(1), *said, by="q")
    assert [one.char for one in of_kind(verdict, ImpactHealed)] == [char for _, char in order]


def test_n2_the_order_is_that_of_seats_whoever_joined_first():
    game = given_to(battered(), Ann="gm", Bea="q", Dan="p", Ed="q")
    order = [("p", game.dan), ("q", game.bea), ("q", game.ed), ("gm", game.ann)]
    assert asked(game, moment(1), *[Heal("wound")] * 4) == [(seat, f"heal:{char}") for seat, char in order]


def test_n2_who_opens_it_may_say_for_the_own_characters_at_once():
    game = battered()
    own = moment(1, (game.bea, "wound"), (game.dan, "none"))
    assert asked(game, own, Heal("wound"), by="q") == [("p", f"heal:{game.ann}"), ("gm", f"heal:{game.ed}")]
    assert game.refuses(moment(1, (game.ann, "wound")), by="q") == "not-your-character"
    assert game.refuses(moment(1, (game.ed, "none")), by="p") == "not-your-character"
    everybody = moment(1, *((char, "wound") for char in (game.ann, game.bea, game.dan, game.ed)))
    assert asked(game, everybody, by="gm") == []


def test_n2_awards_follow_from_all_choices_together():
    game = battered()
    verdict = game.says_to(moment(1, (game.ann, "none")), Heal("wound"), Heal(), Heal("wound"), by="p")
    gained = [(one.holder, one.against, one.amount) for one in of_kind(verdict, AdvantageGained)]
    assert gained == [(game.cleo, game.bea, 2), (game.cleo, game.ed, 2)]
    declined = of_kind(verdict, HealingDeclined)
    assert [one.char for one in declined] == [game.ann, game.dan]


def test_n2_nobody_is_asked_who_has_nothing_to_heal_or_is_gone():
    """Not the unharmed, not the taxed, not who is out for good or retired: a seat whose people all are gone."""
    game = battered()
    game.declare(Retire(game.bea, "moved away"))
    game.declare(Amend(f"character:{game.dan}", "out", "permanent", "buried"))
    assert asked(game, moment(1), Heal(), Heal(), by="p") == [("p", f"heal:{game.ann}"), ("gm", f"heal:{game.ed}")]
    verdict = game.says_to(moment(1), Heal(), Heal(), by="p")
    assert [one.char for one in of_kind(verdict, HealingDeclined)] == [game.ann, game.ed]


def test_n2_who_healed_today_is_not_asked_again():
    game = battered(healing_once_a_day_scope="character")
    game.says_to(moment(1, (game.ann, "wound")), Heal("wound"), Heal(), Heal(), by="p")
    again = [("q", f"heal:{game.dan}"), ("gm", f"heal:{game.ed}")]
    assert asked(game, moment(1), Heal(), Heal(), by="p") == again


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (Heal("tax"), "not-healable"),
        (Heal("wound", "A"), "no-trait-here"),
        (Heal("damage", "Z"), "unknown-trait"),
        (Heal("damage", "A"), "nothing-to-heal"),
        (CloseMoment(" "), "text-blank"),
    ],
)
def test_n2_what_does_not_fit_is_asked_for_again(said, code):
    assert unfit(battered(), moment(1), said, by="p") == code


def test_t1_closing_the_moment_passes_over_no_one_but_the_player_who_is_asked():
    """The next is still asked, and heals."""
    game = battered()
    said = (Heal("wound"), CloseMoment("He is asleep."), Heal("wound"))
    order = [("p", f"heal:{game.ann}"), ("q", f"heal:{game.bea}"), ("gm", f"heal:{game.ed}")]
    assert asked(game, moment(1), *said, by="p") == order
    verdict = game.says_to(moment(1), *said, by="p")
    assert [one.char for one in of_kind(verdict, ImpactHealed)] == [game.ann, game.ed]
    assert of_kind(verdict, HealingMomentClosed) == [HealingMomentClosed(1, "He is asleep.", (game.bea, game.dan))]
    assert {find_kind(one): find_chooser(one) for one in RULESET.choices}["close-moment"] == "gm"


def test_t1_who_is_passed_over_is_told_with_the_reason():
    """By a fact about the character, which its player is shown; nobody declined anything."""
    game = battered()
    said = (CloseMoment("On the phone."), Heal(), CloseMoment("Away."), CloseMoment("Ed can wait."))
    verdict = game.says_to(moment(1), *said, by="gm")
    told = [
        HealingPassedOver(game.ann, 1, "On the phone."),
        HealingPassedOver(game.dan, 1, "Away."),
        HealingPassedOver(game.ed, 1, "Ed can wait."),
    ]
    assert of_kind(verdict, HealingPassedOver) == told
    about = {one.fact.char: one.subject for one in verdict.facts if isinstance(one.fact, HealingPassedOver)}
    assert about == {char: character(char) for char in (game.ann, game.dan, game.ed)}
    assert [one.char for one in of_kind(verdict, HealingDeclined)] == [game.bea]
    assert [one.passed_over for one in of_kind(verdict, HealingMomentClosed)] == [(game.ann,), (game.dan,), (game.ed,)]


def test_t1_an_absent_player_holds_nobody_up_where_healing_is_a_duty():
    """Only the player asked says what heals, so a game master could not answer in any other way."""
    game = battered(healing_optional=False)
    verdict = game.says_to(moment(1), CloseMoment("late"), *[Heal("wound")] * 3, by="p")
    assert [closed.reason for closed in of_kind(verdict, HealingMomentClosed)] == ["late"]
    assert of_kind(verdict, HealingPassedOver)


def test_n2_where_healing_is_a_duty_nobody_declines():
    game = battered(healing_optional=False)
    assert unfit(game, moment(1), Heal(), by="p") == "must-heal"
    assert game.refuses(moment(1, (game.ann, "none")), by="p") == "must-heal"
    game.says_to(moment(1), *[Heal("wound")] * 4, by="p")


def waits(game: Game, do: HealingMoment, *said: Any, by: str = "p") -> PastRuling:
    """What was said of a moment so far, to be told again as if it were declared only now."""
    conversation, table = game.begin(do, by)
    for one in said:
        conversation.answer(Choice(one))
    known = tuple(Said(Choice(one), question_json(ask)) for ask, one in zip(conversation.answered, said, strict=True))
    return PastRuling(game.number, do, table.by, None, known, (), frozenset(), 1)


def test_n2_what_was_said_is_heard_on_the_table_as_it_stands():
    """A waiting ruling reserves nothing: the wound healed by another moment is asked about no more, another is."""
    game = battered(healing_once_a_day_scope="character")
    waiting = waits(game, moment(2), Heal("wound"), Heal("wound"))
    game.says_to(moment(1, (game.ann, "wound")), Heal(), Heal(), Heal(), by="p")
    outcome = game.past.readjudicate(replace(waiting, number=game.number))
    assert isinstance(outcome, Waiting) and isinstance(outcome.question, Ask)
    assert outcome.question.slot == f"heal:{game.dan}", "Ann is not hurt any more, Bea has said"


def test_n2_a_choice_that_fits_no_longer_is_a_question_again():
    game = battered()
    waiting = waits(game, moment(2), Heal("wound"))
    impacts = game.character(game.ann).impacts
    damage = {"kind": "damage", "trait": "A", "by": game.dan, "cause": "the table"}
    game.declare(Amend(f"character:{game.ann}", "impacts", dict.fromkeys(impacts, damage), "it was a damage"))
    outcome = game.past.readjudicate(replace(waiting, number=game.number))
    assert isinstance(outcome, Waiting) and outcome.unfit is not None
    assert (outcome.unfit.code, outcome.question.slot) == ("nothing-to-heal", f"heal:{game.ann}")


@pytest.mark.parametrize(("meanwhile", "code"), [("moment", "already-healed-today"), ("scene", "scene-open")])
def test_n2_a_moment_that_can_be_no_more_is_refused(meanwhile, code):
    game = battered()
    waiting = waits(game, moment(2), Heal("wound"), Heal("wound"))
    if meanwhile == "scene":
        game.declare(OpenScene("They are at it again"))
    else:
        game.says_to(moment(3), *[Heal()] * 4, by="q")
    outcome = game.past.readjudicate(replace(waiting, number=game.number))
    assert isinstance(outcome, Refused) and outcome.code == code


def test_n2_handed_over_meanwhile_the_new_player_is_asked():
    game = battered()
    waiting = waits(game, moment(2), Heal("wound"))
    given_to(game, Ann="q")
    outcome = game.past.readjudicate(replace(waiting, number=game.number))
    assert isinstance(outcome, Waiting) and isinstance(outcome.question, Ask)
    assert (outcome.question.seat, outcome.question.slot) == ("q", f"heal:{game.ann}")


# --- T5: who is in conflict with whom -----------------------------------------------------------------------------


def test_t5_the_table_is_shown_who_is_in_conflict():
    game = battered()
    pairs = [(game.ann, game.dan), (game.bea, game.cleo), (game.cleo, game.dan), (game.cleo, game.ed)]
    verdict = game.says_to(moment(1), *[Heal("wound")] * 4, by="p")
    (counted,) = of_kind(verdict, ConflictsCounted)
    assert [(pair.a, pair.b) for pair in counted.pairs] == pairs
    told = sentence(RULESET.phrases.facts[ConflictsCounted], counted, game.table())
    assert told == "In conflict with each other: Ann and Dan; Bea and Cleo; Cleo and Dan; Cleo and Ed."
    (none,) = of_kind(game.says_to(moment(2), by="p"), ConflictsCounted)
    assert none.pairs == ()


def purpose(conversation: Any) -> str:
    return str(conversation.question.purpose)


def test_t5_who_is_asked_is_shown_the_opponents():
    game = battered()
    conversation, _ = game.begin(moment(1), "p")
    assert purpose(conversation) == "What does Ann heal? In conflict with Ann: Dan."
    conversation.answer(Choice(Heal()))
    conversation.answer(Choice(Heal()))
    assert purpose(conversation) == "What does Dan heal? In conflict with Dan: Ann and Cleo."


def test_t5_a_game_master_adds_a_pair_in_the_same_declaration():
    """Cleo is unharmed and had nothing to do with Ann; as a game master says she gains by Ann's healing, once."""
    game = battered()
    added = InConflict(game.cleo, game.ann, "She paid for it.")
    do = moment(1, (game.ann, "wound"), *((id, "none") for id in (game.bea, game.dan, game.ed)), pairs=(added,))
    verdict = game.does(do)
    assert of_kind(verdict, ConflictNoted) == [ConflictNoted(game.cleo, game.ann, "She paid for it.")]
    gained = [(one.holder, one.against, one.amount) for one in of_kind(verdict, AdvantageGained)]
    assert gained == [(game.cleo, game.ann, 2)]
    assert game.state(CAMPAIGN).links == ()
    again = game.does(moment(2, *((id, "wound") for id in (game.bea, game.dan, game.ed))))
    assert of_kind(again, AdvantageGained) == []


@pytest.mark.parametrize(
    ("pair", "by", "code"),
    [
        (("cleo", "ann", "So it was."), "p", "not-game-master"),
        (("cleo", "cleo", "So it was."), "gm", "self"),
        (("cleo", "ann", " "), "gm", "text-blank"),
        (("cleo", None, "So it was."), "gm", "unknown-character"),
    ],
)
def test_t5_a_pair_that_cannot_be(pair, by, code):
    game = battered()
    one, other, reason = pair
    added = InConflict(getattr(game, one), getattr(game, other) if other else "nobody", reason)
    assert game.refuses(moment(1, pairs=(added,)), by=by) == code
