"""A glossary is read from a file, and a wrong line is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from translator.errors import InputError
from translator.text.glossary import Glossary, read_glossary


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "terms.tsv"
    path.write_text("# terms\nTasse Tee\tcup of tea\n\nWeblate\n", encoding="utf-8")
    glossary = read_glossary(path, keep=("x",))
    assert glossary == Glossary(pairs={"Tasse Tee": "cup of tea"}, keep=("x", "Weblate"))
    path.write_text("a\tb\tc\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"terms\.tsv, line 1: must be a term, a tab"):
        read_glossary(path)
