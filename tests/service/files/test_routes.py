"""POST /translate_file and GET /download_file/NAME."""

from __future__ import annotations

import io
import json
import re
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient
from werkzeug.datastructures import FileStorage, MultiDict

from service.config import ServiceConfig
from service.files import routes as documents
from service.files.routes import (
    FileRequest,
    ending_of,
    file_to_json,
    name_in,
    options_in,
    with_wrong_numbers,
)
from tests.service.conftest import LANGUAGES, FakeTranslator, make_app
from tests.waiting import TIMEOUT_S
from translator.documents.kinds import FileOptions, kinds_by_ending
from translator.errors import DeadlineExceededError, InputError
from translator.pipeline.translation import SentenceTranslation, Translation, WrongNumbers

NDJSON = {"Accept": "application/x-ndjson"}
TEXT = "Guten Morgen!\r\n\r\n  Das Kind schläft."


def send(client: FlaskClient, text: str | bytes = TEXT, **fields: str) -> Any:
    content = text.encode() if isinstance(text, str) else text
    form = {"source": "de", "target": "en", **fields}
    return client.post("/translate_file", data={"file": (io.BytesIO(content), "brief.txt"), **form})


def fetch(client: FlaskClient, answer: Any) -> Any:
    fetched = client.get(urlsplit(answer.json["translatedFileUrl"]).path)
    assert fetched.text
    fetched.close()
    return fetched


def test_a_file_is_translated_and_fetched(client: FlaskClient) -> None:
    answer = send(client)
    assert answer.status_code == 200, answer.json
    assert re.fullmatch(
        r"http://localhost/download_file/[0-9a-f-]{36}\.brief_en\.txt",
        answer.json["translatedFileUrl"],
    )
    fetched = fetch(client, answer)
    assert fetched.text == TEXT.upper()
    assert fetched.headers["Content-Disposition"] == "attachment; filename=brief_en.txt"
    assert fetched.headers["X-Content-Type-Options"] == "nosniff"
    assert fetched.mimetype == "text/plain"
    assert fetched.headers["Cache-Control"] == "private, no-store"
    assert "sandbox" in fetched.headers["Content-Security-Policy"]


def test_the_language_of_a_file_is_detected(
    client: FlaskClient, translator: FakeTranslator
) -> None:
    assert send(client, source="auto").status_code == 200
    assert translator.calls[-1][1:3] == ("de", "en")
    german_to_portuguese = send(client, source="auto", target="pt-BR")
    assert german_to_portuguese.status_code == 400
    said = german_to_portuguese.json["error"]
    assert "is not available as a target language from German (de)" in said


def test_what_nobody_can_tell_is_answered_as_a_text_is(client: FlaskClient) -> None:
    wanted = {"source": "auto", "target": "pt-BR"}
    assert send(client, "12:30", **wanted).status_code == 200
    assert client.post("/translate", json={"q": "12:30", **wanted}).status_code == 200


def test_a_line_of_a_file_may_be_in_another_language(
    client: FlaskClient, translator: FakeTranslator
) -> None:
    translator.translates_itself = False
    english, german = "Good morning, everyone.", "Wir treffen uns heute um neun im großen Saal."
    answer = send(client, f"{german}\n{english}\n", source="auto", target="en")
    assert fetch(client, answer).text == f"{german.upper()}\n{english}\n"
    assert answer.json["detectedLanguage"]["language"] == "de"


def test_a_file_in_a_language_that_no_model_reads_is_refused(client: FlaskClient) -> None:
    file = (io.BytesIO("La tua password non è corretta".encode()), "a.txt")
    answer = client.post("/translate_file", data={"source": "auto", "target": "en", "file": file})
    said = answer.json or {}
    assert (answer.status_code, said["code"]) == (400, "unread_language")
    assert said["error"].startswith("the file seems to be in Italian (it, 98.4 %)")


def test_a_file_that_cannot_be_read_is_refused(client: FlaskClient) -> None:
    form = {"source": "de", "target": "en", "file": (io.BytesIO(b"{"), "strings.json")}
    answer = client.post("/translate_file", data=form)
    assert answer.status_code == 400
    assert answer.json
    assert answer.json["error"].startswith("Invalid request: strings.json")
    assert answer.json["code"] == "unreadable_file"


def test_errors_of_the_engine_are_answered(client: FlaskClient, translator: FakeTranslator) -> None:
    translator.error = DeadlineExceededError("late")
    assert send(client).status_code == 504


def test_reading_and_translating_have_one_deadline(
    translator: FakeTranslator, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = documents.opened

    def slowly(*arguments: Any) -> Any:
        time.sleep(0.2)
        return opened(*arguments)

    monkeypatch.setattr(documents, "opened", slowly)
    client = make_app(translator, ServiceConfig(timeout_s=50)).test_client()
    assert send(client).status_code == 200
    assert translator.timeout_s is not None
    assert translator.timeout_s <= 50 - 0.2


def test_files_can_be_switched_off(translator: FakeTranslator) -> None:
    client = make_app(translator, ServiceConfig(files="off")).test_client()
    answer = send(client)
    assert (answer.status_code, answer.json) == (
        403,
        {"error": "Files translation are disabled on this server.", "code": "forbidden"},
    )


def test_workers_share_a_folder(tmp_path: Path) -> None:
    config = ServiceConfig(run_folder=str(tmp_path))
    first, second = (make_app(FakeTranslator(), config).test_client() for _ in range(2))
    assert fetch(second, send(first)).status_code == 200


def streamed(answer: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answer.text.splitlines()]


def test_progress_is_told_meanwhile(client: FlaskClient) -> None:
    form = {"source": "de", "target": "en", "file": (io.BytesIO(b'["eins", "zwei"]'), "a.json")}
    answer = client.post("/translate_file", data=form, headers=NDJSON)
    assert (answer.status_code, answer.mimetype) == (200, "application/x-ndjson")
    progress, last = streamed(answer)
    assert progress == {"type": "progress", "done": 1, "total": 2}
    assert last["type"] == "answer"
    fetched = client.get(urlsplit(last["answer"]["translatedFileUrl"]).path)
    assert fetched.text == '["EINS", "ZWEI"]'
    fetched.close()


def test_what_fails_before_anything_is_told_is_an_ordinary_error(
    client: FlaskClient, translator: FakeTranslator
) -> None:
    form = {"source": "de", "target": "en", "file": (io.BytesIO(b"{"), "a.json")}
    answer = client.post("/translate_file", data=form, headers=NDJSON)
    assert answer.status_code == 400
    assert answer.json
    assert answer.json["code"] == "unreadable_file"
    translator.error = DeadlineExceededError("late")
    answer = client.post("/translate_file", data=dict(text_form()), headers=NDJSON)
    *_, last = streamed(answer)
    assert (last["type"], last["status"]) == ("error", 504)


def test_no_end_of_the_thread_leaves_the_client_waiting(
    client: FlaskClient, translator: FakeTranslator
) -> None:
    translator.error = SystemExit("the thread ends")
    with pytest.raises(SystemExit, match="the thread ends"):
        client.post("/translate_file", data=text_form(), headers=NDJSON).get_data()


def text_form() -> dict[str, Any]:
    return {"source": "de", "target": "en", "file": (io.BytesIO(TEXT.encode()), "brief.txt")}


def test_who_takes_no_more_ends_the_work(client: FlaskClient, translator: FakeTranslator) -> None:
    translator.may_finish.clear()
    running = client.post("/translate_file", data=text_form(), headers=NDJSON, buffered=False)
    assert translator.started.wait(TIMEOUT_S)
    translator.may_finish.set()
    running.close()
    assert not [one for one in threading.enumerate() if one.name == "file"]
    assert send(client).status_code == 200  # there is a place again


def test_columns_are_chosen(client: FlaskClient, translator: FakeTranslator) -> None:
    def ask(options: str) -> Any:
        table = io.BytesIO(b"name;note\nrot;blau\n")
        form = {"source": "de", "target": "en", "file": (table, "a.csv"), "file_options": options}
        return client.post("/translate_file", data=form)

    assert fetch(client, ask('{"columns": ["note"]}')).text == "name;note\nrot;BLAU\n"
    refused = ask('{"columns": ["notes"]}')
    assert (refused.status_code, refused.json["code"]) == (400, "unreadable_file")
    assert "a.csv: has no column 'notes'; name one" in refused.json["error"]


@pytest.mark.parametrize("name", ["x", "a.txt", "..%2Fsecret.txt", "%2e%2e.txt", "a%00.txt"])
def test_what_is_not_there_is_not_found(client: FlaskClient, name: str) -> None:
    answer = client.get(f"/download_file/{name}")
    assert answer.status_code == 404
    assert answer.json is not None


def test_it_takes_a_place(translator: FakeTranslator) -> None:
    client = make_app(translator, ServiceConfig(concurrency_limit=1)).test_client()
    statuses: list[int] = []

    def ask_meanwhile() -> None:
        if not statuses:
            statuses.append(0)
            statuses.append(send(client.application.test_client()).status_code)

    original = translator.whole

    def whole(*arguments: Any) -> Any:
        ask_meanwhile()
        return original(*arguments)

    translator.whole = whole  # type: ignore[method-assign,assignment]
    assert send(client).status_code == 200
    assert statuses[-1] == 503


def test_an_answer_lists_the_sentences_whose_numbers_are_wrong() -> None:
    good = SentenceTranslation(separator="", source="Gut.", text="Good.")
    wrong = SentenceTranslation(
        separator=" ",
        source="Es sind 58.",
        text="It is 85.",
        flags=("numbers",),
        numbers=WrongNumbers(("58",), ("85",)),
    )
    found = with_wrong_numbers(Translation(text="a", sentences=(good, wrong)))
    assert file_to_json("x", [], (), None) == {"translatedFileUrl": "x"}
    assert file_to_json("x", found, ("Seite 2",), None) == {
        "translatedFileUrl": "x",
        "leftAlone": ["Seite 2"],
        "numbers": [
            {"source": "Es sind 58.", "text": "It is 85.", "missing": ["58"], "added": ["85"]}
        ],
    }


def test_names_in_other_languages() -> None:
    assert name_in("letter.txt", "de") == "letter_de.txt"
    assert name_in("a.b.txt", "pt-BR") == "a.b_pt-BR.txt"
    assert [ending_of(name) for name in ("a.TXT", "a", "a.b.po", ".txt")] == ["txt", "", "po", ""]


def test_options_are_read() -> None:
    assert options_in('{"columns": ["note"]}', "a.csv") == FileOptions(columns=("note",))
    assert options_in("", "a.txt") == FileOptions()


PAIR = {"source": "de", "target": "en"}
NO_PAIR = "Portuguese (Brazil) (pt-BR) is not available as a target language from German (de)"
INVALID = "Invalid request: "
OPTIONS = f"{INVALID}file_options"
KINDS = (
    "file format not supported: a.exe is none of txt, md, html, mhtml, pdf, ipynb, csv, tsv, docx,"
)


@pytest.mark.parametrize(
    ("form", "name", "message"),
    [
        ({"source": "", "target": ""}, None, f"{INVALID}missing file parameter"),
        ({"source": ""}, "a.txt", f"{INVALID}missing source parameter"),
        ({"target": ""}, "a.txt", f"{INVALID}missing target parameter"),
        ({}, "txt", f"{INVALID}file format not supported"),
        ({"source": "zz", "target": "yy"}, "a.exe", f"{INVALID}{KINDS}"),
        ({}, "a.rst", "a.rst: is reStructuredText, which is not read"),
        ({"source": "ZZ", "target": "yy"}, "a.txt", "zz is not supported"),
        ({"source": "auto", "target": "auto"}, "a.txt", "auto is not supported"),
        ({"source": "de", "target": "PT-br"}, "a.txt", NO_PAIR),
        ({"file_options": "{"}, "a.txt", f"{OPTIONS} is not JSON"),
        ({"file_options": "[" * 10_000}, "a.txt", f"{OPTIONS} is not JSON"),
        ({"file_options": "[]"}, "a.txt", f"{OPTIONS} must be an object"),
        ({"file_options": '{"colums": []}'}, "a.txt", f"{OPTIONS}: colum"),
        ({"file_options": '{"columns": ["1"]}'}, "a.txt", f"{OPTIONS}: a"),
        ({"formality": "odd"}, "a.txt", f"{INVALID}formality must be one of default"),
    ],
)
def test_what_is_refused(
    client: FlaskClient, form: dict[str, str], name: str | None, message: str
) -> None:
    files = {} if name is None else {"file": (io.BytesIO(b"Hallo"), name)}
    answer = client.post("/translate_file", data={**PAIR, **form, **files})
    assert answer.status_code == 400
    assert (answer.json or {})["error"].startswith(message)


@pytest.mark.parametrize("path", ["/translate_file", "/v2/document"])
def test_a_text_is_no_file_and_two_files_are_one_too_many(client: FlaskClient, path: str) -> None:
    fields = {**PAIR, "target_lang": "EN", "source_lang": "DE"}
    two = [(io.BytesIO(b"Hallo"), "a.txt"), (io.BytesIO(b"Hallo"), "b.txt")]
    said = []
    for sent in ("Hund", "a.txt", two):
        answer = client.post(
            path, data={**fields, "file": sent}, content_type="multipart/form-data"
        )
        assert answer.status_code == 400
        said.append((answer.json or {}).get("error") or (answer.json or {})["message"])
    missing = {
        "/translate_file": f"{INVALID}missing file parameter",
        "/v2/document": "Parameter 'file' not specified.",
    }[path]
    several = f"{INVALID}there are several files; send each in a request of its own"
    assert said == [missing, missing, several]


def test_a_file_without_a_name_is_refused() -> None:
    files = MultiDict({"file": FileStorage(io.BytesIO(b"Hallo"), "")})
    with pytest.raises(InputError, match=r"^Invalid request: empty file$"):
        FileRequest.read(PAIR, files, LANGUAGES, kinds_by_ending())
