"""What is kept of a type is kept of that very one: of types that equal each other the order may differ. Pure."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest

from ledger.rules.kernel.domains import Prose, Ref, open_hint
from ledger.rules.kernel.json_types import Misshapen, convert
from ledger.rules.kernel.phrases import word_value
from ledger.rules.kernel.subjects import Subject

NEAR, FAR = Literal["near", "far"], Literal["far", "near"]
IN_ORDER: Any = tuple[int, ...] | frozenset[int]
IN_NO_ORDER: Any = frozenset[int] | tuple[int, ...]
WHO: Any = Annotated[str, Ref("character")] | Annotated[str, Prose()]
WORDS: Any = Annotated[str, Prose()] | Annotated[str, Ref("character")]


class Names:
    def name(self, subject: Subject) -> str:
        return f"<{subject.id}>"


def test_they_are_taken_for_one_type():
    assert NEAR == FAR and IN_ORDER == IN_NO_ORDER and WHO == WORDS


def test_choices_are_named_in_the_order_of_their_type():
    for words, said in ((NEAR, "'near', 'far'"), (FAR, "'far', 'near'")):
        with pytest.raises(Misshapen, match=said):
            convert("there", words)


def test_the_first_of_several_types_counts():
    assert convert([1], IN_ORDER) == (1,) and convert([1], IN_NO_ORDER) == frozenset({1})
    assert word_value("1", WHO, Names()) == "<1>" and word_value("1", WORDS, Names()) == "1"
    assert open_hint(WHO)[3] == tuple(reversed(open_hint(WORDS)[3]))
