"""A ruling's dossier, which can be checked offline (`ledger.application.checks.dossier`).

It has the stored rows, proofs that the record's seal covers the rows, and the service's signature.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from ledger.application import (
    Sealer,
    SettledThen,
    ShownRuling,
    SignedSeal,
    json_form,
    load_visible_ruling,
    name_journal_stream,
    name_rewinds_stream,
)
from ledger.application.checks.dossier import FORMAT, VERSION, sign_dossier
from ledger.application.reading.seals import Seal
from ledger.errors import Unavailable
from ledger.events.codec import plain
from ledger.events.dice_proofs import parse_proof
from ledger.events.merkle import hash_leaf
from ledger.events.sealing import encode_leaf
from projections.documents import seals
from projections.documents.answers import Given
from projections.documents.exports import may_see_all
from projections.documents.findings import Finding, describe_finding, list_open_findings, select_settlements
from projections.documents.rulings import AT, RULING, Ruling, describe_ruling
from projections.documents.shape import Document, give_example
from projections.redaction import LiveLens, Person
from projections.views.pages import Reader


class Claim(Document):
    """A dispute: by whom, when and why."""

    by: Person
    at: str
    reason: str


class ProvenRoll(Document):
    """A roll by the ledger, with everything needed to calculate it again (`campaign-ledger/dice/1`, see `/dice`).

    `commitment`: the seed's commitment, published earlier. `seed`: the seed, once it is published. `entropy`: the
    combined randomness of the seats.
    """

    proof: str
    commitment: str | None
    seed: str | None
    entropy: str
    answer: Given


class DossierSeal(Document):
    """The seal of the whole record, as in `/seal`."""

    count: int
    root: str
    public_key: str
    checkpoint: str


class DossierEntry(Document):
    """A stored row and the proof that it is sealed (as in `/seal/entries/{index}`).

    `stream` (without the campaign), `version`, `topic`, `state` (exactly as stored): null if this seat can't see the
    whole row.
    """

    index: int
    leaf: str
    proof: list[str]
    stream: str | None
    version: int | None
    topic: str | None
    state: str | None


EXAMPLE: SignedSeal = seals.EXAMPLE


@give_example(
    format=FORMAT,
    version=VERSION,
    campaign="k3v7q2mzt5a4c",
    name="The Long Winter",
    system="system",
    number=7,
    seat={"seat": "s2", "name": "Ben"},
    position=1,
    claims=[{"by": {"seat": "s3", "name": "Cleo"}, "at": AT, "reason": "The door was shut."}],
    ruling=RULING,
    dice=[],
    findings=[],
    seal={
        "count": 2,
        "root": seals.ROOT.hex(),
        "public_key": seals.SEALER.public_key.hex(),
        "checkpoint": EXAMPLE.checkpoint,
    },
    entries=[
        {
            "index": 1,
            "leaf": seals.LEAVES[1].hex(),
            "proof": [seals.LEAVES[0].hex()],
            "stream": None,
            "version": None,
            "topic": None,
            "state": None,
        }
    ],
    signature="0" * 128,
)
class Dossier(Document):
    """Everything about one ruling that one seat can see. `findings`: the findings that decisions about the ruling
    caused. A resolved finding says how, by whom and why it was resolved.

    `entries`: the stored rows; rows that the seat can't fully see are only hashes, and hidden facts are left out.
    `signature`: an Ed25519 signature in hexadecimal, made with the seal's key. It covers `campaign-ledger dossier`, a
    line feed and the SHA-256 of this document without the signature.
    """

    format: str
    version: int
    campaign: str
    name: str
    system: str
    number: int
    seat: Person
    position: int
    claims: list[Claim]
    ruling: Ruling
    dice: list[ProvenRoll]
    findings: list[Finding]
    seal: DossierSeal
    entries: list[DossierEntry]
    signature: str


def make_dossier(lens: LiveLens, reader: Reader, number: int, sealer: Sealer) -> Dossier:
    """Return a ruling's dossier. Raise NotFound if the viewer may not know the ruling. `reader`: reads the views at the
    lens's position.
    """
    shown_ruling = load_visible_ruling(lens.book, number, lens.viewer)
    ruling_document = describe_ruling(lens, shown_ruling)
    settlements = select_settlements(lens, number)
    sealed_count = seals.count_sealed_events(reader)
    root = seals.compute_root(reader, sealed_count)
    checkpoint = sealer.sign(Seal(lens.book.id, sealed_count, root)).checkpoint
    document: dict[str, object] = {
        "format": FORMAT,
        "version": VERSION,
        "campaign": lens.book.id,
        "name": lens.book.entry.name,
        "system": lens.book.entry.system,
        "number": number,
        "seat": lens.name_person(lens.viewer.seat),
        "position": lens.book.campaign.position,
        "claims": [
            {"by": decision["by"], "at": decision["at"], "reason": decision["reason"]}
            for decision in ruling_document["decisions"]
            if decision["decision"] == "disputed"
        ],
        "ruling": ruling_document,
        "dice": list(_list_rolls(lens, ruling_document)),
        "findings": [
            *list_open_findings(lens, number),
            *(describe_finding(lens, settlement.finding, settlement) for settlement in settlements),
        ],
        "seal": {
            "count": sealed_count,
            "root": root.hex(),
            "public_key": sealer.public_key.hex(),
            "checkpoint": checkpoint,
        },
        "entries": _make_entries(
            lens, reader, shown_ruling, _list_addresses(lens, shown_ruling, ruling_document, settlements), sealed_count
        ),
    }
    return cast(Dossier, {**document, "signature": sign_dossier(document, sealer)})


def _list_rolls(lens: LiveLens, document: Ruling) -> Iterator[ProvenRoll]:
    """Yield the rolls that the viewer sees, each once."""
    randomness = lens.book.randomness
    seen_proofs: set[str] = set()
    for answer in (answer for verdict in (*document["tellings"], document) for answer in verdict["answers"]):
        ((kind, value),) = answer["answer"].items()
        fields = value if kind in json_form.ANSWER_CLASSES and isinstance(value, dict) else {}
        proof = parse_proof(str(fields.get("proof")))
        if proof is None or str(proof) in seen_proofs:
            continue
        seen_proofs.add(str(proof))
        epoch = next((epoch for epoch in randomness.epochs if epoch.begun.number == proof.epoch), None)
        commitments = {"open": epoch.begun.commitment, "hidden": epoch.begun.hidden} if epoch is not None else {}
        yield {
            "proof": str(proof),
            "commitment": commitments.get(proof.seed_kind),
            "seed": epoch.seed if epoch is not None and proof.seed_kind == "open" else None,
            "entropy": randomness.mix_contributions(proof.entropy_count),
            "answer": answer,
        }


def _make_entries(
    lens: LiveLens, reader: Reader, shown_ruling: ShownRuling, addresses: set[tuple[str, int]], sealed_count: int
) -> list[DossierEntry]:
    """Return the rows, in sealed order.

    The ruling's own rows contain the declaration, so they are withheld if any of its facts is hidden.
    """
    sorted_addresses = sorted(addresses)
    rows_by_address = {(row[0], row[1]): row for row in lens.book.recorder.select_at(sorted_addresses)}
    leaf_indexes = seals.find_leaf_indexes(
        reader, [(stream.partition("/")[2], version) for stream, version in sorted_addresses]
    )
    proofs = seals.prove_leaves(reader, (index for index in leaf_indexes if index is not None), sealed_count)
    entries: list[DossierEntry] = []
    is_all_visible = all(
        lens.may_see(event.body.audience) for events in (shown_ruling.events, *shown_ruling.earlier) for event in events
    )
    for (stream, version), index in sorted(
        zip(sorted_addresses, leaf_indexes, strict=True), key=lambda pair: pair[1] or 0
    ):
        if index is None:
            raise Unavailable("The views are catching up. Please try again.", code="views-behind")
        topic, state = rows_by_address[stream, version][2], bytes(rows_by_address[stream, version][3])
        is_of_ruling = stream.split("/", 2)[1] == "ruling"
        is_visible = may_see_all(lens, plain(state)) and (is_all_visible or not is_of_ruling)
        entries.append(
            {
                "index": index,
                "leaf": hash_leaf(encode_leaf(stream, version, topic, state)).hex(),
                "proof": proofs[index],
                "stream": stream.partition("/")[2] if is_visible else None,
                "version": version if is_visible else None,
                "topic": topic if is_visible else None,
                "state": state.decode() if is_visible else None,
            }
        )
    return entries


def _list_addresses(
    lens: LiveLens, shown_ruling: ShownRuling, document: Ruling, settlements: Iterable[SettledThen]
) -> set[tuple[str, int]]:
    """Return the addresses of the rows: the ruling, its visible decisions and facts, and the findings that were
    resolved.
    """
    stream = f"{lens.book.id}/ruling/{shown_ruling.ruling.number}"
    decision_addresses = {
        (stream, version)
        for version, decision in enumerate(
            (decision for decision in shown_ruling.ruling.decisions if not decision.shared), 2
        )
        if lens.may_see(decision.audience)
    }
    rewind_addresses = {
        (name_rewinds_stream(lens.book.id), decision.shared)
        for decision in shown_ruling.ruling.decisions
        if decision.shared
    }
    event_lists = [*list(shown_ruling.earlier)[: len(document["tellings"])], shown_ruling.events]
    fact_addresses = {
        (event.originator_id, event.originator_version)
        for events in event_lists
        for event in events
        if lens.may_see(event.body.audience)
    }
    return (
        {(stream, 1)}
        | decision_addresses
        | rewind_addresses
        | fact_addresses
        | {(name_journal_stream(lens.book.id), settlement.position) for settlement in settlements if settlement.alone}
    )
