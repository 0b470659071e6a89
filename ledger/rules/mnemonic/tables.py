"""The two ladders of the rule book. A row is (name, number), from low to high."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from ledger.rules.kernel.domains import Between, Prose
from ledger.rules.mnemonic.terms import Preset

#: A rating or a chance, and its number.
Row: TypeAlias = tuple[str, int]
Ladder: TypeAlias = tuple[Row, ...]
#: A ladder as it was sent: not yet found to be one.
Rows: TypeAlias = tuple[tuple[Annotated[object, Prose(200)], Annotated[object, Between()]], ...]

#: `seven`: Moderately and Fairly are printed as 3 and 4; the rest continues them up to six.
SEVEN: Ladder = (
    ("Not at All", 0),
    ("Not Very", 1),
    ("Somewhat", 2),
    ("Moderately", 3),
    ("Fairly", 4),
    ("Very", 5),
    ("Extremely", 6),
)

#: `tied`: Very counts as Fairly does, which keeps both Aptitudes printed in the examples.
TIED: Ladder = tuple((name, 4) if name == "Very" else (name, number) for name, number in SEVEN)

#: Bad, Poor and Fair are the document's.
CHANCES: Ladder = (
    ("Terrible", -6),
    ("Bad", -4),
    ("Poor", -2),
    ("Even", 0),
    ("Fair", 3),
    ("Good", 5),
    ("Excellent", 7),
)

#: Ratings of script immunity suggested for a part in the story; extras go down to the last.
PRESETS: dict[Preset, tuple[str, ...]] = {
    "player_character": ("Very", "Extremely"),
    "major_villain": ("Very", "Extremely"),
    "henchman": ("Moderately",),
    "friend_or_family": ("Moderately",),
    "extra": ("Not at All", "Not Very", "Somewhat"),
}

#: Where a ladder has no own "Moderate", the word means Moderately.
MODERATE, MODERATELY = "moderate", "moderately"

#: A die, a card or a voice gives 1 to 12.
HIGHEST = 12
RANKS: dict[str, int] = {
    "a": 1,
    "ace": 1,
    **{str(number): number for number in range(2, 11)},
    "j": 11,
    "jack": 11,
    "q": 12,
    "queen": 12,
}
KINGS = frozenset({"k", "king"})
SUITS: tuple[str, ...] = ("clubs", "diamonds", "hearts", "spades")
#: The pack that is drawn from when the ledger draws. A king would be drawn again, so none is in it.
PACK: tuple[str, ...] = tuple(
    f"{rank} of {suit}" for suit in SUITS for rank in ("A", *map(str, range(2, 11)), "J", "Q")
)
