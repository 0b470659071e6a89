"""A campaign's rulings, facts, decisions and waiting declarations in recorded order, and each ruling's standing
revision over time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from ledger.application import Pending, belongs_to_proposal, fold_pending, json_form
from ledger.events.envelope import Body, Event
from ledger.events.journal_check import Misfit
from ledger.events.records import Decided, Rewound, Ruled, RuledLate
from ledger.rules.kernel import purses
from ledger.rules.kernel.facts import SceneOpened, SessionOpened
from ledger.rules.kernel.places import place_of
from ledger.rules.kernel.prose import list_prose
from projections.documents import waits
from projections.redaction import to_text
from projections.views.saves import Saved
from projections.views.view import View, ViewTransaction, Written
from projections.wording import word_decision

LATE = "entered-late"
COLUMNS = (
    "campaign",
    "position",
    "place",
    "what",
    "ruling",
    "step",
    "revision",
    "kind",
    "session",
    "scene",
    "audience",
    "document",
    "said",
    "in_play",
)


class Timeline(View):
    """The view of the timeline. `place`: the row's place within its save; 0 for a ruling. `said`: the texts that people
    wrote in a fact outside any ruling. `in_play`: for a fact, the place of its ruling in play.

    `concerns`: the subjects of each fact, the owners of the accounts that it changes, and the units that it moves
    (`unit:coin`).
    """

    name = "timeline"
    built_with = ("(campaign, ruling, position, place)",)
    tables: ClassVar[Mapping[str, str]] = {
        "timeline": """
            campaign text COLLATE "C" NOT NULL,
            position bigint NOT NULL,
            place integer NOT NULL,
            what text NOT NULL,
            ruling integer NOT NULL,
            step integer NOT NULL,
            revision integer NOT NULL,
            kind text COLLATE "C" NOT NULL,
            session text COLLATE "C",
            scene text COLLATE "C",
            audience text[],
            document text NOT NULL,
            said text,
            in_play bigint NOT NULL,
            PRIMARY KEY (campaign, position, place);
            CREATE INDEX ON {table} (campaign, kind, position, place);
            CREATE INDEX ON {table} (campaign, ruling, position, place);
            CREATE INDEX ON {table} (campaign, session, position, place);
            CREATE INDEX ON {table} (campaign, scene, position, place);
            CREATE INDEX ON {table} (campaign, position, place) WHERE what = 'decision'""",
        "concerns": """
            campaign text COLLATE "C" NOT NULL,
            subject text COLLATE "C" NOT NULL,
            position bigint NOT NULL,
            place integer NOT NULL,
            PRIMARY KEY (campaign, subject, position, place)""",
        "standing": """
            campaign text COLLATE "C" NOT NULL,
            ruling integer NOT NULL,
            position bigint NOT NULL,
            revision integer,
            PRIMARY KEY (campaign, ruling, position)""",
    }

    def apply_saves(self, transaction: ViewTransaction, saves: Sequence[Saved]) -> None:
        rows: list[Written] = []
        concern_rows: list[Written] = []
        scenes_placed: dict[tuple[str, int], str] = {}
        for save in saves:
            scenes_by_ruling = self._find_scenes(transaction, save, scenes_placed)
            rows += ((*row, None, 0) for row in _make_late_rows(save))
            for place, (subject, body) in enumerate(save.facts, _count_rows_before_facts(save)):
                scene = scenes_by_ruling.get(body.ruling) or _find_new_scene(subject, body)
                if scene is not None:
                    scenes_placed[save.campaign, body.ruling] = scene
                row = _make_row(transaction, save, place, subject, body, scene)
                prose = None if body.ruling else " ".join(_find_prose(body.fact))
                rows.append((*row, prose, place_of(body.ruling, body.after)))
                owners = dict.fromkeys([subject, *map(str, purses.list_owners(body.postings))])
                units = dict.fromkeys(f"unit:{posting.unit}" for posting in body.postings)
                concern_rows += [
                    (save.campaign, subject_name, save.position, place) for subject_name in (*owners, *units)
                ]
            rows += (
                (*row, None, 0) for row in (*_make_ruling_rows(save, scenes_by_ruling), *_make_decision_rows(save))
            )
        rows += ((*row, None, 0) for row in _make_wait_rows(transaction, saves))
        transaction.copy_rows("timeline", COLUMNS, rows)
        transaction.copy_rows("concerns", ("campaign", "subject", "position", "place"), concern_rows)
        transaction.copy_rows(
            "standing",
            ("campaign", "ruling", "position", "revision"),
            [
                (save.campaign, number, save.position, revision)
                for save in saves
                for number, revision in transaction.index_standing_changes(save).items()
            ],
        )

    def _find_scenes(
        self, transaction: ViewTransaction, save: Saved, scenes_placed: Mapping[tuple[str, int], str]
    ) -> dict[int, str | None]:
        """Return the scenes of the rulings in this save. `scenes_placed`: the scenes of rulings that are not written
        yet.
        """
        scenes_by_ruling = {
            number: record.scene for number, record in save.rulings.items() if isinstance(record, Ruled)
        }
        decided_numbers = [number for number in save.rulings if number not in scenes_by_ruling]
        written_numbers = [number for number in decided_numbers if not transaction.is_new_ruling(save.campaign, number)]
        if written_numbers:
            rows = transaction.select(
                "SELECT ruling, max(scene) FROM timeline WHERE campaign = %(campaign)s AND ruling = ANY(%(again)s)"
                " GROUP BY ruling",
                {"campaign": save.campaign, "again": written_numbers},
            )
            scenes_by_ruling |= dict(rows)
        return scenes_by_ruling | {
            number: scenes_placed[key]
            for number in decided_numbers
            if (key := (save.campaign, number)) in scenes_placed
        }


def _make_row(
    transaction: ViewTransaction, save: Saved, place: int, subject_key: str, body: Body[object], scene_id: str | None
) -> Written:
    session = body.fact.session if isinstance(body.fact, SessionOpened) else body.session or None
    fact_document: dict[str, object] = {**transaction.make_fact(subject_key, body)}
    sentence = fact_document.pop("text")  # added again at the end, where names are filled in
    document = {
        "id": f"{save.position}.{place}",
        "position": save.position,
        "ruling": body.ruling or None,
        "step": body.step,
        "revision": body.revision,
        **({"after": body.after} if body.after else {}),
        **fact_document,
        "at": body.at,
        "session": session,
        "scene": scene_id,
        "text": sentence,
        "by": body.by,
    }
    audience = list(body.audience) if body.audience is not None else None
    return (
        save.campaign,
        save.position,
        place,
        "fact",
        body.ruling,
        body.step,
        body.revision,
        document["kind"],
        session,
        scene_id,
        audience,
        to_text(document),
    )


def _find_prose(fact: object) -> Iterator[str]:
    return list_prose(type(fact), json_form.to_json(fact)) if not isinstance(fact, dict) else iter(())


def _find_new_scene(subject_key: str, body: Body[object]) -> str | None:
    return subject_key.partition(":")[2] if isinstance(body.fact, SceneOpened) else None


def _make_ruling_rows(save: Saved, scenes_by_ruling: Mapping[int, str | None]) -> Iterator[Written]:
    """Yield a row for a new ruling.

    The row comes before those of the facts: after them, its place would reveal how many facts are hidden.
    """
    for event in save.events:
        if isinstance(event.body.fact, Ruled) and event.originator_version == 1:
            number = int(event.originator_id.rpartition("/")[2])
            document = {"id": f"{save.position}.0", "position": save.position}
            yield (
                save.campaign,
                save.position,
                0,
                "ruling",
                number,
                0,
                0,
                "ledger.ruled",
                event.body.session or None,
                scenes_by_ruling.get(number),
                None,
                to_text(document),
            )


def _make_decision_rows(save: Saved) -> Iterator[Written]:
    """Yield a row for each decision, placed after the save's facts."""
    place = _count_rows_before_facts(save) + len(save.facts) - 1
    for event in save.events:
        if isinstance(event.body.fact, Decided):
            place += 1
            body, number = event.body, int(event.originator_id.split("/", 2)[2])
            document: dict[str, object] = {
                "id": f"{save.position}.{place}",
                "position": save.position,
                "ruling": number,
                "decision": body.fact.decision,
                "reason": body.fact.reason,
                "at": body.at,
                "text": word_decision(number, body.by, body.fact.decision, body.fact.reason, body.fact.cause),
                "by": body.by,
            }
            if isinstance(body.fact, Rewound):
                document["through"] = body.fact.through
            audience = list(body.audience) if body.audience is not None else None
            yield (
                save.campaign,
                save.position,
                place,
                "decision",
                number,
                0,
                0,
                f"ledger.{body.fact.decision}",
                body.session or None,
                None,
                audience,
                to_text(document),
            )


def _list_late_events(save: Saved) -> list[Event]:
    return [event for event in save.events if isinstance(event.body.fact, RuledLate)]


def _count_rows_before_facts(save: Saved) -> int:
    """Return the place of the first fact in the save: after a ruling and the decision to enter it late."""
    return 1 + len(_list_late_events(save))


def _make_late_rows(save: Saved) -> Iterator[Written]:
    """Yield a row for the decision to enter a ruling late."""
    for place, event in enumerate(_list_late_events(save), 1):
        yield _make_late_row(save, place, event)


def _make_late_row(save: Saved, place: int, event: Event) -> Written:
    number, after = int(event.originator_id.rpartition("/")[2]), event.body.fact.after
    document: dict[str, object] = {
        "id": f"{save.position}.{place}",
        "position": save.position,
        "ruling": number,
        "decision": LATE,
        "reason": "",
        "after": after,
        "at": event.body.at,
        "text": word_decision(number, event.body.by, LATE, "", after),
        "by": event.body.by,
    }
    return (
        save.campaign,
        save.position,
        place,
        "decision",
        number,
        0,
        0,
        f"ledger.{LATE}",
        event.body.session or None,
        None,
        None,
        to_text(document),
    )


def _make_wait_rows(transaction: ViewTransaction, saves: Sequence[Saved]) -> Iterator[Written]:
    """Yield the rows of waiting declarations, placed after the save's facts and decisions."""
    waiting_events = [event for save in saves for event in save.events if _is_of_waiting(event)]
    histories = transaction.load_events(
        {event.originator_id for event in waiting_events if event.originator_version > 1}
    )
    proposal_streams = {
        stream for stream, history in histories.items() if history and belongs_to_proposal(history[0].body.fact)
    }
    for save in saves:
        place = len(save.facts) + sum(isinstance(event.body.fact, Decided | RuledLate) for event in save.events)
        for event in filter(_is_of_waiting, save.events):
            if event.originator_id in proposal_streams or belongs_to_proposal(event.body.fact):
                continue  # decisions that wait for consent are shown under `waiting`
            pending_before, pending_after = _fold_waiting(event, histories.get(event.originator_id, [event]))
            wording = transaction.get_wording(save.campaign)
            for what, audience, row in waits.list_wait_rows(wording, pending_before, pending_after, event.body):
                place += 1
                row["id"] = f"{save.position}.{place}"
                yield (
                    save.campaign,
                    save.position,
                    place,
                    what,
                    row["ruling"] or 0,
                    0,
                    0,
                    f"ledger.{what}",
                    event.body.session or None,
                    row["scene"],
                    list(audience) if audience is not None else None,
                    to_text(row),
                )


def _is_of_waiting(event: Event) -> bool:
    return event.originator_id.split("/", 2)[1] == "waiting"


def _fold_waiting(event: Event, history: Sequence[Event]) -> tuple[Pending | None, Pending]:
    """Return the waiting declaration before and after the event. Raise Unsound if events are missing."""
    stream, version = event.originator_id, event.originator_version
    id = stream.split("/", 2)[2]
    earlier_events = [earlier_event for earlier_event in history if earlier_event.originator_version < version]
    pending_after = fold_pending(id, [*earlier_events, event])
    if pending_after is None or len(earlier_events) < version - 1:
        raise Misfit(version, "missing", event.body.position).make_unsound(stream)
    return fold_pending(id, earlier_events), pending_after
