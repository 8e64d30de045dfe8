"""What is measured: a model, sentences, and how long their translations become."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from translator.config import DecodingOptions, ModelConfig, ModelDescription
from translator.errors import InputError, UnsupportedLanguageError
from translator.files import read_lines
from translator.model.transformer import Transformer, make_model
from translator.pipeline.chunks import chunks_of
from translator.runtime.arrange import arrange
from translator.runtime.plan import Plan
from translator.search.rows import Array
from translator.store.model_directory import load_model_directory
from translator.tokens.port import SpecialIds, Vocabulary

FORMS = {
    "d512": ModelConfig(
        vocab_size=16_000,
        d_model=512,
        d_ff=2048,
        num_heads=8,
        num_encoder_layers=6,
        num_decoder_layers=2,
    ),
    "opus-mt": ModelConfig(
        vocab_size=58_101,
        d_model=512,
        d_ff=2048,
        num_heads=8,
        num_encoder_layers=6,
        num_decoder_layers=6,
    ),
    "bergamot-tiny": ModelConfig(
        vocab_size=32_000,
        d_model=256,
        d_ff=1536,
        num_heads=8,
        num_encoder_layers=6,
        num_decoder_layers=2,
    ),
}
"""Sizes of models with random weights; `opus-mt` and `bergamot-tiny` have those of the models that
are known by these names."""

TRAINED = "trained"
DEFAULT_FORMS = (TRAINED, "d512")
RANDOM_TARGET_IDS = 25
LONGEST_RANDOM = 80


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """A model and what it is to translate.

    Attributes:
        name: for the table.
        model: in evaluation mode.
        pieces: V names of ids.
        special_ids: of the vocabulary; a random model never ends a sentence by itself.
        unk_id: of the vocabulary.
        sources: id sequences: tag, pieces, EOS, in random order.
        target_ids: length of every translation, for random weights; 0 if the model decides.
        options: defaults for search.
    """

    name: str
    model: Transformer
    pieces: Sequence[str]
    special_ids: SpecialIds
    unk_id: int
    sources: list[list[int]]
    target_ids: int
    options: DecodingOptions

    @property
    def plan(self) -> Plan[Array]:
        """The model, arranged for a runtime."""
        return arrange(self.model, self.special_ids.forbidden_ids)


def source_ids(
    sentences: Iterable[str], tokenizer: Vocabulary, target: str, max_ids: int
) -> list[list[int]]:
    """Return what the encoder is to read of some sentences, a list of ids for each chunk."""
    chunks = (chunk for text in sentences for chunk in chunks_of(text, tokenizer, target, max_ids))
    return [list(chunk.source_ids) for chunk in chunks if chunk.source_ids]


def read_subject(model: Path, source: Path, language: str) -> Subject:
    """Return a trained model with real sentences.

    Args:
        model: its directory.
        source: sentences, one a line.
        language: of the sentences; they are translated into the first one possible.

    Raises:
        ModelDirectoryError: the model cannot be used.
        InputError: the file is none, is not UTF-8, or has nothing to translate.
        UnsupportedLanguageError: the model does not translate that language.
    """
    if not source.is_file():
        raise InputError(f"{source}: no such file")
    loaded = load_model_directory(model)
    tokenizer, description = loaded.tokenizer, loaded.description
    target = first_target(description, language)
    sources = source_ids(read_lines(source), tokenizer, target, description.max_source_ids)
    if not sources:
        raise InputError(f"{source}: has no sentence to translate")
    random.Random(0).shuffle(sources)
    return Subject(
        name=f"{model.name}, {source.name}",
        model=loaded.model,
        pieces=tokenizer.all_pieces,
        special_ids=SpecialIds.of(tokenizer),
        unk_id=tokenizer.unk_id,
        sources=sources,
        target_ids=0,
        options=description.decoding,
    )


def first_target(description: ModelDescription, source: str) -> str:
    """Return the first language that a model translates `source` into."""
    for code, target in description.pairs:
        if code == source:
            return target
    known = ", ".join(description.directions)
    raise UnsupportedLanguageError(f"{source}: the model translates {known}; choose --from there")


def random_subject(form: str, count: int) -> Subject:
    """Return a model of one of the `FORMS` with random weights, and sources of 1 to 80 ids."""
    torch.manual_seed(0)
    config, generator = FORMS[form], random.Random(0)
    pieces = ["<pad>", "<unk>", "<s>", "</s>", *(f"piece{i}" for i in range(4, config.vocab_size))]
    sources = [
        [
            generator.randrange(4, config.vocab_size)
            for _ in range(generator.randint(1, LONGEST_RANDOM))
        ]
        for _ in range(count)
    ]
    return Subject(
        name=f"{form}: random weights, d{config.d_model}, {config.num_encoder_layers}+"
        f"{config.num_decoder_layers} layers, V {config.vocab_size:,}",
        model=make_model(config).eval(),
        pieces=pieces,
        special_ids=SpecialIds(bos_id=2, eos_id=3, forbidden_ids=(0, 1, 2, 3)),
        unk_id=1,
        sources=sources,
        target_ids=RANDOM_TARGET_IDS,
        options=DecodingOptions(),
    )
