"""Secrets at the moment when they could be told: an open check, dice not declared yet, an answer beside others."""

from __future__ import annotations

from dataclasses import replace

from tests.api.page.test_scattershot_choices import strikes
from tests.api.table import Json, Table
from tests.api.twins.foreseen import hidden_dice
from tests.api.twins.games import ENIGMA, HERO, MNEMONIC, MOC, Secret, action, hangar, quarry
from tests.api.twins.tables import in_play


def _open_checks(table: Table, ratings: tuple[str, str], chances: tuple[str, str], worst: str = "dead") -> None:
    """Both are about to be hurt: the numbers against which they roll are hidden."""
    quarry(table)
    for id, rating in zip("12", ratings, strict=True):
        table.gm.declare("rate-importance", character=id, rating=rating)
    for id, chance in zip("12", chances, strict=True):
        told: Json = {"victim": id, "cause": "referee", "worst": worst, "chances": chance, "reason": "A stone."}
        table.gm.declare("rule-injury", **told)


def checks_with_hidden_ratings(table: Table, other: bool) -> None:
    _open_checks(table, ("Very", "Extremely") if other else ("Extremely", "Very"), ("Even", "Even"))


def checks_with_hidden_chances(table: Table, other: bool) -> None:
    _open_checks(table, ("Very", "Very"), ("Good", "Terrible") if other else ("Terrible", "Good"))


def recovery_with_hidden_chances(table: Table, other: bool) -> None:
    """Celia is hurt for all to see. How well a recovery could go is hidden."""
    quarry(table)
    table.gm.declare("rate-importance", character="2", rating="Very")
    table.gm.declare("rule-injury", victim="2", cause="referee", worst="unconscious", chances="Even", reason="A stone.")
    check = table.gm.look("/state")["scenes"][0]["state"]["checks"][-1]["id"]
    table.cleo.declare("enter-roll", check=check, numbers=[12])
    table.gm.declare("rule-recovery-check", character="2", chances="Good" if other else "Terrible")


def hidden_dodge(table: Table, other: bool) -> None:
    """Rissh's success waits for Harry, who rolled a dodge: three successes, or none."""
    hangar(table)
    attack = action(table, table.cleo, "2", roll_kind="to_hit")
    table.cleo.declare("roll-dice", action=attack, faces=[9])
    table.cleo.declare("declare-successes", action=attack, target="1", number=1)
    made = table.ben.declare("declare-action", character="1", skill="Dodge", roll_kind="dodge")
    (dodge,) = [one["fact"]["action"] for one in made["facts"] if one["kind"] == "moc.action-declared"]
    table.ben.declare("roll-dice", action=dodge, faces=[9, 8, 8, 2, 2] if other else [2, 2, 3, 2, 2])


def hidden_answer_about_beads(table: Table, other: bool) -> None:
    """A scene is about to begin: Ben has said where Harry's beads go, and Cleo is still asked."""
    table.ben.does("/characters", {"name": "Harry", "seat": table.ben.id, "sheet": HERO})
    table.cleo.does("/characters", {"name": "Rissh", "seat": table.cleo.id, "sheet": ENIGMA})
    table.gm.declare("open-session")
    table.gm.declare("open-arc", name="The hangar", xp=20)
    body: Json = {"declare": {"kind": "announce-scene", "cast": ["1", "2"]}}
    waits = table.gm.does("/rulings", body, 202)
    beads: Json = {"kind": "allocate", "beads": {"plot": 3}} if other else {"kind": "leave"}
    table.ben.does(f"/waiting/{waits['id']}/answers", {"answer": {"choice": beads}}, 202)


def _hidden_wish(table: Table, other: bool) -> str:
    """Ben has said whether he wants to do something before the outcome; Cleo is still asked. Return what waits."""
    in_play(table, "scattershot")
    table.gm.declare("set-dial", name="forced_steps", value="by_ledger", reason="we play on")
    waits = strikes(table, (4, 5), (9, 3))
    wish: Json = {"kind": "hold", "before": "outcome"} if other else {"kind": "go-on"}
    table.ben.does(f"/waiting/{waits}/answers", {"answer": {"choice": wish}}, 202)
    return waits


def hidden_wish(table: Table, other: bool) -> None:
    _hidden_wish(table, other)


def hidden_wish_after_a_no(table: Table, other: bool) -> None:
    """Cleo wants to do something before the totals: Ben's answer counts no longer."""
    hold: Json = {"choice": {"kind": "hold", "before": "totals"}}
    table.cleo.does(f"/waiting/{_hidden_wish(table, other)}/answers", {"answer": hold}, 200)


MOMENTS: tuple[Secret, ...] = (
    *(
        replace(MNEMONIC[0], name=name, hide=hide, decides=(), tries=())
        for name, hide in (
            ("ratings in open checks", checks_with_hidden_ratings),
            ("Chances in open checks", checks_with_hidden_chances),
            ("Chances of a recovery", recovery_with_hidden_chances),
        )
    ),
    *(
        replace(MOC[0], name=name, hide=hide, decides=(), tries=())
        for name, hide in (
            ("dice of an attack not declared yet", hidden_dice),
            ("dice of a dodge not declared yet", hidden_dodge),
            ("an answer about beads", hidden_answer_about_beads),
        )
    ),
    *(
        Secret("scattershot", name, hide, attackers=("cleo", "dora", "gm"))
        for name, hide in (
            ("an answer while others are asked", hidden_wish),
            ("an answer beside a no", hidden_wish_after_a_no),
        )
    ),
)
