"""Advantages, Backgrounds, Bits and negotiated traits, with the rulebook's answer in the last column."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from ledger.rules.kernel.moves import allows
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.chips import ChipToPoint
from ledger.rules.moc.fate import CloseArc, OpenArc
from ledger.rules.moc.hands import DrawHand
from ledger.rules.moc.holdings import Purchase
from ledger.rules.moc.negotiating import ApproveTrait, CounterTrait, LoseBackground, ProposeTrait
from ledger.rules.moc.own_dice import UseBit, UsePeriodDice
from ledger.rules.moc.rolling import RollDice
from ledger.rules.moc.trading import Discard, ForceVortex
from tests.rules.moc.book import answers, cites, refusing_rule
from tests.rules.moc.game import buys, facts_of, kinds_of, the
from tests.rules.moc.test_development import left, made
from tests.rules.moc.test_hands_and_cards import holding
from tests.rules.moc.test_moves import _taken as taken
from tests.rules.moc.test_moves import moves

# --- moc.adv ---


@pytest.mark.parametrize(
    ("bought", "cost"),
    [
        (buys("dice", "Firearms", 1), "2"),
        (buys("dice", "Firearms", 4), "20"),
        (buys("dice", "Firearms", 1, multiplier="3/2"), "3/2"),
        (buys("dice", "Firearms", 2, multiplier="3/2"), "9/2"),
        (buys("dice", "Firearms", 2, multiplier="7/4"), "21/4"),
        (buys("dice", "Firearms", 2, multiplier="1.5"), "9/2"),
        (buys("dice", "Firearms", 1, multiplier="149/100"), "multiplier-out-of-range"),
        (buys("dice", "Firearms", 1, multiplier="201/100"), "multiplier-out-of-range"),
        (buys("dice", "Firearms", 1, multiplier="x"), "multiplier-out-of-range"),
        (buys("action-hero", level=1, period="scene"), "2"),
        (buys("action-hero", level=3, period="scene"), "6"),
        (buys("action-hero", level=3, period="session"), "3"),
        (buys("action-hero", level=3, period="arc"), "3/4"),
        (buys("weapons-master", level=3, period="scene"), "3"),
        (buys("weapons-master", level=1, period="session"), "1/2"),
        (buys("weapons-master", level=3, period="arc"), "3/8"),
        (buys("weapons-master", level=8, period="arc"), "1"),
        (buys("action-hero", level=1, period="turn"), "unknown-period"),
        (buys("action-hero", level=1), "unknown-period"),
        (buys("action-hero", level=0, period="arc"), "not-a-raise"),
        (buys("action-hero", level=-1, period="arc"), "negative-dice"),
        (buys("swiftness"), "5"),
        (buys("hand-of-fate"), "10"),
        (buys("fortune"), "5"),
        (buys("vortex"), "5"),
        (buys("extra-secondary", element="drama"), "5"),
        (buys("change-secondary", element="drama"), "2"),
        (buys("extra-primary", element="drama"), "15"),
        (buys("extra-primary", element="plot"), "15"),
        (buys("extra-primary", element="action"), "not-a-raise"),
        (buys("extra-secondary", element="action"), "not-a-raise"),
        (buys("change-secondary", element="plot"), "not-a-raise"),
        (buys("change-secondary", element="drama", instead="drama"), "unknown-element"),
        (buys("superhuman", "L", 1, element="drama"), "5"),
        (buys("superhuman", "C", 1, element="drama"), "unknown-characteristic"),
        (buys("superhuman", "body", 1, element="drama"), "unknown-characteristic"),
        (buys("superhuman", "S", 1), "unknown-element"),
        (buys("bits", level=-1), "negative-bits"),
        (buys("money", level=-1), "negative-level"),
        (buys("flight"), "unknown-purchase"),
        (buys("skill", "Juggling", 1), "unknown-purchase"),
    ],
)
def test_the_price_of_an_advantage(bought: Purchase, cost: str) -> None:
    game = made()
    code = answers(game, Buy(game.landon, bought))
    assert (code or the(game.verdicts[-1], "LevelBought").cost) == cost
    assert 100 - left(game) == (0 if code else Fraction(cost))


@pytest.mark.parametrize(
    ("geometry", "budget", "worth", "loyalty", "cost"),
    [
        # standard: x is 100. Cumulative 100, 300, 700, 1500; doubling 100, 200, 400, 800
        ("cumulative", "standard", 1, 0, 1),
        ("cumulative", "standard", 100, 0, 1),
        ("cumulative", "standard", 101, 0, 2),
        ("cumulative", "standard", 300, 0, 2),
        ("cumulative", "standard", 301, 0, 3),
        ("cumulative", "standard", 700, 0, 3),
        ("cumulative", "standard", 701, 0, 4),
        ("cumulative", "standard", 1000, 0, 4),
        ("cumulative", "standard", 1500, 0, 4),
        ("cumulative", "standard", 1501, 0, 5),
        ("cumulative", "standard", 1000, 3, 7),
        ("doubling", "standard", 200, 0, 2),
        ("doubling", "standard", 201, 0, 3),
        ("doubling", "standard", 800, 0, 4),
        ("doubling", "standard", 801, 0, 5),
        ("doubling", "standard", 1000, 0, 5),
        ("cumulative", "heroic", 1000, 0, 4),
        ("doubling", "heroic", 1000, 0, 4),
        ("cumulative", "heroic", 125, 0, 1),
        ("cumulative", "heroic", 126, 0, 2),
        ("cumulative", "superheroic", 200, 0, 1),
        ("cumulative", "superheroic", 601, 0, 3),
        ("cumulative", "standard", 0, 0, "value-not-positive"),
        ("cumulative", "standard", -5, 0, "value-not-positive"),
        ("cumulative", "standard", 100, -1, "negative-level"),
    ],
)
def test_contacts_by_the_characters_own_value(geometry: str, budget: str, worth: int, loyalty: int, cost: Any) -> None:
    game = made(power_level=budget, contacts_geometry=geometry)
    before, do = left(game), Buy(game.landon, buys("contacts", "guards", worth=worth, loyalty=loyalty))
    code = answers(game, do)
    assert (code or before - left(game)) == cost
    if code:
        assert refusing_rule(game, do) == "moc.adv.contacts"


def test_points_earned_make_contacts_cheaper() -> None:
    game = made()
    game.gives(game.landon, "chip:blue", 1)
    game.does(OpenArc("an arc", 0))
    game.does(CloseArc())
    game.does(ChipToPoint(game.landon))
    game.does(Buy(game.landon, buys("contacts", "guards", worth=101)))
    assert left(game) == 100, "x is 101: one point"


@pytest.mark.parametrize(
    ("first", "then", "outcome"),
    [
        ((100, 0), (1000, 0), 3),
        ((1000, 0), (1000, 2), 2),
        ((1000, 2), (1000, 2), "not-a-raise"),
        ((1000, 2), (100, 0), "not-a-raise"),
        ((300, 1), (100, 2), "not-a-raise"),
        ((300, 0), (700, 1), 2),
    ],
)
def test_a_pool_of_contacts_is_raised_for_the_difference(
    first: tuple[int, int], then: tuple[int, int], outcome: Any
) -> None:
    game = made()
    (worth, loyalty), (more, firmer) = first, then
    game.does(Buy(game.landon, buys("contacts", "guards", worth=worth, loyalty=loyalty)))
    before = left(game)
    code = answers(game, Buy(game.landon, buys("contacts", "guards", worth=more, loyalty=firmer)))
    assert (code or before - left(game)) == outcome
    assert answers(game, Buy(game.landon, buys("contacts", "dockers", worth=100))) == "", "another pool"


@pytest.mark.parametrize("geometry", ["cumulative", "doubling"])
@pytest.mark.parametrize(("worth", "loyalty"), [(0, 0), (100, 0), (300, 0), (1, 2), (700, 90)])
def test_contacts_are_offered_as_far_as_they_are_a_raise_that_can_be_paid(
    geometry: str, worth: int, loyalty: int
) -> None:
    game = made(contacts_geometry=geometry)
    if worth:
        game.does(Buy(game.landon, buys("contacts", "guards", worth=worth, loyalty=loyalty)))
    said = moves(game, "gm", Buy)

    def offered(do: Buy) -> bool:
        return any(allows(move, do) for move in said)

    for name in ("guards", "dockers", ""):
        for more in (1, 100, 101, 300, 301, 700, 701, 3100, 102300, 10**9):
            do = Buy(game.landon, buys("contacts", name, worth=more), True)
            if offered(do):
                assert taken(game, do), (name, more)
            elif more < 102300:
                assert not taken(game, do), (name, more)
        for firm in (1, 2, 3, 4, 5, 90, 91, 92, 98, 99, 100):
            do = Buy(game.landon, buys("contacts", name, worth=100, loyalty=firm), True)
            assert not offered(do) or taken(game, do), (name, firm)


# --- moc.adv.period-dice, moc.adv.bits, Swiftness ---


@pytest.mark.parametrize(
    ("period", "scene", "session", "arc"),
    [
        ("scene", "", "", ""),
        ("session", "not-enough-dice", "", "not-enough-dice"),
        ("arc", "not-enough-dice", "not-enough-dice", ""),
    ],
)
def test_used_dice_return_when_the_period_ends(period: str, scene: str, session: str, arc: str) -> None:
    game = made(Sheet("hero", {"body": 2}, purchases=(buys("action-hero", level=2, period=period),)))
    game.does(OpenArc("an arc", 0))
    evening = game.session_begins()
    place = game.scene_begins(game.landon)

    def lays(number: int = 2) -> str:
        return answers(game, UsePeriodDice(game.acts(game.landon), f"action-hero:{period}", number))

    assert [lays(3), lays(0), lays(-1), lays(), lays(1)] == [
        "not-enough-dice",
        "nothing-declared",
        "negative-dice",
        "",
        "not-enough-dice",
    ]
    game.scene_ends(place)
    place = game.scene_begins(game.landon)
    assert lays() == scene
    game.scene_ends(place)
    game.session_ends(evening)
    game.session_begins()
    place = game.scene_begins(game.landon)
    assert lays() == session
    game.scene_ends(place)
    game.does(CloseArc())
    game.scene_begins(game.landon)
    assert lays() == arc


@pytest.mark.parametrize(
    ("bought", "skill", "element", "more", "code"),
    [
        ((), "", "action", 0, "unknown-purchase"),
        ((buys("bits"),), "", "action", 3, ""),
        ((buys("bits", "heraldry"),), "", "drama", 3, ""),
    ],
)
def test_a_bit_is_three_dice(bought: tuple[Any, ...], skill: str, element: str, more: int, code: str) -> None:
    game = made(Sheet("hero", {"body": 2}, purchases=bought))
    game.scene_begins(game.landon)
    action = game.acts(game.landon, element=element)
    assert answers(game, UseBit(action)) == code
    assert answers(game, RollDice(action, 0, (3,) * (2 + more))) == "", skill


@pytest.mark.parametrize(("level", "beads", "dice"), [(1, 1, 1), (2, 1, 2), (3, 2, 6)])
def test_a_superhuman_bead_adds_its_level(level: int, beads: int, dice: int) -> None:
    game = made(Sheet("hero", {"body": 2}, purchases=(buys("superhuman", "S", level, element="drama"),)))
    game.scene_begins(game.landon)
    game.gives(game.landon, "bead:drama", 2)
    action = game.acts(game.landon, skill="Climbing")
    do = PlayBeads(action, game.landon, "superhuman", beads, "drama", characteristic="S")
    assert answers(game, do) == ""
    assert cites(game.verdicts[-1], "moc.bead.use") == [dice]


# --- moc.adv: Vortex ---


@pytest.mark.parametrize(
    ("bought", "times", "said", "codes"),
    [(1, 1, "9C", [""]), (1, 2, "9C", ["", "vortex-not-available"]), (0, 1, "9C", ["vortex-not-available"])],
)
def test_once_a_session_the_opponent_chooses_what_it_discards(
    bought: int, times: int, said: str, codes: list[str]
) -> None:
    game = holding("8C", "9C")
    if bought:
        game.does(Buy(game.villain, buys("vortex")))
    assert [answers(game, ForceVortex(game.villain, game.landon), Discard(said)) for _ in range(times)] == codes
    if bought:
        assert game.character(game.landon).hand == ("8C",) and game.balance("campaign/card:discard") == 1
        forced = next(one for one in game.verdicts if "VortexForced" in kinds_of(one))
        assert the(forced, "CardDiscarded").card == "9C" and len(facts_of(forced)) == 2
        game.session_ends(game.table().session or "")
        game.session_begins()
        game.does(DrawHand(game.landon, ("2C", "3C"), ("2C", "3C")))
        assert answers(game, ForceVortex(game.villain, game.landon), Discard("2C")) == ""


# --- moc.adv.negotiate ---


@pytest.mark.parametrize(
    ("what", "cost", "counter", "outcome"),
    [
        ("advantage", 10, None, 90),
        ("advantage", "23/2", None, Fraction(177, 2)),
        ("advantage", 10, 12, 88),
        ("advantage", 0, None, 100),
        ("disadvantage", -4, None, 104),
        ("disadvantage", -4, -2, 102),
        ("background", 3, None, 97),
        ("advantage", 100, None, 0),
        ("advantage", 101, None, "over-budget"),
        ("advantage", 10, 101, "over-budget"),
        ("advantage", "1/7", None, "cost-not-exact"),
        ("advantage", "dear", None, "cost-not-exact"),
        ("gift", 1, None, "unknown-purchase"),
        ("advantage", 10, "1/7", "cost-not-exact"),
    ],
)
def test_it_exists_only_once_approved_at_the_cost_last_offered(
    what: str, cost: Any, counter: Any, outcome: Any
) -> None:
    game = made()
    trait = str(game.number)
    code = answers(game, ProposeTrait(game.landon, "wings", "12", cost, what), by="ann")
    assert left(game) == 100, "proposed, it costs nothing"
    if not code and counter is not None:
        code = answers(game, CounterTrait(game.landon, trait, "9", counter))
    if not code:
        assert left(game) == 100 and game.character(game.landon).traits[trait].stage != "approved"
        code = answers(game, ApproveTrait(game.landon, trait))
    assert (code or left(game)) == outcome
    if not code:
        assert answers(game, ApproveTrait(game.landon, trait)) == "already-settled"
        assert answers(game, CounterTrait(game.landon, trait, "9", 1)) == "already-settled"


@pytest.mark.parametrize(
    ("lost", "code"),
    [
        ("money", ""),
        ("contacts:guards", ""),
        ("contacts:dockers", "unknown-purchase"),
        ("castle", ""),
        ("swiftness", "unknown-purchase"),
        ("bits", "unknown-purchase"),
        ("wings", "unknown-purchase"),
        ("offered", "unknown-purchase"),
    ],
)
def test_backgrounds_can_be_lost_in_play_and_advantages_cannot(lost: str, code: str) -> None:
    bought = (buys("money", level=2), buys("contacts", "guards", worth=100), buys("swiftness"), buys("bits"))
    game = made(Sheet("hero", purchases=bought))
    traits = {}
    for name, what in (("castle", "background"), ("wings", "advantage"), ("offered", "background")):
        traits[name] = game.new(ProposeTrait(game.landon, name, "", 1, what))
        if name != "offered":
            game.does(ApproveTrait(game.landon, traits[name]))
    before, do = left(game), LoseBackground(game.landon, traits.get(lost, lost), "burnt down")
    assert answers(game, do) == code
    assert left(game) == before, "what was paid is gone"
    if not code:
        assert answers(game, do) == "unknown-purchase"
