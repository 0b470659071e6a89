"""Every rule by its id: one sentence of our own, and the heading of the source where it stands.

Where the source is silent the heading is empty and the statement says that it fills a gap. Thresholds and prices are
those of the tables.
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.intensity.tables import BONUS, PRICES, RATINGS
from ledger.rules.intensity.terms import Effect
from ledger.rules.kernel.contract import RuleText
from ledger.rules.kernel.refusals import RuleId


def _price(effect: Effect) -> str:
    price = PRICES[effect]
    return f"{price} advantage {'point' if price == 1 else 'points'}"


#: What can be inflicted at which rating.
_LADDER = ", ".join(f"{impact} {f'from {least}' if least else 'at any rating'}" for impact, least in RATINGS.items())

_LEVELS: Mapping[str, str] = {
    "level.dice": "Each of the four levels has its die, from calm (D6) over invested (D8) and passionate (D10) to"
    " fanatical (D12), and nothing but the player's wish decides which is taken.",
    "level.raise-only": "Once declared, a level moves in one direction only, as far and as often as wanted, in answer"
    " to what somebody else declared, until the first die lies on the table.",
}
_TRAITS: Mapping[str, str] = {
    "trait.slots": "Three traits (D10, D8, D8) make a main character and two (D6, D6) a minor one, each with a name of"
    " its own.",
    "trait.one": "Beside the intensity die goes the die of exactly one trait, at the size the trait has now.",
}
_ACTIONS: Mapping[str, str] = {
    "round.open": "A round is opened in a scene for two or more characters who are in play; the others stay outside.",
    "round.declare": "Before the roll every participant names, once, somebody else in the round (filling a gap: or"
    " nobody), a level and a trait.",
    "round.roll": "All declared dice are rolled together as soon as everybody has declared and somebody acts; their"
    " sizes are settled in that moment.",
    "order.key": "The higher best die goes first, and between equal best dice the higher other die.",
    "order.turn": "One attack after another, each by whoever is next of those who have not had their action.",
    "round.close": "A round ends when nobody has an action left, and its dice leave the table.",
    "action.attack": "An attack is worth the best face the attacker has kept standing."
    f" {_price('attack4')} add {BONUS} to it and to the rating.",
    "defence.pick-up": "A defender may take one or both dice off the table and roll them; they serve defence alone from"
    " then on.",
    "defence.forfeit": "Taking up the last standing die before one's own action gives that action up.",
    "defence.reroll": "Dice already taken up may be rolled anew against each later attack of the round.",
    "action.success": "An attack succeeds when it is higher than the defence; equal is not enough.",
}
_IMPACT: Mapping[str, str] = {
    "level.max-for-rating": "For ratings the defender's level counts with the largest face of its die, whatever was"
    " rolled with it.",
    "impact.rating": f"The rating of a success adds the attacker's counted die, {BONUS} for every {_price('attack4')}"
    " spent on the attack, and the defender's intensity maximum.",
    "impact.ladder": f"The attacker inflicts one impact that the rating allows (filling a gap: or none): {_LADDER}.",
    "impact.tax": "A tax takes any trait of the defender one step down, until a short rest after the scene.",
    "impact.damage": "A damage takes the trait the defender rolled in this round one step down, until it heals.",
    "impact.wound": "A wound takes every trait of the defender one step down, until it heals.",
    "impact.immediate": "Impacts hold from the moment they are chosen, though no face on the table changes; whether"
    " dice in play shrink with their trait is the table's reading.",
    "step.ladder": "A die steps down from D10 over D8, D6 and D4 to nothing, and no further.",
    "step.stack": "Taxes and damages on a trait and wounds on its owner add up to the steps it is down.",
    "fatal.achieve": "A fatal impact gives the attacker a token over the defender's fate.",
    "fatal.hold": "Its holder may keep it until the scene ends and meanwhile use it, or give it up, at any moment.",
    "fatal.use": "Used, it does to its subject what its holder, and nobody else, words, which may be a lower impact,"
    " and it is spent. An answer to a use that is declined does not happen.",
    "fatal.mutilation": "A fatal can also give traits of somebody who lives on a different die for good, or none.",
    "fatal.out": "Somebody taken out by a fate plays no part until the scene closes, for a time in words that a game"
    " master ends, or for good.",
    "negotiate.decline": "Instead of the impact of a success, attacker and defender may agree on something that is"
    " done or happens. Each player agrees once, for all their characters. Unless all agree, the success stays as it"
    " was.",
    "negotiate.fiction": "Impacts settle nothing about who holds what in the story; only what is agreed does.",
    "rest.taxes": "Five minutes of rest once a scene is over end the taxes of those who rest.",
}
_EFFECTS: Mapping[str, str] = {
    "ap.pair": "Advantage points are held by one character against one other, and stay until spent.",
    "ap.spend": "They buy effects in an attack between those two, each side as often as it likes until neither wants"
    " more.",
    "ap.reroll": f"{_price('reroll')} rolls a defence die that counts again, for better or worse.",
    "ap.defence4": f"{_price('defence4')}, once the defence is rolled, add {BONUS} to it.",
    "ap.maximum": f"{_price('maximum')} let the attacker's best standing die count with its size, for the rating only.",
}
_HEALING: Mapping[str, str] = {
    "heal.when": "Any player may ask for a healing moment where the story has time and care for it.",
    "heal.moment": "Whoever asks for it, it is everybody's: each player says what the own characters heal, a game"
    " master speaks for the rest. For a player who was asked and does not answer a game master may answer that nothing"
    " heals, with a reason that the player is shown; everybody else is still asked.",
    "heal.daily": "There is no second healing on one day of the story.",
    "heal.one-each": "In a healing moment each character may be rid of one damage or one wound.",
    "heal.opponents": "An unharmed main character gains against every healing opponent, one point for a damage and two"
    " for a wound.",
}
_ELSEWHERE: Mapping[str, tuple[str, str]] = {
    "defence.after-acting": (
        "Who has no action to lose, because it is done or there was none, picks up both dice for nothing.",
        "Example 1: Basic Conflict",
    ),
    "defence.let-stand": (
        "Dice left on the table defend against nothing: without a die picked up the defence is 0.",
        "Example 3: Conflict with Many Characters",
    ),
    "negotiate.terms": (
        "A bargain can carry the use or release of held fatals and the giving up of actions, by those who agree to it.",
        "Example 4: The Quickshot Hostage Rescue Maneuver",
    ),
}
_GAPS: Mapping[str, str] = {
    "level.scope": "how long a level binds: for one round, or downwards for the rest of the scene.",
    "trait.none-left": "with every trait at nothing one rolls the intensity die alone, or may only defend with it.",
    "round.amend": "target, trait and intent may be restated until the roll, unless the table fixes declarations.",
    "round.abandon": "a round whose roll is not complete may be dropped, and puts nobody in conflict.",
    "order.full-tie": "fully equal participants are ordered by the table, or by rolling their dice again for order.",
    "order.basis": "the order stays as it was rolled, or follows the dice that still stand.",
    "order.pass": "whoever is next may let the action go and keep the dice for defence.",
    "defence.commit": "a defender chooses once for each attack, or may add a die after seeing the first.",
    "action.target-gone": "with a character who goes out lapse its action and any attack it is part of, and the actions"
    " against it lapse or turn elsewhere.",
    "fatal.holder-out": "a holder about to go out may answer with fatals of its own; what it still holds lapses, unless"
    " the table lets it survive.",
    "fatal.scene-end": "a scene stays open until its held fatals are settled, or lets them lapse.",
    "ap.repeat": "an effect other than the maximum may be bought again in one attack, if the table has it so.",
    "heal.conflict": "two characters are in conflict when one targeted the other in a round that was rolled since the"
    " last healing moment, or the table says so; a healing moment shows these pairs, and a game master may add some.",
    "heal.rest": "a healing moment is also a rest, and ends taxes.",
    "scene.open": "one scene is open at a time, to every character.",
    "scene.close": "a scene closes when no round is open, and who was out for its length returns.",
}


def _ruled(statements: Mapping[str, str], heading: str) -> dict[RuleId, RuleText]:
    return {f"intensity.{id}": RuleText(statement, heading) for id, statement in statements.items()}


RULES: Mapping[RuleId, RuleText] = {
    **_ruled(_LEVELS, "Levels of Intensity"),
    **_ruled(_TRAITS, "Traits"),
    **_ruled(_ACTIONS, "Actions"),
    **_ruled(_IMPACT, "Impact"),
    **_ruled(_EFFECTS, "Special Effects"),
    **_ruled(_HEALING, "Healing"),
    **{f"intensity.{id}": RuleText(statement, heading) for id, (statement, heading) in _ELSEWHERE.items()},
    **_ruled({id: f"A gap filled: {statement}" for id, statement in _GAPS.items()}, ""),
}
