"""Named corpora: find or download them, check them, clean them, and report what went and why."""

from __future__ import annotations

import gzip
import hashlib
import lzma
import tomllib
import urllib.request
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tqdm import tqdm

from translator.config import raise_if_wrong, read_dataclass
from translator.errors import ConfigError, TranslatorError

CATALOGUE = Path(__file__).with_name("corpora.toml")


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
            raise ConfigError([f"data: no corpus {corpus!r}; known: {', '.join(self.corpora)}"])
        parts = self.corpora[corpus].files
        if part not in parts:
            raise ConfigError([f"data: {corpus} has no part {part!r}; known: {', '.join(parts)}"])
        return parts[part]


def load_catalogue(path: Path = CATALOGUE) -> Catalogue:
    """Read a catalogue of corpora."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return read_dataclass(Catalogue, {"corpora": table}, str(path))


@dataclass(frozen=True, kw_only=True, slots=True)
class CleaningConfig:
    """Which pairs are worth training on.

    Attributes:
        max_words: pairs with a longer side are dropped.
        max_length_ratio: pairs whose sides differ by more than this factor in characters are
            dropped (short ones are given some room).
        deduplicate: drop exact repetitions of a pair.
    """

    max_words: int = 200
    max_length_ratio: float = 4.0
    deduplicate: bool = True

    def __post_init__(self) -> None:
        """Refuse bad values."""
        raise_if_wrong(self)

    def problems(self) -> list[str]:
        """Return one sentence per bad value."""
        found = []
        if self.max_words < 1:
            found.append(f"max_words: must be at least 1, got {self.max_words}")
        if self.max_length_ratio < 1:
            found.append(f"max_length_ratio: must be at least 1, got {self.max_length_ratio}")
        return found


@dataclass(slots=True)
class CleaningReport:
    """What cleaning kept and dropped, by reason."""

    num_read: int = 0
    num_kept: int = 0
    dropped: dict[str, int] = field(default_factory=dict)

    def drop(self, reason: str) -> None:
        """Count one dropped pair."""
        self.dropped[reason] = self.dropped.get(reason, 0) + 1


@dataclass(frozen=True, slots=True)
class SentencePair:
    """Two aligned sentences."""

    source: str
    target: str


def locate(corpus_file: CorpusFile, folder: Path | None, cache: Path) -> Path:
    """Return a local file for `corpus_file`: from `folder` if it is there, else downloaded.

    Args:
        corpus_file: what is wanted.
        folder: `--data`, which may hold the file under its catalogue path, plain, .gz or .xz.
        cache: where downloads are kept.

    Raises:
        CorpusError: it is in neither and cannot be downloaded, or its checksum is wrong.
    """
    for suffix in ("", ".gz", ".xz"):
        candidate = folder / (corpus_file.path + suffix) if folder else None
        if candidate and candidate.is_file():
            _check(read_bytes(candidate), corpus_file, str(candidate))
            return candidate
    cached = cache / corpus_file.path
    if cached.is_file():
        _check(read_bytes(cached), corpus_file, str(cached))
    else:
        if corpus_file.url is None:
            raise CorpusError(
                f"{corpus_file.path}: not found in {folder or 'any folder'}, and it has no URL; "
                "name the folder that holds it with --data"
            )
        _download(corpus_file, cached)
    return cached


def _check(contents: bytes, corpus_file: CorpusFile, source: str) -> None:
    digest = hashlib.sha256(contents).hexdigest()
    if corpus_file.sha256 not in (None, digest):
        raise CorpusError(
            f"{source}: SHA-256 is {digest}, expected {corpus_file.sha256}; the file is damaged "
            "or another version: delete it and fetch it again"
        )


def _download(corpus_file: CorpusFile, destination: Path) -> None:
    """Fetch under a temporary name, check, then rename: a broken download never looks finished."""
    assert corpus_file.url is not None
    destination.parent.mkdir(parents=True, exist_ok=True)
    partial = destination.with_name(f"{destination.name}.partial{Path(corpus_file.url).suffix}")
    try:
        with (
            urllib.request.urlopen(corpus_file.url, timeout=60) as answer,
            partial.open("wb") as out,
        ):
            total = int(answer.headers.get("Content-Length", 0)) or None
            with tqdm(total=total, unit="B", unit_scale=True, desc=destination.name) as bar:
                while chunk := answer.read(1 << 16):
                    out.write(chunk)
                    bar.update(len(chunk))
        if total is not None and partial.stat().st_size != total:
            raise CorpusError(f"{corpus_file.url}: download ended early; try again")
        contents = read_bytes(partial)
        _check(contents, corpus_file, corpus_file.url)
        partial.write_bytes(contents)
        partial.replace(destination)
    except OSError as error:
        raise CorpusError(
            f"{corpus_file.url}: download failed ({error}); "
            "fetch it by other means and name its folder with --data"
        ) from error
    finally:
        partial.unlink(missing_ok=True)


def read_bytes(path: Path) -> bytes:
    """Return the contents of a file, decompressed if it ends in .gz or .xz.

    Raises:
        CorpusError: it cannot be decompressed.
    """
    contents = path.read_bytes()
    try:
        if path.suffix == ".gz":
            return gzip.decompress(contents)
        return lzma.decompress(contents) if path.suffix == ".xz" else contents
    except (gzip.BadGzipFile, EOFError, lzma.LZMAError, zlib.error) as error:
        raise CorpusError(f"{path}: damaged archive ({error}); fetch it again") from error


def read_lines(path: Path) -> list[bytes]:
    """Return the lines of a file, undecoded; only a newline ends a line."""
    lines = read_bytes(path).split(b"\n")
    return lines[:-1] if lines and not lines[-1] else lines


def read_pairs(source: Path, target: Path, report: CleaningReport) -> Iterator[SentencePair]:
    """Yield aligned lines, stripped; lines that are not UTF-8 are counted and dropped.

    Raises:
        CorpusError: the two files have different numbers of lines.
    """
    source_lines, target_lines = read_lines(source), read_lines(target)
    if len(source_lines) != len(target_lines):
        raise CorpusError(
            f"{source} has {len(source_lines)} lines but {target} has {len(target_lines)}; "
            "parallel files must be aligned line by line"
        )
    for source_line, target_line in zip(source_lines, target_lines, strict=True):
        report.num_read += 1
        try:
            yield SentencePair(source_line.decode().strip(), target_line.decode().strip())
        except UnicodeDecodeError:
            report.drop("invalid UTF-8")


def clean(
    pairs: Iterator[SentencePair], config: CleaningConfig, report: CleaningReport
) -> Iterator[SentencePair]:
    """Yield the pairs worth training on, counting the others by reason."""
    seen: set[int] = set()
    for pair in pairs:
        reason = _fault(pair, config)
        if reason is None and config.deduplicate:
            key = hash(pair)
            reason = "repeated pair" if key in seen else None
            seen.add(key)
        if reason is None:
            report.num_kept += 1
            yield pair
        else:
            report.drop(reason)


def _fault(pair: SentencePair, config: CleaningConfig) -> str | None:
    if not pair.source or not pair.target:
        return "empty side"
    if max(len(pair.source.split()), len(pair.target.split())) > config.max_words:
        return f"over {config.max_words} words"
    shorter, longer = sorted((len(pair.source), len(pair.target)))
    if longer > config.max_length_ratio * (shorter + 10):
        return f"length ratio over {config.max_length_ratio:g}"
    return None
