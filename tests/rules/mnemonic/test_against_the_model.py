"""Random tables beside the model: the same refusals, the same numbers, the same Status, after every doing."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.rules.kernel.refusals import Refused
from ledger.rules.mnemonic.checks import EnterRoll, RuleFluke
from ledger.rules.mnemonic.consequences import NarrateConsequence
from ledger.rules.mnemonic.immunity import RateImportance
from ledger.rules.mnemonic.injuries import RuleInjury
from ledger.rules.mnemonic.recovery import DeclareRecovery
from ledger.rules.mnemonic.recovery_checks import NameRecovery, RuleRecoveryCheck
from ledger.rules.mnemonic.rulings import RuleCheck
from ledger.rules.mnemonic.traits import RateTrait, TraitName
from tests.rules.mnemonic.game import Game
from tests.rules.mnemonic.model import Being, Model

DIALS: dict[str, tuple[Any, ...]] = {
    "traits.ladder": ("seven", "tied"),
    "traits.unrated": ("refuse", "Not Very"),
    "resist.life_role_floor": (True, False),
    "status.combine": ("worst", "replace"),
    "recovery.ways": (["declared", "check"], ["declared", "check"], ["declared"], ["check"]),
    "recovery.check_reading": ("mnemonic", "step", "referee"),
    "random.three_reading": ("median", "mean"),
    "flukes.on": (True, True, False),
    "flukes.normal_uses": ("first", "last"),
    "flukes.verbal": (True, False),
    "flukes.automatic_reading": ("at_least", "exact"),
    "flukes.solid": (4, 1, 5),
    "flukes.spectacular": (6, 9),
    "flukes.death_guard": ("refuse", "warn", "off"),
    "dramatic.source": ("off", "important", "lucky"),
    "dramatic.approach": ("fixed", "per_check"),
}
RATINGS = ["Not at All", "not  very", "Somewhat", "Moderate", "FAIRLY", "Very", "Extremely"]
CHANCES = ["Terrible", "Bad", "poor", "Even", "Fair", " good ", "Excellent"]
METHODS = ["one_dice", "one_dice", "one_card", "verbal", "three_dice", "three_card"]


class Both:
    """The game and the model, told the same."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.dials = {name: self.rng.choice(values) for name, values in DIALS.items()}
        self.game = Game(**{name.replace(".", "__"): value for name, value in self.dials.items()})
        self.model = Model(self.dials)
        self.people = [self.game.hero, self.game.goon]
        self.met: Counter[str] = Counter()
        for id in self.people:
            self.model.beings[id] = Being()
        for id, trait in ((self.people[0], "Tough"), (self.people[0], "Quick"), (self.people[1], "Tough")):
            self.model.rate(id, "talent", trait, "Moderately")

    def pick(self, *words: Any) -> Any:
        return self.rng.choice(words)

    def mostly(self, usual: Any, otherwise: Any) -> Any:
        return usual if self.rng.random() < 0.94 else otherwise

    def some_check(self, *stages: str) -> Any:
        found = [id for id, check in self.model.checks.items() if check.stage in stages or check.purpose in stages]
        return self.mostly(
            self.rng.choice(found[-4:]) if found else "none", self.pick("none", *self.model.checks or "0")
        )

    def do(self) -> None:
        doings: tuple[Any, ...] = (
            self.rate,
            self.check,
            self.injury,
            self.injury,
            self.recovery,
            self.narrate,
            self.importance,
        )
        if any(check.stage != "resolved" for check in self.model.checks.values()) and self.rng.random() < 0.6:
            doings = (self.roll, self.roll, self.roll, self.fluke)
        do, model = self.rng.choice(doings)()
        new = str(self.game.number)
        refused, verdict = "", None
        try:
            verdict = self.game.declare(do)
        except Refused as no:
            refused = no.code
        self.met[refused or do.kind] += 1
        ruled = self.game.facts(verdict, "check-ruled") if verdict is not None else []
        expected = model(ruled[0].check if ruled else new)
        assert refused in (expected or {""}), (do, refused, expected, self.dials)
        if verdict is not None:
            self.same(verdict)

    def same(self, verdict: Any) -> None:
        for id in self.people:
            assert self.game.status(id) == self.model.beings[id].status
        for ruled in self.game.facts(verdict, "check-ruled"):
            check = self.model.checks[ruled.check]
            assert (ruled.aptitude, ruled.chances_number) == (check.aptitude, check.chances)
            assert (ruled.method, ruled.life_or_death, ruled.readings.flukes) == (
                check.method,
                check.deadly,
                check.flukes,
            )
        for rolled in self.game.facts(verdict, "check-rolled"):
            check = self.model.checks[rolled.check]
            assert (rolled.roll, rolled.fluke) == (check.roll, check.kind)
        for done in self.game.facts(verdict, "check-resolved"):
            check = self.model.checks[done.check]
            size = done.successes or -done.failures
            assert (done.total, size, done.fluke) == (check.total, check.size, check.effect)
            assert done.success is (check.size > 0)
        moved = self.game.facts(verdict, "status-changed")
        assert all(
            (one.to_level, one.to_condition) in [self.model.beings[id].status for id in self.people] for one in moved
        )

    # --- doings: the input, and what the model does with the id of the check it makes ------------------------------

    def rate(self) -> Any:
        who, kind = self.pick(*self.people), self.pick("talent", "life", "talent")
        kind = self.mostly(kind, "primary")
        trait = self.mostly(self.pick("Tough", " tough", "QUICK", "Lucky", "Boxer"), " ")
        rating = self.mostly(self.pick(*RATINGS), "Mighty")
        return RateTrait(who, trait, kind, rating), lambda _: self.model.rate(who, kind, trait, rating)

    def importance(self) -> Any:
        who, rating, reason = self.pick(*self.people), self.mostly(self.pick(*RATINGS), ""), self.pick("", "a twist")
        return RateImportance(who, rating, reason), lambda _: self.model.importance(who, rating, reason)

    def check(self) -> Any:
        who = self.pick(*self.people)
        traits = [("talent", self.pick("Tough", "quick")), ("primary", "")]
        if self.rng.random() < 0.3:
            traits = [
                (self.pick("talent", "life", "primary", "hobby"), self.pick("Tough", "Boxer", "tough ", " "))
                for _ in "ab"
            ]
        chances, method = self.mostly(self.pick(*CHANCES), "Odd"), self.mostly(self.pick(*METHODS), "coin")
        deadly = self.rng.random() < 0.3
        do = RuleCheck(who, chances, tuple(TraitName(*one) for one in traits), None, method, deadly)
        return do, lambda id: self.model.check(id, who, traits, chances, method, deadly)

    def resisting(self) -> tuple[list[str], str | None, str, str]:
        roles = self.pick([], [], ["Boxer"], ["boxer ", "Boxer"])
        anew = self.dials["dramatic.source"] == "important" and self.dials["dramatic.approach"] == "per_check"
        importance = self.mostly(self.pick(*RATINGS) if anew else None, None if anew else "Very")
        return roles, importance, self.mostly(self.pick(*CHANCES), ""), self.mostly(self.pick(*METHODS), "coin")

    def injury(self) -> Any:
        who = self.pick(*self.people)
        kind = self.mostly(self.pick("referee", "referee", "attack", "avoidance", "spectacular"), "luck")
        source = None if kind == "referee" else self.mostly(self.some_check("resolved"), None)
        worst = self.mostly(self.pick("immobilized", "unconscious", "incapacitated", "unconscious", "dead"), "asleep")
        reason = self.mostly("a fall", "")
        roles, importance, chances, method = self.resisting()
        do = RuleInjury(
            who,
            kind,
            worst,
            chances,
            source,
            life_roles=tuple(roles),
            importance=importance,
            method=method,
            reason=reason,
        )
        return do, lambda id: self.model.injury(
            id, who, (kind, source, reason), worst, chances, roles, importance, method
        )

    def recovery(self) -> Any:
        who, level = self.pick(*self.people), self.mostly(self.pick(*range(1, 7)), self.pick(0, 7, None, "1", True))
        how = self.rng.random()
        if how < 0.4:
            return DeclareRecovery(who, level), lambda _: self.model.declare_recovery(who, level)
        if how < 0.6:
            check = self.some_check("recovery")
            return NameRecovery(check, level), lambda _: self.model.name_recovery(check, level)
        roles, importance, chances, method = self.resisting()
        deadly = self.rng.random() < 0.3
        do = RuleRecoveryCheck(
            who, chances, life_roles=tuple(roles), importance=importance, method=method, life_or_death=deadly
        )
        return do, lambda id: self.model.recovery_check(id, who, chances, roles, importance, method, deadly)

    def roll(self) -> Any:
        id = self.some_check("ruled")
        first = self.pick(1, 12, *range(1, 13))
        faces = [first, *(self.pick(first, first, self.pick(1, 12, 5)) for _ in "ab")]
        check = self.model.checks.get(id)
        if check is not None and check.method in ("one_dice", "one_card", "verbal"):
            needed = 1 if not check.flukes or first not in (1, 12) else 3 if faces[1] == first else 2
            faces = faces[: self.mostly(needed, self.pick(0, 1, 2, 3))]
        if self.rng.random() < 0.03:
            faces = [*faces, self.pick(0, 13, 5)]
        return EnterRoll(id, tuple(faces)), lambda _: self.model.roll(id, faces)

    def fluke(self) -> Any:
        id, possible, reason = self.some_check("rolled"), self.rng.random() < 0.7, self.mostly("r", "")
        return RuleFluke(id, possible, reason), lambda _: self.model.fluke(id, possible, reason)

    def narrate(self) -> Any:
        spectacular = [id for id, one in self.model.checks.items() if (one.effect or "").startswith("spec")]
        id = self.rng.choice(spectacular) if spectacular else self.some_check("resolved")
        death = self.pick(None, *self.people)
        return NarrateConsequence(id, "It breaks.", death), lambda _: self.model.narrate(id, death)


@settings(max_examples=70, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_the_game_and_the_model_agree(seed):
    both = Both(seed)
    for _ in range(60):
        both.do()


def test_together_they_meet_nearly_everything():
    """What the comparison above compares: most refusals of checks, injuries and recovery, and every doing."""
    met: Counter[str] = Counter()
    for seed in range(120):
        both = Both(seed)
        for _ in range(60):
            both.do()
        met += both.met
    for expected in (
        "rate-trait",
        "rate-importance",
        "rule-check",
        "rule-injury",
        "rule-recovery-check",
        "declare-recovery",
        "name-recovery",
        "enter-roll",
        "rule-fluke",
        "narrate-consequence",
        "unknown-kind",
        "name-empty",
        "unknown-rating",
        "unrated",
        "two-traits-needed",
        "inactive",
        "unknown-chances",
        "unknown-method",
        "dramatic-off",
        "importance-not-ruled-here",
        "importance-needed",
        "reason-needed",
        "unknown-cause",
        "cause-missing",
        "cause-not-victim",
        "cause-not-success",
        "cause-not-failure",
        "cause-not-spectacular",
        "already-injured",
        "dead",
        "unknown-condition",
        "out-of-order",
        "face-out-of-range",
        "three-faces-needed",
        "roll-again-needed",
        "too-many-faces",
        "no-fluke",
        "bad-status",
        "not-an-improvement",
        "way-not-allowed",
        "already-fine",
        "death-not-at-stake",
    ):
        assert met[expected], expected


@pytest.mark.parametrize("seed", range(5))
def test_the_model_can_disagree(seed):
    """A model told of other dials than the game falls out with it: the comparison can fail."""
    both = Both(seed)
    both.model.ladder = {name: number + 1 for name, number in both.model.ladder.items()}
    with pytest.raises(AssertionError):
        for _ in range(300):
            both.do()
