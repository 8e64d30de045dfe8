"""Texts in two languages: each sentence from its own, and what is in the one wanted stays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fake_models import FakeModel
from translator.detection.detector import Detector
from translator.detection.sources import SourceFinder
from translator.pipeline.face import AnyTranslator
from translator.pipeline.options import SearchOptions, TextOptions
from translator.pipeline.texts import stream_texts, translate_texts
from translator.pipeline.translation import Language, SentenceTranslation
from translator.text.glossary import Glossary
from translator.text.marked import MarkedText
from translator.text.segmentation import split

SENTENCES = {
    "de": [
        "Wir treffen uns heute um neun im großen Saal.",
        "Der Zug ist gestern nicht gekommen!",
        "Kannst du mir bitte das Salz geben?",
        "Niemand wusste, wo die Kinder waren.",
        "Viele Grüße aus dem verregneten Hamburg",
        "Das Angebot gilt nur bis Ende März.",
    ],
    "en": [
        "Good morning, everyone.",
        "The train did not arrive yesterday!",
        "Could you pass me the salt, please?",
        "Nobody knew where the children were.",
        "Kind regards from a rainy seaside town",
        "This offer is valid until the end of March.",
    ],
}
FINDER = SourceFinder(Detector(["de", "en"]), ["de", "en"])
SEPARATORS = ["\n", "\n\n", "\r\n\r\n\t", "  "]


class Marking(FakeModel):
    """Translates a sentence by naming the pair: `[de-en Der Hund.]`."""

    languages = (
        Language(code="de", name="German", targets=("de", "en")),
        Language(code="en", name="English", targets=("de", "en"), formality=("de",)),
    )

    def sentences_of(
        self, text: MarkedText, options: SearchOptions
    ) -> Iterator[SentenceTranslation]:
        segments = split(text.text, options.source, True, text.spans)
        *separators, last = segments.separators
        for separator, sentence in zip(separators, segments.sentences, strict=True):
            pair = f"{options.source}-{options.target}"
            done = f"[{pair} {options.formality or ''}{sentence}]"
            yield SentenceTranslation(separator=separator, source=sentence, text=done)
        others = ("another",) if options.num_alternatives else ()
        yield SentenceTranslation(separator=last, source="", text="", alternatives=others)


TRANSLATOR = cast(AnyTranslator, Marking())


def options(source: str, target: str, **others: Any) -> TextOptions:
    return TextOptions(source=source, target=target, finder=FINDER, marks="placeholders", **others)


drawn = st.lists(
    st.tuples(
        st.sampled_from([(code, one) for code, every in SENTENCES.items() for one in every]),
        st.sampled_from(SEPARATORS),
    ),
    min_size=1,
    max_size=8,
)


@given(drawn, st.sampled_from(["de", "en"]), st.sampled_from(["de", "en"]))
@settings(derandomize=True, database=None)
def test_each_sentence_is_translated_from_its_own_language(
    text: list[tuple[tuple[str, str], str]], main: str, target: str
) -> None:
    sent = "".join(sentence + after for (_, sentence), after in text)
    expected = "".join(
        (sentence if code == target else f"[{code}-{target} {sentence}]") + after
        for (code, sentence), after in text
    )
    wanted = options(main, target)
    [found] = translate_texts(TRANSLATOR, [sent], wanted)
    assert found.text == expected
    told = [sentence for _, sentence in stream_texts(TRANSLATOR, [sent], wanted)]
    assert "".join(one.separator + one.text for one in told) == expected
    assert tuple(one for one in told if one.source) == found.sentences


def test_sentences_of_one_line_too() -> None:
    text = "Good morning, everyone. Wir treffen uns heute um neun im großen Saal."
    for target, expected in (
        ("de", "[en-de Good morning, everyone.] Wir treffen uns heute um neun im großen Saal."),
        ("en", "Good morning, everyone. [de-en Wir treffen uns heute um neun im großen Saal.]"),
    ):
        [found] = translate_texts(TRANSLATOR, [text], options("de", target))
        assert found.text == expected
        assert found.alternatives == ()


def test_a_quotation_behind_a_colon_is_a_sentence_by_itself() -> None:
    text = 'Er schrieb: "We cannot accept the delivery before Monday." Danke und viele Grüße!'
    [found] = translate_texts(TRANSLATOR, [text], options("de", "en"))
    assert found.text == (
        '[de-en Er schrieb:] "We cannot accept the delivery before Monday." '
        "[de-en Danke und viele Grüße!]"
    )
    text = 'Wir haben heute `{"text": "We cannot accept it"}` bekommen.'
    [found] = translate_texts(TRANSLATOR, [text], options("de", "en"))
    assert found.text == f"[de-en {text}]"


def test_a_form_of_address_is_asked_for_where_there_is_a_choice() -> None:
    text = f"{SENTENCES['de'][0]}\n{SENTENCES['en'][0]}"
    wanted = options("en", "de", formality="formal")
    [found] = translate_texts(TRANSLATOR, [text], wanted)
    assert found.text.endswith("[en-de formalGood morning, everyone.]")
    wanted = options("en", "fr", formality="formal")
    [found] = translate_texts(TRANSLATOR, [text], wanted)
    assert "[de-fr Wir" in found.text


def test_beside_a_mixed_text_others_keep_their_alternatives() -> None:
    texts = [SENTENCES["de"][0], f"{SENTENCES['de'][0]}\n{SENTENCES['en'][0]}"]
    found = translate_texts(TRANSLATOR, texts, options("de", "en", num_alternatives=1))
    assert [one.alternatives for one in found] == [("another",), ()]


def test_units_of_a_document_are_looked_at_one_by_one() -> None:
    page = "<p>Good morning, everyone.</p><p>Der Zug ist <b>gestern</b> nicht gekommen!</p>"
    [found] = translate_texts(TRANSLATOR, [page], options("de", "en", text_format="html"))
    assert found.text == (
        "<p>Good morning, everyone.</p><p>[De-en Der Zug ist <b>gestern</b> nicht gekommen!]</p>"
    )


@pytest.mark.parametrize(
    ("page", "is_cut"),
    [
        ("<p>Nobody <i>knew</i> where they were. Der Zug ist <b>gestern</b> gekommen.</p>", True),
        ("<p><b>Nobody knew where they were. Der Zug ist gestern gekommen.</b></p>", False),
    ],
)
def test_a_paragraph_is_cut_where_no_tag_is_open(page: str, is_cut: bool) -> None:
    [found] = translate_texts(TRANSLATOR, [page], options("de", "en", text_format="html"))
    assert re.findall("<[^>]+>", found.text) == re.findall("<[^>]+>", page)
    assert found.text.startswith("<p>Nobody <i>knew") == is_cut


def test_terms_of_all_parts_are_told() -> None:
    glossary = Glossary(pairs={"Zug": "locomotive", "nobody": "noone"}, keep=("Saal",))
    texts = ["Der Zug ist gestern gekommen.\nNobody knew where they were.\nWir sind im Saal."]
    wanted = options("de", "en", glossary=glossary)
    [found] = translate_texts(TRANSLATOR, texts, wanted)
    assert found.terms == ("Saal", "Zug")
    told = [sentence for _, sentence in stream_texts(TRANSLATOR, texts, wanted)]
    assert {term for sentence in told for term in sentence.terms} == {"Saal", "Zug"}
