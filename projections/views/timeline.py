"""A campaign's facts in the order in which they were recorded, decisions among them; which revision stood when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from ledger.events.codec import Codec
from ledger.events.envelope import Body
from ledger.events.records import Decided, Ruled
from ledger.rules.kernel import purses
from ledger.rules.kernel.facts import SceneOpened, SessionOpened
from projections.redaction import fact, text
from projections.views.saves import Saved
from projections.views.view import View, ViewTransaction, Written
from projections.wording import of_decision

ROWS = (
    "campaign", "position", "place", "what", "ruling", "step", "revision", "kind", "session", "scene", "audience",
    "document",
)  # fmt: skip


class Timeline(View):
    """`place` counts within a save. A fact concerns its subject and whoever owns an account it moves."""

    name = "timeline"
    version = 2
    told = True
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
            PRIMARY KEY (campaign, position, place);
            CREATE INDEX ON {table} (campaign, kind, position, place);
            CREATE INDEX ON {table} (campaign, ruling, position, place);
            CREATE INDEX ON {table} (campaign, session, position, place);
            CREATE INDEX ON {table} (campaign, scene, position, place)""",
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

    def take(self, transaction: ViewTransaction, saves: Sequence[Saved]) -> None:
        rows: list[Written] = []
        concerned: list[Written] = []
        for saved in saves:
            scenes = self._scenes(transaction, saved, rows)
            for place, (subject, body) in enumerate(saved.facts(), 1):
                scene = scenes.get(body.ruling) or _scene_made(subject, body)
                rows.append(_row(transaction.codec, saved, place, subject, body, scene))
                owners = dict.fromkeys([subject, *map(str, purses.owners(body.postings))])
                concerned += [(saved.campaign, owner, saved.position, place) for owner in owners]
            rows += _decisions(saved)
        transaction.copy("timeline", ROWS, rows)
        transaction.copy("concerns", ("campaign", "subject", "position", "place"), concerned)
        transaction.copy(
            "standing",
            ("campaign", "ruling", "position", "revision"),
            [
                (saved.campaign, ruling, saved.position, revision)
                for saved in saves
                for ruling, revision in saved.marks().items()
            ],
        )

    def _scenes(self, transaction: ViewTransaction, saved: Saved, unwritten: list[Written]) -> dict[int, str | None]:
        """Of the rulings in this save. One that was revised is in the scene of its first revision."""
        rulings = saved.rulings()
        scenes = {number: ruled.scene for number, ruled in rulings.items() if isinstance(ruled, Ruled)}
        again = [number for number in rulings if number not in scenes]
        if again:
            known = transaction.select(
                "SELECT ruling, max(scene) FROM timeline WHERE campaign = %(campaign)s AND ruling = ANY(%(again)s)"
                " GROUP BY ruling",
                {"campaign": saved.campaign, "again": again},
            )
            scenes |= dict(known)
            for row in unwritten:
                ruling, scene = row[4], row[9]
                if row[0] == saved.campaign and isinstance(ruling, int) and isinstance(scene, str) and ruling in again:
                    scenes[ruling] = scene
        return scenes


def _row(codec: Codec, saved: Saved, place: int, subject: str, body: Body[object], scene: str | None) -> Written:
    session = body.fact.session if isinstance(body.fact, SessionOpened) else body.session or None
    made: dict[str, object] = {**fact(codec, subject, body.fact, body.postings)}
    said = made.pop("text")  # beside who recorded it, where it is found to be filled in
    document = {
        "id": f"{saved.position}.{place}",
        "position": saved.position,
        "ruling": body.ruling or None,
        "step": body.step,
        "revision": body.revision,
        **made,
        "at": body.at,
        "session": session,
        "scene": scene,
        "text": said,
        "by": body.by,
    }
    audience = list(body.audience) if body.audience is not None else None
    return (
        saved.campaign, saved.position, place, "fact", body.ruling, body.step, body.revision, document["kind"], session,
        scene, audience, text(document),
    )  # fmt: skip


def _scene_made(subject: str, body: Body[object]) -> str | None:
    return subject.partition(":")[2] if isinstance(body.fact, SceneOpened) else None


def _decisions(saved: Saved) -> Iterator[Written]:
    """Decisions follow the facts of their save. They are told live, and are no facts."""
    place = sum(1 for _ in saved.facts())
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
                "text": of_decision(number, body.by, body.fact.decision, body.fact.reason, body.fact.cause),
                "by": body.by,
            }
            audience = list(body.audience) if body.audience is not None else None
            yield (
                saved.campaign, saved.position, place, "decision", number, 0, 0, f"ledger.{body.fact.decision}",
                body.session or None, None, audience, text(document),
            )  # fmt: skip
