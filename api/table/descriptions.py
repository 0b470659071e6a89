"""Turn the descriptions in schemas into descriptions for people."""

from __future__ import annotations

import re
from collections.abc import Callable

from api.table.client import Json
from api.table.words import to_plain_words

LEFT_OUT = re.compile(r"Default: `([^`]*)`\.")
_CODE = re.compile(r"`(\w+)`")
_FIRST = re.compile(r"(?:^|(?<=[.!?] ))`([a-z]\w*)`")  # a sentence begins with it
_KEBAB = re.compile(r"`([a-z]\w*(?:[-:][a-z]\w*)+)`")
_SENTENCE = re.compile(r"\S.*?(?:[.!?](?=\s|$)|$)", re.DOTALL)
_OF_FIELDS = re.compile(r"((?:`\w+`(?:, and |, | and ))*`\w+`): ")


def write_hint(
    field_schema: Json, *, with_default: bool = True, is_picked: bool = False, name_word: Callable[[str], str] = str
) -> str:
    """Return a hint for a field, made from its description.

    `with_default`: include the default. `is_picked`: the value is picked from a list, so the hint does not say how to
    write it. `name_word`: a function that returns the name of a word of the game.
    """
    text = str(field_schema.get("description", ""))
    if text.startswith("The id of") or ("`" in text and "id of" in text):
        return ""
    text = LEFT_OUT.sub(lambda match: _write_default(match, name_word) if with_default else "", text)
    return replace_code(
        text if not is_picked else " ".join(sentence for sentence in _SENTENCE.findall(text) if "`" not in sentence)
    )


def replace_code(text: str) -> str:
    """Return the text with ordinary words in place of the names in backticks."""
    text = _FIRST.sub(lambda match: to_plain_words(match[1]), text)
    text = _KEBAB.sub(lambda match: f"“{to_plain_words(match[1])}”", text)
    return _CODE.sub(lambda match: match[1].replace("_", " "), text).replace("`", "").strip()


def _write_default(match: re.Match[str], name_word: Callable[[str], str]) -> str:
    default = match[1].strip('"')
    if default in ("", "null", "false", "true") or default[0] in "[{":
        return ""
    return f"Default: {default if default == match[1] else name_word(default)}."


def find_first_sentence(description: str) -> str:
    """Return the first sentence of a declaration's description."""
    return next(iter(_SENTENCE.findall(split_description(description)[0])), "")


def split_description(description: str) -> tuple[str, dict[str, str]]:
    """Return a declaration's description without its hints, and the hint for each field.

    In the description, a hint follows the names of its fields: "`weapon`, `armour`: its worth".
    """
    first, *parts = _OF_FIELDS.split(" ".join(description.split()))
    hints: dict[str, str] = {}
    for names, hint in zip(parts[::2], parts[1::2], strict=True):
        hint = replace_code(hint.strip(" ;,"))  # noqa: PLW2901
        hints |= {name: hint[:1].upper() + hint[1:] for name in _CODE.findall(names)}
    return replace_code(first), hints
