"""Sentences for refusals: what is wrong, then what is allowed. Nothing is secret in this game."""

from __future__ import annotations

from collections.abc import Mapping

_OF_SHEETS: Mapping[str, str] = {
    "age-unknown": "Age must be young, adult or old.",
    "attribute-max": "{character}'s {feature} is already as high as an attribute can be at this table.",
    "attribute-missing": "Give all six attributes: Size, Spirit, Physique, Beauty, Speed and Social.",
    "attribute-range": "An attribute must be from 1 to 7, and no higher than this table's maximum for all scores.",
    "attribute-unknown": "There is no such attribute[: {attribute}]. Choose Size, Spirit, Physique, Beauty, Speed or"
    " Social.",
    "body-form": "That body does not fit this Identity. Possible forms: {forms}."
    " A primary Demon also needs an unnatural feature.",
    "character-differs": "Ruling {ruling} is a task against {target}, not {character}."
    " To use another target, give a reason.",
    "effect-differs": "Ruling {ruling} has an Effect of {said}, not {effect}. To use another Effect, give a reason.",
    "everything-max": "{character}'s {feature} is already as high as any score can be at this table.",
    "expertise-not-from-steps": "The steps of character creation do not give these levels: {differ}.",
    "expertise-repeated": "Each of the six picks must be a different Expertise.",
    "expertise-two-per-step": "Pick two Expertises in each of the three steps.",
    "expertise-unknown": "There is no such Expertise[: {expertise}].",
    "house-unknown": "There is no House {house}. The Houses are Aggak-Ko, Mekag, Druinar, Esseth, Sfere, Repta and"
    " Nuin.",
    "identity-not-natural": "Man, Beast and Demon must be whole numbers, 0 or more.",
    "identity-primary-not-highest": "The primary Identity must be the highest of Man, Beast and Demon.",
    "identity-primary-unknown": "The primary Identity must be Man, Beast or Demon.",
    "identity-sum": "Man, Beast and Demon must add up to 6.",
    "identity-two-zeros": "Only one of Man, Beast and Demon can be 0.",
    "lowering-raises": "Attributes in `lowered` can be lower than in `attributes`, but not higher.",
    "physique-beauty-sum": "Physique and Beauty must add up to 8.",
    "power-not-natural": "Points of a Power must be whole numbers, 0 or more.",
    "power-not-primary": "A character cannot use or pick the Power of another Identity[: {expertise}].",
    "power-option-unknown": "This character's Power has no such option[: {option}][. Choose from {known}].",
    "power-overspent": "That Power does not have enough points[: it has {level}][: {free} left].",
    "sex-unknown": "Sex must be male or female.",
    "size-spirit-beast": "If Beast is the primary Identity, Size must be higher than Spirit.",
    "size-spirit-demon": "If Demon is the primary Identity, Spirit must be higher than Size.",
    "size-spirit-man": "If Man is the primary Identity, Size and Spirit are both 4.",
    "size-spirit-sum": "Size and Spirit must add up to 8.",
    "social-must-be-4": "An old character who ignores the guideline for their sex must have Social 4.",
    "social-over-4": "A character who ignores the guideline for their sex has Social 4 or less.",
    "speed-over-3": "An old character who ignores the guideline for their sex must have Speed 3 or less.",
    "speed-social-old": "Old characters must have more Social than Speed.",
    "speed-social-sum": "Speed and Social must add up to 8.",
    "speed-social-young": "Young characters must have more Speed than Social.",
    "vow-object": "Name the object of the Vow, and say whether it is a person, a House or a goal.",
}
_OF_TASKS: Mapping[str, str] = {
    "bad-number": "Give {what} as a whole number, 0 or more.",
    "bad-score": "A score must be a whole number, 0 or more[ ({what})][ ({expertise})].",
    "dice-count": "This roll has {expected:die|dice}, not {given}.",
    "dice-face": "A die cannot show {face}. Its faces are 1 to 6.",
    "imitates-itself": "Occult can imitate any Expertise except itself.",
    "modifier-range": "Difficulty goes from 0 to {hardest}.",
    "npc-does-not-roll": "{character} has no player. At this table, such characters do not roll.",
    "number-needed": "The declaration leaves out the {what}. Give a number.",
    "occult-needs-resolve": "Occult costs at least 1 point of Infernal Resolve. Declare `occult` or"
    " `occult-purchase`, with the points.",
    "power-none": "A Power rolled by itself needs points in the chosen options[: {options}].",
    "side-unknown": "The side must be `own` or `target`, not {side}.",
}
_OF_CONFLICTS: Mapping[str, str] = {
    "already-in-conflict": "{character} is already in a conflict.",
    "already-next": "{character} is already next in the order.",
    "ap-full": "{character} has {ap:Action Point|Action Points}, and the maximum is {maximum}. There are none"
    " to recover.",
    "ap-over-max": "{character} has {ap:Action Point|Action Points} and cannot go above {maximum}.",
    "bad-target": "Choose another character who is present[, not {target}][, not {to}][, not {seller}].",
    "collapsed": "[{character}][{target}] has collapsed. They must recover an Action Point first.",
    "conflict-open": "This scene already has an open conflict. Characters can join it.",
    "dead": "[{character}][{target}] is dead.",
    "decision-pending": "[{character} must decide about their terminal damage first]"
    "[{target} must decide about their terminal damage first][{action}'s declared action must be carried out first].",
    "dice-too-early": "The target first chooses whether to defend. Leave the dice out for now; you will be asked for"
    " them.",
    "duplicate": "{named} is named twice.",
    "hit-kind": "That kind of hit does not fit this Expertise: {hit_kind}[. Choose {only} or none].",
    "hit-kind-unknown": "A hit must be physical, spiritual or none, not {hit_kind}.",
    "in-conflict": "{character} is in a conflict, where nothing can take minutes or hours.",
    "no-ap": "[{character} has no Action Points left, and can only recover or pass]"
    "[{target} has no Action Points left, and cannot defend].",
    "no-conflict": "There is no conflict in this scene. Open one first.",
    "no-open-action": "No declared action is waiting to be carried out. Declare one first.",
    "no-participants": "A conflict needs at least one participant.",
    "not-in-scene": "{character} is not in a conflict.",
    "not-your-turn": "It is not {character}'s turn. The order is {queue}.",
    "not-yours": "That is not your decision[: {target}'s side decides].",
    "own-side-only": "In a conflict, an action on a thing or on nobody is rolled against the actor's own attribute."
    " Choose the side `own`.",
    "recovering": "{target} is recovering and cannot defend before their next turn.",
    "time-ahead": "The clock is only at minute {last}, so nothing can have begun at minute {minute}.",
    "tie-needs-coin": "{tied} are completely tied. Add a coin that decides between them.",
    "time-backwards": "The clock is already at minute {last}. It cannot go back to minute {minute}.",
    "too-slow": "[Occult takes hours, and {actor} is in a conflict]"
    "[{expertise} takes hours and cannot be used in a conflict].",
}
_OF_HURTS: Mapping[str, str] = {
    "heal-too-much": "{character} can heal at most {lost:point|points} of {what}, not {healed}.",
    "less-than-an-hour": "Restoring Infernal Resolve takes at least 60 minutes, not {minutes}.",
    "no-decision-pending": "{character} has no terminal damage to decide about.",
    "no-resolve": "{character} does not have enough Infernal Resolve[: {resolve} left].",
    "not-proposed": "Nothing was proposed about this: {what}. Leave it out.",
    "not-quiet": "{activity} does not restore Infernal Resolve. These activities do: {quiet}.",
    "nothing-to-shunt": "There is no damage to shunt to Beauty. Leave the points out.",
    "rest-range": "It takes 1 to 6 hours of rest to end exhaustion.",
    "shunt-too-large": "{character} can shunt at most {most:point|points} to Beauty.",
    "weapon-cap": "At this table a weapon adds at most {cap} to an Effect, not {weapon}.",
}
_OF_DEALINGS: Mapping[str, str] = {
    "agreed-blank": "Give a reason why the seller agrees.",
    "already-awarded": "[{characters} already got points for that session]"
    "[{character} already got the point for a Vow in that session].",
    "award-differs": "That session's award is {awarded:character point|character points} for everybody, not {points}.",
    "award-range": "Award 1 or 2 character points for a session.",
    "bad-amount": "That amount is not possible here[: {amount}][: {price}][: {credited}][: {change}]. Where an amount"
    " is asked for, give a whole number, 1 or more.",
    "credit-short": "The account has {credit} Credit[; this costs {needed}][; this costs {amount}]"
    "[; it cannot change by {change}].",
    "feature-not-used": "{character} did not use {feature} in the previous session. Only used features can be raised.",
    "feature-unknown": "There is no feature called {feature}. Features are Identities, attributes and Expertises.",
    "has-a-player": "{buyer} has a player, who decides what {buyer} buys. Declare a purchase instead.",
    "item-blank": "Name the item.",
    "no-armour": "{item} is not armour. Choose a possession that is, or give a number.",
    "no-house-status": "This table does not use status within a House.",
    "no-vow": "{character} has no such Vow[: {vow}].",
    "no-weapon": "{item} is not a weapon. Choose a possession that is, or give a number.",
    "nobody-played": "Nobody played that session. A game master can record who was present.",
    "not-available": "{item} is not available.",
    "not-conforming": "{character} did not conform to the Vow. This table gives the point only for conforming to it.",
    "nothing-to-reduce": "The Identity that should fall is already 0.",
    "number-and-possession": "Name a possession or give a number, not both.",
    "outcome-unknown": "A Vow is fulfilled or ended, not {outcome}.",
    "points-short": "{character} has {points:character point|character points}; this costs {cost}.",
    "possession-unknown": "[{character} has no such possession. ]Name the owner and one of their possessions.",
    "reduce-another": "Only an Identity can be raised by lowering another one. Choose two different Identities.",
    "same-account": "Credit moves only between accounts with two different Houses.",
    "session-unsaid": "No session is open. Say which session this counts for.",
    "session-unknown": "Choose the open session or the last one. No other session counts.",
    "text-blank": "Say what the character learns.",
}
#: Where a rule has its own words for a code.
REFUSALS_OF: Mapping[tuple[str, str], str] = {
    ("mongrel.damage.hit", "hit-kind-unknown"): "A hit must be physical or spiritual, not {hit_kind}.",
    ("mongrel.credit.adjust", "bad-amount"): "The change must be a whole number above or below 0, not {change}.",
    ("mongrel.credit.purchase", "bad-amount"): "The seller only agrees or declines. Leave the amount out.",
}
REFUSALS: Mapping[str, str] = {**_OF_SHEETS, **_OF_TASKS, **_OF_CONFLICTS, **_OF_HURTS, **_OF_DEALINGS}
#: Names in what is refused, or derived, that are ids of characters.
PEOPLE = frozenset(
    {
        "action", "actor", "buyer", "character", "characters", "left", "named", "participants", "queue", "seller",
        "target", "tied", "to", "was",
    }
)  # fmt: skip
