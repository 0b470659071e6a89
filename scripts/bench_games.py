"""Endless play for measuring: each game's most common exchange, over and over, with typed dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator

Json = dict[str, object]
#: Declares an input as JSON, optionally with a list of answers. Returns the number of the ruling, which is also the id
#: of the subject that the ruling created.
Declare = Callable[..., str]
Exchange = Callable[[Declare], Iterator[None]]


def play_intensity(declare: Declare) -> Iterator[None]:
    """Play two characters: rounds of two attacks with their defences, and a new scene every fifth round."""
    sheet = {"kind": "main", "traits": [{"name": n, "base": d} for n, d in (("Bold", 10), ("Quick", 8), ("Sly", 8))]}
    first_id = declare({"kind": "enrol", "name": "Ada", "seat": "s1", "sheet": sheet})
    second_id = declare({"kind": "enrol", "name": "Bo", "seat": "s1", "sheet": sheet})
    yield
    day = 0
    while True:
        scene = declare({"kind": "open-scene", "title": "A quarrel", "cast": [first_id, second_id]})
        yield
        for impact in ("damage", "tax", "tax", "tax", "tax"):
            yield from _play_round(declare, first_id, second_id, impact)
        declare({"kind": "close-scene", "scene": scene})
        yield
        day += 1
        choices = [{"char": second_id, "heal": "damage", "trait": "Quick"}]
        declare({"kind": "healing-moment", "day": day, "fiction": "a night's sleep", "choices": choices})
        yield


def _play_round(declare: Declare, first_id: str, second_id: str, impact: str) -> Iterator[None]:
    steps: list[Json] = [
        {"kind": "open-round", "participants": [first_id, second_id]},
        {"kind": "declare", "char": first_id, "target": second_id, "level": "passionate", "trait": "Bold"},
        {"kind": "declare", "char": second_id, "target": first_id, "level": "invested", "trait": "Quick"},
        {
            "kind": "roll",
            "faces": [{"char": first_id, "intensity": 9, "trait": 4}, {"char": second_id, "intensity": 5, "trait": 6}],
        },
        {"kind": "attack", "char": first_id},
        {"kind": "defend", "dice": [{"die": "intensity", "face": 3}]},
        {"kind": "resolve"},
        {"kind": "choose-impact", "impact": impact, "trait": "Sly" if impact == "tax" else "Quick"},
        {"kind": "attack", "char": second_id},
        {"kind": "defend", "dice": [{"die": "intensity", "face": 8}, {"die": "trait", "face": 2}]},
        {"kind": "resolve"},
        {"kind": "close-round"},
    ]
    for step in steps:
        declare(step)
        yield


def play_mnemonic(declare: Declare) -> Iterator[None]:
    """Play scenes of ten actions: a character acts, the referee asks for a check, and the player rolls."""
    character_id = declare({"kind": "enrol", "name": "Andrea", "seat": "s1", "sheet": {"primary_role": "Deputy"}})
    yield
    declare(
        {"kind": "rate-trait", "character": character_id, "trait": "Quick", "trait_kind": "talent", "rating": "Fairly"}
    )
    yield
    while True:
        scene = declare({"kind": "open-scene", "title": "A chase"})
        yield
        for face in (1, 4, 7, 2, 9, 5, 8, 3, 6, 4):
            action = declare({"kind": "declare-action", "character": character_id, "text": "Over the fence"})
            yield
            traits = [{"kind": "talent", "name": "Quick"}, {"kind": "primary"}]
            check_declaration = {
                "kind": "rule-check",
                "character": character_id,
                "traits": traits,
                "chances": "Even",
                "action": action,
            }
            check = declare(check_declaration)
            yield
            declare({"kind": "enter-roll", "check": check, "numbers": [face]})
            yield
        declare({"kind": "close-scene", "scene": scene})
        yield


#: Vooruk and Giazza, from the source.
_VOORUK: Json = {
    "house": "mekag",
    "man": 1,
    "beast": 4,
    "demon": 1,
    "primary": "beast",
    "body": "quadruped",
    "sex": "male",
    "age": "old",
    "attributes": {"size": 5, "spirit": 3, "physique": 7, "beauty": 1, "speed": 3, "social": 5},
    "plus_three": ["athletics", "rend"],
    "plus_two": ["threaten", "balance"],
    "plus_one": ["resist", "sense"],
    "power": {"animal_legs": 1},
}
GIAZZA: Json = {
    "house": "nuin",
    "man": 5,
    "beast": 1,
    "demon": 0,
    "primary": "man",
    "body": "human",
    "sex": "male",
    "age": "adult",
    "attributes": {"size": 4, "spirit": 4, "physique": 6, "beauty": 2, "speed": 4, "social": 4},
    "plus_three": ["melee", "bureaucrat"],
    "plus_two": ["sense", "athletics"],
    "plus_one": ["lie", "balance"],
    "power": {"implanted_weapon": 1},
}


def play_mongrel(declare: Declare) -> Iterator[None]:
    """Play a task, a conflict of two rounds with defences and shunts, and the return of Action Points. Then the wounds
    heal."""
    first_id = declare({"kind": "enrol", "name": "Vooruk", "seat": "s1", "sheet": _VOORUK})
    yield
    second_id = declare({"kind": "enrol", "name": "Giazza", "seat": "s1", "sheet": GIAZZA})
    yield
    minute = 0
    while True:
        scene = declare({"kind": "open-scene", "title": "A cellar", "cast": [first_id, second_id]})
        yield
        task = {"kind": "roll-task", "actor": second_id, "expertise": "lie", "side": "target", "attribute": "social"}
        declare({**task, "target": first_id}, [_make_dice(6)])
        yield
        declare({"kind": "open-conflict", "participants": [first_id, second_id]})
        yield
        for _ in range(2):
            yield from _play_exchange(declare, first_id, second_id)
        minute += 30
        steps: list[Json] = [
            {"kind": "recover", "character": first_id, "minute": minute},
            {"kind": "recover", "character": second_id, "minute": minute},
            {"kind": "close-conflict"},
            {"kind": "heal", "character": first_id, "damage": 4, "reason": "a night's sleep"},
            {"kind": "heal", "character": second_id, "damage": 4, "reason": "a night's sleep"},
            {"kind": "close-scene", "scene": scene},
        ]
        for step in steps:
            declare(step)
            yield


def _play_exchange(declare: Declare, first_id: str, second_id: str) -> Iterator[None]:
    """Play an attack by each character, with the other's reaction, and a leap by each character."""
    shunt: Json = {"choice": {"kind": "shunt", "points": 0}}
    rend = {
        "kind": "attack",
        "actor": first_id,
        "target": second_id,
        "expertise": "rend",
        "attribute": "physique",
        "armour": 3,
    }
    declare(rend, [{"choice": {"kind": "defend"}}, _make_dice(6, 3, 2, 1), shunt])
    yield
    melee = {
        "kind": "attack",
        "actor": second_id,
        "target": first_id,
        "expertise": "melee",
        "attribute": "physique",
        "armour": 7,
    }
    declare(melee, [{"choice": {"kind": "stand"}}, _make_dice(1, 2, 6, 3), shunt])
    yield
    for character_id in (first_id, second_id):
        leap = {"kind": "act", "actor": character_id, "expertise": "athletics", "attribute": "speed"}
        declare(leap, [_make_dice(3, 5, 2, 6) if character_id == first_id else _make_dice(4, 1, 6)])
        yield


def _make_dice(*faces: int) -> Json:
    return {"dice": {"sides": 6, "faces": list(faces)}}


def play_moc(declare: Declare) -> Iterator[None]:
    """Play scenes of three shots with dodges, hits, damage and leaps. After each scene, the pain is removed."""
    sheet: Json = {"archetype": "hero", "characteristics": {"body": 4, "Sp": 2}, "skills": {"Firearms": 2}}
    first_id = declare({"kind": "enrol", "name": "Harry", "seat": "s1", "sheet": sheet})
    yield
    second_id = declare(
        {"kind": "enrol", "name": "Santana", "seat": "s1", "sheet": {**sheet, "archetype": "architect"}}
    )
    yield
    while True:
        for character_id in (first_id, second_id):
            declare({"kind": "allocate-beads", "character": character_id})
            yield
        scene = declare({"kind": "open-scene", "title": "A hangar", "cast": [first_id, second_id]})
        yield
        for _ in range(3):
            yield from _play_shots(declare, first_id, second_id)
        steps: list[Json] = [
            {"kind": "amend", "subject": f"character:{second_id}", "field": "pain", "value": 0, "reason": "bandaged"},
            {"kind": "close-scene", "scene": scene},
        ]
        for step in steps:
            declare(step)
            yield


def _play_shots(declare: Declare, first_id: str, second_id: str) -> Iterator[None]:
    """Play a shot with a dodge, a hit with its damage, a leap with beads, and the end of the turn."""
    shot_declaration: Json = {
        "kind": "declare-action",
        "character": first_id,
        "skill": "Firearms",
        "roll_kind": "to_hit",
    }
    dodge_declaration: Json = {"kind": "declare-action", "character": second_id, "skill": "Dodge", "roll_kind": "dodge"}
    shot = declare(shot_declaration)
    yield
    dodge = declare(dodge_declaration)
    yield
    steps: list[Json] = [
        {"kind": "roll-dice", "action": shot, "faces": [7, 8, 9, 3, 2, 5]},
        {"kind": "roll-dice", "action": dodge, "faces": [7, 7, 3, 2]},
        {"kind": "declare-successes", "action": shot, "target": second_id, "number": 3},
        {"kind": "take-off-successes", "action": shot, "target": second_id, "number": 2, "defence": dodge},
        {"kind": "resolve", "action": shot},
        {"kind": "resolve", "action": dodge},
    ]
    for step in steps:
        declare(step)
        yield
    hit = declare(
        {
            "kind": "score-hit",
            "attacker": first_id,
            "target": second_id,
            "weapon": "Club",
            "net": 1,
            "location": "torso",
        }
    )
    yield
    leap = {"kind": "declare-action", "character": first_id, "primary": "body", "text": "a leap"}
    declare({"kind": "roll-damage", "hit": hit, "faces": [6, 2]})
    yield
    declare({"kind": "resist-damage", "hit": hit, "faces": [8, 2, 3, 4]})
    yield
    task = declare(leap)
    yield
    declare({"kind": "roll-dice", "action": task, "faces": [7, 3, 2, 6]})
    yield
    declare({"kind": "play-beads", "action": task, "character": first_id, "use": "add_successes"})
    yield
    declare({"kind": "resolve", "action": task})
    yield
    declare({"kind": "end-turn"})
    yield


#: A brute, and a quicker character.
_BRUTE: Json = {"statistics": {"strength": 13, "hit-points": 30}}
_OTHER: Json = {"statistics": {"agility": 11, "hit-points": 30}}


def play_scattershot(declare: Declare) -> Iterator[None]:
    """Play a fight of two Rounds, with a blow and its parry on every Turn. Then rulings remove the wounds."""
    first_id = declare({"kind": "enrol", "name": "Bruno", "seat": "s1", "sheet": _BRUTE})
    yield
    second_id = declare({"kind": "enrol", "name": "Celia", "seat": "s1", "sheet": _OTHER})
    yield
    while True:
        scene = declare({"kind": "open-scene", "title": "A bridge", "cast": [first_id, second_id]})
        yield
        declare({"kind": "call-mechanical-play", "characters": [first_id, second_id], "scope": "squad"})
        yield
        for _ in range(2):
            for actor_id, foe_id in ((first_id, second_id), (second_id, first_id)):
                yield from _play_blow(declare, actor_id, foe_id)
            declare({"kind": "end-round"})
            yield
        steps: list[Json] = [
            {"kind": "end-mechanical-play"},
            *(
                {"kind": "restore-resource", "character": character_id, "resource": "hit-points", "amount": 30}
                for character_id in (first_id, second_id)
            ),
            {"kind": "close-scene", "scene": scene},
        ]
        for step in steps:
            declare(step)
            yield


def _play_blow(declare: Declare, actor_id: str, foe_id: str) -> Iterator[None]:
    """Play a Turn: an opposed blow, a Challenge, a Benefit and the damage."""
    declare({"kind": "start-turn", "character": actor_id})
    yield
    blow = {"kind": "declare-action", "character": actor_id, "text": "a blow", "engages": [foe_id], "nature": "attack"}
    resolution: Json = {"resolution": declare(blow)}
    yield
    steps: list[Json] = [
        {
            "kind": "answer-engagement",
            **resolution,
            "character": foe_id,
            "oppose": {"text": "parry", "rating": "agility"},
        },
        {"kind": "close-opportunity", **resolution},
        {"kind": "roll-mib", **resolution, "faces": [3, 4]},
        {"kind": "roll-mib", **resolution, "roll": foe_id, "faces": [5, 6]},
        {"kind": "close-decision", **resolution},
        {"kind": "take-challenge", **resolution, "challenge": "time"},
        {"kind": "take-benefit", **resolution, "benefit": "Quantity"},
        {"kind": "reach-outcome", **resolution},
        {"kind": "choose-results", **resolution, "results": [{"result": "damage"}]},
        {"kind": "end-turn", "character": actor_id},
    ]
    for step in steps:
        declare(step)
        yield


GAMES: dict[str, Exchange] = {
    "intensity": play_intensity,
    "mnemonic": play_mnemonic,
    "mongrel": play_mongrel,
    "scattershot": play_scattershot,
    "moc": play_moc,
}


def play_scenes(declare: Declare) -> Iterator[None]:
    """Open and close scenes. In every game, many clients can do this at one table at once."""
    while True:
        scene = declare({"kind": "open-scene", "title": "A hall"})
        yield
        declare({"kind": "close-scene", "scene": scene})
        yield


def find_first_enrolment(game: str) -> Json:
    """Return an enrolment for the game."""
    declarations: list[Json] = []

    def record_declaration(declaration: Json) -> str:
        declarations.append(declaration)
        return "1"

    next(GAMES[game](record_declaration))
    return next(declaration for declaration in declarations if declaration["kind"] == "enrol")
