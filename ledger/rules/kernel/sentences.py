"""The kernel's own sentences: what every table declares, what comes of it, and why it may be refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ledger.rules.kernel import commands as c
from ledger.rules.kernel import facts as f
from ledger.rules.kernel.phrases import NAMED, About, Names, Phrase, Phrases, filled, sentence, told, words
from ledger.rules.kernel.purses import UNLIMITED
from ledger.rules.kernel.subjects import CAMPAIGN, character, parse_subject

WITHIN = re.compile(r"(?<=\w)\.(?=\w)")  # what is still unsaid is dots alone


def _dial(done: Any, names: Names) -> str:
    value = {True: "on", False: "off"}.get(done.value, done.value) if isinstance(done.value, bool) else done.value
    shown = words(value) if isinstance(value, str) else value if isinstance(value, int) else "another value"
    name = WITHIN.sub(": ", words(done.name))
    to = f"“{shown}”" if isinstance(value, str | int) else shown
    return f"The dial “{name}” is set to {to}: {done.reason}."


def _amended(done: Any, names: Names) -> str:
    """Whose, and the last part of where it stands first: `traits/0/base` is the base of traits 0."""
    about = names.subject if isinstance(names, About) else parse_subject(done.subject)
    whose = "the campaign" if about.kind == "campaign" else names.name(about)
    *within, last = done.field.strip("/").split("/")
    where = f"{words(last)} ({words(' '.join(within))})" if within else words(last)
    value = f"“{done.value}”" if isinstance(done.value, str) else told(done.value, type(done.value), names)
    return f"The table sets {whose}'s {where} to {value}: {done.reason}."


def moving(units: Mapping[str, str]) -> Phrase:
    """What the table moves, and from whom to whom. `units`: templates by unit, over `{amount}` and what stands behind
    the unit in the account, `{detail}`, or `{who}` where that is somebody.
    """

    def said(done: c.Adjust, names: Names) -> str:
        (giver, _, given), (taker, _, taken) = (one.partition("/") for one in (done.source, done.target))
        if giver == taker:
            return sentence("The table moves {amount} from {source} to {target}: {reason}.", done, names)
        detail = (taken if giver in UNLIMITED else given).partition(":")[2]
        known = {"amount": str(done.amount), "detail": words(detail).title(), "who": names.name(character(detail))}
        template = units.get(done.unit, f"{{amount}} {words(done.unit)}")
        what = filled(template, lambda name: known[name], lambda name: getattr(done, name, None))
        return f"The table moves {what} from {_owner(giver, names)} to {_owner(taker, names)}: {done.reason}."

    return said


def _owner(owner: str, names: Names) -> str:
    kind = owner.partition(":")[0]
    return names.name(parse_subject(owner)) if ":" in owner and kind in NAMED else f"the {words(kind)}"


def _adjusted(done: f.Adjusted, names: Names) -> str:
    about = names.subject if isinstance(names, About) else CAMPAIGN
    whose = f"{names.name(about)}'s sheet" if about.kind == "character" else "an account"
    return f"The table sets {whose} right: {done.reason}."


def _leg(done: f.Leg, names: Names) -> str:
    """On whose sheet it stands, too."""
    about = names.subject if isinstance(names, About) else CAMPAIGN
    return (
        f"{names.name(about)}'s sheet changes with it."
        if about.kind == "character"
        else "Another account changes with it."
    )


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
        c.Amend: _amended,
        c.Adjust: moving({}),
    },
    facts={
        f.CampaignOpened: "The campaign {name} is opened.",
        f.CampaignForked: "{name} goes on from ruling {at} of {campaign_name}.",
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
        f.Amended: _amended,
        f.Adjusted: _adjusted,
        f.Leg: _leg,
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
        "dice-count": "The roll is {expected}; what was entered is {given}.",
        "duplicate": "Somebody or something is named twice.",
        "face-range": "A die of {sides} sides does not show {face}.",
        "fields-blank": "Something must be said here.",
        "name-blank": "A name is needed.",
        "no-scene": "There is no scene it could be declared in.",
        "not-asked": "There is no question to be answered.",
        "not-these-cards": "A shuffle keeps exactly the same cards.",
        "overdrawn": "{account} does not hold that much.",
        "cited-already": "Ruling {ruling} has already been used for {character}.",
        "no-such-ruling": "There is no ruling {ruling} that can be cited here.",
        "reason-blank": "A reason is needed.",
        "unreadable-today": "Today's rules cannot read what was declared under an earlier edition.",
        "rules-failed": "The rules broke on it; it keeps what it recorded.",
        "scene-closed": "The scene is closed already.",
        "seat-removed": "{seat} has left the table.",
        "session-not-open": "That session is not open.",
        "session-open": "A session is open already.",
        "shown-to-others": "The game shows that to {shown_to} as well, so it cannot be hidden.",
        "title-blank": "A title is needed.",
        "typed-dice": "The ledger rolls all dice at this table; typed dice are not accepted.",
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
#: The same where the ledger did it.
BY_LEDGER: Mapping[str, str] = {
    "dice": "The ledger rolls {faces}[ for {character}][ ({purpose})].",
    "cards": "The ledger draws {cards}[ for {character}][ ({purpose})].",
    "order": "The ledger shuffles the cards[ ({purpose})].",
    "coins": "The ledger flips {coins}[ for {character}][ ({purpose})].",
}
#: Words that begin a sentence, and are written small within one: all others may be names, or words of a game.
SMALL = frozenset({
    "A", "An", "Another", "Enough", "Everybody", "From", "It", "No", "Nobody", "None", "Nothing", "On", "Part",
    "Somebody", "Something", "That", "The", "There", "These", "This", "What", "Who",
})  # fmt: skip
#: Kernel facts that tell on somebody else's sheet what another one of the same ruling tells.
ECHOES = (f.Leg, f.CharacterSeated, f.CharacterReseated, f.SceneBegun, f.SceneEnded)
#: Between what somebody declared and what the same somebody then did.
AND = ", and "
HIDDEN_DECLARATION = "Something is declared that not everybody may know."
#: What became of what waits: `said` is what was declared. To who may not know that, `hidden`.
WAITS: Mapping[str, str] = {
    "answered": "{seat} has answered: {said}.",
    "withdrawn": "{seat} takes back what waited ({said}): {reason}.",
}
LAPSED = "Since ruling {number} it can no longer come about."
DECLINED = "{seat} says no."
HIDDEN_WAITS: Mapping[str, str] = {
    "waiting": HIDDEN_DECLARATION,
    "answered": "What waited has been answered.",
    "withdrawn": "What waited is taken back.",
    "declined": "What waited is taken back.",
    "lapsed": "What waited can no longer come about.",
}
#: What somebody wants to decide, which waits for consent; to who is not told what, that something does.
PROPOSALS: Mapping[str, str] = {
    "overturn": "{seat} wants to overturn ruling {number}: {reason}.",
    "reinstate": "{seat} wants to reinstate ruling {number}: {reason}.",
    "revise": "{seat} wants to correct ruling {number}: {reason}.",
    "declare": "{seat} wants to do what needs consent: {said}.",
    "remove-seat": "{seat} wants {other} to leave the table.",
}
HIDDEN_PROPOSAL = "A decision waits for consent."
HIDDEN_PROPOSAL_OVER = "A decision waits for consent no more."
#: What the game waits for, of a seat.
AWAITED: Mapping[str, str] = {
    "move": "It is for {seat} to {kind}[, with {character}].",
    "anything": "It is for {seat} to go on.",
    "dispute": "It is for {seat} to decide the dispute about ruling {ruling}.",
    "nothing": "Nothing is awaited of {seat} just now.",
}
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
    "set-aside": "The operator sets ruling {number} aside[: {reason}].",
}
#: What somebody must settle.
FINDINGS: Mapping[str, str] = {
    "changes": "Ruling {ruling} would come out otherwise since ruling {cause} was decided.",
    "loses support": "Ruling {ruling} could not have been ruled since ruling {cause} was decided.",
    "needs dice": "Ruling {ruling} would need dice that were never rolled since ruling {cause} was decided.",
    "overdrawn": "[{character}: ]{account} is less than nothing since ruling {cause} was decided.",
    "adrift": "Part of ruling {ruling}[ about {character}] finds nothing to change since ruling {cause} was decided.",
    "held twice": "There is only one {thing}. Since ruling {cause} it is with {holder} and with {other}.",
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
