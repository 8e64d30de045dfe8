"""Empty translations of a catalogue are filled in, and nothing else changes."""

from __future__ import annotations

import io

import pytest
from babel.messages.pofile import read_po as read_by_babel

from tests.documents import shouted, texts, unchanged
from translator.documents.catalogues.gettext import PLURAL_FORMS, read_po
from translator.documents.kinds import FileOptions
from translator.errors import InputError

HEADER = r"""# Head comment
msgid ""
msgstr ""
"Project-Id-Version: x\n"
"Language: de\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

"""
BODY = r"""#. for translators
#: a.c:1
#, c-format
msgctxt "menu"
msgid "_Open %s \"now\"\n"
msgstr ""

#, fuzzy
#| msgid "old"
msgid "new"
msgstr "alt"

msgid ""
"First line\n"
"goes\ton"
msgstr ""

msgid "one file"
msgid_plural "%d files"
msgstr[0] ""
msgstr[1] ""

#~ msgid "gone"
#~ msgstr "weg"
"""


def test_messages_of_icu_have_a_sentence_in_each_branch() -> None:
    body = 'msgid ""\n"{n, plural, one {# \\"file\\"} "\n"other {# files}} of {x}\\n"\nmsgstr ""\n'
    document = read_po("de.po", (HEADER + body).encode(), "de")
    assert texts(document)[0] == '1 "file" of {x}'
    written = '"{n, plural, one {# \\"FILE\\" OF {x}} other {# FILES OF {x}}}\\n"'
    done = shouted(document).decode()
    assert done == HEADER + body.replace('msgstr ""', f"msgstr {written}")
    [message] = [one for one in read_by_babel(io.StringIO(done)) if one.id]
    assert message.string == '{n, plural, one {# "FILE" OF {x}} other {# FILES OF {x}}}\n'


def test_empty_strings_are_filled_and_all_else_stays() -> None:
    document = read_po("de.po", (HEADER + BODY).encode(), "de")
    assert texts(document) == [*('Open %s "now"\n', "First line\ngoes\ton", "one file", "%d files")]
    expected = BODY.replace('now\\"\\n"\nmsgstr ""', 'now\\"\\n"\nmsgstr "_OPEN %s \\"NOW\\"\\n"')
    expected = expected.replace('on"\nmsgstr ""', 'on"\nmsgstr ""\n"FIRST LINE\\n"\n"GOES\\tON"')
    expected = expected.replace('msgstr[0] ""', 'msgstr[0] "ONE FILE"')
    expected = expected.replace('msgstr[1] ""', 'msgstr[1] "%d FILES"')
    assert shouted(document).decode() == HEADER + expected


def test_another_reader_finds_the_same_messages() -> None:
    data = shouted(read_po("de.po", (HEADER + BODY).encode(), "de"))
    catalogue = read_by_babel(io.BytesIO(data))
    menu, plural = catalogue.get('_Open %s "now"\n', "menu"), catalogue.get("one file")
    new = catalogue.get("new")
    assert menu
    assert plural
    assert new
    assert menu.string == '_OPEN %s "NOW"\n'
    assert plural.string == ("ONE FILE", "%d FILES")
    assert new.fuzzy
    assert "gone" in catalogue.obsolete


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_finished_catalogue_comes_back_byte_for_byte(newline: str) -> None:
    done = BODY.replace('msgstr ""', 'msgstr "x"').replace('] ""', '] "x"')
    data = ("\ufeff" + (HEADER + done).replace("\n", newline)).encode()
    document = read_po("de.po", data, "de")
    assert texts(document) == []
    assert unchanged(document) == data


def test_lines_end_as_in_the_file() -> None:
    data = b'msgid "a"\r\nmsgstr ""\r\n\r\nmsgid "b"\r\nmsgstr ""'
    translated = b'msgid "a"\r\nmsgstr "A"\r\n\r\nmsgid "b"\r\nmsgstr "B"'
    assert shouted(read_po("a.po", data)) == translated


def test_long_strings_are_wrapped_if_the_original_is() -> None:
    words = "word " * 30
    data = f'msgid ""\n"{words}"\nmsgstr ""\n\nmsgid "{words}x"\nmsgstr ""\n'
    lines = shouted(read_po("a.po", data.encode())).decode().split("\n")
    assert lines[2:5] == ['msgstr ""', f'"{("WORD " * 15)}"', f'"{("WORD " * 15)}"']
    assert lines[-2] == f'msgstr "{words.upper()}X"'


def test_the_header_of_a_template_gets_language_encoding_and_plurals() -> None:
    head = HEADER.replace("de\\n", "\\n").replace("UTF-8", "CHARSET")
    head = head.replace("nplurals=2; plural=(n != 1);", "nplurals=INTEGER; plural=EXPRESSION;")
    body = 'msgid "a day"\nmsgid_plural "%d days"\nmsgstr[0] ""\nmsgstr[1] ""\n'
    written = shouted(read_po("a.pot", (head + body).encode(), "cs")).decode()
    assert '"Language: cs\\n"' in written
    assert "charset=UTF-8" in written
    assert f"nplurals=3; plural={PLURAL_FORMS['cs'][1]};\\n" in written
    assert 'msgstr[0] "A DAY"\nmsgstr[1] "%d DAYS"\nmsgstr[2] "%d DAYS"\n' in written


def test_a_header_without_a_language_gets_one() -> None:
    written = shouted(read_po("a.po", b'msgid ""\nmsgstr ""\n"X: y\\n"\n', "de-AT")).decode()
    assert written == 'msgid ""\nmsgstr ""\n"X: y\\n"\n"Language: de\\n"\n'


def test_a_language_without_plural_forms_takes_the_plural() -> None:
    head = HEADER.replace("nplurals=2; plural=(n != 1)", "nplurals=1; plural=0")
    body = 'msgid "a day"\nmsgid_plural "%d days"\nmsgstr[0] ""\n'
    document = read_po("ja.po", (head + body).encode())
    assert texts(document) == ["%d days"]


@pytest.mark.parametrize("many", ["300", "9" * 5000])
def test_a_number_of_plurals_that_no_language_has_is_not_believed(many: str) -> None:
    head = HEADER.replace("nplurals=2", f"nplurals={many}")
    body = 'msgid "a day"\nmsgid_plural "%d days"\nmsgstr[0] ""\nmsgstr[1] ""\n'
    written = shouted(read_po("a.po", (head + body).encode())).decode()
    assert written.endswith('msgstr[0] "A DAY"\nmsgstr[1] "%d DAYS"\n')


def test_plural_forms_that_are_there_are_kept() -> None:
    body = 'msgid "a day"\nmsgid_plural "%d days"\nmsgstr[0] "ein Tag"\nmsgstr[1] ""\n'
    document = read_po("de.po", (HEADER + body).encode(), "de")
    assert shouted(document).decode().endswith('msgstr[0] "ein Tag"\nmsgstr[1] "%d DAYS"\n')


def test_the_encoding_changes_if_it_lacks_a_character() -> None:
    data = (HEADER.replace("UTF-8", "ISO-8859-1") + 'msgid "é"\nmsgstr ""\n').encode("latin-1")
    document = read_po("a.po", data)
    assert "É".encode("latin-1") in shouted(document)
    written = document.rebuild(["ř"])
    assert b"charset=UTF-8" in written
    assert "ř".encode() in written


@pytest.mark.parametrize(
    ("target", "locale"), [("zh-Hant", "zh_Hant"), ("zh-TW", "zh_TW"), ("pt-BR", "pt")]
)
def test_a_script_is_named_and_a_region_only_where_it_tells_the_script(
    target: str, locale: str
) -> None:
    written = shouted(read_po("a.po", b'msgid ""\nmsgstr ""\n"X: y\\n"\n', target)).decode()
    assert f'"Language: {locale}\\n"' in written


@pytest.mark.parametrize("said", ["zh_TW", "zh_Hant", "zh_Hant_TW"])
def test_a_header_in_traditional_chinese_stays(said: str) -> None:
    head = f'msgid ""\nmsgstr ""\n"Language: {said}\\n"\n\nmsgid "a"\nmsgstr ""\n'
    assert shouted(read_po("a.po", head.encode(), "zh-Hant")).decode() == head[:-3] + '"A"\n'


@pytest.mark.parametrize("between", ['"\n"', ""])
def test_the_language_of_the_source_is_not_taken_for_that_of_the_catalogue(between: str) -> None:
    head = f'msgid ""\nmsgstr ""\n"X-Source-Language: en\\n{between}Language: de\\n"\n\n'
    body = 'msgid "a"\nmsgstr "b"\n'
    assert b'msgstr "b"' in shouted(read_po("a.po", (head + body).encode(), "de"))
    written = shouted(read_po("a.po", (head + 'msgid "a"\nmsgstr ""\n').encode(), "fr")).decode()
    assert "X-Source-Language: en\\n" in written
    assert "Language: fr\\n" in written


def test_a_header_without_plurals_gets_them_where_there_are_some() -> None:
    head = 'msgid ""\nmsgstr ""\n"Language: cs\\n"\n\n'
    body = 'msgid "a day"\nmsgid_plural "%d days"\nmsgstr[0] ""\nmsgstr[1] ""\n'
    written = shouted(read_po("a.po", (head + body).encode(), "cs")).decode()
    assert written.count(f'"Plural-Forms: nplurals=3; plural={PLURAL_FORMS["cs"][1]};\\n"\n') == 1
    assert "msgstr[2]" in written
    none = shouted(read_po("a.po", (head + 'msgid "a"\nmsgstr ""\n').encode(), "cs")).decode()
    assert "Plural-Forms" not in none


def test_translations_into_another_language_are_not_mixed() -> None:
    with pytest.raises(InputError, match=r"a\.po: has translations into de, so it cannot"):
        read_po("a.po", (HEADER + BODY).encode(), "fr")
    asked = FileOptions(replace_translations=True)
    begun = HEADER + 'msgid "a"\nmsgstr "x"\n\nmsgid "b"\nmsgid_plural "c"\nmsgstr[0] "y"\n'
    written = shouted(read_po("a.po", begun.encode(), "fr", asked)).decode()
    assert written.endswith(
        'msgid "a"\nmsgstr "A"\n\nmsgid "b"\nmsgid_plural "c"\nmsgstr[0] "B"\nmsgstr[1] "C"\n'
    )
    assert '"Language: fr\\n"' in written
    assert 'msgstr "x"' in shouted(read_po("a.po", begun.encode(), "de", asked)).decode()
    empty = HEADER.replace("Language: de", "Language: en") + 'msgid "a"\nmsgstr ""\n'
    assert b"Language: fr" in shouted(read_po("a.po", empty.encode(), "fr"))


def test_a_string_may_stand_below_its_keyword() -> None:
    catalogue = b"""msgid "%d file"
msgid_plural "%d files"
msgstr[0]
""
msgstr[1]
""

msgid
"The house is big."
msgstr
""

msgid "Done"
msgstr
"Fertig"
"""
    document = read_po("a.po", catalogue)
    assert texts(document) == ["%d file", "%d files", "The house is big."]
    assert (
        shouted(document)
        == b"""msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d FILE"
msgstr[1] "%d FILES"

msgid
"The house is big."
msgstr "THE HOUSE IS BIG."

msgid "Done"
msgstr
"Fertig"
"""
    )
