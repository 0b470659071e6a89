"""Initiative, hits, damage, resisting, harm, recovery, movement."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.moves import Among, Some
from ledger.rules.kernel.questions import Ask
from ledger.rules.moc import RULESET
from ledger.rules.moc.actions import DeclareAction
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.damage import ApplyHarm, RollDamage
from ledger.rules.moc.hits import ScoreHit, SetLocation
from ledger.rules.moc.recovery import CompleteRecovery, DeclareRecovery, GrantRecovery, Heal, RecoverScene
from ledger.rules.moc.resisting import Ignore, ResistDamage
from ledger.rules.moc.resolving import Resolve
from ledger.rules.moc.rolling import DeclareSuccesses, RollDice
from ledger.rules.moc.scenes import EndTurn
from ledger.rules.moc.turns import Move, RollInitiative
from tests.rules.moc.game import Game, answer_to, buys, kinds_of, the


@pytest.fixture
def game():
    return begun()


def begun(**dials):
    """Landon has Body 3, T 2, L 2: a pain capacity of ten, and a daze limit of five."""
    game = Game(**dials)
    game.landon = game.enrol("Landon", Sheet("enigma", {"body": 3, "spirit": 3, "T": 2, "Sp": 2, "L": 2}), "cleo")
    game.place = game.scene_begins(game.hero, game.landon)
    return game


def scored(game, net, weapon="Blast Pistol", location="torso", **more):
    return game.new(ScoreHit(game.hero, game.landon, weapon, net, location=location, **more))


# --- initiative ---


def test_initiative(game):
    faces = {game.hero: (8, 8, 1, 1, 1, 1, 1, 1), game.landon: (7, 7, 2, 2, 2)}
    assert game.refuses(RollInitiative({game.hero: (1,)})) == "wrong-dice-count"
    assert game.refuses(RollInitiative({game.enigma: (1,)})) == "unknown-character"
    assert the(game.does(RollInitiative(faces)), "InitiativeRolled").groups == (
        (game.hero,),
        (game.landon,),
    )
    tied = {game.hero: (8, 8, 1, 1, 1, 1, 1, 1), game.landon: (8, 7, 3, 2, 2)}
    assert the(game.does(RollInitiative(tied)), "InitiativeRolled").groups == ((game.hero, game.landon),)
    done = game.does(RollInitiative(), (10, 1, 1, 1, 1, 1, 1, 1, 1), (9, 8, 1, 1, 1))
    assert the(done, "InitiativeRolled").results == {game.hero: (1, 19), game.landon: (2, 20)}


# --- hits ---


@pytest.mark.parametrize(
    ("weapon", "net", "dice", "sides", "raises"),
    [
        ("Blast Pistol", 1, 5, 6, 0),
        ("Blast Pistol", 2, 6, 6, 1),
        ("Blast Pistol", 3, 6, 10, 2),
        ("Blast Pistol", 4, 6, 10, 3),
        ("Blast Rifle", 1, 6, 6, 0),
        ("Blade", 5, 6, 10, 4),
        ("Club", 2, 4, 6, 1),
        ("Unarmed", 1, 1, 6, 0),
        ("Unarmed", 3, 2, 10, 2),
    ],
)
def test_damage_pools(game, weapon, net, dice, sides, raises):
    hit = the(game.does(ScoreHit(game.hero, game.landon, weapon, net)), "HitScored").what
    assert (hit.dice, hit.sides, hit.raises, hit.chooses) == (dice, sides, raises, net >= 4)


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({"weapon": "Spoon", "net": 1}, "unknown-weapon"),
        ({"weapon": "Blade", "net": 0}, "not-a-hit"),
        ({"weapon": "Blade", "net": -1}, "negative-successes"),
        ({"net": 1, "damage": -1}, "negative-dice"),
        ({"net": 1, "damage": 3, "lethality": 0}, "value-not-positive"),
        ({"weapon": "Blade", "net": 1, "location": "tail"}, "unknown-location"),
        ({"weapon": "Blade", "action": "none"}, "unknown-action"),
    ],
)
def test_hits_that_are_refused(game, told, code):
    assert game.refuses(ScoreHit(game.hero, game.landon, **told)) == code


def test_lethal_weapons_roll_six(game):
    hit = the(
        game.does(ScoreHit(game.hero, game.landon, None, 2, damage=2, lethality=5, lethal=True)),
        "HitScored",
    )
    assert hit.what.dice == 6


def test_a_hit_of_an_action(game):
    game.gives(game.hero, "point", 1200)
    game.does(Buy(game.hero, buys("martial-arts", "boxing", 2)))
    game.gives(game.hero, "bead:action", 1)
    attack = game.acts(game.hero, skill="Brawling", roll_kind="to_hit", martial_arts="boxing")
    game.does(PlayBeads(attack, game.hero, "martial_arts", characteristic="boxing"))
    told = ScoreHit(game.hero, game.landon, "Unarmed", action=attack)
    assert game.refuses(told) == "roll-not-completed"
    game.rolls(attack, 7, 8, 9, 1, 1, 1, 1)
    game.does(DeclareSuccesses(attack, game.landon, 2))
    hit = the(game.does(told), "HitScored").what
    assert (hit.net, hit.dice) == (2, 4)
    other = ScoreHit(game.landon, game.hero, "Unarmed", action=attack)
    assert game.refuses(other) == "unknown-action"


@pytest.mark.parametrize(
    ("face", "location", "severity"),
    [(1, "head", 2), (2, "torso", 0), (5, "torso", 0), (6, "vitals", 1), (7, "arm", -1), (10, "leg", -1)],
)
def test_where_it_hits(game, face, location, severity):
    hit = scored(game, 1, location=None)
    told = the(game.does(SetLocation(hit, face=face)), "LocationSet")
    assert (told.location, told.severity, told.by) == (location, severity, "die")
    (roll,) = RULESET.rolls([told])
    assert ([die.face for die in roll.dice], roll.effect) == ([face], location)


def test_who_says_where(game):
    hit, best = scored(game, 1, location=None), scored(game, 4, location=None)
    assert game.refuses(SetLocation(hit, face=11)) == "face-out-of-range"
    assert game.refuses(SetLocation(hit, "tail")) == "unknown-location"
    assert game.refuses(SetLocation(hit, "head"), by="ann") == "gm-approval-needed"
    assert game.refuses(SetLocation(best)) == "nothing-declared"
    assert game.refuses(RollDamage(best)) == "nothing-declared"
    assert the(game.does(SetLocation(best, "head"), by="ann"), "LocationSet").by == "attacker"
    assert the(game.does(SetLocation(hit), (6,)), "LocationSet").location == "vitals"
    assert game.refuses(SetLocation("none", "head")) == "unknown-hit"


@pytest.mark.parametrize(
    ("net", "location", "told", "threshold", "points"),
    [
        (1, "torso", {"faces": (5, 4, 6, 1, 2)}, 5, (2, 0)),
        (1, "head", {"faces": (5, 4, 3, 1, 2)}, 3, (3, 0)),
        (2, "arm", {"faces": (6, 5, 5, 5, 1, 1), "raise_faces": (6,)}, 6, (1, 1)),
        (
            3,
            "torso",
            {"faces": (10, 1, 1, 1, 1, 1), "bonus": (5,), "raise_faces": (10, 2), "raise_bonus": (10, 9)},
            5,
            (2, 3),
        ),
    ],
)
def test_damage(game, net, location, told, threshold, points):
    hit = scored(game, net, location=location)
    done = the(game.does(RollDamage(hit, **told)), "DamageRolled")
    assert done.threshold == threshold and (done.resistible, done.unresistible) == points
    assert game.refuses(RollDamage(hit, **told)) == "hit-not-ready"


def test_damage_dice_that_do_not_fit(game):
    hit = scored(game, 2)
    assert game.refuses(RollDamage(hit, (7, 1, 1, 1, 1, 1), raise_faces=(1,))) == "face-out-of-range"
    assert game.refuses(RollDamage(hit, (1,), raise_faces=(1,))) == "wrong-dice-count"
    assert game.refuses(RollDamage(hit, (1,) * 6)) == "empty-pool"
    assert game.refuses(RollDamage(hit, (6,) * 6, (6,), (1,))) == "unearned-bonus-die"


def test_flat_levels():
    game = begun(raise_effect="flat_levels")
    hit = scored(game, 3)
    assert the(game.does(RollDamage(hit, (1,) * 6)), "DamageRolled").unresistible == 2


def test_the_table_of_ag():
    game = begun(to_hit_tn="ag_table")
    attack = game.acts(game.hero, roll_kind="to_hit", ag=4)
    game.rolls(attack, 8, 9, 1, 1, 1)
    assert the(game.does(Resolve(attack)), "ActionResolved").tn == 9
    assert game.refuses(DeclareAction(game.hero, roll_kind="to_hit", ag=9)) == "unknown-ag"
    attack = game.acts(game.landon, roll_kind="to_hit", defender=game.hero)
    game.rolls(attack, 8, 9, 1)
    assert the(game.does(Resolve(attack)), "ActionResolved").tn == 7, "Harry's C is 2"


# --- resisting ---


def hurt(game, points, raises=0):
    """Score a hit on the torso with this many points."""
    net = 1 + raises
    hit = scored(game, net, weapon=None, damage=9 + (net == 1), lethality=5)
    faces = (5,) * points + (1,) * (9 - points)
    game.does(RollDamage(hit, faces, raise_faces=(5,) * raises))
    return hit


@pytest.mark.parametrize(
    ("told", "outcome"),
    [
        ({"faces": (7, 8, 1)}, (2, 0)),
        ({"faces": (10, 1, 1), "bonus": (7,)}, (2, 0)),
        ({"faces": (10, 1, 1), "ignore": (0,)}, (0, 1)),
        (
            {
                "faces": (10, 10, 1),
                "ignore": (1,),
                "bonus": (10,),
            },
            None,
        ),
        ({"faces": (10, 10, 1), "ignore": (1, 3), "bonus": (10,)}, (1, 2)),
        ({"faces": (9, 9, 1), "token": "body"}, None),
        ({"faces": (9, 9, 1, 1, 7), "token": "body"}, (3, 0)),
    ],
)
def test_resisting(game, told, outcome):
    hit = hurt(game, 4)
    if outcome is None:
        assert game.refuses(ResistDamage(hit, **told)) in ("bonus-die-missing", "wrong-dice-count")
        return
    done = the(game.does(ResistDamage(hit, **told)), "DamageResisted")
    assert (done.conversions, done.removals) == outcome
    assert game.refuses(ResistDamage(hit, **told)) == "hit-not-ready"


def test_resisting_that_is_refused(game):
    hit = hurt(game, 2)
    assert game.refuses(ResistDamage(hit, (9, 1, 1), ignore=(0,))) == "not-a-ten"
    assert game.refuses(ResistDamage(hit, (10, 1, 1), ignore=(5,))) == "not-a-ten"
    assert game.refuses(ResistDamage(hit, (9, 1, 1), (3,))) == "unearned-bonus-die"
    assert game.refuses(ResistDamage(hit, (9, 1, 1), pain=-1)) == "negative-harm"
    assert game.refuses(ResistDamage(hit, (9, 1, 1), fatigue=-1)) == "negative-harm"
    assert game.refuses(ResistDamage(hit, (9, 1, 1), token="mind")) == "wrong-token-pool"


def test_the_ruling_rolls_and_asks_what_tens_do(game):
    hit = hurt(game, 4)
    done = game.does(ResistDamage(hit), (10, 10, 3), Ignore((0,)), (10,), Ignore(), (4,))
    told = the(done, "DamageResisted")
    assert (told.bonus, told.conversions, told.removals) == ((10, 4), 2, 1)
    harm = the(done, "HarmApplied")
    assert (harm.damage, harm.pain, harm.removed) == (1, 2, 1)


def test_the_dice_that_fell_are_shown_with_what_is_asked_of_them(game):
    """Dice are counted from 1, bonus dice included."""
    hit = hurt(game, 4)
    conversation, _ = game.begin(ResistDamage(hit))
    asked = []
    for one in ((3, 10, 10), Ignore((1,)), (10,)):
        conversation.answer(answer_to(conversation.question, one))
        if isinstance(conversation.question, Ask):
            dice = conversation.question.within[0].fields["dice"]
            assert isinstance(dice, Some)
            asked.append((conversation.question.purpose, dice.items))
    assert asked == [
        (
            "which 10s of 3, 10 and 10 remove a point instead of adding a bonus die",
            Among((1, 2), ("Die 2: 10", "Die 3: 10")),
        ),
        ("whether the new 10 of 3, 10, 10 and 10 removes a point or adds a bonus die", Among((3,), ("Die 4: 10",))),
    ]


def test_a_ten_may_ignore_all():
    game = begun(ten_ignores="all")
    hit = hurt(game, 4, raises=1)
    harm = the(game.does(ResistDamage(hit, (10, 1, 1), ignore=(0,))), "HarmApplied")
    assert (harm.damage, harm.pain, harm.removed) == (1, 0, 4)


# --- harm ---


@pytest.mark.parametrize(
    ("given", "damage", "pain", "removed"),
    [
        ((3, 0, 0, 0, 0), 3, 0, 0),
        ((3, 1, 2, 0, 0), 2, 2, 0),
        ((3, 1, 2, 2, 0), 1, 1, 2),
        ((2, 0, 0, 5, 0), 0, 0, 2),
        ((0, 0, 0, 0, 4), 0, 4, 0),
        ((0, 0, 0, 0, 12), 2, 10, 0),
        ((9, 0, 9, 0, 3), 2, 10, 0),
        ((0, 9, 0, 0, 0), 9, 0, 0),
    ],
)
def test_harm(game, given, damage, pain, removed):
    done = the(game.does(ApplyHarm(game.landon, *given)), "HarmApplied")
    assert (done.damage, done.pain, done.removed) == (damage, pain, removed)
    who = game.character(game.landon)
    assert (who.damage, who.pain) == (min(6, damage), pain)


@pytest.mark.parametrize(
    ("dial", "given", "dazed"),
    [
        ("pain", (0, 0, 0, 0, 5), False),
        ("pain", (0, 0, 0, 0, 6), True),
        ("pain", (3, 3, 0, 0, 5), False),
        ("pain_plus_damage", (1, 0, 0, 0, 5), True),
        ("pain_plus_damage", (0, 0, 0, 0, 5), False),
    ],
)
def test_who_is_dazed(dial, given, dazed):
    game = begun(daze_counts=dial)
    assert ("CharacterDazed" in kinds_of(game.does(ApplyHarm(game.landon, *given)))) is dazed


def test_damage_takes_tokens_and_downs(game):
    done = game.does(ApplyHarm(game.hero, unresistible=3))
    assert the(done, "TokensLost").lost == {"body": 2} and game.tokens(game.hero) == (3, 1, 1)
    done = game.does(ApplyHarm(game.hero, unresistible=4, fatigue=2))
    assert "CharacterDowned" in kinds_of(done) and game.character(game.hero).status == "down"
    assert game.tokens(game.hero) == (0, 0, 0) and game.character(game.hero).fatigue == 2
    assert game.refuses(ApplyHarm(game.hero)) == "nothing-declared"
    assert game.refuses(ApplyHarm(game.hero, -1)) == "negative-harm"


def test_pain_may_take_tokens():
    game = begun(pain_strips_tokens=True)
    game.does(ApplyHarm(game.hero, pain=3))
    assert game.tokens(game.hero) == (3, 1, 1)


def test_pain_counts_until_the_turn_ends(game):
    game.does(ApplyHarm(game.hero, pain=4))
    action = game.acts(game.hero)
    game.rolls(action, 3, 3)
    game.does(EndTurn())
    assert game.character(game.hero).pain_turn == 0 and game.character(game.hero).pain == 4
    game.rolls(game.acts(game.hero), *(3,) * 5)


@pytest.mark.parametrize(("dial", "dice"), [("on", 3), ("off", 5)])
def test_what_fatigue_does(dial, dice):
    game = begun(fatigue_effects=dial)
    game.sets(game.hero, "fatigue", 2)
    game.rolls(game.acts(game.hero), *(3,) * dice)


# --- recovery ---


def test_recovery_at_a_scenes_end(game):
    assert game.refuses(RecoverScene(game.hero, "body")) == "no-recovery-due"
    game.does(GrantRecovery(game.hero, "a long day"))
    assert game.refuses(RecoverScene(game.hero)) == "nothing-declared"
    assert game.refuses(RecoverScene(game.hero, "body")) == "pool-full"
    assert game.refuses(RecoverScene(game.hero, "soul")) == "unknown-characteristic"
    game.sets(game.hero, "fatigue", 1)
    game.does(RecoverScene(game.hero))
    assert game.character(game.hero).fatigue == 0
    game.does(ApplyHarm(game.hero, unresistible=2))
    game.scene_ends(game.place)
    assert game.refuses(RecoverScene(game.hero, "body")) == "pool-full"
    game.sets(game.hero, "damage", 1)
    game.does(RecoverScene(game.hero, "body"))
    assert game.tokens(game.hero) == (5, 1, 1)
    assert game.refuses(RecoverScene(game.hero, "body")) == "no-recovery-due"


def test_more_steps_for_heroes():
    game = begun(power_level="heroic", scene_recovery_steps=2)
    game.scene_ends(game.place)
    assert game.character(game.hero).due == 2


def test_recovery_in_action(game):
    game.does(ApplyHarm(game.landon, pain=5))
    assert game.refuses(DeclareRecovery(game.landon, True)) == "recovery-no-split"
    assert game.refuses(CompleteRecovery(game.landon)) == "not-recovering"
    game.does(DeclareRecovery(game.landon))
    assert game.refuses(DeclareRecovery(game.landon)) == "already-recovering"
    game.does(EndTurn())
    game.does(CompleteRecovery(game.landon))
    assert game.character(game.landon).pain == 3
    for does in (
        ApplyHarm(game.landon, pain=1),
        DeclareAction(game.landon, skill="Dodge", roll_kind="dodge"),
        Move(game.landon),
    ):
        game.does(DeclareRecovery(game.landon))
        assert "RecoveryPreEmpted" in kinds_of(game.does(does))


def test_recovery_in_action_may_restore_too():
    game = begun(action_recovery_also_restores=True)
    game.sets(game.landon, "fatigue", 1)
    game.does(GrantRecovery(game.landon))
    game.does(DeclareRecovery(game.landon))
    game.does(EndTurn())
    game.does(CompleteRecovery(game.landon))
    assert (game.character(game.landon).fatigue, game.character(game.landon).due) == (0, 1)


@pytest.mark.parametrize(
    ("damage", "days", "told", "outcome"),
    [
        (0, 9, {"faces": (7, 1, 1)}, "no-damage-to-heal"),
        (1, 0, {"faces": (7, 1, 1)}, "time-not-positive"),
        (3, 3, {"faces": (7, 1, 1)}, "healing-period-not-over"),
        (3, 4, {"faces": (7, 1, 1)}, "DamageHealed"),
        (3, 4, {"faces": (6, 1, 1)}, "HealingFailed"),
        (3, 4, {"faces": (10, 1, 1), "bonus": (3,)}, "DamageHealed"),
        (6, 27, {"faces": ()}, "healing-period-not-over"),
        (1, 1, {"faces": (6, 1, 1, 1, 8), "token": "spirit"}, "DamageHealed"),
        (1, 1, {"faces": (6, 1, 1), "token": "mind"}, "wrong-token-pool"),
    ],
)
def test_healing(game, damage, days, told, outcome):
    game.sets(game.landon, "damage", damage)
    do = Heal(game.landon, days, **told)
    if "-" in outcome:
        assert game.refuses(do) == outcome
        return
    assert outcome in kinds_of(game.does(do))
    assert game.character(game.landon).damage == damage - (outcome == "DamageHealed")


@pytest.mark.parametrize(
    ("who", "mode", "metres"), [("hero", "primary", 11), ("hero", "secondary", 8), ("landon", "primary", 7)]
)
def test_movement(game, who, mode, metres):
    assert the(game.does(Move(getattr(game, who), mode)), "MovementMade").metres == metres
    assert game.refuses(Move(game.hero, "teleport")) == "unknown-movement-mode"


def test_a_fumbled_move(game):
    action = game.acts(game.hero, roll_kind="movement", required="failure")
    done = game.does(RollDice(action, 0, (1, 2, 3, 4, 5)))
    assert done.facts
    verdict = game.does(Resolve(action))
    assert ("moc.move.half-action", "-1 level of dodge") in [(one.rule, one.out) for one in verdict.because]
