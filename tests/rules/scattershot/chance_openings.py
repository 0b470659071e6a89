"""How a random game begins: in the middle of things, so that even a short game reaches everything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ledger.rules.kernel import commands
from ledger.rules.scattershot.actions import ExpendAction, TakeFreeAction
from ledger.rules.scattershot.advantage import SeizeAdvantage
from ledger.rules.scattershot.awards import GiveCoolBeans, ReplaceCoolBeans
from ledger.rules.scattershot.cashing_in import CashIn
from ledger.rules.scattershot.conditions import EndResidual, GoAllOut, PlaceResidual, SetOffGuard
from ledger.rules.scattershot.declaring import DeclareAction
from ledger.rules.scattershot.engaging import AnswerEngagement
from ledger.rules.scattershot.evolving import BuyTrait, RaiseRating
from ledger.rules.scattershot.experience import ContributeDie
from ledger.rules.scattershot.flurries import InterruptFlurry, StartFlurry, StepFlurry
from ledger.rules.scattershot.gimmes import ClaimGimme
from ledger.rules.scattershot.joining import EndMechanicalPlay, JoinMechanicalPlay, LeaveMechanicalPlay
from ledger.rules.scattershot.listings import ListAbility, ListAdvantage, ListedDefault, ListFreeSkill
from ledger.rules.scattershot.mechanical_play import CallMechanicalPlay, EndRound, EndTurn, StartTurn
from ledger.rules.scattershot.outcomes import ReachOutcome
from ledger.rules.scattershot.power import RestoreResource, RuleFightLeft
from ledger.rules.scattershot.ratings import ApplyModifier
from ledger.rules.scattershot.reactions import ReactOffGuard
from ledger.rules.scattershot.results import ChooseResults, Result
from ledger.rules.scattershot.rolls import CloseOpportunity, RollMib
from ledger.rules.scattershot.totals import CloseDecision
from tests.rules.scattershot.game import Game


def in_the_middle(game: Game, seed: int) -> Iterator[Any]:
    """Yield what came before, so that even a short game reaches everything."""
    yield from (_in_a_melee, _after_a_summer, _of_a_new_campaign)[seed % 3](game, seed)


def _in_a_melee(game: Game, seed: int) -> Iterator[Any]:
    """Yield a Round of Mechanical Play, with a Turn open, Combat Advantage and mostly a Flurry."""
    yield CallMechanicalPlay((game.ann,))
    yield from (StartTurn(game.ann), EndTurn(game.ann), EndRound())
    yield LeaveMechanicalPlay(game.ann) if seed % 2 else EndMechanicalPlay(claimed=True, reason="everybody nodded")
    yield CallMechanicalPlay(tuple(game.everybody()), "squad", caller="bob")
    yield from (StartTurn(game.bob), SeizeAdvantage(game.bob, game.ann, "Reach"))
    yield from (TakeFreeAction(game.bob, "soliloquy"), ExpendAction(game.bob))
    if seed % 2:
        yield GoAllOut(game.cid, "focusing", game.bob)
    yield from (LeaveMechanicalPlay(game.cid), JoinMechanicalPlay(game.cid))
    if seed % 4:
        yield StartFlurry(game.bob, game.ann, "Brawl", ("hack", "hew"))
    if seed % 8 == 0:
        yield DeclareAction(game.bob, "a blow", "Brawl", game.ann, nature="attack")
        yield StartFlurry(game.ann, game.bob, "Fencing", ("hack", "hew"))
    if seed % 4 == 1:
        yield InterruptFlurry("a tackle", character=game.ann)
    if seed % 4 == 3:
        yield from [StepFlurry("hack")] * game.table().dials.epic_index


def _after_a_summer(game: Game, seed: int) -> Iterator[Any]:
    """Yield an ambush with beaten Characters, and Characters with points to spend."""
    blow = str(game.number)
    yield from (DeclareAction(game.ann, "a blow", subject=game.ogre, nature="attack"), ApplyModifier(blow, 20, "so"))
    yield AnswerEngagement(blow, game.ogre, passive=True)
    yield from (CloseOpportunity(blow), RollMib(blow, "actor", (5, 5)), CloseDecision(blow), ReachOutcome(blow))
    yield ChooseResults(blow, (Result(character=game.ogre, weapon=30),))
    yield RestoreResource(game.ogre, "power", 1, "a drink")
    if seed % 2:
        yield RuleFightLeft(game.ogre, "rage")
    if seed % 2 == 0:
        yield from _sweep(game)
    yield commands.Adjust("bank/dp", f"character:{game.ann}/dp", "dp", 3, "a summer of practice")
    yield from (RaiseRating(game.ann, "agility"), BuyTrait(game.ann, element="winks"))
    yield from (ClaimGimme(game.ann, "Reckless"), CashIn(game.bob, "Tactics"))
    gift = str(game.number)
    yield from (GiveCoolBeans("bob", 1, "ann"), ReplaceCoolBeans(gift))
    yield SetOffGuard(game.bob, (game.ann,))
    ambush = str(game.number)
    yield from (DeclareAction(game.ann, "an ambush", engages=(game.bob,)), ReactOffGuard(ambush, game.bob))


def _sweep(game: Game) -> Iterator[Any]:
    """Yield a Telling Blow that two Characters suffer."""
    id = str(game.number)
    yield DeclareAction(game.ann, "a sweep", engages=(game.bob, game.cid), nature="attack")
    yield from (AnswerEngagement(id, who, passive=True) for who in (game.bob, game.cid))
    yield from (ApplyModifier(id, 20, "so"), CloseOpportunity(id), RollMib(id, "actor", (5, 5)))
    yield from (CloseDecision(id), ReachOutcome(id))


def _of_a_new_campaign(game: Game, seed: int) -> Iterator[Any]:
    """Yield some listings, and mostly a die on the table that can replace the roll."""
    yield from (ListFreeSkill("Rowing", 10), ListAdvantage("Dexterity", 1, 1))
    near = (ListedDefault("Tactics", -2),)
    yield ListAbility("Strategy", "intermediate", scope="mob", duration="scenic", defaults=near)
    placed = str(game.number)
    yield from (PlaceResidual(game.cid, -1, "uphill", "a limp"), EndResidual(game.cid, placed))
    if seed % 2:
        yield commands.SetDial("preempt", "replace", "let the dice decide")
        leap = str(game.number)
        yield from (DeclareAction(game.ann, "a leap"), CloseOpportunity(leap))
        yield ContributeDie(leap, face=5, player="ann")
