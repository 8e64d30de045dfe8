"""A message of ICU is translated by its choices in every kind of catalogue that may have some."""

from __future__ import annotations

import json

import pytest

from tests.documents import shouted
from translator.documents.kinds import KINDS

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
WITH_CHOICES = [kind for kind in KINDS if kind.has_choices]


def test_every_such_kind_is_tested() -> None:
    assert all(any(ending in FILES for ending in kind.endings) for kind in WITH_CHOICES)
    assert len(WITH_CHOICES) == len(FILES)


@pytest.mark.parametrize("ending", FILES)
def test_branches_are_translated_and_get_the_categories_of_the_language(ending: str) -> None:
    [kind] = [kind for kind in KINDS if ending in kind.endings]
    file = FILES[ending].format(MESSAGE) if ending != "xlf" else XLIFF.replace("{}", MESSAGE)
    assert POLISH in shouted(kind.read(f"a.{ending}", file.encode(), "pl")).decode()


def test_text_is_written_as_each_file_does() -> None:
    [apple] = [kind for kind in KINDS if "strings" in kind.endings]
    file = r'"a" = "{n, plural, one {a \"vote\"} other {votes}}";'
    found = shouted(apple.read("a.strings", file.encode(), "de")).decode()
    assert found == r'"a" = "{n, plural, one {A \"VOTE\"} other {VOTES}}";'
    [xcode] = [kind for kind in KINDS if "xcstrings" in kind.endings]
    key = '{n, plural, one {a "vote"} other {votes}}'
    file = json.dumps({"sourceLanguage": "en", "strings": {key: {}}})
    found = shouted(xcode.read("a.xcstrings", file.encode(), "de")).decode()
    unit = json.loads(found)["strings"][key]["localizations"]["de"]["stringUnit"]
    assert unit["value"] == '{n, plural, one {A "VOTE"} other {VOTES}}'


def test_codes_inside_a_message_of_xliff_come_back() -> None:
    [kind] = [kind for kind in KINDS if "xlf" in kind.endings]
    code = '<x id="INTERPOLATION" equiv-text="{{ n }}"/>'
    message = f"{{n, plural, =1 {{one &amp; only}} other {{{code} votes}}}}"
    found = shouted(kind.read("a.xlf", XLIFF.replace("{}", message).encode(), "de")).decode()
    said = found[found.index("<target") :]
    assert "=1 {ONE &amp; ONLY}" in said
    assert f"other {{{code} VOTES}}}}</target>" in said


def test_a_message_with_tags_around_words_stays_as_it_is() -> None:
    [kind] = [kind for kind in KINDS if "xml" in kind.endings]
    file = FILES["xml"].format("{n, plural, one {<b>one</b> vote} other {votes}}")
    assert shouted(kind.read("a.xml", file.encode(), "de")).decode() == file


def test_names_that_look_like_ours_are_left_alone() -> None:
    [kind] = [kind for kind in KINDS if "xlf" in kind.endings]
    message = '{n, plural, one {{code_0} <x id="1"/> vote} other {votes}}'
    found = shouted(kind.read("a.xlf", XLIFF.replace("{}", message).encode(), "de")).decode()
    assert "VOTE" not in found
