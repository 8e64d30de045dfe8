"""A description of one address, which stands above its handler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel

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
        body: the fields of a request; None if it has none.
        body_types: the content types of a body.
        answers: by content type; None is a text of no further form.
        errors: statuses that errors may have.
        examples: the first one is the shortest.
    """

    summary: str
    description: str = ""
    tag: str
    body: type[BaseModel] | None = None
    body_types: tuple[str, ...] = (JSON, FORM, MULTIPART)
    answers: Mapping[str, type[BaseModel] | None]
    errors: tuple[int, ...] = ()
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
