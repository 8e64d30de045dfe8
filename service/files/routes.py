"""POST /translate_file and GET /download_file/NAME, with LibreTranslate's messages."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from queue import SimpleQueue
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from flask import (
    Blueprint,
    Response,
    copy_current_request_context,
    jsonify,
    request,
    send_file,
    url_for,
)
from pydantic import Field, RootModel
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.exceptions import Forbidden, NotFound

from service.files.kept import kept_files
from service.files.process import SubprocessDocument
from service.http.context import Context
from service.http.endpoint import JSON, MULTIPART, OCTETS, Endpoint, describe
from service.http.errors import DetectedLanguage
from service.http.fields import Answer, Body, Json
from service.http.site import origin
from service.http.streaming import (
    EVENT_STREAM,
    NDJSON,
    ClientGone,
    ErrorEvent,
    ServerSentEvent,
    deadline_of,
    streamed,
    streamed_type,
)
from service.libretranslate.answer import Numbers
from service.libretranslate.request import (
    AUTO,
    FormOfAddress,
    check_pair,
    forms_of_address,
    language_of,
)
from service.libretranslate.work import finder_of
from translator import (
    NO_DEADLINE,
    Deadline,
    Detected,
    Document,
    SentenceTranslation,
    SourceFinder,
    TextOptions,
    Translation,
)
from translator.documents.kinds import (
    NO_OPTIONS,
    FileKind,
    FileOptions,
    check_is_read,
    kind_of,
    kinds_by_ending,
    read_file,
)
from translator.errors import InputError

if TYPE_CHECKING:
    from translator import Formality, Glossary, Language


SMALL_BYTES = 64 << 10
"""A file with no more is read in the worker itself, unless its pages are painted, as in PDF."""

SAMPLE_CHARS = 4000
"""Of a file, to tell its language by."""


def named_kinds() -> str:
    """Return the names of the kinds of files, as one text for people."""
    return ", ".join(dict.fromkeys(kind.name for kind in kinds_by_ending().values()))


def opened(
    name: str,
    content: bytes,
    target: str,
    options: FileOptions = NO_OPTIONS,
    deadline: Deadline = NO_DEADLINE,
) -> AbstractContextManager[Document[bytes]]:
    """Take a file apart, see `read_file`; one that is not small, in a process of its own.

    The document can be used in the context that is returned. Deadline is for reading the file and
    for writing it again: over it is a DeadlineExceededError, and an unreadable file an InputError.
    """
    try:
        if len(content) <= SMALL_BYTES and ending_of(name) != "pdf":
            return nullcontext(read_file(name, content, target, options))
        return SubprocessDocument(name, content, target, options, deadline)
    except InputError as error:
        code = "unreadable_file" if error.code == "invalid" else error.code
        raise InputError(f"Invalid request: {error}", code) from error


def sample_of(document: Document[bytes]) -> str:
    """Return the start of what there is to translate in a file."""
    units, length = [], 0
    for unit in document.units:
        units.append(unit.text)
        length += len(unit.text)
        if length >= SAMPLE_CHARS:
            break
    return "\n".join(units)[:SAMPLE_CHARS]


class FileBody(Body):
    """A file to translate."""

    may_be_empty: ClassVar = ("file",)

    file: str = Field(description="The file.", json_schema_extra={"format": "binary"})
    source: str = Field(description="Language of the file, or `auto`.", examples=["de"])
    target: str = Field(description="Language wanted.", examples=["en"])
    file_options: str | None = Field(
        default=None,
        description="An object of JSON: `columns` of a table (heads, or numbers from 1), and "
        "`sheet_names`, whether to translate those, too; `front_matter`, whether titles and "
        "descriptions at the top of Markdown are translated; and `replace_translations`, whether a "
        "catalogue that is for another language loses its translations.",
        examples=['{"columns": ["Note", "3"]}', '{"sheet_names": true}'],
    )
    formality: FormOfAddress | None = Field(
        default="default", description="How it addresses its reader; see `POST /translate`."
    )
    api_key: str | None = Field(default=None, description="Your key, where one is needed.")


class SentenceNumbers(Numbers):
    """A sentence with numbers that are not those of its translation."""

    source: str = Field(description="The sentence.")
    text: str = Field(description="Its translation.")


class FileAnswer(Answer):
    """Where the translated file is, for a while."""

    translatedFileUrl: str = Field(  # LibreTranslate's spelling
        description="Its address.", examples=["http://localhost:5000/download_file/1f0c.letter.txt"]
    )
    numbers: list[SentenceNumbers] = Field(
        default_factory=list,
        description="The sentences of the file whose numbers are not those of their translation; "
        "left out if there are none.",
    )
    leftAlone: list[str] = Field(
        default_factory=list,
        description="Texts that are not translated, since the file cannot show anything else in "
        "their place; left out if there are none.",
    )
    detectedLanguage: DetectedLanguage | None = Field(
        default=None, description="With `source: auto`: the language of most of it."
    )


class FileProgress(Answer):
    """So far is the translation."""

    type: Literal["progress"]
    done: int = Field(description="Sentences that are translated; paragraphs of a long file.")
    total: int = Field(description="Of how many, as far as is known.")


class FileDone(Answer):
    """The file is translated. This is the last event."""

    type: Literal["answer"]
    answer: FileAnswer = Field(description="What would be answered without streaming.")


class FileEvent(
    RootModel[Annotated[FileProgress | FileDone | ErrorEvent, Field(discriminator="type")]]
):
    """One line of NDJSON, or the data of one server-sent event."""


def with_wrong_numbers(translation: Translation) -> list[SentenceTranslation]:
    """Return the sentences of a text whose numbers are not those of their translation."""
    return [sentence for sentence in translation.sentences if "numbers" in sentence.flags]


def file_to_json(
    url: str,
    sentences: Iterable[SentenceTranslation],
    left_alone: Sequence[str],
    detected: Detected | None,
) -> Json:
    """Return the answer for a translated file, with the sentences that have wrong numbers."""
    wrong = [
        SentenceNumbers(
            **Numbers.of(sentence).model_dump(), source=sentence.source, text=sentence.text
        )
        for sentence in sentences
    ]
    fields: Json = {"numbers": wrong} if wrong else {}
    if left_alone:
        fields["leftAlone"] = [*left_alone]
    if detected:
        fields["detectedLanguage"] = DetectedLanguage.of(detected)
    return FileAnswer(translatedFileUrl=url, **fields).model_dump(exclude_unset=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class FileRequest:
    """A request that has passed every check.

    Attributes:
        source: language code as the model spells it, or `auto`.
        formality: the form of address wanted, by the languages from which it can be had.
    """

    name: str
    content: bytes
    source: str
    target: str
    options: FileOptions = NO_OPTIONS
    formality: Mapping[str, Formality]
    glossary: Glossary | None = None

    @classmethod
    def read(
        cls,
        form: Mapping[str, str],
        files: MultiDict[str, FileStorage],
        languages: Sequence[Language],
        formats: Mapping[str, FileKind],
    ) -> FileRequest:
        """Check a multipart form: the first check that fails is an InputError."""
        fields, file = with_file(form, files)
        body = FileBody.read(fields)
        if not body.file:
            raise InputError("Invalid request: empty file", "unreadable_file")
        check_is_read(body.file)
        if ending_of(body.file) not in formats:
            known = ", ".join(dict.fromkeys(kind.endings[0] for kind in formats.values()))
            raise InputError(
                f"Invalid request: file format not supported: {body.file} is none of {known}",
                "unknown_kind_of_file",
            )
        source = None if body.source.lower() == AUTO else language_of(body.source, languages)
        target = language_of(body.target, languages)
        if source is not None:
            check_pair(source, target)
        assert file is not None
        return cls(
            name=body.file,
            content=file.read(),
            source=source.code if source else AUTO,
            target=target.code,
            options=options_in(body.file_options or "", body.file),
            formality=forms_of_address(body.formality, source, target, languages),
        )


def with_file(
    form: Mapping[str, str], files: MultiDict[str, FileStorage]
) -> tuple[dict[str, str], FileStorage | None]:
    """Return the fields of a form, `file` being the file's name, and the file; refuse several.

    A text in the place of a file, as `curl -F file=name` without its `@` sends it, is no file.
    """
    several = files.getlist("file")
    if len(several) > 1:
        raise InputError(SEVERAL)
    fields = {name: value for name, value in form.items() if name != "file"}
    if not several:
        return fields, None
    return {**fields, "file": several[0].filename or ""}, several[0]


def options_in(field: str, name: str) -> FileOptions:
    """Return what the field `file_options` of a form says; refuse what this kind does not have."""
    try:
        fields = json.loads(field or "{}")
    except (ValueError, RecursionError) as error:
        raise InputError(f"Invalid request: file_options is not JSON ({error})") from error
    if not isinstance(fields, dict):
        raise InputError("Invalid request: file_options must be an object of JSON")
    try:
        options = FileOptions.read(fields)
        if kind := kind_of(name):
            kind.check(name, options)
    except InputError as error:
        raise InputError(f"Invalid request: file_options: {error}", error.code) from error
    return options


def ending_of(name: str) -> str:
    """Return the ending of a file's name, without its dot: `txt`."""
    return PurePosixPath(name).suffix[1:].lower()


def name_in(name: str, target: str) -> str:
    """Return what a file is called in another language: `letter.txt` is `letter_en.txt`."""
    path = PurePosixPath(name)
    return f"{path.stem}_{target}{path.suffix}"


SEVERAL = "Invalid request: there are several files; send each in a request of its own"
SWITCHED_OFF = "Files translation are disabled on this server."
GONE = "There is no such file: it was kept for a while only; translate it again"

TRANSLATE_FILE = Endpoint(
    summary="Translate a file",
    description="The answer has the address of the translated file, which is kept for a while. "
    "These kinds of files are translated: "
    f"{named_kinds()}. `GET /frontend/settings` lists the endings. "
    "With `Accept: application/x-ndjson` or `text/event-stream`, the progress is told meanwhile, "
    "and the answer at the end.",
    tag="translation",
    body=FileBody,
    body_types=(MULTIPART,),
    answers={JSON: FileAnswer, NDJSON: FileEvent, EVENT_STREAM: ServerSentEvent},
    errors=(400, 403, 413, 429, 503, 504),
    access="counted",
    takes_slot=True,
)

DOWNLOAD = Endpoint(
    summary="Fetch a translated file",
    tag="translation",
    answers={OCTETS: None, "*/*": None},
    errors=(404,),
    is_local=True,
)


def blueprint(context: Context) -> Blueprint:
    """Return the addresses."""
    routes = Blueprint("files", __name__)
    config, translator, downloads = context.config, context.translator, kept_files(context)

    @routes.post("/translate_file")
    @describe(TRANSLATE_FILE)
    def translate() -> Response:
        if config.files == "off":
            raise Forbidden(SWITCHED_OFF)
        file_request = FileRequest.read(
            request.form, request.files, translator.languages, kinds_by_ending()
        )
        work = FileWork(context, file_request, deadline_of(config, request))
        mimetype = streamed_type(request.headers.get("Accept", ""))
        if mimetype is None:
            with context.slot(), work.opened() as document:
                return jsonify(work.translate(document, lambda done, total: None))
        return streamed(_events(context, work), mimetype)

    @routes.get("/download_file/<stored>")
    @describe(DOWNLOAD)
    def download(stored: str) -> Response:
        file = downloads.find(stored)
        if file is None:
            raise NotFound(GONE)
        path, name = file
        kind = kind_of(name)
        media_type = kind.media_type if kind else "application/octet-stream"
        response = send_file(
            path, as_attachment=True, download_name=name, max_age=0, mimetype=media_type
        )
        response.headers["Cache-Control"] = "private, no-store"
        return response

    return routes


@dataclass(frozen=True, slots=True)
class FileWork:
    """A file to translate; deadline is for reading, translating and writing together."""

    context: Context
    request: FileRequest
    deadline: Deadline

    def opened(self) -> AbstractContextManager[Document[bytes]]:
        """Read the file; see `opened`."""
        return opened(
            self.request.name,
            self.request.content,
            self.request.target,
            self.request.options,
            self.deadline,
        )

    def translate(self, document: Document[bytes], on_progress: Callable[[int, int], None]) -> Json:
        """Translate it, keep the translation, and return the answer."""
        wrong = list[SentenceTranslation]()
        source, finder, detected = self.source_of(document)
        told = replace(self, deadline=self.deadline.telling(on_progress))
        stored = told.store(
            document,
            source,
            finder,
            lambda translation: wrong.extend(with_wrong_numbers(translation)),
        )
        url = origin() + url_for("files.download", stored=stored)
        return file_to_json(url, wrong, document.left_alone, detected)

    def source_of(
        self, document: Document[bytes]
    ) -> tuple[str, SourceFinder | None, Detected | None]:
        """Return the language of the file; if it is `auto`, also what has found it, and how sure.

        A language that is not translated into the one wanted is an InputError.
        """
        if self.request.source != AUTO:
            return self.request.source, None, None
        target, languages = self.request.target, self.context.translator.languages
        by_code = {language.code: language for language in languages}
        finder = finder_of(target, languages, self.context.detector)
        detected = finder.of_text(sample_of(document), "the file")
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

        `source` is the code of its language, `finder` finds sentences in others, and `on_unit` is
        called with the translation of each unit.
        """
        options = TextOptions(
            source=source,
            target=self.request.target,
            finder=finder,
            glossary=self.request.glossary,
            formality=self.request.formality.get(source),
        )
        content = self.context.served.translate_document(document, options, self.deadline, on_unit)
        return kept_files(self.context).add(
            name_in(self.request.name, self.request.target), content
        )


def _events(context: Context, work: FileWork) -> Generator[Json, None, None]:
    """Yield how far the work is, and the answer; it is done on a thread, which ends with this."""
    events = SimpleQueue[Json | BaseException]()
    is_unwanted = threading.Event()

    def look() -> None:
        if is_unwanted.is_set():
            raise ClientGone
        work.deadline.look()

    def tell(done: int, total: int) -> None:
        events.put(FileProgress(type="progress", done=done, total=total).model_dump())

    watched = replace(work, deadline=work.deadline.looking(look))
    with context.slot(), watched.opened() as document:

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


def _until_answered(events: SimpleQueue[Json | BaseException]) -> Iterator[Json]:
    """Yield the events up to the answer, without those that repeat the one before."""
    before: Json = {}
    while before.get("type") != "answer":
        event = events.get()
        if isinstance(event, BaseException):
            raise event
        if event != before:
            yield event
        before = event
