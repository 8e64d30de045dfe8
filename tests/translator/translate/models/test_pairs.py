from __future__ import annotations

import pytest

from translator.errors import UnsupportedLanguageError
from translator.translate.models.pairs import Pairs
from translator.translate.translation import Language

PAIRS = Pairs(("pt-BR", "de"), [("de", "pt-BR")])


def test_each_language_has_its_targets_and_itself() -> None:
    assert PAIRS.languages == (
        Language(code="de", name="German", targets=("de", "pt-BR")),
        Language(code="pt-BR", name="Portuguese (Brazil)", targets=("pt-BR",)),
    )


def test_a_pair_that_there_is_passes() -> None:
    PAIRS.check("de", "pt-BR", "is no pair")
    PAIRS.check("de", "de", "is no pair")
    assert ("de", "pt-BR") in PAIRS
    assert ("pt-BR", "de") not in PAIRS


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("pt-BR", "de", "pt-BR to de is no pair"),
        ("xx", "de", "xx is not supported; known languages: de, pt-BR"),
        ("de", "auto", "auto is not supported"),
    ],
)
def test_other_pairs_are_refused(source: str, target: str, message: str) -> None:
    with pytest.raises(UnsupportedLanguageError, match=message):
        PAIRS.check(source, target, "is no pair")
