"""The engines that are compared, behind one small interface."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Protocol

import torch

from tests.benchmarks.decoding.subject import Subject
from tests.ctranslate2 import alpha_of, load_translator
from translator.config import DecodingOptions
from translator.engine.running_batch import decode_batch
from translator.engine.start import compiled_engine
from translator.runtime.compiled.model import CompiledRuntime
from translator.runtime.ctranslate2 import make_spec, require_ctranslate2
from translator.runtime.plan import step_work


class Contender(Protocol):
    """An engine with a model loaded."""

    name: str

    def __init__(self, subject: Subject, threads: int) -> None:
        """Load the model."""
        ...

    def translate_batch(self, sources: Sequence[Sequence[int]], beam_size: int) -> int:
        """Translate a batch as one; return the number of target ids, EOS included."""
        ...

    def translate_corpus(self, sources: Sequence[Sequence[int]], beam_size: int) -> int:
        """Translate a corpus as the engine likes; return the number of target ids."""
        ...


class TorchContender:
    """This project's engine."""

    def __init__(self, subject: Subject, threads: int) -> None:
        """Quantise the model."""
        self.name = "translator int8"
        self._subject, self._threads = subject, threads
        self._inference = CompiledRuntime(subject.plan, "int8")
        self._engine = compiled_engine(
            subject.special_ids, self._inference, step_work(subject.plan), threads
        )

    def _options(self, beam_size: int) -> DecodingOptions:
        options = dataclasses.replace(self._subject.options, beam_size=beam_size, num_hypotheses=1)
        if not self._subject.target_ids:
            return options
        return dataclasses.replace(
            options, max_length_factor=1e-9, max_length_offset=self._subject.target_ids
        )

    @torch.inference_mode()
    def translate_batch(self, sources: Sequence[Sequence[int]], beam_size: int) -> int:
        """Translate a batch as one; return the number of target ids, EOS included."""
        if self._threads > 1:  # share the sentences, as they do in the engine
            return self.translate_corpus(sources, beam_size)
        special_ids = self._subject.special_ids
        found = decode_batch(self._inference, sources, self._options(beam_size), special_ids)
        return sum(len(best[0].ids) + (best[0].finish_reason == "eos") for best in found)

    def translate_corpus(self, sources: Sequence[Sequence[int]], beam_size: int) -> int:
        """Translate a corpus with continuous batching; return the number of target ids."""
        options, group_size = self._options(beam_size), len(sources)
        futures = [self._engine.submit(ids, options, group_size=group_size) for ids in sources]
        best = [future.result()[0] for future in futures]
        return sum(len(found.ids) + (found.finish_reason == "eos") for found in best)


class CTranslate2Contender:
    """CTranslate2 with the same weights."""

    def __init__(self, subject: Subject, threads: int, compute_type: str = "int8") -> None:
        """Convert and load the model."""
        self.name = f"CTranslate2 {require_ctranslate2().__version__} {compute_type}"
        self._subject = subject
        spec = make_spec(
            subject.plan, subject.pieces, subject.special_ids, subject.unk_id, subject.pieces
        )
        self._translator = load_translator(spec, compute_type, threads)

    def _translate(
        self, sources: Sequence[Sequence[int]], beam_size: int, max_batch_size: int
    ) -> int:
        pieces, limit = self._subject.pieces, self._subject.target_ids
        options = self._subject.options
        results = self._translator.translate_batch(
            [[pieces[piece_id] for piece_id in ids] for ids in sources],
            beam_size=beam_size,
            length_penalty=alpha_of(options),
            max_batch_size=max_batch_size,
            max_decoding_length=limit or max(options.max_length(len(ids)) for ids in sources),
            min_decoding_length=limit,
        )
        return sum(len(found.hypotheses[0]) + (0 if limit else 1) for found in results)

    def translate_batch(self, sources: Sequence[Sequence[int]], beam_size: int) -> int:
        """Translate a batch as one; return the number of target ids, EOS included."""
        return self._translate(sources, beam_size, 0)

    def translate_corpus(self, sources: Sequence[Sequence[int]], beam_size: int) -> int:
        """Translate a corpus, sorted by length, in batches of 64; return the target ids."""
        return self._translate(sources, beam_size, 64)
