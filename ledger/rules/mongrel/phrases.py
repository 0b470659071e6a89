"""The sentences of Mongrel: what a table would say aloud. Another language is another file like this."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ledger.rules.kernel.commands import Adjust
from ledger.rules.kernel.phrases import Phrase, Phrases, Step
from ledger.rules.kernel.sentences import moving
from ledger.rules.mongrel import choices as c
from ledger.rules.mongrel import facts as f
from ledger.rules.mongrel import facts_of_dealings as fd
from ledger.rules.mongrel import facts_of_strife as s
from ledger.rules.mongrel import inputs as i
from ledger.rules.mongrel import inputs_of_dealings as d
from ledger.rules.mongrel import inputs_of_strife as strife
from ledger.rules.mongrel import sayings
from ledger.rules.mongrel.phrases_of_facts import FACTS
from ledger.rules.mongrel.phrases_of_refusals import PEOPLE, REFUSALS
from ledger.rules.mongrel.sayings import by, spoken, whether

_PLAY: Mapping[type[object], Phrase] = {
    i.RollTask: sayings.task,
    i.TakeHit: whether(
        "shunt",
        "{character} takes a {hit_kind} hit with Effect {effect}, of which {shunt:point goes|points go} to Beauty"
        "[: {reason}].",
        "{character} takes a {hit_kind} hit with Effect {effect}[: {reason}].",
    ),
    i.AnswerTerminal: whether(
        "spend",
        "{character} spends Infernal Resolve to stay alive.",
        "{character} does not hold on to life.",
    ),
    i.Heal: sayings.healed,
    i.SpendResolve: "{character} turns {amount:point|points} of Infernal Resolve into Action Points.",
    i.RefreshResolve: by(
        "activity",
        {
            "meditating": "{character} meditates for {minutes:minute|minutes}.",
            "simple-tasks": "{character} is busy with simple tasks for {minutes:minute|minutes}.",
            "calm-company": "{character} keeps calm company for {minutes:minute|minutes}.",
        },
    ),
    i.RefreshResolveByVow: "Events stand against {character}'s Vow[: {circumstances}].",
    i.Occult: sayings.occult,
    strife.OpenConflict: "A conflict begins, with {participants}.",
    strife.JoinConflict: "{character} joins the conflict.",
    strife.LeaveConflict: "{character} is taken out of the conflict[: {reason}].",
    strife.CloseConflict: "The conflict ends.",
    strife.TakeFront: "{character} wants to be next.",
    strife.Attack: sayings.attack,
    strife.DeclareAttack: sayings.attack_to_come,
    strife.CarryOut: "The action that was declared is carried out.",
    strife.Act: sayings.act,
    strife.Pass: "{character} passes[: {text}].",
    i.Recover: "{character} recovers.",
    i.SetClock: "The clock is set to minute {minute}: {reason}.",
    i.Rest: "{character} rests for {hours:hour|hours} ({required} needed).",
}
_DEALINGS: Mapping[type[object], Phrase] = {
    d.MakeVow: sayings.vow,
    d.EndVow: by(
        "outcome",
        {
            "fulfilled": "{character}'s Vow is fulfilled ({vow}): {reason}.",
            "ended": "{character}'s Vow is at an end ({vow}): {reason}.",
        },
    ),
    d.Describe: whether("text", "{character} looks like this: {text}.", "There is nothing to tell of {character}."),
    d.Reveal: "{character} learns: {text}.",
    d.MarkFeatures: "{character} has made use of {features}[: {reason}].",
    d.AllocatePower: "{character} puts {points:point|points} of Power into {option}.",
    d.SetStatus: "{character}'s status in the House is {status} from now on[: {reason}].",
    d.Purchase: "{buyer} wants to buy {item}[ from {seller}] on Credit with House {house}.",
    d.OccultPurchase: (
        "{buyer} works Occult in place of {imitates} to get {item}[ from {seller}], for {points:point|points} of"
        " Infernal Resolve and Credit with House {house}."
    ),
    d.GainItem: sayings.gained,
    d.PartWithItem: whether(
        "to", "{character} gives something to {to}[: {reason}].", "{character} parts with something[: {reason}]."
    ),
    d.MoveItem: whether(
        "to", "Something of {character}'s goes to {to}: {reason}.", "Something of {character}'s is gone: {reason}."
    ),
    d.SellItem: (
        "{character} wants to sell something[ to {buyer}][ to {customer}] for {price} Credit with House {house}."
    ),
    d.TransferCredit: sayings.moved,
    d.AdjustCredit: partial(sayings.changed, "[: {reason}]"),
    d.ChangeSocial: "{character}'s Social is {social} from now on[: {reason}].",
    d.Barter: "{character} barters[: {text}].",
    d.NotePresent: "{characters} played the session.",
    d.AwardSession: "Everybody who played the session gets {points:character point|character points}[: {reason}].",
    d.AwardVow: "{character} gets a character point for a Vow[: {reason}].",
    d.RaiseFeature: "{character} raises {feature}[ while {reduce} falls][, putting the point into {option}].",
}
_CHOICES: Mapping[type[object], Phrase] = {
    c.Defend: "Yes, a defence.",
    c.Stand: "No defence.",
    c.Shunt: whether("points", "{points:point goes|points go} to Beauty.", "Nothing goes to Beauty."),
    c.Resist: "Yes, with Resist against own {attribute}.",
    c.Submit: "No, it is not resisted.",
    c.Sacrifice: "{amount} Credit is offered.",
    c.Accept: "Agreed.",
    c.NoDeal: "No deal.",
    c.SpeakFor: whether(
        "agreed",
        "The game master says yes[, for {amount} Credit]: {reason}.",
        "The game master says no: {reason}.",
    ),
    c.Judge: sayings.judged,
    c.Disallow: "The game master says no[: {reason}].",
}
#: By the first word of what is asked for.
_QUESTIONS: Mapping[str, str] = {
    "task": "The dice for the task?",
    "resist": "Is it resisted, and against which attribute?",
    "order": "A coin: who goes first?",
    "defend": "Say {purpose}, for an Action Point.",
    "shunt": "A hit: {purpose}?",
    "sale": "Say {purpose}.",
    "sell": "Say {purpose}.",
    "sacrifice": "How much Credit is offered?",
    "price": "Say {purpose}.",
    "numbers": "Say {purpose}.",
}
#: Where numbers tell more than the rule.
_STEPS: Mapping[str, Step] = {
    "mongrel.task.pool": sayings.pool,
    "mongrel.effect.base": sayings.base_effect,
    "mongrel.effect.grade": sayings.grade,
    "mongrel.damage.net": sayings.net,
    "mongrel.damage.zones": sayings.zones,
}
_UNITS: Mapping[str, str] = {
    "ap": "{amount:Action Point|Action Points}",
    "resolve": "{amount:point|points} of Infernal Resolve",
    "beauty": "{amount:point|points} of Beauty",
    "cp": "{amount:character point|character points}",
    "credit": "{amount} Credit with House {detail}",
}

PHRASES = Phrases(
    inputs={**spoken({**_PLAY, **_DEALINGS}), Adjust: moving(_UNITS)},
    choices=spoken(_CHOICES),
    facts=FACTS,
    questions=_QUESTIONS,
    refusals=REFUSALS,
    steps=_STEPS,
    headlines=(
        s.CharacterDied,
        s.CharacterCollapsed,
        s.DamageCounted,
        f.TaskResolved,
        s.DefenceChosen,
        fd.ItemAcquired,
        fd.PurchaseResisted,
        fd.SaleDeclined,
        fd.ItemSold,
        fd.SaleCalledOff,
        f.ProposalDeclined,
        fd.PurchaseRolled,
        fd.ItemPartedWith,
    ),
    people=PEOPLE,
)
