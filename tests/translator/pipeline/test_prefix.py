"""A translation that begins with given words."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace

import pytest

from tests.engines import CopyEngine
from tests.toy import toy_pairs
from tests.translator.pipeline.test_sentence_search import Words
from tests.translator.pipeline.test_translator import protecting_translator
from translator.config import DecodingOptions
from translator.engine.call import EngineCall
from translator.engine.native import NativeEngine
from translator.engine.port import Decoding
from translator.errors import InputError
from translator.pipeline.chunks import Chunk, Prefix
from translator.pipeline.degeneration import Output
from translator.pipeline.numbers import NumberCheck
from translator.pipeline.sentence_search import SentenceSearch
from translator.pipeline.translator import Translator
from translator.runtime.arrange import arrange
from translator.runtime.eager import EagerRuntime
from translator.search.hypothesis import Hypothesis
from translator.store.model_directory import LoadedModel
from translator.text.protection import Protected
from translator.tokens.port import SpecialIds

GREEDY = DecodingOptions(beam_size=1, max_length_factor=0.5, max_length_offset=8)
PAIRS = toy_pairs(40, random.Random(1))
WORDS = sorted({word for _, english in PAIRS for word in english.split()})
SOURCES = [*(german for german, _ in PAIRS), "Siehe https://a.de/b?c=1 im Garten."]


@pytest.fixture
def translator(loaded: LoadedModel) -> Iterator[Translator]:
    special = SpecialIds.of(loaded.tokenizer)
    runtime = EagerRuntime(arrange(loaded.reference.get(), special.forbidden_ids))
    with Translator(loaded, NativeEngine(special, runtime, threads=1)) as translator:
        yield translator


def translated(
    translator: Translator, texts: Sequence[str], prefixes: Sequence[str | None], beam: int
) -> list[str]:
    options = replace(GREEDY, beam_size=beam)
    found = translator.translate(
        texts, source="de", target="en", prefixes=prefixes, options=options
    )
    return [one.text for one in found]


@pytest.mark.slow
@pytest.mark.parametrize("beam", [1, 4])
def test_a_translation_begins_with_its_prefix(translator: Translator, beam: int) -> None:
    """Whatever the model would say, and whatever stands beside it: 200 drawn texts."""
    drawn = random.Random(beam)
    texts = [" ".join(drawn.choices(SOURCES, k=drawn.randint(1, 2))) for _ in range(100)]
    prefixes = [
        drawn.choice([None, " ".join(drawn.choices(WORDS, k=drawn.randint(0, 6)))]) for _ in texts
    ]
    together = translated(translator, texts, prefixes, beam)
    for text, prefix in zip(together, prefixes, strict=True):
        assert text.startswith(prefix or "")
    for place in range(3):
        assert translated(translator, [texts[place]], [prefixes[place]], beam) == [together[place]]


def test_the_beginning_of_its_own_translation_changes_nothing(loaded: LoadedModel) -> None:
    """Of the model's own pieces, since a model that has learned nothing splits words anyhow."""
    special = SpecialIds.of(loaded.tokenizer)
    runtime = EagerRuntime(arrange(loaded.reference.get(), special.forbidden_ids))
    source = loaded.tokenizer.encode_source(PAIRS[0][0], "en")
    options = replace(GREEDY, search_again=False)
    with closing(NativeEngine(special, runtime, threads=1)) as engine:
        [whole] = engine.submit(source, options).result()
        for count in range(len(whole.ids)):
            start = special.bos_id, *whole.ids[:count]
            [rest] = engine.submit(source, options, start_ids=start).result()
            length = min(len(whole.ids) - count, len(rest.ids))
            assert rest.ids[:length] == whole.ids[count:][:length]


Rests = dict[tuple[int, ...], list[tuple[int, ...]]]


class Told(CopyEngine):
    """Answers by what it has been told to begin with, and whether for one step only."""

    def __init__(self, steps: list[int], rests: Rests):
        super().__init__()
        self.starts, self.steps, self.rests = list[tuple[int, ...]](), steps, rests

    def submit(
        self,
        source_ids: Sequence[int],
        options: DecodingOptions,
        group_size: int = 1,
        timeout_s: float | None = None,
        start_ids: Sequence[int] = (),
    ) -> Decoding:
        self.starts.append(tuple(start_ids))
        return super().submit(source_ids, options)

    def answer(self, place: int) -> None:
        is_one_step = self.submitted[place][1].max_length_offset == 1
        found = [(one,) for one in self.steps] if is_one_step else self.rests[self.starts[place]]
        self.futures[place].set_result(
            [
                Hypothesis(ids=ids, score=-1.0 - n, log_prob=-2.0 - n, finish_reason="eos")
                for n, ids in enumerate(found)
            ]
        )


def search(engine: Told, prefix: Prefix, count: int) -> list[str]:
    """Return the texts of a search in which each id is a word, and those from 90 on are ends."""

    def decode(ids: tuple[int, ...]) -> str:
        return "".join(str(one) if one >= 90 else f" {one}" for one in ids).strip()

    ids, options = (4, 60, 61, 3), DecodingOptions(beam_size=2, num_hypotheses=count)
    numbers = NumberCheck(Chunk(ids, Protected("60 61"), "", str, ("", "")), Words(), 100)
    source, call = Output((60, 61), "60 61"), EngineCall(engine, start_ids=(2,))
    one = SentenceSearch(call, ids, options, decode, source, numbers, prefix)
    one.check()
    return [*one.result().texts]


PREFIX = Prefix((7, 8), "7 8", ends_word=True)


def test_others_go_on_with_another_word() -> None:
    rests: Rests = {(2, 7, 8): [(10, 11), (10, 12)], (2, 7, 8, 10): [(13,)], (2, 7, 8, 20): [(21,)]}
    engine = Told([10, 20], rests)
    assert search(engine, PREFIX, 2) == ["7 8 10 11", "7 8 20 21"]
    assert engine.starts == [(2, 7, 8), (2, 7, 8), (2, 7, 8, 10), (2, 7, 8, 20)]


def test_one_alone_is_searched_once() -> None:
    engine = Told([], {(2, 7, 8): [(10, 11)]})
    assert search(engine, PREFIX, 1) == ["7 8 10 11"]
    assert engine.starts == [(2, 7, 8)]


def test_the_last_word_does_not_grow() -> None:
    rests: Rests = {(2, 7, 8): [(95, 11)], (2, 7, 8, 95): [(11,)], (2, 7, 8, 20): [(21,)]}
    assert search(Told([95, 20], rests), PREFIX, 1) == ["7 8 20 21"]
    free = PREFIX._replace(ends_word=False)
    assert search(Told([], rests), free, 1) == ["7 895 11"]


@pytest.mark.parametrize(
    ("sentence", "prefix", "expected"),
    [
        ("Das Kind ist hier.", "  The\tchild ", "The child"),
        ("das kind ist hier", "The child", "The child"),
        ("DAS KIND IST HIER.", "THE CHILD", "THE CHILD"),
        ("DAS KIND IST HIER.", "The child", "The child"),
        (
            "Das Kind sieht https://a.de/b?c.",
            "See https://a.de/b?c and",
            "See https://a.de/b?c and",
        ),
        ("Das Kind sieht %d Vögel.", "Of %d birds", "Of %d birds"),
        ("- Das Kind ist hier.", "- The child", "The child"),
        ("- Das Kind ist hier.", "The child", "The child"),
        ("Das Kind ist hier. Der Mann.", "", ""),
    ],
)
def test_how_a_prefix_is_read(
    loaded: LoadedModel, sentence: str, prefix: str, expected: str
) -> None:
    """An engine that adds nothing shows what it was told; what was left out follows."""
    translator = protecting_translator(loaded, Nothing())
    [found] = translator.translate([sentence], source="de", target="en", prefixes=[prefix])
    first = found.sentences[0].text
    assert first.startswith(expected)
    assert first.count("https") == sentence.count("https")


class Nothing(CopyEngine):
    """Adds nothing."""

    def answer(self, place: int) -> None:
        self.futures[place].set_result(
            [Hypothesis(ids=(), score=-1.0, log_prob=-1.0, finish_reason="eos")]
        )


@pytest.mark.parametrize(
    ("prefixes", "text", "message"),
    [
        (["The dog", "a"], "Der Hund.", "2 for 1 texts"),
        (["The dog"], "der Hund und die Katze, " * 50, "in parts"),
        (["the dog " * 40], "Der Hund.", "may have 40 pieces"),
        (["I\a am"], "Ich bin es.", "control characters"),
        (["1.250 dogs"], "Es sind 1.250 Hunde.", "would come out as '1,250 dogs'"),
    ],
)
def test_what_cannot_be_kept_is_refused(
    loaded: LoadedModel, prefixes: list[str], text: str, message: str
) -> None:
    translator = protecting_translator(loaded, Nothing())
    with pytest.raises(InputError, match=re.escape(message)):
        translator.translate([text], source="de", target="en", prefixes=prefixes)


def test_only_plain_text_has_prefixes(loaded: LoadedModel) -> None:
    translator = protecting_translator(loaded, Nothing())
    with pytest.raises(InputError, match="plain text only"):
        translator.translate(
            ["<p>Der Hund.</p>"], source="de", target="en", prefixes=["A"], text_format="html"
        )


def test_the_first_sentence_has_it(loaded: LoadedModel) -> None:
    engine = Told([], {})
    engine.rests = defaultdict(lambda: [()])
    translator = protecting_translator(loaded, engine)
    translator.translate(["Der Hund. Die Katze."], source="de", target="en", prefixes=["A dog"])
    first, *others = engine.starts
    assert translator.tokenizer.decode(first) == "A dog"
    assert [translator.tokenizer.decode(start) for start in others if len(start) != len(first)] == [
        ""
    ]
