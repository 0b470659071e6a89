"""What a version showed: to each seat what stands, and of an answer what the rules said."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any

from tests.api.table import Json, Player

CAMPAIGN = ("name", "system", "dials", "seats", "characters", "session", "sessions", "scenes", "state", "balances")
RULING = ("number", "status", "revision", "declared", "facts", "because")
#: Fields that a later version added to what is shown, as patterns of paths (`s1/scenes/*/state/weather`). All else
#: that was not there, or is there no longer, is a difference.
ADDED: tuple[str, ...] = (
    "*/campaign/dials/consent",  # the kernel's own: as if it had always been there, asking nobody
    "*/campaign/dials/consent_hours",
    "*/campaign/dials/forced_steps",  # as if it had always been there: every step is declared
    "*/campaign/seats/*/holds",
    # what an open attack comes to (Levels of Intensity)
    "*/state/round/attack/attack_value",
    "*/state/round/attack/defence_value",
    "*/state/round/attack/rating",
    "*/state/round/attack/allowed",
    "*/state/resolutions/*/held",  # who wants a Challenge or a Benefit first (Scattershot)
    # the impact that a bargain includes (Levels of Intensity)
    "*/declared/impact",
    "*/declared/trait",
    # what a check was ruled under and whom it injured; the scenes closed last (Mnemonic)
    "*/state/checks/*/injured",
    "*/state/checks/*/readings",
    "*/state/checks/*/recovered",
    "*/campaign/state/left",
    "*/campaign/state/late",
    "*/state/actions/*/injured",
    "*/facts/*/fact/character",  # of an action that needs no roll
    # the roll that a decision about a check rests on (Mnemonic)
    "*/facts/*/fact/ruling",
    "*/facts/*/fact/rolled",
    "*/facts/*/fact/rolled/ruling",
    "*/facts/*/fact/rolled/entered",
    "*/facts/*/fact/result",
    "*/facts/*/fact/result/rolled",
    "*/facts/*/fact/at_once",
    "*/facts/*/fact/actor",  # of a reported roll (Scattershot)
    # the check that treated an injury (Mnemonic)
    "*/facts/*/fact/treated_by",
    "*/facts/*/fact/seen_successes",
    "*/facts/*/fact/seen_failures",
    "*/state/recoveries/*/treated_by",
    "*/state/recoveries/*/seen_*",
    "*/state/recoveries/*/rolled",
    "*/declared/treated_by",
    "*/facts/*/fact/face",  # of the die that chose a hit location (Moment of Clarity)
    # the attack that hit (Moment of Clarity)
    "*/scenes/*/state/hits/*/action",
    "*/scenes/*/state/hits/*/part",
    "*/facts/*/fact/what/action",
    "*/facts/*/fact/what/part",
    # what moves are made of, known to all: awards, pools of beads, who inherits, dice that fell (Moment of Clarity)
    "*/campaign/state/last_session",
    "*/scenes/*/state/answered",
    *(
        f"*/characters/*/state/{name}"
        for name in (
            "asked",
            "drawn",
            "gained",
            "harmed_by",
            "heir_of",
            "left",
            "pools",
        )
    ),
    # whether numbers of a player are proposals (Mongrel)
    "*/campaign/dials/player_numbers",
    "*/campaign/dials/collapsed_may_speak",
    "*/campaign/dials/dealings_in_conflict",
    "*/campaign/dials/player_tasks",
    "*/campaign/dials/dice_before_defence",
    "*/campaign/dials/dramatic.seen_by_gm",  # whether game masters who only play see ratings (Mnemonic)
    "*/campaign/state/clock",  # the minute of the fictional clock (Mongrel)
    "*/campaign/state/shown",  # cards that everybody has seen in this session (Moment of Clarity)
    # a turn's action, half defence, days that healed, how a roll moves, its Bits (Moment of Clarity)
    "*/campaign/dials/turn_actions",
    *(
        f"*/characters/*/state/{name}"
        for name in (
            "acted_halves",
            "acted_scene",
            "acted_turn",
            "half_defence",
            "healing_days",
        )
    ),
    "*/scenes/*/state/actions/*/parts/*/bits",
    "*/scenes/*/state/actions/*/parts/*/mode",
    "*/facts/*/fact/what/parts/*/bits",
    "*/facts/*/fact/what/parts/*/roll/mode",
    "*/scenes/*/state/arts",
    *(f"*/characters/*/state/traits/*/{name}" for name in ("does", "number", "of")),
    "*/declared/half",
    "*/declared/mode",
    "*/declared/half_defence",
    "*/characters/*/state/minute",  # of the campaign's clock, when somebody recovered last (Mongrel)
    "*/scenes/*/state/actions/*/tired",
    # whether dice are rolled at once, what is attacked with, and who is attacked (Moment of Clarity)
    *(f"*/{where}/{name}" for where in ("state/actions/*", "fact/what", "declared") for name in ("at_once", "weapon")),
    *(f"*/{where}/defender" for where in ("state/actions/*", "fact/what")),
    "*/scenes/*/state/actions/*/fallen",
    # how long somebody is out, in words; several traits (Intensity)
    "*/characters/*/state/out_for",
    "*/facts/*/fact/out_for",
    "*/uses/*/out_for",
    "*/uses/*/mutilations",
    "*/declared/at_once/out_for",
    "*/declared/at_once/mutilations",
    "*/declared/pairs",  # pairs in conflict that a game master adds at a healing moment (Intensity)
    "*/scenes/*/state/resolutions/*/text",  # what was said that is tried, as the ruling tells it (Scattershot)
    # listed weapons and uses of abilities, what the Group agreed on, the Expectation a Payback names (Scattershot)
    "*/campaign/dials/weapon-numbers",
    "*/campaign/state/agreements",
    "*/campaign/state/uses",
    "*/campaign/state/weapons",
    "*/declared/ability_type",
    "*/declared/use",
    "*/declared/script",
    "*/declared/expectation",
)


#: Dials whose default a later edition changed.
CHANGED = ("*/campaign/dials/resist.life_role_floor",)  # the referee's choice of a Role stands (Mnemonic)


def shown(player: Player) -> Json:
    """Characters, scenes, balances, findings and what waits, as far as this seat may see.

    Of rulings all that is said to the game master; to others which there are.
    """
    campaign = player.look()
    seen: Json = {"campaign": _of(campaign, CAMPAIGN)}
    for kind in ("characters", "scenes"):
        each = {one["id"]: player.look(f"/{kind}/{one['id']}") for one in campaign[kind]}
        seen[kind] = {id: _of(one, ("state", "balances", "adrift")) for id, one in each.items()}
    seen["accounts"] = {one["account"]: one["balance"] for one in player.look("/accounts")["accounts"]}
    seen["findings"] = [
        _of(one, ("id", "kind", "cause", "ruling", "settled")) for one in player.look("/findings")["findings"]
    ]
    seen["waiting"] = [one["id"] for one in player.look("/waiting")["waiting"]]
    rulings = player.look("/rulings", limit=500)["rulings"]
    whole = player.id == "s1"
    seen["rulings"] = {str(one["number"]): outline(one) if whole else one["status"] for one in rulings}
    return seen


def outline(document: Json) -> Json:
    """Of a ruling: the facts with what they moved, and the steps that led there, without sentences."""
    told = _of(document, RULING)
    told["facts"] = [_of(one, ("subject", "kind", "fact", "postings", "struck")) for one in told.get("facts") or ()]
    told["because"] = [_of(one, ("rule", "given", "out")) for one in told.get("because", ())]
    return told


def _of(document: Json, names: tuple[str, ...]) -> Json:
    return {name: document[name] for name in names if name in document}


def differences(then: Any, now: Any, where: str = "") -> Iterator[str]:
    """A sentence for each place where the one is not the other."""
    if isinstance(then, dict) and isinstance(now, dict):
        for name in sorted({*then, *now}):
            path = f"{where}/{name}".removeprefix("/")
            if name not in now:
                yield f"{path}: was {then[name]!r}, is there no longer"
            elif name in then:
                yield from differences(then[name], now[name], path)
            elif not any(fnmatchcase(path, one) for one in ADDED):
                yield f"{path}: was not there, is {now[name]!r}"
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for place, (one, other) in enumerate(zip(then, now, strict=True)):
            yield from differences(one, other, f"{where}/{place}")
    elif then != now and not any(fnmatchcase(where, pattern) for pattern in CHANGED):
        yield f"{where}: was {then!r}, is {now!r}"
