"""The kernel's own sentences: what every table declares, what comes of it, and why it may be refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.rules.kernel import commands as c
from ledger.rules.kernel import facts as f
from ledger.rules.kernel.phrases import Names, Phrases, words


def _dial(done: Any, names: Names) -> str:
    value = {True: "on", False: "off"}.get(done.value, done.value) if isinstance(done.value, bool) else done.value
    shown = words(value) if isinstance(value, str) else value if isinstance(value, int) else "another value"
    return f"The dial {words(done.name)} is set to {shown}: {done.reason}."


PHRASES = Phrases(
    inputs={
        c.Enrol: "{name} joins, played by {seat}.",
        c.HandOver: "{character} is handed over to {seat}.",
        c.Retire: "{character} leaves play: {reason}.",
        c.OpenScene: "The scene “{title}” begins[, with {cast}].",
        c.CloseScene: "The scene “{scene}” ends.",
        c.OpenSession: "A session begins[: {title}].",
        c.CloseSession: "The session ends.",
        c.SetDial: _dial,
        c.Amend: "The table sets {field} of {subject} to {value}: {reason}.",
        c.Adjust: "The table moves {amount} from {source} to {target}: {reason}.",
    },
    facts={
        f.CampaignOpened: "The campaign {name} is opened.",
        f.SeatTaken: "{name} sits down at the table as {role}.",
        f.SeatRenamed: "{subject} is called {name} from now on.",
        f.SeatRemoved: "{subject} leaves the table.",
        f.CharacterEnrolled: "{name} joins, played by {seat}.",
        f.CharacterHandedOver: "{subject} is played by {seat} from now on.",
        f.CharacterRetired: "{subject} leaves play: {reason}.",
        f.SceneOpened: "The scene “{title}” begins[, with {cast}].",
        f.SceneClosed: "The scene “{subject}” ends.",
        f.CharacterSeated: "{seat} plays {character}.",
        f.CharacterReseated: "{seat} plays {character} from now on.",
        f.SceneBegun: "The scene “{scene}” is open.",
        f.SceneEnded: "The scene “{scene}” is over.",
        f.SessionOpened: "The session begins[: {title}].",
        f.SessionClosed: "The session is over.",
        f.DialSet: _dial,
        f.Amended: "The table sets {field} of {subject} to {value}: {reason}.",
        f.Adjusted: "The table sets an account right: {reason}.",
        f.Leg: "This account takes its part in it.",
    },
    refusals={
        "already-retired": "{character} has left play already.",
        "already-waiting": "The same is waiting for its answer already.",
        "amend-value": "That cannot be set there: {problem}",
        "answer-kind": "The question asks for {expected}.",
        "card-count": "{expected:card is|cards are} drawn, not {given}.",
        "card-not-there": "That card is not among those that can be drawn.",
        "choice-kind": "The answer is one of {expected}.",
        "coins": "{expected:coin is|coins are} flipped, each heads or tails.",
        "dealt-by-the-ledger": "The ledger deals here; cards cannot be typed in.",
        "dial-value": "That is no value of this dial.",
        "dice-count": "{expected} are rolled, not {given}.",
        "duplicate": "Somebody or something is named twice.",
        "face-range": "A die of {sides} sides does not show {face}.",
        "fields-blank": "Something must be said here.",
        "name-blank": "A name is needed.",
        "no-scene": "There is no scene it could be declared in.",
        "not-asked": "There is no question to be answered.",
        "not-these-cards": "A shuffle keeps exactly the same cards.",
        "overdrawn": "{account} does not hold that much.",
        "reason-blank": "A reason is needed.",
        "rules-failed": "The rules broke on it; it keeps what it recorded.",
        "scene-closed": "The scene is closed already.",
        "seat-removed": "{seat} has left the table.",
        "session-not-open": "That session is not open.",
        "session-open": "A session is open already.",
        "shown-to-others": "The game shows that to {shown_to} as well, so it cannot be hidden.",
        "title-blank": "A title is needed.",
        "unknown-account": "There is no such account: {problem}",
        "unknown-character": "There is no such character[: {subject}].",
        "unknown-dial": "There is no dial {dial}.",
        "unknown-scene": "There is no such scene[: {subject}][: {given}].",
        "unknown-seat": "There is no such seat[: {subject}][: {given}].",
        "unknown-subject": "There is nothing called {subject} here.",
        "unlimited-accounts": "One of the two accounts must be somebody's.",
    },
)

#: What is asked, where the game has no words of its own for it. By what is to be done.
QUESTIONS: Mapping[str, str] = {
    "roll": "[{character} rolls ]{count}d{sides}[: {purpose}].",
    "open roll": "[{character} rolls ]{count}d{sides}, and one more for each {opens}[: {purpose}].",
    "draw": "[{character} draws ]{count:card|cards}[: {purpose}].",
    "shuffle": "The cards are shuffled[: {purpose}].",
    "flip": "{count:coin is|coins are} flipped[: {purpose}].",
    "choice": "A choice: {choices}[, {purpose}].",
}
#: What was answered.
ANSWERS: Mapping[str, str] = {
    "dice": "[{character} rolls ]{faces}[ ({purpose})].",
    "cards": "[{character} draws ]{cards}[ ({purpose})].",
    "order": "The cards are shuffled[ ({purpose})].",
    "coins": "{coins}[ ({purpose})].",
}
HIDDEN_DECLARATION = "Something is declared that not everybody may know."
#: What was decided about a ruling, and who decided it.
DECISIONS: Mapping[str, str] = {
    "disputed": "{seat} disputes ruling {number}[: {reason}].",
    "upheld": "{seat} upholds ruling {number}[: {reason}].",
    "overturned": "{seat} overturns ruling {number}[: {reason}].",
    "reinstated": "{seat} reinstates ruling {number}[: {reason}].",
    "revised": "{seat} corrects ruling {number}[: {reason}].",
    "reruled": "Ruling {number} is ruled again because of ruling {cause}.",
    "recounted": "What follows from ruling {number} is counted again because of ruling {cause}.",
    "witnessed": "{seat} has seen ruling {number}.",
}
#: What somebody must settle.
FINDINGS: Mapping[str, str] = {
    "changes": "Ruling {ruling} would come out otherwise since ruling {cause} was decided.",
    "loses support": "Ruling {ruling} could not have been ruled since ruling {cause} was decided.",
    "needs dice": "Ruling {ruling} would need dice that were never rolled since ruling {cause} was decided.",
    "overdrawn": "[{character}: ]{account} is less than nothing since ruling {cause} was decided.",
    "adrift": "Part of ruling {ruling}[ about {character}] finds nothing to change since ruling {cause} was decided.",
}
#: How a later ruling would come out. `said`: it, in a sentence without its end; `now`, `then`: what becomes true.
#: Of a preview.
RESTS = "What comes of it rests on what is hidden from you."
STANDPOINTS: Mapping[str, str] = {
    "stands": "Ruling {number} stands.",
    "changes": "Ruling {number} would come out otherwise ({said}): {then}[ instead of: {now}].",
    "loses support": "Ruling {number} could not have been ruled ({said}): {then}.",
    "needs dice": "Ruling {number} would need an answer that nobody has given ({said}): {then}.",
    "rests on what is hidden from you": "Ruling {number} rests on what is hidden from you.",
}
