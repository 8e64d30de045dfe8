"""How a page is answered: its template in words of the reader's language, under a strict policy.

Each language has a file in `service/strings`, and another in its folder `summaries`.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from types import SimpleNamespace

from flask import Response, make_response, render_template, request
from werkzeug.datastructures import LanguageAccept

from service.http.fields import Json

STRINGS = Path(__file__).parents[1] / "strings"
FIRST = "en"
"""The language of a page for readers in whose own it is not written."""

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@functools.cache
def written_in() -> tuple[str, ...]:
    """Return the codes of the languages that there is a file of, English first."""
    codes = sorted(path.stem for path in STRINGS.glob("*.json"))
    return (FIRST, *(code for code in codes if code != FIRST))


@functools.cache
def strings_in(language: str) -> Json:
    """Return all strings of a language of `written_in`."""
    strings: Json = json.loads((STRINGS / f"{language}.json").read_text(encoding="utf-8"))
    return strings


@functools.cache
def summaries_in(language: str) -> dict[str, str]:
    """Return groups of addresses and summaries by their English; English itself needs none."""
    path = STRINGS / "summaries" / f"{language}.json"
    if not path.exists():
        return {}
    summaries: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return summaries


def choose_language(chosen: str | None, accepted: LanguageAccept) -> str:
    """Return the language of the page: the reader's choice, or what the browser asks for."""
    if chosen in written_in():
        return str(chosen)
    accepted_codes = (code.partition("-")[0].lower() for code in accepted.values())
    return next((code for code in accepted_codes if code in written_in()), FIRST)


def words_of(strings: Json) -> SimpleNamespace:
    """Return strings as a template names them: `t.page.copy`, which in a dict is a method."""
    words: SimpleNamespace = json.loads(
        json.dumps(strings), object_hook=lambda fields: SimpleNamespace(**fields)
    )
    return words


def reader_language() -> str:
    """Return the language of the page for whoever sends the request in hand."""
    return choose_language(request.args.get("lang"), request.accept_languages)


def page_response(template: str, language: str, **values: object) -> Response:
    """Return a page with its headers, written in a language from the file of its template."""
    strings = strings_in(language)
    others = [(code, strings_in(code)["language"]) for code in written_in() if code != language]
    page = make_response(
        render_template(
            template,
            lang=language,
            t=words_of(strings),
            strings=strings,
            other_languages=others,
            **values,
        )
    )
    page.headers["Content-Security-Policy"] = PAGE_POLICY
    page.headers["Content-Language"] = language
    page.headers["Vary"] = "Accept-Language"
    return page
