"""How a page is answered: from its template, in the reader's language, under a strict policy."""

from __future__ import annotations

from flask import Response, make_response, render_template, request

from service.routes.pages.wording import choose_language, strings_in, words_of, written_in

PAGE_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)


def reader_language() -> str:
    """Return the language of the page for whoever sends the request in hand."""
    return choose_language(request.args.get("lang"), request.accept_languages)


def page_response(template: str, language: str, **values: object) -> Response:
    """Return a page with its headers.

    Args:
        template: name of the file.
        language: in which the page is written.
        values: for the template.
    """
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
