from __future__ import annotations

import pytest

from service.config import ServiceConfig
from service.schemas.suggest import Suggestion
from translator.errors import InputError

FIELDS = {"q": "Hallo", "s": "Hello", "source": "de", "target": "en"}


def test_a_suggestion_has_four_fields() -> None:
    found = Suggestion.read({**FIELDS, "other": 1}, ServiceConfig())
    assert found == Suggestion(**FIELDS)


@pytest.mark.parametrize("name", sorted(FIELDS))
def test_none_may_be_missing_or_anything_but_a_string(name: str) -> None:
    with pytest.raises(InputError, match=f"^Invalid request: missing {name} parameter$"):
        Suggestion.read({**FIELDS, name: ""}, ServiceConfig())
    with pytest.raises(InputError, match=f"^Invalid request: {name} must be a string, got a num"):
        Suggestion.read({**FIELDS, name: 5}, ServiceConfig())


@pytest.mark.parametrize(("name", "limit"), [("q", 30), ("s", 30), ("source", 20), ("target", 20)])
def test_all_have_a_limit(name: str, limit: int) -> None:
    config = ServiceConfig(char_limit=30)
    Suggestion.read({**FIELDS, name: "x" * limit}, config)
    with pytest.raises(InputError, match=rf"{name} \({limit + 1}\) exceeds text limit \({limit}\)"):
        Suggestion.read({**FIELDS, name: "x" * (limit + 1)}, config)
