"""Every campaign with its position, and the time of each position. `named`: the position of the last naming.
`editions`: the editions of each game that were ever played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from ledger.errors import Newer
from ledger.events.records_of_journal import UNSAID
from ledger.rules import systems
from ledger.rules.kernel.facts import CampaignForked, CampaignOpened, CharacterEnrolled, SceneOpened
from projections.views.saves import Saved
from projections.views.view import View, ViewTransaction, index_last_saves, make_storable


def check_edition(editions: Iterable[tuple[str, int]]) -> None:
    """Raise Newer if one of these editions is later than the installed one of its game."""
    for system, edition in editions:
        ruleset = systems().get(system)
        if ruleset is not None and edition > ruleset.edition:
            raise Newer(
                f"Campaigns were played with edition {edition} of {ruleset.title}, but edition {ruleset.edition} is"
                f" installed. Install edition {edition}. Nothing was changed."
            )


class Campaigns(View):
    name = "campaigns"
    tables: ClassVar[Mapping[str, str]] = {
        "campaigns": """
            campaign text COLLATE "C" PRIMARY KEY,
            name text NOT NULL,
            system text NOT NULL,
            edition integer NOT NULL,
            opened_at timestamptz NOT NULL,
            at timestamptz NOT NULL,
            position bigint NOT NULL,
            rulings integer NOT NULL,
            named bigint NOT NULL""",
        "saves": """
            campaign text COLLATE "C" NOT NULL,
            position bigint NOT NULL,
            at timestamptz NOT NULL,
            did text NOT NULL,
            ruling integer,
            PRIMARY KEY (campaign, position)""",
        "editions": """
            system text NOT NULL,
            edition integer NOT NULL,
            PRIMARY KEY (system, edition)""",
    }

    def __init__(self) -> None:
        super().__init__()
        self._noted_editions: set[tuple[str, int]] = set()

    def apply_saves(self, transaction: ViewTransaction, saves: Sequence[Saved]) -> None:
        transaction.copy_rows(
            "saves",
            ("campaign", "position", "at", "did", "ruling"),
            ((save.campaign, save.position, save.at, save.entry.did, save.entry.ruling) for save in saves),
        )
        transaction.copy_rows(
            "campaigns",
            ("campaign", "name", "system", "edition", "opened_at", "at", "position", "rulings", "named"),
            (
                (save.campaign, fact.name, fact.system, fact.edition, save.at, save.at, save.position, 0, 0)
                for save in saves
                for _, body in save.facts
                if isinstance(fact := body.fact, CampaignOpened)
            ),
        )
        self._rename_forks(transaction, saves)
        self._note_editions(transaction, saves)
        last_numbers: dict[str, int] = {}
        naming_positions: dict[str, int] = {}
        for save in saves:
            last_numbers[save.campaign] = max(last_numbers.get(save.campaign, 0), *save.rulings, 0)
            if (
                save.single_changes
                or save.rewound_numbers
                or any(isinstance(body.fact, CharacterEnrolled | SceneOpened) for _, body in save.facts)
            ):
                naming_positions[save.campaign] = save.position
        last_saves = index_last_saves(saves).values()
        transaction.cursor.execute(
            b"UPDATE campaigns SET position = reached.position, at = reached.at,"
            b" rulings = greatest(campaigns.rulings, reached.rulings), named = greatest(campaigns.named, reached.named)"
            b" FROM unnest(%s::text[], %s::bigint[], %s::timestamptz[], %s::int[], %s::bigint[])"
            b" AS reached(campaign, position, at, rulings, named) WHERE campaigns.campaign = reached.campaign",
            (
                [save.campaign for save in last_saves],
                [save.position for save in last_saves],
                [save.at for save in last_saves],
                [last_numbers[save.campaign] for save in last_saves],
                [naming_positions.get(save.campaign, 0) for save in last_saves],
            ),
        )

    def _note_editions(self, transaction: ViewTransaction, saves: Sequence[Saved]) -> None:
        """Note the editions. Raise Newer if a later edition than the installed one saved something."""
        editions_played = {
            (transaction.find_system(campaign).name, edition)
            for campaign, edition in {(save.campaign, save.entry.edition) for save in saves}
            if edition != UNSAID
        }
        if new_editions := editions_played - self._noted_editions:
            check_edition(new_editions)
            system_names, editions = zip(*sorted(new_editions), strict=True)
            transaction.cursor.execute(
                b"INSERT INTO editions SELECT * FROM unnest(%s::text[], %s::int[]) ON CONFLICT DO NOTHING",
                ([*system_names], [*editions]),
            )
            self._noted_editions |= new_editions

    def _rename_forks(self, transaction: ViewTransaction, saves: Sequence[Saved]) -> None:
        """Give a fork its own name, from its own first save on."""
        facts = ((save.campaign, body.fact) for save in saves for _, body in save.facts)
        names_by_campaign = {campaign: fact.name for campaign, fact in facts if isinstance(fact, CampaignForked)}
        if names_by_campaign:
            transaction.cursor.execute(
                b"UPDATE campaigns SET name = given.name FROM unnest(%s::text[], %s::text[]) AS given(campaign, name)"
                b" WHERE campaigns.campaign = given.campaign",
                ([*names_by_campaign], [*map(make_storable, names_by_campaign.values())]),
            )
