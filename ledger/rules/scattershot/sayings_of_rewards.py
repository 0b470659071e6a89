"""Sentences of Experience Dice that depend on what they are claimed for."""

from __future__ import annotations

from ledger.rules.kernel.phrases import Names
from ledger.rules.kernel.subjects import character, seat
from ledger.rules.scattershot import facts_of_play as fp
from ledger.rules.scattershot import facts_of_rewards as fr
from ledger.rules.scattershot import inputs_of_rewards as ir
from ledger.rules.scattershot.sayings import AN_ID, anybody, because, called, dice


def gimme(do: ir.ClaimGimme, names: Names) -> str:
    who = names.name(character(do.character))
    if do.disadvantage is not None:
        return f"A {do.grade} Gimme is claimed for {who}, who suffers from a Disadvantage: {do.disadvantage}."
    return f"A Gimme is claimed for {who}, who loses out because of a Genre Expectation: {do.expectation}."


def payback(do: ir.ClaimPayback, names: Names) -> str:
    what = "the dice of a resolution" if do.resolution is not None else do.occasion.strip() or "something"
    who = f"{names.name(seat(do.player))} claims Payback" if do.player is not None else "Payback is claimed"
    interest = ", with interest" if do.interest else ""
    served = f" ({do.expectation.strip()})" if do.expectation is not None else ""
    return f"{who}{interest}: {what}{served}."


def paid_back(done: fr.PaybackPaid, names: Names) -> str:
    what = "the dice of a resolution" if AN_ID.fullmatch(done.for_) else done.for_.strip()
    dice = "1 die" if done.n == 1 else f"{done.n} dice"
    interest = f", including {done.interest} as interest" if done.interest else ""
    return f"{names.name(seat(done.player))} gets {dice} of Payback for {what}{interest}."


def declined(done: fr.DiceDeclined, names: Names) -> str:
    claim = {"coup": "the coup", "payback": "the Payback", "cash-in": "dice for points given up", "award": "an award"}[
        done.claim
    ]
    source = "" if AN_ID.fullmatch(done.source) or not done.source.strip() else f" ({called(done.source)})"
    return f"{names.name(seat(done.player))} is not granted {claim}{source}."


def coup(do: ir.CountCoup, names: Names) -> str:
    who = f"{names.name(seat(do.player))} counts coup" if do.player is not None else "Coup is counted"
    dice = "1 die" if do.owed == 1 else f"{do.owed} dice"
    return f"{who}: the Gamemaster forgot {dice} for {names.name(seat(do.owed_to))}{because(do.what)}."


def coup_counted(done: fr.CoupCounted, names: Names) -> str:
    catcher, owed_to = names.name(seat(done.catcher)), names.name(seat(done.owed_to))
    owed, extra = dice(done.owed, "forgotten die", "forgotten dice"), dice(done.extra, "die", "dice")
    other = f" {catcher} gets" if done.catcher != done.owed_to else ""
    more = f", and{other} {extra} for noticing" if extra else ""
    return f"{catcher} counts coup: {owed_to} gets {owed}{more}."


def vote(done: ir.CastVote | fp.VoteCast, names: Names) -> str:
    voter = done.player if isinstance(done, ir.CastVote) else done.voter
    who = f"{names.name(seat(voter))} votes" if voter is not None else "A vote"
    return f"{who} for {anybody(done.for_, names)}."
