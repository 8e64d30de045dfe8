"""GET /: a page for people."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, render_template

from service.routes.context import Context

PAGE_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)


def blueprint(context: Context) -> Blueprint:
    """Return the address."""
    routes = Blueprint("page", __name__)

    @routes.get("/")
    def page() -> Response:
        languages = context.translator.languages
        source = languages[0]
        others = [code for code in source.targets if code != source.code]
        page = make_response(
            render_template(
                "page.html",
                languages=languages,
                source=source.code,
                target=others[0] if others else source.code,
                char_limit=context.config.char_limit,
            )
        )
        page.headers["Content-Security-Policy"] = PAGE_POLICY
        return page

    return routes
