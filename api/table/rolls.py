"""Draw dice as SVG, each in its own shape, and a tick or a cross for the result. The style sheet colours them."""

from __future__ import annotations

from markupsafe import Markup, escape

from api.table.client import Json
from ledger.application import json_form
from ledger.errors import LedgerError
from ledger.rules import systems
from ledger.rules.kernel.phrases import listed
from ledger.rules.kernel.thrown import list_typed_faces

#: The outline of a die and the vertical position of its number, by the number of sides. Other dice are squares.
SHAPES: dict[int | None, tuple[str, int]] = {
    2: ("M20 3a17 17 0 1 0 .01 0z", 26),
    4: ("M20 3 38 35H2z", 31),
    6: ("M9 4h22a5 5 0 0 1 5 5v22a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5V9a5 5 0 0 1 5-5z", 26),
    8: ("M20 2 38 20 20 38 2 20z", 26),
    10: ("M20 2 38 16 33 27 20 38 7 27 2 16z", 25),
    12: ("M20 2 37 14 31 35H9L3 14z", 27),
    20: ("M20 2 36 11V29L20 38 4 29V11z", 26),
}
PLAIN = SHAPES[6]
#: The CSS class of a die that counts or fails. Screen readers read out the same word.
MARKED: dict[object, str] = {True: " counts", False: " fails"}
SPOKEN: dict[object, str] = {True: ", counts", False: ", does not count"}
BOUND_WORDS = {"at-least": "or more", "at-most": "or less"}
TICK, CROSS = "M4 12.5 9.5 18 20 6", "M5 5 19 19M19 5 5 19"


def draw_die(die: Json) -> Markup:
    """Return the drawing of a die. `die` has `sides` and `face`, and in some rolls `counts` and `name`."""
    sides, face = die.get("sides"), die["face"]
    outline, text_y = SHAPES.get(sides, PLAIN)
    mark_class = MARKED.get(die.get("counts"), "")
    return Markup(
        f'<svg class="d{mark_class}" viewBox="0 0 40 40" role="img" aria-label="{escape(_word_die(die))}">'
        f'<path d="{outline}"/><text x="20" y="{text_y}">{face}</text></svg>'
    )


def draw_shape(sides: int, figure: str | None = None) -> Markup:
    """Return an unrolled die, with its highest number or `figure`. It has no label, because the text beside it names
    the die.
    """
    outline, text_y = SHAPES.get(sides, PLAIN)
    return Markup(
        f'<svg class="d" viewBox="0 0 40 40" aria-hidden="true"><path d="{outline}"/>'
        f'<text x="20" y="{text_y}">{escape(sides if figure is None else figure)}</text></svg>'
    )


def _word_die(die: Json) -> str:
    """Return the die in words: "8 on a D8 (Smooth Talker), counts"."""
    sides, name = die.get("sides"), die.get("name")
    text = f"{die['face']} on a D{sides}" if sides else str(die["face"])
    text += f" ({name})" if name else ""
    return text + SPOKEN.get(die.get("counts"), "")


def draw_mark(success: bool) -> Markup:
    """Return a tick or a cross. It has no label, because a word beside it says the same."""
    return Markup(
        f'<svg class="tick" viewBox="0 0 24 24" aria-hidden="true"><path d="{TICK if success else CROSS}"/></svg>'
    )


def word_against(roll: Json) -> str:
    """Return the numbers of a roll in words: "8 against 2", "4 or less", "Target 4". Return "" if the roll has none."""
    total, target = roll["total"], roll["target"]
    if total is not None and target is not None:
        return f"{total} against {target}"
    if target is not None:
        return f"{target} {BOUND_WORDS[roll['bound']]}" if roll["bound"] else f"Target {target}"
    return f"Total {total}" if total is not None else ""


def describe_who_entered(ruling: Json, *, also_answers: bool = True) -> str:
    """Return a sentence that says who entered the ruling's dice, or "" if nobody entered any."""
    answers_and_contents = [
        (answer, contents) for answer in ruling["answers"] for contents in answer["answer"].values()
    ]
    dice_answers = [(answer, contents) for answer, contents in answers_and_contents if "faces" in contents]
    names = [
        answer["by"]["name"] for answer, contents in dice_answers if contents["source"] != "ledger" and also_answers
    ]
    names += [ruling["by"]["name"]] if _has_typed_dice(ruling) else []
    if not ruling["rolls"] or not names:
        return ""
    has_ledger_rolls = any(contents["source"] == "ledger" for _, contents in dice_answers)
    opening = "Some were rolled" if has_ledger_rolls else "Rolled"
    return f"{opening} at the table, entered by {listed(dict.fromkeys(names))}."


def _has_typed_dice(ruling: Json) -> bool:
    """Return whether the visible part of the declaration contains dice."""
    game_names = (fact["kind"].partition(".")[0] for fact in ruling["facts"])
    ruleset = next((systems()[name] for name in game_names if name in systems()), None)
    if ruleset is None or ruling["declared"] is None:
        return False
    try:
        declaration = json_form.declaration_from_json(ruleset, ruling["declared"], ruling["edition"])
    except LedgerError:  # the reader may not see all of it
        return False
    return bool(list_typed_faces(declaration))
