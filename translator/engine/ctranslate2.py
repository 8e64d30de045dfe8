"""A second engine behind the same port: CTranslate2, with the weights of the same model directory.

It decodes batch after batch. Imported only when it is asked for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from translator.config import DecodingOptions
from translator.engine.loop import EngineLoop
from translator.engine.reranking import rerank, searched
from translator.engine.scheduler import Lane, Request, Scheduler
from translator.errors import ConfigError
from translator.model.transformer import Transformer
from translator.runtime.arrange import arrange
from translator.runtime.ctranslate2 import alpha_of, load_translator, make_spec
from translator.search.hypothesis import Hypothesis
from translator.tokens.port import Vocabulary
from translator.tokens.special_ids import SpecialIds

PATIENCE = 2.0
"""Times the beam's hypotheses before CTranslate2 stops; 1 misses some that `search.py` finds."""


class CTranslate2Engine(EngineLoop):
    """Engine that runs the model in CTranslate2, on a thread of its own."""

    def __init__(
        self,
        model: Transformer,
        tokenizer: Vocabulary,
        precision: str = "float32",
        scheduler: Scheduler | None = None,
        threads: int | None = None,
    ) -> None:
        """Convert the model and start the loop.

        Args:
            model: in evaluation mode, on the CPU.
            tokenizer: its vocabulary.
            precision: `float32` or `int8`.
            scheduler: decides who is decoded next.
            threads: CPU threads; CTranslate2's default if None.

        Raises:
            ConfigError: CTranslate2 is not installed.
        """
        super().__init__(model.config.num_source_pieces, scheduler)
        self._model, self._special_ids = model, SpecialIds.of(tokenizer)
        self._pieces = tokenizer.all_pieces
        self._ids = {piece: i for i, piece in enumerate(self._pieces)}
        plan = arrange(model, self._special_ids.forbidden_ids)
        spec = make_spec(plan, self._pieces, self._special_ids, tokenizer.unk_id)
        self._translator = load_translator(spec, precision, threads or 0)
        self._num_threads = threads or 1
        num_weights = sum(weight.numel() for weight in model.parameters())
        self._num_bytes = num_weights * (1 if precision == "int8" else 4)
        self.start()

    @property
    def num_bytes(self) -> int:
        """Return the memory of the weights, as they are stored."""
        return self._num_bytes

    def _take_turn(self, lane: Lane, newcomers: list[Request]) -> None:
        """Translate those who have just joined, all of one kind together."""
        kinds: defaultdict[tuple[DecodingOptions, int], list[Request]] = defaultdict(list)
        for request in newcomers:
            limit = request.options.max_length(len(request.source_ids))
            kinds[request.options, limit].append(request)
        for (options, limit), requests in kinds.items():
            answers: Sequence[list[Hypothesis] | Exception]
            try:
                answers = self._translate(requests, options, limit)
            except Exception as error:
                answers = [error] * len(requests)
            for request, answer in zip(requests, answers, strict=True):
                self._deliver(lane, request, answer)

    def _translate(
        self, requests: Sequence[Request], options: DecodingOptions, limit: int
    ) -> list[list[Hypothesis]]:
        sources = [request.source_ids for request in requests]
        most = max(len(request.start_ids) for request in requests)
        if most > 1:
            problem = f"engine: ctranslate2 starts with one id, and this model with {most}"
            raise ConfigError([f"{problem}; take torch"], "engine")
        results = self._translator.translate_batch(
            [[self._pieces[piece_id] for piece_id in ids] for ids in sources],
            beam_size=options.beam_size,
            patience=PATIENCE if options.beam_size > 1 else 1,
            num_hypotheses=searched(options).num_hypotheses,
            length_penalty=alpha_of(options),
            no_repeat_ngram_size=options.no_repeat_ngram_size,
            max_decoding_length=limit,
            min_decoding_length=0,
            return_scores=True,
        )
        found = [self._hypotheses(result, options, limit) for result in results]
        if not options.reverse_weight:
            return found
        tags = [request.reverse_tag_id or 0 for request in requests]
        wanted = [options] * len(requests)
        return rerank(self._model, sources, found, tags, wanted, self._special_ids.bos_id)

    def _hypotheses(self, result: Any, options: DecodingOptions, limit: int) -> list[Hypothesis]:
        found = []
        for pieces, score in zip(result.hypotheses, result.scores, strict=True):
            is_eos = len(pieces) < limit
            length = len(pieces) + is_eos
            hypothesis = Hypothesis(
                ids=tuple(self._ids[piece] for piece in pieces),
                score=score,
                log_prob=score * length ** alpha_of(options),
                finish_reason="eos" if is_eos else "length",
            )
            found.append(hypothesis)
        return found
