"""Terms of the user's own, from a file and from the command line."""

from __future__ import annotations

import argparse
from pathlib import Path

from translator.cli.terms import add_terms, glossary_of


def test_terms_of_a_file_and_of_the_command_line_are_one_glossary(tmp_path: Path) -> None:
    parser, path = argparse.ArgumentParser(), tmp_path / "terms"
    add_terms(parser)
    path.write_text("Hund\tDog\n", encoding="utf-8")
    kept = glossary_of(parser.parse_args(["--keep", "Foo", "--keep", "Bar"]))
    assert (dict(kept.pairs), tuple(kept.keep)) == ({}, ("Foo", "Bar"))
    both = glossary_of(parser.parse_args(["--keep", "Foo", "--glossary", str(path)]))
    assert dict(both.pairs)["Hund"] == "Dog"
    assert "Foo" in both.keep
