"""Sentences of actions and of what is played on dice, which choose their words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ledger.rules.kernel.phrases import Names, listed
from ledger.rules.moc import facts_of_dice as fd
from ledger.rules.moc import facts_of_scenes as fs
from ledger.rules.moc import inputs_of_actions as ia
from ledger.rules.moc import inputs_of_play as ip
from ledger.rules.moc.piles import ROLLS
from ledger.rules.moc.sayings import CLASSES, beads, called, card, counted, level, said, who, whom
from ledger.rules.moc.state_of_actions import Play, Roll

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
#: A roll by what it is rolled for: an action, a hit, an initiative, a healing.
DICE_OF = {
    "roll": "roll", "damage": "damage", "resisting": "resistance", "initiative": "initiative", "healing": "healing",
    "dice": "roll",
}  # fmt: skip
#: What beads are played for.
FOR = {
    "add_successes": " for more successes", "reduce_difficulty": " to lower the target number",
    "add_dice": " for more dice", "free_marginal": " for a free Marginal Success",
    "archetype": " for the archetype's own use",
    "superhuman": " for a Superhuman characteristic", "martial_arts": " for Martial Arts",
}  # fmt: skip


def nth(place: object) -> str:
    """0 is the first."""
    return ORDINALS[place] if isinstance(place, int) and 0 <= place < len(ORDINALS) else f"{place}."


def of_part(place: object) -> str:
    """Which action of a split pool; of the first it cannot be told whether there is another one."""
    return f" of the {nth(place)} part" if place else ""


def em(play: Play) -> str:
    """What is played: a card, beads or a chip."""
    if play.kind == "card":
        return card(play.card)
    return beads({play.element: play.number}) if play.kind == "beads" else f"a {play.colour} chip"


# --- actions ---


def tried(done: ia.DeclareAction, names: Names) -> str:
    """What somebody sets out to do."""
    who_ = who(names, done.character)
    if done.parts:
        return said(f"{who_} splits a dice pool", done.text)
    trying = f"{who_} {_tries(done.roll_kind, done.martial_arts or done.skill or '', done.primary or 'body')}"
    return said(trying, done.text)


def action(done: fs.ActionDeclared, names: Names) -> str:
    """The same, with the target number and the level required."""
    what = done.what
    who_ = who(names, what.character)
    if what.split:
        parts = (
            f"{one.roll.text or _label(one.roll)} against TN {one.roll.tn}{_required(one.roll)}" for one in what.parts
        )
        return said(f"{who_} splits a dice pool", "; ".join([*([what.text] if what.text else []), *parts]))
    roll = what.parts[0].roll
    trying = f"{who_} {_tries(roll.kind, roll.skill, roll.primary)}"
    untrained = "" if roll.trained else ", untrained"
    return said(f"{trying}{untrained}, against TN {roll.tn}{_required(roll)}", what.text)


def _tries(kind: object, skill: str, primary: str) -> str:
    with_ = skill or called(primary)
    match kind:
        case "to_hit":
            return f"attacks with {with_}"
        case "dodge":
            return "dodges" if with_ == "Dodge" else f"dodges with {with_}"
        case "movement":
            return f"makes a move with {with_}"
        case "extended":
            return f"takes time to use {with_}"
        case "opposed":
            return f"uses {with_} in an opposed action"
        case _:
            return f"uses {with_}" if skill else f"tries something with {with_}"


def _label(roll: Roll) -> str:
    return {"to_hit": "an attack", "dodge": "a dodge", "movement": "a move"}.get(
        roll.kind, roll.skill or called(roll.primary)
    )


def _required(roll: Roll) -> str:
    """Only where it is not the usual Near Success."""
    if roll.required == 1:
        return ""
    if roll.required > 1:
        return f" (needs {level(roll.required)})"
    return " (anything but a Spectacular Failure is enough)" if roll.required == 0 else " (any level is enough)"


def granting(done: ia.GrantDice, names: Names) -> str:
    return said(_given(done.number), done.reason)


def granted(done: fs.GmDiceGranted, names: Names) -> str:
    return said(_given(done.n), done.reason)


def _given(number: object) -> str:
    """The game master's dice: below 0, they are taken away."""
    if isinstance(number, int) and number < 0:
        return f"The game master takes away {counted(-number, 'die', 'dice')}"
    return f"The game master gives {counted(number, 'die', 'dice')}"


def split(done: fs.PoolSplit, names: Names) -> str:
    less = f" loses {counted(done.penalty, 'die', 'dice')} and" if done.penalty else ""
    return f"The pool of {counted(done.pool, 'die', 'dice')}{less} is split into {listed(map(str, done.parts))}."


def rolled(done: fs.DiceRolled, names: Names) -> str:
    """What the dice show, and those that 10s opened."""
    return f"The dice{of_part(done.part)} are rolled: {shown(done.faces, done.bonus)}."


def shown(faces: Iterable[int], bonus: Iterable[int]) -> str:
    fell, opened = [*faces], [*bonus]
    if not fell:
        return "no dice"
    bonus_dice = f", plus bonus {'die' if len(opened) == 1 else 'dice'} {listed(map(str, opened))}" if opened else ""
    return listed(map(str, fell)) + bonus_dice


def target_numbers(given: Mapping[str, Any]) -> str:
    """Return the target number of an action, or of each part of a split pool."""
    parts = given["out"]
    return "Target numbers (TN) of the parts: {out}." if len(parts) > 1 else "Target number (TN): {out}."


def resolved(done: fs.ActionResolved, names: Names) -> str:
    """Return the level, and what it depends on."""
    part = f" ({nth(done.part)} part)" if done.part else ""
    told = f"The action is resolved{part}: {level(done.level)}{_enough(done)}"
    if done.targets:
        nets = (f"{counted(net, 'success', 'successes')} on {who(names, id)}" for id, net in done.targets.items())
        told += f", with {listed(nets)}"
    elif done.net or done.faces:
        against = f" against TN {done.tn}" if done.faces else ""
        told += f", with {counted(done.net, 'success', 'successes')}{against}"
    if done.faces:
        apart = done.net != done.rolled or done.targets
        scored = f"the dice score {counted(done.rolled, 'success', 'successes')}" if apart else "rolled"
        told += f" ({scored}: {listed(map(str, (*done.faces, *done.bonus)))})"
    saved = f" {counted(done.reserve, 'success is', 'successes are')} saved." if done.reserve else ""
    return f"{told}.{saved}"


def _enough(done: fs.ActionResolved) -> str:
    if done.passes:
        return ", which is enough" if done.number < 1 else ""
    needed = "would have been enough" if done.required < 1 else "was needed"
    return f" where {level(done.required)} {needed}" if done.required != 1 else ""


def declared_on(done: fs.SuccessesDeclared, names: Names) -> str:
    of_beads = f", {done.beads} from beads" if done.beads else ""
    number = counted(done.number + done.beads, "success is", "successes are")
    return f"{number} declared on {who(names, done.target)}{of_beads}."


def taken_off(done: fs.SuccessesTakenOff, names: Names) -> str:
    does = "does" if done.lowered == 1 else "do"
    lost = f", but {done.lowered} of them {does} not count after the fumbled move" if done.lowered else ""
    left = f"{done.net or 'none'} {'is' if done.net == 1 else 'are'} left"
    taken = counted(done.number + done.beads, "success", "successes")
    return f"{who(names, done.target)} takes off {taken}{lost}: {left}."


# --- what is played ---


def beads_to_play(done: ip.PlayBeads, names: Names) -> str:
    element = done.element or ("storytelling" if done.use == "storytelling" else "")
    played = counted(done.number, f"{called(element)} bead".strip(), f"{called(element)} beads".strip())
    return said(f"{who(names, done.character)} plays {played}{FOR.get(done.use, '')}", done.effect)


def beads_played(done: fs.BeadsPlayed, names: Names) -> str:
    """Beads, and what they do."""
    play = done.what
    does = {
        "add_successes": counted(play.successes, "more success", "more successes"),
        "reduce_difficulty": f"the target number falls by {play.number}",
        "add_dice": counted(play.dice, "more die", "more dice"),
        "free_marginal": "a free Marginal Success",
        "superhuman": counted(play.dice, "more die", "more dice"),
        "martial_arts": counted(play.successes, "more damage die", "more damage dice"),
        "archetype": "the archetype's own use",
        "storytelling": {1: "one more success", -1: "one success fewer"}.get(play.successes, ""),
    }.get(play.use, "")
    return said(f"{who(names, play.by)} plays {em(play)}", does)


def beads_on_dice(done: ip.PlayBeadsOnDice, names: Names) -> str:
    element = called(done.element) if done.element else ""
    played = counted(done.number, f"{element} bead".strip(), f"{element} beads".strip())
    owner = f"{who(names, done.whose)}'s" if done.whose and done.whose != done.character else "the"
    roll = DICE_OF.get(done.roll, done.roll)
    does = "one success fewer" if done.fewer else counted(done.number, "more success", "more successes")
    return f"{who(names, done.character)} plays {played} on {owner} {roll} roll: {does}."


def beads_played_on_dice(done: fd.BeadsPlayedOnDice, names: Names) -> str:
    play = done.what
    owner = f"{who(names, done.whose)}'s" if done.whose != play.by else "the"
    more = counted(play.successes, "more success", "more successes")
    does = "one success fewer" if play.successes < 0 else more
    return f"{who(names, play.by)} plays {em(play)} on {owner} {DICE_OF.get(play.use, play.use)} roll: {does}."


def card_played(done: fd.CardPlayedOnDice | fd.CardPlayedOnHealing, names: Names) -> str:
    """A card, on whose dice, and the points it adds."""
    play, whose = done.what, getattr(done, "whose", "")
    if play.use == "other":
        return f"{who(names, play.by)} uses {em(play)}."
    owner = f"{who(names, whose)}'s" if whose and whose != play.by else "the"
    of = {"healing": "healing", "dice": ""}.get(play.use, DICE_OF.get(play.use, ""))
    dice = f"{owner} {of} dice".replace("  ", " ")
    added = counted(sum(one for _, _, one in play.points), "point", "points")
    return f"{who(names, play.by)} plays a card on {dice}: {em(play)}, {CLASSES.get(play.rank, play.rank)}, {added}."


def trumped(done: fs.PlayTrumped, names: Names) -> str:
    play = done.what
    return f"{who(names, play.by)} trumps {_thing(play.on, done.pile, done.action)} with {em(play)}."


def _thing(on: str, pile: str, lies_on: str) -> str:
    """What is cancelled: dice, a story change, or what somebody played."""
    if on in ROLLS:
        return f"the {DICE_OF[on]}"
    return "the story change" if pile == "story" and on == lies_on else "the earlier play"


def cancelled(done: fs.PlayTrumpedByFiat, names: Names) -> str:
    """The game master's own trump."""
    thing = _thing(done.play, done.pile, done.action)
    if done.what is not None and done.play in ROLLS:
        thing = f"{who(names, done.what.by)}'s {DICE_OF[done.play]}"
    chip = f" and gives a {done.chip} chip for it" if done.chip else ""
    return said(f"The game master trumps {thing}{chip}", done.reason)


def determined(done: fs.ActionDetermined, names: Names) -> str:
    play = done.what
    return said(f"{who(names, play.by)} plays {em(play)} instead of rolling, for {level(done.level)}", done.text)


def shifted(done: fs.FailureShifted, names: Names) -> str:
    return f"{who(names, done.what.by)} turns a Failure into a Spectacular Failure with {em(done.what)}."


def returned(done: fs.EffectModifierReturned, names: Names) -> str:
    """To whom it belongs."""
    back = card(done.card) if done.card else "the white chip" if done.play == "white chip" else "what was played"
    return f"{whom(names)} gets back {back}."


# --- what is declared ---


def rolling(done: ia.RollDice, names: Names) -> str:
    return f"The dice{of_part(done.part)} are rolled."


def resolving(done: ia.Resolve, names: Names) -> str:
    told = f"The action is resolved{f' ({nth(done.part)} part)' if done.part else ''}"
    return said(f"{told}, and the rest goes on whatever the result", done.reason) if done.waive else f"{told}."


def declaring_on(done: ia.DeclareSuccesses, names: Names) -> str:
    number = counted(_sum(done.number, done.beads), "success is", "successes are")
    return f"{number} declared on {who(names, done.target)}."


def taking_off(done: ia.TakeOffSuccesses, names: Names) -> str:
    return f"{who(names, done.target)} takes off {counted(_sum(done.number, done.beads), 'success', 'successes')}."


def _sum(*numbers: object) -> int:
    return sum(one for one in numbers if isinstance(one, int))


def trumping(done: ip.Trump, names: Names) -> str:
    """No card is named that may stay in the hand."""
    return f"{who(names, done.character)} trumps{f' the {DICE_OF[done.on]}' if done.on in ROLLS else ''}."


def cancelling(done: ip.TrumpByFiat, names: Names) -> str:
    thing = f"the {DICE_OF[done.play]}" if done.play in ROLLS else "the earlier play"
    return said(f"The game master trumps {thing}", done.reason)
