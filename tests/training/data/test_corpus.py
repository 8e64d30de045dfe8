"""Corpora: found, downloaded, checked, cleaned, and reported on."""

from __future__ import annotations

import gzip
import hashlib
import lzma
import socket
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.data.corpus import (
    CleaningReport,
    CorpusError,
    CorpusFile,
    SentencePair,
    load_catalogue,
    locate,
    read_pairs,
)
from translator.errors import ConfigError, InputError, TranslatorError
from translator.files import read_lines

TEXT = b"Ein Hund.\nZwei Katzen.\n"
SHA256 = hashlib.sha256(TEXT).hexdigest()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    folder = tmp_path / "remote"
    folder.mkdir()
    (folder / "train.de").write_bytes(TEXT)
    (folder / "train.de.gz").write_bytes(gzip.compress(TEXT))
    (folder / "broken.gz").write_bytes(gzip.compress(TEXT)[:-12])
    handler = partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()
        thread.join()


@pytest.mark.parametrize("name", ["train.de", "train.de.gz"])
def test_a_download_is_unpacked_checked_and_kept(server: str, tmp_path: Path, name: str) -> None:
    corpus_file = CorpusFile(path="a/train.de", url=f"{server}/{name}", sha256=SHA256)
    path = locate(corpus_file, None, tmp_path / "cache")
    assert path.read_bytes() == TEXT
    assert [p.name for p in path.parent.iterdir()] == ["train.de"]
    gone = CorpusFile(path="a/train.de", url=f"{server}/gone", sha256=SHA256)
    assert locate(gone, None, tmp_path / "cache") == path, "the second time needs no network"


@pytest.mark.parametrize(
    ("name", "sha256", "message"),
    [
        ("train.de", "0" * 64, "SHA-256 is .*, expected 000.*fetch it again"),
        ("broken.gz", SHA256, "damaged archive.*fetch it again"),
        ("gone", SHA256, "download failed.*404.*--data"),
    ],
)
def test_a_bad_download_is_refused_and_leaves_nothing(
    server: str, tmp_path: Path, name: str, sha256: str, message: str
) -> None:
    corpus_file = CorpusFile(path="a/train.de", url=f"{server}/{name}", sha256=sha256)
    with pytest.raises(TranslatorError, match=message):
        locate(corpus_file, None, tmp_path / "cache")
    assert list((tmp_path / "cache" / "a").iterdir()) == []


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_a_folder_comes_before_the_network(tmp_path: Path, suffix: str) -> None:
    packed = {"": TEXT, ".gz": gzip.compress(TEXT), ".xz": lzma.compress(TEXT)}[suffix]
    (tmp_path / f"train.de{suffix}").write_bytes(packed)
    path = locate(CorpusFile(path="train.de", sha256=SHA256), tmp_path, tmp_path / "cache")
    assert path.name == f"train.de{suffix}"


@pytest.mark.parametrize("folder", [".", "multi30k"])
def test_a_folder_may_be_the_one_around_the_corpus_or_its_own(tmp_path: Path, folder: str) -> None:
    (tmp_path / "multi30k").mkdir()
    (tmp_path / "multi30k/train.de").write_bytes(TEXT)
    corpus_file = CorpusFile(path="multi30k/train.de", sha256=SHA256)
    path = locate(corpus_file, tmp_path / folder, tmp_path / "cache")
    assert path == tmp_path / "multi30k/train.de"


@pytest.mark.parametrize("place", ["folder", "cache"])
def test_an_altered_file_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / place).mkdir()
    (tmp_path / place / "train.de").write_bytes(TEXT + b"more")
    corpus_file = CorpusFile(path="train.de", url="http://127.0.0.1:9/gone", sha256=SHA256)
    with pytest.raises(CorpusError, match=r"train\.de: SHA-256 is .*delete it and fetch it again"):
        locate(corpus_file, tmp_path / "folder", tmp_path / "cache")


def test_a_file_without_url_must_be_at_hand(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"train\.de: not found in .*--data"):
        locate(CorpusFile(path="train.de"), tmp_path, tmp_path / "cache")


def test_unequal_line_counts_name_both_files(tmp_path: Path) -> None:
    (tmp_path / "a.de").write_bytes(b"1\n2\n3\n")
    (tmp_path / "a.en").write_bytes(b"1\n2\n")
    with pytest.raises(CorpusError, match=r"a\.de has 3 lines but .*a\.en has 2"):
        list(read_pairs(tmp_path / "a.de", tmp_path / "a.en", CleaningReport()))


def test_only_newlines_end_lines_and_bad_utf8_is_counted(tmp_path: Path) -> None:
    (tmp_path / "a.de").write_bytes(b"1\xe2\x80\xa8x\r\n\xff\nlast")
    (tmp_path / "a.en").write_bytes(b"1\n2\n3\n")
    report = CleaningReport()
    pairs = list(read_pairs(tmp_path / "a.de", tmp_path / "a.en", report, 0.4))
    assert pairs == [SentencePair("1\u2028x", "1"), SentencePair("last", "3")]
    assert (report.num_read, report.dropped) == (3, {"invalid UTF-8": 1})
    assert report.examples == {"invalid UTF-8": [SentencePair("\\xff", "2")]}


GERMAN = "".join(f"{number} Grüße\n" for number in range(100))
ENGLISH = "".join(f"{number} greetings\n" for number in range(100))


@pytest.mark.parametrize(
    ("encodings", "message"),
    [
        (
            ("utf-16", "utf-8"),
            r"a\.de: is in UTF-16; convert it: iconv -f UTF-16 -t UTF-8 .*\.de >",
        ),
        (
            ("utf-8", "utf-16"),
            r"a\.en: is in UTF-16; convert it: iconv -f UTF-16 -t UTF-8 .*\.en >",
        ),
        (("utf-16", "utf-16"), r"a\.de: is in UTF-16;"),
        (("utf-16-le", "utf-16-le"), r"a\.de: is in UTF-16LE; convert it: iconv -f UTF-16LE"),
        (("utf-16-be", "utf-8"), r"a\.de: is in UTF-16BE;"),
        (("utf-32", "utf-32"), r"a\.de: is in UTF-32;"),
        (
            ("cp1252", "utf-8"),
            r"100 of 100 lines have invalid UTF-8, such as line 1 of .*a\.de: 0 Gr\\xfc\\xdfe; if "
            r"it is in Windows-1252, convert it: iconv -f WINDOWS-1252 -t UTF-8 .*a\.de > a-utf8\.",
        ),
    ],
)
def test_another_encoding_is_named_with_what_converts_it(
    tmp_path: Path, encodings: tuple[str, str], message: str
) -> None:
    for name, text, encoding in zip(["de", "en"], (GERMAN, ENGLISH), encodings, strict=True):
        (tmp_path / f"a.{name}").write_bytes(text.encode(encoding))
    with pytest.raises(TranslatorError, match=message):
        list(read_pairs(tmp_path / "a.de", tmp_path / "a.en", CleaningReport(), 0.01))


def test_a_mark_at_the_beginning_is_taken_off(tmp_path: Path) -> None:
    for name, text in (("de", GERMAN), ("en", ENGLISH)):
        (tmp_path / f"a.{name}").write_bytes(text.encode("utf-8-sig"))
    first, *rest = read_pairs(tmp_path / "a.de", tmp_path / "a.en", CleaningReport())
    assert (first.sides, len(rest)) == (("0 Grüße", "0 greetings"), 99)


def test_few_unreadable_lines_are_dropped_and_shown(tmp_path: Path) -> None:
    lines = [f"{number} Grüße\n".encode() for number in range(200)]
    lines[7], lines[9] = "7 Grüße\n".encode("cp1252"), b"9 \0\0\n"
    (tmp_path / "a.de").write_bytes(b"".join(lines))
    (tmp_path / "a.en").write_text("".join(f"{number}\n" for number in range(200)))
    report = CleaningReport()
    assert len(list(read_pairs(tmp_path / "a.de", tmp_path / "a.en", report, 0.01))) == 198
    assert report.examples == {
        "invalid UTF-8": [SentencePair("7 Gr\\xfc\\xdfe", "7")],
        "zero bytes": [SentencePair("9 \\0\\0", "9")],
    }
    with pytest.raises(CorpusError, match=r"1 of 200 lines have invalid UTF-8, .*max_unreadable"):
        list(read_pairs(tmp_path / "a.de", tmp_path / "a.en", CleaningReport(), 0.001))


@given(
    lines=st.lists(st.text(st.characters(exclude_characters="\n\0", exclude_categories=["Cs"]))),
    has_mark=st.booleans(),
)
def test_whatever_is_utf8_is_read_as_it_is(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], has_mark: bool
) -> None:
    if lines and lines[0].startswith("\ufeff"):
        lines[0] = "mark" + lines[0]
    path = tmp_path_factory.getbasetemp() / "drawn"
    content = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(b"\xef\xbb\xbf" * has_mark + content)
    pairs = list(read_pairs(path, path, CleaningReport()))
    assert [pair.source for pair in pairs] == [line.strip() for line in lines]
    assert list(read_lines(path)) == lines


def test_the_catalogue_says_what_there_is() -> None:
    catalogue = load_catalogue()
    assert catalogue.sides("multi30k", "train")["de"].sha256
    for arguments, message in (
        (("nope", "train"), "no corpus 'nope' in the catalogue; name yours with --catalogue"),
        (("multi30k", "nope"), "has no part 'nope'; known: train, val"),
    ):
        with pytest.raises(ConfigError, match=message):
            catalogue.sides(*arguments)


def test_every_corpus_has_a_licence_and_every_url_a_checksum() -> None:
    for corpus in load_catalogue().corpora.values():
        assert corpus.licence
        for files in corpus.files.values():
            for file in files.values():
                assert file.url is None or (file.sha256 and len(file.sha256) == 64)


@pytest.mark.parametrize(
    ("suffix", "content"),
    [(".gz", gzip.compress(TEXT)[:-12]), (".gz", b"nonsense"), (".xz", b"nonsense")],
    ids=["cut short", "not gzip", "not xz"],
)
def test_a_damaged_archive_at_hand_is_named(tmp_path: Path, suffix: str, content: bytes) -> None:
    (tmp_path / f"train.de{suffix}").write_bytes(content)
    with pytest.raises(InputError, match=rf"train\.de\{suffix}: "):
        locate(CorpusFile(path="train.de"), tmp_path, tmp_path / "cache")


class ShortHandler(BaseHTTPRequestHandler):
    """Promises more than it sends."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(TEXT)))
        self.end_headers()
        self.wfile.write(TEXT[:7])

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.mark.parametrize("sha256", [None, SHA256])
def test_a_download_cut_short_is_refused_and_leaves_nothing(
    tmp_path: Path, sha256: str | None
) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), ShortHandler) as http:
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        url = f"http://127.0.0.1:{http.server_port}/train.de"
        try:
            with pytest.raises(CorpusError, match=r"train\.de: "):
                locate(CorpusFile(path="train.de", url=url, sha256=sha256), None, tmp_path / "c")
        finally:
            http.shutdown()
            thread.join()
    assert list((tmp_path / "c").iterdir()) == []


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/train.de"
        for folder, name in ((None, "FOLDER"), (tmp_path, str(tmp_path))):
            advice = f"by other means to {name}/train.de, and give --data {name}"
            with pytest.raises(CorpusError, match=f"download failed.*{advice}"):
                locate(CorpusFile(path="train.de", url=url), folder, tmp_path / "cache")


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    for name in ("a.de", "a.en"):
        (tmp_path / name).write_bytes(b"")
    report = CleaningReport()
    assert list(read_pairs(tmp_path / "a.de", tmp_path / "a.en", report)) == []
    assert report.num_read == 0


def test_a_wrong_catalogue_is_explained(tmp_path: Path) -> None:
    (tmp_path / "corpora.toml").write_text(
        '[x]\ndescription = "x"\nlicense = "MIT"\n[x.files.train]\nde = {path = "a", ulr = "b"}\n'
    )
    with pytest.raises(ConfigError) as caught:
        load_catalogue(tmp_path / "corpora.toml")
    assert caught.value.problems == (
        "corpora.x.license: unknown key; did you mean corpora.x.licence?",
        "corpora.x.licence: missing",
        "corpora.x.files.train.de.ulr: unknown key; did you mean corpora.x.files.train.de.url?",
    )


def test_a_very_long_line_is_cut_in_the_report() -> None:
    report = CleaningReport()
    report.drop("over 200 words", SentencePair("a" * 5_000_000, "short"))
    [example] = report.examples["over 200 words"]
    assert example == SentencePair("a" * 500 + "… (4,999,500 more characters)", "short")
