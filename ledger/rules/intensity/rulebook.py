"""Every rule of the game: its id, a statement of ours, and the heading of the source where it stands.

A rule that is not in the source has no heading, and its statement says so. The tables supply thresholds and prices.
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


#: The least rating for each impact.
_LADDER = ", ".join(f"{impact} {f'from {least}' if least else 'at any rating'}" for impact, least in RATINGS.items())

_LEVELS: Mapping[str, str] = {
    "level.dice": "There are four levels, each with its own die: calm (D6), invested (D8), passionate (D10) and"
    " fanatical (D12). You choose freely.",
    "level.raise-only": "Before the roll, you can raise your level by any number of steps, any number of times, in"
    " reaction to what others declare. You cannot lower it.",
}
_TRAITS: Mapping[str, str] = {
    "trait.slots": "A main character has three traits: one D10 and two D8. A minor character has two traits, both D6."
    " Each trait has its own name.",
    "trait.one": "You roll your intensity die and the die of exactly one trait, at its current size.",
}
_ACTIONS: Mapping[str, str] = {
    "round.open": "A round needs an open scene and two or more characters, none of them out of play. Other characters"
    " do not roll and cannot be attacked.",
    "round.declare": "Before the roll, each participant declares once: another participant as the target, a level and"
    " a trait. Not in the source: you may declare no target.",
    "round.roll": "Everybody rolls at the same time, once all have declared and at least one has a target. The sizes"
    " of the dice are fixed at the roll.",
    "order.key": "The highest die goes first. If those are equal, the higher second die goes first.",
    "order.turn": "Only the next participant who has not acted yet may act, and only one attack is open at a time.",
    "round.close": "A round ends when no attack is open and nobody has an action left. Its dice are removed.",
    "action.attack": "The attack value is the highest face among the attacker's standing dice."
    f" {_price('attack4')} add {BONUS} to it and to the rating.",
    "defence.pick-up": "The defender may pick up and roll one or both dice. For the rest of the round, those dice"
    " count only in defence.",
    "defence.forfeit": "If you pick up your last standing die before you act, you lose your action.",
    "defence.reroll": "Dice that you picked up earlier can be rolled again against each later attack of the round.",
    "action.success": "An attack succeeds if its value is higher than the defence value. If they are equal, it fails.",
}
_IMPACT: Mapping[str, str] = {
    "level.max-for-rating": "In ratings, the defender's intensity counts as the size of the intensity die, whatever"
    " was rolled on it.",
    "impact.rating": "The rating of a successful attack is the attacker's counted die plus the defender's intensity"
    f" maximum, plus {BONUS} for every {_price('attack4')} spent on the attack.",
    "impact.ladder": f"The attacker chooses exactly one impact that the rating allows: {_LADDER}."
    " Not in the source: the attacker may choose none.",
    "impact.tax": "A tax lowers any one trait of the defender by one step, until a 5-minute rest after the scene.",
    "impact.damage": "Damage lowers the trait that the defender rolled this round by one step, until it is healed.",
    "impact.wound": "A wound lowers every trait of the defender by one step, until it is healed.",
    "impact.immediate": "An impact takes effect as soon as it is chosen, but faces already rolled do not change. An"
    " option of the table says whether dice already in play shrink with their trait.",
    "step.ladder": "A trait die steps down from D10 to D8, D6, D4 and then 0, and no further.",
    "step.stack": "A trait is down one step for each tax and each damage on it, and for each wound on the character.",
    "fatal.achieve": "A fatal impact gives the attacker total control over the defender's fate. It can be held.",
    "fatal.hold": "The holder keeps a fatal impact until the scene ends, and may use it or give it up at any time.",
    "fatal.use": "Only the holder can use a fatal impact. The holder says what happens to its subject; that may be a"
    " lower impact. It is then used up. If a use is declined, an answer to it does not happen either.",
    "fatal.mutilation": "A fatal impact can also change traits of a character who lives: to another die for good, or"
    " to none.",
    "fatal.out": "A fate can take a character out of play: until the scene closes, for a time put in words that a game"
    " master ends, or for good.",
    "negotiate.decline": "After a success, the attacker and the defender may agree on something that happens instead"
    " of the impact. Each player agrees once, for all of their characters. Unless everybody agrees, the success"
    " stands.",
    "negotiate.fiction": "An impact does not decide what happens in the story, such as who has the item. Only what the"
    " players agree on does.",
    "rest.taxes": "A 5-minute rest after a scene ends the taxes on the characters who rest.",
}
_EFFECTS: Mapping[str, str] = {
    "ap.pair": "A character holds advantage points against one other character, until they are spent.",
    "ap.spend": "Advantage points can be spent only in an attack between their holder and the opponent they are held"
    " against. Each side may spend as often as it likes, until neither wants more.",
    "ap.reroll": f"{_price('reroll')} rolls a die that counts in defence again. The new face counts, better or worse.",
    "ap.defence4": f"{_price('defence4')}, once the defence is rolled, add {BONUS} to it.",
    "ap.maximum": f"{_price('maximum')} let the attacker's highest-rolled standing die count as its size, for the"
    " rating only.",
}
_HEALING: Mapping[str, str] = {
    "heal.when": "Any player may ask for a healing moment when the story allows prolonged care or a night's rest.",
    "heal.moment": "A healing moment is for everybody. Each player says what their characters heal, and a game master"
    " answers for the others. If a player who was asked does not answer, a game master may answer that nothing heals,"
    " with a reason that the player sees. Everybody else is still asked.",
    "heal.daily": "There is at most one healing moment on each day of the story.",
    "heal.one-each": "In a healing moment, each character may heal one damage or one wound.",
    "heal.opponents": "Each unharmed main character gains advantage points against every opponent who heals: 1 for a"
    " damage, 2 for a wound.",
}
_ELSEWHERE: Mapping[str, tuple[str, str]] = {
    "defence.after-acting": (
        "A defender who has no action left to lose may pick up both dice at no cost.",
        "Example 1: Basic Conflict",
    ),
    "defence.let-stand": (
        "Standing dice do not defend. If you pick up no die, your defence value is 0.",
        "Example 3: Conflict with Many Characters",
    ),
    "negotiate.terms": (
        "A bargain can include using or giving up held fatal impacts, and giving up actions, if those who have them"
        " agree.",
        "Example 4: The Quickshot Hostage Rescue Maneuver",
    ),
}
_GAPS: Mapping[str, str] = {
    "level.scope": "a level counts for one round, or you cannot go below it for the rest of the scene.",
    "trait.none-left": "if all your traits are at 0, you roll the intensity die alone, or can only defend with it.",
    "round.amend": "you may change your target, trait and intent until the roll, unless the table fixes declarations.",
    "round.abandon": "a round can be dropped until its roll is complete. It puts nobody in conflict.",
    "order.full-tie": "if all dice are equal, the table decides who goes first, or the tied players roll again for it.",
    "order.basis": "the order stays as it was rolled, or follows the dice that are still standing.",
    "order.pass": "on your turn you may pass. Your dice can then defend freely.",
    "defence.commit": "a defender chooses once for each attack, or may add a die after seeing the first.",
    "action.target-gone": "when a character goes out of play, so do their action and any open attack they are part of."
    " Actions against them are lost too, or may take another target.",
    "fatal.holder-out": "a holder about to go out of play may answer with their own fatal impacts. Any that they still"
    " hold are lost, unless the table lets holders keep them.",
    "fatal.scene-end": "a scene cannot close while a fatal impact is held, or closing it ends those still held.",
    "ap.repeat": "effects other than the maximum may be bought again in one attack, if the table allows it.",
    "heal.conflict": "two characters are in conflict if one of them targeted the other in a round that was rolled since"
    " the last healing moment, or if the table says so. A healing moment shows these pairs, and a game master may add"
    " more.",
    "heal.rest": "a healing moment is also a rest: it ends taxes.",
    "scene.open": "only one scene is open at a time, and every character can take part in it.",
    "scene.close": "a scene can close when no round is open. Characters who were out for the scene return.",
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
    **_ruled({id: f"Not in the source: {statement}" for id, statement in _GAPS.items()}, ""),
}
