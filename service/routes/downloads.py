"""GET and POST /downloads: languages that readers may have downloaded, if that is allowed."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import BadRequest, Forbidden, NotFound

from service.fetching.state import want
from service.routes.context import Context, downloads_folder
from service.schemas.downloads import DownloadBody, DownloadsAnswer, offers_to_json
from service.schemas.fields import read_fields
from service.specification.endpoint import JSON, Endpoint, describe

SAME_PLACE = {"same-origin", "none"}
"""What `Sec-Fetch-Site` says of requests that are not another site's."""

LIST = Endpoint(
    summary="Languages that are downloaded, or could be",
    description="Only if the server allows downloads.",
    tag="operations",
    answers={JSON: DownloadsAnswer},
    errors=(404,),
)
DOWNLOAD = Endpoint(
    summary="Download a language",
    description="Only if the server allows downloads. It is offered as soon as it is there.",
    tag="operations",
    body=DownloadBody,
    answers={JSON: DownloadsAnswer},
    errors=(400, 403, 404, 413, 429),
    access="counted",
)


def blueprint(context: Context) -> Blueprint:
    """Return the addresses."""
    routes = Blueprint("downloads", __name__)

    def offers() -> Response:
        here = [language.code for language in context.translator.languages]
        return jsonify(offers_to_json(context.downloading(), here))

    @routes.get("/downloads")
    @describe(LIST)
    def list_offers() -> Response:
        _raise_if_off(context)
        return offers()

    @routes.post("/downloads")
    @describe(DOWNLOAD)
    def download() -> Response:
        _raise_if_off(context)
        if _is_of_another_site():
            raise Forbidden("Downloads cannot be asked for from another site")
        code = read_fields(request).get("language")
        state = context.downloading()
        if not isinstance(code, str) or code not in {*state.available, *state.languages}:
            raise BadRequest("Invalid request: language must be one that GET /downloads lists")
        want(downloads_folder(context.config), code)
        return offers()

    return routes


def _is_of_another_site() -> bool:
    """Return whether a page of another site asks; programs say nothing, and may.

    Browsers send `Sec-Fetch-Site` only to HTTPS and to localhost, but `Origin` with every POST.
    """
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is not None:
        return site not in SAME_PLACE
    return origin is not None and origin.lower().partition("://")[2] != request.host.lower()


def _raise_if_off(context: Context) -> None:
    if context.config.downloads == "off":
        raise NotFound
