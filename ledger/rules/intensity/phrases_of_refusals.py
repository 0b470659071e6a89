"""Why something cannot be, in one sentence each: the culprit first, as far as the refusal names one."""

from __future__ import annotations

from collections.abc import Mapping

#: Of rounds and their order.
_ROUNDS: Mapping[str, str] = {
    "actions-left": "[{pending} can still act: ]the round is not over.",
    "already-declared": "{char} has declared already in this round.",
    "amend-what": "{char} can restate a target, a trait or an intent; a level is raised.",
    "cannot-act": "{char} has no trait left to act with and can only defend.",
    "character-out": "{char} is out of play.",
    "declaration-fixed": "{char} has declared, and at this table a declaration stands.",
    "lowered": "{char} was {last} in this scene and cannot be {level} now.",
    "no-action-left": "{char} has no action left to give up.",
    "no-other-declaration": "{char} can raise only in answer to somebody, and nobody else has declared.",
    "no-round": "No round is open.",
    "no-tie": "There is no tie to settle.",
    "nobody-acts": "Nobody acts against anybody, so there is nothing to roll for.",
    "not-a-raise": "{char} is {declared} already, so {level} is no raise.",
    "not-declared": "{char} has not declared yet.",
    "not-in-round": "{char} is not in this round.",
    "not-your-turn": "It is not {char}'s turn[ but {next}'s].",
    "participants": "A round takes two or more, each of them once.",
    "roll-dice": "[{char} rolls dice of {dice} sides: ]exactly the dice declared are rolled.",
    "roll-names": "It is for {to_roll} to roll, not for {named}.",
    "roll-off-long": "{throws:throw is|throws are} more than the tie takes.",
    "roll-off-names": "It is for {equal} to roll, not for {named}.",
    "roll-off-short": "{equal} are still tied and roll again.",
    "round-open": "A round is open.",
    "self": "{char} cannot be up against {char}.",
    "target-not-in-round": "{target} is not in this round.",
    "tie-by-roll-off": "{tied} roll for who goes first, as this table has it.",
    "tie-by-table-choice": "{tied} are put in order by the table and do not roll for it.",
    "tie-open": "{tied} are tied, and nobody acts before it is settled who goes first.",
    "tie-ranking": "{tied} are tied: each of them is named once, and nobody else.",
    "trait-required": "{char} must name a trait to roll: {usable} can be rolled.",
    "trait-unusable": "{char}'s {trait} has no die left.",
    "undeclared": "Before the roll {undeclared} must declare.",
    "unknown-level": "{level} is no level: there are calm, invested, passionate and fanatical.",
    "wrong-stage": "It is too early or too late for that.",
}

#: Of attacks and what they come to.
_ATTACKS: Mapping[str, str] = {
    "above-rating": "{impact} is out of reach: a rating of {rating} allows {allowed}.",
    "already-responded": "{defender} has chosen a defence already.",
    "ap-short": "{holder} has {balance:advantage point|advantage points} against {against}, and this costs {price}.",
    "attack-open": "Another attack is still open.",
    "die-unusable": "{trait} has no die left to roll.",
    "effect-used": "This effect has been bought in this attack already.",
    "no-attack": "No such attack is open.",
    "no-defence-die": "No die of {defender}'s counts in defence here.",
    "no-defence-yet": "{defender} has not chosen a defence yet.",
    "no-die-here": "A die is named for a reroll alone.",
    "no-such-die": "{defender} has no such die[: {die}].",
    "no-trait-here": "A trait is named for a tax or a damage alone.",
    "not-the-trait-used": "[{trait} was not used: ]only the trait rolled in that round can be hit[, {used}].",
    "retarget": "{char} declared against somebody else and cannot turn on {target}.",
    "target-gone": "[{target} is out of play: ]{char} has nobody to attack.",
    "unknown-effect": "{effect} is nothing that advantage points buy.",
    "unknown-impact": "{impact} is no impact: there are tax, advantage, damage, wound and fatal.",
    "wrong-side": "{holder} cannot buy this effect in this attack.",
}

#: Of fatals and bargains.
_FATALS: Mapping[str, str] = {
    "fatal-twice": "The same fatal is named twice.",
    "fate-text": "It must be said what this fate is.",
    "held-fatal-open": "{holder} must use or give up what fatals are held before the scene ends.",
    "holder-out": "{holder} is out of play and can use no fatal.",
    "no-answer": "{char} lets go of every fatal on going out and cannot answer with one.",
    "no-such-fatal": "No such fatal is held.",
    "not-game-master": "{seat} is no game master and cannot speak for the others.",
    "not-the-holder": "{holder} holds that fatal, and nobody else can use it or give it up.",
    "nothing-agreed": "A bargain at such a time takes a fatal used or given up, or an action given up.",
    "not-out-for-a-time": "{char} is not out of play for a limited time.",
    "out-for": "If somebody is out for a time, say for how long. Otherwise leave it out.",
    "parties": "It takes two or more to agree, each named once[, among them {needed}].",
    "subject-gone": "[{char}][{subject}] is out of play for good.",
    "terms-text": "It must be said what is agreed.",
    "trait-base": "{base} is no die of a trait: there are {allowed}.",
    "unknown-out": "{out} is not a way to be out of play. Choose none, scene, time or permanent.",
    "unknown-use": "{use_as} is nothing a fatal can be used as.",
}

#: Of people, rest and healing.
_HEALING: Mapping[str, str] = {
    "already-healed-today": "[{char} has healed on day {day} already.]"
    "[Day {day} is taken: the last healing moment was on day {last}.]",
    "day": "{day} is no day: a whole number belongs here.",
    "day-backwards": "Day {day} is past: the last healing moment was on day {last}.",
    "must-heal": "{hurt} must heal something, as this table has it.",
    "no-scene-to-rest-after": "There was no scene yet to rest after.",
    "not-healable": "{heal} is nothing {char} could heal: a damage or a wound is.",
    "not-your-character": "{char} is not played by {seat}.",
    "nothing-to-heal": "{char} has no {heal}[ on {trait}] to heal.",
    "scene-open": "A scene is open.",
    "text-blank": "Something must be said here.",
    "trait-dice": "[{dice} are not its dice: ]a main character has 10, 8 and 8, a minor one 6 and 6.",
    "trait-name": "Each trait needs a name of its own.",
    "unknown-kind": "{kind} is no kind of character: there are main and minor ones.",
    "unknown-trait": "{char} has no such trait[ as {trait}].",
}

REFUSALS: Mapping[str, str] = {**_ROUNDS, **_ATTACKS, **_FATALS, **_HEALING}
_ONE = ("char", "character", "who", "by", "target", "holder", "against", "defender", "subject", "next")
_SEVERAL = ("tied", "pending", "undeclared", "named", "to_roll", "equal", "needed", "hurt", "unharmed", "healing")
#: Names of what a refusal or a step was given that hold ids of characters.
PEOPLE = frozenset((*_ONE, *_SEVERAL))
