"""Names of styles and fonts tell code from language."""

from __future__ import annotations

import pytest

from translator.text.files.markup.code import is_for_code


@pytest.mark.parametrize(
    "name",
    [
        *("HTMLCode", "Source_20_Text", "SourceText", "code", "Verbatim Char", "Courier New"),
        *(
            "rststyle-inlineliteral",
            "rststyle-codeblock",
            "Preformatted_20_Text",
            "DejaVu Sans Mono",
        ),
        *("monospace", "Teletype", "SourceCode", "Consolas"),
    ],
)
def test_code_is_known(name: str) -> None:
    assert is_for_code(name)


@pytest.mark.parametrize(
    "name",
    [
        "Normal",
        "Barcode",
        "Monotype Corsiva",
        "Source Sans Pro",
        "Heading",
        "Encoded",
        "Literature",
    ],
)
def test_other_names_are_not_taken_for_code(name: str) -> None:
    assert not is_for_code(name)
