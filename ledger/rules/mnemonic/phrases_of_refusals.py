"""Why something cannot be, in one sentence each: the culprit first, as far as the refusal names one."""

from __future__ import annotations

from collections.abc import Mapping

#: Of checks, their rolls and the numbers typed in.
_CHECKS: Mapping[str, str] = {
    "card-drawn-twice": "Three cards must be different: one card appears twice.",
    "death-not-at-stake": "Life was not at stake in this check, so nobody can die from it.",
    "face-out-of-range": "[{face} cannot be rolled. ]Enter a number from 1 to {sides}.",
    "fluke-ruling-needed": "This roll is a fluke. The referee must first rule whether it was possible.",
    "no-fluke": "This roll is not a fluke, so there is nothing to rule on.",
    "other-method": "This check uses a different method: {method}.",
    "out-of-order": "That step is not available[ for check {check}][ for action {action}]: it does not exist, or it is"
    " already decided.",
    "redraw-king": "That is a King. Draw again.",
    "roll-again-needed": "[{given:number is|numbers are} not enough. ]Enter one more number.",
    "three-faces-needed": "Enter exactly three numbers[, not {given}].",
    "too-few-voices": "{voices:voice is|voices are} not enough. At least two people must speak.",
    "too-many-faces": "{given:number is|numbers are} too many. Enter {needed}.",
    "unknown-card": "There is no card of rank {rank}.",
    "unknown-chances": "This campaign has no Chances[ called {chances}].",
    "unknown-method": "This table does not use the method {method}.",
}
#: Of traits, Aptitudes and script immunity.
_APTITUDES: Mapping[str, str] = {
    "aptitude-out-of-range": "That is not a valid Aptitude. Choose a whole number from {lowest} to {highest}.",
    "aptitude-twice": "Use an assigned Aptitude or two traits, not both.",
    "bad-session": "That session is not open.",
    "dramatic-off": "This table plays without script immunity.",
    "feather-off": "This table plays without assigned Aptitudes.",
    "importance-needed": "This table rates script immunity for every check. Name a rating.",
    "importance-not-ruled-here": "This check does not rate script immunity, so leave the rating out.",
    "name-empty": "A name is missing.",
    "no-standing-aptitude": "There is no assigned Aptitude[ for {task}] to use.",
    "not-of-preset": "That rating does not fit this part in the story ({preset}). Choose {suggested}.",
    "player-judgement-needed": "{character} has no player who could give a judgement.",
    "reason-needed": "Give a reason.",
    "sheetless": "At this table every Aptitude is assigned. Traits are not used.",
    "two-traits-needed": "[{trait} cannot count twice. ]Choose two different traits.",
    "unknown-kind": "{kind} is not a kind of trait.",
    "unknown-rating": "This campaign has no rating[ called {rating}].",
    "unrated": "{trait} has no rating.",
}
#: Of injuries, recoveries and Status.
_STATUS: Mapping[str, str] = {
    "already-fine": "{character} is already Fine.",
    "already-injured": "{victim} already has an injury from that.",
    "bad-status": "There is no such level. Choose a level from 1 to 6.",
    "cause-missing": "Name the check that caused the injury.",
    "cause-not-failure": "That check did not fail, so it causes no injury.",
    "cause-not-spectacular": "That check was not the Spectacular result that causes this.",
    "cause-not-success": "That check did not succeed, so it causes no injury.",
    "cause-not-victim": "The victim did not make that attempt to avoid the injury.",
    "dead": "{character} is dead and can neither resist nor recover.",
    "inactive": "{character} is {condition} and cannot attempt that.",
    "no-treatment": "There is no completed check with that id[: {check}], so nobody was treated.",
    "not-an-improvement": "{character} is already at level {present}. Level {level} is not an improvement.",
    "unknown-cause": "{cause} is not a cause of an injury.",
    "unknown-condition": "{worst} is not possible. A victim who fails is immobilized, unconscious or dead.",
    "way-not-allowed": "This table does not use that way to recover.",
}
#: Of the referee and the dials.
_TABLE: Mapping[str, str] = {
    "bad-dial": "The option {dial} cannot have that value.",
    "ladder-duplicate-name": "{name} is on the ladder twice.",
    "ladder-negative-rating": "{name} is below zero. Ratings cannot be negative.",
    "ladder-not-ascending": "{name}, at {number}, is lower than the one before it.",
    "ladder-not-integer": "{name} needs a whole number.",
    "ladder-too-short": "A ladder of {rows:row|rows} is too short. It needs at least two.",
    "ladder-without-primary-rating": "The ladder has no {rating}, which is what the Primary Role counts as.",
    "no-referee": "There is no referee. A game master must first make somebody the referee.",
    "not-referee": "Only the referee can do that.",
    "observer-seat": "{seat} is an observer and cannot be the referee.",
    "six-names-needed": "Status needs six names, not {given}.",
    "status-duplicate-name": "Two levels of Status have the same name.",
    "status-initial": "{name} does not start with the same letter as {word}.",
}
REFUSALS: Mapping[str, str] = {**_CHECKS, **_APTITUDES, **_STATUS, **_TABLE}
#: Names in refusals that stand for characters.
PEOPLE: frozenset[str] = frozenset({"character", "victim", "who"})
