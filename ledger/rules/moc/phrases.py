"""The sentences of Moment of Clarity, as people at the table say them. Another language is another file like this.

Sentences of declarations name no card: only its owner sees a hand until a card is played. Then the fact names it.
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
from ledger.rules.moc.sayings import SAID, by, spoken, whether

_TABLE: Mapping[type[object], Phrase] = {
    i.SetTableRow: by(
        "table",
        {
            "skills": "The list of skills changes: {row}.",
            "weapons": "The list of weapons changes: {row}.",
            "locations": "The list of hit locations changes: {row}.",
            "healing": "The healing periods change: damage {row}.",
            "ag": "The target numbers by AG change: {row}.",
            "uses": "The archetypes' own uses of beads change: {row}.",
        },
    ),
    i.OpenArc: "An arc begins: {name}.",
    i.CloseArc: "The arc ends.",
    i.EnlargePurse: "The arc's purse grows by {xp} XP[: {reason}].",
    i.EndTurn: "The turn ends.",
    im.AnnounceScene: "A new scene is about to begin[, with {cast}].",
}
_PEOPLE: Mapping[type[object], Phrase] = {
    i.Buy: of_people.buying,
    i.ProposeTrait: of_people.proposing,
    i.CounterTrait: of_people.countering,
    i.ApproveTrait: "The game master approves {character}'s proposal.",
    i.LoseBackground: of_people.losing,
    i.SetTraitEffect: of_people.setting_effect,
    i.Sacrifice: "{character} is sacrificed for the story: {reason}.",
    i.InheritChips: "{character} inherits {source}'s chips.",
    i.SetStatus: of_people.status_to_set,
    i.RecoverScene: "{character} recovers.",
    i.GrantRecovery: "The game master lets {character} recover during the scene[: {reason}].",
    i.DeclareRecovery: "{character} spends the action recovering.",
    i.CompleteRecovery: "{character} recovers.",
    i.LoseAction: "{character} is dazed and loses the action.",
    i.Heal: "{character} tries to heal after {days:day|days}.",
    i.Move: of_people.moving,
}
_STORY: Mapping[type[object], Phrase] = {
    i.Narrate: of_people.narrating,
    ip.ChangeStory: of_people.story_to_change,
    i.UseCard: "{character} wants to use a card creatively: {text}.",
    i.UseBeads: of_people.beads_to_use,
    i.VetoStory: "The game master vetoes part of the story: {reason}.",
    i.AmendStory: "The game master amends part of the story: {text}.",
}
_CARDS_AND_CHIPS: Mapping[type[object], Phrase] = {
    im.DrawHand: "{character} draws a hand.",
    im.DrawVillains: "The villains draw {size:card|cards}.",
    im.ExchangeCard: "{character} exchanges a card for beads.",
    im.ShiftBeads: "{character} moves {count:bead|beads} from {source} to {target} with a card.",
    im.ForceVortex: "{character} makes {target} discard a card.",
    im.ForceDiscard: whether(
        "target", "{character} makes {target} discard cards.", "{character} makes everybody else discard cards."
    ),
    im.TradeCards: "{character} wants to trade a card with {target}.",
    im.TradeUp: "{character} trades {given} for a {taken} one.",
    im.TradeDown: "{character} trades a {given} chip for {taken}.",
    im.GiveBack: "{character} gives {given} back.",
    im.ExchangeChip: of_modifiers.exchanging,
    im.ChipToPoint: "{character} turns a {chip} chip into a character point.",
    im.AwardChip: "{character} is awarded {chips}[: {reason}].",
    im.Penalise: "{character} gets a penalty[ of {chips}]: {reason}.",
    im.Nominate: "{seat} nominates {nominee} for an experience chip.",
    im.TallyNominations: "The nominations are counted.",
    im.AllocateBeads: of_modifiers.allocating,
    im.UseSessionBead: "{character} takes the session's extra bead in {element}.",
}
_ACTIONS: Mapping[type[object], Phrase] = {
    ia.DeclareAction: of_play.tried,
    ia.GrantDice: of_play.granting,
    ia.SpendToken: "A token is spent for {characteristic}.",
    ia.UsePeriodDice: whether(
        "whose", "{whose} adds {number} of the {advantage} to the next initiative roll.",
        "The roll gets {number} of the {advantage}.",
    ),
    ia.UseBit: "A Bit is used.",
    ip.PlayBeads: of_play.beads_to_play,
    ip.PlayBeadsOnDice: of_play.beads_on_dice,
    ia.RollDice: of_play.rolling,
    ip.PlayCard: whether(
        "other", "{character} wants to use a card in another way: {other}.", "{character} plays a card on the dice."
    ),
    ia.DeclareSuccesses: of_play.declaring_on,
    ia.TakeOffSuccesses: of_play.taking_off,
    ip.Trump: of_play.trumping,
    ip.TrumpByFiat: of_play.cancelling,
    ip.ShiftFailure: "{character} turns a Failure into a Spectacular Failure.",
    ip.DetermineAction: "{character} wants to decide the action without dice: {text}.",
    ip.ClaimSuccess: "{character} offers a {chip} chip for a Success.",
    ia.Resolve: of_play.resolving,
    ia.TellConsequence: "Consequence: {text}.",
}  # fmt: skip
_FIGHTS: Mapping[type[object], Phrase] = {
    ic.RollInitiative: "Initiative is rolled.",
    ic.PlayCardOnInitiative: whether(
        "whose",
        "{character} plays a card on {whose}'s initiative dice.",
        "{character} plays a card on the initiative dice.",
    ),
    ic.ScoreHit: of_fights.hitting,
    ic.SetLocation: whether("location", "The hit location is the {location}.", "A die decides the hit location."),
    ic.RollDamage: "Damage is rolled.",
    ic.PlayCardOnDamage: "{character} plays a card on the damage dice.",
    ic.ResistDamage: "The damage is resisted.",
    ic.ApplyHarm: of_people.harming,
}
_CHOICES: Mapping[type[object], Phrase] = {
    c.Approve: "The game master approves.",
    c.Veto: "The game master does not approve.",
    c.Keep: "Kept: {cards}.",
    c.Discard: "Discarded: {card}.",
    c.Ignore: of_fights.spoken_dice,
    c.Lay: of_modifiers.laid,
    c.Allocate: whether("beads", "{beads}.", "All beads are in the primary Element."),
    c.LeaveAll: "The beads stay as they are.",
    c.Agree: "Agreed.",
    c.AgreeFor: "The game master agrees for the player asked: {reason}.",
    c.Decline: "No trade.",
    c.Give: "Given away: {card}.",
}
#: By the first word of what is asked for; of dice and cards the purpose says enough.
_QUESTIONS: Mapping[str, str] = {
    "approval": "This is {purpose}. Do you approve?",
    "keep": "Choose {purpose}.",
    "discard": "Which card is discarded?",
    "give": "Which card do you give away?",
    "agree": "{purpose}. Do you agree?",
    "beads": "How do you allocate the beads for the next scene?",
    "cards": "Which cards are played on the dice?",
    "tens": "Choose {purpose}.",
}
#: Where numbers say more than the rule.
_STEPS: Mapping[str, Step] = {
    "moc.skill.target-number": of_play.target_numbers,
    "moc.skill.pool": "{out:die is|dice are} rolled.",
    "moc.skill.tokens": "The token adds {out:die|dice}.",
    "moc.skill.extended": "Time {time}, base time {base}: {out:extra die|extra dice}.",
    "moc.split.divide": "{pool} dice minus {penalty}: {out} to split.",
    "moc.char.active": (
        "{primary} gives {out:die|dice}: rating {rating}, {damage} damage, {pain} pain this turn, {fatigue} fatigue."
    ),
    "moc.dice.effect-number": "The Effect Number is {out}.",
    "moc.dice.successes": "{out:success|successes} against TN {tn}.",
    "moc.opposed.net": "{declared:success|successes} declared, {taken} taken off, {out} left.",
    "moc.bead.allowance": "{out} beads: {rate} for each point of Body, Mind and Spirit.",
    "moc.bead.allocate": "The allocation costs {out} of {allowance:bead|beads}.",
    "moc.card.value": "The card's value is {out}.",
    "moc.card.dice": "{out} of {most:point is|points are} used.",
    "moc.char.cost": of_people.costs,
    "moc.combat.initiative": "{character} rolls {dice:die|dice}. Successes and total: {out}.",
    "moc.combat.damage-pool": "{out:die|dice} with {sides} sides, plus {raises:die|dice} for raises.",
    "moc.combat.damage-roll": (
        "{out:point|points} from dice that show {threshold} or more. {unresistible} of them cannot be resisted."
    ),
    "moc.combat.resist": (
        "{dice:die|dice} against TN {tn}: {out:success|successes}."
        " {removals:point of damage is|points of damage are} removed."
    ),
    "moc.combat.apply": "{out} damage and {pain} pain. {removed:point of damage is|points of damage are} removed.",
    "moc.combat.dazed": "{out} pain in one hit. More than {limit} dazes the character.",
    "moc.recover.action": "Pain falls from {pain} to {out}.",
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
    "die": "{amount:period die|period dice}",
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
    words=SAID,
)
