"""The tables of elements fit each other."""

from __future__ import annotations

from translator.text.formats.html import rules


def test_names_are_in_small_letters_and_in_the_right_tables() -> None:
    tables = (rules.BLOCKS, rules.VOID, rules.UNTRANSLATED, rules.UNREAD, rules.RAW_TEXT)
    assert all(name == name.lower() for table in tables for name in table)
    assert rules.RAW_TEXT <= rules.UNTRANSLATED
    assert not rules.RAW_TEXT & rules.VOID
    assert {"b", "a", "code", "br", "img", "ruby", "abbr"}.isdisjoint(rules.BLOCKS)


def test_what_ends_without_an_end_tag() -> None:
    assert "p" in rules.ENDED_BY["div"]
    assert "li" in rules.ENDED_BY["li"]
    assert "td" in rules.ENDED_BY["tr"]
    assert "b" not in rules.ENDED_BY


def test_wishes_move_tags_from_one_table_to_another() -> None:
    wishes = rules.TagWishes(
        ignored=frozenset({"EM"}), splitting=frozenset({"b"}), joining=frozenset({"p"})
    )
    changed = rules.HTML.with_wishes(wishes)
    assert "em" in changed.untranslated
    assert ("b" in changed.blocks, "p" in changed.blocks) == (True, False)
    assert changed.raw_text == rules.HTML.raw_text
