"""All of DeepL's addresses, and how their answers are written."""

from __future__ import annotations

from flask import Blueprint, Response, g, json, request

from service.deepl.account import Accounts, add_usage
from service.deepl.documents import add_documents
from service.deepl.glossaries import add_glossaries
from service.deepl.languages import add_languages, add_support
from service.deepl.translate import add_translate
from service.http.context import Context
from service.http.errors import BANNED, INVALID_KEY, KEY_REQUIRED

NAME = "deepl"
METHODS = "GET, POST, PUT, PATCH, DELETE"
QUOTA_EXCEEDED = 456
SOON_S = 3600
"""Who has to wait longer than this is told of a quota, so that clients do not try again."""

STATUSES = {
    KEY_REQUIRED: 403,
    INVALID_KEY: 403,
    BANNED: QUOTA_EXCEEDED,
    "text_too_long": 413,
    "file_too_large": 413,
}
"""Where DeepL has another status than ours, by our code."""


def blueprint(context: Context) -> Blueprint:
    """Return the addresses."""
    routes = Blueprint(NAME, __name__)
    accounts = Accounts(context)
    add_translate(routes, context, accounts)
    add_languages(routes, context)
    add_support(routes, context)
    add_usage(routes, accounts)
    add_documents(routes, context, accounts)
    add_glossaries(routes, context, accounts)
    routes.after_request(as_deepl_says)
    return routes


def as_deepl_says(response: Response) -> Response:
    """Return an answer with DeepL's headers and, if it is an error, in DeepL's words."""
    record = g.get("record")
    if record is not None:
        response.headers.add("X-Trace-ID", record.id)
    if request.method == "OPTIONS":
        response.headers["Access-Control-Allow-Methods"] = METHODS
    if response.status_code >= 400 and response.is_json:
        fields = json.loads(response.get_data())
        status = STATUSES.get(fields["code"], response.status_code)
        wait_s = response.headers.get("Retry-After", "0")
        if status == 429 and wait_s.isdigit() and int(wait_s) > SOON_S:
            status = QUOTA_EXCEEDED
        response.status_code = status
        response.data = json.dumps({"message": fields["error"]})
    return response
