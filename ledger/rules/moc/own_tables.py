"""The tables that a campaign can change (heading "Skills").

They list skills, weapons, hit locations, healing periods, target numbers by AG, and uses of beads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ledger.rules.kernel.kit import (
    CAMPAIGN,
    GM,
    OPEN,
    Among,
    Between,
    Domain,
    Either,
    Entries,
    Move,
    Names,
    Refusal,
    Seen,
    Some,
    Story,
    changed,
    changes,
    decides,
    declares,
    fact,
    listed,
    offers,
)
from ledger.rules.moc import actions, characters, dice, hits, pools, recovery
from ledger.rules.moc.draft import DAMAGE_POOL, Draft, nobody_acts
from ledger.rules.moc.shown import fix
from ledger.rules.moc.state import Campaign
from ledger.rules.moc.types import Location, RowField, RowName, RowValue, Skill, TableName, Weapon
from ledger.rules.moc.words import (
    ARCHETYPES,
    CASCADE,
    CHARACTERISTICS,
    DAMAGE_ABOVE_SIX,
    ELEMENTS,
    FACE_OUT_OF_RANGE,
    MOST_DAMAGE,
    NEGATIVE_DICE,
    PRIMARIES,
    TIME_NOT_POSITIVE,
    TN_BELOW_FLOOR,
    UNKNOWN_ARCHETYPE,
    UNKNOWN_CHARACTERISTIC,
    UNKNOWN_ELEMENT,
    VALUE_NOT_POSITIVE,
    Sent,
    by_value,
    read_characteristic,
    read_element,
    read_primary,
    read_whole,
    say_count,
    say_with,
    say_word,
)

UNKNOWN_TABLE = Refusal(actions.SKILL_ENTRY, "unknown-table", "There is no table {table}.")
UNKNOWN_DIFFICULTY = Refusal(
    actions.SKILL_ENTRY,
    "unknown-difficulty",
    "A difficulty is 0 (easy), 1 (normal) or 2 (difficult), not {difficulty}.",
)


def say_row(fact: TableRowSet, names: Names) -> str:
    if fact.skill is not None:
        return f"{fact.row} is a skill: {_say_skill(fact.skill)}."
    if fact.weapon is not None:
        return f"{fact.row} is a weapon: {_say_weapon(fact.weapon)}."
    if fact.location is not None:
        return f"{fact.row.capitalize()} is a hit location: {_say_location(fact.location)}."
    match fact.table:
        case "healing":
            return f"Damage level {fact.row} takes {say_count(fact.number, 'day', 'days')} to heal."
        case "ag":
            return f"AG {fact.row} has target number {fact.number}."
        case _:
            return say_with(f"{characters.say_archetype(fact.row)} has a special use for beads", fact.text)


DIFFICULTIES = ("easy", "normal", "difficult")


def _say_skill(skill: Skill) -> str:
    other_words = listed(map(say_word, skill.others))
    return f"{say_word(skill.element)}, {say_word(skill.primary)} with {other_words}, {DIFFICULTIES[skill.difficulty]}"


def _say_weapon(weapon: Weapon) -> str:
    added_words = f"{say_word(weapon.adds)} + " if weapon.adds else ""
    return f"{'lethal, ' if weapon.lethal else ''}damage {added_words}{weapon.damage}, lethality {weapon.lethality}"


def _say_location(location: Location) -> str:
    face_words = str(location.low) if location.low == location.high else f"{location.low} to {location.high}"
    return f"{face_words} on the die, severity {location.severity}"


@fact("table-row-set", says=say_row, headline=41)
class TableRowSet:
    """A row of one of the campaign's tables was set. `table`: skills, weapons, locations, healing, ag or uses. Of the
    remaining fields, only the one for that table has a value.
    """

    table: TableName
    row: RowName
    skill: Skill | None = None
    weapon: Weapon | None = None
    location: Location | None = None
    number: int = 0
    text: Story = ""


@changes
def set_row_of(state: Campaign, fact: TableRowSet) -> Campaign | None:
    match fact.table:
        case "skills":
            return changed(state, skills={**state.skills, fact.row: fact.skill or Skill("action", "body", (), 0)})
        case "weapons":
            return changed(state, weapons={**state.weapons, fact.row: fact.weapon or Weapon(False, 0, 0)})
        case "locations":
            return changed(state, locations={**state.locations, fact.row: fact.location or Location(0, 0, 0)})
        case "healing":
            return changed(state, healing={**state.healing, fact.row: fact.number})
        case "ag":
            return changed(state, ag={**state.ag, fact.row: fact.number})
        case "uses":
            return changed(state, uses={**state.uses, fact.row: fact.text})
        case _:
            return None


@nobody_acts
@declares(
    "set-table-row",
    GM,
    says=by_value(
        "table",
        {
            "skills": "The list of skills changes: {row}.",
            "weapons": "The list of weapons changes: {row}.",
            "locations": "The list of hit locations changes: {row}.",
            "healing": "The healing periods change: damage {row}.",
            "ag": "The target numbers by AG change: {row}.",
            "uses": "The archetypes' own uses of beads change: {row}.",
        },
    ),
    records=(TableRowSet,),
)
class SetTableRow:
    """Add or change a row in one of the campaign's tables. `table`: skills, weapons, locations, healing, ag or uses.

    `values`: the values of the row, by column. Skills: element, primary, others, difficulty. Weapons: lethal, damage,
    lethality, adds. Hit locations: low, high, severity. Healing: days. AG: tn. Uses: text.
    """

    table: TableName
    row: RowName
    values: Mapping[RowField, RowValue]


@decides
def set_table_row(draft: Draft, do: SetTableRow) -> None:
    values = dict(do.values)
    match do.table:
        case "skills":
            fact = TableRowSet("skills", do.row, skill=_read_skill(values))
        case "weapons":
            lethality = read_whole(values.get("lethality"), VALUE_NOT_POSITIVE, DAMAGE_POOL, 1)
            damage = read_whole(values.get("damage"), NEGATIVE_DICE, DAMAGE_POOL)
            adds = str(values.get("adds") or "")
            if adds:
                read_characteristic(adds, DAMAGE_POOL)
            weapon = Weapon(bool(values.get("lethal", False)), damage, lethality, adds)
            fact = TableRowSet("weapons", do.row, weapon=weapon)
        case "locations":
            low, high = (
                read_whole(values.get(column), VALUE_NOT_POSITIVE, hits.LOCATION, 1) for column in ("low", "high")
            )
            severity = values.get("severity", 0)
            if type(severity) is not int or high > 10:
                raise FACE_OUT_OF_RANGE.under(hits.LOCATION, low=low, high=high)
            fact = TableRowSet("locations", do.row, location=Location(low, high, severity))
        case "healing":
            days = read_whole(values.get("days"), TIME_NOT_POSITIVE, recovery.HEALING_RULE, 1)
            if do.row not in map(str, range(1, MOST_DAMAGE + 1)):
                raise DAMAGE_ABOVE_SIX.under(recovery.HEALING_RULE, damage=do.row)
            fact = TableRowSet("healing", do.row, number=days)
        case "ag":
            fact = TableRowSet("ag", do.row, number=read_whole(values.get("tn"), TN_BELOW_FLOOR, dice.TARGET_NUMBER, 2))
        case "uses":
            if do.row not in ARCHETYPES:
                raise UNKNOWN_ARCHETYPE.under(pools.BEAD_USE, archetype=do.row)
            fact = TableRowSet("uses", do.row, text=str(values.get("text") or ""))
        case _:
            raise UNKNOWN_TABLE(table=do.table)
    draft.tell(CAMPAIGN, fact)
    draft.by(actions.SKILL_ENTRY, do.row, table=do.table)


def _read_skill(values: dict[str, Sent]) -> Skill:
    """Return a row of the skills. Refuses `unknown-element`, `unknown-characteristic`, `unknown-difficulty`."""
    element, primary = (
        read_element(values.get("element"), actions.SKILL_ENTRY),
        read_primary(values.get("primary"), actions.SKILL_ENTRY),
    )
    others = values.get("others")
    names_sent = (others,) if isinstance(others, str) and others else others
    names = tuple(map(str, names_sent)) if isinstance(names_sent, Iterable) else ()
    if element == "storytelling":
        raise UNKNOWN_ELEMENT.under(actions.SKILL_ENTRY, element=element)
    if not names or any(primary not in CASCADE.get(name, ()) for name in names):
        raise UNKNOWN_CHARACTERISTIC.under(actions.SKILL_ENTRY, others=list(names))
    difficulty = values.get("difficulty", 0)
    if type(difficulty) is not int or difficulty not in (0, 1, 2):
        raise UNKNOWN_DIFFICULTY(difficulty=str(difficulty))
    return Skill(element, primary, names, difficulty)


@offers
def offer_rows(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer new rows and changes to the campaign's tables."""
    location_domains: dict[str, Domain] = {"low": Between(1, 10), "high": Between(1, 10), "severity": Between()}
    weapon_domains: dict[str, Domain] = {
        "lethal": Among((False, True)),
        "damage": Between(0),
        "lethality": Between(1),
        "adds": Among(("", *CHARACTERISTICS)),
    }
    damage_domain = Among(tuple(map(str, range(1, MOST_DAMAGE + 1))))
    rows: tuple[tuple[str, Domain, Domain], ...] = (
        ("skills", OPEN, _make_skill_domain()),
        ("weapons", OPEN, Entries(weapon_domains, ("damage", "lethality"))),
        ("locations", OPEN, Entries(location_domains, ("low", "high"))),
        ("healing", damage_domain, Entries({"days": Between(1)}, ("days",))),
        ("ag", OPEN, Entries({"tn": Between(2)}, ("tn",))),
        ("uses", Among(tuple(ARCHETYPES)), Entries({"text": OPEN})),
    )
    for table, row_domain, values_domain in rows:
        yield Move(SetTableRow, {"table": fix(table), "row": row_domain, "values": values_domain})


def _make_skill_domain() -> Domain:
    """Return the domain of a skill's values: an Element other than Storytelling, and characteristics of its Primary."""
    elements = Among(tuple(element for element in ELEMENTS if element != "storytelling"))
    return Either(
        tuple(
            Entries(
                {
                    "element": elements,
                    "primary": fix(primary),
                    "difficulty": Among((0, 1, 2)),
                    "others": Some(Among(tuple(name for name, above in CASCADE.items() if primary in above)), 1),
                },
                ("element", "primary", "others"),
            )
            for primary in PRIMARIES
        )
    )
