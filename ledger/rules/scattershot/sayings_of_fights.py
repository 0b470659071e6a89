"""Sentences of Mechanical Play that depend on its facts: the order, Free Actions, Flurries."""

from __future__ import annotations

from ledger.rules.kernel.phrases import Names, listed
from ledger.rules.kernel.subjects import character, seat
from ledger.rules.scattershot import facts_of_fights as ff
from ledger.rules.scattershot import inputs_of_fights as fights
from ledger.rules.scattershot.sayings import FREE, because, called, seats


def called_for(done: fights.CallMechanicalPlay | ff.MechanicalPlayCalled, names: Names) -> str:
    """Return who fights, in which order and at which Scope."""
    melee = ", as a Melee" if done.melee else ""
    at = "" if done.scope == "individual" else f" at {done.scope.title()} Scope"
    what = f"Mechanical Play{at}"
    called_ = f"{names.name(seat(done.caller))} calls {what}" if done.caller is not None else f"{what} is called"
    who = listed(names.name(character(id)) for id in done.characters)
    order, many = "", ""
    if isinstance(done, ff.MechanicalPlayCalled):
        order = f"; the order is {seats(done.order, names)}"
        many = ", although that is too many Characters for Individual Scope" if done.too_small else ""
    return f"{called_} for {who}{melee}{many}{order}."


def expends(done: fights.ExpendAction | ff.ActionExpended, names: Names) -> str:
    who = done.character if isinstance(done, fights.ExpendAction) else done.persona
    count = "an Action" if done.cost == 1 else f"{done.cost} Actions"
    what = "a running move" if done.what == "move" else called(done.what)
    return f"{names.name(character(who))} spends {count} of the Turn{because(what)}."


def free(done: fights.TakeFreeAction | ff.FreeActionTaken, names: Names) -> str:
    if isinstance(done, fights.TakeFreeAction):
        who, kind = names.name(character(done.character)), done.action
    else:
        who, kind = names.name(character(done.persona)), done.kind
    does = FREE.get(kind)
    return f"{who} {does} as a Free Action." if does else f"{who} does this as a Free Action: {kind}."


def script(done: ff.FlurryStarted, names: Names) -> str:
    steps = listed(done.script)
    who, foe = names.name(character(done.persona)), names.name(character(done.foe))
    limit = "1 step" if done.limit == 1 else f"{done.limit} steps"
    return f"{who} starts a Flurry against {foe} with {called(done.ability)}: {steps}, at most {limit}."


def ends(do: fights.EndMechanicalPlay, names: Names) -> str:
    return f"Mechanical Play is to end, and {do.mode.title()} Play to follow{because(do.reason)}."


def proposed(do: fights.AcceptFreeAction, names: Names) -> str:
    return f"The Group is asked to accept a new Free Action: {do.action}{because(do.reason)}."


def accepted(fact: ff.FreeActionAccepted, names: Names) -> str:
    return f"New Free Action: {fact.action}{because(fact.reason)}."
