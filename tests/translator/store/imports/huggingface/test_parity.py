"""Models of `transformers` read, compute and translate here what they do there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from tests.benchmarks.ctranslate2_engine import load_in_ctranslate2
from tests.cpu import NEEDS_INT8
from tests.reference import ReferenceRuntime
from tests.translator.runtime.rounded import rounded_model
from tests.translator.runtime.stepping import begun, log_probs
from tests.translator.store.imports.foreign import FOLDERS, model_of, sentences
from translator.config import DecodingOptions, Precision
from translator.engine.running_batch import decode_batch
from translator.model.embedding import pad, padding_mask
from translator.pipeline.translator import Translator
from translator.runtime.arrange import arrange
from translator.runtime.compiled.model import CompiledRuntime
from translator.runtime.eager import EagerRuntime
from translator.store.imports.huggingface import read_huggingface
from translator.store.imports.imported import ImportedModel
from translator.store.imports.importing import import_model
from translator.tokens.port import SpecialIds

LENGTH = 24
FORCED = 8
"""Ids that every translation is fed with, to compare what the model says to each."""

each_kind = pytest.mark.parametrize("kind", FOLDERS)


def target_of(kind: str) -> str:
    return "fr" if kind == "marian-tags" else "en"


def read(kind: str, folder: Path, count: int) -> tuple[Any, ImportedModel, list[list[int]]]:
    """Return their model, ours, and the ids of so many sentences."""
    theirs = FOLDERS[kind](folder)
    imported = read_huggingface(folder)
    encode = imported.vocabulary.encode_source
    return theirs, imported, [encode(t, target_of(kind), "de") for t in sentences(count, 5)]


def options(beam_size: int) -> DecodingOptions:
    return DecodingOptions(
        beam_size=beam_size, search_again=False, max_length_factor=1e-9, max_length_offset=LENGTH
    )


def decoded(
    runtime: Any, imported: ImportedModel, sources: Sequence[Any], target: str, beam_size: int = 1
) -> list[list[int]]:
    """Return the ids of the best translations, by a runtime of this project."""
    special, start = SpecialIds.of(imported.vocabulary), imported.vocabulary.start_ids(target)
    found = decode_batch(runtime, sources, options(beam_size), special, [start] * len(sources))
    return [list(hypotheses[0].ids) for hypotheses in found]


def generated(model: Any, imported: ImportedModel, sources: Any, target: str, beam: int) -> Any:
    """Return the ids that `generate` gives, without start ids and EOS."""
    start = imported.vocabulary.start_ids(target)
    pad_id, eos_id = imported.vocabulary.pad_id, imported.vocabulary.eos_id
    padded = pad(sources, pad_id)
    forced = {"forced_bos_token_id": start[1]} if len(start) > 1 else {}
    found = model.generate(
        input_ids=padded,
        attention_mask=(padded != pad_id).long(),
        num_beams=beam,
        max_new_tokens=LENGTH + len(start) - 1,
        max_length=None,
        early_stopping=False,
        length_penalty=1.0,
        **forced,
    )
    rows = [row[len(start) :] for row in found.tolist()]
    return [
        row[: row.index(eos_id)] if eos_id in row else [i for i in row if i != pad_id]
        for row in rows
    ]


@each_kind
@torch.inference_mode()
def test_logits_of_a_directory_are_those_of_transformers(kind: str, tmp_path: Path) -> None:
    """From text to logits, padded: languages, start ids and positions are those of the model."""
    theirs, imported, sources = read(kind, tmp_path / "theirs", 12)
    vocabulary = imported.vocabulary
    start = vocabulary.start_ids(target_of(kind))
    assert len(start) == (2 if kind in ("m2m100", "nllb") else 1)
    target = torch.tensor([[*start, *(vocabulary.encode(t) * 9)[:9]] for t in sentences(12, 8)])
    source = pad(sources, vocabulary.pad_id)
    expected = theirs(
        input_ids=source,
        attention_mask=(source != vocabulary.pad_id).long(),
        decoder_input_ids=target,
        decoder_attention_mask=torch.ones_like(target),
    ).logits
    found = model_of(imported)(source, target, padding_mask(source, vocabulary.pad_id))
    torch.testing.assert_close(found, expected, atol=1e-4, rtol=1e-4)
    assert expected.std() > 0.5, "the model says the same everywhere"


def tokenizer_of(kind: str, folder: Path) -> Any:
    """Return the tokenizer of `transformers` for a directory."""
    from transformers import M2M100Tokenizer, MarianTokenizer, NllbTokenizer

    if kind == "m2m100":
        return M2M100Tokenizer.from_pretrained(folder, src_lang="de")
    if kind == "nllb":
        return NllbTokenizer.from_pretrained(folder, src_lang="deu_Latn")
    return MarianTokenizer.from_pretrained(folder, separate_vocabs=kind == "marian-separate")


@each_kind
def test_a_text_has_the_ids_that_it_has_in_transformers(kind: str, tmp_path: Path) -> None:
    _, imported, _ = read(kind, tmp_path / "theirs", 1)
    tokenizer = tokenizer_of(kind, tmp_path / "theirs")
    tag = ">>fra<<" if kind == "marian-tags" else ""
    own = {"m2m100": 1, "nllb": 1}.get(kind, 0)  # small models have other ids of languages
    for text in [*sentences(20, 9), "bade  zzz kilo", ""]:
        found = imported.vocabulary.encode_source(text, target_of(kind), "de")
        assert found[own:] == tokenizer(tag + text)["input_ids"][own:], text


@pytest.mark.filterwarnings("ignore")
@each_kind
@pytest.mark.parametrize(
    ("count", "beam_size", "least"),
    [
        (20, 1, 1.0),
        (20, 4, 0.95),
        pytest.param(200, 1, 1.0, marks=pytest.mark.slow),
        pytest.param(200, 4, 0.95, marks=pytest.mark.slow),
    ],
)
def test_translations_are_those_of_transformers(
    kind: str, count: int, beam_size: int, least: float, tmp_path: Path
) -> None:
    """By greedy search all are, by beam search most: the rules for stopping are not the same."""
    model, imported, sources = read(kind, tmp_path / "theirs", count)
    forbidden = imported.vocabulary.forbidden_ids
    reference = ReferenceRuntime(model_of(imported), forbidden, keeps_share=True)
    found = decoded(reference, imported, sources, target_of(kind), beam_size)
    expected = generated(model, imported, sources, target_of(kind), beam_size)
    same = [one == other for one, other in zip(found, expected, strict=True)]
    assert sum(same) >= least * len(same), [p for p in zip(found, expected, strict=True)][:3]
    assert len({*map(tuple, expected)}) > len(expected) / 3, "the model says the same to all"


def steps(runtime: Any, sources: Sequence[Any], targets: Sequence[list[int]]) -> Iterator[Tensor]:
    """Yield the log-probabilities (B, V) after every id of the targets."""
    batch = begun(runtime, sources)
    for ids in zip(*targets, strict=True):
        yield log_probs(batch, ids)


@NEEDS_INT8
@each_kind
@torch.inference_mode()
def test_int8_is_as_near_as_that_of_our_own_models(kind: str, tmp_path: Path) -> None:
    """The bounds of `test_architectures`, for log-probabilities that are further apart.

    Of rounded layers 200 sentences are all but equal, but for roundings that are tied; of the model
    itself they are as far as its rounding goes. A sentence alone has the bits that it has in
    company.
    """
    _, imported, sources = read(kind, tmp_path / "theirs", 200)
    model, vocabulary = model_of(imported), imported.vocabulary
    plan = arrange(model, vocabulary.forbidden_ids)
    int8, exact = CompiledRuntime(plan), EagerRuntime(plan)
    rounded = rounded_model(model, vocabulary.forbidden_ids)
    chosen = decoded(exact, imported, sources, target_of(kind))
    start = vocabulary.start_ids(target_of(kind))
    forced = [([*start, *ids] * FORCED)[:FORCED] for ids in chosen]
    every = [steps(runtime, sources, forced) for runtime in (int8, rounded, exact)]
    in_company = []
    for found, alike, expected in zip(*every, strict=True):
        possible = expected > -50
        spread = expected[possible].std()
        assert (found - alike)[possible].abs().mean() < 0.01 * spread
        assert (found - expected)[possible].abs().mean() < 0.1 * spread
        in_company.append(found)
    for place in range(0, 200, 10):
        alone = steps(int8, sources[place : place + 1], forced[place : place + 1])
        for one, found in zip(alone, in_company, strict=True):
            assert torch.equal(one[0], found[place])
    ids, others = (decoded(one, imported, sources, target_of(kind)) for one in (int8, rounded))
    same = [one == other for one, other in zip(ids, others, strict=True)]
    assert sum(same) >= 0.9 * len(same)


@pytest.mark.parametrize(
    ("load", "precision"),
    [
        (partial(Translator.load, precision="float32"), "float32"),
        (partial(Translator.load, precision="int8"), "int8"),
        (load_in_ctranslate2, "float32"),
    ],
    ids=["float32", "int8", "ctranslate2"],
)
@each_kind
def test_a_translator_serves_an_imported_model(
    kind: str, load: Callable[[Path], Translator], precision: Precision, tmp_path: Path
) -> None:
    """In floats as the reference, in int8 as rounded layers; alone as in company."""
    _, imported, sources = read(kind, tmp_path / "theirs", 60)
    import_model(str(tmp_path / "theirs"), tmp_path / "model")
    model, forbidden = model_of(imported), imported.vocabulary.forbidden_ids
    reference = ReferenceRuntime(model, forbidden)
    runtime = rounded_model(model, forbidden) if precision == "int8" else reference
    expected = decoded(runtime, imported, sources, target_of(kind))
    asked: Any = {"source": "de", "target": target_of(kind), "options": options(1)}
    texts = sentences(60, 5)
    with load(tmp_path / "model") as translator:
        found = translator.translate(texts, **asked)
        alone = [translator.translate([text], **asked)[0].text for text in texts[:8]]
    assert alone == [one.text for one in found[:8]]
    same = [
        one.text == imported.vocabulary.decode(ids)
        for one, ids in zip(found, expected, strict=True)
    ]
    assert sum(same) >= (1.0 if precision == "float32" else 0.85) * len(same)
