"""Choose among the hypotheses of a search by how well they explain the source.

A model of both directions can read a translation and say how likely the source is to be its
translation back. What was left out or made up costs dearly there, though search does not see it.

Source: Li & Jurafsky 2016, §3; Yee et al. 2019, §2 (noisy channel).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import torch
from torch.nn import functional as F

from translator.config import DecodingOptions
from translator.model.embedding import pad, padding_mask
from translator.model.transformer import Transformer
from translator.search.hypothesis import Hypothesis
from translator.search.length_penalty import length_penalty

ROWS_PER_PASS = 64


def searched(options: DecodingOptions) -> DecodingOptions:
    """Return the options of the search itself: reranking chooses from the whole beam."""
    if not options.reverse_weight:
        return options
    return dataclasses.replace(options, num_hypotheses=options.beam_size)


def rerank(
    model: Transformer,
    sources: Sequence[Sequence[int]],
    found: Sequence[Sequence[Hypothesis]],
    reverse_tag_ids: Sequence[int],
    options: Sequence[DecodingOptions],
    bos_id: int,
) -> list[list[Hypothesis]]:
    """Return the hypotheses of each source, sorted anew, the best `num_hypotheses` of them.

    The score becomes log P(target | source) / penalty(target) + w · log P(source | target) /
    penalty(source), with the length penalty of the options and w = `reverse_weight`.

    Args:
        model: of both directions, in evaluation mode.
        sources: B id sequences: tag, pieces, EOS.
        found: B lists of hypotheses.
        reverse_tag_ids: B tags that ask for a translation back.
        options: B, of the searches.
        bos_id: starts every target.
    """
    backward = log_probs(
        model,
        [
            [tag_id, *hypothesis.ids, source[-1]]
            for source, tag_id, hypotheses in zip(sources, reverse_tag_ids, found, strict=True)
            for hypothesis in hypotheses
        ],
        [source[1:] for source, hypotheses in zip(sources, found, strict=True) for _ in hypotheses],
        bos_id,
    )
    scores = iter(backward)
    answers = []
    for source, hypotheses, wanted in zip(sources, found, options, strict=True):
        weight = wanted.reverse_weight / length_penalty(max(len(source) - 1, 1), wanted)
        rescored = [
            dataclasses.replace(hypothesis, score=hypothesis.score + weight * next(scores))
            for hypothesis in hypotheses
        ]
        best_first = sorted(rescored, key=lambda hypothesis: hypothesis.score, reverse=True)
        answers.append(best_first[: wanted.num_hypotheses])
    return answers


@torch.inference_mode()
def log_probs(
    model: Transformer,
    sources: Sequence[Sequence[int]],
    targets: Sequence[Sequence[int]],
    bos_id: int,
) -> list[float]:
    """Return log P(target | source) of n given pairs, in nats; EOS belongs to the targets."""
    pad_id, device = model.config.pad_id, model.embedding.weight.device
    by_length = sorted(range(len(sources)), key=lambda i: (len(sources[i]), len(targets[i])))
    scores = [0.0] * len(sources)
    for start in range(0, len(by_length), ROWS_PER_PASS):
        rows = by_length[start : start + ROWS_PER_PASS]
        src = pad([sources[i] for i in rows], pad_id).to(device)
        tgt_out = pad([targets[i] for i in rows], pad_id).to(device)
        tgt_in = F.pad(tgt_out[:, :-1], (1, 0), value=bos_id)
        src_mask = padding_mask(src, pad_id)
        states = model.decode(tgt_in, model.encode(src, src_mask), src_mask)
        is_real = tgt_out != pad_id
        logits = model.logits(states[is_real]).float()  # (real targets of all rows, V)
        chosen = logits.gather(1, tgt_out[is_real][:, None])[:, 0] - logits.logsumexp(dim=1)
        by_row = torch.zeros(tgt_out.shape, device=device).masked_scatter_(is_real, chosen)
        for row, score in zip(rows, by_row.sum(dim=1).tolist(), strict=True):
            scores[row] = score
    return scores
