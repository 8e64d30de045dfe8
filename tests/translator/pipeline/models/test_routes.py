from __future__ import annotations

import dataclasses

import pytest

from tests.translator.pipeline.models.test_residence import installed
from translator.config import ModelConfig, ModelDescription
from translator.errors import UnsupportedLanguageError
from translator.pipeline.models.routes import Pairs, Routes
from translator.pipeline.translation import Language
from translator.store.installed import InstalledModel


def model(name: str, *directions: str) -> InstalledModel:
    codes = sorted({code for direction in directions for code in direction.split("-")})
    description = ModelDescription(
        model=ModelConfig(vocab_size=9), languages=tuple(codes), directions=directions
    )
    return dataclasses.replace(installed(name), description=description)


BOTH, BACK, FRENCH = model("both", "de-en", "en-de"), model("back", "en-de"), model("fr", "en-fr")


def way(routes: Routes, source: str, target: str) -> list[tuple[str, str, str]]:
    return [(hop.source, hop.target, hop.model.name) for hop in routes.hops(source, target)]


def test_a_direction_goes_to_the_first_model_that_has_it() -> None:
    assert way(Routes([BOTH, BACK]), "en", "de") == [("en", "de", "both")]
    assert way(Routes([BACK, BOTH]), "en", "de") == [("en", "de", "back")]
    assert way(Routes([BACK, BOTH]), "de", "en") == [("de", "en", "both")]


def test_a_pair_that_no_model_has_goes_through_the_pivot() -> None:
    routes = Routes([BOTH, FRENCH], pivot="en")
    assert way(routes, "de", "fr") == [("de", "en", "both"), ("en", "fr", "fr")]
    direct = Routes([BOTH, FRENCH, model("direct", "de-fr")], pivot="en")
    assert way(direct, "de", "fr") == [("de", "fr", "direct")]
    assert way(Routes([model("a", "de-es"), model("b", "es-fr")], pivot="es"), "de", "fr")


def test_a_text_in_the_language_wanted_goes_nowhere() -> None:
    assert way(Routes([BOTH]), "de", "de") == []


def test_languages_are_those_of_all_models_and_targets_include_the_pivot() -> None:
    routes = Routes([FRENCH, BOTH, model("it", "it-en")], pivot="en")
    assert {language.code: language.targets for language in routes.languages} == {
        "de": ("de", "en", "fr"),
        "en": ("de", "en", "fr"),
        "fr": ("fr",),
        "it": ("de", "en", "fr", "it"),
    }
    assert {*routes.directions} == {("en", "fr"), ("de", "en"), ("en", "de"), ("it", "en")}


@pytest.mark.parametrize(
    ("pivot", "message"),
    [
        ("en", "fr to de is not a direction of any model, and no two lead there through en"),
        ("", "fr to de is not a direction of any model$"),
        ("xx", "no two lead there through xx"),
    ],
)
def test_where_no_way_leads(pivot: str, message: str) -> None:
    with pytest.raises(UnsupportedLanguageError, match=message):
        Routes([BOTH, FRENCH], pivot).hops("fr", "de")


def test_a_model_that_is_left_out_leaves_the_way_to_others() -> None:
    routes = Routes([BOTH, BACK, FRENCH], pivot="en").without(BOTH)
    assert way(routes, "en", "de") == [("en", "de", "back")]
    with pytest.raises(UnsupportedLanguageError, match="de to en"):
        routes.hops("de", "en")


def test_codes_may_have_parts() -> None:
    parts = ModelDescription(
        model=ModelConfig(vocab_size=9),
        languages=("pt-BR", "zh-Hans"),
        directions=("pt-BR-zh-Hans",),
    )
    routes = Routes([dataclasses.replace(installed("parts"), description=parts)])
    assert way(routes, "pt-BR", "zh-Hans") == [("pt-BR", "zh-Hans", "parts")]


PAIRS = Pairs(("pt-BR", "de"), [("de", "pt-BR")])


def test_each_language_has_its_targets_and_itself() -> None:
    assert PAIRS.languages == (
        Language(code="de", name="German", targets=("de", "pt-BR")),
        Language(code="pt-BR", name="Portuguese (Brazil)", targets=("pt-BR",)),
    )


def knowing(name: str, *directions: str) -> InstalledModel:
    """Return a model that has learned Sie and du."""
    found = model(name, *directions)
    return dataclasses.replace(
        found, description=dataclasses.replace(found.description, formality=("de",))
    )


@pytest.mark.parametrize(
    ("models", "usual", "asked", "elsewhere"),
    [
        ([knowing("own", "en-de")], "own", "own", ()),
        ([BACK, knowing("own", "de-en", "en-de")], "back", "own", ("de",)),
        ([knowing("own", "en-de"), BACK], "own", "own", ()),
        ([BACK], "back", "back", ()),
    ],
)
def test_a_form_of_address_is_asked_of_a_model_that_knows_it(
    models: list[InstalledModel], usual: str, asked: str, elsewhere: tuple[str, ...]
) -> None:
    routes = Routes([*models, model("fr", "fr-en")], pivot="en")
    for source in ("en", "fr"):
        assert routes.hops(source, "de")[-1].model.name == usual
        assert routes.hops(source, "de", has_form=True)[-1].model.name == asked
        [language] = [one for one in routes.languages if one.code == source]
        assert language.formality == (("de",) if asked == "own" else ())
        assert language.formality_elsewhere == elsewhere
