"""Score translations: sacreBLEU's metrics with their signatures, and the one Multi30k papers use.

Hypotheses come from the same `Translator` that is served, so a reported BLEU is the BLEU that
users get.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import sacrebleu
from sacrebleu.metrics.base import Metric
from sacrebleu.significance import PairedTest, Result
from sacremoses import MosesPunctNormalizer, MosesTokenizer

from translator.config import DecodingOptions
from translator.durable import write_durably
from translator.errors import InputError
from translator.pipeline.translator import Translator

LABELS = {"bleu": "BLEU", "chrf": "chrF", "ter": "TER"}
SAMPLES = 1000
"""Samples of a bootstrap."""
MOST_SAMPLED = 10_000
"""Sentences; samples of more take gigabytes, and their margins are next to nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Scores:
    """Corpus scores on a 0–100 scale (TER: lower is better), and what they were computed with.

    Attributes:
        bleu: cased, detokenised sacreBLEU.
        chrf: chrF2.
        ter: translation edit rate.
        lc_tok_bleu: BLEU of lower-cased, punctuation-normalised, Moses-tokenised text, as Multi30k
            papers report; not comparable with `bleu`.
        signatures: by metric.
        margins: by metric, half the width of the interval that has the score with a probability of
            95 %; empty if they were not asked for.
    """

    bleu: float
    chrf: float
    ter: float
    lc_tok_bleu: float
    signatures: dict[str, str]
    margins: dict[str, float] = field(default_factory=dict)

    def as_dict(self) -> dict[str, object]:
        """Return plain values, rounded to two decimals, for JSON."""
        plain: dict[str, object] = {
            name: round(value, 2) if isinstance(value, float) else value
            for name, value in dataclasses.asdict(self).items()
        }
        return plain | {"margins": {name: round(of, 2) for name, of in self.margins.items()}}

    def __str__(self) -> str:
        labels, lc_tok = {**LABELS, "lc_tok_bleu": "lc-tok BLEU"}, "lower-cased, Moses-tokenised; "
        lines = []
        for name, label in labels.items():
            margin = f" ± {self.margins[name]:<5.2f}" if name in self.margins else ""
            note = (lc_tok if name == "lc_tok_bleu" else "") + self.signatures[name]
            lines.append(f"{label:12} {getattr(self, name):6.2f}{margin}  {note}")
        return "\n".join(lines)


def write_lines(path: Path, lines: Sequence[str]) -> None:
    """Write a text file of one sentence a line."""
    write_durably(path, "".join(f"{line}\n" for line in lines).encode())


def moses_lines(lines: Sequence[str], language: str) -> list[str]:
    """Return lines as Multi30k's `lc.norm.tok` files have them: lower case, normalised, tokenised.

    Source: Elliott et al. 2016, §2; reproduces the published German and English files exactly.
    """
    normalizer, tokenizer = MosesPunctNormalizer(language), MosesTokenizer(language)
    return [
        tokenizer.tokenize(normalizer.normalize(line.lower()), return_str=True) for line in lines
    ]


def score(
    hypotheses: Sequence[str], references: Sequence[str], language: str, samples: int = 0
) -> Scores:
    """Score one detokenised hypothesis a reference; the language is for the Moses tokenizer.

    So many samples of a bootstrap give the margins (Koehn 2004). There are none if it is 0, or for
    more than MOST_SAMPLED sentences.

    Raises:
        InputError: the numbers differ, or there is nothing to score.
    """
    if len(hypotheses) != len(references):
        raise InputError(
            f"{len(hypotheses)} translations cannot be scored against {len(references)} references"
        )
    if not references:
        raise InputError("nothing to score: the reference is empty")
    lc_tok_bleu = sacrebleu.BLEU(tokenize="none", force=True)
    metrics: dict[str, Metric] = {**_metrics(), "lc_tok_bleu": lc_tok_bleu}
    values, signatures, margins = dict[str, float](), dict[str, str](), dict[str, float]()
    for name, metric in metrics.items():
        ours, theirs = hypotheses, references
        if metric is lc_tok_bleu:
            ours, theirs = moses_lines(hypotheses, language), moses_lines(references, language)
        if not samples or len(references) > MOST_SAMPLED:
            values[name] = metric.corpus_score(ours, [list(theirs)]).score
            signatures[name] = str(metric.get_signature())
            continue
        # `corpus_score` can do this too, but not where the BLEU of a sample is 0
        test = PairedTest([("", ours)], {name: metric}, [list(theirs)], "bs", samples)
        signed, results = test()
        [result] = list(results.values())[1]  # the first holds the names of the systems
        assert isinstance(result, Result)
        values[name], signatures[name] = result.score, str(*signed.values())
        margins[name] = float(result.ci or 0.0)
    return Scores(**values, signatures=signatures, margins=margins)


def bleu_and_chrf(texts: Sequence[str], references: Sequence[str]) -> dict[str, float]:
    """Return cased BLEU and chrF of texts, which may be the sources: a model must surpass those."""
    return {
        name: round(metric.corpus_score(texts, [references]).score, 2)
        for name, metric in _metrics().items()
        if name != "ter"
    }


def _metrics() -> dict[str, Metric]:
    return {"bleu": sacrebleu.BLEU(), "chrf": sacrebleu.CHRF(), "ter": sacrebleu.TER()}


def translate_and_score(
    translator: Translator,
    sides: Mapping[str, Sequence[str]],
    directions: Sequence[str],
    options: DecodingOptions | None = None,
    samples: int = 0,
) -> Iterator[tuple[str, list[str], Scores]]:
    """Yield every direction with its translations and their scores; see `score`."""
    for direction in directions:
        source, target = direction.split("-")
        answers = translator.translate(sides[source], source=source, target=target, options=options)
        texts = [answer.text for answer in answers]
        yield direction, texts, score(texts, sides[target], target, samples)


def compare(
    baseline: Sequence[str],
    system: Sequence[str],
    references: Sequence[str],
    samples: int = SAMPLES,
) -> str:
    """Return a table of both scores, their margins, and the p-value of their difference.

    The test is paired bootstrap resampling with a fixed seed.

    Source: Koehn 2004.
    """
    named: list[tuple[str, Sequence[str]]] = [("baseline", baseline), ("system", system)]
    test = PairedTest(named, _metrics(), [list(references)], test_type="bs", n_samples=samples)
    columns = list(test()[1].values())[1:]  # the first holds the systems' names
    lines = [f"paired bootstrap, {samples} samples; ± is half of the interval of 95 %"]
    for label, column in zip(LABELS.values(), columns, strict=True):
        first, second = (result for result in column if isinstance(result, Result))
        both = " → ".join(f"{result.score:6.2f} ± {result.ci:<5.2f}" for result in (first, second))
        is_equal = first.score == second.score  # sacreBLEU would call it significant
        p_value = 1.0 if is_equal else second.p_value
        lines.append(f"{label:5} {both}  p = {p_value:.4f}")
    return "\n".join(lines)
