"""The kernel's own sentences: what every table declares, what comes of it, and why it may be refused."""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel import commands as c
from ledger.rules.kernel import facts as f
from ledger.rules.kernel.phrases import Names, Phrases, words


def _amended(done: Any, names: Names) -> str:
    return f"{words(done.field).replace('/', ', ').capitalize()} is set by the table: {done.reason}."


def _dial(done: Any, names: Names) -> str:
    value = {True: "on", False: "off"}.get(done.value, done.value) if isinstance(done.value, bool) else done.value
    shown = words(value) if isinstance(value, str) else value if isinstance(value, int) else "another value"
    return f"The dial {words(done.name)} is set to {shown}: {done.reason}."


PHRASES = Phrases(
    inputs={
        c.Enrol: "{name} joins, played by {seat}.",
        c.HandOver: "{character} is handed over to {seat}.",
        c.Retire: "{character} leaves play: {reason}.",
        c.OpenScene: "A scene begins: {title}[, with {cast}].",
        c.CloseScene: "The scene {scene} ends.",
        c.OpenSession: "A session begins[: {title}].",
        c.CloseSession: "The session ends.",
        c.SetDial: _dial,
        c.Amend: _amended,
        c.Adjust: "{amount} of {unit} is moved by the table: {reason}.",
    },
    facts={
        f.CampaignOpened: "The campaign {name} is opened.",
        f.SeatTaken: "{name} sits down at the table as {role}.",
        f.SeatRenamed: "{subject} is called {name} from now on.",
        f.SeatRemoved: "{subject} leaves the table.",
        f.CharacterEnrolled: "{name} joins, played by {seat}.",
        f.CharacterHandedOver: "{subject} is played by {seat} from now on.",
        f.CharacterRetired: "{subject} leaves play: {reason}.",
        f.SceneOpened: "The scene {title} begins[, with {cast}].",
        f.SceneClosed: "The scene {subject} ends.",
        f.CharacterSeated: "{seat} plays {character}.",
        f.CharacterReseated: "{seat} plays {character} from now on.",
        f.SceneBegun: "The scene {scene} is open.",
        f.SceneEnded: "The scene {scene} is over.",
        f.SessionOpened: "The session begins[: {title}].",
        f.SessionClosed: "The session is over.",
        f.DialSet: _dial,
        f.Amended: _amended,
        f.Adjusted: "The table moves something: {reason}.",
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
        "unknown-character": "There is no such character.",
        "unknown-dial": "There is no such dial.",
        "unknown-scene": "There is no such scene.",
        "unknown-seat": "There is no such seat.",
        "unknown-subject": "There is nothing called {subject} here.",
        "unlimited-accounts": "One of the two accounts must be somebody's.",
    },
)
