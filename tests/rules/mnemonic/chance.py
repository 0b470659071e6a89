"""A table that plays at random: mostly what moves the game on, now and then anything."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.facts import SeatRemoved
from ledger.rules.kernel.questions import Ask, Choice, Dice, Draw, Drawn
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import CAMPAIGN, Subject, character, scene, seat
from ledger.rules.mnemonic import ladders
from ledger.rules.mnemonic.actions import DeclareAction, RuleCertain, RuleImpossible, RuleOrder
from ledger.rules.mnemonic.agreeing import Explain, Judge, Object, ReportJudgement, SettleOn, SpeakFor
from ledger.rules.mnemonic.boards import find_check, read_board
from ledger.rules.mnemonic.characters import Sheet
from ledger.rules.mnemonic.checks import EnterRoll, Resolve, RuleFluke
from ledger.rules.mnemonic.consequences import NarrateConsequence
from ledger.rules.mnemonic.draft import find_referee
from ledger.rules.mnemonic.featherweight import AssignAptitude, DescribeAbilities
from ledger.rules.mnemonic.immunity import NameRating, RateImportance, RuleImmunity, TakePreset
from ledger.rules.mnemonic.injuries import RuleInjury
from ledger.rules.mnemonic.recovery import DeclareRecovery, RuleRecoveryRate
from ledger.rules.mnemonic.recovery_checks import NameRecovery, RuleRecoveryCheck
from ledger.rules.mnemonic.referee import SeatReferee
from ledger.rules.mnemonic.rolls import Card
from ledger.rules.mnemonic.rulings import RuleCheck
from ledger.rules.mnemonic.sessions import TakePart
from ledger.rules.mnemonic.traits import RateTrait, RateTraits, TraitName, TraitRating
from ledger.rules.mnemonic.words import CHANCES, METHODS, PRESETS, SEVEN
from tests.rules.mnemonic.game import Game
from tests.rules.mnemonic.slips import slips
from tests.rules.near_misses import NearMisses
from tests.rules.world import Told

HEROIC = [["Weak", 0], ["moderate", 2], ["Moderately", 3], ["Very", 3], ["Heroic", 9]]
DIAL_VALUES: dict[str, tuple[Any, ...]] = {
    "traits.ladder": ("seven", "tied", HEROIC),
    "traits.primary_rating": ("Moderately", "Very", "moderate"),
    "traits.unrated": ("refuse", "Moderately", "Very"),
    "chances.ladder": ([list(row) for row in CHANCES], [["Bad", -4], ["Even", 0], ["Great", 12]]),
    "resist.talent": ("Tough", "Grit"),
    "resist.life_role_floor": (True, False),
    "status.names": (
        ["Fading", "Reeling", "Battered", "Hurt", "Scratched", "Fine"],
        ["F1", "R2", "B3", "H4", "S5", "F6"],
    ),
    "status.combine": ("worst", "replace"),
    "status.immobilized_may": (True, False),
    "recovery.ways": (["declared", "check"], ["declared"], ["check"], []),
    "recovery.check_reading": ("mnemonic", "step", "referee", "referee", "referee"),
    "random.ways": (list(METHODS), ["one_dice"], ["one_dice", "three_card", "verbal"]),
    "random.default": METHODS,
    "random.three_reading": ("median", "mean"),
    "random.verbal_rule": ("entered", "sum_mod_12"),
    "flukes.on": (True, False, True),
    "flukes.normal_uses": ("first", "last"),
    "flukes.verbal": (True, False),
    "flukes.automatic_reading": ("at_least", "exact"),
    "flukes.solid": (4, 1, 5, 9),
    "flukes.spectacular": (6, 7, 12),
    "flukes.death_guard": ("refuse", "warn", "off"),
    "dramatic.source": ("off", "important", "lucky"),
    "dramatic.label": ("Important", "Survivable"),
    "dramatic.approach": ("fixed", "per_check"),
    "dramatic.visible": (True, False),
    "dramatic.seen_by_gm": (True, False),
    "feather.mode": ("off", "on", "hybrid"),
    "feather.calibration_sessions": (0, 2, 5),
    "feather.similarity": (0, 1, 12),
    "feather.drift_tolerance": (0, 1, 12),
}
RATINGS = [name for name, _ in SEVEN] + ["Moderate", "Heroic", "Mighty", ""]
TRAITS = ["Tough", "quick", "Lucky", "Grit", "Boxer", " "]
TASKS = ["Aiming", "aiming ", "Cooking", ""]


class Chance:
    """Somebody at the table who mostly plays on and now and then tries anything."""

    def __init__(self, game: Game, rng: Random) -> None:
        self.game = game
        self.rng = rng

    def pick(self, *words: Any) -> Any:
        return self.rng.choice(words)

    def word(self) -> Any:
        """Something to declare. Where nobody rules, mostly who is to."""
        if find_referee(self.game.table()) is None and self.rng.random() < 0.5:
            return SeatReferee(self.pick("gm", "gm", "bob"))
        doings = (
            *(self.check, self.injury, self.injury, self.recovery, self.recovery, self.assign) * 2,
            *(self.roll,) * 9,
            *(self.fluke, self.rate, self.housekeep) * 2,
            *(self.assign,) * (2 if self.dials.feather_mode != "off" else 0),
            self.action,
            self.narrate,
            self.importance,
            self.session,
            self.dial,
            self.late,
        )
        return self.rng.choice(doings)()

    def mostly(self) -> bool:
        return self.rng.random() < 0.93

    @property
    def dials(self) -> Any:
        return self.game.table().dials

    # --- what there is --------------------------------------------------------------------------------------------

    def someone(self) -> str:
        roster = self.game.roster
        return self.rng.choice(roster) if roster and self.rng.random() < 0.97 else "nobody"

    def places(self) -> list[Subject]:
        """Where actions and checks are: the campaign, the open scenes and those closed last."""
        return [CAMPAIGN, *self.game.table().subjects("scene"), *self.closed()]

    def closed(self) -> list[Subject]:
        """The scenes closed last."""
        places = [scene(left.scene) for left in self.game.state(CAMPAIGN).left.list_latest(2)]
        return [place for place in places if self.game.table().has(place)]

    def some_check(self, *stages: str) -> str:
        """A check at one of these stages, if there is one; now and then any."""
        found = []
        table = self.game.table()
        for place in self.places():
            for id, check in read_board(table, place).checks.items():
                stage = "resolved" if check.resolved else "rolled" if check.rolled else "ruled"
                if not stages or stage in stages or check.ruled.purpose in stages or self.rng.random() < 0.05:
                    found.append(id)
        found.sort()
        return self.rng.choice(found) if found else "nothing"

    def method_of(self, check: str) -> str | None:
        found = find_check(self.game.table(), check)
        return str(found[1].ruled.method) if found is not None else None

    def some_action(self) -> str | None:
        table = self.game.table()
        actions = sorted(id for id, _ in read_board(table, table.scene or CAMPAIGN).actions.items())
        return self.rng.choice(actions) if actions else None

    def assigned(self, id: str) -> str | None:
        folded = self.game.past.find(character(id))
        ready = list(folded.state.ready) if folded is not None else []
        wanted = {"off": 0.03, "hybrid": 0.5, "on": 0.97}[self.dials.feather_mode]
        if self.rng.random() > wanted:
            return None
        return self.rng.choice(ready) if ready and self.mostly() else "1"

    def chances(self) -> str:
        return self.rng.choice(self.dials.chances_ladder)[0] if self.mostly() else "Odd"

    def rating(self) -> str:
        return self.rng.choice(ladders.read_ratings(self.dials))[0] if self.mostly() else self.rng.choice(RATINGS)

    def method(self) -> str | None:
        ways: list[str | None] = [None, *self.dials.random_ways] if self.mostly() else ["coin", *METHODS]
        return self.rng.choice(ways)

    def face(self) -> Any:
        return self.pick(1, 1, 12, 12, *range(1, 13)) if self.rng.random() < 0.97 else self.pick(0, 13, "1", True)

    # --- what is done ---------------------------------------------------------------------------------------------

    def check(self) -> Any:
        id = self.someone()
        assigned = self.assigned(id)
        traits = (self.trait(), TraitName("primary") if self.mostly() else self.trait()) if assigned is None else ()
        action = self.some_action() if self.rng.random() < 0.3 else None
        stake, physical = self.rng.random() < 0.3, self.rng.random() < 0.7
        return RuleCheck(id, self.chances(), traits, assigned, self.method(), stake, "r", action, physical)

    def trait(self) -> TraitName:
        if self.mostly():
            return TraitName("talent", self.rng.choice(TRAITS[:4]))
        return TraitName(self.pick("primary", "life", "hobby"), self.rng.choice(TRAITS[:5]))

    def resisting(self, id: str) -> dict[str, Any]:
        assigned, dials = self.assigned(id), self.dials
        sheet = assigned is None
        anew = dials.dramatic_source == "important" and dials.dramatic_approach == "per_check" and sheet
        return {
            "assigned": assigned,
            "role": self.pick(None, None, "Boxer") if sheet else None,
            "talent": self.pick(None, None, "Grit", "quick") if sheet else None,
            "life_roles": self.pick((), (), ("Boxer",)) if sheet else (),
            "importance": self.rating() if anew is self.mostly() else None,
            "method": self.method(),
            "reason": "r" if self.mostly() else "",
        }

    def injury(self) -> Any:
        victim = self.someone()
        cause = self.pick("referee", "referee", "attack", "avoidance", "spectacular") if self.mostly() else "luck"
        source = self.some_check("resolved") if self.rng.random() < 0.8 else self.pick(self.some_action(), None)
        if cause == "referee" and self.method_of(source or "") is None:
            source = None
        worst = self.pick("immobilized", "unconscious", "incapacitated", "dead") if self.mostly() else "asleep"
        return RuleInjury(victim, cause, worst, self.chances(), source, **self.resisting(victim))

    def somebody_hurt(self) -> str:
        """Whoever can recover, if there is anybody; now and then anyone."""
        levels = [(id, self.game.character(id)) for id in self.game.roster]
        hurt = [id for id, one in levels if one.level < 6 and one.condition != "dead"]
        return self.rng.choice(hurt) if hurt and self.mostly() else self.someone()

    def to_be_named(self) -> str | None:
        """A recovery check that waits for its level to be named, if there is one."""
        table = self.game.table()
        checks = [one for place in self.places() for one in read_board(table, place).checks.items()]
        waiting = sorted(
            id
            for id, check in checks
            if check.ruled.readings.recovery == "referee" and check.ruled.purpose == "recovery" and not check.recovered
            if check.resolved and check.resolved.success
        )
        return self.rng.choice(waiting) if waiting and self.mostly() else None

    def treatment(self) -> str | None:
        """A check that came out, now and then any."""
        return self.some_check("resolved") if self.rng.random() < 0.4 else None

    def recovery(self) -> Any:
        id, won = self.somebody_hurt(), self.to_be_named()
        if self.rng.random() < (0.25 if won is not None else 0.05):
            return NameRecovery(
                won or self.some_check("recovery"),
                self.pick(4, 5, 6, 6) if self.mostly() else self.pick(*range(8), None),
            )
        how = self.rng.random()
        if how < 0.05:
            return RuleRecoveryRate(id, self.pick("A level a day", "Slowly", ""))
        if how < 0.3:
            return DeclareRecovery(id, self.pick(*range(8), None), "a day", "rest", "r", self.treatment())
        if self.game.roster and id in self.game.roster and self.game.character(id).level == 6 and self.mostly():
            return self.injury()
        return RuleRecoveryCheck(
            id,
            self.chances(),
            **self.resisting(id),
            elapsed="a day",
            treatment="rest",
            treated_by=self.treatment(),
            life_or_death=self.rng.random() < 0.3,
        )

    def roll(self) -> Any:
        check, resolve = self.some_check("ruled"), self.rng.random() < 0.85
        if check == "nothing" and self.mostly():
            return self.pick(self.check, self.injury, self.recovery)()
        first = self.face()
        count = self.pick(1, 1, 2, 3, 3, 4)
        faces = tuple(first if self.rng.random() < 0.7 else self.face() for _ in range(count))
        how = self.rng.random()
        method = self.method_of(check)
        if how < 0.55 and (method != "verbal" or how < 0.03):
            return EnterRoll(check, resolve=resolve)
        if how < 0.65 and (method in ("one_card", "three_card") or how < 0.56):
            suits = (None, "clubs", "hearts")
            cards = tuple(Card(self.pick("A", "q", "K", "7", 10, "Z"), self.rng.choice(suits)) for _ in range(count))
            return EnterRoll(check, cards=cards, resolve=resolve)
        if how < 0.75 and (method == "verbal" or how < 0.66):
            return EnterRoll(check, voices=tuple((self.face(), self.face()) for _ in range(count)), resolve=resolve)
        return EnterRoll(check, faces, resolve=resolve)

    def fluke(self) -> Any:
        if self.rng.random() < 0.3:
            return Resolve(self.some_check("rolled"))
        return RuleFluke(self.some_check("rolled"), self.rng.random() < 0.8, "r" if self.mostly() else "")

    def action(self) -> Any:
        if self.rng.random() < 0.3:
            return self.pick(RuleImpossible, RuleCertain)(self.some_action() or "nothing")
        if self.rng.random() < 0.2:
            return RuleOrder((self.someone(), self.someone()))
        return DeclareAction(self.someone(), "Jump", self.rng.random() < 0.7)

    def narrate(self) -> Any:
        death = self.someone() if self.rng.random() < 0.7 else None
        table = self.game.table()
        checks = [one for place in self.places() for one in read_board(table, place).checks.items()]
        spectacular = sorted(id for id, one in checks if one.resolved and (one.resolved.fluke or "").startswith("spec"))
        check = self.rng.choice(spectacular) if spectacular and self.mostly() else self.some_check("resolved")
        return NarrateConsequence(check, "It breaks.", death)

    def late(self) -> Any:
        """What is ruled of a scene after it was closed; or it is closed, where something was tried in it."""
        boards = [read_board(self.game.table(), place) for place in self.closed()]
        checks = sorted(
            (id, check.ruled.character, check.resolved.success)
            for board in boards
            for id, check in board.checks.items()
            if check.resolved is not None
        )
        declared = sorted(id for board in boards for id, one in board.actions.items() if one.stage == "declared")
        if checks and self.rng.random() < 0.6:
            id, who, success = self.rng.choice(checks)
            cause, victim = ("attack", self.someone()) if success else ("avoidance", who)
            return RuleInjury(victim, cause, "dead", self.chances(), id, **self.resisting(victim))
        if declared:
            action = self.rng.choice(declared)
            if self.rng.random() < 0.3:
                return self.pick(RuleImpossible, RuleCertain)(action)
            return replace(self.check(), action=action)
        tried = [one.id for one in self.game.table().subjects("scene") if self.is_tried(one)]
        return commands.CloseScene(self.rng.choice(tried)) if tried else commands.OpenScene("A scene", ())

    def is_tried(self, place: Subject) -> bool:
        board = read_board(self.game.table(), place)
        return any(True for _ in (*board.checks.items(), *board.actions.items()))

    def rate(self) -> Any:
        def one() -> tuple[str, str, str]:
            return self.rng.choice(TRAITS), self.pick("talent", "talent", "life", "primary"), self.rating()

        if self.rng.random() < 0.2:
            return RateTraits(self.someone(), (TraitRating(*one()), TraitRating(*one())))
        return RateTrait(self.someone(), *one())

    def importance(self) -> Any:
        if self.rng.random() < 0.4:
            source, known_to = self.pick(None, "important", "lucky"), self.pick(None, "everybody", "player", "referee")
            return RuleImmunity(self.someone(), source, known_to, "r")
        preset = None if self.rng.random() < 0.7 else self.rng.choice(list(PRESETS))
        rating = "" if preset is not None and self.rng.random() < 0.8 else self.rating()
        return RateImportance(self.someone(), rating, self.pick("", "r"), preset)

    def assign(self) -> Any:
        if self.rng.random() < 0.2:  # the last number again, which the player may see differently now
            known = sorted(
                (id, log.last.task) for id in self.game.roster for _, log in self.game.character(id).tasks.items()
            )
            if known:
                return AssignAptitude(*self.rng.choice(known), None, True)
        near = self.pick(5, 6, 7)
        numbers = [near + self.pick(0, 0, 1) if self.mostly() else self.pick(None, 0, -1, 99, "7", True) for _ in "ra"]
        if self.rng.random() < 0.6:
            numbers[1] = None
        traits = self.pick((), (), (TraitName("primary"), self.trait()))
        ref, agreed = numbers
        reason, ask = self.pick("", "r"), self.rng.random() < 0.6
        return AssignAptitude(self.someone(), self.rng.choice(TASKS), ref, ask, agreed, reason, None, traits)

    def session(self) -> Any:
        table = self.game.table()
        if table.session is None:
            return commands.OpenSession()
        if self.rng.random() < 0.2:
            return commands.CloseSession(table.session)
        return TakePart((self.someone(), self.someone()))

    def housekeep(self) -> Any:
        table = self.game.table()
        how = self.rng.random()
        if how < 0.2:
            return commands.OpenScene("A scene", (self.someone(),))
        if how < 0.4 and len(scenes := table.subjects("scene")) > 1:
            return commands.CloseScene(scenes[0].id)
        if how < 0.7:
            rated = self.dials.dramatic_source != "off" and self.rng.random() < 0.5
            sheet = Sheet(resist_talent=self.pick(None, "Grit"), rate_importance=rated is self.mostly())
            return commands.Enrol("Somebody", self.pick("gm", "ann"), sheet)
        if how < 0.75:
            return SeatReferee(self.pick("gm", "ann", "bob", "bob", "eve"))
        return DescribeAbilities(self.someone(), "Quick.")

    def dial(self) -> Any:
        name = self.rng.choice(list(DIAL_VALUES))
        return commands.SetDial(name, self.rng.choice(DIAL_VALUES[name]), "ours")


def choice(kind: Any, rng: Random) -> Any:
    """Mostly one that fits, and one that brings an end; now and then one that is asked for again."""
    rating = rng.choice(("Very", "Moderately", "Very", "Odd"))
    said = {
        Judge: (rng.choice((2, 6, 7, 9, -1)),),
        ReportJudgement: (rng.choice((5, 9)), rng.choice(("he is away", " "))),
        SettleOn: (rng.choice((5, 6, 7, 99)),),
        Explain: (rng.choice(("it depends", "")),),
        SpeakFor: (rng.random() < 0.8, rng.choice(("she is away", ""))),
        TakePreset: (rng.choice(list(PRESETS)), rng.choice((None, None, "Extremely"))),
        NameRating: (rating,),
    }
    return kind(*said.get(kind, ()))


def an_answer(question: Any, rng: Random) -> Any:
    """Mostly one that fits."""
    if isinstance(question, Ask):
        kinds = [kind for kind in question.kinds if kind is not Object or rng.random() < 0.3]
        return Choice(choice(rng.choice(kinds), rng))
    if isinstance(question, Draw):
        return Drawn(tuple(rng.sample(question.cards, question.count)))
    return Dice(question.sides, tuple(rng.choice((1, 12, rng.randint(1, 12))) for _ in range(question.count)))


#: What a game master declares whoever referees: who sits in the chair, and what is the kernel's.
OF_A_GAME_MASTER: tuple[type[Any], ...] = (SeatReferee, *commands.INPUTS)


def ruler(game: Game, do: Any) -> str:
    return "gm" if isinstance(do, OF_A_GAME_MASTER) else game.state(CAMPAIGN).referee or "gm"


def try_out(game: Game, do: Any, rng: Random) -> Verdict[Any] | None:
    """Declare it as whoever rules; answer what is asked. None when it is refused, which is before the first answer."""
    by = ruler(game, do)
    if isinstance(do, DescribeAbilities) and rng.random() < 0.5:
        by = "ann"
    try:
        conversation, table = game.begin(do, by)
    except Refused as no:
        game.met.add(no.code)
        return None
    answers: list[Any] = []
    while (question := conversation.question) is not None:
        answer = an_answer(question, rng)
        try:
            conversation.answer(answer)
        except Unfit as no:
            game.met.add(no.code)
            conversation, table = game.begin(do, by)
            for one in answers:
                conversation.answer(one)
            continue
        answers.append(answer)
    assert conversation.verdict is not None
    return game.record(do, table, answers, conversation.verdict)


def play_at_random(seed: int, count: int, misses: int = 0) -> Game:
    """A table with random dials and this many tries, each with so many near misses."""
    rng = Random(seed)
    dials = {name.replace(".", "__"): rng.choice(values) for name, values in DIAL_VALUES.items() if rng.random() < 0.4}
    if seed % 3 == 0:  # else hardly a recovery waits for the referee to name it
        dials["recovery__check_reading"] = "referee"
    game = Game(begin=False, **dials)
    if misses and seed % 4 == 3:  # somebody has left the table
        game.opening.append((seat("eve"), Told(0, len(game.opening), SeatRemoved())))
        game.past.tell(game.opening[-1:])
    chance = Chance(game, rng)
    if find_referee(game.table()) is None:
        try_out(game, SeatReferee("gm"), rng)
    for owner in ("ann", "gm"):
        id = game.enrol("Somebody", Sheet(), owner)
        for kind, trait in (
            ("talent", "Tough"),
            ("talent", "Quick"),
            ("talent", "Grit"),
            ("talent", "Lucky"),
            ("life", "Boxer"),
        ):
            try_out(game, RateTrait(id, trait, kind, chance.rating()), rng)
        try_out(game, RateImportance(id, chance.rating()), rng)
    near = NearMisses(game, seed, lambda do, question, answers, rng: an_answer(question, rng))
    for _ in range(count):
        do = chance.word()
        if misses:
            near.around(do, ruler(game, do), misses)
            for slip in near.some(slips(Chance(game, near.rng)), 1):
                near.attempt(slip, ruler(game, slip))
        try_out(game, do, rng)
    return game
