"""Routes that build the models of their answers only for the OpenAPI document.

Every route returns a finished `Response`, so FastAPI never needs the models. Building them would take more than half of
the startup time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from fastapi.routing import APIRoute


class Described(APIRoute):
    """A route that returns a `Response`. Its `response_model` and `responses` are only for the OpenAPI document."""

    def __init__(
        self,
        path: str,
        endpoint: Callable[..., Any],
        *,
        response_model: Any = None,
        responses: dict[int | str, dict[str, Any]] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(path, endpoint, response_model=None, **options)
        self._make_described_route = partial(
            APIRoute, path, endpoint, response_model=response_model, responses=responses, **options
        )

    def build_with_models(self) -> APIRoute:
        """Return the same route with the models of its answers, for the OpenAPI document."""
        return self._make_described_route()
