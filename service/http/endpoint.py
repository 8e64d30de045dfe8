"""A description of one address, which stands above its handler; what treats it asks this only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from flask import Flask, current_app, request
from pydantic import BaseModel
from werkzeug.routing import Rule

from service.http.errors import ErrorAnswer
from service.http.fields import Fields

View = TypeVar("View", bound=Callable[..., object])
JSON, OCTETS = "application/json", "application/octet-stream"
FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
_ATTRIBUTE = "translator_endpoint"


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """A request and what is answered in JSON; None if there is nothing to show."""

    summary: str
    fields: Fields = field(default_factory=dict)
    answer: object = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Endpoint:
    """What one method of an address does.

    Attributes:
        description: in Markdown, sentence by sentence.
        query: what the query string may say; None if nothing.
        body: the fields of a request; None if it has none.
        status: of an answer that is no error.
        answers: by content type; None is a text of no further form. There is none with status 204.
        errors: statuses that errors may have.
        examples: the first one is the shortest.
        access: `open` to all, or `keyed`: it asks for a key where one is needed. `counted` asks for
            one too, and each request counts among those that are allowed.
        is_quiet: whether a request to it is logged only if it fails: some ask every few seconds.
        is_repeatable: whether a POST to it changes nothing, so that it may be begun twice.
        is_local: whether only the replica that was asked before can answer.
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
    access: Literal["open", "keyed", "counted"] = "open"
    takes_slot: bool = False
    is_quiet: bool = False
    is_repeatable: bool = False
    is_local: bool = False


def describe(endpoint: Endpoint) -> Callable[[View], View]:
    """Return a decorator that gives a handler its description."""

    def decorate(view: View) -> View:
        setattr(view, _ATTRIBUTE, endpoint)
        return view

    return decorate


def description_of(view: Callable[..., object]) -> Endpoint | None:
    """Return the description of a handler; None if it has none."""
    endpoint = getattr(view, _ATTRIBUTE, None)
    return endpoint if isinstance(endpoint, Endpoint) else None


def endpoint_in_hand() -> Endpoint | None:
    """Return the description of the address that the request in hand is for, if it has one."""
    view = current_app.view_functions.get(request.endpoint or "")
    return None if view is None else description_of(view)


def described(app: Flask) -> Iterator[tuple[Rule, str, Endpoint]]:
    """Yield the addresses that have a description, each with its method."""
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        endpoint = description_of(app.view_functions[rule.endpoint])
        if endpoint is not None:
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                yield rule, method, endpoint
