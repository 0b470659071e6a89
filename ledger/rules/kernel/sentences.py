"""The kernel's own sentences for declarations, facts, refusals and questions of every game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ledger.rules.kernel import commands as c
from ledger.rules.kernel import facts as f
from ledger.rules.kernel.json_types import split_pointer
from ledger.rules.kernel.phrases import NAMED, About, Names, Phrase, Phrases, fill_template, sentence, word_value, words
from ledger.rules.kernel.purses import UNLIMITED
from ledger.rules.kernel.subjects import CAMPAIGN, character, parse_subject

WITHIN = re.compile(r"(?<=\w)\.(?=\w)")  # a dot between two words, but not an ellipsis


def _describe_dial(fact: Any, names: Names) -> str:
    value = {True: "on", False: "off"}.get(fact.value, fact.value) if isinstance(fact.value, bool) else fact.value
    shown_value = words(value) if isinstance(value, str) else value if isinstance(value, int) else "another value"
    name = WITHIN.sub(": ", words(fact.name))
    new_value = f"“{shown_value}”" if isinstance(value, str | int) else shown_value
    return f"The option “{name}” changes to {new_value}: {fact.reason}."


def _describe_hold(fact: Any, names: Names) -> str:
    return sentence(
        "{subject} pauses automatic steps." if fact.on else "{subject} resumes automatic steps.", fact, names
    )


def _describe_amendment(fact: Any, names: Names) -> str:
    """Return a sentence that names the last part of the field first: `traits/0/base` is the base (traits 0)."""
    subject = names.subject if isinstance(names, About) else parse_subject(fact.subject)
    owner = "the campaign" if subject.kind == "campaign" else names.name(subject)
    *path, last_part = split_pointer(fact.field)
    field_words = f"{words(last_part)} ({words(' '.join(path))})" if path else words(last_part)
    value = f"“{fact.value}”" if isinstance(fact.value, str) else word_value(fact.value, type(fact.value), names)
    return f"The table changes {owner}'s {field_words} to {value}: {fact.reason}."


def describe_transfers(units: Mapping[str, str]) -> Phrase:
    """Return the phrase for a transfer between accounts. `units`: templates by unit, over `{amount}` and the account's
    detail: `{detail}`, or `{who}` if the detail is the id of a character.
    """

    def describe_transfer(do: c.Adjust, names: Names) -> str:
        (giver, _, giver_account), (taker, _, taker_account) = (
            account.partition("/") for account in (do.source, do.target)
        )
        if giver == taker:
            return sentence("The table moves {amount} from {source} to {target}: {reason}.", do, names)
        detail = (taker_account if giver in UNLIMITED else giver_account).partition(":")[2]
        values = {"amount": str(do.amount), "detail": words(detail).title(), "who": names.name(character(detail))}
        template = units.get(do.unit, f"{{amount}} {words(do.unit)}")
        amount = fill_template(template, lambda name: values[name], lambda name: getattr(do, name, None))
        return f"The table moves {amount} from {_word_owner(giver, names)} to {_word_owner(taker, names)}: {do.reason}."

    return describe_transfer


def _word_owner(owner_name: str, names: Names) -> str:
    kind = owner_name.partition(":")[0]
    return names.name(parse_subject(owner_name)) if ":" in owner_name and kind in NAMED else f"the {words(kind)}"


def _describe_adjustment(fact: f.Adjusted, names: Names) -> str:
    subject = names.subject if isinstance(names, About) else CAMPAIGN
    account = f"{names.name(subject)}'s sheet" if subject.kind == "character" else "an account"
    return f"The table adjusts {account}: {fact.reason}."


def _describe_leg(fact: f.Leg, names: Names) -> str:
    """Return a sentence that names the owner of the account, if the owner is a character."""
    subject = names.subject if isinstance(names, About) else CAMPAIGN
    return (
        f"{names.name(subject)}'s sheet changes too." if subject.kind == "character" else "Another account changes too."
    )


PHRASES = Phrases(
    inputs={
        c.Enrol: "{name} joins, played by {seat}.",
        c.HandOver: "{seat} takes over {character}.",
        c.Retire: "{character} leaves play: {reason}.",
        c.OpenScene: "The scene “{title}” begins[, with {cast}].",
        c.CloseScene: "The scene “{scene}” ends.",
        c.OpenSession: "A session begins[: {title}].",
        c.CloseSession: "The session ends.",
        c.SetDial: _describe_dial,
        c.Amend: _describe_amendment,
        c.Adjust: describe_transfers({}),
    },
    facts={
        f.CampaignOpened: "The campaign {name} begins.",
        f.CampaignForked: "{name} continues {campaign_name} from ruling {at}.",
        f.SeatTaken: "{name} joins the table as {role}.",
        f.SeatRenamed: "{subject} is now called {name}.",
        f.SeatHolds: _describe_hold,
        f.SeatRemoved: "{subject} leaves the table.",
        f.CharacterEnrolled: "{name} joins, played by {seat}.",
        f.CharacterHandedOver: "{seat} now plays {subject}.",
        f.CharacterRetired: "{subject} leaves play: {reason}.",
        f.SceneOpened: "The scene “{title}” begins[, with {cast}].",
        f.SceneClosed: "The scene “{subject}” ends.",
        f.CharacterSeated: "{seat} plays {character}.",
        f.CharacterReseated: "{seat} now plays {character}.",
        f.SceneBegun: "The scene “{scene}” is open.",
        f.SceneEnded: "The scene “{scene}” is closed.",
        f.SessionOpened: "The session begins[: {title}].",
        f.SessionClosed: "The session ends.",
        f.DialSet: _describe_dial,
        f.Amended: _describe_amendment,
        f.Adjusted: _describe_adjustment,
        f.Leg: _describe_leg,
    },
    refusals={
        "already-retired": "{character} has already left play.",
        "already-waiting": "You have already declared this. It is waiting for an answer.",
        "amend-value": "You can't set that value: {problem}",
        "answer-kind": "Answer this question with {expected}.",
        "card-count": "Draw {expected:card|cards}, not {given}.",
        "card-not-there": "You can't draw that card.",
        "choice-kind": "Choose one of {expected}.",
        "coins": "Flip {expected:coin|coins}. Each one shows heads or tails.",
        "dealt-by-the-ledger": "The ledger deals the cards at this table. You can't enter your own.",
        "dial-value": "This option doesn't have that value.",
        "dice-count": "The roll needs {expected}; you entered {given}.",
        "duplicate": "The same name appears twice.",
        "face-range": "A die with {sides} sides can't show {face}.",
        "fields-blank": "This text can't be empty.",
        "name-blank": "Enter a name.",
        "no-scene": "There is no open scene.",
        "not-asked": "There is no question to answer.",
        "not-these-cards": "A shuffle must keep the same cards.",
        "overdrawn": "{account} doesn't have that much.",
        "cited-already": "Ruling {ruling} was already used for {character}.",
        "no-such-ruling": "You can't use ruling {ruling} here.",
        "reason-blank": "Enter a reason.",
        "unreadable-today": "Today's rules can't read this declaration from an earlier edition.",
        "rules-failed": "The rules failed on this ruling, so it keeps its result.",
        "scene-closed": "The scene is already closed.",
        "seat-removed": "{seat} has left the table.",
        "session-not-open": "That session is not open.",
        "session-open": "A session is already open.",
        "shown-to-others": "The game also shows this to {shown_to}, so you can't hide it.",
        "title-blank": "Enter a title.",
        "typed-dice": "The ledger rolls all dice at this table. You can't enter your own.",
        "unknown-account": "That account is unknown: {problem}",
        "unknown-character": "That character is unknown[: {subject}].",
        "unknown-dial": "There is no option called {dial}.",
        "unknown-scene": "That scene is unknown[: {subject}][: {given}].",
        "unknown-seat": "That seat is unknown[: {subject}][: {given}].",
        "unknown-subject": "There is nothing called {subject}.",
        "unlimited-accounts": "One of the two accounts must belong to a character.",
    },
)

#: The default sentences of questions, by kind.
QUESTIONS: Mapping[str, str] = {
    "roll": "[{character} rolls ]{count}d{sides}[: {purpose}].",
    "open roll": "[{character} rolls ]{count}d{sides}, and one more for each {opens}[: {purpose}].",
    "draw": "[{character} draws ]{count:card|cards}[: {purpose}].",
    "shuffle": "The cards are shuffled[: {purpose}].",
    "flip": "{count:coin is|coins are} flipped[: {purpose}].",
    "choice": "Choose {choices}[ ({purpose})].",
}
#: The sentences of answers, by kind.
ANSWERS: Mapping[str, str] = {
    "dice": "[{character} rolls ]{faces}[ ({purpose})].",
    "cards": "[{character} draws ]{cards}[ ({purpose})].",
    "order": "The cards are shuffled[ ({purpose})].",
    "coins": "{coins}[ ({purpose})].",
}
#: The sentences of answers that the ledger gave, by kind.
BY_LEDGER: Mapping[str, str] = {
    "dice": "The ledger rolls {faces}[ for {character}][ ({purpose})].",
    "cards": "The ledger draws {cards}[ for {character}][ ({purpose})].",
    "order": "The ledger shuffles the cards[ ({purpose})].",
    "coins": "The ledger flips {coins}[ for {character}][ ({purpose})].",
}
#: Words that lose their capital within a sentence. Other words may be names.
SMALL = frozenset(
    {
        "A",
        "An",
        "Another",
        "Choose",
        "Enough",
        "Enter",
        "Everybody",
        "From",
        "It",
        "No",
        "Nobody",
        "None",
        "Nothing",
        "On",
        "Part",
        "Somebody",
        "Something",
        "That",
        "The",
        "There",
        "These",
        "This",
        "What",
        "Who",
        "You",
    }
)
#: Kernel facts that repeat another fact of the same ruling for a second subject.
ECHOES = (f.Leg, f.CharacterSeated, f.CharacterReseated, f.SceneBegun, f.SceneEnded)
#: Joins a declaration and what the same person does next.
AND = ", and "
HIDDEN_DECLARATION = "Somebody declares a hidden action."
#: What happened to a waiting declaration (`said`). `HIDDEN_WAITS`: for viewers who may not know the declaration.
WAITS: Mapping[str, str] = {
    "answered": "{seat} answered: {said}.",
    "withdrawn": "{seat} takes this back ({said}): {reason}.",
}
LAPSED = "This is no longer possible because of ruling {number}."
DECLINED = "{seat} declines."
HIDDEN_WAITS: Mapping[str, str] = {
    "waiting": HIDDEN_DECLARATION,
    "answered": "A hidden question was answered.",
    "withdrawn": "A hidden action was taken back.",
    "declined": "A hidden action was taken back.",
    "lapsed": "A hidden action is no longer possible.",
}
#: A decision that waits for consent. Viewers who may not know the decision see only that one is waiting.
PROPOSALS: Mapping[str, str] = {
    "overturn": "{seat} wants to overturn ruling {number}: {reason}.",
    "reinstate": "{seat} wants to reinstate ruling {number}: {reason}.",
    "revise": "{seat} wants to correct ruling {number}: {reason}.",
    "rewind": "{seat} wants to rewind the game to before ruling {number}: {reason}.",
    "declare": "{seat} wants to do something that needs consent: {said}.",
    "remove-seat": "{seat} wants {other} to leave the table.",
}
HIDDEN_PROPOSAL = "A decision is waiting for consent."
HIDDEN_PROPOSAL_OVER = "A decision is no longer waiting for consent."
#: What the game is waiting for a seat to do.
AWAITED: Mapping[str, str] = {
    "move": "It is {seat}'s turn to {kind}[ with {character}].",
    "anything": "It is {seat}'s turn.",
    "dispute": "{seat} has to decide the dispute about ruling {ruling}.",
    "nothing": "{seat} has nothing to do right now.",
}
#: Decisions about a ruling, and who made them.
DECISIONS: Mapping[str, str] = {
    "disputed": "{seat} disputes ruling {number}[: {reason}].",
    "upheld": "{seat} upholds ruling {number}[: {reason}].",
    "overturned": "{seat} overturns ruling {number}[: {reason}].",
    "reinstated": "{seat} reinstates ruling {number}[: {reason}].",
    "revised": "{seat} corrects ruling {number}[: {reason}].",
    "reruled": "Ruling {number} is ruled again because of ruling {cause}.",
    "recounted": "The consequences of ruling {number} are worked out again because of ruling {cause}.",
    "witnessed": "{seat} has seen ruling {number}.",
    "set-aside": "The operator sets ruling {number} aside[: {reason}].",
    "rewound": "{seat} rewinds the game to before ruling {number}[: {reason}].",
    "taken-back": "{seat} takes back ruling {number}[: {reason}].",
    "entered-late": "{seat} enters ruling {number} late, after ruling {cause}.",
}
#: Findings that somebody must decide about.
FINDINGS: Mapping[str, str] = {
    "changes": "Ruling {ruling} would have a different result now that ruling {cause} has changed.",
    "loses support": "Ruling {ruling} is no longer possible now that ruling {cause} has changed.",
    "needs dice": "Ruling {ruling} needs new dice now that ruling {cause} has changed.",
    "overdrawn": "Now that ruling {cause} has changed, {holder} is {short} short: {holding}.",
    "adrift": "Part of ruling {ruling}[ about {character}] has no effect now that ruling {cause} has changed.",
    "held twice": "There is only one {thing}. Now that ruling {cause} has changed, both {holder} and {other} have it.",
}
#: A preview's sentences about a later ruling. `said`: the ruling's declaration, without the full stop.
#: `now`, `then`: the ruling's results.
RESTS = "The result depends on information hidden from you."
STANDPOINTS: Mapping[str, str] = {
    "stands": "Ruling {number} stays the same.",
    "changes": "Ruling {number} ({said}) would have a different result: {then}[ instead of: {now}].",
    "loses support": "Ruling {number} ({said}) would not be possible: {then}.",
    "needs dice": "Ruling {number} ({said}) would need another answer: {then}.",
    "rests on what is hidden from you": "Ruling {number} depends on information hidden from you.",
}
