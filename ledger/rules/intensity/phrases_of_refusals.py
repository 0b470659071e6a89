"""Refusals, a sentence or two each: what is wrong, then what is allowed."""

from __future__ import annotations

from collections.abc import Mapping

#: Of rounds and their order.
_ROUNDS: Mapping[str, str] = {
    "actions-left": "The round is not over[: {pending} can still act].",
    "already-declared": "{char} has already declared in this round.",
    "amend-what": "You can change {char}'s target, trait or intent here. To change the level, raise it.",
    "cannot-act": "{char} has no usable trait left and can only defend.",
    "character-out": "{char} is out of play.",
    "declaration-fixed": "{char} has declared. At this table, a declaration cannot be changed.",
    "lowered": "{char} was {last} in this scene and cannot go down to {level}.",
    "no-action-left": "{char} has no action left to give up.",
    "no-other-declaration": "{char} can raise only after another participant has declared.",
    "no-round": "No round is open.",
    "no-tie": "There is no tie to resolve.",
    "nobody-acts": "Nobody has a target, so there is nothing to roll for. At least one participant needs a target.",
    "not-a-raise": "{char} is already {declared}, so {level} is not a raise. Choose a higher level.",
    "not-declared": "{char} has not declared yet.",
    "not-in-round": "{char} is not in this round.",
    "not-your-turn": "It is not {char}'s turn[. {next} is next].",
    "participants": "A round needs at least two different characters.",
    "roll-dice": "[{char} rolls dice with these numbers of sides: {dice}. ]Enter exactly the dice that were declared.",
    "roll-names": "You named {named}, but these still have to roll: {to_roll}.",
    "roll-off-long": "{throws:throw is|throws are} too many. This tie needs {needed}.",
    "roll-off-names": "[You named {named}. ]Name exactly those who must roll: {equal}.",
    "roll-off-short": "{equal} are still tied and must roll again.",
    "round-open": "A round is open. Finish it first.",
    "self": "{char} cannot target {char}. Choose another character.",
    "target-not-in-round": "{target} is not in this round.",
    "tie-by-roll-off": "{tied} are tied. At this table, they roll for who goes first.",
    "tie-by-table-choice": "{tied} are tied. At this table, a game master says who goes first, without a roll.",
    "tie-open": "{tied} are tied. Decide who goes first before anybody acts.",
    "tie-ranking": "{tied} are tied. Name each of them exactly once, and nobody else.",
    "trait-required": "{char} must choose a trait to roll. Available: {usable}.",
    "trait-unusable": "{char}'s {trait} has no die left.",
    "undeclared": "{undeclared} must declare before the roll.",
    "unknown-level": "{level} is not a level. Choose calm, invested, passionate or fanatical.",
    "wrong-stage": "This is not possible at this point of the round.",
}

#: Of attacks and their outcomes.
_ATTACKS: Mapping[str, str] = {
    "above-rating": "A rating of {rating} is too low for {impact}. It allows {allowed}.",
    "already-responded": "{defender} has already chosen a defence.",
    "ap-short": "{holder} has {balance:advantage point|advantage points} against {against}; this costs {price}.",
    "attack-open": "Another attack is still open.",
    "die-unusable": "{trait} has no die left to roll.",
    "effect-used": "This effect has already been bought in this attack.",
    "no-attack": "That attack is not open.",
    "no-defence-die": "{defender} has no die that counts in defence against this attack.",
    "no-defence-yet": "{defender} has not chosen a defence yet.",
    "no-die-here": "Only a reroll names a die. Leave it out.",
    "no-such-die": "{defender} does not have that die[: {die}].",
    "no-trait-here": "Only a tax or damage names a trait. Leave it out.",
    "not-the-trait-used": "[{trait} was not used. ]Only the trait rolled in that round can be hit[: {used}].",
    "retarget": "{char} declared a different target and cannot attack {target} instead.",
    "target-gone": "[{target} is out of play. ]{char} has nobody to attack.",
    "unknown-effect": "{effect} cannot be bought. Choose reroll, maximum, defence4 or attack4.",
    "unknown-impact": "{impact} is not an impact. Choose tax, advantage, damage, wound or fatal.",
    "wrong-side": "{holder} cannot buy this effect in this attack.",
}

#: Of fatal impacts and bargains.
_FATALS: Mapping[str, str] = {
    "fatal-twice": "The same fatal impact is named twice. Name it once.",
    "fate-text": "Describe this fate.",
    "held-fatal-open": "{holder} must use or give up every held fatal impact before the scene ends.",
    "holder-out": "{holder} is out of play and cannot use a fatal impact.",
    "no-answer": "{char} loses every fatal impact when going out of play, so {char} cannot answer with one.",
    "no-such-fatal": "There is no such fatal impact to use or give up.",
    "not-game-master": "{seat} is not a game master and cannot speak for the others.",
    "not-the-holder": "{holder} holds that fatal impact. Only {holder} can use it or give it up.",
    "nothing-agreed": "Without an attack to avoid, a bargain must use a fatal impact, or give up one or an action.",
    "not-out-for-a-time": "{char} is not out of play for a limited time.",
    "out-for": "If a character is out of play for a time, say for how long. Otherwise leave it out.",
    "parties": "A bargain needs two or more parties, each named once[, including {needed}].",
    "subject-gone": "[{char}][{subject}] is out of play for good.",
    "terms-text": "Describe what the parties agree on.",
    "trait-base": "{base} is not a trait die. Choose {allowed}.",
    "unknown-out": "{out} is not a way to be out of play. Choose none, scene, time or permanent.",
    "unknown-use": "A fatal impact cannot be used as {use_as}. Choose fate, tax, advantage, damage or wound.",
}

#: Of characters, rest and healing.
_HEALING: Mapping[str, str] = {
    "already-healed-today": "[{char} has already healed on day {day}.]"
    "[Day {day} is too early. The last healing moment was on day {last}.]",
    "day": "{day} is not a day. Enter a whole number.",
    "day-backwards": "Day {day} is too early. The last healing moment was on day {last}.",
    "must-heal": "At this table, {hurt} must heal something.",
    "no-scene-to-rest-after": "No scene has closed yet. You can rest after a scene.",
    "not-healable": "{char} cannot heal {heal}. Choose damage, wound or none.",
    "not-your-character": "{seat} does not play {char}.",
    "nothing-to-heal": "{char} has no {heal}[ on {trait}] to heal.",
    "scene-open": "A scene is open. Close it first.",
    "text-blank": "This text cannot be empty.",
    "trait-dice": "[These dice are not allowed: {dice}. ]A main character has 10, 8 and 8; a minor character has 6"
    " and 6.",
    "trait-name": "Each trait needs its own name.",
    "unknown-kind": "{kind} is not a kind of character. Choose main or minor.",
    "unknown-trait": "{char} does not have that trait[: {trait}].",
}

REFUSALS: Mapping[str, str] = {**_ROUNDS, **_ATTACKS, **_FATALS, **_HEALING}
_ONE = ("char", "character", "who", "by", "target", "holder", "against", "defender", "subject", "next")
_SEVERAL = ("tied", "pending", "undeclared", "named", "to_roll", "equal", "needed", "hurt", "unharmed", "healing")
#: Names of what a refusal or a step was given that hold ids of characters.
PEOPLE = frozenset((*_ONE, *_SEVERAL))
