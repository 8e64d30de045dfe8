"""What is kept from a model, what is written otherwise for it, and what passes it by."""

from __future__ import annotations

import re
import unicodedata

import pytest

from translator.pipeline.translator import PRETRAINED
from translator.text.characters import (
    EMOJI,
    MAX_PLACEHOLDERS,
    PLACEHOLDER,
    SYMBOLS,
    SYMBOLS_HINT,
    Alphabet,
    doubtful_names,
    has_letters,
    has_spaces,
    is_readable,
    placeholders_in,
    plain,
    primary_language,
    script_of,
    symbols,
    take_out_emoji,
    trim,
    unread_spans,
)
from translator.tokens.tokenizer import Tokenizer

ALL = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Das ist ein Haus.", "Das ist ein Haus."),
        ("„Äpfel“ – 5 €, ‚so‘ … it’s «x»", "„Äpfel“ – 5 €, ‚so‘ … it’s «x»"),
        ("5\u00a0kg", "5 kg"),
        ("10\u202f000\u2009km\u3000weit", "10 000 km weit"),
        ("Ver\u00adwal\u200btung", "Verwaltung"),
        ("\u200eDas\u2066 ist\u2069\u200f", "Das ist"),
        ("a\u2060b\ufeffc\u200d\u200cd\ufe0f", "abcd"),
        ("Das\x00 ist\x07 ein\x7f Haus\x81", "Das ist ein Haus"),
        ("ein \x1b[1;31mgroßes\x1b[0m Haus\x1b[K", "ein großes Haus"),
        ("Don\u0092t say \u0093no\u0094 \u0096 yes", "Don’t say “no” – yes"),
        ("E\u2011Mail, E\u2010Mail, 5\u20127 \u2015 so", "E-Mail, E-Mail, 5–7 — so"),
        ("Don´t, donʼt, don‛t ‟so”", "Don't, don’t, don't “so”"),
        ("die ﬁnanzielle ﬂache Oﬃce", "die finanzielle flache Office"),
        ("Ｄａｓ　ｉｓｔ ＂１＂！", 'Das ist "1"!'),
        ("50 ㎏ und 𝐏𝐫𝐞𝐢𝐬", "50 kg und Preis"),
    ],
)
def test_what_a_model_reads(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize("model", ["de-en", "multi30k-de-en", "multi30k-en-de"])
def test_nothing_that_a_shipped_model_knows_is_dropped_but_what_cannot_be_seen(model: str) -> None:
    tokenizer = Tokenizer.load(PRETRAINED / model / "tokenizer.model")
    known = {character for piece in tokenizer.all_pieces for character in piece}
    assert {character for character in known if not plain(character)} <= set(
        "\u200b\u200c\u200d\u202d\u2060️"
    )


def test_every_kind_of_space_is_read_as_one_and_nothing_invisible_is_left() -> None:
    spaces = [one for one in ALL if unicodedata.category(one) == "Zs"]
    assert {plain(space) for space in spaces} == {" "}
    unseen = [one for one in ALL if unicodedata.category(one) == "Cc" and one not in "\t\n\v\f\r"]
    left = {plain(one) for one in unseen} - {""}
    assert not {one for one in left if unicodedata.category(one) == "Cc"} - set("\x1c\x1d\x1e\x1f")


@pytest.mark.parametrize(
    "symbol",
    [
        *("1️⃣", "#️⃣", "*⃣", "⏰", "⌚️", "▶️", "⬆️", "↔️", "©️", "™️", "ℹ️", "㊗️", "⬛", "❤️‍🔥"),
        *("🙂‍↔️", "🐦‍⬛", "👍🏽"),
        *("→", "⌘", "⏎", "■", "★★★", "✓", "❶", "①", "№", "²", "½", "£", "¥", "µ", "•", "·", "″"),
        *("≥", "±", "÷", "‰", "₂", "Ⅷ", "§", "‹", "Ω", "μ"),
    ],
)
def test_symbols_are_seen_as_a_whole(symbol: str) -> None:
    [found] = re.finditer(SYMBOLS, f"Wort {symbol} Wort")
    assert found[0] == symbol
    assert re.search(SYMBOLS_HINT, symbol)


@pytest.mark.parametrize(
    "text", ["Straße, naïve 1º ´x´", "„“”‚‘’«»–—…", "λόγος", "η ο", "5 € 3", "a*b #1", "日本"]
)
def test_language_is_no_symbol(text: str) -> None:
    assert not re.search(SYMBOLS, text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("\x1b[31m", "\x1b[0m"),
        ("\x1b[1m\x1b[38;5;12m ", " \x1b[K\x1b[0m"),
        ("\x00\u200e\u2067", "\u2069\x7f\u200f"),
        ("1️⃣ ", " 2️⃣"),
        ("⏰ ▶️ ⌚️", "⬆️ ↔️ ©️™️ ℹ️"),
        ("→ ■ ", " ←▲"),
        ("🙂‍↔️ ", " ❤️‍🔥👍🏽🇩🇪"),
        ("", ""),
    ],
)
def test_what_is_at_the_edges_is_trimmed(before: str, after: str) -> None:
    text = f"x{before}Das [31m] 50 m²{after}x"
    assert trim(text, 1, len(text) - 1) == (1 + len(before), len(text) - 1 - len(after))
    empty = before + after
    assert len({*trim(empty, 0, len(empty))}) == 1


@pytest.mark.parametrize(
    ("sentence", "without", "emoji"),
    [
        ("Ein Hund rennt.", "Ein Hund rennt.", ""),
        ("Ein Hund 🐶 rennt.", "Ein Hund rennt.", "🐶"),
        ("Hallo👋🏽, Welt 👩‍👩‍👧 und 🇩🇪!", "Hallo, Welt und !", "👋🏽 👩‍👩‍👧 🇩🇪"),
        ("20 °C, © 2020™", "20 °C, © 2020™", ""),
        ("super👍Danke 🐶.", "super Danke .", "👍 🐶"),
        ("Taste ❶, dann ➜ Ende", "Taste ❶, dann ➜ Ende", ""),
        ("Um ⏰ acht ▶️ oder 1️⃣ los", "Um acht oder los", "⏰ ▶️ 1️⃣"),
        ("Ein → Pfeil, 10 und #5", "Ein → Pfeil, 10 und #5", ""),
    ],
)
def test_emoji_can_be_taken_out(sentence: str, without: str, emoji: str) -> None:
    assert take_out_emoji(sentence) == (without, emoji)
    assert bool(EMOJI.search(sentence)) == bool(emoji)


def test_trimming_keeps_every_letter() -> None:
    text = "  \u2192 Guten Morgen, 1\ufe0f\u20e3 Weiter \U0001f600\u200d\U0001f600 \x1b[0m "
    start, end = trim(text, 0, len(text))
    assert text[start:end] == "Guten Morgen, 1\ufe0f\u20e3 Weiter"
    assert trim("Weiter", 0, 6) == (0, 6)


def test_emoji_before_a_keycap_are_not_between_words() -> None:
    assert take_out_emoji("a\U0001f6001\ufe0f\u20e3 b") == ("a b", "\U0001f6001\ufe0f\u20e3")


@pytest.mark.parametrize("text", ["a", "1ß", "日", "ع", "ʰ", "ª", "\U0001d400", "ǅ"])
def test_letters_of_every_category(text: str) -> None:
    assert has_letters(text)


@pytest.mark.parametrize("text", ["", " ", "1½²", "😀", "_-!?…", "\u0301", "Ⅷ", "\u200d", "€"])
def test_no_letters(text: str) -> None:
    assert not has_letters(text)


LATIN = Alphabet(frozenset({"LATIN"}))
RUSSIAN = Alphabet(frozenset({"LATIN", "CYRILLIC"}))
CHINESE = Alphabet(frozenset({"LATIN", "CJK"}))
JAPANESE = Alphabet(frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}))
NEWS = Alphabet(
    scripts=frozenset({"LATIN"}),
    known=frozenset([*map(chr, range(128)), *"äöüßé€–“„’ïçôŠ"]),
    sure=frozenset([*map(chr, range(128)), *"äöüßé€–“„’"]),
)


def words(text: str, alphabet: Alphabet) -> list[str]:
    return [text[start:end] for start, end in unread_spans(text, alphabet)]


@pytest.mark.parametrize(
    ("letter", "script"),
    [
        ("ß", "LATIN"),
        ("Ж", "CYRILLIC"),
        ("東", "CJK"),
        ("タ", "KATAKANA"),
        ("\uff80", "KATAKANA"),  # of half width
        ("\ufefb", "ARABIC"),  # a ligature
        ("한", "HANGUL"),
        ("ー", ""),  # lengthens a vowel in two scripts
        ("7", ""),
        ("\u0301", ""),
        ("\ue001", ""),
    ],
)
def test_letters_have_a_script(letter: str, script: str) -> None:
    assert script_of(letter) == script


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Er lebt jetzt in 東京.", ["東京"]),
        ("Amman (arabisch عمان, hebräisch עַמָּאן) ist groß", ["عمان", "עַמָּאן"]),
        ("„Москва“ und Санкт-Петербург, Казань.", ["Москва", "Санкт-Петербург, Казань"]),
        ("von А. С. Пушкин geschrieben", ["А. С. Пушкин"]),
        ("Am 2024年5月3日 in 東京タワー。", ["2024年5月3日", "東京タワー。"]),
        ("Auf हिन्दी heißt es नमस्ते!", ["हिन्दी", "नमस्ते"]),
        ("In Москва und 東京", ["Москва", "東京"]),
        ("Das Tシャツ", ["シャツ"]),
        ("Die Sprache 𐌲𐌿𐍄𐌹𐍃𐌺", ["𐌲𐌿𐍄𐌹𐍃𐌺"]),
        ("η Ελλάδα ist Griechenland", ["η Ελλάδα"]),
    ],
)
def test_neighbouring_words_are_one_span(text: str, found: list[str]) -> None:
    assert words(text, LATIN) == found


@pytest.mark.parametrize(
    "text",
    [
        "Größe, naïve, Dvořák, Łódź, Việt Nam, ǆ, ʼn, ə",
        "℃ № ㎞ ½ → ① 😀 \ue001 \ue008 ﬁ ＡＢＣ",
        "„Ja“ – ‚nein‘ … “yes” 3 °C",
    ],
)
def test_latin_letters_and_symbols_are_left_alone(text: str) -> None:
    assert words(text, LATIN) == []
    assert is_readable(text, LATIN)


def test_it_depends_on_what_can_be_read() -> None:
    text = "東京タワー и Москва и ラーメン"
    assert words(text, LATIN) == [text]
    assert words(text, RUSSIAN) == ["東京タワー", "ラーメン"]
    assert words(text, CHINESE) == ["タワー и Москва и ラーメン"]
    assert words(text, JAPANESE) == ["и Москва и"]
    assert words("我喜欢の和タワー", CHINESE) == ["の", "タワー"]


def test_only_a_part_is_looked_at() -> None:
    assert unread_spans("東京 大阪 名古屋", LATIN, 1, 7) == [(1, 7)]


@pytest.mark.parametrize(
    ("text", "alphabet", "expected"),
    [
        ("Москва – столица России, 1147.", LATIN, False),
        ("Москва – столица России, 1147.", RUSSIAN, True),
        ("東京 is big", LATIN, True),
        ("東京は「日本」の首都です。", LATIN, False),
        ("π", LATIN, False),
        ("Łódź", LATIN, True),
        ("Łódź", NEWS, False),
        ("Łódź ist", NEWS, True),
        ("Ａ", NEWS, True),
        ("", LATIN, True),
    ],
)
def test_a_text_is_readable_if_some_of_it_is(text: str, alphabet: Alphabet, expected: bool) -> None:
    assert is_readable(text, alphabet) is expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Frau Żuk ist da.", ["Żuk"]),
        ("Nguyễn Thị Hồng, Łukasz Ñuñez und Çelik.", ["Nguyễn Thị Hồng", "Łukasz Ñuñez", "Çelik"]),
        ("Die Çelik-Gruppe, Jean-Ștefan-Łukasz", ["Çelik", "Ștefan-Łukasz"]),
        ("L’Œuvre, d'Œuvre, dans l'Œuvre", ["L’Œuvre", "d'Œuvre", "l'Œuvre"]),
        ("Żuk’s Buch, O'Żuk's", ["Żuk", "O'Żuk"]),
        ("Sie ist naïve, ça va. Naïve", []),
        ("Z\u0307uk, cafe\u0301, x\u0304", ["Z\u0307uk", "x\u0304"]),
        ("Żu\u00adk, Ka\u00adfe", ["Żu\u00adk"]),
        ("Preis ١٢٣ hier, 12 €", ["١٢٣"]),
        ("Wie‽ 「So」", ["‽ 「", "」"]),
        ("𝜋, 𝑥, 𝑎𝑏, 𝟏𝟐 und 𝐀", ["𝜋", "𝑥", "𝑎𝑏", "𝟏𝟐", "𝐀"]),
        ("𝐈𝐜𝐡 𝐛𝐢𝐧 𝐝𝐚, 𝐀 𝜋", ["𝜋"]),
        ("ʰa, Hawaiʻi, 1ª", ["ʰa", "Hawaiʻi", "1ª"]),
        ("Москва Żuk", ["Москва Żuk"]),
        ("Tшirt Łшa", ["ш", "Łш"]),
    ],
)
def test_words_with_letters_that_are_hardly_known(text: str, found: list[str]) -> None:
    assert words(text, NEWS) == found


def test_names_that_may_be_misspelled() -> None:
    text = "Herr Šo\u00adk, Naïve, naïve, François-Rene\u0301 Lang, Şen, Müller, Cafe\u0301"
    found = [text[start:end] for start, end in doubtful_names(text, NEWS)]
    assert found == ["Šo\u00adk", "Naïve", "François"]
    assert doubtful_names(text, LATIN) == []


def test_which_languages_have_spaces_between_sentences() -> None:
    assert [has_spaces(code) for code in ("de", "th", "ja", "zh-Hant", "zho_Hans")] == [
        *(True, True, False, False, False)
    ]
    assert primary_language("PT_br") == "pt"


def test_placeholders_are_the_first_of_the_private_use_area() -> None:
    assert symbols(3) == ["\ue001", "\ue002", "\ue003"]
    assert symbols(0) == []
    every = symbols(MAX_PLACEHOLDERS)
    assert every[-1] == "\ue040"
    assert {unicodedata.category(symbol) for symbol in every} == {"Co"}
    assert not has_letters("".join(every)), "a text of placeholders has nothing to translate"


def test_exactly_the_placeholders_are_recognised() -> None:
    assert all(PLACEHOLDER.fullmatch(symbol) for symbol in symbols(MAX_PLACEHOLDERS))
    assert not any(map(PLACEHOLDER.search, ("\ue000", "\ue041", "\uf8ff", "a", "%1", "")))


def test_placeholders_of_a_text_are_sorted_and_keep_their_number() -> None:
    assert placeholders_in("b\ue003 a\ue001\ue003 \ue041") == ["\ue001", "\ue003", "\ue003"]
    assert placeholders_in("der Hund") == []
