"""Directories of `transformers`: MarianMT (OPUS-MT), M2M100 and NLLB.

Their form comes from `config.json`, and their pieces from the files of the tokenizer. All weights
are BART's layers in another order, so one table of names serves them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from translator.config import (
    ALL_DIRECTIONS,
    Activation,
    DecodingOptions,
    ModelConfig,
    ModelDescription,
)
from translator.errors import ConfigError, ImportedModelError
from translator.store.imports.imported import ImportedModel, described, no_languages
from translator.store.imports.pieces import (
    filled,
    made_form,
    ordered,
    own_codes,
    sentencepieces,
    tags_and_pairs,
)
from translator.store.imports.reading import (
    read_bytes,
    read_json,
    read_table,
    read_tensors,
    refused_at,
)
from translator.tokens.imported import SOURCE, TARGET, ImportedVocabulary

MARIAN, FAIRSEQ = "marian", "m2m_100"
"""Values of `model_type`; NLLB's dense models say that they are M2M100."""

ACTIVATIONS: dict[str, Activation] = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "silu": "silu",
    "swish": "silu",
}
SAME_ON_BOTH_SIDES = ("ffn_dim", "attention_heads")


def model_config(table: Mapping[str, Any]) -> ModelConfig:
    """Return the configuration of the same model here, from `config.json`."""
    kind = table.get("model_type")
    if kind not in (MARIAN, FAIRSEQ):
        raise ImportedModelError(
            f"config.json: model_type is {kind!r}; only marian (OPUS-MT) and m2m_100 (M2M100, "
            "dense NLLB) can be imported"
        )
    activation = ACTIVATIONS.get(str(table.get("activation_function")))
    if activation is None:
        names = ", ".join(ACTIVATIONS)
        raise ImportedModelError(
            f"config.json: activation_function is {table.get('activation_function')!r}; "
            f"only {names} are known"
        )
    for name in SAME_ON_BOTH_SIDES:
        encoder, decoder = (_int(table, f"{side}_{name}") for side in ("encoder", "decoder"))
        if encoder != decoder:
            raise ImportedModelError(
                f"config.json: encoder_{name} is {encoder} and decoder_{name} {decoder}; they "
                "must be the same"
            )
    with refused_at(CONFIG):
        return ModelConfig(
            d_model=_int(table, "d_model"),
            d_ff=_int(table, "encoder_ffn_dim"),
            num_heads=_int(table, "encoder_attention_heads"),
            num_encoder_layers=_int(table, "encoder_layers"),
            num_decoder_layers=_int(table, "decoder_layers"),
            activation=activation,
            scale_embedding=bool(table.get("scale_embedding", kind == FAIRSEQ)),
            **(_marian(table) if kind == MARIAN else _fairseq(table)),
        )


def _marian(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is Marian's own: post-norm, a bias of the logits, perhaps two vocabularies."""
    vocab_size = _int(table, "vocab_size")
    target_size = table.get("decoder_vocab_size") or vocab_size
    is_shared = bool(table.get("share_encoder_decoder_embeddings", True))
    is_tied = bool(table.get("tie_word_embeddings", True))
    return {
        "vocab_size": target_size,
        "source_vocab_size": 0 if is_shared or target_size == vocab_size else vocab_size,
        "pad_id": _int(table, "pad_token_id"),
        "norm": "post",
        "positions": "sinusoidal_halves",
        "output_bias": True,
        "tied": ("all" if is_shared else "target") if is_tied else "none",
    }


def _fairseq(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is fairseq's own: pre-norm, positions that begin behind the pad id."""
    pad_id = _int(table, "pad_token_id")
    return {
        "vocab_size": _int(table, "vocab_size"),
        "pad_id": pad_id,
        "norm": "pre",
        "positions": "sinusoidal_fairseq",
        "position_offset": pad_id + 1,
        "tied": "all" if table.get("tie_word_embeddings", True) else "none",
    }


def _int(table: Mapping[str, Any], name: str) -> int:
    value = table.get(name)
    if type(value) is not int:
        raise ImportedModelError(f"config.json: {name} must be a number, got {value!r}")
    return value


CONFIG, GENERATION, VOCABULARY = "config.json", "generation_config.json", "vocab.json"
FAIRSEQ_MODEL = "sentencepiece.bpe.model"
# fmt: off
M2M100_LANGUAGES = [
    "af", "am", "ar", "ast", "az", "ba", "be", "bg", "bn", "br", "bs", "ca", "ceb", "cs", "cy",
    "da", "de", "el", "en", "es", "et", "fa", "ff", "fi", "fr", "fy", "ga", "gd", "gl", "gu",
    "ha", "he", "hi", "hr", "ht", "hu", "hy", "id", "ig", "ilo", "is", "it", "ja", "jv", "ka",
    "kk", "km", "kn", "ko", "lb", "lg", "ln", "lo", "lt", "lv", "mg", "mk", "ml", "mn", "mr",
    "ms", "my", "ne", "nl", "no", "ns", "oc", "or", "pa", "pl", "ps", "pt", "ro", "ru", "sd",
    "si", "sk", "sl", "so", "sq", "sr", "ss", "su", "sv", "sw", "ta", "th", "tl", "tn", "tr",
    "uk", "ur", "uz", "vi", "wo", "xh", "yi", "yo", "zh", "zu",
]
# fmt: on
"""In the order of their ids, as the dictionary of the published models has them."""

_NLLB_LANGUAGE = re.compile(r"[a-z]{3}_[A-Z][a-z]{3}")
_PAIR = re.compile(r"(?:opus-mt-(?:tc-(?:big-|base-|bible-big-)?)?)?([a-z]{2,3})-([a-z]{2,3})")


def _forbidden(generation: Mapping[str, Any], pad_id: int, vocab_size: int) -> tuple[int, ...]:
    """Return pad, and the single ids that the generation's configuration calls bad words."""
    words = generation.get("bad_words_ids") or []
    if not isinstance(words, list):
        raise ImportedModelError(f"{GENERATION}: bad_words_ids must be a list, got {words!r}")
    single = {word[0] for word in words if isinstance(word, list) and len(word) == 1}
    bad = [word for word in single if type(word) is not int or not 0 <= word < vocab_size]
    if bad:
        raise ImportedModelError(f"{GENERATION}: bad_words_ids has {bad[0]!r}, which is no id")
    return tuple(sorted({*single, pad_id}))


def marian_vocabulary(
    folder: Path,
    config: ModelConfig,
    table: Mapping[str, Any],
    generation: Mapping[str, Any],
    languages: tuple[str, str] | None,
) -> tuple[ImportedVocabulary, Sequence[Any]]:
    """Return the vocabulary and the pairs of languages of an OPUS-MT model."""
    pieces = _pieces(folder / VOCABULARY, config.num_source_pieces)
    source_pieces: tuple[str, ...] = ()
    if (folder / "target_vocab.json").exists():
        source_pieces = pieces
        pieces = _pieces(folder / "target_vocab.json", config.vocab_size)
    elif config.source_vocab_size:
        raise ImportedModelError(f"{folder}: has no target_vocab.json beside {VOCABULARY}")
    settings = _settings(folder)
    pair = languages or _pair(folder, table, settings)
    by_code, pairs = tags_and_pairs(source_pieces or pieces, pair)
    start = table.get("decoder_start_token_id", config.pad_id)
    if type(start) is not int or not 0 <= start < config.vocab_size:
        raise ImportedModelError(f"{CONFIG}: decoder_start_token_id is {start!r}, which is no id")
    form = made_form(
        pieces=pieces,
        source_pieces=source_pieces,
        pad_id=config.pad_id,
        before=(TARGET,) if by_code else (),
        start=(pieces[start],),
        languages=by_code,
        forbidden_ids=_forbidden(generation, config.pad_id, config.vocab_size),
    )
    models = [read_bytes(folder / name) for name in ("source.spm", "target.spm")]
    return ImportedVocabulary(form, *models), pairs


def _pieces(path: Path, count: int) -> tuple[str, ...]:
    return filled(ordered(read_json(path), path.name), count, path.name, most=0)


def _pair(folder: Path, table: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[str, str]:
    named = settings.get("source_lang"), settings.get("target_lang")
    if all(isinstance(code, str) and code for code in named):
        return str(named[0]), str(named[1])
    for name in (table.get("_name_or_path"), folder.name):
        match = _PAIR.search(str(name))
        if match:
            return match[1], match[2]
    raise no_languages(folder)


def fairseq_vocabulary(folder: Path, config: ModelConfig) -> ImportedVocabulary:
    """Return the vocabulary of M2M100, which has a `vocab.json`, or of NLLB, which has none."""
    model, settings = read_bytes(folder / FAIRSEQ_MODEL), _settings(folder)
    generation = read_table(folder / GENERATION, is_optional=True)
    if (folder / VOCABULARY).exists():
        listed = read_json(folder / VOCABULARY)
        own_languages = _listed_languages(settings, r"__([a-z]{2,3})__") or M2M100_LANGUAGES
        tokens = {code: f"__{code}__" for code in own_languages}
        names = ordered(listed, VOCABULARY)
        pieces = filled([*names, *tokens.values()], config.vocab_size, VOCABULARY)
    else:
        named = _listed_languages(settings, f"({_NLLB_LANGUAGE.pattern})")
        if not named:
            raise ImportedModelError(
                f"{folder}: neither tokenizer.json nor special_tokens_map.json lists its languages"
            )
        tokens = {code: code for code in named}
        names = ["<s>", "<pad>", "</s>", "<unk>", *sentencepieces(model, FAIRSEQ_MODEL)[3:]]
        pieces = filled([*names, *named, "<mask>"], config.vocab_size, FAIRSEQ_MODEL)
    is_legacy = bool(settings.get("legacy_behaviour"))
    form = made_form(
        pieces=pieces,
        pad_id=config.pad_id,
        before=() if is_legacy else (SOURCE,),
        after=("</s>", SOURCE) if is_legacy else ("</s>",),
        start=("</s>", TARGET),
        languages={name: tokens[code] for name, code in own_codes(tokens).items()},
        forbidden_ids=_forbidden(generation, config.pad_id, config.vocab_size),
    )
    return ImportedVocabulary(form, model)


def _settings(folder: Path) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for name in ("special_tokens_map.json", "tokenizer_config.json"):
        told = read_table(folder / name, is_optional=True)
        settings |= {key: value for key, value in told.items() if value is not None}
    if (folder / "tokenizer.json").exists():
        added = read_table(folder / "tokenizer.json").get("added_tokens")
        settings["added_tokens"] = added if isinstance(added, list) else []
    return settings


def _listed_languages(settings: Mapping[str, Any], pattern: str) -> list[str]:
    """Return the languages among the added tokens, in the order of their ids."""
    listed = [*settings.get("added_tokens", [])]
    listed = sorted(
        (token for token in listed if isinstance(token, dict) and type(token.get("id")) is int),
        key=lambda token: token["id"],
    )
    for key in ("additional_special_tokens", "extra_special_tokens"):
        listed += settings[key] if isinstance(settings.get(key), list) else []
    names = [token.get("content") if isinstance(token, dict) else token for token in listed]
    matches = (re.fullmatch(pattern, name) for name in names if isinstance(name, str))
    return [*dict.fromkeys(match[1] for match in matches if match)]


ATTENTION = {"q_proj": "query_proj", "k_proj": "key_proj", "v_proj": "value_proj"}
SUBLAYERS = {
    "self_attn_layer_norm": "self_attention_residual.norm",
    "encoder_attn_layer_norm": "cross_attention_residual.norm",
    "final_layer_norm": "feed_forward_residual.norm",
    "fc1": "feed_forward.inner_proj",
    "fc2": "feed_forward.out_proj",
}
_LAYER = re.compile(r"model\.(encoder|decoder)\.layers\.(\d+)\.(.+)\.(weight|bias)")
_HEADS = re.compile(r"(self|encoder)_attn\.(q_proj|k_proj|v_proj|out_proj)")
_IGNORED = re.compile(r"model\.(encoder|decoder)\.embed_positions\.weights?")
"""Sinusoidal positions, which are computed."""

SHARED = "model.shared.weight"
EMBEDDINGS = {
    "source": ("model.encoder.embed_tokens.weight", SHARED),
    "target": ("model.decoder.embed_tokens.weight", SHARED, "lm_head.weight"),
    "output": ("lm_head.weight", "model.decoder.embed_tokens.weight", SHARED),
}
"""Where each matrix may be, best first: a file has a tied one under one name or several."""


def own_weights(
    tensors: Mapping[str, NDArray[Any]], config: ModelConfig
) -> dict[str, NDArray[Any]]:
    """Return the weights under the names of `Transformer`."""
    renamed = {
        "embedding.weight": _embedding(tensors, "source" if config.tied != "all" else "target")
    }
    if config.tied != "all":
        renamed["decoder_embedding.weight"] = _embedding(tensors, "target")
    if config.tied == "none":
        renamed["output"] = _embedding(tensors, "output")
    used = {SHARED, *(name for names in EMBEDDINGS.values() for name in names)}
    for name, tensor in tensors.items():
        if name == "final_logits_bias" and config.output_bias:
            renamed["output_bias"] = tensor.reshape(-1)
        elif name not in used and name != "final_logits_bias" and not _IGNORED.fullmatch(name):
            renamed[_own_name(name)] = tensor
    return renamed


def _embedding(tensors: Mapping[str, NDArray[Any]], kind: str) -> NDArray[Any]:
    for name in EMBEDDINGS[kind]:
        if name in tensors:
            return tensors[name]
    raise ImportedModelError(
        f"the weights have no {EMBEDDINGS[kind][0]}; the file is not whole, or not of such a model"
    )


def _own_name(name: str) -> str:
    ends = re.fullmatch(r"model\.(encoder|decoder)\.layer_norm\.(weight|bias)", name)
    if ends:
        return f"{ends[1]}_norm.{ends[2]}"
    layer = _LAYER.fullmatch(name)
    if layer:
        side, number, inner, kind = layer.groups()
        heads = _HEADS.fullmatch(inner)
        inner_name = SUBLAYERS.get(inner)
        if heads:
            attention = "cross_attention" if heads[1] == "encoder" else "self_attention"
            inner_name = f"{attention}.{ATTENTION.get(heads[2], heads[2])}"
        if inner_name:
            return f"{side}_layers.{number}.{inner_name}.{kind}"
    raise ImportedModelError(f"{name}: this project's model has no such layer")


WEIGHTS = ("model.safetensors", "pytorch_model.bin")


def read_huggingface(folder: Path, languages: tuple[str, str] | None = None) -> ImportedModel:
    """Read a directory of `transformers`; languages are for one whose names do not tell them."""
    table = read_table(folder / CONFIG)
    config = model_config(table)
    generation = read_table(folder / GENERATION) if (folder / GENERATION).exists() else table
    path = next((folder / name for name in WEIGHTS if (folder / name).exists()), None)
    if path is None:
        raise ImportedModelError(f"{folder}: has neither {' nor '.join(WEIGHTS)}")
    decoding = _decoding(generation)
    if table["model_type"] == MARIAN:
        vocabulary, pairs = marian_vocabulary(folder, config, table, generation, languages)
        description = described(config, pairs, decoding)
    else:
        vocabulary = fairseq_vocabulary(folder, config)
        description = ModelDescription(
            model=config,
            languages=tuple(sorted(vocabulary.form.languages)),
            directions=(ALL_DIRECTIONS,),
            decoding=decoding,
        )
    return ImportedModel(
        description=description,
        vocabulary=vocabulary,
        weights=own_weights(read_tensors(path), config),
        source=str(path),
        kind=str(table["model_type"]),
    )


def _decoding(generation: Mapping[str, Any]) -> DecodingOptions:
    """Return the search that the model's authors recommend."""
    beams, alpha = generation.get("num_beams", 4), generation.get("length_penalty", 1.0)
    try:
        return DecodingOptions(beam_size=int(beams), length_penalty="average", alpha=float(alpha))
    except (ConfigError, TypeError, ValueError) as error:
        raise ImportedModelError(f"{GENERATION}: {error}") from error
