"""A campaign's rulings, facts, decisions and waiting declarations, in recorded order; and what stood when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from ledger.application import Pending, fold_pending, is_of_proposal, json_form
from ledger.events.envelope import Body, Event
from ledger.events.journal_check import Misfit
from ledger.events.records import Decided, Ruled
from ledger.rules.kernel import purses
from ledger.rules.kernel.facts import SceneOpened, SessionOpened
from ledger.rules.kernel.prose import list_prose
from projections.documents import waits
from projections.redaction import to_text
from projections.views.saves import Saved
from projections.views.view import View, ViewTransaction, Written
from projections.wording import word_decision

ROWS = (
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
)


class Timeline(View):
    """`place` counts within a save; a ruling has 0. A fact concerns its subject, the owners of the accounts it moves,
    and the units that it moves (`unit:coin`).

    `said`: what people wrote in a fact outside any ruling.
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
        concerned: list[Written] = []
        placed: dict[tuple[str, int], str] = {}
        for saved in saves:
            scenes = self._find_scenes(transaction, saved, placed)
            for place, (subject, body) in enumerate(saved.facts, 1):
                scene = scenes.get(body.ruling) or _find_new_scene(subject, body)
                if scene is not None:
                    placed[saved.campaign, body.ruling] = scene
                row = _make_row(transaction, saved, place, subject, body, scene)
                rows.append((*row, None if body.ruling else " ".join(_find_prose(body.fact))))
                owners = dict.fromkeys([subject, *map(str, purses.owners(body.postings))])
                units = dict.fromkeys(f"unit:{posting.unit}" for posting in body.postings)
                concerned += [
                    (saved.campaign, subject_name, saved.position, place) for subject_name in (*owners, *units)
                ]
            rows += ((*row, None) for row in (*_make_ruling_rows(saved, scenes), *_make_decision_rows(saved)))
        rows += ((*row, None) for row in _make_wait_rows(transaction, saves))
        transaction.copy("timeline", ROWS, rows)
        transaction.copy("concerns", ("campaign", "subject", "position", "place"), concerned)
        transaction.copy(
            "standing",
            ("campaign", "ruling", "position", "revision"),
            [
                (saved.campaign, ruling, saved.position, revision)
                for saved in saves
                for ruling, revision in saved.marks.items()
            ],
        )

    def _find_scenes(
        self, transaction: ViewTransaction, saved: Saved, placed: Mapping[tuple[str, int], str]
    ) -> dict[int, str | None]:
        """Return the scenes of the rulings in this save. A revised ruling is in the scene of its first revision.

        `placed`: the scenes of rulings that are not written yet.
        """
        scenes = {number: ruled.scene for number, ruled in saved.rulings.items() if isinstance(ruled, Ruled)}
        decided = [number for number in saved.rulings if number not in scenes]
        written = [number for number in decided if not transaction.is_new_ruling(saved.campaign, number)]
        if written:
            rows = transaction.select(
                "SELECT ruling, max(scene) FROM timeline WHERE campaign = %(campaign)s AND ruling = ANY(%(again)s)"
                " GROUP BY ruling",
                {"campaign": saved.campaign, "again": written},
            )
            scenes |= dict(rows)
        return scenes | {number: placed[place] for number in decided if (place := (saved.campaign, number)) in placed}


def _make_row(
    transaction: ViewTransaction, saved: Saved, place: int, subject: str, body: Body[object], scene: str | None
) -> Written:
    session = body.fact.session if isinstance(body.fact, SessionOpened) else body.session or None
    fact_document: dict[str, object] = {**transaction.make_fact(subject, body)}
    sentence = fact_document.pop("text")  # beside who recorded it, where it is filled in
    document = {
        "id": f"{saved.position}.{place}",
        "position": saved.position,
        "ruling": body.ruling or None,
        "step": body.step,
        "revision": body.revision,
        **fact_document,
        "at": body.at,
        "session": session,
        "scene": scene,
        "text": sentence,
        "by": body.by,
    }
    audience = list(body.audience) if body.audience is not None else None
    return (
        saved.campaign,
        saved.position,
        place,
        "fact",
        body.ruling,
        body.step,
        body.revision,
        document["kind"],
        session,
        scene,
        audience,
        to_text(document),
    )


def _find_prose(fact: object) -> Iterator[str]:
    return list_prose(type(fact), json_form.to_json(fact)) if not isinstance(fact, dict) else iter(())


def _find_new_scene(subject: str, body: Body[object]) -> str | None:
    return subject.partition(":")[2] if isinstance(body.fact, SceneOpened) else None


def _make_ruling_rows(saved: Saved, scenes: Mapping[int, str | None]) -> Iterator[Written]:
    """Yield a new ruling, which the feed sends as a whole. Its document is kept with the rulings, with its audience.

    It comes before its facts: after them, its place would reveal how many of them are hidden.
    """
    for event in saved.events:
        if isinstance(event.body.fact, Ruled) and event.originator_version == 1:
            number = int(event.originator_id.rpartition("/")[2])
            document = {"id": f"{saved.position}.0", "position": saved.position}
            yield (
                saved.campaign,
                saved.position,
                0,
                "ruling",
                number,
                0,
                0,
                "ledger.ruled",
                event.body.session or None,
                scenes.get(number),
                None,
                to_text(document),
            )


def _make_decision_rows(saved: Saved) -> Iterator[Written]:
    """Yield decisions, after the facts of their save. The feed sends them, and they are not facts."""
    place = len(saved.facts)
    for event in saved.events:
        if isinstance(event.body.fact, Decided):
            place += 1
            body, number = event.body, int(event.originator_id.split("/", 2)[2])
            document = {
                "id": f"{saved.position}.{place}",
                "position": saved.position,
                "ruling": number,
                "decision": body.fact.decision,
                "reason": body.fact.reason,
                "at": body.at,
                "text": word_decision(number, body.by, body.fact.decision, body.fact.reason, body.fact.cause),
                "by": body.by,
            }
            audience = list(body.audience) if body.audience is not None else None
            yield (
                saved.campaign,
                saved.position,
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


def _make_wait_rows(transaction: ViewTransaction, saves: Sequence[Saved]) -> Iterator[Written]:
    """Yield what waits, was answered, or waits no longer: after the facts and decisions of its save. The feed sends
    them, too.
    """
    waiting_events = [event for saved in saves for event in saved.events if _is_of_waiting(event)]
    histories = transaction.load_events(
        {event.originator_id for event in waiting_events if event.originator_version > 1}
    )
    proposed = {stream for stream, history in histories.items() if history and is_of_proposal(history[0].body.fact)}
    for saved in saves:
        place = len(saved.facts) + sum(isinstance(event.body.fact, Decided) for event in saved.events)
        for event in filter(_is_of_waiting, saved.events):
            if event.originator_id in proposed or is_of_proposal(event.body.fact):
                continue  # decisions that wait for consent are shown under `waiting`
            earlier, later = _fold_waiting(event, histories.get(event.originator_id, [event]))
            wording = transaction.get_wording(saved.campaign)
            for what, audience, row in waits.list_rows(wording, earlier, later, event.body):
                place += 1
                row["id"] = f"{saved.position}.{place}"
                yield (
                    saved.campaign,
                    saved.position,
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
    """Return the waiting declaration before and after the event. Unsound if events are missing."""
    stream, version = event.originator_id, event.originator_version
    id = stream.split("/", 2)[2]
    earlier = [previous for previous in history if previous.originator_version < version]
    later = fold_pending(id, [*earlier, event])
    if later is None or len(earlier) < version - 1:
        raise Misfit(version, "missing", event.body.position).make_unsound(stream)
    return fold_pending(id, earlier), later
