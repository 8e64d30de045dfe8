"""Score translations: sacreBLEU's metrics with their signatures, and the one Multi30k papers use.

Hypotheses come from the same `Translator` that is served, so a reported BLEU is the BLEU that
users get.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import sacrebleu
from sacrebleu.metrics.base import Metric
from sacrebleu.significance import PairedTest, Result
from sacremoses import MosesPunctNormalizer, MosesTokenizer

from translator.config import DecodingOptions
from translator.durable import write_durably
from translator.errors import InputError
from translator.translate.translator import Translator

LABELS = {"bleu": "BLEU", "chrf": "chrF"}


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
    """

    bleu: float
    chrf: float
    ter: float
    lc_tok_bleu: float
    signatures: dict[str, str]

    def as_dict(self) -> dict[str, object]:
        """Return plain values, rounded to two decimals, for JSON."""
        return {
            name: round(value, 2) if isinstance(value, float) else value
            for name, value in dataclasses.asdict(self).items()
        }

    def __str__(self) -> str:
        """Return a table of five lines."""
        lc_tok = "lower-cased, Moses-tokenised"
        rows = (
            ("BLEU", self.bleu, self.signatures["bleu"]),
            ("chrF", self.chrf, self.signatures["chrf"]),
            ("TER", self.ter, self.signatures["ter"]),
            ("lc-tok BLEU", self.lc_tok_bleu, f"{lc_tok}; {self.signatures['lc_tok_bleu']}"),
        )
        return "\n".join(f"{name:12} {value:6.2f}  {note}" for name, value, note in rows)


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


def score(hypotheses: Sequence[str], references: Sequence[str], language: str) -> Scores:
    """Score one hypothesis a reference.

    Args:
        hypotheses: n detokenised translations.
        references: n detokenised references.
        language: of both, for the Moses tokenizer.

    Raises:
        InputError: the numbers differ, or there is nothing to score.
    """
    if len(hypotheses) != len(references):
        raise InputError(
            f"{len(hypotheses)} translations cannot be scored against {len(references)} references"
        )
    if not references:
        raise InputError("nothing to score: the reference is empty")
    bleu, chrf, ter = sacrebleu.BLEU(), sacrebleu.CHRF(), sacrebleu.TER()
    lc_tok_bleu = sacrebleu.BLEU(tokenize="none", force=True)
    plain = [list(references)]
    tokenized = [moses_lines(references, language)]
    return Scores(
        bleu=bleu.corpus_score(hypotheses, plain).score,
        chrf=chrf.corpus_score(hypotheses, plain).score,
        ter=ter.corpus_score(hypotheses, plain).score,
        lc_tok_bleu=lc_tok_bleu.corpus_score(moses_lines(hypotheses, language), tokenized).score,
        signatures={
            "bleu": str(bleu.get_signature()),
            "chrf": str(chrf.get_signature()),
            "ter": str(ter.get_signature()),
            "lc_tok_bleu": str(lc_tok_bleu.get_signature()),
        },
    )


def bleu_and_chrf(texts: Sequence[str], references: Sequence[str]) -> dict[str, float]:
    """Return cased BLEU and chrF of texts, which may be the sources: a model must surpass those."""
    return {
        name: round(metric.corpus_score(texts, [references]).score, 2)
        for name, metric in _metrics().items()
    }


def _metrics() -> dict[str, Metric]:
    return {"bleu": sacrebleu.BLEU(), "chrf": sacrebleu.CHRF()}


def translate_and_score(
    translator: Translator,
    sides: Mapping[str, Sequence[str]],
    directions: Sequence[str],
    options: DecodingOptions | None = None,
) -> Iterator[tuple[str, list[str], Scores]]:
    """Yield every direction with its translations and their scores.

    Args:
        translator: the one that is served.
        sides: language → aligned sentences.
        directions: `source-target` pairs of languages.
        options: of the search; the model's own if None.
    """
    for direction in directions:
        source, target = direction.split("-")
        answers = translator.translate(sides[source], source=source, target=target, options=options)
        texts = [answer.text for answer in answers]
        yield direction, texts, score(texts, sides[target], target)


def differences(
    baseline: Sequence[str], system: Sequence[str], references: Sequence[str], samples: int = 1000
) -> dict[str, dict[str, float]]:
    """Return `baseline`, `system` and the `p_value` of their difference, for `bleu` and `chrf`.

    Paired bootstrap resampling with a fixed seed.

    Source: Koehn 2004.
    """
    metrics = _metrics()
    named: list[tuple[str, Sequence[str]]] = [("baseline", baseline), ("system", system)]
    test = PairedTest(named, metrics, [list(references)], test_type="bs", n_samples=samples)
    _, results = test()
    found = {}
    columns = list(results.values())[1:]  # the first holds the systems' names
    for name, column in zip(metrics, columns, strict=True):
        first, second = (result for result in column if isinstance(result, Result))
        is_equal = first.score == second.score  # sacreBLEU would call it significant
        found[name] = {
            "baseline": round(first.score, 2),
            "system": round(second.score, 2),
            "p_value": 1.0 if is_equal else round(second.p_value or 0.0, 4),
        }
    return found


def compare(
    baseline: Sequence[str], system: Sequence[str], references: Sequence[str], samples: int = 1000
) -> str:
    """Return `differences` as a table."""
    lines = [f"paired bootstrap, {samples} samples"]
    for name, found in differences(baseline, system, references, samples).items():
        both = f"{found['baseline']:6.2f} → {found['system']:6.2f}"
        lines.append(f"{LABELS[name]:5} {both}  p = {found['p_value']:.4f}")
    return "\n".join(lines)


def context(
    sides: Mapping[str, Sequence[str]],
    direction: str,
    texts: Sequence[str],
    others: Mapping[str, Translator],
) -> dict[str, object]:
    """Return scores to compare with: of a `copy` of the source, and of `others` by name.

    Args:
        sides: language → aligned sentences.
        direction: `source-target`.
        texts: the translations that were scored.
        others: models that are compared with it, where they have the direction. They search once,
            with four beams at most: a model takes long over text that it was not trained for.
    """
    source, target = direction.split("-")
    found: dict[str, object] = {}
    for name, other in others.items():
        if direction not in other.description.directions:
            continue
        own = other.description.decoding
        narrow = dataclasses.replace(own, beam_size=min(own.beam_size, 4), search_again=False)
        answers = other.translate(sides[source], source=source, target=target, options=narrow)
        found[name] = differences([answer.text for answer in answers], texts, sides[target])
    return {"copy": bleu_and_chrf(sides[source], sides[target]), "others": found}
