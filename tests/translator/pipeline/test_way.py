"""Texts by one model and by two: markup, terms and streams."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from tests.fake_models import FakeModel
from tests.small_models import write_model
from translator.pipeline.face import AnyTranslator
from translator.pipeline.models.model_set import ModelSet
from translator.pipeline.options import SearchOptions, TextOptions
from translator.pipeline.texts import stream_texts, translate_texts
from translator.pipeline.translation import SentenceTranslation
from translator.text.glossary import Glossary
from translator.text.marked import MarkedText
from translator.text.segmentation import split

TEXT = "Der Hund sieht die Katze. Das Kind mag {0}.\n\nDie Frau.\n"
PAGE = '<p>Der <b>Hund</b> sieht <a href="/x">die Katze</a>. Das Kind.</p>\n<pre>code</pre>'


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelSet]:
    folder: Path = tmp_path_factory.mktemp("models")
    write_model(folder / "de-en", "de-en", seed=1)
    write_model(folder / "en-fr", "en-fr", seed=2)
    with ModelSet.load([folder]) as found:
        yield found


def options(target: str, **others: object) -> TextOptions:
    return TextOptions(source="de", target=target, **others)  # type: ignore[arg-type]


@pytest.mark.parametrize(("target", "via"), [("en", ""), ("fr", "en"), ("de", "")])
def test_a_stream_tells_what_the_whole_is(models: ModelSet, target: str, via: str) -> None:
    texts = [TEXT, "12", TEXT]
    whole = translate_texts(models, texts, options(target))
    stream = stream_texts(models, texts, options(target))
    told = list(stream)
    for number, translation in enumerate(whole):
        own = [sentence for place, sentence in told if place == number]
        assert tuple(one for one in own if one.source) == translation.sentences
        assert "".join(one.separator + one.text for one in own) == translation.text
    assert [one.via for one in whole] == [via, "", via]
    assert not any(one.holders for one in models._residence._residents.values())


@pytest.mark.parametrize("target", ["en", "fr"])
def test_markup_goes_all_the_way(models: ModelSet, target: str) -> None:
    [found] = translate_texts(models, [PAGE], options(target, text_format="html"))
    tags = re.findall("<[^>]+>", found.text)
    assert sorted(tags) == sorted(re.findall("<[^>]+>", PAGE))
    assert "<pre>code</pre>" in found.text
    told = list(stream_texts(models, [PAGE], options(target, text_format="html")))
    assert "".join(one.separator + one.text for _, one in told) == found.text
    assert {one.via for _, one in told if one.source} == {found.via}


@pytest.mark.parametrize("target", ["en", "fr"])
def test_terms_of_the_target_language_go_all_the_way(models: ModelSet, target: str) -> None:
    glossary = Glossary(pairs={"Hund": "TOUTOU"}, keep=("Katze",))
    wanted = options(target, glossary=glossary)
    [found] = translate_texts(models, [TEXT], wanted)
    assert found.terms == ("Hund", "Katze")
    assert found.text.count("TOUTOU") == found.text.count("Katze") == 1
    assert found.sentences[0].source == "Der Hund sieht die Katze.", "as it was sent"
    stream = stream_texts(models, [TEXT], wanted)
    assert tuple(one for _, one in stream if one.source) == found.sentences


def test_words_have_sources_on_one_leg_only(models: ModelSet) -> None:
    [direct] = translate_texts(models, [TEXT], options("en", has_words=True))
    [pivoted] = translate_texts(models, [TEXT], options("fr", has_words=True))
    assert any(sentence.words for sentence in direct.sentences)
    assert not any(sentence.words for sentence in pivoted.sentences)


def test_a_stream_that_is_closed_lets_the_models_go(models: ModelSet) -> None:
    stream = stream_texts(models, [TEXT] * 20, options("fr"))
    next(stream)
    residents = models._residence._residents.values()
    assert all(one.holders for one in residents)
    stream.close()
    assert not any(one.holders for one in residents)


class Chinese(FakeModel):
    """Translates each sentence to its words and a Chinese full stop."""

    num_placeholders = 0

    def sentences_of(
        self, text: MarkedText, options: SearchOptions
    ) -> Iterator[SentenceTranslation]:
        segments = split(text.text, "en")
        *separators, last = segments.separators
        for separator, source in zip(separators, segments.sentences, strict=True):
            end = "。" if source.endswith(".") else ""
            yield SentenceTranslation(
                separator=separator, source=source, text=source.rstrip(".") + end, score=-1.0
            )
        yield SentenceTranslation(separator=last, source="", text="", alternatives=("好。 是。",))


@pytest.mark.parametrize(
    ("text", "together"),
    [
        ("One. Two.", "One。Two。"),
        ("- One. Two.\n\nThree. Four.\n", "- One。Two。\n\nThree。Four。\n"),
        ("One.  Two.\tThree", "One。  Two。\tThree"),  # more than a space is layout
        ("One. Two", "One。Two"),
        ("12", "12"),
    ],
)
def test_sentences_of_a_language_without_spaces_close_up(text: str, together: str) -> None:
    translator = cast(AnyTranslator, Chinese())
    for target, expected in (("zh", together), ("fr", together.replace("。T", "。 T"))):
        expected = expected.replace("。F", "。 F") if target == "fr" else expected
        wanted = TextOptions(source="en", target=target)
        [found] = translate_texts(translator, [text], wanted)
        assert found.text == expected
        told = [one for _, one in stream_texts(translator, [text] * 2, wanted)]
        assert "".join(one.separator + one.text for one in told) == expected * 2
        assert tuple(one for one in told if one.source) == found.sentences * 2
        assert found.alternatives == (("好。是。",) if target == "zh" else ("好。 是。",))
