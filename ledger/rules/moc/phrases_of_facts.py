"""Sentences of results. Who may read them is decided elsewhere: a sentence names only who is in its fact."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.phrases import Phrase
from ledger.rules.moc import facts_of_bodies as fb
from ledger.rules.moc import facts_of_campaign as fc
from ledger.rules.moc import facts_of_dice as fd
from ledger.rules.moc import facts_of_modifiers as fm
from ledger.rules.moc import facts_of_people as fp
from ledger.rules.moc import facts_of_scenes as fs
from ledger.rules.moc import facts_told as ft
from ledger.rules.moc import sayings_of_fights as of_fights
from ledger.rules.moc import sayings_of_modifiers as of_modifiers
from ledger.rules.moc import sayings_of_people as of_people
from ledger.rules.moc import sayings_of_play as of_play
from ledger.rules.moc.sayings import by, spoken, whether

_OF_CAMPAIGN: Mapping[type[object], Phrase] = {
    fc.TableRowSet: of_people.row,
    fc.ArcOpened: "The arc begins: {name}[ (chips worth {xp} XP can be awarded)].",
    fc.PurseEnlarged: "The arc's purse grows by {xp} XP[: {reason}].",
    fc.ArcEnded: "The arc ends.",
    fc.PlayBegun: "The deck is complete and shuffled.",
    fc.SessionEnded: "The session's cards go back into the deck.",
    fc.IntervalOpened: "The time between scenes begins.",
    fc.IntervalEnded: "The time between scenes ends.",
    fc.DeckCut: whether("cards", "Cards leave the deck.", "The deck is put away."),
    fc.CardShown: "Everybody has seen {card}, so nobody can draw it again this session.",
    fc.DeckCounted: whether("twice", "Somebody mistyped a card: {twice} came up twice.", "No card came up twice."),
    fc.NominationsTallied: whether(
        "winners", "Enough players nominated {winners}.", "Nobody was nominated by enough players."
    ),
    fc.NominationMade: "{subject} nominates {nominee} for an experience chip.",
}
_OF_PEOPLE: Mapping[type[object], Phrase] = {
    fp.CharacterCreated: of_people.created,
    fp.LevelBought: of_people.bought,
    fp.TraitProposed: of_people.proposed,
    fp.TraitCountered: of_people.countered,
    fp.TraitApproved: of_people.approved,
    fp.BackgroundLost: of_people.lost,
    fp.TraitEffectSet: of_people.effect_set,
    fp.CharacterSacrificed: "{subject} is sacrificed for the story[: {reason}].",
    fp.ChipsReturned: "{subject} leaves {chips} to the player's next character.",
    fp.ChipsInherited: of_people.inherited,
    fp.ChipsPassedOn: "{subject}'s chips go to {heir}.",
    fp.CharacterDowned: "{subject} goes down.",
    fp.StatusSet: of_people.status,
}
_OF_CARDS: Mapping[type[object], Phrase] = {
    fm.CardsDrawn: "{subject} draws {cards}.",
    fm.CardsKept: "{subject} keeps {cards}.",
    fm.HandDiscarded: "{subject} discards the hand: {cards}.",
    fm.CardDiscarded: of_modifiers.discarded,
    fm.CardExchangedForBeads: of_modifiers.exchanged,
    fm.CardShiftedBeads: "{subject} moves {beads:bead|beads} from {source} to {target} with a card, {card}.",
    fm.VillainsDrew: "The villains have {cards}.",
    fm.VillainCardUsed: of_modifiers.villains_used,
    fm.BeadsReplenished: "{number:used bead|used beads} of {element} come back to {subject}.",
    fm.DiscardForced: of_modifiers.forced,
    fm.VillainCardExchanged: of_modifiers.exchanged,
    ft.CardsTraded: "{subject} and {other} trade a card.",
    ft.CardSwapped: "{subject} gives {given} and gets {gained}.",
    ft.TradeDeclined: "{other} does not trade with {subject}.",
}
_OF_CHIPS: Mapping[type[object], Phrase] = {
    fm.ChipsTradedUp: "{subject} trades {given} for a {taken} one.",
    fm.ChipsTradedDown: "{subject} trades a {given} chip for {taken}.",
    fm.ChipsGivenBack: "{subject} gives {given} back.",
    fm.ChipSpentOnCards: "{subject} exchanges a {chip} chip for {cards:card|cards}.",
    fm.ChipExchangedForCards: "{subject} gets {cards} for the chip.",
    fm.ChipExchangedForBeads: "{subject} exchanges a {chip} chip for {beads}.",
    fm.ChipBecamePoint: "{subject}'s blue chip becomes a character point.",
    fm.ChipAwarded: of_modifiers.awarded,
    fm.ChipsPenalised: "{subject} loses {chips}[: {reason}].",
}
_OF_BEADS: Mapping[type[object], Phrase] = {
    fm.BeadsAllocated: of_modifiers.allocated,
    fm.BeadsEnded: "{subject}'s remaining beads are lost as the scene ends.",
    fm.BeadsTrumped: "{subject} loses {number:trumped bead|trumped beads} until the session ends.",
    fm.SessionBeadUsed: "{subject} takes the session's extra bead in {element}.",
    fm.PeriodDiceGiven: of_modifiers.given,
    fm.PeriodDiceUsed: "{subject} uses {number} of the {advantage}.",
    fm.PeriodDiceReturned: "{subject} gets back the dice used in this {period}.",
    fm.VortexForced: "{subject}'s Vortex makes {target} discard a card.",
}
_OF_BODIES: Mapping[type[object], Phrase] = {
    fb.TokensFilled: "{subject} gets {number:token|tokens} of {primary}.",
    fb.TokenSpent: "{subject} spends a token of {primary} for {characteristic}.",
    fb.TokensLost: "{subject} loses {lost}.",
    fb.FatigueGained: "{subject} gains {number:level|levels} of fatigue[: {reason}].",
    fb.HarmApplied: of_people.harmed,
    fb.CharacterDazed: "{subject} is dazed.",
    fb.DazeEnded: "{subject} is no longer dazed.",
    fb.TurnPassed: "Pain from the previous turn no longer reduces {subject}'s dice.",
    fb.SceneRecoveryDue: of_people.due,
    fb.SceneRecoveryTaken: of_people.recovered,
    fb.RecoveryDeclared: "{subject} spends the action recovering.",
    fb.RecoveryPreEmpted: "{subject}'s recovery is interrupted by {reason}.",
    fb.DefenceHalved: "{subject} defends with half the dice until the turn ends.",
    fb.ActionTaken: of_people.action_used,
    fb.RecoveryCompleted: "{subject} recovers from {pain} pain.",
    fb.MovementMade: of_people.moved,
}
_OF_ACTIONS: Mapping[type[object], Phrase] = {
    fs.ActionDeclared: of_play.action,
    fs.PoolSplit: of_play.split,
    fs.GmDiceGranted: of_play.granted,
    fs.CharacteristicActivated: "{characteristic} adds {dice:die|dice} to the pool.",
    fs.BitUsed: "A Bit counts as the skill for this roll.",
    fs.OwnDiceAdded: "{number:die joins|dice join} the pool.",
    fs.BeadsPlayed: of_play.beads_played,
    fs.DiceRolled: of_play.rolled,
    fs.SuccessesDeclared: of_play.declared_on,
    fs.SuccessesTakenOff: of_play.taken_off,
    fs.ActionDetermined: of_play.determined,
    fs.ActionResolved: of_play.resolved,
    fs.ActionsPreempted: "The remaining parts of the action are pre-empted: they are never attempted.",
    fs.PreemptionWaived: "The remaining parts of the action go on anyway[: {reason}].",
    fs.ConsequenceTold: whether(
        "approved", "Consequence: {text}.", "The game master does not approve this consequence: {text}."
    ),
}
_OF_PLAYS: Mapping[type[object], Phrase] = {
    fs.PlayTrumped: of_play.trumped,
    fs.PlayTrumpedByFiat: of_play.cancelled,
    fs.EffectModifierReturned: of_play.returned,
    fs.EffectModifierRestored: "{subject}'s beads are spent after all.",
    fs.PlaysReturned: whether(
        "returned", "What was played goes back to its player.", "What had gone back to its player counts again."
    ),
    fs.FailureShifted: of_play.shifted,
    fs.AutomaticSuccessClaimed: "A white chip is offered for a Success.",
    fs.AutomaticSuccessApproved: "{character} offers a white chip for a Success and gets the Success.",
    fs.AutomaticSuccessReturned: "{character} gets the white chip back: the action was a Success anyway.",
    fs.MartialArtNamed: whether("area", "The attack uses Martial Arts: {area}.", "The attack uses Martial Arts."),
    ft.ProposalVetoed: "The game master does not approve {subject}'s proposal[: {text}].",
}
_OF_SCENES: Mapping[type[object], Phrase] = {
    fs.CastSet: whether("cast", "The cast of the scene: {cast}.", "Nobody has a part in the scene yet."),
    fs.SceneOver: "The scene “{subject}” is over.",
    fs.TurnEnded: "Turn {turn} is over.",
    ft.StoryChanged: of_people.story_changed,
    ft.StoryVetoed: "That part of the story did not happen[: {reason}].",
    ft.StoryAmended: "It happened like this instead: {text}.",
    ft.Narrated: of_people.narrated,
}
_OF_FIGHTS: Mapping[type[object], Phrase] = {
    fd.CardPlayedOnDice: of_play.card_played,
    fd.CardPlayedOnHealing: of_play.card_played,
    fd.BeadsPlayedOnDice: of_play.beads_played_on_dice,
    fd.InitiativeRolled: of_fights.order,
    fd.HitScored: of_fights.hit,
    fd.LocationSet: by(
        "by",
        {
            "attacker": "The hit location is the {location}, as the attacker chooses.",
            "gm": "The hit location is the {location}, as the game master decides.",
            "die": "The hit location is the {location}.",
        },
    ),
    fd.DamageRolled: of_fights.damage,
    fd.DamageResisted: of_fights.resisted,
    fd.HarmUndone: "The harm that the hit did to {subject} is undone and worked out again.",
    fd.DiceLaid: "{character} adds {number:floating die|floating dice} to the next initiative roll.",
    fd.DamageHealed: of_fights.healed,
    fd.HealingFailed: of_fights.not_healed,
}
FACTS: Mapping[type[object], Phrase] = spoken({
    **_OF_CAMPAIGN, **_OF_PEOPLE, **_OF_CARDS, **_OF_CHIPS, **_OF_BEADS, **_OF_BODIES, **_OF_ACTIONS, **_OF_PLAYS,
    **_OF_SCENES, **_OF_FIGHTS,
})  # fmt: skip
