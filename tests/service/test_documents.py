from __future__ import annotations

from typing import cast

import pytest

from service.documents import FORMATS, sample_of, translate_file
from tests.service.conftest import FakeTranslator
from translator.errors import InputError
from translator.translate.translator import Translator

TEXT = "\ufeffGuten Tag.\r\n\r\n\tUnd: 5 > 3\n"


def test_a_text_comes_back_with_all_that_is_no_sentence() -> None:
    translated = translate_file(
        cast(Translator, FakeTranslator()),
        "a.txt",
        TEXT.encode(),
        source="de",
        target="en",
        timeout_s=None,
        while_waiting=lambda: None,
    )
    assert translated.decode() == TEXT.upper()
    assert "txt" in FORMATS


def test_a_sample_is_text() -> None:
    assert sample_of("a.txt", b"Hallo") == "Hallo"
    with pytest.raises(InputError, match=r"a\.txt is not UTF-8 \(.* at byte 1\); save it as UTF-8"):
        sample_of("a.txt", b"a\xff")
