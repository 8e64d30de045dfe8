"""Vocabularies of Marian's: pieces, the SentencePiece models that split texts, and shortlists.

A lexical shortlist is a binary file, `lex.….s2t.bin`:

    magic number, checksum              uint64 each
    frequent pieces, best of each       uint64 each: how many
    number of starts, number of ids     uint64 each
    starts, uint64; ids, uint32

Source: `data/shortlist.cpp` and `common/hash.h` of Marian.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from translator.config import ModelConfig
from translator.errors import ImportedModelError
from translator.store.imports.marian.flat_yaml import read_yaml
from translator.store.imports.pieces import (
    filled,
    made_form,
    ordered,
    sentencepieces,
    tags_and_pairs,
    with_zero_piece,
)
from translator.store.imports.reading import decoded, read_bytes, read_json
from translator.tokens.imported import TARGET, ImportedVocabulary
from translator.tokens.shortlist import Shortlist

SPLITTERS = ("source.spm", "target.spm")
BPE = ("source.bpe", "target.bpe")
EOS, UNK = "</s>", "<unk>"
_SENTENCEPIECE = (".spm", ".model")
_YAML = (".yml", ".yaml")


def marian_vocabulary(
    paths: Sequence[Path],
    config: ModelConfig,
    pair: tuple[str, str],
    allows_unk: bool,
    shortlist: Path | None = None,
) -> tuple[ImportedVocabulary, list[tuple[str, str]]]:
    """Return the vocabulary and the pairs of languages of a model.

    Its pad id stands for the zeros that the decoder begins with. `allows_unk` says whether the
    piece for what is unknown may be produced.
    """
    counts = config.num_source_pieces, config.vocab_size
    source, target = (
        with_zero_piece(filled(listed_pieces(path), count - 1, path.name), config.pad_id)
        for path, count in zip(paths, counts, strict=True)
    )
    by_code, pairs = tags_and_pairs(source, pair)
    never = {config.pad_id, *([] if allows_unk or UNK not in target else [target.index(UNK)])}
    form = made_form(
        pieces=target,
        source_pieces=source if source != target else (),
        pad_id=config.pad_id,
        before=(TARGET,) if by_code else (),
        after=(EOS,),
        start=(target[config.pad_id],),
        languages=by_code,
        forbidden_ids=tuple(sorted(never)),
    )
    listed = None
    if shortlist is not None:
        eos_id, is_shared = target.index(EOS), paths[0] == paths[-1]
        listed = read_shortlist(shortlist, *counts, eos_id=eos_id, is_shared=is_shared)
    return ImportedVocabulary(form, *_splitters(paths), shortlist=listed), pairs


def listed_pieces(path: Path) -> list[str]:
    """Return pieces of a vocabulary by id: YAML, JSON, a SentencePiece model, or plain lines."""
    if path.suffix == ".json":
        return ordered(read_json(path), path.name)
    content = read_bytes(path)
    if path.suffix in _SENTENCEPIECE:
        return sentencepieces(content, str(path))
    text = decoded(content, path)
    if path.suffix not in _YAML:
        return text.removesuffix("\n").split("\n")
    table = read_yaml(text, path.name)
    try:
        return ordered({piece: int(str(number)) for piece, number in table.items()}, path.name)
    except ValueError as error:
        raise ImportedModelError(f"{path}: an id is no number ({error})") from error


def _splitters(paths: Sequence[Path]) -> list[bytes]:
    """Return the SentencePiece models of source and target, or one of both."""
    folder = paths[0].parent
    if all(path.suffix in _SENTENCEPIECE for path in paths):
        source, target = (read_bytes(path) for path in paths)
        return [source] if source == target else [source, target]
    for name in BPE:
        if (folder / name).exists():
            raise ImportedModelError(
                f"{folder / name}: only SentencePiece can be read; take a model of this pair that "
                f"has {' and '.join(SPLITTERS)}"
            )
    return [read_bytes(folder / name) for name in SPLITTERS]


MAGIC = 0xF11A48D5013417F5
HEADER = struct.Struct("<6Q")
CHECKED_FROM = 16
"""The checksum is of all that stands behind it."""

MOST_IDS = 100_000_000
_GOLDEN, _WORD = 0x9E3779B9, (1 << 64) - 1


def read_shortlist(
    path: Path, num_source_pieces: int, num_pieces: int, *, eos_id: int, is_shared: bool
) -> Shortlist:
    """Return a shortlist, for vocabularies that have a piece more for padding, which is counted.

    If both sides share one vocabulary, a piece may stay as it is.

    Raises:
        ImportedModelError: it is missing, truncated or damaged, or of other vocabularies.
    """
    content = read_bytes(path)
    if len(content) < HEADER.size or HEADER.unpack_from(content)[0] != MAGIC:
        raise ImportedModelError(f"{path}: not a binary shortlist of Marian's")
    _, expected, num_frequent, _, num_starts, num_ids = HEADER.unpack_from(content)
    if max(num_starts, num_ids) > MOST_IDS or num_starts < 1:
        raise ImportedModelError(f"{path}: damaged: says that it has {num_ids} ids")
    if len(content) != HEADER.size + 8 * num_starts + 4 * num_ids:
        raise ImportedModelError(f"{path}: truncated or damaged: has {len(content)} bytes")
    if checksum(content[CHECKED_FROM:]) != expected:
        raise ImportedModelError(f"{path}: damaged: its checksum is another; fetch it again")
    long_starts = np.frombuffer(content, "<u8", num_starts, HEADER.size)
    long_ids = np.frombuffer(content, "<u4", num_ids, HEADER.size + 8 * num_starts)
    if num_starts > num_source_pieces or long_starts.max() > num_ids:
        raise ImportedModelError(
            f"{path}: has lists for {num_starts - 1} source pieces, the model "
            f"{num_source_pieces - 1}; they do not belong together"
        )
    # pieces behind the last list have none
    starts = np.full(num_source_pieces + 1, num_ids, np.int32)
    starts[:num_starts] = long_starts
    ids = long_ids.astype(np.int64).clip(max=np.iinfo(np.int32).max).astype(np.int32)
    always = np.arange(min(num_frequent, num_pieces - 1), dtype=np.int32)
    shortlist = Shortlist(np.union1d(always, [eos_id]).astype(np.int32), starts, ids)
    problem = shortlist.problem(num_source_pieces, num_pieces, eos_id)
    if problem:
        raise ImportedModelError(f"{path}: {problem}")
    return _with_own_pieces(shortlist) if is_shared else shortlist


def checksum(content: bytes) -> int:
    """Return Marian's checksum of whole numbers of 64 bits; bytes that are left over do not count.

    Each number depends on what is known of all those before it, so there is nothing to do at once.
    """
    seed = 0
    for (number,) in struct.iter_unpack("<Q", content[: len(content) // 8 * 8]):
        seed ^= (number + _GOLDEN + (seed << 6) + (seed >> 2)) & _WORD
    return seed


def _with_own_pieces(shortlist: Shortlist) -> Shortlist:
    """Return a shortlist in which each piece is on its own list, too."""
    each_piece = np.arange(len(shortlist.starts) - 2, dtype=np.int32)  # not the padding
    ids = np.insert(shortlist.ids, shortlist.starts[:-2], each_piece).astype(np.int32)
    starts = shortlist.starts.copy()
    starts[:-1] += np.arange(len(starts) - 1, dtype=np.int32)
    starts[-1] = len(ids)
    return Shortlist(shortlist.always, starts, ids)
