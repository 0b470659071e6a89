"""What people at the table call the fields of a state and the words in them, what matters most first; whom a field,
or a step of a derivation, names.
"""

from __future__ import annotations

from collections.abc import Mapping

LABELS: Mapping[str, str] = {
    "house": "House",
    "damage": "Damage",
    "physique": "Physique now",
    "dead": "Dead",
    "dying": "Dying",
    "terminal": "Terminally hurt",
    "collapsed": "Collapsed",
    "exhausted": "Exhausted",
    "recovering": "Recovering",
    "primary": "Primary Identity",
    "minute": "Recovered last in minute",
    "body": "Body",
    "status": "Social status",
    "power_expertise": "Power",
    "ap_imposed": "Action Points are forced on it",
    "physique_loss": "Physique lost to wounds",
    "beauty_temp": "Beauty hurt for a time",
    "npc": "Played by the game master",
    "sex": "Sex",
    "age": "Age",
    "identity": "Identities",
    "chosen": "Attributes as chosen",
    "lowered": "Attributes as they came out",
    "power": "Features of the Power",
    "unnatural": "Unnatural features",
    "picks": "Expertise picked",
    "wound_threshold": "Wounds from",
    "refreshes": "Refreshed in minutes",
    "played": "Sessions played",
    "used": "Features used",
    "awarded": "Awards",
    "sessions_closed": "Sessions so far",
    "last_session": "Last session",
    "clock": "Minute of the clock",
    "tn": "Target number",
    "ap": "Action Points",
    "of": "Whose",
    "step1": "From the Identity",
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
