"""Every kind has a reader, and says what it does."""

from __future__ import annotations

import importlib
from collections import Counter

import pytest

from translator.documents.all_kinds import KINDS
from translator.documents.kind import FileKind


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.endings[0])
def test_every_kind_has_a_reader_and_says_what_it_does(kind: FileKind) -> None:
    module, _, function = kind.reader.rpartition(".")
    assert callable(getattr(importlib.import_module(f"translator.documents.{module}"), function))
    assert "/" in kind.media_type
    assert kind.translated
    assert kind.stays
    assert bool(kind.extra) == bool(kind.modules)


def test_no_ending_has_two_kinds() -> None:
    count = Counter(ending for kind in KINDS for ending in kind.endings)
    assert max(count.values()) == 1
