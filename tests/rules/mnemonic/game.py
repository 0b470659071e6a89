"""A table of Mnemonic in memory: short words for what the tests do over and over."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import OpenSession
from ledger.rules.kernel.comparison import Comparison
from ledger.rules.kernel.questions import Choice
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, Role, Subject, Viewer, character, scene
from ledger.rules.mnemonic import RULESET
from ledger.rules.mnemonic.agreeing import Assent, Judge, Object
from ledger.rules.mnemonic.characters import Sheet
from ledger.rules.mnemonic.checks import EnterRoll, RuleFluke
from ledger.rules.mnemonic.featherweight import AssignAptitude, DescribeAbilities
from ledger.rules.mnemonic.injuries import RuleInjury
from ledger.rules.mnemonic.recovery import DeclareRecovery
from ledger.rules.mnemonic.recovery_checks import RuleRecoveryCheck
from ledger.rules.mnemonic.referee import SeatReferee
from ledger.rules.mnemonic.rulings import RuleCheck
from ledger.rules.mnemonic.traits import RateTrait, TraitName
from tests.rules.world import World

#: `gm` rules, `ann` and `bob` play, `eve` watches.
PEOPLE: dict[str, Role] = {"gm": "gm", "ann": "player", "bob": "player", "eve": "observer"}


class Game(World):
    """One scene, with Hero (played by ann, Tough and Quick Moderately) and Goon (the referee's, Tough Moderately)."""

    def __init__(self, *, begin: bool = True, **dials: Any) -> None:
        super().__init__(RULESET, {name.replace("__", "."): value for name, value in dials.items()}, PEOPLE)
        self.hero = self.goon = self.place = ""
        if begin:
            if not self.table().dials.dramatic_seen_by_gm:
                self.declare(SeatReferee("gm"))
            self.hero = self.enrol("Hero", Sheet("player_character", "Adult Female Human"), "ann")
            self.goon = self.enrol("Goon", Sheet("non_player_character", "Thug"))
            self.place = self.open_scene()
            for id, trait in ((self.hero, "Tough"), (self.hero, "Quick"), (self.goon, "Tough")):
                self.rate(id, trait, "Moderately")

    # --- doing ----------------------------------------------------------------------------------------------------

    def rate(self, id: str, trait: str, rating: str, kind: str = "talent", reason: str = "") -> Any:
        return self.declare(RateTrait(id, trait, kind, rating, reason))

    def check(self, id: str | None = None, chances: str = "Even", **more: Any) -> str:
        """The id of a ruled check of +6: Quick and the Primary Role."""
        quick = (TraitName("talent", "Quick"), TraitName("primary"))
        more.setdefault("traits", () if "assigned" in more else quick)
        return self.id_of(self.declare(RuleCheck(id or self.hero, chances, **more)), "check-ruled")

    def injury(self, id: str | None = None, worst: str = "unconscious", chances: str = "Even", **more: Any) -> str:
        """The id of the resisting check of an injury."""
        more.setdefault("cause", "referee")
        more.setdefault("reason", "A fall.")
        return self.id_of(
            self.declare(RuleInjury(id or self.hero, worst=worst, chances=chances, **more)), "injury-ruled"
        )

    def recovery_check(self, id: str | None = None, chances: str = "Even", **more: Any) -> str:
        return self.id_of(self.declare(RuleRecoveryCheck(id or self.hero, chances, **more)), "check-ruled")

    def roll(self, check: str, *numbers: int, by: str = "gm", **more: Any) -> Any:
        return self.declare(EnterRoll(check, numbers, **more), by=by)

    def fluke(self, check: str, possible: bool = True, reason: str = "") -> Any:
        return self.declare(RuleFluke(check, possible, reason))

    def hurt_to(self, level: int, id: str | None = None) -> None:
        """An injury that leaves the Status at this level, or unconscious at 0."""
        self.roll(self.injury(id), 7 - level)

    def recover(self, level: Any, id: str | None = None) -> Any:
        return self.declare(DeclareRecovery(id or self.hero, level))

    def session(self) -> str:
        id = str(self.number)
        self.declare(OpenSession())
        return id

    def assign(
        self, task: str = "Aiming", ref: Any = 7, id: str | None = None, player: int | None = None, **more: Any
    ) -> Any:
        """The fact of an assignment. `player`: is asked, judges like this, and assents to what is agreed."""
        do = AssignAptitude(id or self.hero, task, ref, player is not None, **more)
        said = () if player is None else (Choice(Judge(player)), Choice(Assent()))
        return self.fact(self.declare(do, said), "aptitude-assigned")

    def describe(self, text: str, by: str = "ann", assents: bool = True) -> Any:
        """What Hero can do, in the words of one side, assented to by the other or not."""
        said = Choice(Assent() if assents else Object())
        return self.declare(DescribeAbilities(self.hero, text), [said], by)

    def refused(self, do: Any, by: str = "gm") -> str:
        """The code of the refusal it meets; nothing is recorded."""
        before = self.number
        with pytest.raises(Refused) as caught:
            self.declare(do, by=by)
        assert self.number == before
        assert caught.value.rule in RULESET.rules or caught.value.rule.startswith("ledger.")
        return caught.value.code

    # --- looking --------------------------------------------------------------------------------------------------

    def fact(self, verdict: Any, kind: str) -> Any:
        """The one fact of this kind in the verdict."""
        (found,) = self.facts(verdict, kind)
        return found

    def id_of(self, verdict: Any, kind: str) -> str:
        """The check the one fact of this kind names."""
        return str(self.fact(verdict, kind).check)

    def facts(self, verdict: Any, kind: str) -> list[Any]:
        return [one.fact for one in verdict.facts if one.fact.fact_kind.partition("@")[0] == kind]

    def status(self, id: str | None = None) -> tuple[int, str | None]:
        state = self.character(id or self.hero)
        return state.level, state.condition

    @property
    def roster(self) -> list[str]:
        """Ids of all characters."""
        return [one.id for one in self.table().subjects("character")]

    @property
    def there(self) -> Subject:
        """The scene that was opened at the beginning."""
        return scene(self.place)

    def after(self, compared: Comparison, subject: Subject) -> Any:
        """The subject's state in the past without what was struck."""
        return compared.then.told(subject).state

    def ruled(self, check: str) -> Any:
        """What was ruled of a check in the scene."""
        return self.scene(self.place).board.checks.find(check).ruled

    def result(self, verdict: Any) -> tuple[int, int, int]:
        """(total, Successes, Failures) of the check it resolved."""
        done = self.fact(verdict, "check-resolved")
        return done.total, done.successes, done.failures

    def seen(self, by: str) -> dict[str, Any]:
        """Every view of a seat."""
        subjects = [CAMPAIGN, *map(character, (self.hero, self.goon)), scene(self.place)]
        return {str(one): self.view(one, by) for one in subjects}

    def viewer(self, by: str) -> Viewer:
        return self.table(by).by
