"""What the ledger's dice rest on, and every roll, for one viewer: enough to recompute them once a seed is revealed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Protocol

from ledger.application import json_form, with_facts
from ledger.events.dice_proofs import SCHEME, Proof, proof_from
from projections.documents import rulings
from projections.redaction import Json, Sight


class Given(Protocol):
    """What a seat mixed in, and when."""

    @property
    def seat(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def at(self) -> str: ...


def entropy(sight: Sight, number: int, given: Given) -> Json:
    return {"number": number, "seat": given.seat, "name": sight.seat_name(given.seat), "value": given.value,
            "at": given.at}  # fmt: skip


def dice(sight: Sight, after: int, limit: int) -> Json:
    """Epochs, entropies, and a page of the rolls after a number. What the viewer may not see of a roll is null."""
    known = sight.book.randomness
    return {
        "scheme": SCHEME,
        "campaign": sight.book.id,
        "count": sight.book.campaign.rolls,
        "epochs": [
            {
                "epoch": one.begun.number,
                "session": one.begun.session or None,
                "at": one.at,
                "commitment": one.begun.commitment,
                "hidden_commitment": one.begun.hidden,
                "over": one.ended is not None,
                "seed": one.seed,
            }
            for one in known.epochs
        ],
        "entropies": [entropy(sight, number, one) for number, one in enumerate(known.entropies, 1)],
        "rolls": _rolls(sight, after, limit),
    }


def _rolls(sight: Sight, after: int, limit: int) -> list[Json]:
    """In order, none left out."""
    rolled, last = sight.book.campaign.rolled, min(after + limit, sight.book.campaign.rolls)
    wanted = []
    for place in range(bisect_right(rolled, after, key=lambda one: one[0]), len(rolled)):
        wanted.append(rolled[place][1])
        if rolled[place][0] >= last:
            break
    seen = _seen(sight, dict.fromkeys(wanted)) if after < last else {}
    return [{"roll": number, **seen.get(number, UNSEEN)} for number in range(after + 1, last + 1)]


UNSEEN: Json = {"epoch": None, "seed": None, "ruling": None, "waiting": None, "answer": None}


def _seen(sight: Sight, made_for: Iterable[int | str]) -> dict[int, Json]:
    """The rolls recorded with these rulings and waits, as far as the viewer may see them."""
    found: dict[int, Json] = {}
    numbers = [one for one in made_for if isinstance(one, int)]
    shown = with_facts(sight.book, [one for one in sight.book.rulings(numbers) if sight.knows(one)])
    for document in (rulings.ruling(sight, one) for one in shown):
        for told in (*document["tellings"], document):
            _add(found, told["answers"], document["number"], document["waited_as"])
    for id in (one for one in made_for if isinstance(one, str)):
        pending = sight.book.pending(id)
        if sight.pending(pending):
            document = rulings.waiting(sight, pending)
            _add(found, document["answers"], document["ruling"], id)
    return found


def _add(found: dict[int, Json], answers: Iterable[Json], ruling: int | None, waiting: str | None) -> None:
    for proof, answer in _proven(answers):
        place = {"epoch": proof.epoch, "seed": proof.seed, "ruling": ruling, "waiting": waiting}
        found.setdefault(proof.roll, {**place, "answer": answer})


def _proven(answers: Iterable[Json]) -> Iterator[tuple[Proof, Json]]:
    for answer in answers:
        ((kind, said),) = answer["answer"].items()
        proof = proof_from(str(said.get("proof"))) if kind in json_form.ANSWERS else None
        if proof is not None:
            yield proof, answer
