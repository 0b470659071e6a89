"""A table that plays at random: mostly what moves the game on, now and then anything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any

from ledger.rules.intensity import RULESET
from ledger.rules.intensity.advantage_points import SpendAdvantage
from ledger.rules.intensity.attacks import Attack, ChooseImpact, Resolve, Waive
from ledger.rules.intensity.defence import DefenceDie, Defend
from ledger.rules.intensity.draft import Agree, Decline, Draft, Faces, SpeakFor
from ledger.rules.intensity.fatals import ReleaseFatal, UseFatal
from ledger.rules.intensity.healing import CloseMoment, Heal, HealingChoice, HealingMoment
from ledger.rules.intensity.impact import Mutilation
from ledger.rules.intensity.levels_and_traits import Raise, Sheet, TraitLine
from ledger.rules.intensity.negotiation import Negotiate
from ledger.rules.intensity.opponents import InConflict, NoteConflict
from ledger.rules.intensity.out_of_play import BringBack, FatalUse, Fate
from ledger.rules.intensity.rolling import RollDice
from ledger.rules.intensity.rounds import AbandonRound, AmendDeclaration, CloseRound, Declare, JoinRound, OpenRound
from ledger.rules.intensity.scenes_and_rest import Rest
from ledger.rules.intensity.state import INTENSITY, PRICES, RATINGS
from ledger.rules.intensity.turns import Pass, SettleTie, list_first_in_order
from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.declarations import find_declarer
from ledger.rules.kernel.questions import Ask, Choice, Dice
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import CAMPAIGN, character
from tests.levels import LEVEL
from tests.rules.intensity.game import MAIN, MINOR, Game
from tests.rules.intensity.situations import in_a_coma, stand_off
from tests.rules.refusals import Heard, heard, unmet

DIAL_VALUES: dict[str, tuple[Any, ...]] = {
    "intensity_raise_gate": ("other_declared", "free"),
    "intensity_scope": ("round", "scene_ratchet"),
    "declaration_amendable": (True, False),
    "no_usable_trait": ("intensity_only", "cannot_act"),
    "full_tie": ("table_choice", "roll_off"),
    "initiative_basis": ("fixed_at_roll", "standing_dice"),
    "retarget_when_target_gone": ("lapse", "retarget"),
    "defence_carryover": ("fresh_roll", "keep_or_reroll"),
    "defence_second_pick": ("single_commit", "after_seeing"),
    "impact_on_dice_in_play": ("locked_for_round", "immediate"),
    "stacking": ("all", "one_per_kind"),
    "tax_scope": ("any_trait", "trait_used"),
    "ap_force_reroll": (False, True),
    "ap_repeat_effect": (True, False),
    "ap_defence_bonus_needs_roll": (True, False),
    "ap_rating_deadline": ("outcome", "resolve"),
    "held_fatal_at_scene_end": ("must_settle", "lapses"),
    "held_fatal_when_holder_out": ("answer_or_lapse", "lapse", "survive"),
    "rest": ("explicit", "automatic_at_scene_end"),
    "healing_counts_as_rest": (True, False),
    "healing_once_a_day_scope": ("campaign", "character"),
    "healing_optional": (True, False),
    "healing_in_open_scene": (False, True),
    "conflict_link": ("acted_against", "shared_round"),
}
MISFITS = 200  # answers that do not fit, until what waits for one is taken back
#: Two traits of one name.
TWICE = Sheet("minor", (TraitLine("A", 6), TraitLine("A", 6)))


class Chance:
    """Somebody at the table who mostly plays on and now and then tries anything."""

    def __init__(self, game: Game, rng: Random) -> None:
        self.game = game
        self.rng = rng
        #: A table that rules traits away now and then.
        self.cruel = rng.random() < 0.2

    def word(self) -> Any:
        """Something to declare: what moves the game on, or anything."""
        return self.sensible() if self.rng.random() < 0.8 else self.anything()

    def one(self, words: Iterable[Any]) -> Any:
        words = list(words)
        return self.rng.choice(words) if words else "nobody"

    def char(self) -> str:
        return str(self.one([*self.game.ids.values(), *([] if self.rng.random() < 0.95 else ["nobody"])]))

    def sensible(self) -> Any:
        scenes = self.game.table().subjects("scene")
        if not scenes:
            return self.between_scenes()
        self.game.scene_id = scenes[0].id
        round = self.game.round
        if self.rng.random() < 0.12:
            return self.at_any_time()
        if self.game.now.fatals and self.rng.random() < 0.25:
            return self.doom()
        if round is None:
            return self.between_rounds()
        if round.groups is None:
            return self.before_the_roll(round)
        return self.in_action(round)

    def between_scenes(self) -> Any:
        return self.one(
            [
                commands.OpenScene("A scene"),
                commands.OpenScene("Another"),
                self.healing(),
                self.healing(),
                self.healing(),
                self.rests(),
                NoteConflict(self.char(), self.char(), "so it is"),
                self.comes_back(),
            ]
        )

    def rests(self) -> Rest:
        """Everybody, or one: with luck, one who is out for good."""
        gone = [id for id in self.game.ids.values() if self.game.character(id).out == "permanent"]
        only: Rest = self.one([Rest(), Rest((self.one(gone) if gone else self.char(),))])
        return only

    def between_rounds(self) -> Any:
        if self.rng.random() < (0.6 if self.game.now.fatals else 0.25):  # or what is held would seldom lapse
            return self.one([commands.CloseScene(self.game.scene_id), self.healing()])
        able = [id for id in self.game.ids.values() if self.game.character(id).out is None]
        return OpenRound(tuple(self.rng.sample(able, min(len(able), self.rng.randint(2, 4)))))

    def before_the_roll(self, round: Any) -> Any:
        silent = [id for id, one in round.participants.items() if one.level is None]
        char = self.one(silent or round.participants)
        roll = self.rng.random()
        if roll < 0.8 and silent:
            others = [id for id in round.participants if id != char]
            target = self.one(others) if self.rng.random() < 0.85 else None
            return Declare(char, self.one([*INTENSITY, "fanatical", "fanatical"]), target, self.trait(char))
        if roll < 0.8:
            waiting = [id for id, one in round.participants.items() if not one.dice]
            if waiting and self.rng.random() < 0.2:
                return RollDice(tuple(Faces(id, 3, self.one([3, 3, 3, None])) for id in waiting))
            return RollDice(participants=tuple(waiting) if self.rng.random() < 0.7 else (self.one(waiting),))
        char = self.one(round.participants)
        if roll < 0.82:
            return JoinRound(self.char())
        if roll < 0.9:
            return Raise(char, self.one(INTENSITY))
        if roll < 0.97:
            text = self.one(["", "", "to be sure"])
            return AmendDeclaration(char, self.one([*round.participants, "", None]), self.trait(char), text=text)
        return AbandonRound()

    def trait(self, char: str) -> str | None:
        names = [trait.name for trait in self.game.character(char).traits]
        return None if self.rng.random() < 0.1 else str(self.one(names))

    def in_action(self, round: Any) -> Any:
        attack = round.attack
        if self.cruel and self.rng.random() < 0.05:
            return self.broken(self.one(round.participants))
        if attack is None:
            pending = [id for id, one in round.participants.items() if one.turn == "pending"]
            if not pending:
                return CloseRound()
            if self.rng.random() < 0.3:
                tied = self.tied(pending)
                return SettleTie(tied, self.throws(pending) if not tied and self.rng.random() < 0.5 else ())
            if self.rng.random() < 0.15:
                return Pass(self.one(pending))
            return Attack(self.one(pending), self.char() if self.rng.random() < 0.1 else None)
        if self.rng.random() < 0.25:
            return self.spending(attack)
        if not attack.answered or (attack.success is None and self.rng.random() < 0.1):
            dice = self.rng.sample(["intensity", "trait"], self.rng.randint(0, 2))
            return Defend(tuple(DefenceDie(die) for die in dice))
        if attack.success is None:
            return Resolve()
        return self.outcome(attack)

    def tied(self, pending: list[str]) -> tuple[str, ...]:
        """A ranking of those who are really tied, where the table decides; nothing for a roll-off."""

        table = self.game.table()
        if table.dials.full_tie == "roll_off" and self.rng.random() < 0.7:
            return ()
        if not all(table.has(character(id)) for id in self.game.round.participants):
            return ()
        tied = list(list_first_in_order(Draft(table), self.game.round))
        self.rng.shuffle(tied)
        return tuple(tied if self.rng.random() < 0.9 else [*tied, *tied])

    def throws(self, pending: list[str]) -> tuple[tuple[Faces, ...], ...]:
        """Dice typed in for a roll-off: one throw of those who have the same dice, or two, which may not be enough."""
        faces = self.rng.randint(1, 4)
        one = tuple(Faces(id, faces + place % 2, 1) for place, id in enumerate(pending[:2]))
        same = tuple(Faces(id, faces, 1) for id in pending[:2])
        return self.rng.choice([(one,), (same,), (one, one), (same, one)])

    def broken(self, char: str) -> Any:
        """What a table may rule: a trait is lost, or all are."""
        if not self.cruel:
            return Resolve()
        lost = [{"name": trait.name, "base": 0} for trait in self.game.character(char).traits]
        field, value = self.rng.choice([("traits/0/base", 0), ("traits", lost), ("traits", lost)])
        return commands.Amend(f"character:{char}", field, value, "it was too much")

    def spending(self, attack: Any) -> Any:
        effect = self.one(PRICES)
        side = attack.attacker if effect in ("maximum", "attack4") else attack.defender
        holder = side if self.rng.random() < 0.8 else self.char()
        return SpendAdvantage(holder, effect, self.one(["intensity", "trait", None]) if effect == "reroll" else None)

    def outcome(self, attack: Any) -> Any:
        impact = self.one([*RATINGS, "fatal", "fatal", "wound"])
        roll = self.rng.random()
        if roll < 0.1:
            return Waive()
        if roll < 0.3:
            return self.bargain(attack.id)
        trait = self.trait(attack.defender) if impact in ("tax", "damage") else None
        out = self.one(["scene", "permanent", "time", None])
        fate = Fate("gone", out=out, out_for="a week" if out == "time" else "")
        at_once = fate if impact == "fatal" and self.rng.random() < 0.5 else None
        return ChooseImpact(impact, trait, "as it happens", at_once)

    def at_any_time(self) -> Any:
        words = [self.release(), self.healing(), self.comes_back()]
        return self.one([self.bargain(None), *[self.doom() for _ in range(5)], *words])

    def comes_back(self) -> BringBack:
        """Mostly of somebody who is out for a time."""
        away = [id for id in self.game.ids.values() if self.game.character(id).out == "time"]
        char = self.one(away) if away and self.rng.random() < 0.9 else self.char()
        return BringBack(char, self.one(["it is over", "it is over", " "]))

    def use(self, fatal: str) -> FatalUse:
        use_as = self.one(["fate", "tax", "advantage", "damage", "wound"])
        trait = self.one("ABC") if use_as == "tax" else None
        out = self.one([None, "scene", "scene", "permanent", "time"])
        out_for = "a week" if out == "time" else ""
        if self.rng.random() < 0.05:
            out_for = self.one(["", " ", "a week"])
        by = self.char() if self.rng.random() < 0.15 else None
        lost = Mutilation(self.one("ABABZ"), self.one([10, 8, 6, 4, 0, 0, 5, 12])) if self.rng.random() < 0.3 else None
        more = tuple(
            Mutilation(self.one("AABBC"), self.one([8, 6, 0])) for _ in range(self.rng.choice([0, 0, 0, 1, 2]))
        )
        text = "" if self.rng.random() < 0.2 else "it ends"
        return FatalUse(fatal, text, use_as, trait, out, by, lost, out_for, more)

    def doom(self) -> Any:
        held = self.game.now.fatals
        if self.cruel and held and self.rng.random() < 0.1:
            return commands.Amend(f"character:{held[self.one(held)].holder}", "out", "scene", "fainted")
        return UseFatal(tuple(map(self.use, self.some_fatals())), self.reason())

    def some_fatals(self) -> list[str]:
        """Any; those of two who hold each other's fate together."""
        held = list(self.game.now.fatals)
        tokens = self.game.now.fatals
        for one, other in combinations(held, 2):
            if (tokens[one].holder, tokens[one].subject) == (tokens[other].subject, tokens[other].holder):
                return [one, other]
        few = self.rng.sample(held, min(len(held), self.rng.randint(1, 3)))
        return few or [self.one(held), self.one(held)]

    def reason(self) -> str:
        """What a game master says who speaks for all; mostly nobody does."""
        return str(self.one(["", "", "", " ", "they nodded"]))

    def release(self) -> Any:
        fatal = self.one(self.game.now.fatals)
        held = self.game.now.fatals.get(fatal)
        return ReleaseFatal(fatal, held.holder if held and self.rng.random() < 0.8 else self.char())

    def bargain(self, attack: str | None) -> Any:
        pending = [id for id, one in self.game.round.participants.items()] if self.game.round else []
        uses = (self.use(self.one(self.game.now.fatals)),) if self.rng.random() < 0.5 else ()
        releases = tuple(self.rng.sample(list(self.game.now.fatals), 1)) if self.game.now.fatals else ()
        passes = (self.one(pending),) if pending and self.rng.random() < 0.3 else ()
        parties = tuple(self.game.ids.values()) if self.rng.random() < 0.9 else (self.char(), self.char())
        releases = releases if self.rng.random() < 0.5 else ()
        impact = self.one([None, None, *RATINGS]) if attack or self.rng.random() < 0.05 else None
        trait = self.one([None, "A", "B"]) if impact in ("tax", "damage") or self.rng.random() < 0.05 else None
        return Negotiate(parties, "agreed", attack, uses, releases, passes, self.reason(), impact, trait)

    def healing(self) -> Any:
        choices = []
        for id in self.game.ids.values():
            hurts = [weight for weight in self.game.character(id).impacts.values() if weight.kind != "tax"]
            if hurts and self.rng.random() < 0.25:
                hurt = self.one(hurts)
                choices.append(HealingChoice(id, hurt.kind, hurt.trait))
        last = self.game.state(CAMPAIGN).healed_on or 0
        fiction, who = self.one(["a night"] * 8 + [" "]), self.one(["", "", "", "p", "1", "nobody"])
        pairs: tuple[InConflict, ...] = ()
        if self.rng.random() < 0.2:
            pairs = tuple(InConflict(self.char(), self.char(), self.one(["so it is", "so it is", " "])) for _ in "ab")
        return HealingMoment(last + self.rng.randint(-1, 2), fiction, tuple(choices), who, pairs)

    def anything(self) -> Any:
        """Any word with any plausible or implausible fields."""
        char, other, rng = self.char(), self.char(), self.rng
        name, value = self.one(DIAL_VALUES.items())
        face = self.one([0, 1, 3, 6, 99, True, 2.0, "3", None])
        return self.one(
            [
                OpenRound((char, other)),
                Declare(char, self.one([*INTENSITY, "bored"]), other, self.one(["A", "B", "Z", None])),
                Raise(char, self.one([*INTENSITY, "bored"])),
                AmendDeclaration(char, self.one([other, None, ""]), self.one(["A", "Z", None, ""])),
                AbandonRound(),
                JoinRound(char),
                RollDice((Faces(char, face, face),)),
                RollDice(participants=(char, other)),
                SettleTie((char, other)),
                SettleTie(faces=((Faces(char, face, face),),)),
                Pass(char),
                CloseRound(),
                Attack(char, self.one([other, None])),
                Defend((DefenceDie(self.one(["intensity", "trait", "hope"]), face),)),
                SpendAdvantage(char, self.one([*PRICES, "luck"]), self.one(["trait", None]), face),
                Resolve(),
                ChooseImpact(self.one([*RATINGS, "doom"]), self.one(["A", "Z", None])),
                Waive(),
                Negotiate((char, other), self.one(["", "agreed"]), self.one([None, "1"]), passes=(char,)),
                UseFatal((FatalUse("1", self.one(["", "x"]), self.one(["fate", "kiss"]), out=self.one([None, "x"])),)),
                ReleaseFatal("1", char),
                Rest((char,)),
                NoteConflict(char, other, self.one(["so it is", ""])),
                HealingMoment(
                    rng.randint(-1, 5), "a night", (HealingChoice(char, self.one(["tax", "none", "wound"])),)
                ),
                HealingMoment(self.one([True, "1", 1.0]), "a night"),
                commands.SetDial(name, self.one(value), "try it"),
                commands.OpenScene("A scene"),
                commands.CloseScene(self.game.scene_id or "0"),
                commands.Enrol("Fay", "p", self.one([MAIN, MINOR, TWICE, Sheet("god", ()), Sheet("main", ())])),
                self.broken(self.one(self.game.ids.values())),
                commands.Retire(char, "moved away") if rng.random() < 0.1 else Resolve(),
                commands.HandOver(char, self.one(["gm", "p", "q"])),
            ]
        )


def play_at_random(seed: int, rulings: int) -> Game:
    """A campaign under random dials of at most so many rulings. Whatever is refused is passed over."""
    rng = Random(seed)
    game = Game(seed % 10 > 0, **{name: rng.choice(values) for name, values in DIAL_VALUES.items()})
    if seed % 15 == 7:  # two who have each other at gunpoint, where whoever falls lets go
        game = stand_off(held_fatal_when_holder_out="lapse")
    if seed % 15 == 8:
        game = in_a_coma()
    ids = list(game.ids.values())
    for holder, against in zip(ids, [*ids[1:], ids[0]], strict=True):
        game.gives(holder, against, 6)
        game.gives(against, holder, 6)
    for id in ids:
        game.declare(commands.HandOver(id, rng.choice(["p", "q", "q", "gm"])))
    chance = Chance(game, rng)
    for _ in range(rulings):
        try_out(game, chance.word(), rng)
    return game


#: Seeds that together reach everything. When the game changes, find them again, else `reached` takes long.
FIRST = (277, 91, 6, 276, 98, 120, 77, 16, 205, 262, 20, 207, 3, 29, 39, 51, 64, 112, 275)


@dataclass
class Reached:
    """What random play has come across."""

    told: set[type[Any]] = field(default_factory=set)
    cited: set[str] = field(default_factory=set)
    heard: Heard = field(default_factory=Heard)
    said: set[type[Any]] = field(default_factory=set)
    declared: set[type[Any]] = field(default_factory=set)
    dials: set[tuple[str, Any]] = field(default_factory=set)
    adrift: int = 0


@lru_cache(maxsize=1)
def reached() -> Reached:
    """Return what three hundred campaigns reach; below `--all`, as many of them as reach everything."""
    with heard() as refusals:
        found = Reached(heard=refusals)
        for place, seed in enumerate((*FIRST, *range(300))):
            if LEVEL != "all" and place >= len(FIRST) and _is_everything(found):
                break
            _look_through(play_at_random(seed, 120), found)
    return found


def _is_everything(found: Reached) -> bool:
    turned = {(name, value) for name, values in DIAL_VALUES.items() for value in values[1:]}
    return (
        set(RULESET.facts) <= found.told
        and set(RULESET.inputs) <= found.declared
        and set(RULESET.choices) <= found.said
        and set(RULESET.rules) <= found.cited
        and turned <= found.dials
        and not unmet(RULESET, found.heard)
    )


def _look_through(game: Game, found: Reached) -> None:
    found.told |= {type(about.fact) for verdict in game.verdicts for about in verdict.facts}
    found.cited |= {one.rule for verdict in game.verdicts for one in verdict.because}
    answers = [one.answer for past in game.history for one in past.said]
    found.said |= {type(one.value) for one in answers if isinstance(one, Choice)}
    found.declared |= {type(past.declared) for past in game.history}
    found.dials |= set(game.dials.items())
    found.adrift += sum(len(folded.adrift) for folded in game.past.folded.values())


def somebody(game: Game, do: Any, rng: Random) -> str:
    """Who may declare it: mostly a game master; else whoever plays the character it is for."""
    declarer = find_declarer(do)
    if rng.random() < 0.5 or declarer.who in ("gm", "seat"):
        return "gm"
    if declarer.who == "anyone" or declarer.of is None:
        return rng.choice(["p", "q"])
    table = game.table()
    try:
        whose = declarer.of(table, do)
    except Refused:
        return "gm"
    return table.owner(character(whose)) if whose and table.has(character(whose)) else "gm"


def said(game: Game, question: Any, rng: Random) -> Any:
    """An answer: dice as they fall; what people say, which need not fit."""
    if not isinstance(question, Ask):
        alike = question.slot.startswith("round") and game.number % 3 == 0  # or nobody would ever be tied
        most = 2 if alike else question.sides
        return Dice(question.sides, tuple(rng.randint(1, most) for _ in range(question.count)))
    if Agree in question.kinds:
        words = [Decline(), SpeakFor(True, "said aloud"), SpeakFor(False, "no"), SpeakFor(True, "")]
        yes = 2 if question.slot.startswith("use:") else 12
        return Choice(rng.choice([*words, *[Agree()] * yes]))
    hurts = [one for one in game.character(question.slot.partition(":")[2]).impacts.values() if one.kind != "tax"]
    hurt = rng.choice(hurts)
    heals = [Heal(hurt.kind, hurt.trait)] * 3 + [Heal(), Heal(), Heal("tax"), Heal("damage", "Z"), Heal("wound", "A")]
    return Choice(rng.choice([*heals, *[CloseMoment("late")] * 3, CloseMoment(" ")]))


def try_out(game: Game, do: Any, rng: Random) -> Verdict[Any] | None:
    """Declare with the ledger's dice and what people say; None when it is refused, which may only happen before that.

    What does not fit is asked again, and withdrawn in the end: what the table set by hand can leave nothing that fits.
    The codes met are counted in `game.refused`.
    """
    by = somebody(game, do, rng)
    answers: list[Any] = []
    for _ in range(MISFITS):
        try:
            conversation, table = game.begin(do, by)
        except Refused as refusal:
            game.refused[refusal.code] += 1
            game.refusals.append(refusal)
            return None
        for one in answers:
            conversation.answer(one)
        try:
            while conversation.question is not None:
                answers.append(said(game, conversation.question, rng))
                conversation.answer(answers[-1])
        except Unfit as unfit:
            game.refused[unfit.code] += 1
            game.refusals.append(unfit)
            answers.pop()
            continue
        assert conversation.verdict is not None
        return game.record(do, table, answers, conversation.verdict)
    return None
