"""What people at the table call the fields of a state and the words in them, what matters most first; whom a field,
or a step of a derivation, names.
"""

from __future__ import annotations

from collections.abc import Mapping

LABELS: Mapping[str, str] = {
    "declare-action": "Declare action",
    "primary_role": "Primary Role",
    "kind": "Kind",
    "player_character": "Player Character",
    "non_player_character": "Non-Player Character",
    "resist_talent": "Talent that resists injuries",
    "sessions": "Sessions played",
    "session": "Last session",
    "status": "Status",
    "word": "Word",
    "recovery_rate": "Rate of recovery",
    "ratings": "Ratings",
    "number": "Number",
    "life": "Life Role",
    "talent": "Talent",
    "drifted": "Ratings that changed",
    "left": "Scenes closed most recently",
    "late": "Later rulings in closed scenes",
    "preview": "Possible results, by Aptitude",
    "importances": "Script immunity by check",
    "ref": "Ruling",
}
REFERS: Mapping[str, str] = {
    "kind": "word", "referee": "seat", "left": "scene", "late": "ruling", "order": "character", "injured": "character",
    "known_to": "character", "seen_by": "audience", "open_to": "audience",
}  # fmt: skip
STEPS: Mapping[str, str] = {
    "check": "id", "injury": "id", "action": "id", "assigned": "id", "mnemonic.feather.assign": "id",
    "mnemonic.injury.check": "id", "mnemonic.ruling.order": "character",
    "mnemonic.ruling.authority": "seat",
}  # fmt: skip
