"""Why a ruling came out as it did: in random play, the deciding rule is cited with every fact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ledger.rules.moc import RULESET
from tests.rules.moc.chance import play_at_random
from tests.rules.moc.game import Game

#: Fact -> the rules that are always cited with it.
RULES = {
    "ActionDeclared": "moc.skill.target-number",
    "ActionDetermined": "moc.action.by-em",
    "ActionResolved": "moc.dice.successes moc.level.required moc.level.resolve",
    "ActionsPreempted": "moc.split.pre-empt",
    "ArcEnded": "moc.fate.purse",
    "ArcOpened": "moc.fate.purse",
    "AutomaticSuccessApproved": "moc.chip.automatic-success",
    "AutomaticSuccessClaimed": "moc.chip.automatic-success",
    "BackgroundLost": "moc.adv.negotiate",
    "BeadsAllocated": "moc.bead.allocate moc.bead.allowance",
    "BeadsEnded": "moc.bead.regenerate",
    "BeadsPlayed": "moc.bead.use",
    "BeadsPlayedOnDice": "moc.bead.use",
    "BeadsTrumped": "moc.trump.effect",
    "CardExchangedForBeads": "moc.card.to-beads",
    "CardPlayedOnDice": "moc.card.class moc.card.dice moc.card.value",
    "CardPlayedOnHealing": "moc.card.class moc.card.dice moc.card.value",
    "CardShiftedBeads": "moc.card.shift",
    "CardSwapped": "moc.card.trade",
    "CardsDrawn": "moc.card.hand",
    "CardsKept": "moc.card.hand",
    "CardsTraded": "moc.card.trade",
    "CharacterCreated": "moc.char.budget moc.char.derived",
    "CharacterDazed": "moc.combat.apply moc.combat.dazed",
    "CharacterDowned": "moc.combat.apply",
    "CharacterSacrificed": "moc.fate.inherit",
    "CharacteristicActivated": "moc.skill.tokens",
    "ChipBecamePoint": "moc.chip.character-point",
    "ChipExchangedForBeads": "moc.chip.exchange",
    "ChipExchangedForCards": "moc.chip.exchange",
    "ChipSpentOnCards": "moc.chip.exchange",
    "ChipsGivenBack": "moc.chip.limit",
    "ChipsInherited": "moc.fate.inherit",
    "ChipsPassedOn": "moc.fate.inherit",
    "ChipsPenalised": "moc.fate.penalty",
    "ChipsReturned": "moc.fate.inherit",
    "ChipsTradedDown": "moc.chip.trade-down",
    "ChipsTradedUp": "moc.chip.trade-up",
    "ConsequenceTold": "moc.level.meaning",
    "DamageHealed": "moc.recover.damage",
    "DamageResisted": "moc.combat.resist",
    "DamageRolled": "moc.combat.damage-roll",
    "DazeEnded": "moc.combat.dazed",
    "DiceLaid": "moc.adv.period-dice",
    "DiceRolled": "moc.dice.successes moc.skill.pool",
    "EffectModifierRestored": "moc.trump.stack",
    "FailureShifted": "moc.level.resolve",
    "GmDiceGranted": "moc.skill.gm-dice",
    "HandDiscarded": "moc.card.once",
    "HarmApplied": "moc.combat.apply",
    "HarmUndone": "moc.trump.effect",
    "HealingFailed": "moc.recover.damage",
    "HitScored": "moc.combat.damage-pool moc.combat.to-hit",
    "InitiativeRolled": "moc.char.active moc.combat.initiative",
    "IntervalEnded": "moc.chip.limit",
    "IntervalOpened": "moc.bead.regenerate",
    "LocationSet": "moc.combat.location",
    "Narrated": "moc.tell",
    "NominationMade": "moc.fate.nominate",
    "NominationsTallied": "moc.fate.nominate",
    "PeriodDiceGiven": "moc.adv.period-dice",
    "PeriodDiceReturned": "moc.adv.period-dice",
    "PeriodDiceUsed": "moc.adv.period-dice",
    "PlayBegun": "moc.card.hand",
    "PlayTrumped": "moc.trump.order",
    "PlayTrumpedByFiat": "moc.trump.fiat",
    "PoolSplit": "moc.char.active moc.split.divide",
    "PreemptionWaived": "moc.split.pre-empt",
    "PurseEnlarged": "moc.fate.purse",
    "RecoveryCompleted": "moc.recover.action",
    "RecoveryDeclared": "moc.recover.action",
    "RecoveryPreEmpted": "moc.recover.action",
    "SceneRecoveryTaken": "moc.recover.scene",
    "SessionBeadUsed": "moc.bead.regenerate",
    "SessionEnded": "moc.card.once",
    "StatusSet": "moc.combat.apply",
    "StoryAmended": "moc.story.tiers",
    "StoryVetoed": "moc.story.tiers",
    "SuccessesDeclared": "moc.opposed.net",
    "SuccessesTakenOff": "moc.opposed.net",
    "ActionTaken": "moc.combat.initiative",
    "BitUsed": "moc.adv.bits",
    "BeadsReplenished": "moc.adv.effect",
    "DiscardForced": "moc.adv.effect",
    "TraitEffectSet": "moc.adv.effect",
    "VillainCardExchanged": "moc.card.to-beads",
    "MartialArtNamed": "moc.adv.martial-arts",
    "DefenceHalved": "moc.level.meaning",
    "CardShown": "moc.card.once",
    "TableRowSet": "moc.skill.entry",
    "TokenSpent": "moc.skill.tokens",
    "TokensLost": "moc.combat.apply",
    "TradeDeclined": "moc.card.trade",
    "TraitApproved": "moc.adv.negotiate",
    "TraitCountered": "moc.adv.negotiate",
    "TraitProposed": "moc.adv.negotiate",
    "TurnEnded": "moc.combat.initiative",
    "VortexForced": "moc.card.hand",
}
#: Fact -> rules of which one is cited, because the fact has several causes.
SOME = {
    "CardDiscarded": "moc.card.dice moc.card.hand moc.card.other moc.trump.order moc.action.by-em moc.level.resolve "
    "moc.adv.effect",
    "ChipAwarded": "moc.fate.purse moc.trump.fiat",
    "DeckCut": "moc.card.hand moc.card.once moc.chip.exchange",
    "EffectModifierReturned": "moc.story.action-beads moc.trump.effect",
    "FatigueGained": "moc.char.tokens moc.combat.fatigue",
    "LevelBought": "moc.char.cost moc.adv.period-dice moc.adv.dice moc.adv.bits moc.adv.contacts moc.card.hand"
    " moc.bead.allocate",
    "MovementMade": "moc.move.rate moc.move.half-action",
    "OwnDiceAdded": "moc.adv.period-dice moc.adv.bits",
    "PlaysReturned": "moc.story.action-beads moc.trump.effect moc.trump.stack moc.trump.fiat moc.split.pre-empt",
    "StoryChanged": "moc.story.tiers moc.card.other moc.bead.use",
    "VillainsDrew": "moc.card.hand moc.story.action-beads",
}
#: Fact -> a rule cited with it, and the fact's number that is cited.
NUMBERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "ActionResolved": ("moc.level.resolve", lambda told: told.level),
    "ActionTaken": ("moc.combat.initiative", lambda told: told.halves),
    "ActionsPreempted": ("moc.split.pre-empt", lambda told: len(told.parts)),
    "ArcOpened": ("moc.fate.purse", lambda told: told.xp),
    "BeadsAllocated": ("moc.bead.allocate", lambda told: told.cost),
    "BeadsTrumped": ("moc.trump.effect", lambda told: told.number),
    "CardExchangedForBeads": ("moc.card.to-beads", lambda told: told.beads),
    "CardsKept": ("moc.card.hand", lambda told: list(told.cards)),
    "ChipExchangedForBeads": ("moc.chip.exchange", lambda told: sum(told.beads.values())),
    "ChipSpentOnCards": ("moc.chip.exchange", lambda told: told.cards),
    "ChipsGivenBack": ("moc.chip.limit", lambda told: sum(told.given.values())),
    "DamageHealed": ("moc.recover.damage", lambda told: told.successes),
    "DamageResisted": ("moc.combat.resist", lambda told: told.conversions),
    "DamageRolled": ("moc.combat.damage-roll", lambda told: told.resistible + told.unresistible),
    "GmDiceGranted": ("moc.skill.gm-dice", lambda told: told.n),
    "HarmApplied": ("moc.combat.apply", lambda told: told.damage),
    "HealingFailed": ("moc.recover.damage", lambda told: 0),
    "HitScored": ("moc.combat.damage-pool", lambda told: told.what.dice),
    "NominationsTallied": ("moc.fate.nominate", lambda told: list(told.winners)),
    "OwnDiceAdded": ("moc.adv.period-dice", lambda told: told.number),
    "PeriodDiceUsed": ("moc.adv.period-dice", lambda told: told.number),
    "PoolSplit": ("moc.split.divide", lambda told: told.pool - told.penalty),
    "StoryChanged": ("moc.story.tiers", lambda told: told.tier),
    "SuccessesTakenOff": ("moc.opposed.net", lambda told: told.net),
    "TraitApproved": ("moc.adv.negotiate", lambda told: told.cost),
    "TraitCountered": ("moc.adv.negotiate", lambda told: told.cost),
    "TraitProposed": ("moc.adv.negotiate", lambda told: told.cost),
    "TurnEnded": ("moc.combat.initiative", lambda told: told.turn),
}


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return [play_at_random(seed, 80) for seed in range(90)]


@pytest.mark.slow
def test_each_fact_cites_its_rule(games):
    wrong, seen = set(), set()
    for game in games:
        for ruling, verdict in zip(game.history, game.verdicts, strict=True):
            cited = {step.rule for step in verdict.because}
            for name in {type(about.fact).__name__ for about in verdict.facts}:
                seen.add(name)
                if not set(RULES.get(name, "").split()) <= cited:
                    wrong.add((type(ruling.declared).__name__, name, RULES[name]))
                if name in SOME and cited.isdisjoint(SOME[name].split()):
                    wrong.add((type(ruling.declared).__name__, name, SOME[name]))
    assert not wrong
    assert len(seen & {*RULES, *SOME}) > 90, "random play tells nearly all of them"


def test_the_number_that_is_cited_is_the_one_that_is_told(games):
    wrong = []
    for game in games:
        for verdict in game.verdicts:
            for about in verdict.facts:
                rule, number = NUMBERS.get(type(about.fact).__name__, ("", None))
                cited = [step.out for step in verdict.because if step.rule == rule]
                if number is not None and cited and number(about.fact) not in cited:
                    wrong.append((about.fact, rule, cited))
    assert not wrong


def test_the_rules_that_are_named_here_are_the_books():
    named = {rule for rules in (*RULES.values(), *SOME.values()) for rule in rules.split()}
    assert named <= set(RULESET.rules)
