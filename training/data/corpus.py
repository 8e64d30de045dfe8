"""Named corpora: found or downloaded, checked, read pair by pair, and noted for the next time."""

from __future__ import annotations

import dataclasses
import difflib
import hashlib
import itertools
import json
import tomllib
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from translator.durable import NoRoomError, telling, write_durably
from translator.errors import ConfigError, TranslatorError
from translator.files import OPENERS, byte_lines, conversion, read_blocks, read_text, sha256
from translator.progress import progress_bar
from translator.strict import read_dataclass

CATALOGUE = Path(__file__).with_name("corpora.toml")
TRAIN = "train"  # the part that is trained on
NUM_EXAMPLES = 3
MAX_SHOWN = 500  # characters of an example


class CorpusError(TranslatorError):
    """A corpus file is missing, damaged, or does not match its other side."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CorpusFile:
    """One side of one part: where it lies, where it comes from, and what it must contain."""

    path: str
    url: str | None = None
    sha256: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Corpus:
    """A named corpus; `files[part][language]`."""

    description: str
    licence: str
    files: dict[str, dict[str, CorpusFile]]
    homepage: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Catalogue:
    """All corpora that recipes can name."""

    corpora: dict[str, Corpus]

    def sides(self, corpus: str, part: str) -> dict[str, CorpusFile]:
        """Return all sides of one part, by language.

        Raises:
            ConfigError: there is no such corpus or part; the message lists what there is.
        """
        if corpus not in self.corpora:
            nearest = difflib.get_close_matches(corpus, self.corpora, n=1)
            hint = f"did you mean {nearest[0]}?" if nearest else "name yours with --catalogue"
            raise ConfigError([f"data: no corpus {corpus!r} in the catalogue; {hint}"])
        parts = self.corpora[corpus].files
        if part not in parts:
            raise ConfigError([f"data: {corpus} has no part {part!r}; known: {', '.join(parts)}"])
        return parts[part]


def load_catalogue(path: Path = CATALOGUE) -> Catalogue:
    """Read a catalogue of corpora.

    Raises:
        ConfigError: it is missing, is not TOML, or has wrong keys or values.
    """
    try:
        table = tomllib.loads(read_text(path))
    except (OSError, ValueError) as error:
        raise ConfigError([getattr(error, "strerror", "") or str(error)], str(path)) from error
    return read_dataclass(Catalogue, {"corpora": table}, str(path))


@dataclass(frozen=True, slots=True)
class CorpusPart:
    """The pairs of two languages in one part of a corpus, and the directions they are used in.

    Attributes:
        part: `train`, or the name of a development or test part.
        languages: two codes, sorted.
        directions: `source-target`, in the order of the recipe.
    """

    corpus: str
    part: str
    languages: tuple[str, str]
    directions: tuple[str, ...]

    @property
    def name(self) -> str:
        """`corpus:part`."""
        return f"{self.corpus}:{self.part}"

    def path(self, folder: Path, language: str) -> Path:
        """Return where one side lies in the data folder of a run."""
        kind = TRAIN if self.part == TRAIN else "dev"
        return folder / kind / f"{self.corpus}.{self.part}.{'-'.join(self.languages)}.{language}"


@dataclass(frozen=True, slots=True)
class SentencePair:
    """Two aligned sentences."""

    source: str
    target: str

    @property
    def sides(self) -> tuple[str, str]:
        """Source and target."""
        return self.source, self.target


def _shown(text: str) -> str:
    more = len(text) - MAX_SHOWN
    return f"{text[:MAX_SHOWN]}… ({more:,} more characters)" if more > 0 else text


@dataclass(slots=True)
class CleaningReport:
    """What cleaning kept and dropped, by reason, with a few examples of each."""

    num_read: int = 0
    num_kept: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[SentencePair]] = field(default_factory=dict)

    def drop(self, reason: str, pair: SentencePair | None = None) -> None:
        """Count one dropped pair."""
        self.dropped[reason] = self.dropped.get(reason, 0) + 1
        examples = self.examples.setdefault(reason, [])
        if pair is not None and len(examples) < NUM_EXAMPLES:
            examples.append(SentencePair(*(_shown(side) for side in pair.sides)))

    def as_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        return dataclasses.asdict(self)

    def __str__(self) -> str:
        most_first = sorted(self.dropped.items(), key=lambda item: -item[1])
        dropped = ", ".join(f"{count:,} {reason}" for reason, count in most_first)
        return f"{self.num_read:,} pairs read; dropped: {dropped or 'none'}"


def locate(corpus_file: CorpusFile, folder: Path | None, cache: Path) -> Path:
    """Return a local file for `corpus_file`: from `folder` if it is there, else downloaded.

    The folder, `--data`, may hold the file under its catalogue path, plain, .gz, .xz or .zst; it
    may also be the corpus' own folder. Downloads are kept in `cache`.

    Raises:
        CorpusError: it is in neither and cannot be downloaded, or its checksum is wrong.
    """
    if (path := find(corpus_file, folder, cache)) is not None:
        _check(path, corpus_file, str(path))
        return path
    if corpus_file.url is None:
        raise CorpusError(
            f"{corpus_file.path}: not found in {folder or 'any folder'}, and it has no URL; "
            "name the folder that holds it with --data"
        )
    _download(corpus_file, cache / corpus_file.path, folder or Path("FOLDER"))
    return cache / corpus_file.path


def find(corpus_file: CorpusFile, folder: Path | None, cache: Path) -> Path | None:
    """Return a local file for `corpus_file`; None if there is none yet. See `locate`."""
    folders = [folder] if folder else []
    if folder and folder.absolute().name == Path(corpus_file.path).parts[0]:
        folders.append(folder.absolute().parent)
    packed = (place / (corpus_file.path + end) for place in folders for end in ("", *OPENERS))
    places = (*packed, cache / corpus_file.path)
    return next((path for path in places if path.is_file()), None)


def _check(path: Path, corpus_file: CorpusFile, source: str) -> None:
    digest = sha256(path)  # also of a file that may be any, to see that it can be unpacked
    if corpus_file.sha256 not in (None, digest):
        raise CorpusError(
            f"{source}: SHA-256 is {digest}, expected {corpus_file.sha256}; the file is damaged "
            "or another version: delete it and fetch it again"
        )


def _download(corpus_file: CorpusFile, destination: Path, folder: Path) -> None:
    """Fetch under a temporary name, check, then rename: a broken download never looks finished.

    An error says that the file could lie in `folder`.
    """
    assert corpus_file.url is not None
    destination.parent.mkdir(parents=True, exist_ok=True)
    packed = destination.with_name(f"{destination.name}.partial{Path(corpus_file.url).suffix}")
    name, plain = destination.name, destination.with_name(f"{destination.name}.plain")
    try:
        with (
            telling(destination),
            urllib.request.urlopen(corpus_file.url, timeout=60) as answer,
            packed.open("wb") as out,
        ):
            total = int(answer.headers.get("Content-Length", 0)) or None
            with progress_bar(total=total, unit="B", unit_scale=True, desc=name) as bar:
                while block := answer.read(1 << 16):
                    out.write(block)
                    bar.update(len(block))
        if total is not None and packed.stat().st_size != total:
            raise CorpusError(f"{corpus_file.url}: download ended early; try again")
        with telling(destination), plain.open("wb") as out:
            for block in read_blocks(packed):
                out.write(block)
        _check(plain, corpus_file, corpus_file.url)
        plain.replace(destination)
    except NoRoomError:
        raise
    except OSError as error:
        raise CorpusError(
            f"{corpus_file.url}: download failed ({error}); "
            f"fetch it by other means to {folder / corpus_file.path}, and give --data {folder}"
        ) from error
    finally:
        packed.unlink(missing_ok=True)
        plain.unlink(missing_ok=True)


def read_pairs(
    source: Path, target: Path, report: CleaningReport, max_unreadable: float = 0.0
) -> Iterator[SentencePair]:
    """Yield aligned lines, stripped; pairs that cannot be read are counted and dropped.

    Only a newline ends a line. A byte order mark is taken off. At most a share `max_unreadable` of
    the pairs may be dropped for one reason.

    Raises:
        CorpusError: the two files have different numbers of lines, or too many are dropped.
        InputError: one is a damaged archive, or in UTF-16.
    """
    sources, targets = byte_lines(source), byte_lines(target)
    examples: dict[str, str] = {}
    for source_line, target_line in itertools.zip_longest(sources, targets):
        if source_line is None or target_line is None:
            ours, theirs = (
                report.num_read + (line is not None) + sum(1 for _ in lines)
                for line, lines in ((source_line, sources), (target_line, targets))
            )
            raise CorpusError(
                f"{source} has {ours} lines but {target} has {theirs}; "
                "parallel files must be aligned line by line"
            )
        report.num_read += 1
        faults = _fault(source_line), _fault(target_line)
        if faults == ("", ""):
            yield SentencePair(source_line.decode().strip(), target_line.decode().strip())
            continue
        place, line = (source, source_line) if faults[0] else (target, target_line)
        report.drop(max(faults), SentencePair(_forced(source_line), _forced(target_line)))
        example_line = f"such as line {report.num_read} of {place}: {_shown(_forced(line))}"
        examples.setdefault(max(faults), f"{example_line}; {conversion(place)}")
    for fault, example in examples.items():
        if report.dropped[fault] > max_unreadable * report.num_read:
            raise CorpusError(
                f"{report.dropped[fault]:,} of {report.num_read:,} lines have {fault}, {example}; "
                "or let them be dropped, with cleaning.max_unreadable"
            )


def _fault(line: bytes) -> str:
    if b"\0" in line:
        return "zero bytes"
    try:
        line.decode()
    except UnicodeDecodeError:
        return "invalid UTF-8"
    return ""


def _forced(line: bytes) -> str:
    return line.decode(errors="backslashreplace").replace("\0", "\\0").strip()


RECORD = "text.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceFile:
    """One side of one part of a corpus, as it was read.

    Attributes:
        num_bytes: its size there, packed or not.
        sha256: of its contents, decompressed.
    """

    path: str
    num_bytes: int
    changed_ns: int
    sha256: str

    @classmethod
    def of(cls, path: Path, noted: SourceFile | None = None) -> SourceFile:
        """Return what is to be noted of a file; it is read only if it does not look as `noted`."""
        about = path.stat()
        seen = cls(path=str(path), num_bytes=about.st_size, changed_ns=about.st_mtime_ns, sha256="")
        if noted is not None and dataclasses.replace(noted, sha256="") == seen:
            return noted
        return dataclasses.replace(seen, sha256=sha256(path))


def read_record(folder: Path) -> dict[str, SourceFile]:
    """Return what `text.json` in a folder says, by part and language.

    It is empty if the file is missing or damaged.
    """
    try:
        record = json.loads((folder / RECORD).read_bytes())
        return {name: read_dataclass(SourceFile, fields) for name, fields in record.items()}
    except (OSError, ValueError, AttributeError, ConfigError):
        return {}


def write_record(folder: Path, files: Mapping[str, SourceFile]) -> None:
    """Write `text.json`."""
    record = {name: dataclasses.asdict(file) for name, file in files.items()}
    write_durably(folder / RECORD, json.dumps(record, indent=2, ensure_ascii=False).encode())


def text_fingerprint(files: Mapping[str, SourceFile]) -> str:
    """Return a short hash of the contents of all files."""
    hashes = {name: file.sha256 for name, file in files.items()}
    return hashlib.sha256(json.dumps(hashes, sort_keys=True).encode()).hexdigest()[:16]
