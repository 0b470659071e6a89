"""Every refusal: the moment, what is declared, and the code in the last column. Where two things are wrong at once, the
table says which is named first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ledger.rules.intensity.advantage_points import SpendAdvantage
from ledger.rules.intensity.attacks import Attack, ChooseImpact, Resolve, Waive
from ledger.rules.intensity.defence import DefenceDie, Defend
from ledger.rules.intensity.draft import Faces
from ledger.rules.intensity.fatals import ReleaseFatal, UseFatal
from ledger.rules.intensity.healing import HealingChoice, HealingMoment
from ledger.rules.intensity.impact import Mutilation
from ledger.rules.intensity.levels_and_traits import Raise, Sheet, TraitLine
from ledger.rules.intensity.negotiation import Negotiate
from ledger.rules.intensity.opponents import NoteConflict
from ledger.rules.intensity.out_of_play import FatalUse, Fate
from ledger.rules.intensity.rolling import RollDice
from ledger.rules.intensity.rounds import AbandonRound, AmendDeclaration, CloseRound, Declare, OpenRound
from ledger.rules.intensity.scenes_and_rest import Rest
from ledger.rules.intensity.turns import Pass, SettleTie
from ledger.rules.kernel.commands import CloseScene, Enrol, OpenScene, SetDial
from tests.rules.intensity import situations as at
from tests.rules.intensity.game import Game

Case = tuple[Callable[..., Game], dict[str, Any], Callable[[Game], Any], str]
NIGHT = "a quiet night"


def main(*traits: tuple[str, Any]) -> Enrol[Sheet]:
    return Enrol("Fay", "p", Sheet("main", tuple(TraitLine(*trait) for trait in traits)))


CREATION: list[Case] = [
    (at.before_any_scene, {}, lambda g: Enrol("Fay", "p", Sheet("hero", ())), "unknown-kind"),
    (at.before_any_scene, {}, lambda g: main(("A", 10), ("B", 10), ("C", 8)), "trait-dice"),
    (at.before_any_scene, {}, lambda g: main(("A", 10), ("B", 8)), "trait-dice"),
    (at.before_any_scene, {}, lambda g: main(("A", 10.0), ("B", 8), ("C", 8)), "trait-dice"),
    (at.before_any_scene, {}, lambda g: main(("A", 10), ("A", 8), ("C", 9)), "trait-dice"),
    (at.before_any_scene, {}, lambda g: main(("A", 10), ("A", 8), ("C", 8)), "trait-name"),
    (at.before_any_scene, {}, lambda g: main(("A", 10), (" ", 8), ("C", 8)), "trait-name"),
    (at.before_any_scene, {}, lambda g: main(("Loyal", 10), ("loyal ", 8), ("C", 8)), "trait-name"),
    (at.before_any_scene, {}, lambda g: SetDial("luck", True, "why not"), "unknown-dial"),
    (at.before_any_scene, {}, lambda g: SetDial("stacking", "some", "why not"), "dial-value"),
]
SCENES: list[Case] = [
    (at.in_a_scene, {}, lambda g: OpenScene("Another"), "scene-open"),
    (at.opened, {}, lambda g: CloseScene(g.scene_id), "round-open"),
    (at.holding, {}, lambda g: CloseScene(g.scene_id), "held-fatal-open"),
    (at.in_a_scene, {}, lambda g: CloseScene("999"), "unknown-scene"),
]
ROUNDS: list[Case] = [
    (at.before_any_scene, {}, lambda g: OpenRound((g.ann, g.bea)), "no-scene"),
    (at.before_any_scene, {}, lambda g: OpenRound((g.ann, "nobody")), "unknown-character"),
    (at.opened, {}, lambda g: OpenRound((g.ann, g.bea)), "round-open"),
    (at.in_a_scene, {}, lambda g: OpenRound((g.ann,)), "participants"),
    (at.in_a_scene, {}, lambda g: OpenRound((g.ann, g.ann)), "participants"),
    (at.in_a_scene, {}, lambda g: OpenRound((g.ann, g.bea, g.ann)), "participants"),
    (at.gone, {}, lambda g: OpenRound((g.ann, g.bea)), "character-out"),
    (at.gone, {}, lambda g: OpenRound((g.bea,)), "participants"),
    (at.half_rolled, {}, lambda g: CloseRound(), "wrong-stage"),
    (at.rolled, {}, lambda g: CloseRound(), "actions-left"),
    (at.attacked, {}, lambda g: CloseRound(), "actions-left"),
    (at.in_a_scene, {}, lambda g: CloseRound(), "no-round"),
    (at.before_any_scene, {}, lambda g: CloseRound(), "no-scene"),
    (at.rolled, {}, lambda g: AbandonRound(), "wrong-stage"),
    (at.in_a_scene, {}, lambda g: AbandonRound(), "no-round"),
]
DECLARING: list[Case] = [
    (at.opened, {}, lambda g: Declare("nobody", "calm", g.bea, "A"), "unknown-character"),
    (at.opened, {}, lambda g: Declare(g.ann, "calm", "nobody", "A"), "unknown-character"),
    (at.opened, {}, lambda g: Declare(g.ann, "bored", g.bea, "A"), "unknown-level"),
    (at.in_a_scene, {}, lambda g: Declare(g.ann, "bored", g.bea, "A"), "unknown-level"),
    (at.before_any_scene, {}, lambda g: Declare(g.ann, "calm", g.bea, "A"), "no-scene"),
    (at.in_a_scene, {}, lambda g: Declare(g.ann, "calm", g.bea, "A"), "no-round"),
    (at.opened, {}, lambda g: Declare(g.ed, "calm", g.bea, "A"), "not-in-round"),
    (at.declared, {}, lambda g: Declare(g.ann, "calm", g.bea, "A"), "already-declared"),
    (at.half_rolled, {}, lambda g: Declare(g.ann, "calm", g.bea, "A"), "wrong-stage"),
    (at.opened, {}, lambda g: Declare(g.ann, "calm", g.ann, "A"), "self"),
    (at.opened, {}, lambda g: Declare(g.ann, "calm", g.ed, "A"), "target-not-in-round"),
    (at.opened, {}, lambda g: Declare(g.ann, "calm", g.bea, "Z"), "unknown-trait"),
    (at.opened, {}, lambda g: Declare(g.ann, "calm", g.bea), "trait-required"),
]
RAISING: list[Case] = [
    (at.declared, {}, lambda g: Raise("nobody", "calm"), "unknown-character"),
    (at.declared, {}, lambda g: Raise(g.ann, "bored"), "unknown-level"),
    (at.declared, {}, lambda g: Raise(g.ed, "fanatical"), "not-in-round"),
    (at.declared, {}, lambda g: Raise(g.ann, "passionate"), "not-a-raise"),
    (at.declared, {}, lambda g: Raise(g.ann, "calm"), "not-a-raise"),
    (at.opened, {}, lambda g: Raise(g.ann, "calm"), "not-declared"),
    (at.half_rolled, {}, lambda g: Raise(g.bea, "fanatical"), "wrong-stage"),
    (at.half_rolled, {}, lambda g: Raise(g.bea, "calm"), "not-a-raise"),
    (at.in_a_scene, {}, lambda g: Raise(g.ann, "fanatical"), "no-round"),
]
AMENDING: list[Case] = [
    (at.declared, {}, lambda g: AmendDeclaration(g.ann), "amend-what"),
    (at.declared, {}, lambda g: AmendDeclaration(g.ann, level="fanatical"), "amend-what"),
    (at.declared, {}, lambda g: AmendDeclaration(g.ann, g.dan, level="fanatical"), "amend-what"),
    (at.declared, {}, lambda g: AmendDeclaration("nobody", None), "unknown-character"),
    (at.declared, {}, lambda g: AmendDeclaration(g.ann, "nobody"), "unknown-character"),
    (at.declared, {}, lambda g: AmendDeclaration(g.ed, g.ann), "not-in-round"),
    (at.opened, {}, lambda g: AmendDeclaration(g.ann, g.dan), "not-declared"),
    (at.half_rolled, {}, lambda g: AmendDeclaration(g.ann, g.dan), "wrong-stage"),
    (at.declared, {"declaration_amendable": False}, lambda g: AmendDeclaration(g.ann, g.dan), "declaration-fixed"),
    (at.declared, {}, lambda g: AmendDeclaration(g.ann, g.ann), "self"),
    (at.declared, {}, lambda g: AmendDeclaration(g.ann, g.ed), "target-not-in-round"),
    (at.declared, {}, lambda g: AmendDeclaration(g.ann, trait="Z"), "unknown-trait"),
    (at.declared, {}, lambda g: AmendDeclaration(g.ann, trait=None), "trait-required"),
]
ROLLING: list[Case] = [
    (at.in_a_scene, {}, lambda g: RollDice(), "no-round"),
    (at.opened, {}, lambda g: RollDice(), "undeclared"),
    (at.rolled, {}, lambda g: RollDice(), "wrong-stage"),
    (at.declared, {}, lambda g: RollDice((Faces(g.ed, 1, 1),)), "roll-names"),
    (at.declared, {}, lambda g: RollDice(participants=(g.ann, g.ed)), "roll-names"),
    (at.declared, {}, lambda g: RollDice((Faces(g.ann, 1, 1),), (g.bea,)), "roll-names"),
    (at.half_rolled, {}, lambda g: RollDice((Faces(g.ann, 1, 1),)), "roll-names"),
    (at.declared, {}, lambda g: RollDice((Faces(g.ann, 1, 1), Faces(g.ann, 1, 1))), "duplicate"),
    (at.declared, {}, lambda g: RollDice(participants=(g.ann, g.ann)), "duplicate"),
    (at.opened, {}, lambda g: RollDice(participants=(g.ann, g.ann)), "duplicate"),
    (at.declared, {}, lambda g: RollDice((Faces("nobody", 1, 1),)), "unknown-character"),
    (at.rolled, {}, lambda g: RollDice(participants=("nobody",)), "unknown-character"),
    (at.declared, {}, lambda g: RollDice((Faces(g.ann, 1),)), "roll-dice"),
    (at.declared, {}, lambda g: RollDice((Faces(g.ann, None, 1),)), "roll-dice"),
    (at.declared, {}, lambda g: RollDice((Faces(g.ann),)), "roll-dice"),
    (at.declared, {}, lambda g: RollDice((Faces(g.ann, 11, 1),)), "face-range"),
    (at.declared, {}, lambda g: RollDice((Faces(g.ann, 0, 1),)), "face-range"),
    (at.declared, {}, lambda g: RollDice((Faces(g.ann, True, 1),)), "face-range"),
    (at.declared, {}, lambda g: RollDice((Faces(g.ann, 3.0, 1),)), "face-range"),
    (at.declared, {}, lambda g: RollDice((Faces(g.ann, "3", 1),)), "face-range"),
]
TURNS: list[Case] = [
    (at.rolled, {}, lambda g: Attack("nobody"), "unknown-character"),
    (at.rolled, {}, lambda g: Attack(g.ann, "nobody"), "unknown-character"),
    (at.before_any_scene, {}, lambda g: Attack(g.ann), "no-scene"),
    (at.in_a_scene, {}, lambda g: Attack(g.ann), "no-round"),
    (at.rolled, {}, lambda g: Attack(g.ed), "not-in-round"),
    (at.half_rolled, {}, lambda g: Attack(g.ann), "wrong-stage"),
    (at.rolled, {}, lambda g: Attack(g.bea), "not-your-turn"),
    (at.rolled, {}, lambda g: Attack(g.dan), "not-your-turn"),
    (at.rolled, {}, lambda g: Pass(g.bea), "not-your-turn"),
    (at.attacked, {}, lambda g: Attack(g.ann), "not-your-turn"),
    (at.attacked, {}, lambda g: Attack(g.bea), "attack-open"),
    (at.attacked, {}, lambda g: Pass(g.bea), "attack-open"),
    (at.tied, {}, lambda g: Attack(g.ann), "tie-open"),
    (at.tied, {}, lambda g: Attack(g.dan), "tie-open"),
    (at.tied, {}, lambda g: Pass(g.bea), "tie-open"),
    (at.rolled, {}, lambda g: Attack(g.ann, g.dan), "retarget"),
    (at.rolled, {"retarget_when_target_gone": "retarget"}, lambda g: Attack(g.ann, g.dan), "retarget"),
]
TIES: list[Case] = [
    (at.in_a_scene, {}, lambda g: SettleTie((g.ann, g.bea)), "no-round"),
    (at.half_rolled, {}, lambda g: SettleTie((g.ann, g.bea)), "wrong-stage"),
    (at.rolled, {}, lambda g: SettleTie((g.ann, g.bea)), "no-tie"),
    (at.rolled, {}, lambda g: SettleTie((g.ann, "nobody")), "unknown-character"),
    (at.tied, {}, lambda g: SettleTie(faces=((Faces("nobody", 1, 1),),)), "unknown-character"),
    (at.tied, {}, lambda g: SettleTie(), "tie-ranking"),
    (at.tied, {}, lambda g: SettleTie((g.ann,)), "tie-ranking"),
    (at.tied, {}, lambda g: SettleTie((g.ann, g.ann)), "tie-ranking"),
    (at.tied, {}, lambda g: SettleTie((g.ann, g.bea, g.dan)), "tie-ranking"),
    (at.tied, {}, lambda g: SettleTie(faces=((Faces(g.ann, 1, 1), Faces(g.bea, 2, 2)),)), "tie-by-table-choice"),
    (at.tied, {"full_tie": "roll_off"}, lambda g: SettleTie((g.ann, g.bea)), "tie-by-roll-off"),
    (at.tied, {"full_tie": "roll_off"}, lambda g: SettleTie(faces=((Faces(g.ann, 1, 1),),)), "roll-off-names"),
    (
        at.tied,
        {"full_tie": "roll_off"},
        lambda g: SettleTie(faces=((Faces(g.ann, 1, 1), Faces(g.dan, 1, 2)),)),
        "roll-off-names",
    ),
    (
        at.tied,
        {"full_tie": "roll_off"},
        lambda g: SettleTie(faces=((Faces(g.ann, 1, 1), Faces(g.bea, 1, 1)),)),
        "roll-off-short",
    ),
    (
        at.tied,
        {"full_tie": "roll_off"},
        lambda g: SettleTie(faces=((Faces(g.ann, 1, 1), Faces(g.bea, 2, 1)), (Faces(g.ann, 1, 1), Faces(g.bea, 2, 1)))),
        "roll-off-long",
    ),
    (
        at.tied,
        {"full_tie": "roll_off"},
        lambda g: SettleTie(faces=((Faces(g.ann, 1), Faces(g.bea, 2, 1)),)),
        "roll-dice",
    ),
    (
        at.tied,
        {"full_tie": "roll_off"},
        lambda g: SettleTie(faces=((Faces(g.ann, 1, 11), Faces(g.bea, 2, 1)),)),
        "face-range",
    ),
]
DEFENDING: list[Case] = [
    (at.before_any_scene, {}, lambda g: Defend(), "no-scene"),
    (at.in_a_scene, {}, lambda g: Defend(), "no-round"),
    (at.rolled, {}, lambda g: Defend(), "no-attack"),
    (at.attacked, {}, lambda g: Defend((DefenceDie("hope", 1),)), "no-such-die"),
    (at.attacked, {}, lambda g: Defend((DefenceDie("trait", 1), DefenceDie("trait", 1))), "duplicate"),
    (at.attacked, {}, lambda g: Defend((DefenceDie("trait", 11),)), "face-range"),
    (at.attacked, {}, lambda g: Defend((DefenceDie("trait", True),)), "face-range"),
    (at.rolled, {}, lambda g: Defend((DefenceDie("trait", 1), DefenceDie("trait", 1))), "duplicate"),
    (at.defended, {}, lambda g: Defend((DefenceDie("trait", 1), DefenceDie("trait", 1))), "duplicate"),
    (at.defended, {}, lambda g: Defend((DefenceDie("trait", 1),)), "already-responded"),
    (at.let_stand, {}, lambda g: Defend(), "already-responded"),
    (
        at.let_stand,
        {"defence_second_pick": "after_seeing"},
        lambda g: Defend((DefenceDie("trait", 1),)),
        "already-responded",
    ),
    (
        at.defended,
        {"defence_second_pick": "after_seeing"},
        lambda g: Defend((DefenceDie("intensity", 1),)),
        "already-responded",
    ),
    (at.defended, {"defence_second_pick": "after_seeing"}, lambda g: Defend(), "already-responded"),
    (at.succeeded, {}, lambda g: Defend(), "wrong-stage"),
    (at.in_a_scene, {}, lambda g: Resolve(), "no-round"),
    (at.rolled, {}, lambda g: Resolve(), "no-attack"),
    (at.attacked, {}, lambda g: Resolve(), "no-defence-yet"),
    (at.succeeded, {}, lambda g: Resolve(), "wrong-stage"),
]
IMPACTS: list[Case] = [
    (at.succeeded, {}, lambda g: ChooseImpact("insult"), "unknown-impact"),
    (at.in_a_scene, {}, lambda g: ChooseImpact("tax", "A"), "no-round"),
    (at.rolled, {}, lambda g: ChooseImpact("tax", "A"), "no-attack"),
    (at.defended, {}, lambda g: ChooseImpact("tax", "A"), "wrong-stage"),
    (at.defended, {}, lambda g: Waive(), "wrong-stage"),
    (at.rolled, {}, lambda g: Waive(), "no-attack"),
    (at.succeeded, {}, lambda g: ChooseImpact("fatal"), "above-rating"),
    (at.succeeded, {}, lambda g: ChooseImpact("advantage", "A"), "no-trait-here"),
    (at.succeeded, {}, lambda g: ChooseImpact("wound", "A"), "no-trait-here"),
    (at.succeeded, {}, lambda g: ChooseImpact("tax"), "unknown-trait"),
    (at.succeeded, {}, lambda g: ChooseImpact("tax", "Z"), "unknown-trait"),
    (at.succeeded, {"tax_scope": "trait_used"}, lambda g: ChooseImpact("tax", "B"), "not-the-trait-used"),
    (at.succeeded, {"tax_scope": "trait_used"}, lambda g: ChooseImpact("tax", "Z"), "unknown-trait"),
    (at.succeeded, {}, lambda g: ChooseImpact("damage", "B"), "not-the-trait-used"),
    (at.succeeded, {}, lambda g: ChooseImpact("wound", at_once=Fate("dead")), "no-such-fatal"),
    (at.all_hit, {}, lambda g: ChooseImpact("fatal", at_once=Fate(" ")), "fate-text"),
    (at.all_hit, {}, lambda g: ChooseImpact("fatal", at_once=Fate("dead", "kiss")), "unknown-use"),
]


def use(g: Game, **more: Any) -> UseFatal:
    return UseFatal((FatalUse(g.fatal, **{"text": "so ends she", **more}),))


FATALS: list[Case] = [
    (at.holding, {}, lambda g: use(g, use_as="kiss"), "unknown-use"),
    (at.holding, {}, lambda g: use(g, out="soon"), "unknown-out"),
    (at.holding, {}, lambda g: use(g, use_as="wound", trait="A"), "no-trait-here"),
    (at.holding, {}, lambda g: use(g, trait="A"), "no-trait-here"),
    (at.holding, {}, lambda g: UseFatal((FatalUse(g.fatal, "x"), FatalUse(g.fatal, "y"))), "fatal-twice"),
    (at.before_any_scene, {}, use, "no-scene"),
    (at.holding, {}, lambda g: UseFatal((FatalUse("999", "x"),)), "no-such-fatal"),
    (at.holding, {}, lambda g: UseFatal(()), "no-such-fatal"),
    (at.holding, {}, lambda g: use(g, by="nobody"), "unknown-character"),
    (at.holding, {}, lambda g: use(g, by=g.dan), "not-the-holder"),
    (at.holding, {}, lambda g: use(g, by=g.bea, text=""), "not-the-holder"),
    (at.holding, {}, lambda g: use(g, text=" "), "fate-text"),
    (at.holding, {}, lambda g: use(g, use_as="tax", trait="Z"), "unknown-trait"),
    (at.holding, {}, lambda g: use(g, use_as="damage", trait="B"), "not-the-trait-used"),
    (at.holding, {}, lambda g: ReleaseFatal(g.fatal, g.bea), "not-the-holder"),
    (at.holding, {}, lambda g: ReleaseFatal("999", g.bea), "no-such-fatal"),
    (at.holding, {}, lambda g: ReleaseFatal(g.fatal, "nobody"), "unknown-character"),
    (
        at.stand_off,
        {"held_fatal_when_holder_out": "lapse"},
        lambda g: UseFatal((FatalUse(g.fatal, "x", out="scene"), FatalUse(g.answer, "y"))),
        "no-answer",
    ),
    (at.holding, {}, lambda g: use(g, mutilation=Mutilation("Z", 4)), "unknown-trait"),
    (at.holding, {}, lambda g: use(g, mutilation=Mutilation("A", 12)), "trait-base"),
    (at.holding, {}, lambda g: use(g, mutilation=Mutilation("A", True)), "trait-base"),
    (at.holding, {}, lambda g: use(g, mutilation=Mutilation("A", None), text=""), "trait-base"),
    (at.all_hit, {}, lambda g: ChooseImpact("fatal", at_once=Fate("x", mutilation=Mutilation("A", 3))), "trait-base"),
    (at.holding, {}, lambda g: UseFatal((FatalUse(g.fatal, "x"),), " "), "text-blank"),
    (at.before_any_scene, {}, lambda g: UseFatal((FatalUse("9", "x"),), " "), "text-blank"),
]
BARGAINS: list[Case] = [
    (at.in_a_scene, {}, lambda g: Negotiate((g.ann, "nobody"), "peace"), "unknown-character"),
    (at.before_any_scene, {}, lambda g: Negotiate((g.ann, g.bea), "peace"), "no-scene"),
    (at.in_a_scene, {}, lambda g: Negotiate((g.ann, g.bea), "peace", "1"), "no-round"),
    (at.rolled, {}, lambda g: Negotiate((g.ann, g.bea), "peace", "1"), "no-attack"),
    (at.succeeded, {}, lambda g: Negotiate((g.ann, g.bea), "peace", "999"), "no-attack"),
    (at.defended, {}, lambda g: Negotiate((g.ann, g.bea), "peace", g.round.attack.id), "wrong-stage"),
    (at.succeeded, {}, lambda g: Negotiate((g.ann, g.dan), "peace", g.round.attack.id), "parties"),
    (at.succeeded, {}, lambda g: Negotiate((g.ann,), "", g.round.attack.id), "parties"),
    (at.succeeded, {}, lambda g: Negotiate((g.ann, g.bea, g.bea), "peace", g.round.attack.id), "parties"),
    (at.succeeded, {}, lambda g: Negotiate((g.ann, g.bea), " ", g.round.attack.id), "terms-text"),
    (at.holding, {}, lambda g: Negotiate((g.ann, g.bea), "", releases=(g.fatal,)), "terms-text"),
    (at.holding, {}, lambda g: Negotiate((g.ann, g.bea), "peace"), "nothing-agreed"),
    (at.holding, {}, lambda g: Negotiate((g.bea, g.dan), "peace", releases=(g.fatal,)), "parties"),
    (at.holding, {}, lambda g: Negotiate((g.ann, g.bea), "peace", releases=("999",)), "no-such-fatal"),
    (at.holding, {}, lambda g: Negotiate((g.ann, g.bea), "peace", releases=(g.fatal, g.fatal)), "fatal-twice"),
    (
        at.holding,
        {},
        lambda g: Negotiate((g.ann, g.bea), "peace", uses=(FatalUse(g.fatal, "x"),), releases=(g.fatal,)),
        "fatal-twice",
    ),
    (at.holding, {}, lambda g: Negotiate((g.bea, g.dan), "peace", uses=(FatalUse(g.fatal, "x"),)), "parties"),
    (at.holding, {}, lambda g: Negotiate((g.ann, g.bea), "peace", uses=(FatalUse(g.fatal, ""),)), "fate-text"),
    (at.rolled, {}, lambda g: Negotiate((g.ann, g.dan), "peace", passes=(g.bea,)), "parties"),
    (at.rolled, {}, lambda g: Negotiate((g.ann, g.dan), "peace", passes=(g.dan,)), "no-action-left"),
    (at.declared, {}, lambda g: Negotiate((g.ann, g.dan), "peace", passes=(g.ann,)), "no-action-left"),
    (at.in_a_scene, {}, lambda g: Negotiate((g.ann, g.dan), "peace", passes=(g.ann,)), "no-action-left"),
    (at.rolled, {}, lambda g: Negotiate((g.ann, g.dan), "peace", passes=(g.ann, g.ann)), "duplicate"),
    (at.rolled, {}, lambda g: Negotiate((g.ann, g.dan), "peace", passes=(g.ann,), reason=" "), "text-blank"),
    (
        at.stand_off,
        {"held_fatal_when_holder_out": "lapse"},
        lambda g: Negotiate(
            (g.ann, g.bea), "both", uses=(FatalUse(g.fatal, "x", out="permanent"), FatalUse(g.answer, "y"))
        ),
        "no-answer",
    ),
]
SPENDING: list[Case] = [
    (at.attacked, {}, lambda g: SpendAdvantage("nobody", "attack4"), "unknown-character"),
    (at.attacked, {}, lambda g: SpendAdvantage(g.ann, "luck"), "unknown-effect"),
    (at.attacked, {}, lambda g: SpendAdvantage(g.ann, "attack4", "trait"), "no-die-here"),
    (at.attacked, {}, lambda g: SpendAdvantage(g.ann, "attack4", face=3), "no-die-here"),
    (at.in_a_scene, {}, lambda g: SpendAdvantage(g.ann, "attack4"), "no-round"),
    (at.rolled, {}, lambda g: SpendAdvantage(g.ann, "attack4"), "no-attack"),
    (at.attacked, {}, lambda g: SpendAdvantage(g.dan, "attack4"), "wrong-side"),
    (at.attacked, {}, lambda g: SpendAdvantage(g.bea, "attack4"), "wrong-side"),
    (at.attacked, {}, lambda g: SpendAdvantage(g.bea, "maximum"), "wrong-side"),
    (at.defended, {}, lambda g: SpendAdvantage(g.ann, "defence4"), "wrong-side"),
    (at.defended, {}, lambda g: SpendAdvantage(g.ann, "reroll", "intensity"), "wrong-side"),
    (at.attacked, {}, lambda g: SpendAdvantage(g.bea, "defence4"), "no-defence-yet"),
    (at.let_stand, {}, lambda g: SpendAdvantage(g.bea, "defence4"), "no-defence-die"),
    (
        at.attacked,
        {"ap_defence_bonus_needs_roll": False},
        lambda g: SpendAdvantage(g.bea, "defence4"),
        "no-defence-yet",
    ),
    (at.let_stand, {}, lambda g: SpendAdvantage(g.bea, "reroll", "trait"), "no-defence-die"),
    (at.attacked, {}, lambda g: SpendAdvantage(g.bea, "reroll"), "no-defence-die"),
    (at.defended, {}, lambda g: SpendAdvantage(g.bea, "reroll", "trait"), "no-defence-die"),
    (at.defended, {}, lambda g: SpendAdvantage(g.bea, "reroll", "hope"), "no-such-die"),
    (at.defended, {}, lambda g: SpendAdvantage(g.bea, "reroll", "intensity", 11), "face-range"),
    (at.defended, {}, lambda g: SpendAdvantage(g.bea, "reroll", "intensity", False), "face-range"),
    (at.succeeded, {}, lambda g: SpendAdvantage(g.bea, "defence4"), "wrong-stage"),
    (at.succeeded, {}, lambda g: SpendAdvantage(g.bea, "reroll"), "wrong-stage"),
    (at.succeeded, {"ap_rating_deadline": "resolve"}, lambda g: SpendAdvantage(g.ann, "maximum"), "wrong-stage"),
    (at.all_hit, {}, lambda g: SpendAdvantage(g.ann, "maximum"), "ap-short"),
    (at.all_hit, {}, lambda g: SpendAdvantage(g.bea, "defence4"), "wrong-stage"),
]


def heal(day: Any, *choices: tuple[Any, ...]) -> HealingMoment:
    return HealingMoment(day, NIGHT, tuple(HealingChoice(*choice) for choice in choices))


HEALING: list[Case] = [
    (at.in_a_scene, {}, lambda g: Rest(), "scene-open"),
    (at.before_any_scene, {}, lambda g: Rest(), "no-scene-to-rest-after"),
    (at.after_a_scene, {}, lambda g: Rest(("nobody",)), "unknown-character"),
    (at.after_a_scene, {}, lambda g: Rest((g.ann, g.ann)), "duplicate"),
    (at.in_a_scene, {}, lambda g: NoteConflict(g.ann, "nobody", "x"), "unknown-character"),
    (at.in_a_scene, {}, lambda g: NoteConflict(g.ann, g.ann, "x"), "self"),
    (at.in_a_scene, {}, lambda g: NoteConflict(g.ann, g.bea, " "), "text-blank"),
    (at.in_a_scene, {}, lambda g: NoteConflict(g.ann, g.ann, ""), "self"),
    (at.hurt, {}, lambda g: HealingMoment(1, " "), "text-blank"),
    (at.opened, {}, lambda g: HealingMoment(1, ""), "text-blank"),
    (at.hurt, {}, lambda g: HealingMoment(1, "", requested_by="nobody"), "unknown-character"),
    (at.hurt, {}, lambda g: HealingMoment("1", NIGHT, requested_by="nobody"), "day"),
    (at.hurt, {}, lambda g: heal("1"), "day"),
    (at.hurt, {}, lambda g: heal(True), "day"),
    (at.hurt, {}, lambda g: heal(1.0), "day"),
    (at.hurt, {}, lambda g: heal(None, ("nobody", "wound")), "day"),
    (at.hurt, {}, lambda g: heal(1, ("nobody", "wound")), "unknown-character"),
    (at.hurt, {}, lambda g: heal(1, (g.bea, "wound"), (g.bea, "wound")), "duplicate"),
    (at.opened, {}, lambda g: heal(1), "round-open"),
    (at.opened, {"healing_in_open_scene": True}, lambda g: heal(1), "round-open"),
    (at.in_a_scene, {}, lambda g: heal(1), "scene-open"),
    (at.hurt, {}, lambda g: heal(1, (g.bea, "tax", "B")), "not-healable"),
    (at.hurt, {}, lambda g: heal(1, (g.bea, "fatal")), "not-healable"),
    (at.hurt, {}, lambda g: heal(1, (g.bea, "wound", "A")), "no-trait-here"),
    (at.hurt, {}, lambda g: heal(1, (g.bea, "damage", "Z")), "unknown-trait"),
    (at.hurt, {}, lambda g: heal(1, (g.bea, "damage", "B")), "nothing-to-heal"),
    (at.hurt, {}, lambda g: heal(1, (g.ann, "wound")), "nothing-to-heal"),
    (at.hurt, {"healing_optional": False}, lambda g: heal(1, (g.bea, "none")), "must-heal"),
]

CASES = [
    *CREATION,
    *SCENES,
    *ROUNDS,
    *DECLARING,
    *RAISING,
    *AMENDING,
    *ROLLING,
    *TURNS,
    *TIES,
    *DEFENDING,
    *IMPACTS,
    *FATALS,
    *BARGAINS,
    *SPENDING,
    *HEALING,
]


@pytest.mark.parametrize(
    ("moment", "dials", "do", "code"), CASES, ids=[f"{case[0].__name__}-{case[3]}" for case in CASES]
)
def test_is_refused(moment, dials, do, code):
    game = moment(**dials)
    before = {subject: folded.copy() for subject, folded in game.past.folded.items()}
    assert game.refuses(do(game)) == code
    assert all(game.past.folded[subject].same_as(was) for subject, was in before.items())


# --- refusals that need a longer story ----------------------------------------------------------------------------


def test_a_trait_at_nothing_cannot_be_declared():
    game = at.worn_out()
    game.open(game.ann, game.dan)
    assert game.refuses(Declare(game.dan, "calm", game.ann, "A")) == "trait-unusable"


def test_with_no_trait_left_some_tables_let_nobody_act():
    game = at.worn_out(no_usable_trait="cannot_act")
    game.open(game.ann, game.dan)
    assert game.refuses(Declare(game.dan, "calm", game.ann)) == "cannot-act"
    assert game.refuses(Declare(game.dan, "calm", game.ann, "A")) == "trait-unusable"
    game.does(Declare(game.dan, "calm"))
    assert game.refuses(AmendDeclaration(game.dan, game.ann)) == "cannot-act"


def test_a_raise_needs_somebody_else_to_have_declared():
    game = at.opened()
    game.says(game.ann, game.bea, "calm")
    assert game.refuses(Raise(game.ann, "calm")) == "not-a-raise"
    assert game.refuses(Raise(game.ann, "fanatical")) == "no-other-declaration"


def test_the_ratchet_holds_a_level_for_the_scene():
    game = at.all_hit(intensity_scope="scene_ratchet")
    game.does(Waive())
    game.does(Pass(game.bea))
    game.does(CloseRound())
    game.open(game.ann, game.cleo)
    assert game.refuses(Declare(game.ann, "passionate", game.cleo, "A")) == "lowered"
    game.says(game.cleo, game.ann, "calm")
    game.says(game.ann, game.cleo, "fanatical")


def test_the_first_face_closes_raising_even_when_who_rolled_it_leaves():
    game = at.in_a_scene()
    fatal = game.holds(game.cleo, game.ann)
    game.open(game.ann, game.bea, game.dan)
    game.says(game.ann, game.bea, "calm")
    game.says(game.bea, game.dan, "calm")
    game.says(game.dan, game.ann, "calm")
    game.rolls((game.ann, 6, 2))
    game.does(UseFatal((FatalUse(fatal, "asleep", out="scene"),)))
    assert game.refuses(Raise(game.bea, "fanatical")) == "wrong-stage"
    assert game.refuses(AmendDeclaration(game.dan, game.bea)) == "wrong-stage"
    game.rolls((game.bea, 5, 1), (game.dan, 1, 1))
    assert game.round.groups == ((game.bea,), (game.dan,))


def test_nobody_acts():
    game = at.in_a_scene()
    game.open(game.ann, game.bea)
    game.says(game.ann)
    game.says(game.bea)
    assert game.refuses(RollDice()) == "nobody-acts"


def test_a_decision_is_not_taken_twice():
    game = at.tied()
    game.does(SettleTie((game.bea, game.ann)))
    assert game.refuses(SettleTie((game.bea, game.ann))) == "no-tie"


def test_a_trait_worn_away_before_the_roll_blocks_it_for_everybody():
    game = at.in_a_scene()
    game.fatal = game.holds(game.ann, game.dan)
    second = game.holds(game.ann, game.dan)
    game.open(game.ann, game.dan)
    game.says(game.ann, game.dan)
    game.says(game.dan, game.ann)
    for fatal in (game.fatal, second):
        game.does(UseFatal((FatalUse(fatal, "down", "wound"),)))
    assert game.refuses(RollDice()) == "trait-unusable"
    assert game.refuses(RollDice((Faces(game.ann, 1, 1),))) == "trait-unusable"
    game.does(AmendDeclaration(game.dan, trait=None))
    game.rolls((game.ann, 1, 1), (game.dan, 2))


def test_a_die_worn_away_cannot_be_picked_up_where_impacts_reach_the_table():
    game = at.in_a_scene(impact_on_dice_in_play="immediate")
    fatals = [game.holds(game.ann, game.dan) for _ in range(2)]
    game.fight((game.ann, game.dan, "calm", "A", 6, 5), (game.dan, game.ann, "calm", "A", 5, 3))
    game.attack(game.ann)
    for fatal in fatals:
        game.does(UseFatal((FatalUse(fatal, "down", "wound"),)))
    assert game.refuses(Defend((DefenceDie("trait"),))) == "die-unusable"
    game.defend(("intensity", 6))
    assert not game.resolve().success
    assert game.does(Attack(game.dan)).facts[0].fact.standing == (3,)


def test_effects_once_an_attack_where_the_table_has_it_so():
    game = at.attacked(ap_repeat_effect=False, ap_force_reroll=True)
    game.gives(game.ann, game.bea, 10)
    game.does(SpendAdvantage(game.ann, "attack4"))
    assert game.refuses(SpendAdvantage(game.ann, "attack4")) == "effect-used"
    game.defend(("intensity", 4))
    game.does(SpendAdvantage(game.ann, "reroll", "intensity", 2))
    assert game.refuses(SpendAdvantage(game.bea, "reroll", "intensity", 2)) == "effect-used"
    game.does(SpendAdvantage(game.bea, "defence4"))
    assert game.refuses(SpendAdvantage(game.bea, "defence4")) == "effect-used"


def a_die_kept() -> Game:
    """Bea picked up the intensity die against Ann; now Dan attacks her. She holds points against Dan."""
    game = at.in_a_scene(defence_carryover="keep_or_reroll", defence_second_pick="after_seeing")
    game.gives(game.bea, game.dan, 6)
    game.fight(
        (game.ann, game.bea, "calm", "A", 6, 5),
        (game.bea, None, "calm", "A", 1, 1),
        (game.dan, game.bea, "calm", "A", 5, 5),
    )
    game.attack(game.ann)
    game.defend(("intensity", 6))
    game.resolve()
    game.attack(game.dan)
    return game


def test_a_kept_die_is_rerolled_for_a_point_only_after_the_defence_is_chosen():
    game = a_die_kept()
    assert game.refuses(SpendAdvantage(game.bea, "reroll", "intensity", 2)) == "no-defence-die"
    game.defend()
    game.does(SpendAdvantage(game.bea, "reroll", "intensity", 2))
    assert game.resolve().defence_value == 2


def test_no_die_is_added_to_a_choice_of_none_though_a_kept_one_was_rerolled():
    game = a_die_kept()
    game.defend()
    game.does(SpendAdvantage(game.bea, "reroll", "intensity", 2))
    assert game.refuses(Defend((DefenceDie("trait", 9),))) == "already-responded"


def test_the_maximum_is_bought_once():
    game = at.attacked()
    game.does(SpendAdvantage(game.ann, "maximum"))
    assert game.refuses(SpendAdvantage(game.ann, "maximum")) == "effect-used"


def test_no_points_no_effect():
    game = at.attacked()
    game.does(SpendAdvantage(game.ann, "attack4"))
    assert game.refuses(SpendAdvantage(game.ann, "attack4")) == "ap-short"
    game.does(SpendAdvantage(game.ann, "maximum"))
    assert game.ap(game.ann, game.bea) == 0


def test_damage_needs_a_trait_used():
    game = at.worn_out()
    game.fight((game.ann, game.dan, "fanatical", "A", 12, 1), (game.dan, None, "fanatical", None, 1))
    game.attack(game.ann)
    game.defend()
    game.resolve()
    assert game.refuses(ChooseImpact("damage")) == "above-rating"
    game.does(ChooseImpact("fatal"))
    fatal = list(game.now.fatals)[-1]
    assert game.refuses(UseFatal((FatalUse(fatal, "x", "damage"),))) == "not-the-trait-used"


def test_a_holder_who_is_out_uses_nothing():
    game = at.holder_out()
    game.set_dial("held_fatal_when_holder_out", "answer_or_lapse")
    assert game.refuses(use(game)) == "holder-out"
    assert game.refuses(use(game, text="")) == "holder-out"
    assert game.refuses(use(game, by=game.bea)) == "not-the-holder"


def test_nothing_more_happens_to_a_subject_who_is_gone():
    game = at.stand_off()
    both = UseFatal((FatalUse(game.fatal, "x", out="permanent"), FatalUse(game.answer, "y", out="scene")))
    third = game.holds(game.cleo, game.bea)
    game.does(both)
    assert third not in game.now.fatals  # tokens on the gone lapse, so only an amended one could still be there
    from ledger.rules.kernel.commands import Amend

    held = {"holder": game.cleo, "subject": game.bea, "trait_used": None, "attack": "1"}
    game.declare(Amend(f"scene:{game.scene_id}", "fatals/99", held, "put back by mistake"))
    assert game.refuses(UseFatal((FatalUse("99", ""),))) == "subject-gone"


@pytest.mark.parametrize("dial", ["lapse", "retarget"])
def test_an_action_without_its_target(dial):
    game = at.in_a_scene(retarget_when_target_gone=dial)
    fatal = game.holds(game.cleo, game.dan)
    game.fight(
        (game.ann, game.dan, "calm", "A", 6, 5),
        (game.bea, None, "calm", "A", 1, 1),
        (game.dan, None, "calm", "A", 1, 1),
    )
    game.does(UseFatal((FatalUse(fatal, "asleep", out="scene"),)))
    if dial == "lapse":
        assert game.refuses(Attack(game.ann)) == "not-your-turn"
        assert game.round.participants[game.ann].turn == "lapsed"
        return
    assert game.refuses(Attack(game.ann)) == "target-gone"
    assert game.refuses(Attack(game.ann, game.dan)) == "target-gone"
    assert game.refuses(Attack(game.ann, game.ann)) == "self"
    assert game.refuses(Attack(game.ann, game.ed)) == "target-not-in-round"
    game.does(Attack(game.ann, game.bea))


def test_no_second_healing_on_one_day():
    game = at.hurt()
    game.does(heal(5, (game.bea, "wound")))
    assert game.refuses(heal(5)) == "already-healed-today"
    assert game.refuses(heal(4)) == "already-healed-today"
    game.does(heal(6, (game.bea, "none")))


def test_no_second_healing_of_one_character_on_one_day():
    game = at.hurt(healing_once_a_day_scope="character", healing_optional=False)
    game.does(heal(5, (game.bea, "wound")))
    assert game.refuses(heal(5, (game.bea, "damage", "A"))) == "already-healed-today"
    assert game.refuses(heal(4)) == "day-backwards"
    game.does(heal(5))
    assert game.refuses(heal(6, (game.bea, "none"))) == "must-heal"


def test_the_gone_do_not_heal():
    game = at.gone()
    game.close_scene()
    assert game.refuses(heal(1, (game.bea, "wound"))) == "subject-gone"
    assert game.refuses(Rest((game.ann, game.bea))) == "subject-gone"
    game.does(heal(1, (game.bea, "none")))


def test_only_a_game_master_speaks_for_others():
    game = at.stand_off()
    trade = Negotiate((game.ann, game.bea), "peace", releases=(game.fatal,), reason="They agree.")
    assert game.refuses(trade, by="p") == "not-game-master"
    assert game.refuses(UseFatal((FatalUse(game.fatal, "x"),), "They agree."), by="p") == "not-game-master"


def test_nobody_heals_anothers_character():
    game = at.hurt()
    assert game.refuses(heal(1, (game.bea, "wound")), by="q") == "not-your-character"
    assert game.refuses(heal(1, (game.bea, "tax")), by="q") == "not-your-character"
