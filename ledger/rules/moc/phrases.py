"""The sentences of Moment of Clarity: what a table would say aloud. Another language is another file like this.

Sentences of what is declared name no card: a hand is its owner's until the card is played, and then the fact says it.
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.commands import Adjust
from ledger.rules.kernel.facts import SceneOpened
from ledger.rules.kernel.phrases import Phrase, Phrases, Step
from ledger.rules.kernel.sentences import moving
from ledger.rules.moc import choices as c
from ledger.rules.moc import facts_of_bodies as fb
from ledger.rules.moc import facts_of_campaign as fc
from ledger.rules.moc import facts_of_dice as fd
from ledger.rules.moc import facts_of_modifiers as fm
from ledger.rules.moc import facts_of_people as fp
from ledger.rules.moc import facts_of_scenes as fs
from ledger.rules.moc import facts_told as ft
from ledger.rules.moc import inputs as i
from ledger.rules.moc import inputs_of_actions as ia
from ledger.rules.moc import inputs_of_combat as ic
from ledger.rules.moc import inputs_of_modifiers as im
from ledger.rules.moc import inputs_of_play as ip
from ledger.rules.moc import sayings_of_fights as of_fights
from ledger.rules.moc import sayings_of_modifiers as of_modifiers
from ledger.rules.moc import sayings_of_people as of_people
from ledger.rules.moc import sayings_of_play as of_play
from ledger.rules.moc.phrases_of_facts import FACTS
from ledger.rules.moc.phrases_of_refusals import PEOPLE, REFUSALS, SEATS
from ledger.rules.moc.sayings import by, card, spoken, whether
from ledger.rules.moc.terms import DECK

_TABLE: Mapping[type[object], Phrase] = {
    i.SetTableRow: by(
        "table",
        {
            "skills": "The list of skills is changed: {row}.",
            "weapons": "The list of weapons is changed: {row}.",
            "locations": "The list of hit locations is changed: {row}.",
            "healing": "The healing periods are changed: damage {row}.",
            "ag": "The target numbers by AG are changed: {row}.",
            "uses": "The uses of beads by archetype are changed: {row}.",
        },
    ),
    i.OpenArc: "An arc begins: {name}.",
    i.CloseArc: "The arc ends.",
    i.EnlargePurse: "The arc's purse grows by {xp} XP[: {reason}].",
    i.EndTurn: "The turn ends.",
    im.AnnounceScene: "A new scene is about to begin[, for {cast}].",
}
_PEOPLE: Mapping[type[object], Phrase] = {
    i.Buy: of_people.buying,
    i.ProposeTrait: of_people.proposing,
    i.CounterTrait: of_people.countering,
    i.ApproveTrait: "The game master agrees to what {character} proposed.",
    i.LoseBackground: of_people.losing,
    i.SetTraitEffect: of_people.setting_effect,
    i.Sacrifice: "{character} is sacrificed for the story: {reason}.",
    i.InheritChips: "{character} inherits what {source} left.",
    i.SetStatus: of_people.status_to_set,
    i.RecoverScene: "{character} recovers.",
    i.GrantRecovery: "The game master lets {character} recover during the scene[: {reason}].",
    i.DeclareRecovery: "{character} spends the action on recovering.",
    i.CompleteRecovery: "{character} recovers.",
    i.LoseAction: "{character} is dazed and loses the action.",
    i.Heal: "{character} tries to heal after {days:day|days}.",
    i.Move: of_people.moving,
}
_STORY: Mapping[type[object], Phrase] = {
    i.Narrate: of_people.narrating,
    ip.ChangeStory: of_people.story_to_change,
    i.UseCard: "{character} would use a card creatively: {text}.",
    i.UseBeads: of_people.beads_to_use,
    i.VetoStory: "The game master vetoes what was told: {reason}.",
    i.AmendStory: "The game master amends what was told: {text}.",
}
_CARDS_AND_CHIPS: Mapping[type[object], Phrase] = {
    im.DrawHand: "{character} draws a hand.",
    im.DrawVillains: "The villains draw {size:card|cards}.",
    im.ExchangeCard: "{character} exchanges a card for beads.",
    im.ShiftBeads: "{character} moves {count:bead|beads} from {source} to {target} with a card.",
    im.ForceVortex: "{character} makes {target} throw a card away.",
    im.ForceDiscard: whether(
        "target", "{character} makes {target} throw cards away.", "{character} makes everybody else throw cards away."
    ),
    im.TradeCards: "{character} wants to trade a card with {target}.",
    im.TradeUp: "{character} trades {given} for a {taken} one.",
    im.TradeDown: "{character} trades a {given} chip for {taken}.",
    im.GiveBack: "{character} gives {given} back.",
    im.ExchangeChip: of_modifiers.exchanging,
    im.ChipToPoint: "{character} turns a {chip} chip into a character point.",
    im.AwardChip: "{character} is awarded {chips}[: {reason}].",
    im.Penalise: "{character} is penalised[ {chips}]: {reason}.",
    im.Nominate: "{seat} nominates {nominee} for an experience chip.",
    im.TallyNominations: "The nominations are counted.",
    im.AllocateBeads: of_modifiers.allocating,
    im.UseSessionBead: "{character} takes the session's extra bead, of {element}.",
}
_ACTIONS: Mapping[type[object], Phrase] = {
    ia.DeclareAction: of_play.tried,
    ia.GrantDice: "The game master gives {number:die|dice}: {reason}.",
    ia.SpendToken: "A token is spent: {characteristic}.",
    ia.UsePeriodDice: whether(
        "whose", "{whose} lays {number} of the {advantage} on the initiative to come.",
        "On the roll: {number} of the {advantage}.",
    ),
    ia.UseBit: "A Bit is put to use.",
    ip.PlayBeads: of_play.beads_to_play,
    ia.RollDice: of_play.rolling,
    ip.PlayCard: whether(
        "other", "{character} would use a card in another way ({other}).", "{character} lays a card on the dice."
    ),
    ia.DeclareSuccesses: of_play.declaring_on,
    ia.TakeOffSuccesses: of_play.taking_off,
    ip.Trump: of_play.trumping,
    ip.TrumpByFiat: of_play.cancelling,
    ip.ShiftFailure: "{character} makes a Failure spectacular.",
    ip.DetermineAction: "{character} would decide the action without dice: {text}.",
    ip.ClaimSuccess: "{character} offers a {chip} chip for a Success.",
    ia.Resolve: of_play.resolving,
    ia.TellConsequence: "The consequence: {text}.",
}  # fmt: skip
_FIGHTS: Mapping[type[object], Phrase] = {
    ic.RollInitiative: "The initiative is rolled.",
    ic.PlayCardOnInitiative: whether(
        "whose",
        "{character} lays a card on {whose}'s initiative dice.",
        "{character} lays a card on the initiative dice.",
    ),
    ic.ScoreHit: of_fights.hitting,
    ic.SetLocation: whether("location", "It hits the {location}.", "A die says where it hits."),
    ic.RollDamage: "The damage is rolled.",
    ic.PlayCardOnDamage: "{character} lays a card on the damage dice.",
    ic.ResistDamage: "The damage is resisted.",
    ic.ApplyHarm: of_people.harming,
}
_CHOICES: Mapping[type[object], Phrase] = {
    c.Approve: "The game master agrees.",
    c.Veto: "The game master does not agree.",
    c.Keep: "To keep: {cards}.",
    c.Discard: "To throw away: {card}.",
    c.Ignore: of_fights.spoken_dice,
    c.Lay: of_modifiers.laid,
    c.Allocate: whether("beads", "{beads}.", "All in the primary Element."),
    c.LeaveAll: "They stay as they are.",
    c.Agree: "Agreed.",
    c.AgreeFor: "The game master agrees in the other's place: {reason}.",
    c.Decline: "No trade.",
    c.Give: "To give away: {card}.",
}
#: By the first word of what is asked for; of dice and cards the purpose says enough.
_QUESTIONS: Mapping[str, str] = {
    "approval": "Does the game master agree to this: {purpose}?",
    "keep": "{purpose}?",
    "discard": "Which card is thrown away?",
    "give": "Which card is given away?",
    "agree": "{purpose}: agreed?",
    "beads": "How are the beads of the coming scene allocated?",
    "cards": "Which cards are laid on the dice?",
    "tens": "{purpose}?",
}
#: Where numbers tell more than the rule.
_STEPS: Mapping[str, Step] = {
    "moc.skill.target-number": "Target number (TN): {out}.",
    "moc.skill.pool": "{out:die is|dice are} rolled.",
    "moc.skill.tokens": "The token adds {out:die|dice}.",
    "moc.skill.extended": "{time} spent on what takes {base}: {out:bonus die|bonus dice}.",
    "moc.split.divide": "{pool} dice, less {penalty}: {out} to be split.",
    "moc.char.active": (
        "{primary} gives {out:die|dice}: rated {rating}, with {damage} damage, {pain} pain in this turn"
        " and {fatigue} fatigue."
    ),
    "moc.dice.effect-number": "The Effect Number is {out}.",
    "moc.dice.successes": "{out:success|successes} against TN {tn}.",
    "moc.opposed.net": "{declared:success|successes} declared, {taken} taken off: {out} left.",
    "moc.bead.allowance": "{out} beads, at {rate} for each point of Body, Mind and Spirit.",
    "moc.bead.allocate": "The allocation takes {out} of {allowance} beads.",
    "moc.card.value": "The card counts {out}.",
    "moc.card.dice": "{out} of {most:point is|points are} put on dice.",
    "moc.char.cost": of_people.costs,
    "moc.combat.initiative": "{character} rolls {dice:die|dice}: successes and total are {out}.",
    "moc.combat.damage-pool": "{out:die|dice} of {sides} sides, and {raises:raise|raises}.",
    "moc.combat.damage-roll": "{out:point|points} at {threshold} and above, {unresistible} beyond resisting.",
    "moc.combat.resist": "{dice:die|dice} against TN {tn}: {out:success|successes}, {removals:point|points} removed.",
    "moc.combat.apply": "{out} damage and {pain} pain, {removed:point|points} removed.",
    "moc.combat.dazed": "{out} pain in one hit; more than {limit} dazes.",
    "moc.recover.action": "{pain} pain falls to {out}.",
    "moc.move.rate": "The move is {out} metres.",
}
#: What the table moves by hand.
_UNITS: Mapping[str, str] = {
    "chip": "{amount:chip|chips} ({detail})",
    "xp": "{amount} XP",
    "card": "{amount:card|cards}",
    "bead": "{amount:bead|beads} of {detail}",
    "token": "{amount:token|tokens} of {detail}",
    "point": "{amount:120th|120ths} of a point",
    "die": "{amount:die|dice} of one's own",
}

PHRASES = Phrases(
    inputs={
        **spoken({**_TABLE, **_PEOPLE, **_STORY, **_CARDS_AND_CHIPS, **_ACTIONS, **_FIGHTS}),
        Adjust: moving(_UNITS),
    },
    choices=spoken(_CHOICES),
    facts=FACTS,
    questions=_QUESTIONS,
    refusals=REFUSALS,
    steps=_STEPS,
    headlines=(
        fp.CharacterDowned,
        fb.HarmApplied,
        fs.ActionResolved,
        fs.PlayTrumpedByFiat,
        fs.PlayTrumped,
        ft.ProposalVetoed,
        fs.ActionDetermined,
        fs.ActionDeclared,
        fs.AutomaticSuccessApproved,
        fs.FailureShifted,
        fs.SuccessesTakenOff,
        fs.SuccessesDeclared,
        fd.DamageRolled,
        fd.DamageHealed,
        fd.HealingFailed,
        fd.InitiativeRolled,
        fd.LocationSet,
        fd.CardPlayedOnDice,
        fs.DiceRolled,
        fm.PeriodDiceUsed,
        fs.OwnDiceAdded,
        fb.TokenSpent,
        ft.StoryChanged,
        ft.Narrated,
        ft.CardsTraded,
        ft.TradeDeclined,
        fm.CardExchangedForBeads,
        fm.CardShiftedBeads,
        fm.VillainCardExchanged,
        fm.ChipSpentOnCards,
        fm.ChipsPenalised,
        SceneOpened,
        fp.CharacterCreated,
        fm.BeadsAllocated,
        fb.MovementMade,
        fb.SceneRecoveryTaken,
        fb.RecoveryCompleted,
        fp.LevelBought,
        fp.ChipsInherited,
        fc.NominationsTallied,
        fc.TableRowSet,
    ),
    people=PEOPLE,
    seats=SEATS,
    words={one: card(one) for one in DECK},
)
