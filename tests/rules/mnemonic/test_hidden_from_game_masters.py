"""Ratings hidden from game masters, too, while somebody else referees: dial `dramatic.seen_by_gm`."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import Amend, CloseSession, Enrol, SetDial
from ledger.rules.kernel.moves import allows
from ledger.rules.kernel.offers import list_awaited_now, list_offers
from ledger.rules.kernel.questions import Ask, Choice
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character
from ledger.rules.mnemonic.characters import Sheet
from ledger.rules.mnemonic.featherweight import DescribeAbilities
from ledger.rules.mnemonic.immunity import NameRating, RateImportance, RuleImmunity
from ledger.rules.mnemonic.injuries import RuleInjury
from ledger.rules.mnemonic.recovery_checks import RuleRecoveryCheck
from ledger.rules.mnemonic.referee import SeatReferee
from ledger.rules.mnemonic.traits import RateTrait
from ledger.rules.mnemonic.words import SEVEN
from tests.rules.mnemonic.exits import outcomes, told
from tests.rules.mnemonic.game import Game
from tests.rules.mnemonic.test_secrets import CHANCES

#: Bob in the referee's chair.
CHAIR = ("chair:referee",)


def table(*, referee: str | None = "bob", **dials: Any) -> Game:
    """Hero is Ann's; Hunter, who takes Goon's place, is a player character of the game master's."""
    dials = {"dramatic__source": "important", "dramatic__seen_by_gm": False, "chances__ladder": CHANCES, **dials}
    game = Game(begin=False, **dials)
    game.hero = game.enrol("Hero", Sheet("player_character", "Adult Female Human"), "ann")
    game.goon = game.enrol("Hunter", Sheet("player_character", "Adult Male Human"))
    game.place = game.open_scene()
    if referee is not None:
        game.declare(SeatReferee(referee))
        for id in (game.hero, game.goon):
            game.declare(RateTrait(id, "Tough", "talent", "Moderately"), by=referee)
    return game


def hunted(rating: str, approach: str = "fixed") -> Game:
    """Hunter's rating and the Chances that make up for it; the rolls and the Status are the same for every rating."""
    game = table(dramatic__approach=approach)
    number = dict(SEVEN)[rating]
    if approach == "fixed":
        game.declare(RateImportance(game.goon, rating, f"{rating}: he is who the story is about."), by="bob")
    named: dict[str, Any] = {"importance": rating} if approach == "per_check" else {}
    for sum_, face in ((4, 5), (3, 6), (2, 12)):
        do = RuleInjury(game.goon, "referee", "unconscious", f"C{sum_ - number}", reason=rating, **named)
        game.roll(game.id_of(game.declare(do, by="bob"), "injury-ruled"), face)
    recover = RuleRecoveryCheck(game.goon, f"C{5 - number}", reason=rating, **named)
    game.roll(game.id_of(game.declare(recover, by="bob"), "check-ruled"), 7)
    return game


def everything(game: Game, by: str) -> list[Any]:
    """What a seat is shown, offered and told of in what-ifs, and whom it sees awaited."""
    seen = Seen(game.ruleset, game.past, game.viewer(by))
    past = [outcomes(game, by, number) for number in range(4, game.number)]
    return [told(game, by), past, list_offers(game.ruleset, seen), list_awaited_now(game.ruleset, seen)]


@pytest.mark.parametrize("approach", ["fixed", "per_check"])
def test_a_game_master_who_only_plays_cannot_tell_one_rating_from_another(approach):
    games = [hunted(rating, approach) for rating in ("Not at All", "Extremely")]
    for by in ("gm", "ann"):
        assert everything(games[0], by) == everything(games[1], by)
    assert everything(games[0], "bob") != everything(games[1], "bob")


def test_no_refusal_says_more_to_a_game_master_who_only_plays():
    answers = []
    for game in (hunted("Not at All"), hunted("Extremely")):
        for do in (
            RateImportance(game.goon, "Not at All"),
            RuleImmunity(game.goon),
            RuleInjury(game.goon, "referee", "dead", "C0", reason="A fall."),
            RuleRecoveryCheck(game.goon, "C0"),
        ):
            with pytest.raises(Refused) as caught:
                game.declare(do)
            answers.append((caught.value.code, caught.value.context))
    assert answers == [("not-referee", {})] * 8


def test_without_the_dial_a_game_master_reads_everything():
    game = table(dramatic__seen_by_gm=True)
    game.declare(RateImportance(game.goon, "Very"), by="bob")
    assert game.view(character(game.goon), "gm")["importance"]["rating"] == "Very"


def test_the_player_told_by_the_referee_knows_also_as_a_game_master():
    game = table()
    game.declare(RuleImmunity(game.goon, None, "player"), by="bob")
    assert game.declare(RateImportance(game.goon, "Very"), by="bob").facts[0].audience == (
        *CHAIR,
        f"character:{game.goon}",
    )
    assert game.view(character(game.goon), "gm")["importance"]["rating"] == "Very"
    assert game.view(character(game.goon), "ann")["importance"] is None


def test_an_empty_chair_rules_nothing():
    game = table(referee=None)
    for do in (RateImportance(game.goon, "Very"), RateTrait(game.hero, "Tough", "talent", "Very")):
        assert game.refused(do) == "no-referee"
    for by in ("gm", "ann"):
        assert game.refused(DescribeAbilities(game.hero, "Quick."), by) == "no-referee"
    offers = [offer.move for offer in list_offers(game.ruleset, Seen(game.ruleset, game.past, game.viewer("gm")))]
    assert not any(move.do is RateTrait for move in offers)
    seat = next(move for move in offers if move.do is SeatReferee)
    assert allows(seat, SeatReferee("gm")) and seat.awaits == "mnemonic.ruling.authority"
    game.declare(SeatReferee("gm"))
    assert game.declare(RateImportance(game.goon, "Very")).facts[0].audience == CHAIR
    assert game.view(character(game.goon), "gm")["importance"]["rating"] == "Very"


def test_when_the_session_ends_a_game_master_who_refereed_reads_ratings_no_longer():
    game = table(referee=None)
    session = game.session()
    game.declare(SeatReferee("gm"))
    game.declare(RateImportance(game.goon, "Very"))
    game.declare(CloseSession(session))
    assert game.view(character(game.goon), "gm")["importance"] is None
    assert game.refused(RateImportance(game.goon, "Fairly")) == "no-referee"


def test_the_referee_is_asked_for_a_rating_at_enrolment_and_nobody_if_there_is_none():
    game, sheet = table(), Sheet(rate_importance=True)
    conversation, _ = game.begin(Enrol("Rocco", "ann", sheet), "ann")
    question = conversation.question
    assert isinstance(question, Ask) and (question.seat, question.audience) == ("bob", CHAIR)
    new = character(str(game.number))
    game.declare(Enrol("Rocco", "ann", sheet), [Choice(NameRating("Very"))], "ann")
    assert game.view(new, "bob")["importance"]["rating"] == "Very"
    assert game.view(new, "gm")["importance"] is game.view(new, "ann")["importance"] is None
    assert table(referee=None).refused(Enrol("Rocco", "ann", sheet)) == "no-referee"


def test_turned_in_play_it_hides_what_is_rated_and_opens_it_again():
    game = table(dramatic__seen_by_gm=True)
    game.declare(RateImportance(game.goon, "Very"), by="bob")
    game.declare(SetDial("dramatic.seen_by_gm", False, "Ann plays, too"))
    assert game.view(character(game.goon), "gm")["importance"] is None
    game.declare(RateImportance(game.goon, "Fairly"), by="bob")
    assert game.view(character(game.goon), "gm")["importance"] is None
    game.declare(SetDial("dramatic.seen_by_gm", True, "no longer"))
    assert game.view(character(game.goon), "gm")["importance"]["rating"] == "Fairly"


def test_the_dials_stay_with_the_game_masters_while_the_chair_is_empty():
    game = table(referee=None)
    assert game.declare(SetDial("flukes.on", True, "ours")).facts
    assert game.refused(SetDial("flukes.on", False, "mine"), "ann") == "no-referee"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("importance", None),
        ("importance/rating", "Very"),
        ("importance/rating", 5),
        ("importance/seen_by", ["gm"]),
        ("importances/trees/0/rating", "Very"),
        ("importances/trees/7", None),
    ],
)
def test_setting_a_hidden_piece_tells_a_game_master_nothing(field, value):
    """Looked at beforehand, too: the answer is the same whether the character has a rating, and whichever."""
    answers: list[Any] = []
    for rating, approach in (("Very", "fixed"), ("Not at All", "fixed"), (None, "fixed"), ("Very", "per_check")):
        game = table(dramatic__approach=approach)
        if approach == "per_check":
            game.declare(RuleInjury(game.goon, "referee", "dead", "C0", reason="?", importance=rating), by="bob")
        elif rating is not None:
            game.declare(RateImportance(game.goon, rating), by="bob")
        try:
            conversation, _ = game.begin(Amend(f"character:{game.goon}", field, value, "?"))
        except Refused as no:
            answers.append((no.code, no.context, no.audience))
        else:
            answers.append(conversation.verdict)
    assert all(answer == answers[0] for answer in answers), answers


def test_a_game_master_cannot_quietly_let_himself_see_ratings():
    game = table(dramatic__approach="per_check")
    game.declare(RuleInjury(game.goon, "referee", "dead", "C0", reason="?", importance="Very"), by="bob")
    opens = Amend(f"character:{game.goon}", "open_to", ["gm"], "?", ("gm",))
    assert game.refused(opens) == "amend-value"
    game.declare(SeatReferee("gm"))
    assert game.declare(Amend(f"character:{game.goon}", "open_to", ["gm"], "?")).facts
