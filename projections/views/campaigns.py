"""Every campaign with its position, and when each position was reached. `named`: where anybody was named last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ledger.rules.kernel.facts import CampaignForked, CampaignOpened, CharacterEnrolled, SceneOpened
from projections.views.saves import Saved
from projections.views.view import View, ViewTransaction, latest, storable


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
    }

    def take(self, transaction: ViewTransaction, saves: Sequence[Saved]) -> None:
        transaction.copy(
            "saves",
            ("campaign", "position", "at", "did", "ruling"),
            ((one.campaign, one.position, one.at, one.entry.did, one.entry.ruling) for one in saves),
        )
        transaction.copy(
            "campaigns",
            ("campaign", "name", "system", "edition", "opened_at", "at", "position", "rulings", "named"),
            (
                (one.campaign, fact.name, fact.system, fact.edition, one.at, one.at, one.position, 0, 0)
                for one in saves
                for _, body in one.facts
                if isinstance(fact := body.fact, CampaignOpened)
            ),
        )
        self._rename(transaction, saves)
        rulings: dict[str, int] = {}
        named: dict[str, int] = {}
        for one in saves:
            rulings[one.campaign] = max(rulings.get(one.campaign, 0), *one.rulings, 0)
            if one.marks or any(isinstance(body.fact, CharacterEnrolled | SceneOpened) for _, body in one.facts):
                named[one.campaign] = one.position
        last = latest(saves).values()
        transaction.cursor.execute(
            b"UPDATE campaigns SET position = reached.position, at = reached.at,"
            b" rulings = greatest(campaigns.rulings, reached.rulings), named = greatest(campaigns.named, reached.named)"
            b" FROM unnest(%s::text[], %s::bigint[], %s::timestamptz[], %s::int[], %s::bigint[])"
            b" AS reached(campaign, position, at, rulings, named) WHERE campaigns.campaign = reached.campaign",
            (
                [one.campaign for one in last],
                [one.position for one in last],
                [one.at for one in last],
                [rulings[one.campaign] for one in last],
                [named.get(one.campaign, 0) for one in last],
            ),
        )

    def _rename(self, transaction: ViewTransaction, saves: Sequence[Saved]) -> None:
        """A fork has a name of its own, from its own first save on."""
        forked = ((one.campaign, body.fact) for one in saves for _, body in one.facts)
        names = {campaign: fact.name for campaign, fact in forked if isinstance(fact, CampaignForked)}
        if names:
            transaction.cursor.execute(
                b"UPDATE campaigns SET name = given.name FROM unnest(%s::text[], %s::text[]) AS given(campaign, name)"
                b" WHERE campaigns.campaign = given.campaign",
                ([*names], [*map(storable, names.values())]),
            )
