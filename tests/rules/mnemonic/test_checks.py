"""Traits, ladders, Aptitude, Chances, the roll by every method, flukes: each against numbers worked out anew here."""

from __future__ import annotations

from itertools import product

import pytest

from ledger.rules.kernel.commands import CloseScene, SetDial
from ledger.rules.kernel.questions import Dice, Draw, Drawn, Roll
from ledger.rules.kernel.subjects import CAMPAIGN, character
from ledger.rules.mnemonic.actions import DeclareAction, RuleCertain, RuleImpossible, RuleOrder
from ledger.rules.mnemonic.checks import EnterRoll, Resolve
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.featherweight import AssignAptitude
from ledger.rules.mnemonic.flukes import read_total
from ledger.rules.mnemonic.injuries import RuleInjury
from ledger.rules.mnemonic.outlook import count_faces_by_level, count_successful_faces
from ledger.rules.mnemonic.referee import SeatReferee
from ledger.rules.mnemonic.rolls import Card
from ledger.rules.mnemonic.rulings import RuleCheck
from ledger.rules.mnemonic.traits import RateTraits, TraitName, TraitRating
from ledger.rules.mnemonic.words import CHANCES, SEVEN, TIED
from tests.rules.mnemonic.game import Game

QUICK, ROLE = TraitName("talent", "Quick"), TraitName("primary")

# --- traits and ladders -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("Not at All", 0),
        ("Not Very", 1),
        ("Somewhat", 2),
        ("Moderately", 3),
        ("Fairly", 4),
        ("Very", 5),
        ("Extremely", 6),
    ],
)
def test_the_seven_ratings(name, number):
    assert dict(SEVEN)[name] == number
    assert dict(TIED)[name] == (4 if name == "Very" else number)
    game = Game()
    rated = game.fact(game.rate(game.hero, "Strong", f"  {name.upper()} "), "trait-rated")
    assert (rated.rating, rated.number, rated.replaces) == (name, number, None)


@pytest.mark.parametrize(
    ("name", "number"),
    [("Terrible", -6), ("Bad", -4), ("Poor", -2), ("Even", 0), ("Fair", 3), ("Good", 5), ("Excellent", 7)],
)
def test_the_seven_chances(name, number):
    assert dict(CHANCES)[name] == number
    game = Game()
    id = game.check(chances=f" {name.lower()}  ")
    ruled = game.ruled(id)
    assert (ruled.chances, ruled.chances_number) == (name, number)


def test_moderate_is_moderately_unless_the_ladder_has_its_own():
    game = Game()
    assert game.fact(game.rate(game.hero, "Strong", "moderate"), "trait-rated").rating == "Moderately"
    game.set_dial("traits.ladder", [["Moderate", 2], ["Moderately", 5]])
    assert game.fact(game.rate(game.hero, "Strong", "Moderate"), "trait-rated").number == 2


def test_a_new_rating_replaces_the_old_one_whatever_its_spelling():
    game = Game()
    game.rate(game.hero, "Sharp  Eyed", "Fairly")
    rated = game.fact(game.rate(game.hero, " sharp eyed", "Very", reason="practice"), "trait-rated")
    assert (rated.trait, rated.replaces, rated.reason) == ("sharp eyed", "Fairly", "practice")
    assert len([one for one in game.character(game.hero).ratings.values() if one.kind == "talent"]) == 3
    game.rate(game.hero, "Sharp Eyed", "Not Very", kind="life")
    assert len(game.character(game.hero).ratings) == 4


def test_old_ratings_move_with_a_new_ladder():
    game = Game()
    ruled = game.check()
    game.set_dial("traits.ladder", [["Moderately", 10], ["Great", 20]])
    assert game.state(CAMPAIGN).ladders["traits"] == (("Moderately", 10), ("Great", 20))
    later = game.check()
    checks = game.scene(game.place).board.checks
    assert [checks.find(one).ruled.aptitude for one in (ruled, later)] == [6, 20]
    game.rate(game.hero, "Strong", "Great")
    game.set_dial("traits.ladder", "seven")
    do = RuleCheck(game.hero, "Even", (TraitName("talent", "Strong"), ROLE))
    assert game.refused(do) == "unknown-rating"
    game.rate(game.hero, "Strong", "Very")
    assert game.fact(game.declare(do), "check-ruled").aptitude == 8


@pytest.mark.parametrize(
    ("rows", "ranges"),
    [
        ([["Moderately", 0], ["Very", 0]], (0, 0)),
        ([["Low", 2], ["moderately", 2], ["High", 9]], (4, 18)),
    ],
)
def test_equal_numbers_are_allowed_and_the_ladder_bounds_aptitudes(rows, ranges):
    game = Game(feather__mode="hybrid")
    game.session()
    game.set_dial("traits.ladder", rows)
    low, high = ranges
    for number in (low, high):
        assert game.assign(f"Task {number}", number, player=number).final == number
    for number in (low - 1, high + 1):
        assert game.refused(AssignAptitude(game.hero, "Aiming", number)) == "aptitude-out-of-range"


def test_chances_may_be_negative_and_need_no_row_for_the_primary_role():
    game = Game()
    game.set_dial("chances.ladder", [["Grim", -9], ["Rosy", 9]])
    assert game.state(CAMPAIGN).ladders["chances"] == (("Grim", -9), ("Rosy", 9))
    assert game.result(game.roll(game.check(chances="grim"), 3)) == (-6, 0, 6)
    assert game.refused(RuleCheck(game.hero, "Even", (QUICK, ROLE))) == "unknown-chances"


@pytest.mark.parametrize(
    ("rating", "aptitude"), [("Moderately", 6), ("Extremely", 9), ("moderate", 6), ("Not at All", 3)]
)
def test_the_primary_role_counts_as_its_dial_says(rating, aptitude):
    game = Game(traits__primary_rating=rating)
    assert game.ruled(game.check()).aptitude == aptitude


@pytest.mark.parametrize(("rating", "aptitude"), [("Moderately", 6), ("Not at All", 3), ("moderate", 6)])
def test_an_unrated_trait_can_have_a_rating(rating, aptitude):
    game = Game(traits__unrated=rating)
    strong = TraitName("talent", "Strong")
    assert game.ruled(game.check(traits=(ROLE, strong))).aptitude == aptitude
    life = TraitName("life", "Cook")
    game.set_dial("traits.unrated", "Very")
    assert game.ruled(game.check(traits=(life, strong))).aptitude == 10


def test_a_check_keeps_what_it_was_ruled_with():
    game = Game()
    id = game.check(chances="Fair", method="one_card", life_or_death=True, reason="a thin rope")
    ruled = game.ruled(id)
    assert [(one.kind, one.name, one.rating, one.number) for one in ruled.traits] == [
        ("talent", "Quick", "Moderately", 3),
        ("primary", "Adult Female Human", "Moderately", 3),
    ]
    assert (ruled.method, ruled.life_or_death, ruled.reason, ruled.purpose) == (
        "one_card",
        True,
        "a thin rope",
        "action",
    )
    for name, value in (("flukes.on", True), ("chances.ladder", [["A", 1], ["B", 2]]), ("random.ways", ["one_dice"])):
        game.set_dial(name, value)
    verdict = game.declare(EnterRoll(id, cards=(Card("A"),)))
    assert game.result(verdict) == (8, 9, 0)


def test_a_roll_reads_no_dials():
    """They were read when the check was ruled; so nobody who turns one later has its roll adjudicated anew.

    Whether a game master rules while nobody is the referee is a dial's to say; here somebody is.
    """
    game = Game(flukes__on=True)
    game.declare(SeatReferee("gm"))
    check = game.check()
    game.roll(check, 1, 1, 5)
    game.fluke(check)
    reads = [ruling.reads for ruling in game.history[-3:]]
    assert ["dials" in one for one in reads] == [True, False, False]


# --- the total ----------------------------------------------------------------------------------------------------


def test_every_total_by_every_face():
    for (_, first), (chances_name, chances) in product(SEVEN, CHANCES):
        game = Game(begin=True)
        game.rate(game.hero, "Quick", SEVEN[first][0])
        odds = 0
        for face in range(1, 13):
            total, successes, failures = game.result(game.roll(game.check(chances=chances_name), face))
            assert total == first + 3 - face + chances
            assert (successes, failures) == ((total + 1, 0) if total >= 0 else (0, -total))
            odds += successes > 0
        assert odds == count_successful_faces(first + 3, chances) == max(0, min(12, first + 3 + chances))


@pytest.mark.parametrize(
    ("aptitude", "face", "chances", "size"), [(12, 1, 7, 19), (0, 12, -6, -18), (5, 5, 0, 1), (4, 5, 0, -1)]
)
def test_the_extremes_and_the_edge(aptitude, face, chances, size):
    assert sum(count_faces_by_level(aptitude, chances)) == 12
    result = read_total(aptitude - face + chances)
    assert (result.success_count or -result.failure_count) == size
    assert not (result.success_count and result.failure_count)


@pytest.mark.parametrize(
    ("aptitude", "chances", "levels"),
    [
        (7, "Poor", (7, 1, 1, 1, 1, 1, 0)),
        (12, "Excellent", (0, 0, 0, 0, 0, 0, 12)),
        (0, "Terrible", (12, 0, 0, 0, 0, 0, 0)),
        (6, "Even", (6, 1, 1, 1, 1, 1, 1)),
        (9, "Fair", (0, 1, 1, 1, 1, 1, 7)),
    ],
)
def test_previews(aptitude, chances, levels):
    """The rule tried out before it is used: every seat may ask, and nothing is recorded."""
    number = dict(CHANCES)[chances]
    assert count_faces_by_level(aptitude, number) == levels
    game = Game()
    seen = game.view(CAMPAIGN, "ann")["preview"]
    assert seen[str(max(0, min(17, aptitude + number)))] == list(levels)
    assert list(seen) == [str(both) for both in range(18)]
    assert count_faces_by_level(-9, 0) == tuple(seen["0"]) and count_faces_by_level(30, 0) == tuple(seen["17"])


def test_what_a_referee_sees_of_an_open_check_is_what_comes():
    game = Game()
    game.injury(chances="Poor")
    (seen,) = game.view(game.there)["checks"]
    assert seen["stage"] == "ruled"
    assert seen["odds"] == 4 and seen["preview"] == [8, 1, 1, 1, 1, 0, 0]


# --- the methods --------------------------------------------------------------------------------------------------


def roll_of(game: Game, verdict: object) -> tuple[int, str | None, int]:
    done = game.fact(verdict, "check-rolled")
    return done.roll, done.fluke, done.run


@pytest.mark.parametrize("reading", ["median", "mean"])
@pytest.mark.parametrize("flukes", [False, True])
def test_three_numbers(reading, flukes):
    game = Game(random__default="three_dice", random__three_reading=reading, flukes__on=flukes)
    for faces in product((1, 2, 5, 6, 11, 12), repeat=3):
        low, middle, high = sorted(faces)
        roll = middle if reading == "median" else (low + middle + high + 1) // 3
        ones, twelves = faces.count(1), faces.count(12)
        names = {2: "automatic", 3: "spectacular"}
        fluke = (
            (f"{names[ones]}_success" if ones > 1 else f"{names[twelves]}_failure" if twelves > 1 else None)
            if flukes
            else None
        )
        run = max(ones, twelves) if fluke else 0
        assert roll_of(game, game.roll(game.check(), *faces)) == (roll, fluke, run)


@pytest.mark.parametrize(
    ("faces", "mean"), [((1, 1, 12), 5), ((1, 2, 2), 2), ((1, 1, 2), 1), ((4, 4, 5), 4), ((4, 5, 5), 5)]
)
def test_the_mean_is_the_nearest_whole(faces, mean):
    game = Game(random__three_reading="mean", flukes__on=True)
    roll, fluke, _ = roll_of(game, game.roll(game.check(method="three_card"), *faces))
    assert roll == mean
    assert (fluke == "automatic_success") is (faces.count(1) == 2)


@pytest.mark.parametrize("uses", ["first", "last"])
@pytest.mark.parametrize("method", ["one_dice", "one_card", "verbal"])
def test_one_number_with_its_repeats(method, uses):
    """Every sequence of up to three numbers either is complete, or too short, or too long."""
    game = Game(flukes__on=True, flukes__normal_uses=uses, random__default=method)
    numbers = (1, 2, 12)
    for length in (1, 2, 3, 4):
        for faces in product(numbers, repeat=length):
            needed = 1 if faces[0] == 2 else 2
            if needed == 2 and length > 1 and faces[0] == faces[1]:
                needed = 3
            do = EnterRoll(game.check(), faces)
            if length != needed:
                assert game.refused(do) == ("roll-again-needed" if length < needed else "too-many-faces")
                continue
            run = 1 if faces[0] == 2 else 3 if len(set(faces)) == 1 else length - 1
            fluke = {2: "automatic", 3: "spectacular"}.get(run)
            kind = fluke and f"{fluke}_{'success' if faces[0] == 1 else 'failure'}"
            roll = faces[1] if length == 2 and uses == "last" else faces[0]
            assert roll_of(game, game.declare(do)) == (roll, kind, run if kind else 0)


def test_without_flukes_verbally_one_number_is_enough():
    game = Game(flukes__on=True, flukes__verbal=False, random__default="verbal")
    assert roll_of(game, game.roll(game.check(), 1)) == (1, None, 0)
    game.set_dial("flukes.verbal", True)
    assert game.refused(EnterRoll(game.check(), (1,))) == "roll-again-needed"


RANKS = [
    ("A", 1),
    ("ace", 1),
    *((str(one), one) for one in range(2, 11)),
    ("j", 11),
    ("Jack", 11),
    ("Q", 12),
    ("QUEEN", 12),
]


@pytest.mark.parametrize(("rank", "number"), RANKS)
def test_cards_by_rank(rank, number):
    game = Game(random__default="one_card")
    assert roll_of(game, game.declare(EnterRoll(game.check(), cards=(Card(rank),))))[0] == number


def test_cards_with_suits_are_kept_as_they_were_called():
    game = Game(random__default="three_card")
    verdict = game.declare(EnterRoll(game.check(), cards=(Card("Q", "hearts"), Card("Q", "spades"), Card(2))))
    rolled = game.fact(verdict, "check-rolled")
    assert rolled.entered == ("Q of hearts", "Q of spades", "2")
    assert (rolled.faces, rolled.roll) == ((12, 12, 2), 12)


def test_a_blank_suit_is_none():
    game = Game(random__default="three_card")
    verdict = game.declare(EnterRoll(game.check(), cards=(Card("Q", " "), Card("Q", " "), Card("2", ""))))
    assert game.fact(verdict, "check-rolled").entered == ("Q", "Q", "2")


def test_the_same_card_may_come_again_from_a_full_pack():
    game = Game(random__default="one_card", flukes__on=True)
    cards = (Card("A", "clubs"), Card("A", "clubs"), Card("A", "clubs"))
    assert roll_of(game, game.declare(EnterRoll(game.check(), cards=cards)))[1] == "spectacular_success"


def test_voices_are_counted_round_from_one_to_twelve():
    game = Game(random__default="verbal", random__verbal_rule="sum_mod_12")
    for spoken in product(range(1, 13), repeat=2):
        expected = sum(spoken) if sum(spoken) <= 12 else sum(spoken) - 12
        assert roll_of(game, game.declare(EnterRoll(game.check(), voices=(spoken,))))[0] == expected
    verdict = game.declare(EnterRoll(game.check(), (12, 12, 12)))
    assert game.fact(verdict, "check-rolled").entered == ("12+12+12",)
    game.set_dial("flukes.on", True)
    verdict = game.declare(EnterRoll(game.check(), voices=((6, 6), (3, 9), (5, 6))))
    assert game.fact(verdict, "check-rolled").faces == (12, 12, 11)
    assert roll_of(game, verdict) == (12, "automatic_failure", 2)


def test_the_spoken_numbers_are_kept_as_a_note():
    game = Game(random__default="verbal")
    verdict = game.declare(EnterRoll(game.check(), (7,), voices=((3, 4), (5,))))
    assert game.fact(verdict, "check-rolled").note == "3+4; 5"
    assert game.fact(game.roll(game.check(), 7, note="by counting out"), "check-rolled").note == "by counting out"


def test_the_ledger_rolls_or_draws_what_nobody_typed():
    game = Game(flukes__on=True)
    conversation, table = game.begin(EnterRoll(game.check()), "ann")
    for face in (12, 12, 4):
        assert isinstance(conversation.question, Roll)
        assert (conversation.question.count, conversation.question.sides) == (1, 12)
        conversation.answer(Dice(12, (face,)))
    assert conversation.verdict is not None
    assert roll_of(game, conversation.verdict) == (12, "automatic_failure", 2)
    assert table.by.seat == conversation.verdict.facts[0].fact.entered_by == "ann"


@pytest.mark.parametrize(
    ("method", "answers", "roll"),
    [
        ("one_dice", [Dice(12, (5,))], (5, None, 0)),
        ("one_dice", [Dice(12, (1,)), Dice(12, (12,))], (1, None, 0)),
        ("three_dice", [Dice(12, (12, 1, 12))], (12, "automatic_failure", 2)),
        ("one_card", [Drawn(("9 of clubs",))], (9, None, 0)),
        (
            "one_card",
            [Drawn(("A of clubs",)), Drawn(("A of clubs",)), Drawn(("Q of clubs",))],
            (1, "automatic_success", 2),
        ),
        ("three_card", [Drawn(("A of clubs", "Q of clubs", "10 of hearts"))], (10, None, 0)),
    ],
)
def test_questions_by_method(method, answers, roll):
    game = Game(flukes__on=True, random__default=method)
    assert roll_of(game, game.declare(EnterRoll(game.check()), answers)) == roll


def test_a_pack_has_no_kings():
    game = Game(random__default="one_card")
    conversation, _ = game.begin(EnterRoll(game.check()))
    assert isinstance(conversation.question, Draw)
    assert len(set(conversation.question.cards)) == 48
    assert not [card for card in conversation.question.cards if card.startswith("K")]


def test_the_default_method_is_the_first_named_in_the_dials():
    assert Dials().random_default == "one_dice"
    game = Game(random__ways=["three_card", "verbal"], random__default="verbal")
    id = game.check()
    assert game.ruled(id).method == "verbal"
    id = game.check(method="three_card")
    assert game.ruled(id).method == "three_card"


# --- flukes -------------------------------------------------------------------------------------------------------

RUNS = {
    "automatic_success": (1, 1, 6),
    "automatic_failure": (12, 12, 6),
    "spectacular_success": (1, 1, 1),
    "spectacular_failure": (12, 12, 12),
}


@pytest.mark.parametrize("kind", RUNS)
@pytest.mark.parametrize("chances", ["Terrible", "Even", "Excellent"])
@pytest.mark.parametrize(
    ("reading", "solid", "spectacular"), [("at_least", 4, 6), ("exact", 4, 6), ("at_least", 9, 10), ("exact", 1, 13)]
)
def test_what_a_fluke_does(kind, chances, reading, solid, spectacular):
    game = Game(
        flukes__on=True, flukes__automatic_reading=reading, flukes__solid=solid, flukes__spectacular=spectacular
    )
    for possible in (True, False):
        id = game.check(chances=chances)
        game.roll(id, *RUNS[kind])
        total, successes, failures = game.result(verdict := game.fluke(id, possible, "" if possible else "no way"))
        normal = (total + 1, 0) if total >= 0 else (0, -total)
        assert total == 6 - RUNS[kind][0] + dict(CHANCES)[chances]
        done = game.fact(verdict, "check-resolved")
        assert (done.fluke, done.fluke_rolled) == (kind if possible else None, kind)
        if not possible:
            assert (successes, failures) == normal
            continue
        least = solid if kind.startswith("automatic") else spectacular
        exact = reading == "exact" and kind.startswith("automatic")
        if kind.endswith("success"):
            assert (successes, failures) == (least if exact else max(normal[0], least), 0)
        else:
            assert (successes, failures) == (0, least if exact else max(normal[1], least))


def test_a_void_fluke_of_three_is_read_as_usual():
    game = Game(flukes__on=True, random__default="three_dice", random__three_reading="mean")
    id = game.check()
    game.roll(id, 1, 12, 1)
    assert game.result(game.fluke(id, False, "no way")) == (1, 2, 0)


def test_no_flukes_where_the_dial_is_off():
    game = Game()
    assert game.result(game.roll(game.check(), 1)) == (5, 6, 0)
    assert game.result(game.roll(game.check(method="three_dice"), 12, 12, 12)) == (-6, 0, 6)


def test_traits_are_rated_together():
    game = Game()
    ratings = (TraitRating("Tough", "talent", "Very"), TraitRating(" Deputy  Sheriff ", "life", "fairly"))
    told = game.facts(game.declare(RateTraits(game.hero, ratings, "A new sheet.")), "trait-rated")
    assert [(one.trait, one.kind, one.rating, one.number, one.replaces, one.reason) for one in told] == [
        ("Tough", "talent", "Very", 5, "Moderately", "A new sheet."),
        ("Deputy Sheriff", "life", "Fairly", 4, None, "A new sheet."),
    ]
    assert {one["name"] for one in game.view(character(game.hero))["ratings"]} == {"Tough", "Quick", "Deputy Sheriff"}
    for wrong, code in (
        (TraitRating("Tough", "primary", "Very"), "unknown-kind"),
        (TraitRating(" ", "talent", "Very"), "name-empty"),
        (TraitRating("Tough", "talent", "Mighty"), "unknown-rating"),
    ):
        assert game.refused(RateTraits(game.hero, (*ratings, wrong))) == code


# --- steps --------------------------------------------------------------------------------------------------------


def test_a_declared_action_is_ruled_on_once():
    game = Game()
    declared = game.fact(game.declare(DeclareAction(game.hero, "Jump", False), by="ann"), "action-declared")
    assert (declared.character, declared.text, declared.physical) == (game.hero, "Jump", False)
    stranger = RuleCheck(game.goon, "Even", (TraitName("talent", "Tough"), ROLE), action=declared.action)
    assert game.refused(stranger) == "out-of-order"
    id = game.check(action=declared.action)
    assert game.refused(RuleCheck(game.hero, "Even", (QUICK, ROLE), action=declared.action)) == "out-of-order"
    assert game.refused(RuleImpossible(declared.action)) == "out-of-order"
    assert game.scene(game.place).board.actions.find(declared.action).stage == "ruled"
    assert game.ruled(id).action == declared.action


def test_an_impossible_action_is_closed_and_may_cause_an_injury():
    game = Game()
    action = game.fact(game.declare(DeclareAction(game.hero, "Dodge")), "action-declared").action
    attempt = RuleInjury(game.hero, "avoidance", "dead", "Even", action)
    assert game.refused(attempt) == "cause-not-failure"
    game.declare(RuleImpossible(action, "no room"))
    assert game.refused(RuleCheck(game.hero, "Even", (QUICK, ROLE), action=action)) == "out-of-order"
    ruled = game.fact(game.declare(attempt), "injury-ruled")
    assert (ruled.cause, ruled.cause_check, ruled.seen_successes, ruled.seen_failures) == (
        "avoidance",
        action,
        None,
        None,
    )
    assert game.refused(attempt) == "already-injured"


def test_an_action_that_is_certain_succeeds_without_a_roll_and_may_cause_an_injury():
    """The deputy handcuffs a prisoner who cannot move, and nobody rolls."""
    game = Game()
    struck = game.declare(DeclareAction(game.hero, "Knock the sleeping guard out"))
    action = game.fact(struck, "action-declared").action
    attempt = RuleInjury(game.goon, "attack", "unconscious", "Even", action)
    assert game.refused(attempt) == "cause-not-success"
    assert game.refused(RuleCertain(action), by="ann") == "not-referee"
    told = game.fact(game.declare(RuleCertain(action, "He is asleep.")), "action-ruled-certain")
    assert (told.action, told.reason) == (action, "He is asleep.")
    assert game.scene(game.place).board.actions.find(action).stage == "certain"
    assert game.refused(RuleCheck(game.hero, "Even", (QUICK, ROLE), action=action)) == "out-of-order"
    assert game.refused(RuleCertain(action)) == game.refused(RuleImpossible(action)) == "out-of-order"
    assert game.refused(RuleInjury(game.hero, "avoidance", "dead", "Even", action)) == "cause-not-failure"
    assert game.refused(RuleInjury(game.goon, "spectacular", "dead", "Even", action)) == "cause-not-spectacular"
    ruled = game.fact(game.declare(attempt), "injury-ruled")
    assert (ruled.cause, ruled.cause_check, ruled.seen_successes, ruled.rolled) == ("attack", action, None, None)
    assert game.refused(attempt) == "already-injured"


def test_who_is_inactive_by_now_succeeds_at_nothing():
    game = Game()
    action = game.fact(game.declare(DeclareAction(game.hero, "Tie him up")), "action-declared").action
    game.hurt_to(0)
    assert game.refused(RuleCertain(action)) == "inactive"


def test_a_roll_may_wait_for_its_result():
    game = Game()
    id = game.check()
    assert [one.fact.fact_kind for one in game.roll(id, 4, resolve=False).facts] == ["check-rolled@2"]
    assert game.result(game.declare(Resolve(id), by="ann")) == (2, 3, 0)
    assert game.refused(Resolve(id)) == "out-of-order"


def test_the_order_of_action_is_the_last_one_ruled():
    game = Game()
    game.declare(RuleOrder((game.hero, game.goon), "quicker"))
    game.declare(RuleOrder((game.goon, game.hero)))
    assert game.view(game.there)["order"] == [game.goon, game.hero]


def test_checks_outside_any_scene_are_the_campaigns():
    game = Game()
    game.declare(CloseScene(game.place))
    id = game.check()
    game.roll(id, 3)
    assert game.state(CAMPAIGN).board.checks.find(id).resolved.successes == 4
    assert game.view(CAMPAIGN)["checks"][0]["id"] == id


def test_a_dial_that_is_turned_is_kept_with_the_next_check_only():
    game = Game()
    before = game.check()
    game.declare(SetDial("flukes.on", True, "more drama"))
    after = game.check()
    assert game.result(game.roll(before, 1)) == (5, 6, 0)
    assert game.refused(EnterRoll(after, (1,))) == "roll-again-needed"
