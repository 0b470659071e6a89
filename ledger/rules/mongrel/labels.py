"""What people at the table call the fields of a state and the words in them, what matters most first; whom a field,
or a step of a derivation, names.
"""

from __future__ import annotations

from collections.abc import Mapping

LABELS: Mapping[str, str] = {
    "house": "House",
    "damage": "Damage",
    "physique": "Current Physique",
    "dead": "Dead",
    "dying": "Dying",
    "terminal": "In the terminal stage",
    "collapsed": "Collapsed",
    "exhausted": "Exhausted",
    "recovering": "Recovering",
    "primary": "Primary Identity",
    "minute": "Minute of the last recovery",
    "body": "Body",
    "status": "Status in the House",
    "power_expertise": "Power",
    "ap_imposed": "Temporary Action Point maximum",
    "physique_loss": "Physique lost to wounds",
    "beauty_temp": "Beauty lost temporarily",
    "npc": "Played by the game master",
    "sex": "Sex",
    "age": "Age",
    "identity": "Identities",
    "chosen": "Attributes as chosen",
    "lowered": "Attributes after lowering",
    "power": "Options of the Power",
    "unnatural": "Unnatural features",
    "picks": "Expertises picked",
    "wound_threshold": "Wound Threshold",
    "refreshes": "Minutes of the last refreshes",
    "played": "Sessions played",
    "used": "Features used",
    "awarded": "Awards",
    "sessions_closed": "Sessions so far",
    "last_session": "Last session",
    "clock": "Clock (minute)",
    "tn": "Target number",
    "ap": "Action Points",
    "of": "Owner",
    "step1": "Primary Identity",
    "cp": "Character points",
}
REFERS: Mapping[str, str] = {
    "participants": "character", "queue": "character", "target": "character", "last_session": "session",
}  # fmt: skip
STEPS: Mapping[str, str] = {
    "of": "character", "before": "character", "session": "session", "ruling": "ruling",
    "mongrel.conflict.queue": "character", "mongrel.conflict.order": "character",
    "mongrel.conflict.front": "character", "mongrel.cp.session": "character",
}  # fmt: skip
