"""Small random models of `transformers`, away from neutral biases and norms."""

from __future__ import annotations

import dataclasses
import functools
import io
import itertools
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import sentencepiece
import torch

from translator.model.transformer import Transformer, make_model
from translator.model.weights import Weights
from translator.store.imports.huggingface import model_config, own_weights
from translator.store.imports.imported import ImportedModel

if TYPE_CHECKING:
    from transformers import PreTrainedModel

SIZES = {
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "max_position_embeddings": 64,
}
KINDS = ("marian", "marian-separate", "m2m100")


def foreign_model(kind: str, vocab_size: int = 60, **changed: Any) -> PreTrainedModel:
    """Return a random model of one of `KINDS`, in evaluation mode."""
    from transformers import (  # takes three seconds, also of those who only collect tests
        M2M100Config,
        M2M100ForConditionalGeneration,
        MarianConfig,
        MarianMTModel,
    )

    torch.manual_seed(7)
    model: Any
    if kind == "m2m100":
        settings = {**SIZES, "vocab_size": vocab_size, "activation_function": "relu", **changed}
        model = M2M100ForConditionalGeneration(M2M100Config(**settings))
    else:
        own = {
            "activation_function": "swish",
            "pad_token_id": vocab_size - 1,
            "decoder_start_token_id": vocab_size - 1,
            "scale_embedding": True,
        }
        if kind == "marian-separate":
            own |= {"share_encoder_decoder_embeddings": False}
        model = MarianMTModel(MarianConfig(**{**SIZES, "vocab_size": vocab_size, **own, **changed}))
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "embed_positions" not in name:
                parameter.add_(torch.randn_like(parameter) * 0.1)
            if re.fullmatch(r".*decoder\.(layers\.1\.final_layer|layer)_norm\.weight", name):
                parameter.normal_(std=3)  # a tied model would say again what it has just read
            if re.fullmatch(r".*decoder.*(_proj|fc[12])\.weight", name):
                parameter.mul_(4)  # what it says depends on all that it has read
        if kind != "m2m100":
            model.final_logits_bias.normal_(std=0.1)
    foreign: PreTrainedModel = model.eval()
    return foreign


def own_model(foreign: PreTrainedModel) -> Transformer:
    """Return the same model as this project's."""
    config = dataclasses.replace(model_config(foreign.config.to_dict()), dropout=0.0)
    model = make_model(config).eval()
    model.load_state_dict(own_weights(foreign.state_dict(), config))
    return model


# --- directories as they are published -----------------------------------------------------------

SYLLABLES = ["ba", "de", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "wa", "xi"]


def sentences(count: int, seed: int = 0) -> list[str]:
    """Return sentences of made-up words."""
    chosen = random.Random(seed)
    words = ["".join(pair) for pair in itertools.product(SYLLABLES, repeat=2)]
    return [" ".join(chosen.choices(words, k=chosen.randint(2, 9))) + "." for _ in range(count)]


@functools.cache
def piece_model(seed: int = 0, size: int = 80, kind: str = "unigram") -> bytes:
    """Return a SentencePiece model of such sentences: <unk> <s> </s>, then pieces."""
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences(300, seed)),
        model_writer=written,
        vocab_size=size,
        model_type=kind,
        minloglevel=2,
    )
    return written.getvalue()


def pieces_of(serialized: bytes) -> list[str]:
    processor = sentencepiece.SentencePieceProcessor()
    processor.LoadFromSerializedProto(serialized)
    return [processor.IdToPiece(i) for i in range(3, processor.vocab_size())]


def marian_folder(folder: Path, tags: tuple[str, ...] = (), is_separate: bool = False) -> Any:
    """Write a MarianMT directory; return the model in it."""
    folder.mkdir(parents=True)
    models = piece_model(0), piece_model(1)
    source, target = map(pieces_of, models)
    tag_pieces = [f">>{tag}<<" for tag in tags]
    both = [target] if is_separate else [source, target]
    vocabularies = {"target_vocab.json" if is_separate else "vocab.json": both}
    if is_separate:
        vocabularies["vocab.json"] = [source]
    sizes = {}
    for name, lists in vocabularies.items():
        pieces = [*dict.fromkeys(["</s>", "<unk>", *tag_pieces, *itertools.chain(*lists)]), "<pad>"]
        if is_separate:  # one pad id serves both sides
            pieces.remove("<pad>")
            pieces.insert(2, "<pad>")
        sizes[name] = len(pieces)
        _write(folder / name, {piece: i for i, piece in enumerate(pieces)})
    (folder / "source.spm").write_bytes(models[0])
    (folder / "target.spm").write_bytes(models[1])
    _write(folder / "tokenizer_config.json", {"source_lang": "deu", "target_lang": "eng"})
    vocab_size = sizes["vocab.json"]
    pad_id = 2 if is_separate else vocab_size - 1
    given = {"pad_token_id": pad_id, "decoder_start_token_id": pad_id}
    if is_separate:
        given["decoder_vocab_size"] = sizes["target_vocab.json"]
    kind = "marian-separate" if is_separate else "marian"
    model: Any = foreign_model(kind, vocab_size, **given)
    with torch.no_grad():
        model.lm_head.weight[0] *= 1.2 if is_separate else 2.5  # sentences end, some of them
    settings = {"bad_words_ids": [[pad_id]], "num_beams": 4, "max_length": 64, **given}
    _save(model, folder, settings | {"eos_token_id": 0, "forced_eos_token_id": None})
    return model


def m2m100_folder(folder: Path, is_nllb: bool = False) -> Any:
    """Write an M2M100 or NLLB directory; return the model in it."""
    folder.mkdir(parents=True)
    serialized = piece_model(2, kind="bpe" if is_nllb else "unigram")
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    pieces = [*special, *pieces_of(serialized)]
    languages = ["deu_Latn", "eng_Latn", "zho_Hans"] if is_nllb else ["__de__", "__en__", "__fr__"]
    (folder / "sentencepiece.bpe.model").write_bytes(serialized)
    if is_nllb:
        pieces_and_languages = [*pieces, *languages, "<mask>"]
    else:
        _write(folder / "vocab.json", {piece: i for i, piece in enumerate(pieces)})
        pieces_and_languages = [*pieces, *languages]
    _write(folder / "special_tokens_map.json", {"additional_special_tokens": languages})
    model: Any = foreign_model("m2m100", len(pieces_and_languages) + 2, bos_token_id=0)
    with torch.no_grad():
        model.lm_head.weight[2] *= 2.5  # sentences end, some of them
    settings = {"bad_words_ids": [[1]], "num_beams": 4, "max_length": 64}
    _save(model, folder, settings | {"decoder_start_token_id": 2, "eos_token_id": 2})
    return model


FOLDERS: dict[str, Callable[[Path], Any]] = {
    "marian": marian_folder,
    "marian-separate": lambda folder: marian_folder(folder, is_separate=True),
    "marian-tags": lambda folder: marian_folder(folder, tags=("fra", "eng", "cmn_Hant")),
    "m2m100": m2m100_folder,
    "nllb": lambda folder: m2m100_folder(folder, is_nllb=True),
}
"""By the kind of model; each writes a directory and returns the model in it."""


def _save(model: Any, folder: Path, settings: dict[str, Any]) -> None:
    for name, value in settings.items():
        setattr(model.generation_config, name, value)
    model.save_pretrained(folder)


def _write(path: Path, table: object) -> None:
    path.write_text(json.dumps(table, ensure_ascii=False), encoding="utf-8")


def model_of(imported: ImportedModel) -> Transformer:
    """Return what an import has read as a model, without a directory."""
    arrays = {name: array.astype(np.float32) for name, array in imported.weights.items()}
    return Weights(imported.description.model, arrays).model()
