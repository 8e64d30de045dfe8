"""What the sentences of a test part are like: pictures, counts and examples, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from training.report.markdown import bullets, escaped
from training.report.plots import plot_sentences
from training.report.sentences import ScoredSentence, selections

SENTENCES_SHOWN = 5  # for each reason
CHARACTERS_SHOWN = 600  # of one sentence


def part_section(name: str, sentences: Sequence[ScoredSentence], out: Path) -> str:
    """Return pictures and examples of one test part."""
    picture = f"sentences-{name}.png"
    plot_sentences(sentences, out / picture)
    paragraphs = [
        f"## {escaped(name)}",
        f"{len(sentences):,} sentences. {_counts(sentences)}",
        f"![Lengths, quality and length ratios of {escaped(name)}](<{picture}>)",
    ]
    for reason, chosen in selections(sentences, SENTENCES_SHOWN).items():
        paragraphs += [f"### {reason}: {escaped(name)}", *(_example(s) for s in chosen)]
    return "\n\n".join(paragraphs)


def _counts(sentences: Sequence[ScoredSentence]) -> str:
    empty = sum(not s.hypothesis.strip() for s in sentences)
    copied = sum(s.hypothesis == s.source for s in sentences)
    exact = sum(s.hypothesis == s.reference for s in sentences)
    return (
        f"Of their translations {exact:,} equal the reference, {copied:,} equal the source, and "
        f"{empty:,} are empty."
    )


def _example(sentence: ScoredSentence) -> str:
    title = (
        f"**line {sentence.line:,}**: chrF {sentence.chrf:.1f}, "
        f"length ratio {sentence.length_ratio:.2f}"
    )
    rows = (
        ("source", sentence.source),
        ("reference", sentence.reference),
        ("translation", sentence.hypothesis),
    )
    return title + "\n\n" + bullets([f"{side}: {_shortened(text)}" for side, text in rows])


def _shortened(text: str) -> str:
    if not text.strip():
        return "*(empty)*"
    left_out = len(text) - CHARACTERS_SHOWN
    if left_out <= 0:
        return escaped(text)
    return f"{escaped(text[:CHARACTERS_SHOWN])} *(and {left_out:,} characters more)*"
