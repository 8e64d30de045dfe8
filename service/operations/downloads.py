"""GET and POST /downloads: languages that readers may have downloaded, if that is allowed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from flask import Blueprint, Response, jsonify, request
from pydantic import Field, RootModel
from werkzeug.exceptions import BadRequest, Forbidden, NotFound

from service.config import ServiceConfig
from service.http.context import Context
from service.http.endpoint import JSON, Endpoint, describe
from service.http.fields import Answer, Body, Json, read_fields
from service.operations.fetcher import State, read_state, want
from translator import models_folder
from translator.downloads.registry import ALL
from translator.language_names import english_name


class DownloadAnswer(Answer):
    """A language whose models are downloaded, or could be."""

    code: str = Field(description="Its code.", examples=["pt"])
    name: str = Field(description="Its English name.", examples=["Portuguese"])
    state: Literal["available", "waiting", "downloading", "importing", "done", "failed"] = Field(
        description="How far it is; `available` could be downloaded."
    )
    done: int = Field(description="Bytes that have come.")
    total: int = Field(description="Bytes of the files that are known so far.")
    error: str = Field(description="Why it has failed; it is tried again.")


class DownloadsAnswer(RootModel[list[DownloadAnswer]]):
    """Languages that are being downloaded, and others that could be."""


UNLISTED = "Invalid request: language must be one that GET /downloads lists"


class DownloadBody(Body):
    """A language to download."""

    missing = wrong = UNLISTED

    language: str = Field(description="Its code.", examples=["pt"])


def downloads_to_json(state: State) -> list[DownloadAnswer]:
    """Return the languages that are wanted, by code."""
    return [
        DownloadAnswer(code=code, name=english_name(code), **asdict(progress))
        for code, progress in sorted(state.languages.items())
    ]


def offers_to_json(state: State, here: Collection[str]) -> list[Json]:
    """Return the languages that are wanted, and those that could be and are not here."""
    others = [
        DownloadAnswer(
            code=code, name=english_name(code), state="available", done=0, total=0, error=""
        )
        for code in state.available
        if code not in state.languages and code not in here
    ]
    wanted = [answer for answer in downloads_to_json(state) if answer.code != ALL]
    answers = [*wanted, *others]
    return [answer.model_dump() for answer in sorted(answers, key=lambda answer: answer.code)]


def downloads_folder(config: ServiceConfig) -> Path:
    """Return where the workers say what is being downloaded."""
    return Path(config.run_folder or models_folder() / ".serving") / "downloads"


def downloading(config: ServiceConfig) -> State:
    """Return what has been and is being downloaded, by all workers together."""
    return read_state(downloads_folder(config)) if config.fetches else State()


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
        return jsonify(offers_to_json(downloading(context.config), here))

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
        code = DownloadBody.read(read_fields(request)).language
        state = downloading(context.config)
        if code not in {*state.available, *state.languages}:
            raise BadRequest(UNLISTED)
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
    return (
        origin is not None
        and origin.lower().partition("://")[2] != request.headers.get("Host", "").lower()
    )


def _raise_if_off(context: Context) -> None:
    if context.config.downloads == "off":
        raise NotFound
