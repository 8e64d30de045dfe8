"""POST /v2/document: a document is translated on a thread, as a job that all workers can see.

Each job is a small file of JSON. A worker holds a lock of the system on the job that it works on.
So everyone can tell that a worker has gone, and its job with it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import json
import logging
import os
import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from flask import Blueprint, Response, jsonify, request, send_file
from pydantic import Field
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.exceptions import Forbidden, NotFound, ServiceUnavailable

from service.deepl.account import Accounts
from service.deepl.parameters import (
    KEY_ERRORS,
    KEYED,
    DeepLBody,
    LanguageBody,
    check_glossary,
    check_style,
    not_supported,
)
from service.files.kept import kept_files
from service.files.routes import SWITCHED_OFF, FileRequest, FileWork, ending_of, with_file
from service.http.context import Context
from service.http.endpoint import FORM, JSON, MULTIPART, OCTETS, describe
from service.http.errors import fault_of, message_of
from service.http.fields import Answer, Json, Lowered, read_fields
from service.libretranslate.request import AUTO, check_pair
from service.storage import lock, unlocked
from translator import Deadline, Glossary, write_durably
from translator.documents.kinds import kinds_by_ending
from translator.errors import InputError

if TYPE_CHECKING:
    from translator import Document


ID_BYTES, KEY_BYTES = 16, 32
ID = re.compile(r"[0-9A-F]{32}")
PRIVATE = 0o700
GONE = "The server was restarted before the document was translated; send it again"
Status = Literal["working", "done", "failed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class FileJobState:
    """What has become of a job.

    Attributes:
        digest: of the key by which it is asked for.
        num_characters: that were to be translated.
        stored: what the translated file is fetched by, once it is done.
    """

    status: Status
    digest: str
    num_characters: int = 0
    stored: str = ""
    error: str = ""


class FileJob:
    """A job in hand, of one process; it is asked for by its ID, with its key."""

    def __init__(self, folder: Path, num_characters: int) -> None:
        self.id = secrets.token_hex(ID_BYTES).upper()
        self.key = secrets.token_hex(KEY_BYTES).upper()
        self._path = folder / f"{self.id}.json"
        self._state = FileJobState(
            status="working", digest=_digest(self.key), num_characters=num_characters
        )
        self._lock = os.open(_lock_of(self._path), os.O_RDWR | os.O_CREAT, 0o600)
        lock(self._lock)
        self._write(self._state)

    def finish(self, stored: str) -> None:
        """Say that the translated file is kept."""
        self._end(dataclasses.replace(self._state, status="done", stored=stored))

    def fail(self, error: str) -> None:
        """Say that there will be no translated file, and why."""
        self._end(dataclasses.replace(self._state, status="failed", error=error))

    def _end(self, state: FileJobState) -> None:
        self._write(state)
        os.close(self._lock)
        _lock_of(self._path).unlink(missing_ok=True)

    def _write(self, state: FileJobState) -> None:
        write_durably(self._path, json.dumps(dataclasses.asdict(state)).encode())


class FileJobs:
    """The jobs of all workers, each until it is too old."""

    def __init__(
        self, folder: Path, *, max_jobs: int, keep_s: float, clock: Callable[[], float] = time.time
    ) -> None:
        """Use a folder, which need not be there yet; other processes may use it as well.

        At most `max_jobs` are kept, but for those that are worked on, and each for `keep_s`.
        """
        self._folder, self._clock = folder, clock
        self._max_jobs, self._keep_s = max_jobs, keep_s

    def begin(self, num_characters: int) -> FileJob:
        """Return a new job, and forget those that are too old or too many."""
        self._folder.mkdir(PRIVATE, parents=True, exist_ok=True)
        ages_s = sorted((self._age_s(path), path) for path in self._folder.glob("*.json"))
        for number, (age_s, path) in enumerate(ages_s, start=1):
            is_too_much = number >= self._max_jobs or age_s >= self._keep_s
            if is_too_much and not _is_held(path):
                path.unlink(missing_ok=True)
                _lock_of(path).unlink(missing_ok=True)
        return FileJob(self._folder, num_characters)

    def find(self, job_id: str, key: str) -> FileJobState | None:
        """Return what has become of a job; None if there is none, or the key is another one's."""
        if not ID.fullmatch(job_id):
            return None
        path = self._folder / f"{job_id}.json"
        is_held = _is_held(path)  # before the state: what ends in between has ended well
        try:
            state = FileJobState(**json.loads(path.read_text()))
        except OSError:
            return None
        if not hmac.compare_digest(state.digest, _digest(key)):
            return None
        if state.status == "working" and not is_held:
            return dataclasses.replace(state, status="failed", error=GONE)
        return state

    def _age_s(self, path: Path) -> float:
        """Return how long ago a job has changed; another process may just have deleted it."""
        try:
            return self._clock() - path.stat().st_mtime
        except OSError:
            return 0.0


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "backslashreplace")).hexdigest()


def _lock_of(path: Path) -> Path:
    return path.with_suffix(".lock")


def _is_held(path: Path) -> bool:
    """Return whether a living process works on a job."""
    try:
        with unlocked(_lock_of(path)) as is_free:
            return not is_free
    except OSError:
        return False


class DeepLDocumentBody(LanguageBody):
    """A document to translate."""

    may_be_empty: ClassVar = ("file",)

    file: str = Field(description="The file.", json_schema_extra={"format": "binary"})
    filename: str | None = Field(default=None, description="Its name, if it comes without one.")
    output_format: Annotated[str | None, Lowered] = Field(
        default=None, description="The file's own ending only."
    )


class DocumentHandle(Answer):
    """By what a document is asked for."""

    document_id: str = Field(description="Its ID.")
    document_key: str = Field(description="A secret that belongs to it.")


class DocumentKey(DeepLBody):
    """The secret of a document."""

    document_key: str = Field(description="As the upload has told it.")


class DocumentState(Answer):
    """What has become of a document."""

    document_id: str = Field(description="Its ID.")
    status: Literal["translating", "done", "error"]
    seconds_remaining: int = Field(default=0, description="A guess, while it is translated.")
    billed_characters: int = Field(default=0, description="Once it is done: its characters.")
    error_message: str = Field(default="", description="Why there is no translation.")


TIMEOUT_S = 2.0
"""How long an upload waits for its translation: clients look again after five seconds."""

EQUAL = "Source and target language are equal."
NOT_FOUND = "Document not found"
log = logging.getLogger(__name__)

UPLOAD = replace(
    KEYED,
    summary="Translate a document",
    description="Formats are those of `POST /translate_file`. The answer comes before the "
    "translation is done.",
    body=DeepLDocumentBody,
    body_types=(MULTIPART,),
    answers={JSON: DocumentHandle},
    errors=(400, *KEY_ERRORS, 404, 413, 503),
    access="counted",
    takes_slot=True,
)

STATE = replace(
    KEYED,
    summary="What has become of a document",
    body=DocumentKey,
    body_types=(JSON, FORM),
    answers={JSON: DocumentState},
    errors=(400, *KEY_ERRORS, 404),
    is_local=True,
)

RESULT = replace(
    KEYED,
    summary="Fetch a translated document",
    description="It is kept for a while.",
    body=DocumentKey,
    body_types=(JSON, FORM),
    answers={OCTETS: None, "*/*": None},
    errors=(400, *KEY_ERRORS, 404, 503),
    is_local=True,
)


def read_document(
    form: Mapping[str, str],
    files: MultiDict[str, FileStorage],
    context: Context,
    accounts: Accounts,
) -> FileRequest:
    """Check a multipart form: the first check that fails raises InputError or NotFound."""
    languages = context.translator.languages
    fields, file = with_file(form, files)
    body = DeepLDocumentBody.read(fields)
    assert file is not None
    check_style(form)
    source, target = body.languages(languages)
    formality = body.forms_of_address(source, target, languages)
    name = body.filename or body.file
    ending = ending_of(name)
    if ending not in kinds_by_ending():
        raise InputError("Invalid file data.", "unknown_kind_of_file")
    if body.output_format not in (None, ending):
        raise not_supported("output_format")
    ids = body.glossary_id
    check_glossary(ids, source)
    if source is not None:
        if source.code == target.code:
            raise InputError(EQUAL, "same_language")
        check_pair(source, target)
    terms = accounts.terms(ids, source.code, target.code) if source else {}
    return FileRequest(
        name=name,
        content=file.read(),
        source=source.code if source else AUTO,
        target=target.code,
        glossary=Glossary(pairs=terms) if terms else None,
        formality=formality,
    )


def add_documents(routes: Blueprint, context: Context, accounts: Accounts) -> None:
    """Add the addresses."""
    config = context.config
    jobs = FileJobs(
        context.folder / "jobs", max_jobs=config.files_limit, keep_s=config.files_keep_s
    )

    @routes.post("/v2/document", strict_slashes=False)  # the library for Java sends a slash
    @describe(UPLOAD)
    def upload() -> Response:
        if config.files == "off":
            raise Forbidden(SWITCHED_OFF)
        file_request = read_document(request.form, request.files, context, accounts)
        deadline = Deadline.within(config.timeout_s or None)  # the client may go
        work = DocumentWork.opened(FileWork(context, file_request, deadline), jobs)
        thread = work.begin()
        accounts.count(work.num_characters)
        context.metrics.count_texts(len(work.document.units), work.num_characters)
        thread.join(TIMEOUT_S)
        return jsonify({"document_id": work.job.id, "document_key": work.job.key})

    def job_state(document_id: str) -> FileJobState:
        body = DocumentKey.read(read_fields(request, text="document_key"))
        state = jobs.find(document_id, body.document_key)
        if state is None:
            raise NotFound(NOT_FOUND)
        return state

    @routes.post("/v2/document/<document_id>")
    @describe(STATE)
    def state(document_id: str) -> Response:
        return jsonify({"document_id": document_id, **_status_of(job_state(document_id))})

    @routes.post("/v2/document/<document_id>/result")
    @describe(RESULT)
    def result(document_id: str) -> Response:
        kept = job_state(document_id)
        if kept.status == "working":
            raise ServiceUnavailable("The document is not translated yet")
        file = kept_files(context).find(kept.stored)
        if file is None:
            raise NotFound(kept.error or NOT_FOUND)
        path, name = file
        return send_file(path, as_attachment=True, download_name=name, max_age=0)


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentWork:
    """A document that is translated, and what is held for it meanwhile."""

    file: FileWork
    document: Document[bytes]
    job: FileJob
    held: ExitStack

    @classmethod
    def opened(cls, file: FileWork, jobs: FileJobs) -> DocumentWork:
        """Take a slot if one is free, and read a document."""
        with ExitStack() as stack:
            stack.enter_context(file.context.slot())
            document = stack.enter_context(file.opened())
            job = jobs.begin(sum(len(unit.text) for unit in document.units))
            return cls(file=file, document=document, job=job, held=stack.pop_all())

    @property
    def num_characters(self) -> int:
        """How many characters are to be translated."""
        return sum(len(unit.text) for unit in self.document.units)

    def begin(self) -> threading.Thread:
        """Return a thread that translates, and then lets go of what is held."""
        thread = threading.Thread(target=self.run, name="deepl-document", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:  # the system allows no more threads
            self.held.close()
            self.job.fail(str(error))
            raise ServiceUnavailable("There is no room for another document") from error
        return thread

    def run(self) -> None:
        """Translate, and say what has become of the document, whatever that is."""
        with self.held:
            try:
                self.job.finish(self._translate())
            except Exception as error:
                fault = fault_of(error)
                if fault.status == 500:
                    log.exception("a document could not be translated")
                self.job.fail(message_of(fault.http))

    def _translate(self) -> str:
        source, finder, _ = self.file.source_of(self.document)
        if source == self.file.request.target:
            raise InputError(EQUAL, "same_language")
        return self.file.store(self.document, source, finder)


def _status_of(state: FileJobState) -> Json:
    if state.status == "failed":
        return {"status": "error", "error_message": state.error}
    if state.status == "working":
        return {"status": "translating", "seconds_remaining": 5}
    return {"status": "done", "billed_characters": state.num_characters}
