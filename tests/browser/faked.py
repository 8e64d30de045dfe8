"""A translator for tests of the page: what it does is written in the text."""

from __future__ import annotations

import dataclasses
import re
import time
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from tests.service.conftest import FakeTranslator
from translator.alignment.alignment import Alignment
from translator.deadline import Deadline
from translator.errors import EngineOverloadedError
from translator.pipeline.degeneration import Flag
from translator.pipeline.options import SearchOptions
from translator.pipeline.steps import Batches, NumberedSentence
from translator.pipeline.translation import Language, SentenceTranslation, WrongNumbers
from translator.text.marked import MarkedText

LANGUAGES = (
    Language(code="ar", name="Arabic", targets=("ar",)),
    Language(code="de", name="German", targets=("ar", "de", "en")),
    Language(code="en", name="English", targets=("de", "en"), formality=("de",)),
)
SLOW_S = 0.4
PROBABILITIES = {"VAGUE": 0.2, "DOUBTFUL": 0.05, "HOPELESS": 0.01}
SURE = 0.9
EVIL = "<img src=x onerror=\"document.body.dataset.evil='yes'\"><script>evil()</script>"


class FakedTranslator(FakeTranslator):
    """Upper-cases line by line.

    `slow` lines take a while, `overload` fails, and `flag:NAME` sets a flag. It is sure of all
    words but those of `PROBABILITIES`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.languages = LANGUAGES

    def whole(
        self, texts: Sequence[MarkedText], options: SearchOptions, deadline: Deadline
    ) -> list[NumberedSentence]:
        told = list[NumberedSentence]()
        deadline.tell(1, 2)
        for number, text in enumerate(texts):
            if text.text == "slow":  # so that progress can be seen
                time.sleep(SLOW_S)
            *sentences, last = _sentences(text.text)
            ranks = range(options.num_alternatives or 0)
            others = tuple(f"{_translated(text.text)} {EVIL} {rank}" for rank in ranks)
            last = dataclasses.replace(last, alternatives=others)
            told += [(number, sentence) for sentence in (*sentences, last)]
        return told

    def aligner(self, source: str) -> Any:
        """Return one that knows of each word where it comes from."""
        return SimpleNamespace(
            tokenizer=super().aligner(source).tokenizer,
            align=lambda pairs, *_, **__: [_aligned(*pair) for pair in pairs],
        )

    def stream(
        self, texts: Sequence[MarkedText], options: SearchOptions, deadline: Deadline
    ) -> Batches:
        for number, text in enumerate(texts):
            for sentence in _sentences(text.text):
                deadline.look()
                if "slow" in sentence.source:
                    time.sleep(SLOW_S)
                if "overload" in sentence.source:
                    raise EngineOverloadedError("too many sentences wait; try again")
                yield [(number, sentence)]


def _translated(text: str) -> str:
    return re.sub(r"flag:\w+", "", text).upper()


def _aligned(source: str, target: str) -> Alignment | None:
    """Return that each word comes from the one that it is."""
    if "pivoted" in source:
        return None
    read, written = ([*re.finditer(r"\w+", text)] for text in (source, target))
    probabilities = [PROBABILITIES.get(word[0], SURE) for word in written]
    return Alignment(
        weights=np.eye(len(written), len(read), dtype=np.float32),
        source=tuple(word.span() for word in read),
        target=tuple(word.span() for word in written),
        log_probs=np.log(np.array(probabilities, dtype=np.float32)),
    )


def _sentences(text: str) -> Iterator[SentenceTranslation]:
    """Yield the sentences, which end at a full stop or a line, and the separator that is left."""
    done = 0
    for found in re.finditer(r"[^\s.][^.\n]*(?:\.|(?=\n)|$)", text):
        source = found[0]
        flags = cast(tuple[Flag, ...], tuple(re.findall(r"flag:(\w+)", source)))
        is_cut = "cut" in source
        yield SentenceTranslation(
            separator=text[done : found.start()],
            source=source,
            text=_translated(source),
            score=-0.5,
            finish_reasons=("length",) if is_cut else ("eos",),
            flags=flags,
            numbers=WrongNumbers(("58",), ("85",)) if "numbers" in flags else WrongNumbers(),
            via="en" if "pivoted" in source else "",
        )
        done = found.end()
    yield SentenceTranslation(separator=text[done:], source="", text="")
