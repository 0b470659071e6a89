"""Why something cannot be, in one sentence each: the culprit first, as far as the refusal names one."""

from __future__ import annotations

from collections.abc import Mapping

#: Of checks, their rolls and the numbers typed in.
_CHECKS: Mapping[str, str] = {
    "card-drawn-twice": "The same card cannot be drawn twice among three.",
    "death-not-at-stake": "Life was not at stake in this check, so nobody dies of it.",
    "face-out-of-range": "[{face} is no number that can be rolled: ]one from 1 to {sides} is needed.",
    "fluke-ruling-needed": "A fluke was rolled, and the referee has yet to say whether it was possible.",
    "no-fluke": "No fluke was rolled, so there is none to rule on.",
    "other-method": "This check was ruled to be made another way: {method}.",
    "out-of-order": "It is not the time for that[ in check {check}][ in action {action}]: either there is no such thing"
    " to decide, or it is decided already.",
    "redraw-king": "A King is drawn again.",
    "roll-again-needed": "[{given:number is|numbers are} not enough: ]another number is needed.",
    "three-faces-needed": "Exactly three numbers are needed[, not {given}].",
    "too-few-voices": "{voices:voice is|voices are} too few: two or more must speak.",
    "too-many-faces": "{given:number is|numbers are} too many: {needed:is|are} needed.",
    "unknown-card": "There is no card of rank {rank}.",
    "unknown-chances": "[{chances}: ]there are no such Chances in this campaign.",
    "unknown-method": "{method} is no method of this table.",
}
#: Of traits, Aptitudes and script immunity.
_APTITUDES: Mapping[str, str] = {
    "aptitude-out-of-range": "That is no Aptitude: it is a whole number from {lowest} to {highest}.",
    "aptitude-twice": "An Aptitude is assigned or comes from traits, never both.",
    "bad-session": "That session is not open.",
    "dramatic-off": "This table plays without script immunity.",
    "feather-off": "This table plays without assigned Aptitudes.",
    "importance-needed": "Script immunity is rated anew in every such check, so a rating must be named.",
    "importance-not-ruled-here": "Script immunity is not rated in this check, so no rating can be named.",
    "name-empty": "A name is missing.",
    "no-standing-aptitude": "No Aptitude stands[ for {task}] that could be used.",
    "not-of-preset": "That rating does not go with the part in the story, {preset}: {suggested} would.",
    "player-judgement-needed": "{character} has no player to be asked for a judgement.",
    "reason-needed": "A reason is needed.",
    "sheetless": "At this table every Aptitude is assigned, and none comes from traits.",
    "two-traits-needed": "[{trait} cannot count twice: ]two different traits are needed.",
    "unknown-kind": "{kind} is no kind of trait.",
    "unknown-rating": "[{rating}: ]there is no such rating in this campaign.",
    "unrated": "{trait} is not rated.",
}
#: Of injuries, recoveries and Status.
_STATUS: Mapping[str, str] = {
    "already-fine": "{character} is Fine already.",
    "already-injured": "{victim} has an injury of that already.",
    "bad-status": "There is no such level to recover to: levels go from 1 to 6.",
    "cause-missing": "The check that caused the injury is missing.",
    "cause-not-failure": "That did not fail, so no injury comes of it.",
    "cause-not-spectacular": "That was no Spectacular result of the sort that brings this.",
    "cause-not-success": "That did not succeed, so no injury comes of it.",
    "cause-not-victim": "It was not the victim who tried to avoid that.",
    "dead": "{character} is dead and neither resists nor recovers.",
    "inactive": "{character} is {condition} and cannot attempt that.",
    "no-treatment": "No check of an action with a result has that id[: {check}], so it treated nobody.",
    "not-an-improvement": "{character} is at level {present} already, and level {level} is no improvement.",
    "unknown-cause": "{cause} is no cause of an injury.",
    "unknown-condition": "{worst} is not what becomes of a victim, who is immobilized, unconscious or dead.",
    "way-not-allowed": "At this table nobody recovers that way.",
}
#: Of the referee and the dials.
_TABLE: Mapping[str, str] = {
    "bad-dial": "The dial {dial} cannot be set to that.",
    "ladder-duplicate-name": "{name} stands on the ladder twice.",
    "ladder-negative-rating": "{name} is below zero, which no rating can be.",
    "ladder-not-ascending": "{name}, at {number}, is lower than the one before it.",
    "ladder-not-integer": "{name} has no whole number.",
    "ladder-too-short": "A ladder of {rows:row|rows} is too short: two are needed.",
    "ladder-without-primary-rating": "{rating}, which the Primary Role counts as, is missing on the ladder.",
    "not-referee": "Only the referee can do that.",
    "observer-seat": "{seat} only watches and cannot be the referee.",
    "six-names-needed": "{given:name is|names are} given, and Status needs six.",
    "status-duplicate-name": "Two levels of Status have the same name.",
    "status-initial": "{name} does not begin as {word} does.",
}
REFUSALS: Mapping[str, str] = {**_CHECKS, **_APTITUDES, **_STATUS, **_TABLE}
#: Names in refusals that stand for characters.
PEOPLE: frozenset[str] = frozenset({"character", "victim", "who"})
