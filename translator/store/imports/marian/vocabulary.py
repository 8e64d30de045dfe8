"""Vocabularies of Marian's: lists of pieces, and the SentencePiece models that split texts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from translator.config import ModelConfig
from translator.errors import ImportedModelError
from translator.store.imports.languages import tags_and_pairs
from translator.store.imports.marian.flat_yaml import read_table
from translator.store.imports.marian.shortlist import read_shortlist
from translator.store.imports.pieces import (
    filled,
    made_form,
    ordered,
    sentencepieces,
    with_zero_piece,
)
from translator.store.imports.reading import read_bytes, read_json
from translator.tokens.imported import TARGET, ImportedVocabulary

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

    Args:
        paths: of the vocabularies of source and target.
        config: of the model; its pad id stands for the zeros that the decoder begins with.
        pair: what the model is said to translate from and to.
        allows_unk: whether the piece for what is unknown may be produced.
        shortlist: file of the lexical shortlist, if there is one.

    Raises:
        ImportedModelError: a file is missing or damaged, or does not belong to the model.
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
        behind=(EOS,),
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
    """Return the pieces of a vocabulary by id: YAML, JSON, a SentencePiece model, or plain lines.

    Raises:
        ImportedModelError: it is missing or damaged, or ids have gaps.
    """
    if path.suffix == ".json":
        return ordered(read_json(path), path.name)
    content = read_bytes(path)
    if path.suffix in _SENTENCEPIECE:
        return sentencepieces(content, str(path))
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise ImportedModelError(f"{path}: is not UTF-8") from error
    if path.suffix not in _YAML:
        return text.removesuffix("\n").split("\n")
    table = read_table(text, path.name)
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
