"""The ledger's rolls and the commitments behind them, for one viewer.

Once a seed is revealed, anybody can calculate its rolls again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Protocol

from ledger.application import attach_facts, json_form
from ledger.events.dice_proofs import SCHEME, Proof, SeedKind, parse_proof
from projections.documents import rulings
from projections.documents.answers import Given
from projections.documents.rulings import AT, RULING
from projections.documents.shape import Document, Listed, give_example
from projections.documents.waiting import describe_waiting
from projections.redaction import LiveLens
from projections.views.pages import Order

ENTROPY: Entropy = {"number": 1, "seat": "s2", "name": "Ben", "value": "3 6 1 1 5 2, and it rains", "at": AT}
CAMPAIGN = "k3v7q2mzt5a4c"
PROOF = "epoch=0 roll=1 ruling=7 entropies=1 seed=open"


@give_example(**ENTROPY)
class Entropy(Document):
    """Randomness that a seat added to the dice. It is used from the next save on. `number`: its place among all
    additions in the campaign, counted from 1.
    """

    number: int
    seat: str
    name: str
    value: str
    at: str


class Epoch(Document):
    """A period of play whose rolls use the same seeds. `session`: null before, between and after sessions.

    `campaign`: the campaign whose id goes into these rolls. In a fork, earlier rolls belong to the original campaign.

    `commitment`, `hidden_commitment`: the SHA-256 of its two seeds, published when it began. `seed`: the seed of rolls
    that everybody can see, once the epoch is over. It stays null if the server's key was changed in between. In a fork,
    it also stays null while the original campaign still uses this seed. The other seed, for rolls that not everybody
    can see, is never published.
    """

    epoch: int
    campaign: str
    session: str | None
    at: str
    commitment: str
    hidden_commitment: str
    over: bool
    seed: str | None


class Rolled(Document):
    """A roll. `answer`: the answer in the ruling or waiting question, with its proof; null if hidden from this seat.

    `seed`: which of the epoch's seeds the roll uses.
    """

    roll: int
    epoch: int | None
    seed: SeedKind | None
    ruling: int | None
    waiting: str | None
    answer: Given | None


@give_example(
    scheme=SCHEME,
    campaign=CAMPAIGN,
    count=1,
    epochs=[
        {
            "epoch": 0,
            "campaign": CAMPAIGN,
            "session": None,
            "at": AT,
            "commitment": "b7" * 32,
            "hidden_commitment": "0c" * 32,
            "over": False,
            "seed": None,
        }
    ],
    entropies=[ENTROPY],
    rolls=[
        {
            "roll": 1,
            "epoch": 0,
            "seed": "open",
            "ruling": 7,
            "waiting": None,
            "answer": {
                **RULING["answers"][0],
                "answer": {"dice": {"sides": 6, "faces": [4], "source": "ledger", "proof": PROOF}},
                "source": "ledger",
            },
        }
    ],
    next=None,
    previous=None,
)
class Dice(Listed):
    """Everything that determines the ledger's dice, and a page of the rolls, without gaps. `count`: the number of all
    rolls.

    Scheme `campaign-ledger/dice/1`. A roll's numbers come from blocks b = 0, 1, ... of HMAC-SHA256. The key is the seed
    (32 bytes, here hexadecimal). The message is six lines joined by line feeds: the scheme, the epoch's campaign, the
    roll, the ruling (both as in the proof), the mixed entropies, and b. Each block is four big-endian numbers of 64
    bits. Mixed entropies: the SHA-256, in hexadecimal, of the lines `seat:SHA-256 of the value`, sorted by seat, each
    ending with a line feed. The proof says how many entropies count; each seat's last value among these is used. A
    choice below m takes the next number that is less than 2^64 - (2^64 mod m), modulo m. A die shows 1 + a choice below
    its number of sides. If the question names a face that `opens`, each die that shows it adds another die. A coin is a
    choice below 2; 0 is heads. To draw k of n cards in the question's order (to shuffle, k = n): for each i from 0 to
    k-1, exchange the cards at i and at i + a choice below n - i.
    """

    scheme: str
    campaign: str
    count: int
    epochs: list[Epoch]
    entropies: list[Entropy]
    rolls: list[Rolled]


class Contribution(Protocol):
    """A seat's contribution, and its time."""

    @property
    def seat(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def at(self) -> str: ...


def describe_entropy(lens: LiveLens, number: int, contribution: Contribution) -> Entropy:
    return {
        "number": number,
        "seat": contribution.seat,
        "name": lens.find_seat_name(contribution.seat),
        "value": contribution.value,
        "at": contribution.at,
    }


def describe_dice(lens: LiveLens, after: int, limit: int, order: Order = "asc") -> Dice:
    """Return epochs, contributions, and a page of rolls. Hidden parts of a roll are null.

    `after`: the roll before the page, in the requested order; 0 starts at the beginning.
    """
    randomness = lens.book.randomness
    return {
        "scheme": SCHEME,
        "campaign": lens.book.id,
        "count": lens.book.campaign.rolls,
        "epochs": [
            {
                "epoch": epoch.begun.number,
                "campaign": lens.book.campaign.lineage.find_home(epoch.position),
                "session": epoch.begun.session or None,
                "at": epoch.at,
                "commitment": epoch.begun.commitment,
                "hidden_commitment": epoch.begun.hidden,
                "over": epoch.ended is not None,
                "seed": epoch.seed,
            }
            for epoch in randomness.epochs
        ],
        "entropies": [
            describe_entropy(lens, number, contribution) for number, contribution in enumerate(randomness.entropies, 1)
        ],
        "rolls": _read_page_of_rolls(lens, after, limit, order),
        "next": None,
        "previous": None,
    }


def _read_page_of_rolls(lens: LiveLens, after: int, limit: int, order: Order) -> list[Rolled]:
    if order == "asc":
        return _read_rolls(lens, after, limit)
    end = min(after or lens.book.campaign.rolls + 1, lens.book.campaign.rolls + 1)
    start = max(0, end - 1 - limit)
    return _read_rolls(lens, start, end - 1 - start)[::-1]


def _read_rolls(lens: LiveLens, after: int, limit: int) -> list[Rolled]:
    """Return the next rolls after a number, in order. A hidden roll has only its number."""
    rolls_and_sources, last_number = lens.book.campaign.roll_counts, min(after + limit, lens.book.campaign.rolls)
    sources = []
    for index in range(bisect_right(rolls_and_sources, after, key=lambda entry: entry[0]), len(rolls_and_sources)):
        sources.append(rolls_and_sources[index][1])
        if rolls_and_sources[index][0] >= last_number:
            break
    rolls = _collect_rolls(lens, dict.fromkeys(sources)) if after < last_number else {}
    return [rolls.get(number) or _make_hidden_roll(number) for number in range(after + 1, last_number + 1)]


def _make_hidden_roll(number: int) -> Rolled:
    return {"roll": number, "epoch": None, "seed": None, "ruling": None, "waiting": None, "answer": None}


def _collect_rolls(lens: LiveLens, sources: Iterable[int | str]) -> dict[int, Rolled]:
    """Return the visible rolls of these rulings and waiting declarations, by number."""
    rolls: dict[int, Rolled] = {}
    ruling_numbers = [number for number in sources if isinstance(number, int)]
    shown_rulings = attach_facts(
        lens.book, [ruling for ruling in lens.book.load_rulings(ruling_numbers) if lens.may_know(ruling)]
    )
    for document in (rulings.describe_ruling(lens, shown_ruling) for shown_ruling in shown_rulings):
        for answers in (*(telling["answers"] for telling in document["tellings"]), document["answers"]):
            _add_rolls(rolls, answers, document["number"], document["waited_as"])
    for id in (id for id in sources if isinstance(id, str)):
        pending = lens.book.load_pending(id)
        if lens.may_know_pending(pending):
            waiting_document = describe_waiting(lens, pending)
            _add_rolls(rolls, waiting_document["answers"], waiting_document["ruling"], id)
    return rolls


def _add_rolls(
    rolls: dict[int, Rolled], answers: Iterable[Given], ruling_number: int | None, waiting_id: str | None
) -> None:
    for proof, answer in _find_proven_answers(answers):
        document: Rolled = {
            "roll": proof.roll,
            "epoch": proof.epoch,
            "seed": proof.seed_kind,
            "ruling": ruling_number,
            "waiting": waiting_id,
            "answer": answer,
        }
        rolls.setdefault(proof.roll, document)


def _find_proven_answers(answers: Iterable[Given]) -> Iterator[tuple[Proof, Given]]:
    for answer in answers:
        ((kind, answer_fields),) = answer["answer"].items()
        fields = answer_fields if kind in json_form.ANSWER_CLASSES and isinstance(answer_fields, dict) else {}
        proof = parse_proof(str(fields.get("proof")))
        if proof is not None:
            yield proof, answer
