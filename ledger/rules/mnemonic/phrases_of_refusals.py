"""Why something cannot be, in one sentence each: the culprit first, as far as the refusal names one."""

from __future__ import annotations

from collections.abc import Mapping

#: Of checks, their rolls and the numbers typed in.
_CHECKS: Mapping[str, str] = {
    "card-drawn-twice": "One card appears twice. Enter three different cards.",
    "death-not-at-stake": "Life was not at stake in this check, so nobody can die from it.",
    "face-out-of-range": "[{face} cannot be rolled. ]Enter a number from 1 to {sides}.",
    "fluke-ruling-needed": "This roll is a fluke. The referee must first rule whether that was possible.",
    "no-fluke": "This roll is not a fluke, so there is nothing to rule on.",
    "other-method": "This check is rolled by another method: {method}.",
    "out-of-order": "This step is not possible now[ for check {check}][ for action {action}]. An earlier step is"
    " missing, or this one is already decided.",
    "redraw-king": "That is a King. Draw another card.",
    "roll-again-needed": "[{given:number is|numbers are} not enough. ]Enter one more number.",
    "three-faces-needed": "Enter exactly three numbers[, not {given}].",
    "too-few-voices": "{voices:spoken number is|spoken numbers are} not enough. Enter at least two.",
    "too-many-faces": "{given:number is|numbers are} too many. Enter {needed}.",
    "unknown-card": "There is no card of rank {rank}. Enter A, 2 to 10, J or Q.",
    "unknown-chances": "This campaign has no Chances[ called {chances}]. Choose from its ladder of Chances.",
    "unknown-method": "This table does not roll by the method {method}. Choose one of its other methods.",
}
#: Of traits, Aptitudes and script immunity.
_APTITUDES: Mapping[str, str] = {
    "aptitude-out-of-range": "That is not a possible Aptitude. Choose a whole number from {lowest} to {highest}.",
    "aptitude-twice": "Use an assigned Aptitude or two traits, not both.",
    "bad-session": "No such session is open.",
    "dramatic-off": "This table plays without script immunity.",
    "feather-off": "This table plays without assigned Aptitudes.",
    "importance-needed": "This table rates script immunity for every check. Name a rating.",
    "importance-not-ruled-here": "Script immunity is not rated for this check. Leave the rating out.",
    "name-empty": "A name is missing. Enter one.",
    "no-standing-aptitude": "There is no assigned Aptitude[ for {task}] to use. The referee must assign one first.",
    "not-of-preset": "That rating does not fit this part in the story ({preset}). Choose {suggested}.",
    "player-judgement-needed": "{character} has no player who could judge. Assign the Aptitude without asking one.",
    "reason-needed": "Give a reason.",
    "sheetless": "At this table every Aptitude is assigned. Traits are not used.",
    "two-traits-needed": "[{trait} cannot count twice. ]Choose two different traits.",
    "unknown-kind": "{kind} is not possible here. Choose a Talent or a Life Role.",
    "unknown-rating": "This campaign has no rating[ called {rating}]. Choose from its ladder of ratings.",
    "unrated": "{trait} has no rating. The referee must give one first.",
}
#: Of injuries, recoveries and Status.
_STATUS: Mapping[str, str] = {
    "already-fine": "{character} is already Fine, and has nothing to recover from.",
    "already-injured": "{victim} already has an injury from that check or action.",
    "bad-status": "There is no such level. Choose a level from 1 to 6.",
    "cause-missing": "Name the check or action that caused the injury.",
    "cause-not-failure": "That check or action did not fail, so it causes no injury.",
    "cause-not-spectacular": "That check did not have the necessary Spectacular result. Choose one that did.",
    "cause-not-success": "That check or action did not succeed, so it causes no injury.",
    "cause-not-victim": "Somebody else made that attempt. Name an attempt by the victim to avoid the injury.",
    "dead": "{character} is dead and can neither resist nor recover.",
    "inactive": "{character} is {condition} and cannot attempt that.",
    "no-treatment": "[{check} is not a resolved check of an action. ]Name the check that treated the injury.",
    "not-an-improvement": "{character} is already at level {present}. Level {level} is not an improvement.",
    "unknown-cause": "{cause} is not a cause of an injury. Choose an attack, a failed dodge, a Spectacular Failure or"
    " the referee's ruling.",
    "unknown-condition": "{worst} is not possible. A victim who fails is immobilized, unconscious or dead.",
    "way-not-allowed": "This table does not use that way to recover. Its option `recovery.ways` lists the ways.",
}
#: Of the referee and the dials.
_TABLE: Mapping[str, str] = {
    "bad-dial": "The option {dial} cannot have that value.",
    "ladder-duplicate-name": "{name} is on the ladder twice. Use each name once.",
    "ladder-negative-rating": "{name} is below zero. Ratings cannot be negative.",
    "ladder-not-ascending": "{name}, at {number}, is lower than the row before it. List the rows from low to high.",
    "ladder-not-integer": "{name} needs a whole number beside it.",
    "ladder-too-short": "A ladder of {rows:row|rows} is too short. It needs at least two.",
    "ladder-without-primary-rating": "The Primary Role counts as {rating}, and the ladder has no such rating.",
    "no-referee": "There is no referee, and this table needs one. A game master must first make somebody the referee.",
    "not-referee": "Only the referee can do that.",
    "observer-seat": "{seat} only watches and cannot be the referee. Choose a player or a game master.",
    "six-names-needed": "Status needs six names, not {given}.",
    "status-duplicate-name": "Two levels of Status have the same name. Choose six different names.",
    "status-initial": "{name} must start with the same letter as {word}.",
}
REFUSALS: Mapping[str, str] = {**_CHECKS, **_APTITUDES, **_STATUS, **_TABLE}
#: Names in refusals that stand for characters.
PEOPLE: frozenset[str] = frozenset({"character", "victim", "who"})
