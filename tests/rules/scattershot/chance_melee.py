"""Mechanical Play at random, and what its players look at."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from ledger.rules.kernel.subjects import character
from ledger.rules.scattershot.actions import (
    AcceptFreeAction,
    ExpendAction,
    ForfeitAction,
    RestoreFreeActions,
    TakeFreeAction,
)
from ledger.rules.scattershot.advantage import ChangeFoe, CheckAdvantage, EraseAdvantage, HoldAdvantage, SeizeAdvantage
from ledger.rules.scattershot.conditions import GoAllOut
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.flurries import InterruptFlurry, StartFlurry, StepFlurry
from ledger.rules.scattershot.game import Attend, PassWord, SeatPlayers, ShiftMode
from ledger.rules.scattershot.joining import EndMechanicalPlay, JoinMechanicalPlay, LeaveMechanicalPlay
from ledger.rules.scattershot.mechanical_play import (
    CallMechanicalPlay,
    EndRound,
    EndTurn,
    ShiftScope,
    StartTurn,
    find_next_player,
)
from ledger.rules.scattershot.power import SpendPower
from tests.rules.scattershot.game import Game


class MeleeChance:
    def __init__(self, game: Game, rng: Random) -> None:
        self.game = game
        self.rng = rng

    # --- looking -----------------------------------------------------------------------------------------------------

    def scene(self) -> Any:
        place = self.game.table().scene
        return self.game.state(place) if place is not None else None

    def resolutions(self) -> list[str]:
        scene = self.scene()
        return list(scene.resolutions) if scene is not None else []

    def placed(self) -> list[tuple[str, str]]:
        """Return the Characters with Residual modifiers, and the modifiers."""
        return [(id, one.residual) for id in self.game.everybody() for one in self.game.character(id).residuals]

    def fight(self) -> Any:
        scene = self.scene()
        fights = list(scene.fights.values()) if scene is not None else []
        return self.rng.choice(fights) if fights else None

    def one(self) -> str:
        return self.rng.choice(self.game.everybody())

    def seat(self) -> str:
        return self.rng.choice(["ann", "bob", "cid", "ann", "bob", "gm", "o"])

    def number(self, most: int = 3) -> Any:
        return self.rng.choice([*range(most + 1), *range(most + 1), 1, 1, -1, 99, "2", True, None])

    # --- Mechanical Play ---------------------------------------------------------------------------------------------

    def melee(self) -> Any:
        rng, fight = self.rng, self.fight()
        scope = rng.choice([fight.scope, None])
        waiting = [id for id, standing in fight.standing.items() if not standing.taken]
        if fight.turn is None and rng.random() < 0.7:
            whose = find_next_player(Draft(self.game.table()), fight)
            theirs = [id for id in waiting if self.game.table().owner(character(id)) == whose]
            if rng.random() < 0.1:
                return StartTurn(rng.choice(list(fight.standing)))
            return StartTurn(rng.choice(theirs or waiting)) if theirs else EndRound(scope)
        who = fight.turn if fight.turn is not None and rng.random() < 0.7 else self.one()
        who = rng.choice([who, who, rng.choice(list(fight.standing))])
        other = rng.choice([*fight.standing, self.one()])
        account = re.compile(r"scene:[^/]*/advantage:([^:]*):([^:]*)")
        held = [(found[1], found[2]) for one in self.game.balances() if (found := account.fullmatch(one))]
        holder, foe = rng.choice([*held, *held, (who, other)])
        cause = rng.choice(["Reach", "Cornering", "Backing Off", "Upset"])

        def act() -> str | None:
            return rng.choice([None, None, *self.resolutions()])

        return rng.choice(
            [
                lambda: EndTurn(who),
                lambda: EndTurn(who),
                lambda: EndRound(scope),
                lambda: ShiftScope(rng.choice(["individual", "squad", "mob", "odd"]), scope),
                lambda: ExpendAction(who, rng.choice(["move", "draw"]), rng.choice([1, self.number()])),
                lambda: TakeFreeAction(who, rng.choice(["fall-down", "soliloquy", "look-around", "a wink"])),
                lambda: AcceptFreeAction(
                    rng.choice(["a wink", "a wink", " "]), rng.random() < 0.3, rng.choice(["", "they nodded"])
                ),
                lambda: RestoreFreeActions(who),
                self.forfeit,
                self.forfeit,
                lambda: SpendPower(who, 3, "a spell"),
                *[lambda: SeizeAdvantage(foe, holder, cause, act())] * 2,
                lambda: ForfeitAction(self.one(), rng.choice([*self.resolutions(), "7"])),
                lambda: GoAllOut(who, rng.choice(["attack", "defense", "focusing"]), rng.choice([None, other]), act()),
                lambda: StartFlurry(who, other, "Fencing", rng.choice([(), ("hack", "hew")])),
                lambda: StartFlurry(who, other, "Fencing", ("hack", "hew")),
                lambda: StepFlurry(rng.choice(["hack", "hew", "parry"]), scope),
                lambda: StepFlurry("hack", scope),
                lambda: InterruptFlurry(
                    "a tackle", scope, rng.choice([None, who, other]), rng.choice([None, None, *self.resolutions()])
                ),
                lambda: JoinMechanicalPlay(self.one(), scope),
                lambda: LeaveMechanicalPlay(rng.choice([who, self.one()])) if rng.random() < 0.3 else EndTurn(who),
                self.call,
                self.call,
                lambda: SeizeAdvantage(rng.choice([holder, who]), other, cause, act()),
                lambda: SeizeAdvantage(rng.choice([holder, who]), other, cause),
                lambda: HoldAdvantage(holder, foe, cause, act()),
                lambda: HoldAdvantage(holder, foe, cause),
                lambda: CheckAdvantage(holder, foe, cause, act()),
                lambda: EraseAdvantage(holder, foe, cause, act()),
                lambda: ChangeFoe(who, other),
                lambda: (
                    EndMechanicalPlay(
                        rng.choice(["general", "specific", "odd"]), scope, rng.random() < 0.3, rng.choice(["", "so"])
                    )
                    if rng.random() < 0.4
                    else EndTurn(who)
                ),
            ]
        )()

    def forfeit(self) -> Any:
        """Return a forfeit by an Engaged Character, if there is one."""
        scene = self.scene()
        asked = (
            [
                (who, id)
                for id, one in scene.resolutions.items()
                for who, said in one.engaged.items()
                if said != "passive"
            ]
            if scene is not None
            else []
        )
        return ForfeitAction(*(asked[0] if asked else (self.one(), "7")))

    def call(self) -> Any:
        """Return a call, mostly for Characters who are not in Mechanical Play."""
        rng, scene = self.rng, self.scene()
        everybody = self.game.everybody()
        free = [id for id in everybody if scene is None or scene.find_scope_of(id) is None]
        among = free if free and rng.random() < 0.8 else everybody
        if rng.random() < 0.1:
            return CallMechanicalPlay(tuple(free), "individual")
        return CallMechanicalPlay(
            tuple(rng.sample(among, min(len(among), rng.choice([1, 2, 3, 4, 9])))),
            rng.choice(["individual", "squad", "squad", "mob", "odd"]),
            rng.random() < 0.9,
            self.seat(),
        )

    def play(self) -> Any:
        rng = self.rng
        return rng.choice(
            [
                self.call,
                lambda: (
                    ShiftMode(rng.choice(["specific", "specific", "general", "solo", "odd"]), "it is quiet")
                    if rng.random() < 0.3
                    else ShiftMode("specific")
                ),
                lambda: ShiftMode("specific"),
                lambda: PassWord(self.seat()),
                lambda: (
                    Attend(tuple(rng.sample(["gm", "ann", "bob", "cid", "nobody"], rng.choice([2, 2, 4]))))
                    if rng.random() < 0.3
                    else Attend(("gm", "ann", "bob", "cid"))
                ),
                lambda: Attend(("gm", "ann", "bob", "cid")),
                lambda: SeatPlayers(tuple(rng.sample(["gm", "ann", "bob", "cid"], 4))),
            ]
        )()
