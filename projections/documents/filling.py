"""Fill in names and rule statements, which views leave open because they may change.

The documents are bytes, as they come from the database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from ledger.events.codec import encode
from projections import wording
from projections.documents.refusals import Refusal
from projections.documents.rulings import Step
from projections.redaction import ViewLens
from projections.wording import find_statement

#: The mark before and after an id that is left open: a seat's id for its name, or a rule's id for its statement.
LEFT_OPEN = "\0"
#: The same mark in the JSON text of a document.
OPEN = b"\\u0000"
#: The last fields of a timeline row.
BY = b',"by":'
TEXT = b',"text":'
#: The mark before and after a subject whose name is left open.
NAME = b"\\u0001"
#: Separates documents: no document contains this byte.
APART = b"\n"
QUOTE = b'"'


def can_be_misread(document_text: str, texts: Iterable[str]) -> bool:
    """Return whether the document has marks that people typed. `texts`: its texts with our own marks."""
    return OPEN.decode() in document_text or document_text.count(NAME.decode()) != sum(
        text.count(wording.OPEN) for text in texts
    )


def split_row(document: bytes) -> tuple[bytes, bytes, bytes]:
    """Return the parts of a timeline row: the fields before its sentence, the sentence, and the seat that recorded
    it.
    """
    before_by, _, by = document.rpartition(BY)
    fields, _, sentence = before_by.rpartition(TEXT)
    return fields, sentence, by


class Nameless(ViewLens):
    """A lens that leaves the names of seats open."""

    def find_seat_name(self, id: str) -> str:
        return f"{LEFT_OPEN}{id}{LEFT_OPEN}"

    def fill_in_names(self, text: str) -> str:
        return text


def leave_statements_open(pieces: Iterable[Step | Refusal]) -> None:
    """Replace the statement of each rule with a mark, and also the text if it repeats the statement."""
    for piece in pieces:
        is_repeated = piece["text"] == piece["statement"]
        piece["statement"] = f"{LEFT_OPEN}{piece['rule']}{LEFT_OPEN}"
        piece["text"] = piece["statement"] if is_repeated else piece["text"]


class Names(dict[bytes, bytes]):
    """The current text for each id left open, as part of a JSON string. Only the id of a rule contains a point."""

    def __init__(self, lens: ViewLens, learn: Callable[[set[str]], None] | None = None) -> None:
        """`learn`: a function that loads the names of subjects into the lens."""
        super().__init__()
        self.lens = lens
        self._learn = learn
        self._encoded_names: dict[tuple[bytes, bool], bytes] = {}

    def __missing__(self, id: bytes) -> bytes:
        encoded_text = self[id] = (
            _encode_statement(id.decode()) if b"." in id else encode(self.lens.find_seat_name(id.decode()))[1:-1]
        )
        return encoded_text

    def fill_in_documents(self, documents: Iterable[bytes]) -> list[bytes]:
        """Return documents with their open names and statements filled in."""
        parts = APART.join(documents).split(OPEN)
        parts[1::2] = [self[id] for id in parts[1::2]]
        encoded_text = self.fill_in_sentences(b"".join(parts))
        return encoded_text.split(APART) if encoded_text else []

    def fill_in_sentences(self, encoded_text: bytes) -> bytes:
        """Return sentences with their names filled in. A name at the beginning of a sentence gets a capital letter."""
        parts = encoded_text.split(NAME)
        if self._learn is not None:
            self._learn({subject.decode() for subject in parts[1::2]})
        encoded_names = self._encoded_names
        parts[1::2] = [
            encoded_names.get((subject, begins_sentence := text_before[-1:] == QUOTE))
            or self._encode_name(subject, begins_sentence=begins_sentence)
            for text_before, subject in zip(parts[::2], parts[1::2], strict=False)
        ]
        return b"".join(parts)

    def _encode_name(self, subject: bytes, *, begins_sentence: bool) -> bytes:
        lead = "" if begins_sentence else " "
        sentence = self.lens.fill_in_names(f"{lead}{wording.OPEN}{subject.decode()}{wording.OPEN}")
        self._encoded_names[subject, begins_sentence] = encode(sentence[len(lead) :])[1:-1]
        return self._encoded_names[subject, begins_sentence]


def find_subjects_in_sentences(documents: Iterable[bytes]) -> set[str]:
    """Return the subjects whose names the documents leave open."""
    return {subject.decode() for subject in APART.join(documents).split(NAME)[1::2]}


@cache
def _encode_statement(id: str) -> bytes:
    return encode(find_statement(id))[1:-1]
