"""Fifty mistakes that people make. What each is told stands in `tests/transcripts/mistakes.md`.

After a sentence was changed, the test writes it anew where `LEDGER_WRITE_MISTAKES` is set: read it aloud, then commit.
At each table two of the game's ready people sit (`1` and `2`), and a scene is open (`3`).
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
ATTACK: Json = {"kind": "attack", "actor": "1", "target": "2", "expertise": "Rend", "attribute": "physique"}
SHEET: Json = {"kind": "enrol", "name": "Ada", "seat": "s1"}

#: By game: what somebody did, and what they sent.
MISTAKES: dict[str, list[tuple[str, Json]]] = {
    "mongrel": [
        ("attacks outside a conflict", ATTACK),
        ("spells an Expertise wrong", {**ATTACK, "expertise": "Rendd"}),
        ("names an Expertise the character has not", {**ATTACK, "expertise": "Navigate"}),
        ("attacks somebody by name", {**ATTACK, "target": "Torrec"}),
        ("attacks somebody who is not there", {**ATTACK, "target": "77"}),
        ("attacks with a word that is no attribute", {**ATTACK, "attribute": "strength"}),
        ("leaves the target out", {name: one for name, one in ATTACK.items() if name != "target"}),
        ("calls a field by another name", {**ATTACK, "skill": "Rend"}),
        ("writes a number as a text", {**ATTACK, "power": "two"}),
        ("wants more Power than there is", {**ATTACK, "power": 40}),
        ("says a kind there is not", {"kind": "atack", "actor": "1"}),
        ("says a kind of another game", {"kind": "trade-cards", "character": "1", "target": "2"}),
        (
            "turns more Resolve into Action Points than there is",
            {"kind": "spend-resolve", "character": "1", "amount": 9},
        ),
        ("ends a conflict there is not", {"kind": "close-conflict"}),
        ("buys from a House there is not", {"kind": "purchase", "buyer": "1", "item": "a lamp", "house": "Mekaag"}),
        ("leaves the sheet empty", {**SHEET, "sheet": {}}),
    ],
    "intensity": [
        ("declares before a round is open", {"kind": "declare", "char": "1", "level": "calm"}),
        ("opens a round with one", {"kind": "open-round", "participants": ["1"]}),
        ("opens a round with the same one twice", {"kind": "open-round", "participants": ["1", "1"]}),
        ("says a level there is not", {"kind": "declare", "char": "1", "level": "angry"}),
        ("writes a level with a capital and a space", {"kind": "declare", "char": "1", "level": "Calm "}),
        ("attacks when nobody may", {"kind": "attack", "char": "1"}),
        ("chooses an impact there is not", {"kind": "choose-impact", "impact": "kill"}),
        (
            "gives a main character four traits",
            {**SHEET, "sheet": {"kind": "main", "traits": [{"name": name, "base": 8} for name in "ABCD"]}},
        ),
        (
            "gives a trait a die there is not",
            {**SHEET, "sheet": {"kind": "main", "traits": [{"name": "A", "base": 7}]}},
        ),
        ("closes a scene that is not there", {"kind": "close-scene", "scene": "9"}),
    ],
    "mnemonic": [
        (
            "rates a trait with a word there is not",
            {"kind": "rate-trait", "character": "1", "trait": "Strong", "trait_kind": "talent", "rating": "Super"},
        ),
        ("enters a roll for no check", {"kind": "enter-roll", "check": "5"}),
        ("rules a check with chances there are not", {"kind": "rule-check", "character": "1", "chances": "Fair-ish"}),
        (
            "injures nobody",
            {"kind": "rule-injury", "victim": "", "cause": "a fall", "worst": "dead", "chances": "Poor"},
        ),
        ("says a text where a list stands", {"kind": "take-part", "characters": "1"}),
        ("resolves what is not there", {"kind": "resolve", "check": "12"}),
        ("gives the referee's chair to nobody", {"kind": "seat-referee", "seat": "s9"}),
    ],
    "scattershot": [
        ("starts a turn outside mechanical play", {"kind": "start-turn", "character": "1"}),
        ("plays on before the game has begun", {"kind": "shift-mode", "mode": "mechanical"}),
        ("shifts into a mode there is not", {"kind": "shift-mode", "mode": "combat"}),
        ("uses a rating the character has not", {"kind": "use-resource", "character": "1", "rating": "Luck"}),
        ("rolls for a resolution that is not there", {"kind": "roll-mib", "resolution": "9"}),
        ("passes the word to nobody", {"kind": "pass-word", "to": "s7"}),
        ("reads the chart by a facet there is not", {"kind": "read-chart", "rating": 12, "facet": "colour"}),
        ("acts with nobody", {"kind": "declare-action", "text": "over the wall"}),
    ],
    "moc": [
        ("trades with himself", {"kind": "trade-cards", "character": "1", "target": "1"}),
        ("plays a card there is not", {"kind": "use-card", "character": "1", "card": "15S", "text": "A storm."}),
        ("sits in an Element there is not", {"kind": "use-session-bead", "character": "1", "element": "ether"}),
        ("plays a card that is not in hand", {"kind": "use-card", "character": "1", "card": "5S", "text": "A storm."}),
        ("rolls for an action that is not there", {"kind": "roll-dice", "action": "9"}),
    ],
    "any": [
        (
            "dials something there is not",
            {"kind": "set-dial", "name": "dificulty", "value": 1, "reason": "We like it."},
        ),
        ("gives no reason", {"kind": "retire", "character": "1", "reason": "  "}),
        ("hands over to nobody", {"kind": "hand-over", "character": "1", "seat": "s9"}),
        (
            "moves money from nowhere",
            {
                "kind": "adjust",
                "source": "character:1/gold",
                "target": "bank/gold",
                "unit": "gold",
                "amount": 5,
                "reason": "A gift.",
            },
        ),
        ("opens a scene without a title", {"kind": "open-scene", "title": ""}),
    ],
}
