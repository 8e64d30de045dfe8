"""POST /translate_file and GET /download_file/NAME."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, jsonify, request, send_file, url_for
from werkzeug.exceptions import Forbidden, NotFound

from service import documents
from service.connection import SOCKET, raise_if_gone
from service.routes.context import Context
from service.schemas.files import (
    FileAnswer,
    FileBody,
    FileRequest,
    file_to_json,
    name_in,
)
from service.schemas.translate.request import AUTO, check_pair
from service.specification.endpoint import JSON, MULTIPART, Endpoint, describe
from service.translation.plan import unread
from translator.text.formats.document import Document

SWITCHED_OFF = "Files translation are disabled on this server."
GONE = "There is no such file: it was kept for a while only; translate it again"

TRANSLATE_FILE = Endpoint(
    summary="Translate a file",
    description="The answer has the address of the translated file, which is kept for a while. "
    "These kinds of files are translated: "
    f"{documents.named_kinds()}. `GET /frontend/settings` lists the endings.",
    tag="translation",
    body=FileBody,
    body_types=(MULTIPART,),
    answers={JSON: FileAnswer},
    errors=(400, 403, 413, 429, 503, 504),
)
DOWNLOAD = Endpoint(
    summary="Fetch a translated file",
    tag="translation",
    answers={"*/*": None},
    errors=(404,),
)


def blueprint(context: Context) -> Blueprint:
    """Return the addresses."""
    routes = Blueprint("files", __name__)
    config, translator = context.config, context.translator

    @routes.post("/translate_file")
    @describe(TRANSLATE_FILE)
    def translate() -> Response:
        if config.files == "off":
            raise Forbidden(SWITCHED_OFF)
        wanted = FileRequest.read(
            request.form, request.files, translator.languages, documents.formats()
        )
        with context.place():
            document = documents.read(
                wanted.name, wanted.content, wanted.target, wanted.options
            )
            content, translations = documents.translate(
                translator,
                document,
                source=source_of(context, wanted.source, wanted.target, document),
                target=wanted.target,
                timeout_s=config.timeout_s or None,
                while_waiting=partial(raise_if_gone, request.environ.get(SOCKET)),
            )
        stored = context.downloads.add(name_in(wanted.name, wanted.target), content)
        url = url_for("files.download", stored=stored, _external=True)
        return jsonify(file_to_json(url, translations))

    @routes.get("/download_file/<stored>")
    @describe(DOWNLOAD)
    def download(stored: str) -> Response:
        found = context.downloads.find(stored)
        if found is None:
            raise NotFound(GONE)
        path, name = found
        response = send_file(
            path,
            as_attachment=True,
            download_name=name,
            max_age=0,
            mimetype=documents.media_type_of(name),
        )
        response.headers["Cache-Control"] = "private, no-store"
        return response

    return routes


def source_of(context: Context, source: str, target: str, document: Document[bytes]) -> str:
    """Return the language of a file, which is detected if it is `auto`.

    Raises:
        InputError: it is not translated into the language wanted.
    """
    languages = context.translator.languages
    if source != AUTO:
        return source
    detection = context.detector.examine(documents.sample_of(document))
    if (other := detection.other) is not None:
        raise unread(other, "the file")
    detected = detection.languages
    by_code = {language.code: language for language in languages}
    found = by_code[detected[0].language] if detected else languages[0]
    check_pair(found, by_code[target])
    return found.code
