"""Texts of a request, as the library translates them."""

from __future__ import annotations

from typing import Any, cast

import pytest

from service.config import ServiceConfig
from service.schemas.translate.request import TranslateRequest
from service.translation.texts import options_of
from tests.engines import CopyEngine
from tests.service.conftest import LANGUAGES, FakeTranslator
from translator.engine.port import Engine
from translator.errors import InputError
from translator.patience import Patience
from translator.store.model_directory import LoadedModel
from translator.translate.options import TextOptions
from translator.translate.texts import stream_texts, translate_texts
from translator.translate.translator import Translator


def request_of(**fields: Any) -> TranslateRequest:
    fields = {"q": ["a"], "source": "de", "target": "en", **fields}
    return TranslateRequest.read(fields, LANGUAGES, ServiceConfig())


def options(**fields: Any) -> TextOptions:
    return options_of(request_of(**fields), "de")


def translated(*texts: str, **fields: Any) -> list[str]:
    fake = FakeTranslator()
    return [found.text for found in translate_texts(fake, texts, options(**fields))]


def test_what_a_request_wants_reaches_the_translator() -> None:
    fake = FakeTranslator()
    patience = Patience.within(3)
    [found] = translate_texts(fake, ["a"], options(alternatives=1), patience)
    assert (found.text, found.alternatives) == ("A", ("A 0",))
    assert fake.calls == [(("a",), "de", "en", 1)]
    assert fake.timeout_s == pytest.approx(3, abs=1)


def test_markup_stays_as_it_is() -> None:
    assert translated("<p id=x>a &lt; b</p>", format="html") == ["<p id=x>A &lt; B</p>"]
    assert translated("# a\n\n- b\n", format="markdown") == ["# A\n\n- B\n"]


@pytest.fixture
def copying(loaded: LoadedModel) -> Translator:
    """Return a translator that copies, with a model that says where a term belongs."""
    return Translator(loaded, cast(Engine, CopyEngine()))


def test_terms_of_a_glossary(copying: Translator) -> None:
    fields: dict[str, Any] = {"glossary": {"Haus": "home"}, "do_not_translate": ["Acme"]}
    [found] = translate_texts(copying, ["das Haus von Acme"], options(**fields))
    assert {"home", "Acme"} <= {*found.text.split()}
    assert found.terms == ("Acme", "Haus")
    with pytest.raises(InputError, match="glossary: 'a  b' must not be empty"):
        translate_texts(copying, ["a"], options(do_not_translate=["a  b"]))


def test_inline_tags_come_back(copying: Translator) -> None:
    [found] = translate_texts(copying, ["<p>ein <b>Haus</b> &amp; Hof</p>"], options(format="html"))
    assert found.text.startswith("<p>")
    assert [found.text.count(tag) for tag in ("<b>", "</b>", "</p>")] == [1, 1, 1]


def test_closing_a_stream_closes_the_translators() -> None:
    fake = FakeTranslator()
    stream = stream_texts(fake, ["a\nb", "c"], options())
    number, sentence = next(stream)
    assert (number, sentence.text, fake.num_open_streams) == (0, "A", 1)
    stream.close()
    assert fake.num_open_streams == 0


def test_a_text_with_markup_is_streamed_by_paragraphs() -> None:
    fake = FakeTranslator()
    told = list(stream_texts(fake, ["<p>a</p>\n<p>b", ""], options(format="html")))
    assert [(number, one.separator, one.source, one.text) for number, one in told] == [
        (0, "<p>", "a", "A"),
        (0, "</p>\n<p>", "b", "B"),
        (0, "", "", ""),
        (1, "", "", ""),
    ]
