from __future__ import annotations

import re

from translator import errors


def test_the_tree_at_the_top_names_every_exception() -> None:
    assert errors.__doc__ is not None
    drawn = set(re.findall(r"\b(\w+Error)\b", errors.__doc__)) - {"ValueError"}
    assert drawn == set(errors.__all__)
    for name in errors.__all__:
        assert issubclass(getattr(errors, name), errors.TranslatorError)
