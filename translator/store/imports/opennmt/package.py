"""Argos packages, zipped or installed, and CTranslate2 directories, bare or made by `convert`."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import torch

from translator.config import DecodingOptions, ModelConfig, ModelDescription
from translator.errors import ImportedModelError
from translator.store.imports.imported import ImportedModel
from translator.store.imports.languages import own_code
from translator.store.imports.opennmt.binary import read_variables
from translator.store.imports.opennmt.weights import own_form, zero_place
from translator.store.imports.pieces import made_form, with_zero_piece
from translator.store.imports.reading import read_bytes, read_json, read_table
from translator.store.model_directory import read_description, read_vocabulary
from translator.store.names import CONVERTED, OPTIONAL, TOKENIZER
from translator.tokens.imported import ImportedVocabulary
from translator.tokens.tokenizer import language_tag

METADATA, CONFIG, WEIGHTS = "metadata.json", "config.json", "model.bin"
MODELS = ("sentencepiece.model", "tokenizer.model", "source.spm")
TARGET_MODEL = "target.spm"
PADS = ("<blank>", "<pad>", "<s>", "<unk>")
"""Pieces that can fill batches, best first."""

OF_ARGOS = DecodingOptions(beam_size=4, length_penalty="average", alpha=0.2)
"""How Argos Translate searches, so that a package says here what it says there."""

EPSILONS = (None, 1e-5, 1e-6)


def is_package(path: Path) -> bool:
    """Return whether a folder is an unpacked package, or a CTranslate2 directory."""
    return any((path / name).exists() for name in (METADATA, WEIGHTS, f"model/{WEIGHTS}"))


def read_package(folder: Path, languages: tuple[str, str] | None = None) -> ImportedModel:
    """Read an unpacked Argos package or a CTranslate2 directory.

    Args:
        folder: with `metadata.json`, or `model.bin` and a SentencePiece model.
        languages: source and target, of a directory that does not tell.

    Raises:
        ImportedModelError: it is damaged, or of a model that ours cannot be.
        ModelDirectoryError: it was made from a model directory, and its notes of that are damaged.
    """
    if (folder / CONVERTED).exists():
        return read_converted(folder)
    about = read_table(folder / METADATA) if (folder / METADATA).exists() else {}
    inner = folder / "model" if (folder / "model" / WEIGHTS).exists() else folder
    pair = languages or (about.get("from_code"), about.get("to_code"))
    if not all(isinstance(code, str) and code for code in pair):
        raise ImportedModelError(f"{folder}: does not tell its languages; give --from and --to")
    codes = [own_code(str(code)) for code in pair]
    config = read_table(inner / CONFIG) if (inner / CONFIG).exists() else {}
    if config.get("layer_norm_epsilon") not in EPSILONS:
        raise ImportedModelError(
            f"{inner / CONFIG}: layer_norm_epsilon {config['layer_norm_epsilon']!r}: ours is 1e-5"
        )
    variables = read_variables(inner / WEIGHTS)
    vocabulary = _vocabulary(folder, inner, config, about, zero_place(variables))
    if not (about or config.get("add_source_bos")) and {*map(language_tag, codes)} & {
        *vocabulary.form.pieces
    }:
        raise ImportedModelError(
            f"{folder}: reads a tag such as {language_tag(codes[1])} before each text, and does "
            f"not say so: it lacks {CONVERTED}. Convert the model directory again"
        )
    model, weights = own_form(variables, vocabulary.form.pad_id)
    for name, found, expected in (
        ("target", vocabulary.vocab_size, model.vocab_size),
        ("source", vocabulary.source_vocab_size, model.num_source_pieces),
    ):
        if found != expected:
            raise ImportedModelError(
                f"{inner}: the {name} vocabulary has {found} pieces, {WEIGHTS} {expected}; they do "
                "not belong together"
            )
    return ImportedModel(
        description=ModelDescription(
            model=model,
            languages=tuple(sorted(codes)),
            directions=("-".join(codes),),
            decoding=OF_ARGOS if about else DecodingOptions(beam_size=4),
        ),
        vocabulary=vocabulary,
        weights=weights,
        source=str(inner / WEIGHTS),
        kind="Argos package" if about else "CTranslate2",
        card={"package_version": about.get("package_version")} if about else {},
    )


def _vocabulary(
    folder: Path, inner: Path, config: dict[str, Any], about: dict[str, Any], zero: int | None
) -> ImportedVocabulary:
    """Return the vocabulary of a package; `zero` is the id of a piece to add, see `zero_place`."""
    if (folder / "bpe.model").exists():
        raise ImportedModelError(
            f"{folder}: bpe.model: only SentencePiece can be read; take a package with a "
            "sentencepiece.model, or an OPUS-MT model of this pair"
        )
    path = next(
        (at / name for name in MODELS for at in (folder, inner) if (at / name).exists()), None
    )
    if path is None:
        raise ImportedModelError(f"{folder}: has none of {', '.join(MODELS)} beside the weights")
    target_path = path.with_name(TARGET_MODEL)
    shared = _listed(inner, "shared_vocabulary")
    target = shared or _listed(inner, "target_vocabulary")
    source = shared or _listed(inner, "source_vocabulary")
    if not target or not source:
        raise ImportedModelError(f"{inner}: has no vocabulary, .json or .txt")
    bos, eos = str(config.get("bos_token", "<s>")), str(config.get("eos_token", "</s>"))
    unk, start = str(config.get("unk_token", "<unk>")), str(config.get("decoder_start_token", bos))
    prefix = about.get("target_prefix") or None
    pads = [p for p in PADS if p in target and p in source and target.index(p) == source.index(p)]
    if zero is not None:
        if zero > min(len(source), len(target)):
            raise ImportedModelError(
                f"{inner}: a vocabulary has fewer pieces than {WEIGHTS}; they do not fit"
            )
        source, target = with_zero_piece(source, zero), with_zero_piece(target, zero)
        start, pads = target[zero], [target[zero]]
    if not pads:
        raise ImportedModelError(f"{inner}: the vocabularies share none of {', '.join(PADS)}")
    never = {*pads[:1], unk, start, bos, *PADS} - {eos}
    form = made_form(
        pieces=target,
        source_pieces=source if source != target else (),
        pad_id=target.index(pads[0]),
        eos=eos,
        unk=unk,
        before=(bos,) if config.get("add_source_bos") else (),
        behind=(eos,) if config.get("add_source_eos") else (),
        start=(start, str(prefix)) if prefix else (start,),
        forbidden_ids=tuple(sorted(target.index(piece) for piece in never if piece in target)),
    )
    second = read_bytes(target_path) if target_path.exists() else b""
    return ImportedVocabulary(form, read_bytes(path), second)


def _listed(inner: Path, name: str) -> tuple[str, ...]:
    """Return the pieces of a vocabulary file; nothing if there is none."""
    if (inner / f"{name}.json").exists():
        listed = read_json(inner / f"{name}.json")
        if not isinstance(listed, list) or not all(isinstance(piece, str) for piece in listed):
            raise ImportedModelError(f"{inner / name}.json: must be a list of pieces")
        return tuple(listed)
    if (inner / f"{name}.txt").exists():
        try:
            text = read_bytes(inner / f"{name}.txt").decode()
        except UnicodeDecodeError as error:
            raise ImportedModelError(f"{inner / name}.txt: is not UTF-8") from error
        return tuple(text.removesuffix("\n").split("\n"))
    return ()


SAME = (
    *("vocab_size", "source_vocab_size", "d_model", "d_ff", "num_heads", "num_encoder_layers"),
    *("num_decoder_layers", "activation", "norm"),
)
"""What the weights and the notes must agree in."""

OF_TRAINING = ("dropout", "attention_dropout", "activation_dropout")
WEIGHTS = "model.bin"


def read_converted(folder: Path) -> ImportedModel:
    """Read a CTranslate2 directory with `translator.json`: same vocabulary, search and card.

    Raises:
        ImportedModelError: it is damaged, or its files do not belong together.
        ModelDirectoryError: its configuration or its vocabulary is damaged.
    """
    path = folder / CONVERTED
    told = read_table(path)
    if not isinstance(told.get("card"), dict):
        raise ImportedModelError(f"{path}: damaged: it has no card")
    description = read_description(json.dumps(told.get("description")).encode(), path)
    names = (name for name in (TOKENIZER, *OPTIONAL) if (folder / name).is_file())
    contents = {name: (folder / name).read_bytes() for name in names}
    if TOKENIZER not in contents:
        raise ImportedModelError(f"{folder}: lacks {TOKENIZER}")
    vocabulary = read_vocabulary(contents, description, folder)
    config, weights = own_form(read_variables(folder / WEIGHTS), vocabulary.pad_id)
    _compare(config, description.model, path)
    changes = {name: getattr(description.model, name) for name in OF_TRAINING}
    if not description.model.output_bias:
        weights.pop("output_bias", None)  # it only says which pieces are never produced
        changes["output_bias"] = False
    if all(torch.equal(tensor.half().float(), tensor) for tensor in weights.values()):
        weights = {name: tensor.half() for name, tensor in weights.items()}  # as before
    return ImportedModel(
        description=dataclasses.replace(
            description, model=dataclasses.replace(config, **changes), weights="floats"
        ),
        vocabulary=vocabulary,
        weights=weights,
        source=str(folder / WEIGHTS),
        kind="CTranslate2",
        card=told["card"],
    )


def _compare(found: ModelConfig, told: ModelConfig, path: Path) -> None:
    for name in SAME:
        ours, theirs = getattr(found, name), getattr(told, name)
        if ours != theirs:
            raise ImportedModelError(
                f"{path}: says {name} = {theirs}, and {WEIGHTS} has {ours}; they do not belong "
                "together: convert the model again"
            )
