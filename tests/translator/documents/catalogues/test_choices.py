"""A message of ICU is translated by its choices in every kind of catalogue that may have some."""

from __future__ import annotations

import json

import pytest

from tests.documents import shouted
from translator.documents.kinds import read_file

XLIFF = (
    '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" '
    'source-language="en"><body><trans-unit id="1"><source>{}</source></trans-unit></body></file>'
    "</xliff>"
)
MESSAGE = "{n, plural, one {# vote} other {# votes}}"
POLISH = "{n, plural, one {# VOTE} few {# VOTES} many {# VOTES} other {# VOTES}}"
FILES = {
    "po": 'msgid ""\nmsgstr "Language: pl\\n"\n\nmsgid "{}"\nmsgstr ""\n',
    "json": '{{"a": "{}"}}',
    "arb": '{{"@@locale": "en", "a": "{}"}}',
    "strings": '"a" = "{}";\n',
    "properties": "a={}\n",
    "xml": '<resources><string name="a">{}</string></resources>',
    "xcstrings": '{{"sourceLanguage": "en", "strings": {{"{}": {{}}}}}}',
    "xlf": XLIFF,
}


@pytest.mark.parametrize("ending", FILES)
def test_branches_are_translated_and_get_the_categories_of_the_language(ending: str) -> None:
    file = FILES[ending].format(MESSAGE) if ending != "xlf" else XLIFF.replace("{}", MESSAGE)
    assert POLISH in shouted(read_file(f"a.{ending}", file.encode(), "pl")).decode()


def test_text_is_written_as_each_file_does() -> None:
    file = r'"a" = "{n, plural, one {a \"vote\"} other {votes}}";'
    found = shouted(read_file("a.strings", file.encode(), "de")).decode()
    assert found == r'"a" = "{n, plural, one {A \"VOTE\"} other {VOTES}}";'
    key = '{n, plural, one {a "vote"} other {votes}}'
    file = json.dumps({"sourceLanguage": "en", "strings": {key: {}}})
    found = shouted(read_file("a.xcstrings", file.encode(), "de")).decode()
    unit = json.loads(found)["strings"][key]["localizations"]["de"]["stringUnit"]
    assert unit["value"] == '{n, plural, one {A "VOTE"} other {VOTES}}'


def test_codes_inside_a_message_of_xliff_come_back() -> None:
    code = '<x id="INTERPOLATION" equiv-text="{{ n }}"/>'
    message = f"{{n, plural, =1 {{one &amp; only}} other {{{code} votes}}}}"
    found = shouted(read_file("a.xlf", XLIFF.replace("{}", message).encode(), "de")).decode()
    said = found[found.index("<target") :]
    assert "=1 {ONE &amp; ONLY}" in said
    assert f"other {{{code} VOTES}}}}</target>" in said


def test_a_message_with_tags_around_words_stays_as_it_is() -> None:
    file = FILES["xml"].format("{n, plural, one {<b>one</b> vote} other {votes}}")
    assert shouted(read_file("a.xml", file.encode(), "de")).decode() == file


def test_names_that_look_like_ours_are_left_alone() -> None:
    message = '{n, plural, one {{code_0} <x id="1"/> vote} other {votes}}'
    found = shouted(read_file("a.xlf", XLIFF.replace("{}", message).encode(), "de")).decode()
    assert "VOTE" not in found
