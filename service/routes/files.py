"""POST /translate_file and GET /download_file/NAME."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from queue import SimpleQueue

from flask import (
    Blueprint,
    Response,
    copy_current_request_context,
    jsonify,
    request,
    send_file,
    url_for,
)
from werkzeug.exceptions import Forbidden, NotFound

from service.connection import ClientGone, patience_of
from service.documents import files as documents
from service.routes.context import Context
from service.routes.streaming import EVENT_STREAM, NDJSON, streamed, streamed_type
from service.schemas.fields import Json
from service.schemas.files import (
    FileAnswer,
    FileBody,
    FileEvent,
    FileProgress,
    FileRequest,
    file_to_json,
    name_in,
    with_wrong_numbers,
)
from service.schemas.translate.answer import ServerSentEvent
from service.schemas.translate.request import AUTO, check_pair
from service.specification.endpoint import JSON, MULTIPART, Endpoint, describe
from service.translation.events import Event
from service.translation.plan import finder_of
from translator.detection.detector import Detected
from translator.detection.sources import SourceFinder
from translator.documents.document import Document
from translator.patience import Patience
from translator.translate.options import TextOptions
from translator.translate.translation import SentenceTranslation, Translation

SWITCHED_OFF = "Files translation are disabled on this server."
GONE = "There is no such file: it was kept for a while only; translate it again"

TRANSLATE_FILE = Endpoint(
    summary="Translate a file",
    description="The answer has the address of the translated file, which is kept for a while. "
    "These kinds of files are translated: "
    f"{documents.named_kinds()}. `GET /frontend/settings` lists the endings. "
    "With `Accept: application/x-ndjson` or `text/event-stream`, the progress is told meanwhile, "
    "and the answer at the end.",
    tag="translation",
    body=FileBody,
    body_types=(MULTIPART,),
    answers={JSON: FileAnswer, NDJSON: FileEvent, EVENT_STREAM: ServerSentEvent},
    errors=(400, 403, 413, 429, 503, 504),
    access="counted",
    takes_place=True,
)
DOWNLOAD = Endpoint(
    summary="Fetch a translated file",
    tag="translation",
    answers={"*/*": None},
    errors=(404,),
    is_local=True,
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
        file_request = FileRequest.read(
            request.form, request.files, translator.languages, documents.formats()
        )
        work = FileWork(context, file_request, patience_of(config, request))
        mimetype = streamed_type(request.headers.get("Accept", ""))
        if mimetype is None:
            with context.place(), work.opened() as document:
                return jsonify(work.translate(document, lambda done, total: None))
        return streamed(_events(context, work), mimetype)

    @routes.get("/download_file/<stored>")
    @describe(DOWNLOAD)
    def download(stored: str) -> Response:
        file = context.downloads.find(stored)
        if file is None:
            raise NotFound(GONE)
        path, name = file
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


@dataclass(frozen=True, slots=True)
class FileWork:
    """A file to translate; patience is for reading, translating and writing together."""

    context: Context
    request: FileRequest
    patience: Patience

    def opened(self) -> AbstractContextManager[Document[bytes]]:
        """Read the file; see `documents.opened`."""
        return documents.opened(
            self.request.name,
            self.request.content,
            self.request.target,
            self.request.options,
            self.patience,
        )

    def translate(self, document: Document[bytes], on_progress: Callable[[int, int], None]) -> Json:
        """Translate it, keep the translation, and return the answer."""
        wrong = list[SentenceTranslation]()
        source, finder, detected = self.source_of(document)
        told = replace(self, patience=self.patience.telling(on_progress))
        stored = told.store(
            document,
            source,
            finder,
            lambda translation: wrong.extend(with_wrong_numbers(translation)),
        )
        url = url_for("files.download", stored=stored, _external=True)
        return file_to_json(url, wrong, document.left_alone, detected)

    def source_of(
        self, document: Document[bytes]
    ) -> tuple[str, SourceFinder | None, Detected | None]:
        """Return the language of the file; if it is `auto`, also what has found it, and how sure.

        Raises:
            InputError: it is not translated into the language wanted.
            UnreadLanguageError: no model reads it.
        """
        if self.request.source != AUTO:
            return self.request.source, None, None
        target, languages = self.request.target, self.context.translator.languages
        by_code = {language.code: language for language in languages}
        finder = finder_of(target, languages, self.context.detector)
        detected = finder.of_text(documents.sample_of(document), "the file")
        check_pair(by_code[detected.language], by_code[target])
        return detected.language, finder, detected

    def store(
        self,
        document: Document[bytes],
        source: str,
        finder: SourceFinder | None,
        on_unit: Callable[[Translation], object] = lambda translation: None,
    ) -> str:
        """Translate the document and keep the translation; return what it is fetched by.

        Args:
            document: the file as it was read.
            source: code of its language.
            finder: finds sentences in other languages.
            on_unit: called with the translation of each unit.
        """
        options = TextOptions(
            source=source,
            target=self.request.target,
            finder=finder,
            glossary=self.request.glossary,
            formality=self.request.formality.get(source),
        )
        content = self.context.served.translate_document(document, options, self.patience, on_unit)
        return self.context.downloads.add(name_in(self.request.name, self.request.target), content)


def _events(context: Context, work: FileWork) -> Generator[Event, None, None]:
    """Yield how far the work is, and the answer; it is done on a thread, which ends with this."""
    events = SimpleQueue[Event | BaseException]()
    is_unwanted = threading.Event()

    def look() -> None:
        if is_unwanted.is_set():
            raise ClientGone
        work.patience.look()

    def tell(done: int, total: int) -> None:
        events.put(FileProgress(type="progress", done=done, total=total).model_dump())

    watched = replace(work, patience=work.patience.looking(look))
    with context.place(), watched.opened() as document:

        def run() -> None:
            try:
                answer = watched.translate(document, tell)
                events.put({"type": "answer", "answer": answer})
            except BaseException as error:  # whoever waits for events must hear of all
                events.put(error)

        thread = threading.Thread(target=copy_current_request_context(run), name="file")
        thread.start()
        try:
            yield from _until_answered(events)
        finally:
            is_unwanted.set()
            thread.join()


def _until_answered(events: SimpleQueue[Event | BaseException]) -> Iterator[Event]:
    """Yield the events up to the answer, without those that repeat the one before."""
    before: Event = {}
    while before.get("type") != "answer":
        event = events.get()
        if isinstance(event, BaseException):
            raise event
        if event != before:
            yield event
        before = event
