"""A description of one address, which stands above its handler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel

from service.schemas.errors import ErrorAnswer

View = TypeVar("View", bound=Callable[..., Any])

JSON = "application/json"
FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
_ATTRIBUTE = "translator_endpoint"


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """A request and what is answered.

    Attributes:
        summary: what it shows.
        fields: of the request.
        answer: in JSON; None if there is nothing to show.
    """

    summary: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    answer: Any = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Endpoint:
    """What one method of an address does.

    Attributes:
        summary: in a few words.
        description: in Markdown, sentence by sentence.
        tag: the group it belongs to.
        query: what the query string may say; None if nothing.
        body: the fields of a request; None if it has none.
        body_types: the content types of a body.
        status: of an answer that is no error.
        answers: by content type; None is a text of no further form. There is none with status 204.
        errors: statuses that errors may have.
        error: what an error says.
        examples: the first one is the shortest.
    """

    summary: str
    description: str = ""
    tag: str
    query: type[BaseModel] | None = None
    body: type[BaseModel] | None = None
    body_types: tuple[str, ...] = (JSON, FORM, MULTIPART)
    status: int = 200
    answers: Mapping[str, type[BaseModel] | None]
    errors: tuple[int, ...] = ()
    error: type[BaseModel] = ErrorAnswer
    examples: tuple[Example, ...] = ()


def describe(endpoint: Endpoint) -> Callable[[View], View]:
    """Return a decorator that gives a handler its description."""

    def decorate(view: View) -> View:
        setattr(view, _ATTRIBUTE, endpoint)
        return view

    return decorate


def description_of(view: Callable[..., Any]) -> Endpoint | None:
    """Return the description of a handler; None if it has none."""
    found = getattr(view, _ATTRIBUTE, None)
    return found if isinstance(found, Endpoint) else None
