"""Every ruling as a document with the audiences of its pieces, and the marks for finding it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, TypeAlias

from ledger.application import ShownRuling, json_form
from ledger.events.journal_check import Misfit
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.declarations import find_declarer
from ledger.rules.kernel.places import place_of
from ledger.rules.kernel.subjects import Viewer
from projections.documents.briefs import make_gist, shorten_ruling
from projections.documents.filling import Nameless, can_be_misread, leave_statements_open
from projections.documents.rulings import find_status, list_responsible_seats, show_ruling
from projections.documents.stored_rulings import StoredFact, StoredRuling, StoredVerdict, list_texts, make_stored_ruling
from projections.documents.written import BETWEEN, Writings
from projections.redaction import to_text
from projections.views.dice import find_seats, list_players, list_rolls
from projections.views.saves import Saved
from projections.views.view import IS_LATE, View, ViewTransaction, Written, index_last_saves

Audience: TypeAlias = list[str] | None
#: A viewer who sees only what everybody may see.
STRANGER = Nameless(Viewer("", "observer"), {})
ID = re.compile(r"\d{1,12}(-\d{1,6})?")


class Rulings(View):
    """The view of rulings.

    `open_status`: the status that everybody may know. `plain`, `brief`, `gist`: the documents of a ruling without
    secrets, ready to send except for names and rule statements. `marks`: further keys for finding a ruling, each as
    secret as the piece it comes from. `written`: the texts that people wrote, by audience. `rolled`: the dice, with the
    seat that rolled them (`seat`), the seat that entered them (`by`), and the audience of the declaration (`known_to`).
    `players`: which seat plays a character from a position on.

    `place` completes the key of a table with several rows for a ruling: a cluster cannot move a table without a key.
    """

    name = "rulings"
    built_with = ("(campaign, number)",)
    tables: ClassVar[Mapping[str, str]] = {
        "rulings": f"""
            campaign text COLLATE "C" NOT NULL,
            number integer NOT NULL,
            position bigint NOT NULL,
            status text NOT NULL,
            open_status text NOT NULL,
            kind text COLLATE "C" NOT NULL,
            seat text COLLATE "C" NOT NULL,
            recorder text COLLATE "C" NOT NULL,
            scene text COLLATE "C",
            session text COLLATE "C",
            audience text[],
            document text NOT NULL,
            plain text,
            brief text,
            gist text,
            in_play bigint NOT NULL,
            PRIMARY KEY (campaign, number);
            CREATE INDEX ON {{table}} (campaign, status, number);
            CREATE INDEX ON {{table}} (campaign, open_status, number);
            CREATE INDEX ON {{table}} (campaign, kind, number);
            CREATE INDEX ON {{table}} (campaign, seat, number);
            CREATE INDEX ON {{table}} (campaign, scene, number);
            CREATE INDEX ON {{table}} (campaign, session, number);
            CREATE INDEX ON {{table}} (campaign) WHERE {IS_LATE}""",
        "marks": """
            campaign text COLLATE "C" NOT NULL,
            mark text COLLATE "C" NOT NULL,
            number integer NOT NULL,
            audience text[],
            PRIMARY KEY (campaign, mark, number);
            CREATE INDEX ON {table} (campaign, number)""",
        "written": f"""
            campaign text COLLATE "C" NOT NULL,
            number integer NOT NULL,
            place integer NOT NULL,
            audience text[],
            said text NOT NULL,
            words tsvector NOT NULL GENERATED ALWAYS AS (
                array_to_tsvector(ARRAY['in ' || campaign]) || to_tsvector('simple', translate(said, {BETWEEN}))
            ) STORED,
            PRIMARY KEY (campaign, number, place);
            CREATE INDEX ON {{table}} USING gin (words) WITH (gin_pending_list_limit = 256)""",
        "rolled": """
            campaign text COLLATE "C" NOT NULL,
            number integer NOT NULL,
            place integer NOT NULL,
            seat text COLLATE "C" NOT NULL,
            by text COLLATE "C" NOT NULL,
            source text NOT NULL,
            sides integer NOT NULL,
            faces integer[] NOT NULL,
            audience text[],
            known_to text[],
            PRIMARY KEY (campaign, number, place)""",
        "players": """
            campaign text COLLATE "C" NOT NULL,
            character text COLLATE "C" NOT NULL,
            position bigint NOT NULL,
            seat text COLLATE "C" NOT NULL,
            PRIMARY KEY (campaign, character, position)""",
    }

    def apply_saves(self, transaction: ViewTransaction, saves: Sequence[Saved]) -> None:
        touched_numbers: dict[str, dict[int, None]] = {}
        versions: dict[str, int] = {}
        for save in saves:
            versions |= {event.originator_id: event.originator_version for event in save.events}
            numbers = [*save.rulings, *save.rewound_numbers]
            touched_numbers.setdefault(save.campaign, {}).update(dict.fromkeys(numbers))
        last_saves = index_last_saves(saves)
        rows = [
            (campaign, shown_ruling, make_stored_ruling(transaction.make_fact, wording, shown_ruling))
            for campaign, numbers in touched_numbers.items()
            if numbers
            for wording in [transaction.get_wording(campaign)]
            for shown_ruling in _load_changed_rulings(
                transaction, campaign, numbers, last_saves[campaign].position, versions
            )
        ]
        _delete_changed_rulings(transaction, touched_numbers)
        transaction.copy_rows("rulings", COLUMNS, (_make_row(campaign, document) for campaign, _, document in rows))
        transaction.copy_rows(
            "marks",
            ("campaign", "mark", "number", "audience"),
            (
                (campaign, mark, document["number"], audience)
                for campaign, _, document in rows
                for mark, audience in collect_marks(
                    document, find_actor_field(transaction.find_system(campaign), document)
                ).items()
            ),
        )
        transaction.copy_rows(
            "players", ("campaign", "character", "position", "seat"), list_players(transaction, saves)
        )
        transaction.copy_rows("rolled", ROLLED_COLUMNS, _make_roll_rows(transaction, rows))
        writings = {
            campaign: Writings(transaction.find_system(campaign), transaction.codec) for campaign in touched_numbers
        }
        transaction.copy_rows(
            "written",
            ("campaign", "number", "place", "audience", "said"),
            (
                (campaign, document["number"], place, audience, text)
                for campaign, _, document in rows
                for place, (audience, text) in enumerate(writings[campaign].list_rows(document))
            ),
        )


COLUMNS = (
    "campaign",
    "number",
    "position",
    "status",
    "open_status",
    "kind",
    "seat",
    "recorder",
    "scene",
    "session",
    "audience",
    "document",
    "plain",
    "brief",
    "gist",
    "in_play",
)

ROLLED_COLUMNS = ("campaign", "number", "place", "seat", "by", "source", "sides", "faces", "audience", "known_to")


def _load_changed_rulings(
    transaction: ViewTransaction, campaign: str, numbers: Iterable[int], position: int, versions: Mapping[str, int]
) -> Iterator[ShownRuling]:
    """Yield the rulings with these numbers. `versions`: the versions of their streams, according to the saves.

    Raise Unsound if a ruling is missing or has a different version.
    """
    shown_rulings = {
        shown_ruling.ruling.number: shown_ruling
        for shown_ruling in transaction.load_rulings(campaign, numbers, position)
    }
    for number in numbers:
        stream = f"{campaign}/ruling/{number}"
        version = versions.get(stream, 1)
        if number not in shown_rulings or (
            stream in versions and shown_rulings[number].ruling.stream_version != version
        ):
            raise Misfit(version, "missing", position).make_unsound(stream)
        yield shown_rulings[number]


def _delete_changed_rulings(transaction: ViewTransaction, touched_numbers: Mapping[str, Iterable[int]]) -> None:
    """Delete the rows of rulings that have changed."""
    keys = [(campaign, number) for campaign, numbers in touched_numbers.items() for number in numbers]
    changed_keys = [key for key in keys if not transaction.is_new_ruling(*key)]
    for table in ("rulings", "marks", "written", "rolled"):
        transaction.delete_rows(
            table,
            {
                "campaign": ("text", [campaign for campaign, _ in changed_keys]),
                "number": ("int", [number for _, number in changed_keys]),
            },
        )


def _make_row(campaign: str, document: StoredRuling) -> Written:
    facts_by_kind = {kind: fact for fact in document["facts"] for kind in [fact["kind"]]}
    scene = (
        facts_by_kind["ledger.scene-opened"]["subject"].partition(":")[2]
        if "ledger.scene-opened" in facts_by_kind
        else None
    )
    session = (
        str(facts_by_kind["ledger.session-opened"]["fact"]["session"])
        if "ledger.session-opened" in facts_by_kind
        else None
    )
    return (
        campaign,
        document["number"],
        document["position"],
        document["status"],
        find_status(STRANGER, document),
        document["declared"]["kind"],
        document["seat"],
        document["by"],
        scene or document["scene"],
        session or document["session"],
        document.get("audience"),
        (text := to_text(document)),
        *write_texts_for_everybody(document, text),
        place_of(document["number"], document.get("after", 0)),
    )


def write_texts_for_everybody(document: StoredRuling, text: str) -> tuple[str | None, str | None, str | None]:
    """Return `plain`, `brief` and `gist`. All are None for a ruling with secrets. `text`: the document as text."""
    if '"audience"' in text:
        return None, None, None
    open_document = show_ruling(STRANGER, document)
    if can_be_misread(text, list_texts(document)):
        return None, None, None
    for telling in (open_document, *open_document["tellings"]):
        leave_statements_open(telling["because"])
        leave_statements_open([telling["refusal"]] if telling["refusal"] is not None else [])
    return to_text(open_document), to_text(shorten_ruling(open_document)), to_text(make_gist(STRANGER, document))


def _make_roll_rows(
    transaction: ViewTransaction, rows: Sequence[tuple[str, ShownRuling, StoredRuling]]
) -> Iterator[Written]:
    """Yield each roll with the seat that rolled: the character's player at the time, or else the declaring seat."""
    rolls = [
        (campaign, document, place, roll)
        for campaign, shown_ruling, document in rows
        for place, roll in enumerate(list_rolls(transaction, campaign, shown_ruling, document))
    ]
    places = {
        (campaign, id, document["position"]): None
        for campaign, document, _, roll in rolls
        for kind, _, id in [(roll.who or "").partition(":")]
        if kind == "character"
    }
    seats = find_seats(transaction, list(places))
    for campaign, document, place, roll in rolls:
        kind, _, id = (roll.who or "").partition(":")
        player = seats.get((campaign, id, document["position"]))
        seat = id if kind == "seat" else player or document["seat"]
        yield (
            campaign,
            document["number"],
            place,
            seat,
            roll.by,
            roll.source,
            roll.sides,
            roll.faces,
            roll.audience,
            _find_declaration_audience(document),
        )


def find_actor_field(ruleset: AnyRuleset, document: StoredRuling) -> str | None:
    """Return the declaration's field for the actor, or None if there is none or the declaration's kind is unknown."""
    do_class = json_form.index_declaration_classes(ruleset).get(str(document["declared"]["kind"]))
    return find_declarer(do_class).field if do_class is not None else None


def collect_marks(document: StoredRuling, actor_field: str | None = None) -> dict[str, Audience]:
    """Return the marks `character:12`, `target:12`, `unit:coin` and `rule:<id>`, each with its audience.

    `actor_field`: the field that names the actor. Every other subject of the ruling is a target.
    """
    audiences: dict[str, Audience] = {}
    for mark, audience in _list_marks(document, actor_field):
        earlier_audience = audiences.get(mark, [])
        audiences[mark] = (
            None if audience is None or earlier_audience is None else sorted({*earlier_audience, *audience})
        )
    return audiences


def _list_marks(document: StoredRuling, actor_field: str | None) -> Iterator[tuple[str, Audience]]:
    declaration_audience, actor_subject = (
        _find_declaration_audience(document),
        f"character:{document['declared'].get(actor_field or '')}",
    )
    for fact in document["facts"]:
        audience = fact.get("audience")
        accounts = [account for posting in fact["postings"] for account in (posting["from"], posting["to"])]
        for subject in {fact["subject"], *(account.partition("/")[0] for account in accounts)}:
            if subject.startswith("character:"):
                yield subject, audience
        if fact["subject"].startswith("character:") and fact["subject"] != actor_subject:
            yield fact["subject"].replace("character", "target", 1), audience
        yield from ((f"unit:{unit}", audience) for unit in {str(posting["unit"]) for posting in fact["postings"]})
    for field, value in document["declared"].items():
        for id in value if isinstance(value, list) else [value]:
            if isinstance(id, str) and ID.fullmatch(id):
                yield f"character:{id}", declaration_audience
                if field != actor_field:
                    yield f"target:{id}", declaration_audience
    for step in document["because"]:
        yield f"rule:{step['rule']}", step.get("audience", declaration_audience)


def _find_declaration_audience(document: StoredRuling) -> Audience:
    """Return the audience of the declaration and derivation: everybody, unless all facts are secret.

    A revision without facts is as secret as the one before it.
    """
    revisions: list[StoredVerdict] = [document, *reversed(document["tellings"])]
    facts: list[StoredFact] = next((revision["facts"] for revision in revisions if revision["facts"]), [])
    audiences: list[Audience] = [fact.get("audience") for fact in facts]
    limited_audiences = [audience for audience in audiences if audience is not None]
    if len(limited_audiences) < len(audiences) or not audiences:
        return None
    return sorted(
        {list_responsible_seats(document)[-1], *(seat for audience in limited_audiences for seat in audience)}
    )
