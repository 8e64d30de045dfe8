"""Whether emphasised words are translated as well as plain ones.

    python -m tests.benchmarks.emphasis --input open-source-dev.en --reference open-source-dev.de \
        --from en --to de

In each sentence of four words or more, one to three words that follow each other are put between
`**` (the same ones in every run), and both forms are translated. Printed are BLEU and chrF of the
plain translations and of the others without their `**`; in how many the model has kept both `**`;
and how many of those have a word of the source between them that the plain translation has nowhere.
"""

from __future__ import annotations

import argparse
import random
import re

from tests.benchmarks.arguments import print_header, print_row, sentences_parser
from tests.benchmarks.results import results
from training.stages.evaluation import bleu_and_chrf
from translator.translate.translator import Translator

MARK = "**"
WORD = re.compile(r"\w+(?:-\w+)*")
MIN_WORDS, MAX_EMPHASISED = 4, 3


def main() -> None:
    """Print the table."""
    parser = sentences_parser(__doc__)
    parser.add_argument("--reference", required=True, help="translations of --input")
    parser.add_argument("--to", dest="target_language", required=True, help="of --reference")
    parser.add_argument("--count", type=int, help="sentences; all by default")
    options = parser.parse_args()
    with results(options.write, "emphasis"):
        measure(options)


def measure(options: argparse.Namespace) -> None:
    """Print a row each for plain and emphasised sentences, and how many keep their emphasis."""
    with (
        options.input.open(encoding="utf-8") as src,
        open(options.reference, encoding="utf-8") as ref,
    ):
        pairs = [(a.strip(), b.strip()) for a, b in zip(src, ref, strict=True)][: options.count]
    pairs = [(a, b) for a, b in pairs if len(WORD.findall(a)) >= MIN_WORDS and "*" not in a + b]
    plain, references = [a for a, _ in pairs], [b for _, b in pairs]
    chance = random.Random(1)
    emphasised = [emphasise(sentence, chance) for sentence in plain]
    with Translator.load(options.model, threads=options.threads) as translator:
        languages = {"source": options.source_language, "target": options.target_language}
        as_plain = [found.text for found in translator.translate(plain, **languages)]
        found = translator.translate(emphasised, **languages)
    answers = [translation.text for translation in found]
    print_header("sentences", "BLEU", "chrF")
    for name, texts in (("plain", as_plain), ("emphasised", answers)):
        scores = bleu_and_chrf([text.replace(MARK, "") for text in texts], references)
        print_row(name, f"{scores['bleu']:.2f}", f"{scores['chrf']:.1f}")
    whole = [n for n, translation in enumerate(found) if "placeholders" not in translation.flags]
    copied = [is_copied(emphasised[n], as_plain[n], answers[n]) for n in whole]
    print(f"\n{len(whole)} of {len(answers)} have both `{MARK}`, {sum(copied)} of them are copied.")


def emphasise(sentence: str, chance: random.Random) -> str:
    """Put one to three words between `**`."""
    words = list(WORD.finditer(sentence))
    count = chance.randint(1, MAX_EMPHASISED)
    first = chance.randrange(len(words) - count + 1)
    start, end = words[first].start(), words[first + count - 1].end()
    return f"{sentence[:start]}{MARK}{sentence[start:end]}{MARK}{sentence[end:]}"


def is_copied(source: str, plain: str, answer: str) -> bool:
    """Whether a word between `**` is the source's, but not the plain translation's."""
    there = {word.lower() for word in WORD.findall(plain)}
    theirs, ours = (
        {w.lower() for part in text.split(MARK)[1::2] for w in WORD.findall(part)}
        for text in (source, answer)
    )
    return bool((theirs & ours) - there)


if __name__ == "__main__":
    main()
