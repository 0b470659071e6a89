"""Sentences of actions and of what is played on dice, which choose their words."""

from __future__ import annotations

from collections.abc import Iterable

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
    "add_dice": " for more dice", "free_marginal": " for a free Marginal Success", "archetype": " as the archetype can",
    "superhuman": " for a superhuman characteristic", "martial_arts": " for Martial Arts",
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
    """The same, with what must be reached."""
    what = done.what
    who_ = who(names, what.character)
    if what.split:
        parts = (
            f"{one.roll.text or _label(one.roll)} against {one.roll.tn}{_required(one.roll)}" for one in what.parts
        )
        return said(f"{who_} splits a dice pool", "; ".join([*([what.text] if what.text else []), *parts]))
    roll = what.parts[0].roll
    trying = f"{who_} {_tries(roll.kind, roll.skill, roll.primary)}"
    untrained = "" if roll.trained else ", untrained"
    return said(f"{trying}{untrained}, against {roll.tn}{_required(roll)}", what.text)


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
            return f"takes time to try {with_}"
        case "opposed":
            return f"tries {with_} against somebody's resistance"
        case _:
            return f"tries {with_}" if skill else f"tries something with {with_}"


def _label(roll: Roll) -> str:
    return {"to_hit": "an attack", "dodge": "a dodge", "movement": "a move"}.get(
        roll.kind, roll.skill or called(roll.primary)
    )


def _required(roll: Roll) -> str:
    """Only where it is not the usual Near Success."""
    if roll.required == 1:
        return ""
    if roll.required > 1:
        return f" (needing {level(roll.required)})"
    return " (anything but a Spectacular Failure will do)" if roll.required == 0 else " (any level will do)"


def split(done: fs.PoolSplit, names: Names) -> str:
    less = f" loses {counted(done.penalty, 'die', 'dice')} and" if done.penalty else ""
    return f"The pool of {counted(done.pool, 'die', 'dice')}{less} is split: {listed(map(str, done.parts))}."


def rolled(done: fs.DiceRolled, names: Names) -> str:
    """What the dice show, and those that 10s opened."""
    return f"The dice{of_part(done.part)} are rolled: {shown(done.faces, done.bonus)}."


def shown(faces: Iterable[int], bonus: Iterable[int]) -> str:
    fell, opened = [*faces], [*bonus]
    if not fell:
        return "no dice"
    return listed(map(str, fell)) + (f", and the 10s open {listed(map(str, opened))}" if opened else "")


def resolved(done: fs.ActionResolved, names: Names) -> str:
    """The level it comes to, and what it rests on."""
    part = f", its {nth(done.part)} part" if done.part else ""
    told = f"The action is resolved{part}: {level(done.level)}{_enough(done)}"
    if done.targets:
        told += f", with {listed(f'{net} on {who(names, id)}' for id, net in done.targets.items())}"
    elif done.net or done.faces:
        against = f" against {done.tn}" if done.faces else ""
        told += f", with {counted(done.net, 'success', 'successes')}{against}"
    if done.faces:
        own = "dice" if done.net == done.rolled and not done.targets else f"{done.rolled or 'none'} by dice that fell"
        told += f" ({own} {listed(map(str, (*done.faces, *done.bonus)))})"
    saved = f" {counted(done.reserve, 'success is', 'successes are')} saved." if done.reserve else ""
    return f"{told}.{saved}"


def _enough(done: fs.ActionResolved) -> str:
    if done.passes:
        return ", which is enough" if done.number < 1 else ""
    return f" where {level(done.required)} was needed" if done.required != 1 else ""


def declared_on(done: fs.SuccessesDeclared, names: Names) -> str:
    of_beads = f", {done.beads} of beads" if done.beads else ""
    number = counted(done.number + done.beads, "success is", "successes are")
    return f"{number} declared on {who(names, done.target)}{of_beads}."


def taken_off(done: fs.SuccessesTakenOff, names: Names) -> str:
    lost = f", but {done.lowered} of it counts for nothing after the fumbled move" if done.lowered else ""
    left = f"{done.net or 'none'} {'is' if done.net < 2 else 'are'} left"
    return f"{who(names, done.target)} takes off {done.number + done.beads or 'none'}{lost}: {left}."


# --- what is played ---


def beads_to_play(done: ip.PlayBeads, names: Names) -> str:
    element = done.element or ("storytelling" if done.use == "storytelling" else "")
    played = counted(done.number, f"{called(element)} bead".strip(), f"{called(element)} beads".strip())
    return said(f"{who(names, done.character)} plays {played}{FOR.get(done.use, '')}", done.effect)


def beads_played(done: fs.BeadsPlayed, names: Names) -> str:
    """Beads, and what they do."""
    play = done.what
    does = {
        "add_successes": f"{counted(play.successes, 'success', 'successes')} more",
        "reduce_difficulty": f"the target number falls by {play.number}",
        "add_dice": f"{counted(play.dice, 'die', 'dice')} more",
        "free_marginal": "a free Marginal Success",
        "superhuman": f"{counted(play.dice, 'die', 'dice')} more",
        "martial_arts": f"{counted(play.successes, 'damage die', 'damage dice')} more",
        "archetype": "the archetype's own use",
        "storytelling": {1: "one success more", -1: "one success less"}.get(play.successes, ""),
    }.get(play.use, "")
    return said(f"{who(names, play.by)} plays {em(play)}", does)


def card_played(done: fd.CardPlayedOnDice | fd.CardPlayedOnHealing, names: Names) -> str:
    """A card, on whose dice, and the points it adds."""
    play, whose = done.what, getattr(done, "whose", "")
    if play.use == "other":
        return f"{who(names, play.by)} uses {em(play)}."
    owner = f"{who(names, whose)}'s" if whose and whose != play.by else "the"
    of = {"healing": "healing", "dice": ""}.get(play.use, DICE_OF.get(play.use, ""))
    dice = f"{owner} {of} dice".replace("  ", " ")
    added = counted(sum(one for _, _, one in play.points), "point", "points")
    return f"{who(names, play.by)} lays a card on {dice}: {em(play)}, {CLASSES.get(play.rank, play.rank)}, {added}."


def trumped(done: fs.PlayTrumped, names: Names) -> str:
    play = done.what
    return f"{who(names, play.by)} trumps {_thing(play.on, done.pile, done.action)} with {em(play)}."


def _thing(on: str, pile: str, lies_on: str) -> str:
    """What is cancelled: dice, what was told, or what somebody played."""
    if on in ROLLS:
        return f"the {DICE_OF[on]}"
    return "what was told" if pile == "story" and on == lies_on else "what was played"


def cancelled(done: fs.PlayTrumpedByFiat, names: Names) -> str:
    """The game master's own trump."""
    thing = _thing(done.play, done.pile, done.action)
    if done.what is not None and done.play in ROLLS:
        thing = f"{who(names, done.what.by)}'s {DICE_OF[done.play]}"
    chip = f" and gives a {done.chip} chip for it" if done.chip else ""
    return said(f"The game master cancels {thing}{chip}", done.reason)


def determined(done: fs.ActionDetermined, names: Names) -> str:
    play = done.what
    return said(f"{who(names, play.by)} plays {em(play)} in place of dice, for {level(done.level)}", done.text)


def shifted(done: fs.FailureShifted, names: Names) -> str:
    return f"{who(names, done.what.by)} makes a Failure spectacular with {em(done.what)}."


def returned(done: fs.EffectModifierReturned, names: Names) -> str:
    """To whom it belongs."""
    back = card(done.card) if done.card else "the white chip" if done.play == "white chip" else "what was played"
    return f"{whom(names)} gets back {back}."


# --- what is declared ---


def rolling(done: ia.RollDice, names: Names) -> str:
    return f"The dice{of_part(done.part)} are rolled."


def resolving(done: ia.Resolve, names: Names) -> str:
    told = f"The {nth(done.part)} part of the action is resolved" if done.part else "The action is resolved"
    return said(f"{told}, and the rest is to go on whatever comes of it", done.reason) if done.waive else f"{told}."


def declaring_on(done: ia.DeclareSuccesses, names: Names) -> str:
    number = counted(_sum(done.number, done.beads), "success is", "successes are")
    return f"{number} declared on {who(names, done.target)}."


def taking_off(done: ia.TakeOffSuccesses, names: Names) -> str:
    return f"{who(names, done.target)} takes off {_sum(done.number, done.beads) or 'none'}."


def _sum(*numbers: object) -> int:
    return sum(one for one in numbers if isinstance(one, int))


def trumping(done: ip.Trump, names: Names) -> str:
    """No card is named that may stay in the hand."""
    return f"{who(names, done.character)} trumps{f' the {DICE_OF[done.on]}' if done.on in ROLLS else ''}."


def cancelling(done: ip.TrumpByFiat, names: Names) -> str:
    thing = f"the {DICE_OF[done.play]}" if done.play in ROLLS else "what was played"
    return said(f"The game master cancels {thing}", done.reason)
