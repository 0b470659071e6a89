"""People who are ready to be played: finished sheets, by name. No campaign need list anything for them."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.scattershot.sheet import Advantage, Protection, Sheet, Skill

PEOPLE: Mapping[str, Sheet] = {
    "Mirabel Thorne": Sheet(
        statistics={"agility": 13, "reaction": 12, "hit-points": 11},
        skills=(
            Skill("Fencing", "intermediate", 1, 3, script=("lunge", "parry", "riposte")),
            Skill("Climbing", "easy", 0, 1),
            Skill("Courtly Manners", "difficult", 1, 2),
        ),
        advantages=(Advantage("Famous Name", 2, scope="among people of rank"),),
        disadvantages=(Advantage("Never Refuses a Duel", 3),),
        elements=("a scar she will not explain", "her mother's rapier"),
        protection=(Protection("quilted doublet", static=1),),
        description="A duellist between two wars, who owes money in four cities.",
    ),
    "Old Gorrin": Sheet(
        statistics={"strength": 14, "agility": 9, "hit-points": 14},
        skills=(
            Skill("Brawling", "easy", 0, 3, script=("shove", "block", "haymaker")),
            Skill("Smithing", "difficult", 1, 4),
            Skill("Bargaining", "intermediate", 0, 2),
        ),
        advantages=(Advantage("Known in Every Tavern", 1, scope="where there is ale"),),
        disadvantages=(Advantage("Bad Knee", 2, -1, "on stairs"),),
        elements=("hums when he is worried",),
        protection=(Protection("leather apron", static=2),),
        description="A smith who went on the road when the mill took his stream.",
    ),
    "Sister Alcuin": Sheet(
        statistics={"observation": 13, "power": 13},
        skills=(Skill("Old Tongues", "exceptional", 2, 3), Skill("Physic", "difficult", 1, 3)),
        special_abilities=(
            Skill("Light of the Saints", "difficult", 1, 3, facet="multiplier", magnitude="power", power_cost=2),
        ),
        disadvantages=(Advantage("Cannot Tell a Lie", 3),),
        elements=("a lantern that is never lit", "ink on her fingers"),
        protection=(Protection("shining mantle", bought="Light of the Saints"),),
        description="A scholar of a small order, sent out with one question and no money.",
    ),
    "Captain Vosk": Sheet(
        character="regular",
        statistics={"strength": 12, "agility": 11, "hit-points": 15, "reaction": 11},
        skills=(
            Skill("Sabre", "intermediate", 0, 4, script=("cut", "parry", "cut")),
            Skill("Tactics", "difficult", 1, 4, scope="squad"),
        ),
        disadvantages=(Advantage("Proud", 2),),
        protection=(Protection("breastplate", static=3),),
        description="Commands the toll bridge, and believes that it commands the realm.",
    ),
}
