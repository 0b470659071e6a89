"""Rest, healing, conflict and scenes."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.intensity.advantage_points import AdvantageGained
from ledger.rules.intensity.attacks import ChooseImpact
from ledger.rules.intensity.fatals import UseFatal
from ledger.rules.intensity.healing import (
    HealingChoice,
    HealingDeclined,
    HealingMoment,
    HealingMomentHeld,
    ImpactHealed,
)
from ledger.rules.intensity.negotiation import Negotiate
from ledger.rules.intensity.opponents import ConflictLinksCleared, ConflictsCounted, NoteConflict, Pair
from ledger.rules.intensity.out_of_play import FatalLapsed, FatalUse
from ledger.rules.intensity.rounds import AbandonRound, CloseRound, OpenRound
from ledger.rules.intensity.scenes_and_rest import Rest, RestAllowed, RestTaken, TaxEnded
from ledger.rules.intensity.turns import Pass
from ledger.rules.kernel.commands import Retire
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN
from tests.rules.intensity import situations as at
from tests.rules.intensity.game import Game, facts_of, of_kind


def heal(game: Game, day: Any, *choices: tuple[Any, ...], **more: Any) -> Any:
    do = HealingMoment(day, "a quiet night", tuple(HealingChoice(*choice) for choice in choices), **more)
    return game.does(do, by="p")


def links(game: Game) -> set[tuple[str, str]]:
    return set(game.state(CAMPAIGN).links)


# --- rest ---------------------------------------------------------------------------------------------------------


def test_a_rest_ends_taxes_and_nothing_else():
    """intensity.rest.taxes"""
    game = at.hurt()
    verdict = game.does(Rest())
    assert facts_of(verdict)[0] == RestTaken(tuple(game.ids.values()))
    assert len(of_kind(verdict, TaxEnded)) == 1
    assert [weight.kind for weight in game.character(game.bea).impacts.values()] == ["damage", "wound"]
    assert game.balance(f"character:{game.bea}/impact") == 2


def test_only_those_who_rest():
    """intensity.rest.taxes: taxes of the others carry into the next scene."""
    game = at.hurt()
    assert not of_kind(game.does(Rest((game.ann,))), TaxEnded)
    game.open_scene()
    assert len(game.character(game.bea).impacts) == 3


@pytest.mark.parametrize(("dial", "left"), [("explicit", 3), ("automatic_at_scene_end", 2)])
def test_when_the_rest_comes(dial, left):
    """intensity.rest.taxes: with the end of the scene, where the table has it so."""
    game = at.hurt(rest=dial)
    assert len(game.character(game.bea).impacts) == left
    assert len(of_kind(game.verdicts[-1], RestTaken)) == (dial == "automatic_at_scene_end")


def test_the_gone_and_the_retired_do_not_rest():
    game = at.gone()
    game.close_scene()
    game.does(Retire(game.ed, "moved away"))
    (rested, *_) = facts_of(game.does(Rest()))
    assert rested.characters == (game.ann, game.cleo, game.dan)


def test_a_rest_needs_a_scene_that_closed():
    """Strike the closing, and the rest loses its support."""
    game = at.after_a_scene()
    closing = game.number - 1
    game.does(Rest())
    (row,) = game.without(closing).rows[-1:]
    assert row.standpoint == "loses support"
    assert isinstance(row.then, Refused)
    assert row.then.code == "scene-open"


# --- healing ------------------------------------------------------------------------------------------------------


def test_a_healing_moment():
    """The whole event: Bea heals her wound, unharmed Ann gains two, the taxes end, the links are cleared."""
    game = at.hurt()
    number = game.number
    damage, wound, tax = game.character(game.bea).impacts
    verdict = heal(game, 3, (game.bea, "wound"))
    assert facts_of(verdict) == [
        HealingMomentHeld(3, "p", "a quiet night"),
        ConflictsCounted((Pair(game.ann, game.bea),)),
        ImpactHealed(wound, game.bea, 3),
        AdvantageGained(game.ann, game.bea, 2, f"healing:{number}"),
        ConflictLinksCleared(),
        TaxEnded(tax, game.bea),
    ]
    assert list(game.character(game.bea).impacts) == [damage]
    assert (game.character(game.bea).healed_on, game.state(CAMPAIGN).healed_on) == (3, 3)
    assert game.balance(f"character:{game.bea}/impact") == 1


@pytest.mark.parametrize(("choice", "points"), [(("damage", "A"), 1), (("wound",), 2), (("none",), 0)])
def test_what_healing_gives_opponents(choice, points):
    """intensity.heal.opponents: 1 for a damage, 2 for a wound; who heals nothing gives nothing away."""
    game = at.hurt()
    verdict = heal(game, 1, (game.bea, *choice))
    assert game.ap(game.ann, game.bea) == points
    assert game.ap(game.cleo, game.bea) == 0  # never in conflict with her
    assert len(of_kind(verdict, HealingDeclined)) == (points == 0)


def test_who_says_none_declines():
    game = at.hurt()
    assert of_kind(heal(game, 1, (game.bea, "none")), HealingDeclined) == [HealingDeclined(game.bea)]


def test_who_inflicted_it_does_not_matter():
    """intensity.heal.opponents: a ruled conflict is as good as a declared one."""
    game = at.hurt()
    game.does(NoteConflict(game.cleo, game.bea, "rivals of old"))
    heal(game, 1, (game.bea, "wound"))
    assert (game.ap(game.ann, game.bea), game.ap(game.cleo, game.bea)) == (2, 2)


def test_the_hurt_gain_nothing():
    """A main character hurt at the start gains nothing, though she heals or declines; minor ones never do."""
    game = Game()
    game.duel("wound")
    game.fight((game.bea, game.ann, "fanatical", "A", 12, 1), (game.ann, None, "fanatical", "A", 1, 1))
    game.hit(game.bea, "damage")
    game.does(CloseRound())
    game.fight((game.dan, game.bea, "calm", "A", 1, 1), (game.bea, None, "calm", "A", 1, 1))
    game.does(Pass(game.dan))
    game.does(CloseRound())
    game.close_scene()
    heal(game, 1, (game.bea, "wound"), (game.ann, "damage", "A"))
    assert not [account for account in game.balances() if "/ap:" in account]


def test_taxes_do_not_make_hurt():
    """intensity.heal.opponents: a taxed character is unharmed."""
    game = Game()
    game.duel("damage")
    game.fight((game.bea, game.ann, "fanatical", "A", 12, 1), (game.ann, None, "fanatical", "A", 1, 1))
    game.hit(game.bea, "tax", "A")
    game.does(CloseRound())
    game.close_scene()
    verdict = heal(game, 1, (game.bea, "damage", "A"))
    assert game.ap(game.ann, game.bea) == 1
    assert not of_kind(verdict, HealingDeclined)


def test_one_of_several_damages():
    """intensity.heal.one-each: of two damages on a trait, the older."""
    game = Game()
    game.duel("damage")
    game.duel("damage")
    game.close_scene()
    first, second = game.character(game.bea).impacts
    heal(game, 1, (game.bea, "damage", "A"))
    assert list(game.character(game.bea).impacts) == [second] != [first]


@pytest.mark.parametrize(("dial", "taxes"), [(True, 0), (False, 1)])
def test_a_healing_moment_is_a_rest(dial, taxes):
    """intensity.heal.rest"""
    game = at.hurt(healing_counts_as_rest=dial)
    heal(game, 1, (game.bea, "none"))
    kinds = [weight.kind for weight in game.character(game.bea).impacts.values()]
    assert kinds.count("tax") == taxes


def test_healing_while_a_scene_is_open():
    """healing_in_open_scene"""
    game = Game(healing_in_open_scene=True)
    game.duel("wound")
    heal(game, 1, (game.bea, "wound"))
    assert game.sizes(game.bea) == [10, 8, 8]


def test_several_moments_on_a_day():
    """healing_once_a_day_scope = character: each character once a day."""
    game = Game(healing_once_a_day_scope="character")
    game.duel("wound")
    game.fight((game.ann, game.dan, "fanatical", "A", 12, 1), (game.dan, None, "fanatical", "A", 1, 1))
    game.hit(game.ann, "wound")
    game.does(CloseRound())
    game.close_scene()
    heal(game, 1, (game.bea, "wound"), (game.dan, "none"))
    heal(game, 1, (game.dan, "wound"))
    assert game.character(game.dan).healed_on == 1
    assert game.ap(game.ann, game.bea) == 2
    assert game.ap(game.ann, game.dan) == 0  # the first moment cleared the links


@pytest.mark.parametrize("days", [(0, 1), (-3, -2), (5, 500)])
def test_days_go_forward(days):
    """intensity.heal.daily: the number is the table's own."""
    game = at.after_a_scene()
    for day in days:
        heal(game, day)
    assert game.state(CAMPAIGN).healed_on == days[-1]


def test_healing_is_a_duty_where_the_table_has_it_so():
    """healing_optional = false: one of several impacts is enough."""
    game = at.hurt(healing_optional=False)
    heal(game, 1, (game.bea, "damage", "A"))
    assert "damage" not in [weight.kind for weight in game.character(game.bea).impacts.values()]


def test_the_gone_owe_no_healing():
    game = Game(healing_optional=False)
    game.duel("wound")
    fatal = game.holds(game.ann, game.bea)
    game.does(UseFatal((FatalUse(fatal, "dead", out="permanent"),)))
    game.close_scene()
    heal(game, 1)
    assert game.balance(f"character:{game.bea}/impact") == 1


def test_who_asks_for_it():
    """A seat or a character; nobody named: who declares it."""
    game = at.after_a_scene()
    for day, who in enumerate(("gm", game.ed, ""), 1):
        assert facts_of(heal(game, day, requested_by=who))[0].requested_by == (who or "p")


# --- conflict -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dial", ["acted_against", "shared_round"])
def test_who_was_in_conflict(dial):
    """intensity.heal.conflict: by declaring in a round that was rolled, or by being in it together."""
    game = at.rolled(conflict_link=dial)
    expected = {(game.ann, game.bea)}
    if dial == "shared_round":
        expected |= {(game.ann, game.dan), (game.bea, game.dan)}
    assert links(game) == expected


def test_an_action_that_came_to_nothing_is_conflict_all_the_same():
    """intensity.heal.conflict: passed, forfeited or negotiated away."""
    game = at.rolled()
    game.does(Negotiate((game.ann, game.dan), "Ann holds back.", passes=(game.ann,)))
    assert links(game) == {(game.ann, game.bea)}


def test_a_round_that_was_not_rolled_is_no_conflict():
    game = at.half_rolled()
    game.does(AbandonRound())
    assert links(game) == set()


def test_a_pair_is_unordered():
    game = at.after_a_scene()
    game.does(NoteConflict(game.bea, game.ann, "so it is"))
    game.does(NoteConflict(game.ann, game.bea, "so it is"))
    assert links(game) == {(game.ann, game.bea)}


def test_a_link_of_two_rounds_survives_the_loss_of_one():
    """Each round links anew, so overturning one leaves what the other did."""
    game = Game()
    game.duel("tax", "A")
    first = next(past.number for past in game.history if type(past.declared).__name__ == "RollDice")
    game.duel("tax", "A")
    assert game.had(CAMPAIGN, first).links == ((game.ann, game.bea),)


def test_every_moment_clears_the_links():
    """intensity.heal.conflict: whoever healed in it."""
    game = at.hurt()
    heal(game, 1, (game.bea, "none"))
    assert links(game) == set()
    heal(game, 2, (game.bea, "wound"))
    assert game.ap(game.ann, game.bea) == 0


def test_a_struck_moment_gives_the_links_back():
    """Section 7: the cleared conflict set is the next moment's; its awards change."""
    game = at.hurt()
    number = game.number
    heal(game, 1, (game.bea, "none"))
    heal(game, 2, (game.bea, "wound"))
    (row,) = game.without(number).rows[-1:]
    assert row.standpoint == "changes"
    assert isinstance(row.then, Verdict)
    (gained,) = of_kind(row.then, AdvantageGained)
    assert (gained.holder, gained.against, gained.amount) == (game.ann, game.bea, 2)


# --- scenes -------------------------------------------------------------------------------------------------------


def test_one_scene_after_another():
    """intensity.scene.open, intensity.scene.close"""
    game = at.after_a_scene()
    assert game.refuses(OpenRound((game.ann, game.bea))) == "no-scene"
    game.scene_id = game.open_scene()
    game.open(game.ann, game.bea)


def test_closing_says_what_ends_with_the_scene():
    game = at.holding(held_fatal_at_scene_end="lapses", rest="automatic_at_scene_end")
    game.fight((game.ann, game.bea, "fanatical", "A", 12, 1), (game.bea, None, "calm", "A", 1, 1))
    game.attack(game.ann)
    game.defend()
    game.resolve()
    game.does(ChooseImpact("tax", "B"))
    game.does(CloseRound())
    verdict = game.close_scene()
    kinds = [type(fact) for fact in facts_of(verdict)[2:]]
    assert kinds == [FatalLapsed, RestAllowed, RestTaken, TaxEnded]


def test_the_retired_take_no_part():
    game = Game()
    game.does(Retire(game.bea, "moved away"))
    assert game.refuses(OpenRound((game.ann, game.bea))) == "character-out"
