"""The sentences of Mongrel, as a table would say them. Another language is another file like this."""

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
from ledger.rules.mongrel.phrases_of_refusals import PEOPLE, REFUSALS, REFUSALS_OF
from ledger.rules.mongrel.sayings import by, spoken, whether

_PLAY: Mapping[type[object], Phrase] = {
    i.RollTask: sayings.task,
    i.TakeHit: whether(
        "shunt",
        "{character} takes a[ {hit_kind}] hit with Effect {effect}, and {shunt:point of it goes|points of it go} to"
        " Beauty[: {reason}].",
        "{character} takes a[ {hit_kind}] hit with Effect {effect}[: {reason}].",
    ),
    i.AnswerTerminal: whether(
        "spend",
        "{character} spends Infernal Resolve to stay alive.",
        "{character} does not resist death.",
    ),
    i.Heal: sayings.healed,
    i.SpendResolve: "{character} turns {amount:point|points} of Infernal Resolve into Action Points.",
    i.RefreshResolve: by(
        "activity",
        {
            "meditating": "{character} meditates for {minutes:minute|minutes}.",
            "simple-tasks": "{character} does simple tasks for {minutes:minute|minutes}.",
            "calm-company": "{character} spends {minutes:minute|minutes} in calm company.",
        },
    ),
    i.RefreshResolveByVow: "Events directly oppose {character}'s Vow[: {circumstances}].",
    i.Occult: sayings.occult,
    strife.OpenConflict: "A conflict begins with {participants}.",
    strife.JoinConflict: "{character} joins the conflict.",
    strife.LeaveConflict: "{character} is taken out of the conflict[: {reason}].",
    strife.CloseConflict: "The conflict ends.",
    strife.TakeFront: "{character} moves to the front.",
    strife.Attack: sayings.attack,
    strife.DeclareAttack: sayings.attack_to_come,
    strife.CarryOut: "The declared action is carried out.",
    strife.Act: sayings.act,
    strife.Pass: "{character} passes[: {text}].",
    i.Recover: "{character} recovers.",
    i.SetClock: "The clock is set to minute {minute}: {reason}.",
    i.Rest: "{character} rests for {hours:hour|hours}. It takes {required:hour|hours} to end exhaustion.",
}
_DEALINGS: Mapping[type[object], Phrase] = {
    d.MakeVow: sayings.vow,
    d.EndVow: by(
        "outcome",
        {
            "fulfilled": "{character}'s Vow (“{vow}”) is fulfilled: {reason}.",
            "ended": "{character}'s Vow (“{vow}”) ends: {reason}.",
        },
    ),
    d.Describe: whether("text", "{character}'s description: {text}.", "{character} has no description."),
    d.Reveal: "{character} learns: {text}.",
    d.MarkFeatures: "{character} used {features}[: {reason}].",
    d.AllocatePower: "{character} puts {points:point|points} of their Power into {option}.",
    d.SetStatus: "{character}'s status in their House is now {status}[: {reason}].",
    d.Purchase: whether(
        "item",
        "{buyer} wants to buy {item}[ from {seller}] using Credit with House {house}.",
        "{buyer} wants to buy one of {seller}'s possessions using Credit with House {house}.",
    ),
    d.OccultPurchase: whether(
        "item",
        "{buyer} uses Occult instead of {imitates} to buy {item}[ from {seller}], for {points:point|points} of"
        " Infernal Resolve and Credit with House {house}.",
        "{buyer} uses Occult instead of {imitates} to buy one of {seller}'s possessions, for {points:point|points} of"
        " Infernal Resolve and Credit with House {house}.",
    ),
    d.GainItem: sayings.gained,
    d.PartWithItem: whether(
        "to", "{character} gives a possession to {to}[: {reason}].", "{character} parts with a possession[: {reason}]."
    ),
    d.MoveItem: whether(
        "to",
        "One of {character}'s possessions goes to {to}: {reason}.",
        "One of {character}'s possessions is gone: {reason}.",
    ),
    d.SellItem: (
        "{character} offers a possession for sale[: to {buyer}][: to {customer}], for {price} Credit with House"
        " {house}."
    ),
    d.TransferCredit: sayings.moved,
    d.AdjustCredit: partial(sayings.changed, "[: {reason}]"),
    d.ChangeSocial: "{character}'s Social is now {social}[: {reason}].",
    d.Barter: "{character} barters[: {text}].",
    d.NotePresent: "{characters} played the session.",
    d.AwardSession: "Everybody who played the session gets {points:character point|character points}[: {reason}].",
    d.AwardVow: "{character} gets a character point for a Vow[: {reason}].",
    d.RaiseFeature: "{character} raises {feature}[ and lowers {reduce}][, putting the point into {option}].",
}
_CHOICES: Mapping[type[object], Phrase] = {
    c.Defend: "The target defends.",
    c.Stand: "The target does not defend.",
    c.Shunt: whether(
        "points", "{points:point of damage goes|points of damage go} to Beauty.", "No damage goes to Beauty."
    ),
    c.Resist: "The target rolls Resist against their own {attribute}.",
    c.Submit: "The target does not resist.",
    c.Sacrifice: "The buyer offers {amount} Credit.",
    c.Accept: "Agreed.",
    c.NoDeal: "No deal.",
    c.SpeakFor: whether(
        "agreed",
        "A game master answers yes[, for {amount} Credit]: {reason}.",
        "A game master answers no: {reason}.",
    ),
    c.Judge: sayings.judged,
    c.JudgeTask: sayings.judged,
    c.Disallow: "A game master does not allow what was declared[: {reason}].",
}
#: By the first word of their slot.
_QUESTIONS: Mapping[str, str] = {
    "task": "Roll for the task.",
    "resist": "{purpose} If so, choose the attribute that the roll is against.",
    "order": "Flip a coin to decide who acts first.",
    "defend": "{purpose} That costs 1 Action Point.",
    "shunt": "{purpose}",
    "sale": "{purpose}",
    "sell": "{purpose}",
    "sacrifice": "{purpose}",
    "price": "{purpose}",
    "numbers": "{purpose}",
}
#: Where numbers say more than the rule.
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
    refusals_of=REFUSALS_OF,
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
