"""The settings in the environment. All missing and invalid settings are reported together, by name.

`<setting>_FILE` can name a file with a secret. `..._PASSWORD` can contain the password of a login. An empty setting
counts as not set, except for the operator's token: a script that failed to fill it must not open the service to
everybody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeVar
from urllib.parse import quote, urlsplit

from pydantic import AfterValidator, AliasGenerator, BeforeValidator, Field, ValidationError, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, EnvSettingsSource, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from api.service.database import SHORTEST_KEY
from api.service.hook_addresses import Allowed, parse_allowed
from api.service.options import PERIODS, Rate, parse_origins, parse_public_url, parse_rate
from ledger.errors import Fault
from ledger.events.database_check import SCHEMA
from ledger.events.lines import prefer_primary
from ledger.events.shelves import MOST

DATABASE, OWNER, PROJECTOR = "LEDGER_DATABASE_URL", "LEDGER_OWNER_URL", "LEDGER_PROJECTOR_URL"
DIRECT, READ = "LEDGER_DIRECT_URL", "LEDGER_READ_URL"
KEY, OPERATOR = "LEDGER_SERVER_KEY", "LEDGER_OPERATOR_TOKEN"
#: Logins whose passwords may be set separately.
WITH_PASSWORD = {"LEDGER_DATABASE_PASSWORD": DATABASE, "LEDGER_OWNER_PASSWORD": OWNER}
#: Settings that contain a secret, or a login with a password.
SECRET = (*WITH_PASSWORD, *WITH_PASSWORD.values(), PROJECTOR, DIRECT, READ, KEY, OPERATOR, "LEDGER_METRICS_TOKEN")
#: The settings that a command needs, each with the settings that together can replace it.
Needs = Mapping[str, Sequence[str]]
SERVING: Needs = {DATABASE: (), KEY: ()}
KEEPING: Needs = {DATABASE: (), KEY: (PROJECTOR,)}
MIGRATING: Needs = {DATABASE: (OWNER,), KEY: (DATABASE, OWNER, PROJECTOR)}
SHORTEST_TOKEN = 16  # characters


class Unreadable(str):
    """The reason why a setting cannot be read, in place of its value."""

    __slots__ = ()


class Environment(EnvSettingsSource):
    """The environment. Secrets are read from their files, and passwords are added to their URLs."""

    def __init__(self, settings_cls: type[BaseSettings]) -> None:
        super().__init__(settings_cls)
        values = {name.upper(): value for name, value in self.env_vars.items() if value is not None}
        for name in SECRET:
            path = values.get(f"{name}_FILE")
            if path:
                conflict = Unreadable(f"Set {name} or {name}_FILE, not both.")
                values[name] = conflict if values.get(name) else _read_content(f"{name}_FILE", Path(path))
        for name, url_name in WITH_PASSWORD.items():
            if values.get(name):
                values[url_name] = _add_password(url_name, values.get(url_name, ""), values[name])
        self.env_vars = {name.lower(): value for name, value in values.items() if value or name == OPERATOR}


def _read_content(name: str, path: Path) -> str:
    """Return the file's text without the line end that editors add."""
    try:
        content = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return Unreadable(f"{name} names a file that cannot be read: {path}.")
    return content or Unreadable(f"{name} names a file that is empty: {path}.")


def _add_password(name: str, url: str, password: str) -> str:
    if isinstance(url, Unreadable) or isinstance(password, Unreadable):
        return url if isinstance(url, Unreadable) else password
    parts = urlsplit(url)
    if not (parts.username and parts.hostname) or parts.password:
        return Unreadable(
            f"{name} must look like postgresql://user@host/database, because its password is set separately."
        )
    user, _, host = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{user}:{quote(password, safe='')}@{host}").geturl()


def _must_be_long_enough(key: str) -> str:
    if len(key.encode()) < SHORTEST_KEY:
        raise ValueError
    return key


#: The error about a setting comes from the description of its field, which says what is allowed.
Url = Annotated[str, AfterValidator(prefer_primary)]
Login = Annotated[Url | None, Field(repr=False, description="a login, like postgresql://user:password@host/database")]
Rated = Annotated[Rate | Literal["off"] | None, NoDecode, BeforeValidator(parse_rate)]
RATED = f"off, or a rate like 600/minute (per {' or '.join(PERIODS)})"


class Settings(BaseSettings):
    """The settings for the database and its secrets."""

    model_config = SettingsConfigDict(
        alias_generator=AliasGenerator(validation_alias=lambda name: f"LEDGER_{name.upper()}"),
        hide_input_in_errors=True,
        validate_default=False,
        frozen=True,
    )
    database_url: Login = None
    owner_url: Login = None
    projector_url: Login = None
    direct_url: Login = None
    read_url: Login = None
    prepare: Annotated[Literal["on", "off"], BeforeValidator(str.lower)] = Field("on", description="on or off")
    schema_name: str = Field(SCHEMA, validation_alias="LEDGER_SCHEMA", description="the name of a schema")
    shelves: int | None = Field(None, ge=1, le=MOST, description=f"the number of shelves, 1 to {MOST}")
    server_key: Annotated[str | None, BeforeValidator(_must_be_long_enough)] = Field(
        None, repr=False, description=f"a long random text of at least {SHORTEST_KEY} bytes; tokens are made with it"
    )

    @field_validator("*", mode="before")
    @classmethod
    def refuse_unreadable(cls, value: object) -> object:
        if isinstance(value, Unreadable):
            raise PydanticCustomError("unreadable", "{why}", {"why": str(value)})
        return value

    @classmethod
    def settings_customise_sources(
        cls, settings_cls: type[BaseSettings], *unused: PydanticBaseSettingsSource, **others: PydanticBaseSettingsSource
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the environment as the only source of settings."""
        return (Environment(settings_cls),)


class ServiceSettings(Settings):
    """All settings of the service. None means the service's default (`api.service.options`)."""

    operator_token: str | None = Field(
        None, min_length=SHORTEST_TOKEN, repr=False, description=f"a secret of at least {SHORTEST_TOKEN} characters"
    )
    log_level: Annotated[Literal["debug", "info", "warning", "error"] | None, BeforeValidator(str.lower)] = Field(
        None, description="one of debug, info, warning, error"
    )
    rate_limit: Rated = Field(None, description=RATED)
    address_rate_limit: Rated = Field(None, description=RATED)
    cors_origins: Annotated[tuple[str, ...], NoDecode, BeforeValidator(parse_origins)] = Field(
        (), description="origins like https://table.example, separated by commas"
    )
    public_url: Annotated[str | None, BeforeValidator(parse_public_url)] = Field(
        None, description="the service's public address, like https://table.example"
    )
    hsts: int = Field(0, ge=0, lt=10**9, description="a number of seconds")
    metrics_token: str | None = Field(None, repr=False, description="a secret")
    hooks: Annotated[Literal["on", "off"], BeforeValidator(str.lower)] = Field("on", description="on or off")
    hook_allow: Annotated[Allowed, NoDecode, BeforeValidator(parse_allowed)] = Field(
        Allowed(), description="hosts and networks like bot.lan or 10.1.0.0/16, separated by commas"
    )
    docs: Path | None = Field(None, description="the folder with the documentation")


Kind = TypeVar("Kind", bound=Settings)


def read_settings(settings_class: type[Kind], needs: Needs | None = None) -> Kind:
    """Return all settings of the class. Raise a Fault that names all missing and invalid settings.

    `needs`: the settings that must be set, or their replacements.
    """
    value_by_name = Environment(settings_class)()
    problems = [
        f"{name} is not set. It must be {describe_setting(settings_class, name)}."
        for name, other_names in (needs or {}).items()
        if name not in value_by_name
        and not (other_names and all(other_name in value_by_name for other_name in other_names))
    ]
    try:
        settings = settings_class()
    except ValidationError as problem:
        problems += [
            error["msg"]
            if error["type"] == "unreadable"
            else f"{name} must be {describe_setting(settings_class, name)}."
            for error in problem.errors(include_input=False, include_url=False)
            for name in [str(error["loc"][0])]
        ]
        raise Fault("\n".join(problems), code="bad-setting") from None
    if problems:
        raise Fault("\n".join(problems), code="bad-setting")
    return settings


def describe_setting(settings_class: type[Settings], name: str) -> str | None:
    return next(field.description for field in settings_class.model_fields.values() if field.validation_alias == name)
