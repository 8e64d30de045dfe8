"""CTranslate2 behind the engine's port, with the weights of the same model directory.

It shows that both engines translate alike, and how well. It decodes batch after batch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.ctranslate2 import alpha_of, load_translator
from translator.config import DecodingOptions
from translator.engine.loop import EngineLoop
from translator.engine.scheduler import Lane, Request, Scheduler
from translator.errors import ConfigError
from translator.model.reference import Reference
from translator.pipeline.translator import Translator
from translator.runtime.arrange import arrange
from translator.runtime.ctranslate2 import make_spec
from translator.search.hypothesis import Hypothesis
from translator.store.model_directory import load_model_directory
from translator.tokens.port import SpecialIds, Vocabulary

PATIENCE = 2.0
"""Times the beam's hypotheses before CTranslate2 stops; 1 misses some that `search.py` finds."""


def load_in_ctranslate2(directory: Path, precision: str = "float32") -> Translator:
    """Load a model directory, to be decoded by CTranslate2 with one thread."""
    loaded = load_model_directory(directory)
    engine = CTranslate2Engine(loaded.reference, loaded.tokenizer, precision, threads=1)
    return Translator(loaded, engine)


class CTranslate2Engine(EngineLoop):
    """Engine that runs the model in CTranslate2, on a thread of its own."""

    def __init__(
        self,
        reference: Reference,
        tokenizer: Vocabulary,
        precision: str = "float32",
        scheduler: Scheduler | None = None,
        threads: int | None = None,
    ) -> None:
        """Convert the model and start the loop.

        Args:
            reference: the model, on the CPU; it is let go when it has been converted.
            tokenizer: its vocabulary.
            precision: `float32` or `int8`.
            scheduler: decides who is decoded next.
            threads: CPU threads; CTranslate2's default if None.

        Raises:
            ConfigError: CTranslate2 is not installed.
        """
        model = reference.get()
        super().__init__(model.config.num_source_pieces, scheduler)
        self._special_ids = SpecialIds.of(tokenizer)
        self._pieces = tokenizer.all_pieces
        self._source_pieces = tokenizer.source_pieces(range(tokenizer.source_vocab_size))
        self._ids = {piece: i for i, piece in enumerate(self._pieces)}
        plan = arrange(model, self._special_ids.forbidden_ids)
        spec = make_spec(
            plan, self._pieces, self._special_ids, tokenizer.unk_id, self._source_pieces
        )
        self._translator = load_translator(spec, precision, threads or 0)
        self._num_threads = threads or 1
        num_weights = sum(weight.numel() for weight in model.parameters())
        self._num_bytes = num_weights * (1 if precision == "int8" else 4)
        reference.let_go()
        self.start()

    @property
    def num_bytes(self) -> int:
        """Return the memory of the weights, as they are stored."""
        return self._num_bytes

    def _take_turn(self, lane: Lane, newcomers: list[Request]) -> None:
        """Translate those who have just joined, all of one kind together."""
        kinds: defaultdict[tuple[DecodingOptions, int, int], list[Request]] = defaultdict(list)
        for request in newcomers:
            limit = request.options.max_length(len(request.source_ids))
            kinds[request.options, limit, len(request.start_ids)].append(request)
        for (options, limit, _), requests in kinds.items():
            try:
                answers: Sequence[list[Hypothesis] | Exception]
                answers = self._translate(requests, options, limit)
            except Exception as error:
                answers = [error] * len(requests)
            for request, answer in zip(requests, answers, strict=True):
                self._deliver(lane, request, answer)

    def _translate(
        self, requests: Sequence[Request], options: DecodingOptions, limit: int
    ) -> list[list[Hypothesis]]:
        """Translate requests with the same number of start ids.

        CTranslate2 begins with BOS by itself. What follows is a prefix to it: part of what it finds
        and of its length, but not of its log-probability.
        """
        sources = [request.source_ids for request in requests]
        prefixes = [self._prefix(request.start_ids) for request in requests]
        limit += len(prefixes[0])
        results = self._translator.translate_batch(
            [[self._source_pieces[piece_id] for piece_id in ids] for ids in sources],
            target_prefix=prefixes if prefixes[0] else None,
            beam_size=options.beam_size,
            patience=PATIENCE if options.beam_size > 1 else 1,
            num_hypotheses=options.num_hypotheses,
            length_penalty=alpha_of(options),
            no_repeat_ngram_size=options.no_repeat_ngram_size,
            max_input_length=0,  # it would cut sources off
            max_decoding_length=limit,
            min_decoding_length=0,
            return_scores=True,
        )
        return [self._hypotheses(result, options, limit, len(prefixes[0])) for result in results]

    def _prefix(self, start_ids: Sequence[int]) -> list[str]:
        """Return the pieces behind BOS that the decoder reads before its first choice."""
        if start_ids and start_ids[0] != self._special_ids.bos_id:
            first = self._pieces[self._special_ids.bos_id]
            problem = f"engine: ctranslate2 starts with {first}, not {self._pieces[start_ids[0]]}"
            raise ConfigError([f"{problem}; take torch"], "engine")
        return [self._pieces[piece_id] for piece_id in start_ids[1:]]

    def _hypotheses(
        self, result: Any, options: DecodingOptions, limit: int, num_prefix: int
    ) -> list[Hypothesis]:
        found, alpha = [], alpha_of(options)
        for pieces, score in zip(result.hypotheses, result.scores, strict=True):
            is_eos = len(pieces) < limit
            length = len(pieces) + is_eos
            log_prob = score * length**alpha
            hypothesis = Hypothesis(
                ids=tuple(self._ids[piece] for piece in pieces[num_prefix:]),
                score=log_prob / (length - num_prefix) ** alpha,
                log_prob=log_prob,
                finish_reason="eos" if is_eos else "length",
            )
            found.append(hypothesis)
        return found
