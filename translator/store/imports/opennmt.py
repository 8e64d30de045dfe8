"""Argos packages, zipped or installed, and CTranslate2 directories, bare or made by `convert`.

Source: `ModelSpec._serialize` of CTranslate2, binary version 6.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from translator.config import Activation, DecodingOptions, ModelConfig, PositionScheme
from translator.errors import ImportedModelError
from translator.model.positions import POSITIONS
from translator.store.imports.imported import ImportedModel, described, no_languages
from translator.store.imports.pieces import made_form, own_code, with_zero_piece, with_zero_row
from translator.store.imports.reading import (
    ByteReader,
    decoded,
    read_bytes,
    read_json,
    read_table,
    refused_at,
)
from translator.store.model_directory import read_description, read_vocabulary
from translator.store.names import CONVERTED, OPTIONAL, TOKENIZER
from translator.tokens.imported import ImportedVocabulary
from translator.tokens.tokenizer import language_tag

METADATA, CONFIG, WEIGHTS = "metadata.json", "config.json", "model.bin"
VERSION = 6
DTYPES = (
    *("<f4", "i1", "<i2", "<i4", "<f2"),
    "<u2",  # bfloat16, which NumPy has not: the upper half of a float32
)
"""In the order of their numbers."""

BFLOAT16 = 5

MOST_DIMENSIONS = 8


class _Reader(ByteReader):
    def number(self, kind: str) -> int:
        return self.numbers(kind, 1)[0]

    def name(self) -> str:
        try:
            return bytes(self.take(self.number("H"))).rstrip(b"\0").decode()
        except UnicodeDecodeError as error:
            raise ImportedModelError(f"{self.place}: damaged at byte {self.at}") from error


def read_variables(path: Path) -> dict[str, NDArray[Any]]:
    """Return all variables of a `model.bin`, with aliases; quantised ones as they are stored."""
    try:
        reader = _Reader(path.read_bytes(), path)
    except OSError as error:
        raise ImportedModelError(f"{path}: {error.strerror}") from error
    version = reader.number("I")
    if version != VERSION:
        raise ImportedModelError(f"{path}: binary version {version}; only {VERSION} is known")
    name = reader.name()
    if name != "TransformerSpec":
        raise ImportedModelError(f"{path}: holds a {name!r}; only TransformerSpec can be imported")
    reader.number("I")  # the revision of the kind of model
    variables = dict[str, NDArray[Any]]()
    for _ in range(reader.number("I")):
        key = reader.name()
        variables[key] = _variable(reader, key)
    for _ in range(reader.number("I")):
        alias, key = reader.name(), reader.name()
        if key not in variables:
            raise ImportedModelError(f"{path}: {alias} stands for {key}, which is not there")
        variables[alias] = variables[key]
        scale = variables.get(f"{key}_scale")
        if scale is not None:
            variables.setdefault(f"{alias}_scale", scale)
    return variables


def _variable(reader: _Reader, name: str) -> NDArray[Any]:
    rank = reader.number("B")
    if rank > MOST_DIMENSIONS:
        raise ImportedModelError(f"{reader.place}: {name} has {rank} dimensions")
    shape = [reader.number("I") for _ in range(rank)]
    kind = reader.number("B")
    if kind >= len(DTYPES):
        raise ImportedModelError(f"{reader.place}: {name} is of an unknown type, number {kind}")
    num_bytes = reader.number("I")
    if num_bytes != math.prod(shape) * np.dtype(DTYPES[kind]).itemsize:
        raise ImportedModelError(f"{reader.place}: {name} has {num_bytes} bytes for {shape}")
    found = np.frombuffer(bytearray(reader.take(num_bytes)), DTYPES[kind]).reshape(shape)
    return (found.astype(np.uint32) << 16).view(np.float32) if kind == BFLOAT16 else found


def _is_float(array: NDArray[Any]) -> bool:
    return np.issubdtype(array.dtype, np.floating)


def dequantised(variables: Mapping[str, NDArray[Any]], name: str) -> NDArray[Any]:
    """Return a weight in floats: int8 and int16 are divided by their scales."""
    if name not in variables:
        raise ImportedModelError(f"model.bin: lacks {name}")
    weight = variables[name]
    if _is_float(weight):
        return weight.astype(np.float32, copy=False)
    scale = variables.get(f"{name}_scale")
    if scale is None or (scale.ndim and scale.shape != weight.shape[:1]):
        raise ImportedModelError(f"model.bin: {name} lacks scales of its shape")
    found: NDArray[Any] = weight.astype(np.float32) / (scale[:, None] if scale.ndim else scale)
    return found


ACTIVATIONS: dict[int, Activation] = {0: "relu", 1: "gelu_tanh", 2: "silu", 3: "gelu"}
"""By the numbers of CTranslate2's `Activation`."""

OTHER_ACTIVATIONS = {4: "GELUSigmoid", 5: "Tanh", 6: "Sigmoid"}
"""What else it has, for messages."""

NEUTRAL = {
    "alibi": 0,
    "alibi_use_positive_positions": None,
    "scale_alibi": None,
    "alignment_heads": None,
    "alignment_layer": None,
    "embeddings_merge": 0,
    "multi_query_attention": 0,
    "start_from_zero_embedding": None,
    "scale_outputs": 0,
}
"""Settings that ours has not, with the value that it can have; None for any."""

INSTEAD = "only CTranslate2 itself, or LibreTranslate, can run it"
"""What to do about a model that ours cannot be."""

NO_TABLE: tuple[PositionScheme, int] = ("sinusoidal_fairseq", 1)
"""What CTranslate2 computes where no table is stored, beginning with position 1."""

FAR = 1e9
"""Below all other logits, and finite."""

MATRICES = ("encoder/embeddings_0", "decoder/embeddings", "decoder/projection")
READ = ("num_heads", "pre_norm", "activation", "scale_embeddings")
_PARTS = {
    "self_attention/layer_norm": "self_attention_residual.norm",
    "attention/layer_norm": "cross_attention_residual.norm",
    "ffn/layer_norm": "feed_forward_residual.norm",
    "ffn/linear_0": "feed_forward.inner_proj",
    "ffn/linear_1": "feed_forward.out_proj",
}
_SPLIT = {
    "self_attention/linear_0": ("self_attention", ("query_proj", "key_proj", "value_proj")),
    "self_attention/linear_1": ("self_attention", ("out_proj",)),
    "attention/linear_0": ("cross_attention", ("query_proj",)),
    "attention/linear_1": ("cross_attention", ("key_proj", "value_proj")),
    "attention/linear_2": ("cross_attention", ("out_proj",)),
}
_LAYER = re.compile(r"(encoder|decoder)/layer_(\d+)/(.+)/(weight|bias|gamma|beta)")
_KINDS = {"gamma": "weight", "beta": "bias"}
_OTHERS = re.compile(
    r".*/weight_scale|encoder/embeddings_0/weight|decoder/embeddings/weight"
    r"|decoder/projection/(weight|bias)|(encoder|decoder)/position_encodings/encodings"
    r"|(encoder|decoder)/layer_norm/(gamma|beta)"
)


def zero_place(variables: Mapping[str, NDArray[Any]]) -> int | None:
    """Return the id of a piece to add, for a decoder that begins with zeros; None for others."""
    setting = variables.get("decoder/start_from_zero_embedding")
    if setting is None or setting.size != 1 or not int(setting):
        return None
    names = ("encoder/embeddings_0/weight", "decoder/embeddings/weight")
    return min((len(variables[name]) for name in names if name in variables), default=None)


def own_form(
    variables: Mapping[str, NDArray[Any]], pad_id: int
) -> tuple[ModelConfig, dict[str, NDArray[Any]]]:
    """Return the configuration and the weights of the same model here.

    The pad id is that of the piece that is added, if one is.
    """
    _refuse_unknown(variables)
    weights, tied = _vocabulary_weights(variables, pad_id)
    source = weights["embedding.weight"]
    target = weights.get("decoder_embedding.weight", source)
    for name in variables:
        layer = _LAYER.fullmatch(name)
        ends = re.fullmatch(r"(encoder|decoder)/layer_norm/(gamma|beta)", name)
        if layer:
            weights |= _layer_weights(layer, dequantised(variables, name))
        elif ends:
            weights[f"{ends[1]}_norm.{_KINDS[ends[2]]}"] = dequantised(variables, name)
    positions, offset, tables = _positions(variables, target.shape[-1])
    for name, table in tables.items():
        if tied != "all" or name == "embedding":
            weights[f"{name}.position_table"] = table
    layers = [_LAYER.fullmatch(name) for name in variables]
    numbers = {
        side: {int(m[2]) for m in layers if m and m[1] == side} for side in ("encoder", "decoder")
    }
    number = _setting(variables, "activation")
    if number not in ACTIVATIONS:
        name = OTHER_ACTIVATIONS.get(number, f"number {number}")
        raise ImportedModelError(
            f"{WEIGHTS}: activation {name}: this project's model has no such; {INSTEAD}"
        )
    with refused_at(WEIGHTS):
        config = ModelConfig(
            vocab_size=len(target),
            source_vocab_size=len(source) if len(source) != len(target) else 0,
            d_model=target.shape[-1],
            d_ff=dequantised(variables, "encoder/layer_0/ffn/linear_0/weight").shape[0],
            num_heads=_setting(variables, "num_heads"),
            num_encoder_layers=len(numbers["encoder"]),
            num_decoder_layers=len(numbers["decoder"]),
            activation=ACTIVATIONS[number],
            norm="pre" if _setting(variables, "pre_norm") else "post",
            positions=positions,
            position_offset=offset,
            max_positions=len(tables["embedding"]) if tables else 0,
            scale_embedding=_is_scaled(variables, target.shape[-1]),
            output_bias="output_bias" in weights,
            tied=tied,  # type: ignore[arg-type]
            pad_id=pad_id,
        )
    return config, weights


def _vocabulary_weights(
    variables: Mapping[str, NDArray[Any]], pad_id: int
) -> tuple[dict[str, NDArray[Any]], str]:
    """Return the matrices of source, target and output, and which of them are one."""
    adds_piece = zero_place(variables) is not None
    source, target, output = (
        with_zero_row(matrix, pad_id) if adds_piece else matrix
        for matrix in (dequantised(variables, f"{name}/weight") for name in MATRICES)
    )
    weights = {"embedding.weight": source}
    is_tied = np.array_equal(target, output)
    tied = "all" if is_tied and np.array_equal(source, target) else "target" if is_tied else "none"
    if tied != "all":
        weights["decoder_embedding.weight"] = target
    if tied == "none":
        weights["output"] = output
    if "decoder/projection/bias" in variables:
        bias = dequantised(variables, "decoder/projection/bias")
        bias = with_zero_row(bias, pad_id) if adds_piece else bias
        # in half precision it may be infinite
        weights["output_bias"] = np.maximum(bias, np.float32(-FAR))
    return weights, tied


def _setting(variables: Mapping[str, NDArray[Any]], name: str) -> int:
    values_of_sides = [variables.get(f"{side}/{name}") for side in ("encoder", "decoder")]
    values = {int(value) for value in values_of_sides if value is not None and value.size == 1}
    if len(values) != 1:
        raise ImportedModelError(f"model.bin: {name} must be the same on both sides, got {values}")
    return values.pop()


def _is_scaled(variables: Mapping[str, NDArray[Any]], d_model: int) -> bool:
    """Return whether embeddings are multiplied by √D: a flag says it, or the number itself."""
    scales = [variables.get(f"{side}/scale_embeddings") for side in ("encoder", "decoder")]
    numbers = {
        float(scale) if _is_float(scale) else float(scale) * math.sqrt(d_model) or 1.0
        for scale in scales
        if scale is not None and scale.size == 1
    }
    for number, is_scaled in ((1.0, False), (math.sqrt(d_model), True)):
        if numbers and all(math.isclose(value, number, rel_tol=1e-4) for value in numbers):
            return is_scaled
    raise ImportedModelError(f"model.bin: scale_embeddings is {numbers}; only 1 or √D are known")


def _refuse_unknown(variables: Mapping[str, NDArray[Any]]) -> None:
    for name, value in variables.items():
        _, _, setting = name.partition("/")
        if setting in READ or _OTHERS.fullmatch(name):
            continue
        if setting in NEUTRAL and (NEUTRAL[setting] is None or float(value) == NEUTRAL[setting]):
            continue
        layer = _LAYER.fullmatch(name)
        if layer and layer[3] in (*_PARTS, *_SPLIT):
            continue
        raise ImportedModelError(
            f"model.bin: {name}: this project's model has no such layer or setting; {INSTEAD}"
        )


def _layer_weights(layer: re.Match[str], tensor: NDArray[Any]) -> dict[str, NDArray[Any]]:
    side, number, part, kind = layer.groups()
    our_prefix = f"{side}_layers.{number}"
    if part in _PARTS:
        return {f"{our_prefix}.{_PARTS[part]}.{_KINDS.get(kind, kind)}": tensor}
    heads, names = _SPLIT[part]
    if len(tensor) % len(names):
        raise ImportedModelError(f"model.bin: {layer[0]} cannot be split in {len(names)}")
    parts = np.split(tensor, len(names))
    return {f"{our_prefix}.{heads}.{n}.{kind}": part for n, part in zip(names, parts, strict=True)}


def _positions(
    variables: Mapping[str, NDArray[Any]], d_model: int
) -> tuple[PositionScheme, int, dict[str, NDArray[Any]]]:
    """Return the formula that a stored table follows, or `learned`; the first position; tables."""
    tables = {
        name: dequantised(variables, f"{side}/position_encodings/encodings")
        for side, name in (("encoder", "embedding"), ("decoder", "decoder_embedding"))
        if f"{side}/position_encodings/encodings" in variables
    }
    schemes: tuple[PositionScheme, ...] = ("sinusoidal", "sinusoidal_halves", "sinusoidal_fairseq")
    if not tables:
        return *NO_TABLE, {}
    if len(tables) != 2:
        raise ImportedModelError("model.bin: position encodings must be on both sides, or on none")
    for scheme in schemes:
        if all(_follows(table, scheme, d_model) for table in tables.values()):
            return scheme, 0, {}
    return "learned", 0, tables


def _follows(table: NDArray[Any], scheme: PositionScheme, d_model: int) -> bool:
    if table.ndim != 2 or table.shape[1] != d_model:
        raise ImportedModelError(f"model.bin: position encodings have the shape {table.shape}")
    formula = POSITIONS[scheme](np.arange(len(table)), d_model)
    return bool(np.abs(table - formula).max() < 5e-3)


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

    Languages are source and target, of a directory that does not tell them.

    Raises:
        ImportedModelError: it is damaged, or of a model that ours cannot be.
        ModelDirectoryError: it was made from a model directory, and its notes of that are damaged.
    """
    if (folder / CONVERTED).exists():
        return read_converted(folder)
    about = read_table(folder / METADATA, is_optional=True)
    inner = folder / "model" if (folder / "model" / WEIGHTS).exists() else folder
    pair = languages or (about.get("from_code"), about.get("to_code"))
    if not all(isinstance(code, str) and code for code in pair):
        raise no_languages(folder)
    codes = [own_code(str(code)) for code in pair]
    config = read_table(inner / CONFIG, is_optional=True)
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
    for name, count, expected in (
        ("target", vocabulary.vocab_size, model.vocab_size),
        ("source", vocabulary.source_vocab_size, model.num_source_pieces),
    ):
        if count != expected:
            raise ImportedModelError(
                f"{inner}: the {name} vocabulary has {count} pieces, {WEIGHTS} {expected}; they do "
                "not belong together"
            )
    return ImportedModel(
        description=described(
            model, [(codes[0], codes[1])], OF_ARGOS if about else DecodingOptions(beam_size=4)
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
        after=(eos,) if config.get("add_source_eos") else (),
        start=(start, str(prefix)) if prefix else (start,),
        forbidden_ids=tuple(sorted(target.index(piece) for piece in never if piece in target)),
    )
    second = read_bytes(target_path) if target_path.exists() else b""
    return ImportedVocabulary(form, read_bytes(path), second)


def _listed(inner: Path, name: str) -> tuple[str, ...]:
    if (inner / f"{name}.json").exists():
        listed = read_json(inner / f"{name}.json")
        if not isinstance(listed, list) or not all(isinstance(piece, str) for piece in listed):
            raise ImportedModelError(f"{inner / name}.json: must be a list of pieces")
        return tuple(listed)
    if (inner / f"{name}.txt").exists():
        text = decoded(read_bytes(inner / f"{name}.txt"), inner / f"{name}.txt")
        return tuple(text.removesuffix("\n").split("\n"))
    return ()


SAME = (
    *("vocab_size", "source_vocab_size", "d_model", "d_ff", "num_heads", "num_encoder_layers"),
    *("num_decoder_layers", "activation", "norm"),
)
"""What the weights and the notes must agree in."""

OF_TRAINING = ("dropout", "attention_dropout", "activation_dropout")


def read_converted(folder: Path) -> ImportedModel:
    """Read a CTranslate2 directory with `translator.json`: same vocabulary, search and card.

    Raises:
        ImportedModelError: it is damaged, or its files do not belong together.
        ModelDirectoryError: its configuration or its vocabulary is damaged.
    """
    path = folder / CONVERTED
    converted = read_table(path)
    if not isinstance(converted.get("card"), dict):
        raise ImportedModelError(f"{path}: damaged: it has no card")
    description = read_description(json.dumps(converted.get("description")).encode(), path)
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
    with np.errstate(over="ignore"):
        halves = {name: array.astype(np.float16) for name, array in weights.items()}
    if all(np.array_equal(halves[name], array) for name, array in weights.items()):
        weights = halves  # as before
    return ImportedModel(
        description=dataclasses.replace(
            description, model=dataclasses.replace(config, **changes), weights="floats"
        ),
        vocabulary=vocabulary,
        weights=weights,
        source=str(folder / WEIGHTS),
        kind="CTranslate2",
        card=converted["card"],
    )


def _compare(config: ModelConfig, noted: ModelConfig, path: Path) -> None:
    for name in SAME:
        ours, theirs = getattr(config, name), getattr(noted, name)
        if ours != theirs:
            raise ImportedModelError(
                f"{path}: says {name} = {theirs}, and {WEIGHTS} has {ours}; they do not belong "
                "together: convert the model again"
            )
