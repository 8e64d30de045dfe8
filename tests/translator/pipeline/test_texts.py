"""Texts of all formats through a translator that copies."""

from __future__ import annotations

import functools
import html
import random
import re
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import CancelledError
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from tests.engines import CopyEngine
from tests.small_models import small_config
from tests.toy import toy_pairs
from training.config import SubwordsConfig
from training.data.subwords import train_tokenizer
from translator.config import ModelDescription
from translator.deadline import Deadline
from translator.documents.markup.html import read_html
from translator.errors import InputError, UnsupportedLanguageError
from translator.model.reference import Reference
from translator.model.transformer import make_model
from translator.pipeline import documents as documents_module
from translator.pipeline.documents import translate_document
from translator.pipeline.options import MarkMethod, TextFormat, TextOptions
from translator.pipeline.texts import stream_texts, translate_texts
from translator.pipeline.translation import Translation, joined, of_one_text
from translator.pipeline.translator import Translator
from translator.store.model_directory import LoadedModel
from translator.text.glossary import Glossary
from translator.text.marked import MarkedText

PIECES = [
    *("Der Hund", "ein Mann.", "Hund", "und", "!", "  ", "\n", "\r\n", "\n\n", "\t", "- ", "1. "),
    *("😀", "👍🏽", "✓", "{{name}}", "%(n)s", "{0}", "https://a.de/b?c=d&e", "a@b.de", "`ls -l`"),
    *("&amp;", "&lt;b&gt;", "&nbsp;", "&#228;", "&", "<", "**", "[Hund](x)", "| ", "# "),
    *("<b>", "</b>", "<a href='x'>", "</a>", "<br>", "<p>", "</p>", "<img alt='Hund'>", "<i/>"),
    *("<code>", "</code>", "<!-- x -->", "<span translate=no>", "</span>", "<li>", "<script>"),
    *("\ue001", "\U000f0000", "<\U000f0000>"),
]
FORMATS: tuple[TextFormat, ...] = ("text", "html", "markdown")
METHODS: tuple[MarkMethod, ...] = ("placeholders", "attention")
TAG = re.compile(r"<!--.*?-->|</?[a-z][^<>]*>")


@functools.cache
def translator_of(num_placeholders: int) -> Translator:
    return Translator(loaded_of(num_placeholders), CopyEngine(max_queue=10**9))


@functools.cache
def loaded_of(num_placeholders: int) -> LoadedModel:
    chance = random.Random(0)
    lines = [line for pair in toy_pairs(300, chance) for line in pair]
    config = SubwordsConfig(vocab_size=325 + num_placeholders, placeholders=num_placeholders)
    tokenizer = train_tokenizer(lines, ["de", "en"], config)
    model = small_config(tokenizer, width=16)
    description = ModelDescription(
        model=model, languages=("de", "en"), directions=("de-en", "en-de"), max_source_ids=200
    )
    reference = Reference.of(make_model(model).eval())
    return LoadedModel(description, tokenizer, reference, {})


@pytest.fixture(params=[8, 0])
def copying(request: pytest.FixtureRequest) -> Translator:
    return translator_of(request.param)


def options(**more: Any) -> TextOptions:
    return TextOptions(**{"source": "de", "target": "en", **more})


def translated(
    translator: Translator, text: str, text_format: TextFormat, marks: MarkMethod = "attention"
) -> str:
    [found] = translate_texts(translator, [text], options(text_format=text_format, marks=marks))
    return found.text


def content(page: str) -> Counter[str]:
    """Every character but white space, in any order: emoji may move to the end of a sentence."""
    return Counter(re.sub(r"\s", "", html.unescape(TAG.sub("", page))))


def test_html_is_one_call_for_all_texts(copying: Translator) -> None:
    pages = ["<p>Der <b>Hund</b></p>", "<p>Ein Mann</p><p>Hund</p>", "", "<hr>"]
    found = translate_texts(copying, pages, options(text_format="html"))
    assert [TAG.sub("", one.text) for one in found] == ["Der Hund", "Ein MannHund", "", ""]
    assert found[1].finish_reasons == ("eos", "eos")
    assert found[2].score is None


@pytest.mark.parametrize("marks", METHODS)
def test_tags_come_back(marks: MarkMethod) -> None:
    page = "<p>Der <b>Hund</b> und <code>ls</code> <a href='x' title='Hund'>ein Mann</a>.</p>"
    found = translated(translator_of(8), page, "html", marks)
    assert Counter(TAG.findall(found)) == Counter(TAG.findall(page))
    assert "<code>ls</code>" in found


@pytest.mark.parametrize(
    ("text_format", "text"), [("text", "Der Hund"), ("html", "<p>Der <b>Hund</b></p>")]
)
def test_a_glossary_is_honoured(text_format: TextFormat, text: str) -> None:
    [found] = translate_texts(
        translator_of(8),
        [text],
        options(
            text_format=text_format, glossary=Glossary(pairs={"Hund": "hound"}, keep=("Mann",))
        ),
    )
    assert "hound" in found.text
    assert found.terms == ("Hund",)


@pytest.mark.parametrize(("text_format", "count"), [("text", 1), ("html", 0)])
def test_alternatives_are_for_text(text_format: TextFormat, count: int) -> None:
    [found] = translate_texts(
        translator_of(8),
        ["Der Hund und ein Mann"],
        options(text_format=text_format, num_alternatives=1),
    )
    assert len(found.alternatives) == count


def test_the_same_language_changes_nothing(copying: Translator) -> None:
    page = "<p>Der <b>Hund</b> &amp;  ein\nMann</p>"
    [found] = translate_texts(
        copying,
        [page],
        options(target="de", text_format="html", glossary=Glossary(pairs={"Hund": "x"})),
    )
    assert found.text == page
    with pytest.raises(UnsupportedLanguageError, match="zz is not supported"):
        translate_texts(copying, [page], options(source="zz", target="zz", text_format="html"))


@pytest.mark.parametrize("text_format", FORMATS)
def test_streams(copying: Translator, text_format: TextFormat) -> None:
    texts = ["Der Hund. Ein Mann.", "Hund"]
    joined = ["", ""]
    for number, sentence in stream_texts(copying, texts, options(text_format=text_format)):
        joined[number] += sentence.separator + sentence.text
    assert joined == texts


@pytest.mark.parametrize(
    ("text_format", "text"),
    [
        ("text", "Der Hund. Ein Mann.\n\n Hund"),
        (
            "html",
            "<div><p>Der <b>Hund</b>. Ein</p>\n <img alt='Mann'>Hund<br><i>Mann</i> &amp;</div>",
        ),
        ("html", "<p title='Der Mann'>Der <a title='Hund'>Hund</a> <b></b></p>1"),
        ("markdown", "# Der Hund\n\n- ein Mann. Hund\n\n```\nHund\n```\n<p>Mann</p>\n\nMann\n"),
    ],
)
@pytest.mark.parametrize("marks", METHODS)
def test_what_is_streamed_is_what_is_answered(
    copying: Translator, text_format: TextFormat, text: str, marks: MarkMethod
) -> None:
    glossary = Glossary(pairs={"Hund": "big hound"}, keep=("Mann",))
    wanted = options(text_format=text_format, glossary=glossary, marks=marks)
    [whole] = translate_texts(copying, [text], wanted)
    told = [sentence for _, sentence in stream_texts(copying, [text], wanted)]
    assert joined(told) == whole
    assert "".join(one.separator + one.source for one in told) == text
    assert whole.terms == ("Hund", "Mann")


def test_a_paragraph_comes_before_the_next_is_done() -> None:
    engine = CopyEngine(is_lazy=True)
    translator = Translator(loaded_of(8), engine)
    page = "<p>Der <b>Hund</b></p><p>ein Mann</p>"
    stream = stream_texts(translator, [page], options(text_format="html"))
    assert len(engine.futures) == 2
    engine.answer(0)
    _, first = next(stream)
    assert (first.separator, first.source) == ("<p>", "Der <b>Hund</b>")
    assert TAG.sub("", first.text) == "Der Hund"  # an untrained model puts its tags anywhere
    stream.close()
    assert engine.futures[1].cancelled()


def test_paragraphs_that_are_done_are_finished_together(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = CopyEngine(is_lazy=True)
    translator = Translator(loaded_of(8), engine)
    model = loaded_of(8).model
    decode, sizes = model.decode, list[int]()

    def counted(tgt_in: Tensor, *arguments: Any) -> Tensor:
        sizes.append(len(tgt_in))
        return decode(tgt_in, *arguments)

    monkeypatch.setattr(model, "decode", counted)
    page = "<p>Der <b>Hund</b> da</p>" * 4 + "<p>ein Mann</p>"
    stream = stream_texts(translator, [page], options(text_format="html"))
    for place in range(3):
        engine.answer(place)
    told = [next(stream)[1] for _ in range(3)]
    assert [one.source for one in told] == ["Der <b>Hund</b> da"] * 3
    assert sizes == [3]
    for place in (3, 4):
        engine.answer(place)
    told += [sentence for _, sentence in stream]
    assert sizes == [3, 1]
    assert "".join(one.separator + one.source for one in told) == page


def test_a_document() -> None:
    document = read_html("<p>Der <b>Hund</b></p><p>Mann</p>")
    units = list[Translation]()
    text = translate_document(translator_of(8), document, options(), on_unit=units.append)
    assert TAG.sub("", text) == "Der HundMann"
    assert len(units) == 2


def test_what_stands_in_a_document_twice_is_translated_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent = list[str]()

    def shout(
        _: object, units: Sequence[MarkedText], __: TextOptions, deadline: Deadline
    ) -> list[Translation]:
        sent.extend(unit.text for unit in units)
        return [Translation(text=unit.text.upper()) for unit in units]

    monkeypatch.setattr(documents_module, "translate_units", shout)
    document = read_html("<p>dog</p><p>cat</p><p>dog</p>")
    units = list[Translation]()
    text = translate_document(translator_of(8), document, options(), on_unit=units.append)
    assert (sent, text) == (["dog", "cat"], "<p>DOG</p><p>CAT</p><p>DOG</p>")
    assert [unit.text for unit in units] == ["DOG", "CAT", "DOG"]


def test_a_long_document_is_translated_window_by_window(monkeypatch: pytest.MonkeyPatch) -> None:
    held, most = set[int](), 0
    lock = threading.Lock()
    progress = list[tuple[int, int]]()

    def shout(
        _: object, units: Sequence[MarkedText], __: TextOptions, deadline: Deadline
    ) -> list[Translation]:
        nonlocal most
        with lock:
            held.add(id(units))
            most = max(most, len(held))
        deadline.look()
        deadline.tell(1, 2)
        with lock:
            held.discard(id(units))
        assert len(units) <= 1000
        return [Translation(text=unit.text.upper()) for unit in units]

    monkeypatch.setattr(documents_module, "translate_units", shout)
    words = [f"w{number % 2500}" for number in range(5000)]
    document = read_html("".join(f"<p>{word}</p>" for word in words))
    told = list[str]()
    deadline = Deadline(tell=lambda done, total: progress.append((done, total)))
    text = translate_document(
        translator_of(8), document, options(), deadline, lambda unit: told.append(unit.text)
    )
    assert text == "".join(f"<p>{word.upper()}</p>" for word in words)
    assert told == [word.upper() for word in words]
    assert most <= 2
    assert {total for _, total in progress} == {2500}
    assert sorted(progress)[0][0] == 0


def test_who_gives_up_a_long_document_ends_all_its_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    first, ended = threading.Event(), threading.Event()

    def fail(
        _: object, units: Sequence[MarkedText], __: TextOptions, deadline: Deadline
    ) -> list[Translation]:
        if units[0].text == "w0":
            assert first.wait(10)
            raise InputError("no")
        first.set()
        try:
            for _ in range(1000):
                deadline.look()
                time.sleep(0.01)
        except CancelledError:
            ended.set()
        return []

    monkeypatch.setattr(documents_module, "translate_units", fail)
    document = read_html("".join(f"<p>w{number}</p>" for number in range(1500)))
    with pytest.raises(InputError, match="no"):
        translate_document(translator_of(8), document, options())
    assert ended.wait(10)


def check(parts: list[str]) -> None:
    text = "".join(parts)
    for translator in (translator_of(8), translator_of(0)):
        for marks in METHODS:
            found = translated(translator, text, "html", marks)
            assert Counter(TAG.findall(found)) == Counter(TAG.findall(text)), f"{text!r}: {found!r}"
    found = translated(translator_of(8), text, "html")
    assert content(found) == content(text), f"html {text!r}: {found!r}"
    for text_format in FORMATS[::2]:
        found = translated(translator_of(8), text, text_format)
        assert content(found) == content(text), f"{text_format} {text!r}: {found!r}"
        if text_format == "text" or "<" not in text:  # in a paragraph of HTML it is a space
            assert found.count("\n") == text.count("\n"), f"{text_format} {text!r}: {found!r}"


MESSAGE = "{n, plural, one {Der # Hund} other {Die # Hunde}} und {name}."


@pytest.mark.parametrize("text_format", FORMATS)
def test_a_message_of_icu_has_a_sentence_in_each_branch(text_format: TextFormat) -> None:
    options = TextOptions(source="de", target="en", text_format=text_format)
    texts = ["Hund.", MESSAGE, "{n, plural} ist nichts."]
    found = translate_texts(translator_of(8), texts, options)
    expected = "{n, plural, one {Der # Hund und {name}.} other {Die # Hunde und {name}.}}"
    assert [one.text for one in found] == [texts[0], expected, texts[2]]
    assert [one.source for one in found[1].sentences] == [
        "Der # Hund und {name}.",
        "Die # Hunde und {name}.",
    ]
    streamed = list(stream_texts(translator_of(8), texts, options))
    told = [sentence for number, sentence in streamed if number == 1]
    assert joined(told).text == expected


def test_a_line_of_a_text_may_be_a_message_of_icu() -> None:
    text = f"Der Hund.\n{MESSAGE}\n\nEin Hund."
    options = TextOptions(source="de", target="en", num_alternatives=1)
    [found] = translate_texts(translator_of(8), [text], options)
    assert found.text == (
        "Der Hund.\n{n, plural, one {Der # Hund und {name}.} other {Die # Hunde und {name}.}}\n\n"
        "Ein Hund."
    )


def test_whoever_asks_gets_one_answer(copying: Translator) -> None:
    texts = ["Der HUND sieht {0}. Das Kind!", MESSAGE, f"Hund.\n{MESSAGE}", "DER HUND.", "", "12"]
    expected = translate_texts(copying, texts, options())
    assert copying.translate(texts, source="de", target="en") == expected
    stream = copying.stream(texts, source="de", target="en")
    assert [joined(list(of_one_text(stream))) for _ in texts] == expected
    assert expected[1].text.startswith("{n, plural, one {Der # Hund und {name}.}")


def test_beside_a_message_of_icu_a_text_has_its_alternatives() -> None:
    options = TextOptions(source="de", target="en", num_alternatives=1)
    plain, message = translate_texts(translator_of(8), ["Der Hund.", MESSAGE], options)
    assert len(plain.alternatives) == 1
    assert message.alternatives == ()


@given(st.lists(st.sampled_from(PIECES), max_size=12))
@settings(derandomize=True, database=None)
def test_everything_comes_back(parts: list[str]) -> None:
    check(parts)


@pytest.mark.slow
@given(st.lists(st.sampled_from(PIECES), max_size=30))
@settings(max_examples=2_000, derandomize=True, database=None)
def test_everything_comes_back_of_long_mixtures(parts: list[str]) -> None:
    check(parts)
