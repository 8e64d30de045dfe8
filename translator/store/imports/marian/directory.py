"""Directories of Marian's, as OPUS-MT, Mozilla and the Bergamot project publish them.

OPUS-MT's zip files have the weights (`….npz.best-perplexity.npz` or another `.npz`), the
vocabularies (`….vocab.yml`), `source.spm` and `target.spm`, `README.md`, and `decoder.yml`, which
names the first two.

Mozilla's and Bergamot's have `model.….bin`, `vocab.….spm` or `srcvocab.….spm` and
`trgvocab.….spm`, and some of `config.….yml`, which names them, `metadata.json` and
`model_info.json`.

What else the files beside a model tell of it: `README.md` is OPUS-MT's, `metadata.json` Mozilla's,
`model_info.json` and `modelMeta.json` are of translateLocally. Where none of them tells the
languages, names may: that of the folder, such as `de-en`, or that of the weights, such as
`model.deen.intgemm.alphas.bin`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from translator.config import DecodingOptions, LengthPenalty
from translator.errors import ImportedModelError
from translator.store.imports.imported import ImportedModel, described, no_languages
from translator.store.imports.marian.arrays import Arrays, Binary, read_binary, read_npz
from translator.store.imports.marian.flat_yaml import Table, read_yaml
from translator.store.imports.marian.vocabulary import marian_vocabulary
from translator.store.imports.marian.weights import (
    CONFIG,
    model_form,
    number,
    own_multipliers,
    own_weights,
)
from translator.store.imports.reading import decoded, read_bytes, read_table, refused_at

DECODERS = ("decoder.yml", "config*.yml")
"""Names of what tells the other files' names, and how to search; the first that there is."""

BINARY = re.compile(r"model\..+\.bin")
"""A binary file of weights, not `model.bin`, which is CTranslate2's."""

SHORTLISTS = "lex.*.bin"

MOST_WEIGHT_BYTES = 4_000_000_000
NO_MODELS = re.compile(r".*\.(optimizer|orig|progress)\.npz")
"""What Marian's training leaves beside a model."""

USUAL = {"beam-size": 6, "normalize": 1, "max-length-factor": 0, "word-penalty": 0}
"""Of OPUS-MT's `decoder.yml`; 0 is a limit of our own."""

USUAL_OF_BINARIES = USUAL | {"beam-size": 1, "max-length-factor": 2}
"""How Firefox searches."""

LONGEST_SOURCE = 128
"""Ids that Firefox lets such a model read at once; it cuts longer sentences."""

LONGEST_OF_OTHERS = 256


def is_marian(path: Path) -> bool:
    """Return whether a path is an `.npz`, or a folder with one or with a `decoder.yml`."""
    if path.is_file():
        return path.suffix == ".npz"
    return (path / DECODERS[0]).exists() or any(path.glob("*.npz"))


def is_binary(path: Path) -> bool:
    """Return whether a path is a binary file of weights, or a folder with one, packed or not."""
    names = [path.name] if path.is_file() else [file.name for file in path.glob("*.bin*")]
    plain = (re.sub(r"\.(?:gz|xz|zst)$", "", name) for name in names)
    return any(map(BINARY.fullmatch, plain))


def read_marian(path: Path, languages: tuple[str, str] | None = None) -> ImportedModel:
    """Read a folder in Marian's own form, or the weights in it.

    Languages are source and target, where the folder does not tell them.
    """
    folder = path.parent if path.is_file() else path
    decoders = [file for name in DECODERS for file in sorted(folder.glob(name))]
    place = decoders[0] if decoders else folder / DECODERS[0]
    decoder = _yaml(place) if decoders else Table()
    weights = path if path.is_file() else _weights(place, decoder)
    arrays, multipliers = _read(weights)
    settings, is_small = _own_yaml(arrays, weights), weights.suffix == ".bin"
    config, tensors = own_weights(arrays, model_form(settings))
    shortlist = _shortlist(place, decoder)
    vocabulary, pairs = marian_vocabulary(
        _vocabularies(place, decoder),
        config,
        languages or model_pair(folder, weights.name),
        decoder.get("allow-unk") == "true",
        shortlist,
    )
    return ImportedModel(
        description=described(
            config,
            pairs,
            _decoding(decoder, place.name, USUAL_OF_BINARIES if is_small else USUAL),
            max_source_ids=LONGEST_SOURCE if is_small else LONGEST_OF_OTHERS,
        ),
        vocabulary=vocabulary,
        weights=tensors,
        source=str(weights),
        kind="Marian",
        card=model_card(folder),
        multipliers=own_multipliers(multipliers),
    )


def _shortlist(place: Path, decoder: Table) -> Path | None:
    """Return the file of the shortlist, which must be there if it is named; not one in words."""
    named = [file for file in _named(place, decoder, "shortlist")[:1] if file.suffix == ".bin"]
    shortlists = named or sorted(place.parent.glob(SHORTLISTS))
    return shortlists[0] if shortlists else None


def _read(path: Path) -> Binary:
    if path.suffix == ".npz":
        return Binary(read_npz(path), {})
    content = read_bytes(path, MOST_WEIGHT_BYTES)
    check_digest(path, content)
    return read_binary(content, str(path))


def _yaml(path: Path) -> Table:
    return read_yaml(decoded(read_bytes(path), path), path.name)


def _own_yaml(arrays: Arrays, path: Path) -> Table:
    """Return the settings inside the weights: bytes, with a zero at their end."""
    if CONFIG not in arrays:
        raise ImportedModelError(f"{path}: has no {CONFIG}; it is not a model of Marian's")
    return read_yaml(decoded(arrays[CONFIG].tobytes().rstrip(b"\0"), f"{path}: {CONFIG}"), CONFIG)


def _named(place: Path, decoder: Table, key: str) -> list[Path]:
    """Return the files that `decoder.yml`, at a place, names; only their last parts count."""
    listed: Any = decoder.get(key) or []
    names = [listed] if isinstance(listed, str) else listed
    if any("\0" in name for name in names):
        raise ImportedModelError(f"{place}: {key} has a name that no file can have")
    return [place.with_name(part) for name in names if (part := PurePosixPath(name).name)]


def _weights(place: Path, decoder: Table) -> Path:
    files, folder = _named(place, decoder, "models"), place.parent
    if not files:
        files = [p for p in sorted(folder.glob("*.npz")) if not NO_MODELS.fullmatch(p.name)]
        files += [p for p in sorted(folder.glob("*.bin")) if BINARY.fullmatch(p.name)]
    if len(files) != 1:
        names = ", ".join(path.name for path in files) or "none"
        raise ImportedModelError(
            f"{folder}: must have one model, has {names}; give the file wanted"
        )
    return files[0]


def _vocabularies(place: Path, decoder: Table) -> list[Path]:
    files, folder = _named(place, decoder, "vocabs"), place.parent
    if not files:
        listed = sorted(p for p in folder.iterdir() if re.search(r"vocab[^/]*$", p.name))
        sources = [p for p in listed if re.search(r"\bsrc(vocab)?\b", p.name)]
        targets = [p for p in listed if re.search(r"\b(trg|tgt)(vocab)?\b", p.name)]
        files = [*sources, *targets] or listed
    if not 1 <= len(files) <= 2:
        names = ", ".join(path.name for path in files) or "none"
        raise ImportedModelError(
            f"{folder}: must have one vocabulary or two, has {names}; name them in {DECODERS[0]}"
        )
    return [files[0], files[-1]]


def _decoding(decoder: Table, place: str, usual: Mapping[str, float]) -> DecodingOptions:
    """Return the search that settings ask for; `usual` is for what they leave out."""
    settings = {
        name: number(decoder, name, place) if decoder.get(name) else float(value)
        for name, value in usual.items()
    }
    if settings["word-penalty"]:
        raise ImportedModelError(
            f"{place}: word-penalty is {settings['word-penalty']}; ours has none"
        )
    factor, alpha = settings["max-length-factor"], settings["normalize"]
    limit: dict[str, Any] = {"max_length_factor": factor, "max_length_offset": 1} if factor else {}
    penalty: LengthPenalty = "average" if alpha else "none"
    with refused_at(place):
        return DecodingOptions(
            beam_size=int(settings["beam-size"]), length_penalty=penalty, alpha=alpha, **limit
        )


README = "README.md"
TABLES = ("metadata.json", "model_info.json", "modelMeta.json")
LICENCES = ("license", "licence")

_LANGUAGES = re.compile(r"^\* (source|target) language\(s\):[ \t]*(\S.*)$", re.MULTILINE)
_SHA256 = re.compile(r"[0-9a-f]{64}")
_PAIR = re.compile(r"(?:^|[/_])(?:opus-mt-)?([a-z]{2,3})-([a-z]{2,3})(?:$|[/_-])")
_SHORT_NAME = re.compile(r"([a-z]{2,3})-([a-z]{2,3})(?:-\w+)?")
_WEIGHTS = re.compile(r"model\.([a-z]{2})([a-z]{2})\..+")


def model_pair(folder: Path, weights: str) -> tuple[str, str]:
    """Return what a model translates from and to; several languages are joined by `+`."""
    pair = _of_readme(folder)
    for table in [] if pair else _tables(folder):
        pair = pair or _of_table(table)
    if pair:
        return pair
    match = _PAIR.search(folder.name) or _WEIGHTS.fullmatch(weights)
    if not match:
        raise no_languages(folder)
    return match[1], match[2]


def model_card(folder: Path) -> dict[str, Any]:
    """Return what the card is to say: version and licence, where a file tells them."""
    fields: dict[str, Any] = {}
    for table in _tables(folder):
        licences = [table[key] for key in LICENCES if isinstance(table.get(key), str)]
        if licences:
            fields["licence"] = licences[0]
        if isinstance(table.get("version"), (str, int, float)):
            fields["package_version"] = str(table["version"])
    return fields


def check_digest(weights: Path, content: bytes) -> None:
    """Compare weights, unpacked, with what Mozilla's `metadata.json` says of them, if it does."""
    place = weights.with_name(TABLES[0])
    expected = read_table(place, is_optional=True).get("hash")
    if not (isinstance(expected, str) and _SHA256.fullmatch(expected)):
        return
    digest = hashlib.sha256(content).hexdigest()
    if digest != expected:
        raise ImportedModelError(
            f"{weights}: damaged, or another model's: has the SHA-256 {digest[:12]}…, "
            f"{place.name} says {expected[:12]}…"
        )


def _of_readme(folder: Path) -> tuple[str, str] | None:
    if not (folder / README).exists():
        return None
    text = read_bytes(folder / README).decode(errors="replace")
    codes_by_side = {
        side: "+".join(re.split(r"[\s,]+", codes.strip()))
        for side, codes in reversed(_LANGUAGES.findall(text))
    }
    return (codes_by_side["source"], codes_by_side["target"]) if len(codes_by_side) == 2 else None


def _tables(folder: Path) -> list[dict[str, Any]]:
    return [read_table(folder / name) for name in TABLES if (folder / name).exists()]


def _of_table(table: Mapping[str, Any]) -> tuple[str, str] | None:
    for keys in (("sourceLanguage", "targetLanguage"), ("fromLang", "toLang")):
        pair = [table.get(key) for key in keys]
        if all(isinstance(code, str) and code for code in pair):
            return str(pair[0]), str(pair[1])
    sources, target = table.get("srcTags"), table.get("trgTag")
    if isinstance(sources, dict) and sources and isinstance(target, str):
        return "+".join(map(str, sources)), target
    match = _SHORT_NAME.fullmatch(str(table.get("shortName")))
    return (match[1], match[2]) if match else None
