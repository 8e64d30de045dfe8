"""Names of languages, and which way they are written."""

from __future__ import annotations

import pytest

from translator.language_names import english_name, is_right_to_left, language_name


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("de", "German"),
        ("en", "English"),
        ("cs", "Czech"),
        ("nb", "Norwegian Bokmål"),
        ("pt-BR", "Portuguese (Brazil)"),
        ("zh-Hans", "Chinese (Simplified)"),
        ("sr-Latn-RS", "Serbian (Latin, Serbia)"),
    ],
)
def test_names(code: str, name: str) -> None:
    assert english_name(code) == name


@pytest.mark.parametrize("code", ["xx", "toy language", "", "-", "12"])
def test_what_is_no_language_is_named_by_its_code(code: str) -> None:
    assert english_name(code) == code


def test_names_in_another_language() -> None:
    assert language_name("en", "de") == "Englisch"
    assert language_name("pt-BR", "de") == "Portugiesisch (Brasilien)"
    assert language_name("xx", "de") == "xx"


@pytest.mark.parametrize(
    ("code", "is_so"),
    [("ar", True), ("he", True), ("fa-AF", True), ("de", False), ("xx", False), ("-", False)],
)
def test_which_way_a_language_is_written(code: str, is_so: bool) -> None:
    assert is_right_to_left(code) is is_so


ISO_639_1 = """
aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv
dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie
ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv
mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm
rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts
tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
OF_MODELS = """
ace acm acq aeb ajp apc arb ars ary arz ast awa ayr azb azj ban bem bho bjn bug ceb cjk ckb crh dik
dyu fon fur fuv gaz hne hsb ilo kab kac kam kbp kea khk kmb kmr knc lij lmo ltg lua luo lus mag mai
min mni mos nus ory pag pap pbt pes plt prs quy sat scn shn szl taq tpi tum twi tzm umb vec war ydd
yue zsm
"""
"""Codes of M2M100, NLLB and OPUS-MT that have no shorter one, or are not written so."""


def test_every_code_that_models_have_is_named() -> None:
    codes = [*ISO_639_1.split(), *OF_MODELS.split()]
    assert [code for code in codes if english_name(code) == code] == []


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("deu", "German"),
        ("deu_Latn", "German (Latin)"),
        ("azb", "South Azerbaijani"),
        ("pt_BR", "Portuguese (Brazil)"),
    ],
)
def test_codes_of_other_kinds(code: str, name: str) -> None:
    assert english_name(code) == name


def test_which_languages_are_written_leftward() -> None:
    codes = [
        "ar",
        "fa",
        "he",
        "ur",
        "ckb",
        "ug",
        "yi",
        "arb",
        "azb",
        "apc",
        "ks",
        "dv",
        "sd",
        "ps",
        "ace-Arab",
    ]
    assert [code for code in codes if not is_right_to_left(code)] == []
    assert not any(map(is_right_to_left, ("de", "zh", "az", "ks-Deva", "hi", "xx", "", "?")))
