"""A model directory as a CTranslate2 model, for the users of that library.

The package `ctranslate2` (with numpy) is needed here and nowhere else in the project but in its
engine: `pip install ctranslate2`.

Source: CTranslate2's own `TransformerSpec`; its file format is not written by hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from translator.durable import new_folder
from translator.errors import ConfigError, ModelDirectoryError
from translator.model.choices import chosen
from translator.runtime.arrange import arrange
from translator.runtime.plan import Linear, Network, Norm, Plan, SelfAttention
from translator.search.rows import Array
from translator.store.model_directory import LoadedModel, description_table
from translator.store.names import CONVERTED, TOKENIZER
from translator.tokens.imported import TARGET_MODEL
from translator.tokens.port import SpecialIds

MOST_ROWS = 200
"""Directions that a README lists."""

README = """# {name}, for CTranslate2

Made by `python -m translator convert`. Each sentence must be given as these pieces: those before
the text, the pieces of the text, and those behind it.

| direction | before | behind | the target begins with |
|---|---|---|---|
{rows}

```python
import ctranslate2
import sentencepiece

translator = ctranslate2.Translator(".")
pieces = sentencepiece.SentencePieceProcessor("tokenizer.model")
target = sentencepiece.SentencePieceProcessor("{target}")
sentence = input()
source = {source}
[result] = translator.translate_batch([source], beam_size={beam_size}{prefix})
print(target.decode({result}))
```

Split texts into sentences first, in Unicode NFC. `python -m translator import FOLDER --out MODEL`
makes a model directory of this folder again; `translator.json` has its languages, its search and
its card.
"""
NUM_POSITIONS = 4096
LAYER_NORM_EPSILON = 1e-5  # of nn.LayerNorm
PLACE = "CTranslate2"
ACTIVATIONS = {"relu": "RELU", "gelu": "GELU", "gelu_tanh": "GELUTanh", "silu": "SWISH"}
DECODERS = {"self_attention": True}
"""It has no recurrent unit."""


def require_ctranslate2() -> ModuleType:
    """Import CTranslate2.

    Raises:
        ConfigError: it is not installed; the message says how.
    """
    try:
        import ctranslate2
    except ImportError as error:
        raise ConfigError(
            ["ctranslate2: not installed; run `pip install ctranslate2`"], "engine"
        ) from error
    module: ModuleType = ctranslate2
    return module


def convert(loaded: LoadedModel, directory: Path, quantization: str | None = None) -> None:
    """Write a CTranslate2 model; it appears whole or not at all.

    The vocabulary's special pieces keep their names, so that a caller of CTranslate2 passes what
    `Tokenizer.encode_source` gives, as pieces: language tag first, `</s>` last. Beside the model
    lie `tokenizer.model`, a README.md that says so, and what `import` needs to make the same model
    directory of it again.

    Args: and Raises: see `write_converted`.
    """
    with write_converted(loaded, directory, quantization) as made:
        for name, content in loaded.tokenizer.files.items():
            (made / name).write_bytes(content)
        told = {"description": description_table(loaded.description), "card": loaded.card}
        (made / CONVERTED).write_text(json.dumps(told, indent=2), encoding="utf-8")
        (made / "README.md").write_text(_readme(loaded), encoding="utf-8")


def _readme(loaded: LoadedModel) -> str:
    """Return what a user of CTranslate2 must know: what stands around a source and a target."""
    vocabulary, decoding = loaded.tokenizer, loaded.description.decoding
    rows, examples = [], []
    for source, target in loaded.description.pairs[:MOST_ROWS]:
        frame = vocabulary.source_pieces(vocabulary.encode_source("", target, source))
        before, after = frame[: vocabulary.frame[0]], frame[vocabulary.frame[0] :]
        prefix = vocabulary.pieces(vocabulary.start_ids(target)[1:])
        cells = (" ".join(f"`{piece}`" for piece in pieces) for pieces in (before, after, prefix))
        rows.append(f"| {source}-{target} | {' | '.join(cells)} |")
        examples.append((before, after, prefix))
    before, after, prefix = examples[0]
    name = loaded.card.get("name", "A translation model")
    return README.format(
        name=name,
        rows="\n".join(rows),
        source=f"[*{before}, *pieces.encode(sentence, out_type=str), *{after}]",
        prefix=f", target_prefix=[{prefix}]" if prefix else "",
        beam_size=decoding.beam_size,
        target=TARGET_MODEL if TARGET_MODEL in vocabulary.files else TOKENIZER,
        result=f"result.hypotheses[0][{len(prefix)}:]",
    )


@contextmanager
def write_converted(
    loaded: LoadedModel, directory: Path, quantization: str | None
) -> Iterator[Path]:
    """Write a CTranslate2 model, whole or not at all; give the folder for what else lies there.

    The quantization is `int8`, `int16`, `float16`, `bfloat16` or None for float32.

    Raises:
        ConfigError: CTranslate2 is not installed, or does not know the quantization or a choice
            of the model's configuration.
        ModelDirectoryError: `directory` exists.
        OSError: the disk refuses; the error names the file.
    """
    if directory.exists():
        raise ModelDirectoryError(f"{directory}: exists; name another")
    tokenizer, special_ids = loaded.tokenizer, SpecialIds.of(loaded.tokenizer)
    plan = arrange(loaded.reference.weights.floats(), special_ids.forbidden_ids)
    source_pieces = tokenizer.source_pieces(range(tokenizer.source_vocab_size))
    spec = make_spec(plan, tokenizer.all_pieces, special_ids, tokenizer.unk_id, source_pieces)
    try:
        spec.validate()
        spec.optimize(quantization=quantization)
    except ValueError as error:
        raise ConfigError([f"quantization: {error}"], "convert") from error
    with new_folder(directory) as made:
        spec.save(str(made))
        yield made


def make_spec(
    plan: Plan[Array],
    pieces: Sequence[str],
    special_ids: SpecialIds,
    unk_id: int,
    source_pieces: Sequence[str],
) -> Any:
    """Return a `TransformerSpec` that shares the model's weights; all pieces have different names.

    Raises:
        ConfigError: CTranslate2 is not installed, or does not know a choice of the model's
            configuration.
    """
    specs = require_ctranslate2().specs
    activation = chosen(plan.config, "activation", ACTIVATIONS, PLACE)
    chosen(plan.config, "decoder", DECODERS, PLACE)
    spec = specs.TransformerSpec.from_config(
        (len(plan.encoder), len(plan.decoder)),
        plan.config.num_heads,
        pre_norm=plan.is_pre,
        activation=getattr(specs.Activation, activation),
    )
    for side, layer in zip(spec.encoder.layer, plan.encoder, strict=True):
        _set_attention(side.self_attention, layer.norm, layer.qkv, layer.attention_out)
        _set_network(side.ffn, layer.feed_forward)
    for side, own in zip(spec.decoder.layer, plan.decoder, strict=True):
        assert isinstance(own.past, SelfAttention)  # `DECODERS` has no other
        _set_attention(side.self_attention, own.self_norm, own.past.qkv, own.past.out)
        _set_attention(side.attention, own.cross_norm, own.query, own.memory, own.cross_out)
        _set_network(side.ffn, own.feed_forward)
    for side, norm, embedding in (
        (spec.encoder, plan.encoder_norm, plan.source),
        (spec.decoder, plan.decoder_norm, plan.target),
    ):
        if norm is not None:
            _set_norm(side.layer_norm, norm)
        length = min(NUM_POSITIONS, embedding.num_positions)
        side.position_encodings.encodings = _array(embedding.positions(length))
        side.scale_embeddings = embedding.scale != 1.0
    spec.encoder.embeddings[0].weight = _array(plan.source.weight)
    spec.decoder.embeddings.weight = _array(plan.target.weight)
    _set_linear(spec.decoder.projection, plan.output)
    spec.register_source_vocabulary(list(source_pieces))
    spec.register_target_vocabulary(list(pieces))
    spec.config.unk_token = pieces[unk_id]
    spec.config.bos_token = spec.config.decoder_start_token = pieces[special_ids.bos_id]
    spec.config.eos_token = pieces[special_ids.eos_id]
    spec.config.layer_norm_epsilon = LAYER_NORM_EPSILON
    return spec


def _set_attention(spec: Any, norm: Norm[Array], *layers: Linear[Array]) -> None:
    for place, layer in zip(spec.linear, layers, strict=True):
        _set_linear(place, layer)
    _set_norm(spec.layer_norm, norm)


def _set_network(spec: Any, network: Network[Array]) -> None:
    _set_linear(spec.linear_0, network.inner)
    _set_linear(spec.linear_1, network.out)
    _set_norm(spec.layer_norm, network.norm)


def _set_linear(spec: Any, layer: Linear[Array]) -> None:
    spec.weight, spec.bias = _array(layer.weight), _array(layer.bias)


def _set_norm(spec: Any, norm: Norm[Array]) -> None:
    spec.gamma, spec.beta = _array(norm.weight), _array(norm.bias)


def _array(array: Array) -> NDArray[np.float32]:
    # a copy: quantisation multiplies weights where they lie, and others read them too
    return np.array(array, np.float32, order="C")
