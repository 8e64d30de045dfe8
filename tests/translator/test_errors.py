from __future__ import annotations

import pickle
import re

from translator import errors


def test_the_tree_at_the_top_names_every_exception() -> None:
    assert errors.__doc__ is not None
    drawn = set(re.findall(r"\b(\w+Error)\b", errors.__doc__)) - {"ValueError"}
    raised = [one for one in vars(errors).values() if isinstance(one, type)]
    assert drawn == {one.__name__ for one in raised if issubclass(one, errors.TranslatorError)}


def test_an_input_error_says_what_is_wrong_to_people_and_to_programs() -> None:
    error = errors.InputError("too long", "text_too_long", 9)
    assert (str(error), error.code, error.limit) == ("too long", "text_too_long", 9)
    assert errors.InputError("odd").code == "invalid"
    unknown = errors.UnsupportedLanguageError("xx is not supported")
    assert (unknown.code, unknown.limit) == ("unsupported_language", None)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.code, copy.limit) == ("too long", "text_too_long", 9)
