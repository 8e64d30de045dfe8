"""Glossaries in a database."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.storage.glossaries import Dictionary, Glossaries

GERMAN = Dictionary(source="DE", target="EN", entries={"Haus": "home", "schön": "nice"})
ENGLISH = Dictionary(source="EN", target="DE", entries={"home": "Haus"})


@pytest.fixture
def store(tmp_path: Path) -> Glossaries:
    return Glossaries(tmp_path / "database", max_glossaries=2)


def test_what_is_kept_comes_back(store: Glossaries) -> None:
    made = store.add("me", "words", [GERMAN, ENGLISH])
    assert made is not None
    assert made.sizes == {("DE", "EN"): 2, ("EN", "DE"): 1}
    assert store.find("me", made.id) == made
    assert store.list("me") == [made]
    assert store.entries("me", made.id, "DE", "EN") == GERMAN.entries
    assert store.entries("me", made.id, "DE", "FR") is None


def test_others_see_and_change_nothing(store: Glossaries) -> None:
    made = store.add("me", "words", [GERMAN])
    assert made is not None
    assert store.list("you") == []
    assert store.find("you", made.id) is None
    assert store.entries("you", made.id, "DE", "EN") is None
    assert not store.rename("you", made.id, "mine")
    assert not store.put("you", made.id, ENGLISH)
    assert not store.remove_dictionary("you", made.id, "DE", "EN")
    assert not store.remove("you", made.id)
    assert store.find("me", made.id) == made


def test_there_is_a_bound_for_all(store: Glossaries) -> None:
    first = store.add("me", "1", [GERMAN])
    assert first is not None
    assert store.add("you", "2", [GERMAN]) is not None
    assert store.add("you", "3", [GERMAN]) is None
    assert store.remove("me", first.id)
    assert store.add("you", "3", [GERMAN]) is not None


def test_changes(store: Glossaries) -> None:
    made = store.add("me", "words", [GERMAN])
    assert made is not None
    assert store.rename("me", made.id, "terms")
    assert store.put("me", made.id, ENGLISH)
    replaced = Dictionary(source="DE", target="EN", entries={"Hut": "hat"})
    assert store.put("me", made.id, replaced)
    found = store.find("me", made.id)
    assert found is not None
    assert (found.name, found.sizes) == ("terms", {("DE", "EN"): 1, ("EN", "DE"): 1})
    assert store.remove_dictionary("me", made.id, "DE", "EN")
    assert not store.remove_dictionary("me", made.id, "DE", "EN")
    assert store.remove("me", made.id)
    assert not store.remove("me", made.id)
    assert store.entries("me", made.id, "EN", "DE") is None
