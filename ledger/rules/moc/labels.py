"""What people at the table call the fields of a state and the words in them, what matters most first; whom a field,
or a step of a derivation, names.
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.moc.sayings import CHARACTERISTICS, card
from ledger.rules.moc.terms import DECK

LABELS: Mapping[str, str] = {
    "declare-action": "Declare action",
    "roll-initiative": "Roll initiative",
    "score-hit": "Score a hit",
    "status": "Status",
    "archetype": "Archetype",
    "damage": "Damage",
    "pain": "Pain",
    "fatigue": "Fatigue",
    "dazed": "Dazed",
    "dodge": "Dodge",
    "turn": "Turn",
    "phase": "Phase",
    "pain_capacity": "Pain capacity",
    "daze_limit": "Daze limit",
    "earned": "Points earned",
    "budget": "Starting points",
    "drawn": "Cards drawn",
    "shown": "Cards that everybody has seen",
    "allocated": "Beads allocated",
    "may_allocate": "Can still allocate beads",
    "asked": "Beads allocated by default",
    "due": "Recovery steps left",
    "counts": "Purchases",
    "heir_of": "Heir of",
    "harmed_by": "Last harmed by",
    "tn": "Target number",
    "ag": "Target numbers by AG",
    "arc": "Arc",
    "arc_name": "Name of the arc",
    "tallied": "Nominations counted",
    "others": "Other characteristics",
    **CHARACTERISTICS,
    "ask_cards": "Ask for cards after the roll",
    "coming": "For the next initiative roll",
    "waive": "Go on after a failure",
    "half": "Takes half an action",
    "half_defence": "Defends with half the dice",
    "resistible": "Damage that can be resisted",
    "unresistible": "Damage that cannot be resisted",
    "one": "A 1 among the dice",
    "of": "Of what",
    **{one: card(one)[:1].upper() + card(one)[1:] for one in DECK},
}
REFERS: Mapping[str, str] = {
    "others": "word", "order": "character", "heir_of": "character", "attacker": "character",
    "target": "character", "owner": "character", "last_session": "session", "tallied": "session", "plays": "character",
    "faces": "character", "bonus": "character", "dice": "character", "answered": "character", "actor": "character",
    "waiting": "character", "targets": "character", "acted_scene": "scene",
    "harmed_by": "id", "play": "id", "by": "character", "card": "word", "cards": "word", "drawn": "word",
    "kept": "word", "hand": "word", "pool": "word", "shown": "word",
}  # fmt: skip
STEPS: Mapping[str, str] = {
    "change": "id", "play": "id", "moc.trump.order": "id", "moc.story.action-beads": "id",
}  # fmt: skip
