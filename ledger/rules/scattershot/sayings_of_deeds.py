"""Sentences of a resolution: what is done to whom, where dice go, and the outcome."""

from __future__ import annotations

from ledger.rules.kernel.phrases import Names, listed
from ledger.rules.kernel.subjects import character, seat
from ledger.rules.scattershot import facts_of_deeds as f
from ledger.rules.scattershot import inputs_of_deeds as i
from ledger.rules.scattershot import inputs_of_outcomes as o
from ledger.rules.scattershot.accounts import STOCK
from ledger.rules.scattershot.sayings import (
    because,
    called,
    lasting,
    people,
    quoted,
    say,
    side,
    signed,
    thing,
    whose,
)
from ledger.rules.scattershot.terms import ACTOR

DICE = {"own": "an Experience Die", "freebie": "a Freebie", "loaner": "a Loaner", "saved": "a saved Loaner"}
OUTCOMES = {
    "success": "a success",
    "minimal-success": "a minimal success",
    "failure": "a failure",
    "telling-blow": "a Telling Blow",
    "catastrophic-failure": "a Catastrophic Failure",
}


# --- the Opportunity Phase -------------------------------------------------------------------------------------------


def _with_what(do: i.DeclareAction | i.Oppose) -> str:
    default = do.default
    if default is None:
        return called(do.rating)
    related = f" from {called(default.related)}" if default.related is not None else ""
    return f"{called(default.ability)} by Default{related}"


def action(do: i.DeclareAction, names: Names) -> str:
    """Return what a Character does, with which Rating, and to whom."""
    aimed = people(do.engages, names) if do.engages else thing(do.subject, names) if do.subject else ""
    against = f" against {aimed}" if aimed else ""
    who = names.name(character(do.character))
    played = f", played by {names.name(seat(do.player))}" if do.player is not None else ""
    return f"{who} uses {_with_what(do)}{against}{played}{quoted(do.text)}"


def acted(done: f.ActionDeclared, names: Names) -> str:
    """Return the same, with the number to roll."""
    aimed = people(done.engaged, names) if done.engaged else thing(done.subject, names) if done.subject else ""
    against = f" against {aimed}" if aimed else ""
    limited = because(done.opportunity)
    who = names.name(character(done.actor))
    return f"{who} uses {called(done.ability)} ({done.rating} or less){against}{limited}{quoted(done.text)}"


def answer(do: i.AnswerEngagement, names: Names) -> str:
    if do.oppose is not None:
        return f"{names.name(character(do.character))} {oppose(do.oppose, names)}"
    return say("{character} does not oppose the Action." if do.passive else "{character} must respond.", do, names)


def oppose(do: i.Oppose, names: Names) -> str:
    return f"opposes the Action with {_with_what(do)}{quoted(do.text)}"


def answered(done: f.ResistorAnswered, names: Names) -> str:
    who = names.name(character(done.character))
    if not done.opposes:
        return f"{who} does not oppose the Action."
    costs = {
        "forfeit": ", at the cost of an Action of the next Turn",
        "free": ", as a Free Action",
        "flurry": ", as a step of the Flurry",
    }
    paid = costs.get(done.paid, "")
    return f"{who} opposes the Action with {called(done.ability)} ({done.rating} or less){paid}{quoted(done.action)}"


def reaction(done: f.OffGuardReactionRolled, names: Names) -> str:
    who = names.name(character(done.character))
    dice = listed(str(face) for face in done.dice)
    more = f", {listed(signed(face) for face in done.experience)} with Experience Dice" if done.experience else ""
    notices = "notices and must respond" if done.engaged else "does not notice in time"
    return f"{who} is Off-Guard and makes a Reaction roll: {dice}{more}, a MIB of {done.mib}. {who} {notices}."


def device(done: i.PlotDevice | f.PlotDeviceRolled, names: Names) -> str:
    by = done.player if isinstance(done, i.PlotDevice) else done.by
    who = f"{names.name(seat(by))} uses a plot device" if by is not None else "A plot device"
    aims = [names.name(seat(done.target))] if done.target is not None else []
    aims += [thing(done.subject, names)] if done.subject else []
    against = f" against {listed(aims)}" if aims else ""
    dice: object = done.dice  # a move does not know them yet
    count = dice if isinstance(dice, int) else len(dice) if isinstance(dice, tuple) else 0
    many = f" with {count} Experience {'Die' if count == 1 else 'Dice'}" if count else ""
    return f"{who}{against}{many}{quoted(done.text)}"


def fixed(done: f.OpportunityClosed, names: Names) -> str:
    ratings = [f"the Actor's Rating is {done.modified_rating}"]
    ratings += [f"{names.name(character(id))}'s is {n}" for id, n in done.resistors.items()]
    return f"The Opportunity Phase ends: {listed(ratings)}."


# --- the Decision Phase ----------------------------------------------------------------------------------------------


def rolls(do: i.RollMib, names: Names) -> str:
    faces = f" {listed(str(face) for face in do.faces)}" if do.faces else ""
    return f"{side(do.roll, names)} rolls{faces}."


def rolled(done: f.MibRolled, names: Names) -> str:
    return f"{side(done.roll, names)} rolls {listed(str(face) for face in done.dice)}: {sum(done.dice)}."


def reported(done: f.RollReported, names: Names) -> str:
    """Return by how much the roll succeeded or failed, and what that means."""
    by = "exactly" if done.mib == 0 else f"by {abs(done.mib)}"
    who = f"{side(done.roll, names)} {'misses' if done.mib < 0 else 'makes'} the roll {by}"
    if not done.outcomes:
        return f"{who}. Others still have to roll."
    each = [
        OUTCOMES[outcome] if name == ACTOR else
        f"an RMIB of {done.rmib.get(name, 0)} against {names.name(character(name))}, {OUTCOMES[outcome]} for the Actor"
        for name, outcome in done.outcomes.items()
    ]  # fmt: skip
    return f"{who}{', ' if ACTOR in done.outcomes else ': '}{'; '.join(each)}."


def contributes(do: i.ContributeDie, names: Names) -> str:
    who = names.name(seat(do.player)) if do.player is not None else "a Player"
    what, use = DICE.get(do.die, "a die"), because(do.advantage or do.expectation or "")
    way = f"subtracts {what} from" if do.sign == -1 else f"adds {what} to"
    return f"{who} {way} {whose(do.target, names)}{use}."


def contributed(done: f.ExperienceDieRolled, names: Names) -> str:
    what, use = DICE[done.kind], because((done.use or "").split(": ", 2)[-1])  # its target, its kind, its name
    way = f"adds {what} to" if done.sign > 0 else f"subtracts {what} from"
    against = f" and goes against {names.name(seat(done.against))}" if done.against is not None else ""
    return f"{names.name(seat(done.by))} {way} {whose(done.target, names)}{use}: it shows {done.face}{against}."


def handed(done: f.ExperienceDieHandedOver, names: Names) -> str:
    """Return where a die goes: to the stock, to a Player, saved against its borrower, or paid back."""
    owner, _, rest = done.to.partition("/")
    if done.to == STOCK or not owner.startswith("seat:"):
        return "The die goes back to the common stock."
    who = names.name(seat(owner.removeprefix("seat:")))
    if rest.startswith("xd:saved:"):
        return f"{who} saves the Loaner for use against {names.name(seat(rest.removeprefix('xd:saved:')))}."
    return f"{who}'s Loaner is paid back." if rest == "karmic" else f"The die goes to {who}."


def totals(done: f.DecisionClosed, names: Names) -> str:
    """Return the MIBs, and in a contest the RMIBs."""
    if not done.rmib:
        return f"The MIB is {done.basic_mibs[ACTOR]}." if ACTOR in done.basic_mibs else "Nobody has a MIB."
    mibs = listed(f"{side(name, names)}'s MIB is {number}" for name, number in done.basic_mibs.items())
    many = len(done.rmib) > 1
    each = (f"{n} against {names.name(character(id))}" if many else str(n) for id, n in done.rmib.items())
    return f"{mibs}, so the RMIB is {listed(each)}."


# --- the Application Phase -------------------------------------------------------------------------------------------


def taken(
    what: str, field: str, done: o.TakeChallenge | o.TakeBenefit | f.ChallengeTaken | f.BenefitTaken, names: Names
) -> str:
    """Return the Challenges or Benefits, their kind (from that field) and their text."""
    count = f"a {what}" if done.n == 1 else f"{done.n} {what}s"
    return f"{side(done.side, names)} takes {count} ({getattr(done, field)}){quoted(done.text)}"


def benefit(done: f.BenefitTaken, names: Names) -> str:
    if not done.automatic:
        return taken("Benefit", "kind", done, names)
    count = "1 point" if done.n == 1 else f"{done.n} points"
    become = "becomes a Benefit" if done.n == 1 else "become Benefits"
    whose_ = f" for {side(done.side, names)}" if done.side != ACTOR else ""
    return f"{count} above the Critical Juncture {become}{whose_}."


def offers(do: o.OfferChallenge, names: Names) -> str:
    count = "a Challenge" if do.n == 1 else f"{do.n} Challenges"
    return f"{side(do.side, names)} is offered {count} ({do.challenge}){quoted(do.text)}"


def offered(done: f.ChallengeOffered, names: Names) -> str:
    count = "a Challenge" if done.n == 1 else f"{done.n} Challenges"
    who, them = side(done.side, names), "it" if done.n == 1 else "them"
    answer = f"{who} {'takes' if done.taken else 'does not take'} {them}"
    return f"{names.name(seat(done.by))} offers {who} {count} ({done.kind}), and {answer}{quoted(done.text)}"


def outcome(done: f.OutcomeReached, names: Names) -> str:
    """Return the outcome, its number, and who invents the consequences of each Critical Juncture."""
    against, number, own = "", "a MIB", ""
    if done.resistor is not None:
        resistor = names.name(character(done.resistor))
        against, number = f" against {resistor}", "an RMIB"
        own = f"; {resistor}'s own Action succeeds by {done.resistor_number}" if done.resistor_number else ""
    counted = f", which counts as {done.remaining}" if done.remaining != done.adjusted else ""
    authors = "".join(f"; {names.name(seat(one.author))} invents the lasting consequences" for one in done.junctures)
    return f"The Action is {OUTCOMES[done.outcome]}{against}, with {number} of {done.adjusted}{counted}{own}{authors}."


def _gained(do: o.Consequences) -> str:
    gained = [f"{one.name} ({one.value} {'point' if one.value == 1 else 'points'})" for one in do.disadvantages]
    gained += [f"a Residual Challenge of {one.amount} {one.scope}".rstrip() for one in do.residuals]
    gained += [f"{do.advantages} Combat Advantage for the other side"] if do.advantages else []
    return listed(gained) if gained else ""


def consequences(do: o.Consequences, names: Names) -> str:
    more = f", with {_gained(do)}" if _gained(do) else ""
    return f"Lasting consequences{more}, {lasting(do.until)}{quoted(do.text)}"


def lasts(do: o.Consequences, names: Names) -> str:
    """Return the same, as an answer."""
    parts = [one for one in (_gained(do), lasting(do.until)) if one]
    return f"{', '.join(parts)}{quoted(do.text)}"


def names_consequences(do: o.NameConsequences, names: Names) -> str:
    if do.consequences is None:
        return "What are the lasting consequences?"
    return consequences(do.consequences, names)


def consequence(done: f.JunctureConsequenceNamed, names: Names) -> str:
    who = names.name(seat(done.author))
    return f"{who} names lasting consequences, {lasting(done.until)}{quoted(done.text)}"


def _result(one: o.Result, names: Names) -> str:
    to = f" to {names.name(character(one.character))}" if one.character is not None else ""
    match one.result:
        case "damage":
            weapon = f" with a {called(one.weapon)}" if isinstance(one.weapon, str) else ""
            return f"damage{to}{weapon}"
        case "factor":
            return f"a loss of {called(one.resource)}{' for' + to.removeprefix(' to') if to else ''}"
        case "residual":
            on = f" on {names.name(character(one.character))}" if one.character is not None else ""
            return f"a Residual{on}, {lasting(one.until)}"
        case _:
            return f"just the number{because(one.text)}"


def results(do: o.ChooseResults, names: Names) -> str:
    chosen = listed(_result(one, names) for one in do.results) if do.results else "no result"
    return f"{side(do.side, names)} chooses {chosen}."


def modifies(do: i.ApplyModifier, names: Names) -> str:
    return f"{side(do.side, names)}'s Rating is modified by {signed(do.amount)}{because(do.why)}."


def modified(done: f.ModifierApplied, names: Names) -> str:
    return f"{side(done.side, names)}'s Rating is modified by {signed(done.amount)}{because(done.why)}."


def scalar(done: f.ScalarRecorded, names: Names) -> str:
    return f"The result is {done.amount}{quoted(done.text)}"


def opposing(do: i.Oppose, names: Names) -> str:
    """Return the answer of the Player asked, without a name."""
    return f"Opposed with {_with_what(do)}{quoted(do.text)}"
