from __future__ import annotations

import itertools
import random
import re

import pytest
import sentencex
from hypothesis import given
from hypothesis import strategies as st

from translator.text.characters import has_letters
from translator.text.segmentation import Segments, split
from translator.text.spans import find_spans

NASTY = (
    *("a", "Ä", "ß", "Hallo", "welt", "e\u0301", "\u0301", "日本", "مرحبا", "नमस्ते", "\U0001d400"),
    *("\n", "\r\n", "\r", "\u2028", "\u2029", "\x0b", "\x0c", "\x85", "\x1c", "\n\n"),
    *(" ", "  ", "\t", "\u00a0", "\u3000", "\u200b", "\u200f", "\u202e", "\ufeff", "\x00"),
    *("😀", "👨‍👩‍👧", "👍🏽", "\u200d", "\ufe0f", "🇩🇪", "\ud800"),
    *("„", "“", "”", '"', "'", "«", "»", "(", ")", "[", "]"),
    *("1", "12.", "3.5", "½", "2020"),
    *("Dr.", "z. B.", "usw.", "e.g.", "U.S.", "im 19. ", "inkl. "),
    *(".", "!", "?", "…", "...", "。", "؟", "।", ",", ";", ":", "–"),
    *("- ", "* ", "## ", "> ", "1. ", "http://a.b/?C=d", "x@y.z"),
)

LETTER_MARKS = re.compile(r"(?<!\w)\(?(?:[^\W\d_]|[ivxIVX]+)[.)]+(?=\s|$)")


def random_text(rng: random.Random, max_parts: int = 25) -> str:
    return "".join(rng.choice(NASTY) for _ in range(rng.randint(0, max_parts)))


@pytest.mark.parametrize("language", ["de", "en", "xx"])
def test_rejoining_is_exact_for_any_text(language: str) -> None:
    rng = random.Random(f"nasty {language}")
    for _ in range(1000):
        text = random_text(rng)
        segments = split(text, language)
        assert segments.join(segments.sentences) == text
        assert len(segments.separators) == len(segments.sentences) + 1
        separators = [LETTER_MARKS.sub("", separator) for separator in segments.separators]
        assert not any(map(has_letters, separators)), text
        for sentence in segments.sentences:
            assert has_letters(sentence) or re.search("[0-9][.,][0-9]", sentence), text
            assert sentence == sentence.strip(), text
            assert len(sentence.splitlines()) == 1, text
            assert "\t" not in sentence, text


DIVIDED = [
    # German abbreviations
    ("de", "Das gilt z. B. für Hunde.|Katzen auch."),
    ("de", "Das gilt z.B. für Hunde.|Katzen auch."),
    ("de", "Ich traf Dr. Müller.|Er lachte."),
    ("de", "Prof. Dr. Hans Meier kam.|Er sprach."),
    ("de", "Äpfel, Birnen usw. sind Obst.|Das stimmt."),
    ("de", "Er kommt nicht, d. h. er bleibt.|Schade."),
    ("de", "Siehe Nr. 5 der Liste.|Danke."),
    ("de", "Rot bzw. Grün geht.|Blau nicht."),
    ("de", "Es dauert ca. 3 Stunden.|Dann ist Schluss."),
    ("de", "Der Verein e.V. wurde 1900 gegründet.|Er besteht."),
    ("de", "Der Verein Chaos e. V. Hamburg tagt.|Er besteht."),
    ("de", "Er wohnt in der Hauptstr. 5 in Bonn.|Schön."),
    ("de", "Vgl. S. 12 ff. und Abb. 3.|Danke."),
    ("de", "Der Preis inkl. Mehrwertsteuer ist hoch.|Leider."),
    ("de", "Er ruft Hrn. Meier an, Tel. Bonn 5.|Gut."),
    ("de", "Er ist lt. Polizei geflohen.|Gut."),
    ("de", "Er wohnt z. Zt. Berlin gegenüber, evtl. Anna auch.|Gut."),
    # German ordinal numbers
    ("de", "Sie kommt am 3. Dez. 2024 an.|Gut."),
    ("de", "Sie kam am 3. Oktober 2020 an.|Es regnete."),
    ("de", "Im 19. Jahrhundert war das so.|Heute nicht."),
    ("de", "Sie gab ihm eine 2. Chance.|Er freute sich."),
    ("de", "Für die 5. und 6. Klasse gilt es.|Ja."),
    ("de", "Ludwig XIV. war König.|Er tanzte."),
    ("de", "Sie lebte im 18. und 19. Jahrhundert.|Gut."),
    ("de", "Es ist aus dem 15. bis 17. Jahrhundert.|Gut."),
    ("de", "Es waren 1,5 Mill. Besucher und 3 Mrd. Tauben.|Gut."),
    ("de", "Es waren 5.|Dann kam er."),
    # English abbreviations
    ("en", "Use tools, e.g. hammers.|They work."),
    ("en", "Use tools, e.g. Python.|They work."),
    ("en", "The boss, i.e. Smith, left.|Good."),
    ("en", "Mr. Smith met Mrs. Jones.|They left."),
    ("en", "The U.S. Army left.|It was late."),
    ("en", "He lives in the U.S.|She lives in France."),
    ("en", "See Fig. 3 for more.|It helps."),
    ("en", "Our tel. no. is 5.|Call us."),
    ("en", "See paras. 4 and 5, pp. 5 and 6.|It helps."),
    ("en", "It runs from Aug. 30–Sept. 2 here.|Good."),
    ("en", "It takes approx. 5 days.|Then stop."),
    ("en", "It is ca. 3 km away.|Walk."),
    ("en", "J. R. R. Tolkien wrote it.|I read it."),
    ("en", "J.R.R. Tolkien wrote it.|I read it."),
    ("en", "St. Louis is big.|Dr. Who is not."),
    ("en", "We met at 5 p.m. and left.|Good."),
    ("en", "The call is at 5 p.m. CET or 4 p.m. GMT.|Good."),
    ("en", "The call is at 5 p.m.|CETA is its topic."),
    ("en", "Smith et al. (2020) said so.|They lied."),
    # quotes, ellipses, several marks
    ("de", "Er sagte: „Ich komme.“|Dann ging er."),
    ("de", "„Kommst du?“, fragte sie.|„Ja!“"),
    ("en", 'He said, "I am here."|Then he left.'),
    ("en", "“Are you there?” he asked.|“Yes.”"),
    ("de", "Na ja...|Das war es."),
    ("en", "Well...|That was it."),
    ("de", "Wirklich?!|Das glaube ich nicht."),
    # full stops and question marks inside words
    ("en", "Pi is 3.14159.|It is known."),
    ("en", "Version 1.2.3 is out.|Update."),
    ("en", "Edit setup.py.|Then stop."),
    ("en", "Use os.Path here.|It works."),
    ("en", "Mail Max.Muster@Web.de now.|Do it."),
    ("en", "See https://example.com/a.b?Query=c.|Then click."),
    # other languages, known and unknown
    ("de", "MONTAG, 4. OKTOBER 2021.|ES REGNETE."),
    ("de-DE", "Ich traf Dr. Müller im 19. Stock.|Er lachte."),
    ("xx", "Aba kada.|Ubu koko?|Yes."),
    ("", "Aba kada.|Ubu."),
    # known limits; too few ends: two sentences are translated as one, with more context
    ("de", "Das ist so (siehe oben.) Dann weiter."),
    ("de", "Na ja … Das war es."),
    ("de", "Das war die 5. Dann ging er."),
    ("en", "Really?! I doubt it."),
    ("en", "(He left.) She stayed."),
    ("en", "It ended.He left."),
    # Too many ends: one sentence is translated as two.
    ("de", "Ab 2.|Klasse lernt man das."),
    ("en", "I saw it!|did you see it?"),
    # other scripts
    ("km", "សួស្តី។|តើអ្នកសុខសប្បាយទេ?|ខ្ញុំឈ្មោះសុខ។"),
    ("th", "สวัสดีครับ|ผมชื่อสมชาย ผมมาจากกรุงเทพฯ"),
    ("th", "ไปไหนมาคะ|วันนี้อากาศดีมาก"),
    (
        "th",
        "ประเทศไทยมีจังหวัดทั้งหมด 77 จังหวัด แต่ละจังหวัดมีวัฒนธรรมและอาหารที่แตกต่างกันไป"
        "ตามภูมิภาค ภาคเหนือมีอากาศเย็นและมีภูเขาสูง|ส่วนภาคใต้มีทะเลที่สวยงามและเกาะมากมาย",
    ),
    ("ar", "مرحبا.|كيف حالك؟|أنا بخير!"),
    ("ko", "안녕하세요.|저는 학생입니다.|만나서 반갑습니다!"),
]


@pytest.mark.parametrize(("language", "marked"), DIVIDED)
def test_sentences_are_told_apart(language: str, marked: str) -> None:
    sentences = marked.split("|")
    assert split(" ".join(sentences), language).sentences == tuple(sentences)


@pytest.mark.parametrize(
    ("text", "sentences", "separators"),
    [
        ("", (), ("",)),
        (" \t\r\n", (), (" \t\r\n",)),
        ("😀 12:30 – 3,50 €!?", (), ("😀 12:30 – 3,50 €!?",)),
        ("Hallo, Welt!", ("Hallo, Welt!",), ("", "")),
        (
            "  Eins.\r\n\r\n\tZwei. Drei.\n",
            ("Eins.", "Zwei.", "Drei."),
            ("  ", "\r\n\r\n\t", " ", "\n"),
        ),
        ("Eins.\u00a0Zwei.", ("Eins.", "Zwei."), ("", "\u00a0", "")),
        ("Name\tOrt  Land", ("Name", "Ort", "Land"), ("", "\t", "  ", "")),
        ("Los! €! Ja!", ("Los!", "Ja!"), ("", " €! ", "")),
        ("Danke 👍🏽\n❤️ Ja 😀!", ("Danke", "Ja 😀!"), ("", " 👍🏽\n❤️ ", "")),
        ("\ufeffHallo", ("Hallo",), ("\ufeff", "")),
        ("(groß)", ("groß",), ("(", ")")),
        ("(links) oder (rechts)", ("(links) oder (rechts)",), ("", "")),
        ("(s. o.) Ja.", ("(s. o.) Ja.",), ("", "")),
        ("\ufeff# Hallo", ("Hallo",), ("\ufeff# ", "")),
        ("1️⃣ Eins.\n2️⃣ Zwei. ⏰", ("Eins.", "Zwei."), ("1️⃣ ", "\n2️⃣ ", " ⏰")),
        ("-----Text-----\n*** Ja ***", ("Text", "Ja"), ("-----", "-----\n*** ", " ***")),
        (">>> Neu <<<", ("Neu",), (">>> ", " <<<")),
        ("***Ja*** f****", ("***Ja*** f****",), ("", "")),
        ("A --- B", ("A --- B",), ("", "")),
        ("Wie? ○ Eins ○ Zwei", ("Wie?", "Eins", "Zwei"), ("", " ○ ", " ○ ", "")),
        ("□ ja ☒ nein", ("ja", "nein"), ("□ ", " ☒ ", "")),
        ("Weiter →", ("Weiter",), ("", " →")),
        ("Nein.\u200b Ja.\x00", ("Nein.", "Ja."), ("", "\u200b ", "\x00")),
        (
            "\x1b[1mNein.\x1b[0m \x1b[32mDoch \x1b[1mja.\x1b[0m",
            ("Nein.", "Doch \x1b[1mja."),
            ("\x1b[1m", "\x1b[0m \x1b[32m", "\x1b[0m"),
        ),
    ],
)
def test_what_is_not_a_sentence_is_a_separator(
    text: str, sentences: tuple[str, ...], separators: tuple[str, ...]
) -> None:
    assert split(text, "de") == Segments(sentences=sentences, separators=separators)


@pytest.mark.parametrize(
    "newline", ["\n", "\r\n", "\r", "\u2028", "\u2029", "\x0b", "\x0c", "\x85", "\x1c"]
)
def test_every_kind_of_line_break_ends_a_sentence(newline: str) -> None:
    expected = Segments(sentences=("eins", "zwei"), separators=("", newline, ""))
    assert split(f"eins{newline}zwei", "de") == expected


@pytest.mark.parametrize(
    "marker",
    ["- ", "* ", "• ", "– ", "1. ", "12) ", "(3) ", "> ", ">", ">> ", "> > - ", "## ", "- [x] "],
)
def test_list_markers_are_separators(marker: str) -> None:
    text = f"Liste:\n  {marker}Erstens, ja."
    segments = split(text, "de")
    assert segments.sentences == ("Liste:", "Erstens, ja.")
    assert segments.separators[1] == f"\n  {marker}"


MARKS = [
    *("a) ", "b.) ", "(c) ", "i) ", "iii) ", "(iv) ", "2a) ", "1.) ", "I. ", "XIV. ", "B. ", "a. "),
    *("ii. ", "1.1 ", "2.3. ", "10.3 ", "3.2.1 ", "## 2.3 ", "- a) ", "> I. ", "a)  ", "II.\t"),
]


@pytest.mark.parametrize("language", ["de", "en", "fr"])
@given(
    mark=st.sampled_from(MARKS),
    line=st.sampled_from(["Öffnen wir es.", "THE BURIAL", "Pears and plums", "Scope (all)"]),
    before=st.sampled_from(["", "  ", "Erste Zeile.\n", "Name:\n\n\t"]),
)
def test_marks_of_lists_and_sections_are_no_words(
    language: str, mark: str, line: str, before: str
) -> None:
    segments = split(before + mark + line, language)
    assert segments.sentences[-1] == line
    assert segments.separators[-2].endswith(mark)


@pytest.mark.parametrize("mark", ["a)", "B.", "I.", "iii)"])
def test_a_mark_alone_is_no_sentence(mark: str) -> None:
    assert split(f"{mark}\tÖffnen", "de").sentences == ("Öffnen",)
    assert split(mark, "de").sentences == ()


NO_MARKS = [
    *("-5 Grad", "#hashtag", "1.5 Liter", "*wichtig*", "2020 war gut", "z. B. so", "Z. B. so"),
    *("d. h. nie", "U. S. troops", "A. A. Milne wrote", "C. elegans is a worm", "v. Chr. war es"),
    *("2.5 million people", "1.5 Million People", "15.30 Uhr Treffen", "27.12.20 Zahlung", "I am"),
    *("3. Teil", "3. und 4. Klasse", "1. Hilfe", "2. Reihe in der Mitte"),
    *("3. Oktober", "12. Mai 2024 in Köln", "31. Dez. 1999", "2. Weltkrieg", "II. Weltkrieg"),
    *("21. Jahrhundert", "3. Stock", "1. Platz: Anna", "2. Klasse", "I. d. R. ist das kein Thema."),
    *("1.500 Menschen", "c. 1900", "i. d. R. ist", "S. 12 zeigt", "2.4 GHz WLAN", "a dog", "Dr. Z"),
]


@pytest.mark.parametrize("text", NO_MARKS)
def test_what_only_looks_like_a_list_marker_stays(text: str) -> None:
    assert split(text, "de").sentences == (text,)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        *(("de", "3. Maiglöckchen"), ("de", "2. Platz schaffen"), ("de", "1. Klasse Foo anlegen")),
        *(("de", "1. Oktoberfest"), ("en", "3. April showers"), ("de", "II. Kapitel")),
    ],
)
def test_not_every_number_before_a_noun_is_an_ordinal(language: str, text: str) -> None:
    assert split(text, language).sentences == (text.split(". ")[1],)


def test_a_day_behind_a_bullet_is_no_mark() -> None:
    assert split("- 3. Mai: Ausflug", "de").separators == ("- ", "")


def test_join_puts_translations_between_the_separators() -> None:
    assert split("- Ja.  Nein?\n", "de").join(["Yes.", "No?"]) == "- Yes.  No?\n"


@pytest.mark.parametrize("translations", [[], ["one"], ["one", "two", "three"]])
def test_join_refuses_another_number_of_translations(translations: list[str]) -> None:
    expected = f"one translation per sentence: 2 sentences, got {len(translations)} translations"
    with pytest.raises(ValueError, match=expected):
        split("Ja. Nein.", "de").join(translations)


def test_a_library_that_changes_text_cannot_break_exactness(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sentencex, "segment", lambda language, text: ["Nein! ", "Gut."])
    assert split("Ja. Nein.\nGut.", "de") == Segments(
        sentences=("Ja. Nein.", "Gut."), separators=("", "\n", "")
    )


def test_a_lone_surrogate_is_no_error() -> None:
    assert split("a\ud800b. C.", "de").sentences == ("a\ud800b. C.",)


def test_long_lines_are_split_as_short_ones() -> None:
    sentences = tuple(f"Dr. Müller sah Haus Nummer {i} am Rhein." for i in range(2000))
    assert split(" ".join(sentences), "de").sentences == sentences


@pytest.mark.parametrize("text", ["a" * 30_000, "wort " * 6_000 + "ende", "„a. " * 6_000 + "b"])
def test_a_long_line_without_a_sentence_end_is_one_sentence(text: str) -> None:
    assert split(text, "de").sentences == (text,)


@pytest.mark.parametrize("emoji", ["😀 ", "😀", "👍🏽👍🏽 "])
def test_very_many_emoji_take_no_time(emoji: str) -> None:
    text = f"Gut {emoji * 3_000}x"
    assert "".join(split(text, "de").sentences).startswith("Gut")


def test_very_many_line_breaks() -> None:
    assert split("\n" * 20_000, "de") == Segments(sentences=(), separators=("\n" * 20_000,))
    assert split("a" + "\n" * 20_000 + "b", "de").sentences == ("a", "b")


def test_inline_code_holds_together_only_for_who_keeps_it() -> None:
    text = "Nimm `a | b  c` davon."
    assert split(text, "de", keeps_code=True).sentences == (text,)
    assert split(text, "de").sentences == ("Nimm `a", "b", "c` davon.")


@pytest.mark.parametrize(
    "text", ["Nimm :code:`a  b` davon.", "Nimm `a  b`s.", "Rock`n | Roll`n", "Nimm `a  (` davon."]
)
def test_what_holds_together_is_the_inline_code_that_will_come_back(text: str) -> None:
    [gap] = re.finditer(r" \| |  ", text)
    is_code = any(start < gap.start() < end for start, end in find_spans(text))
    assert (len(split(text, "de", keeps_code=True).sentences) == 1) == is_code


@pytest.mark.parametrize(
    "text",
    [
        "```\nder Hund\n```",
        "> ```sh\nder Hund\n> ```\n",
        "- ```\n  a\n\n  b\n  ```",
        "````\n```\nx\n````",
    ],
)
def test_fenced_code_is_layout(text: str) -> None:
    assert split(text, "de").sentences == ()
    assert split(f"Eins.\n{text}\nZwei.", "de").sentences == ("Eins.", "Zwei.")
    assert split(f"- Eins.\n\n  {text}\nZwei.", "de").sentences == ("Eins.", "Zwei.")


TAGS = "Ein <a title='Hallo.  Welt! Ja?'>Hund</a>. Die <i>Katze</i>."
KNOWN = [(4, 33), (37, 41), (47, 50), (55, 59)]


def test_no_sentence_ends_inside_a_known_span() -> None:
    assert [TAGS[start:end] for start, end in KNOWN[1:]] == ["</a>", "<i>", "</i>"]
    segments = split(TAGS, "de", known=KNOWN)
    assert segments.sentences == ("Ein <a title='Hallo.  Welt! Ja?'>Hund</a>.", "Die <i>Katze</i>.")
    assert len(split(TAGS, "de").sentences) > 2


def test_each_sentence_gets_its_known_spans() -> None:
    segments = split(TAGS, "de", known=KNOWN)
    assert segments.spans_within(KNOWN) == [[(4, 33), (37, 41)], [(4, 7), (12, 16)]]
    assert segments.spans_within([]) == [[], []]
    assert split("- Ja. Nein?", "de").spans_within([(0, 2), (6, 10)]) == [[], [(0, 4)]]


@pytest.mark.parametrize(
    ("known", "sentence", "own"),
    [
        ([(3, 7)], "- [x] Ja", [(3, 7)]),
        ([(7, 10)], "Ja →", [(1, 4)]),
        ([(6, 8)], "Ja", [(0, 2)]),
        ([(2, 5)], "Ja", []),
        ([(9, 10)], "Ja", []),
    ],
)
def test_known_spans_at_the_edges_stay_whole(
    known: list[tuple[int, int]], sentence: str, own: list[tuple[int, int]]
) -> None:
    text = "- [x] Ja →"
    segments = split(text, "de", known=known)
    assert segments.join(segments.sentences) == text
    assert segments.sentences == (sentence,)
    assert segments.spans_within(known) == [own]


def test_rejoining_is_exact_with_known_spans_and_none_is_cut() -> None:
    rng = random.Random("known")
    for _ in range(500):
        text = random_text(rng)
        places = sorted(rng.choices(range(len(text) + 1), k=2 * rng.randint(0, 3)))
        known = [(a, b) for a, b in zip(places[::2], places[1::2], strict=True) if a < b]
        segments = split(text, "de", known=known)
        assert segments.join(segments.sentences) == text
        pieces = itertools.chain(*zip(segments.separators, segments.sentences, strict=False))
        edges = itertools.accumulate(map(len, pieces))
        assert not [(text, edge) for edge in edges if any(a < edge < b for a, b in known)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("<b>Niemand kam.</b> Dann ging sie.", ["Niemand kam.", "Dann ging sie."]),
        ("Sie kam. <b>Niemand ging.</b>", ["Sie kam.", "Niemand ging."]),
        ("Sie kam <b>und ging. Dann</b> kam er.", ["Sie kam <b>und ging.", "Dann</b> kam er."]),
        ("<b>Niemand</b> kam.", ["<b>Niemand</b> kam."]),
        ("<i/> Niemand <j/> kam. <k/>", ["Niemand <j/> kam."]),
    ],
    ids=["behind", "around", "across", "inside", "single"],
)
def test_known_tags_around_sentences(text: str, sentences: list[str]) -> None:
    known = [found.span() for found in re.finditer("<[^<>]*>", text)]
    segments = split(text, "de", known=known)
    assert [*segments.sentences] == sentences
    assert segments.join(segments.sentences) == text


TOGETHER = [
    ("ja", "吾輩は猫である。|名前はまだ無い。|どこで生れたかとんと見当がつかぬ。"),
    ("ja", "「どこへ行くの？」と彼女は聞いた。|「駅まで。」|彼は答えた！"),
    ("ja", "彼は「そうだ。」と言った。|ところが、誰も来なかった。"),
    ("ja", "バージョン1.2.3を公開しました。|詳細はhttps://example.com/a.b?c=dをご覧ください。"),
    ("ja", "本当?|うん!|はい。"),
    ("zh", "你好。|你叫什么名字？|我叫小明！|很高兴认识你。"),
    ("zh-Hans", "价格是3.5元。|这个应用很好用吗?|我觉得很好!|谢谢。"),
    ("zh", "他说：“我来了。”|然后他走了。|真的吗？！|是的……好吧。"),
    ("yue", "你食咗飯未呀？|我食咗喇。"),
    ("my", "မင်္ဂလာပါ။|နေကောင်းလား။|ကျွန်တော် ကျောင်းသွားမယ်။"),
    ("km", "សួស្តី។|តើអ្នកសុខសប្បាយទេ?|ខ្ញុំឈ្មោះសុខ។"),
    ("hi", "नमस्ते।|आप कैसे हैं?|मैं ठीक हूँ।"),
]
"""Sentences with nothing between them."""


@pytest.mark.parametrize(("language", "marked"), TOGETHER)
def test_sentences_without_spaces_between_are_told_apart(language: str, marked: str) -> None:
    sentences = marked.split("|")
    text = "".join(sentences)
    segments = split(text, language)
    assert segments.sentences == tuple(sentences)
    assert {*segments.separators} == {""}
    assert segments.join(segments.sentences) == text


def test_a_space_comes_where_only_the_translation_has_one() -> None:
    segments = split("你好。再见。 好\n", "zh")
    assert [segments.space_behind(number, "en") for number in range(3)] == [" ", "", ""]
    assert [segments.space_behind(number, "ja") for number in range(3)] == ["", "", ""]


@pytest.mark.parametrize("language", ["km", "th", "ja", "zh"])
def test_rejoining_is_exact_in_scripts_without_spaces(language: str) -> None:
    rng = random.Random(language)
    parts = (*NASTY, "។", "ครับ ", "ค่ะ", "ไทย", "「", "。」", "と", "？", "你好", "ខ្ញុំ", "?", "!")
    for _ in range(400):
        text = "".join(rng.choice(parts) for _ in range(rng.randint(0, 25)))
        segments = split(text, language)
        assert segments.join(segments.sentences) == text
        for sentence in segments.sentences:
            assert has_letters(sentence) or sentence in ("3.5", "-3.5"), text
            assert sentence == sentence.strip(), text


WORDS = st.sampled_from(["name", "of", "the", "event", "sponsor", "and", "every", "guest", "who"])


@given(words=st.lists(WORDS, min_size=7, max_size=20), place=st.integers(1, 6))
def test_two_spaces_inside_a_sentence_do_not_cut_it(words: list[str], place: int) -> None:
    text = f"Give {' '.join(words[:place])}  {' '.join(words[place:])}."
    assert split(text, "en").sentences == (text,)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Just landed ✈️ So tired 😴", "Just landed|So tired"),
        ("We won 🏆🏆 What a game!", "We won|What a game!"),
        ("It is super👍Thanks",) * 2,
        ("My dog 🐶 Rex, I ❤️ New York 🙏", "My dog 🐶 Rex, I ❤️ New York"),
        ("a) apples b) pears c) plums", "apples|pears|plums"),
        ("Wählen Sie: 1) Deckel öffnen 2) Deckel", "Wählen Sie:|Deckel öffnen|Deckel"),
        ("He said that a) we won b) they lost",) * 2,
        ("See: a) red, b) blue and c) green",) * 2,
        ("See: b) red c) blue",) * 2,
    ],
)
def test_emoji_and_marks_of_items_part_a_line(text: str, sentences: str) -> None:
    found = split(text, "en")
    assert found.sentences == tuple(sentences.split("|"))
    assert found.join(found.sentences) == text


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Öffnen  Sie  nicht  die  Tür.",) * 2,
        ("Wir haben  Tische  und  Stühle gekauft.",) * 2,
        ("Bitte  warten  Sie.  Es  ist  kalt.", "Bitte  warten  Sie.|Es  ist  kalt."),
        ("  ".join([*["Der", "Hund,", "die", "Katze,"] * 20, "da."]),) * 2,
        ("Name  Alter  Stadt.", "Name|Alter|Stadt."),
        ("Usage  run  Run the command.", "Usage  run|Run the command."),
        ("Quiet  -q  say  Nothing.", "Quiet|-q  say|Nothing."),
    ],
)
def test_a_sentence_may_have_two_spaces_everywhere(text: str, sentences: str) -> None:
    assert split(text, "de").sentences == tuple(sentences.split("|"))


@given(
    rows=st.lists(
        st.lists(st.lists(WORDS, min_size=1, max_size=2), min_size=2, max_size=4),
        min_size=1,
        max_size=4,
    ),
    gap=st.sampled_from(["  ", "   ", "\t"]),
)
def test_columns_stay_apart(rows: list[list[list[str]]], gap: str) -> None:
    cells = [[" ".join(cell) for cell in row] for row in rows]
    text = "\n".join(gap.join(row) for row in cells)
    assert split(text, "en").sentences == tuple(itertools.chain(*cells))


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        ("de", "Geben Sie den Namen des  Veranstalters und das Datum an.", 1),
        ("en", "Provide name of  the event sponsor and the date of it.", 1),
        ("en", "We went.  Then we came back to the old house.", 2),
        ("en", "First column text  Second column text", 2),
        ("en", "I live  in Berlin with my  family.", 1),
        ("de", "Vorher.\nIch  bin müde.\nNachher.", 1 + 2),
        ("en", "length  approx.\nheight  in cm.", 4),
        ("en", "length  in cm approx.\nheight\tin cm.", 4),
        ("en", "name  of a guest", 2),
        ("en", "Is it? No. 5 is alive.", 2),
        ("en", "No. 5", 1),
    ],
)
def test_where_a_sentence_goes_on(language: str, text: str, sentences: int) -> None:
    assert len(split(text, language).sentences) == sentences


def test_a_number_that_stands_alone_is_a_sentence_if_its_signs_may_change() -> None:
    text = "Menge\tPreis\n3.000\t1.234,50 €\n3.14\t12.05.2020\n12\t3,5 %"
    numbers = ("3.000", "1.234,50 €", "3,5 %")
    assert split(text, "de").sentences == ("Menge", "Preis", *numbers)
    assert split(text, "").sentences == ("Menge", "Preis")


@pytest.mark.parametrize(
    ("text", "sentences", "separators"),
    [
        ("It is so.[1] He left.[12][13]", ["It is so.", "He left."], ["", "[1] ", "[12][13]"]),
        ("“It is so.”[4]", ["“It is so.”"], ["", "[4]"]),
        ("See array[1][2]", ["See array[1][2]"], ["", ""]),
        ("It is so [3].", ["It is so [3]."], ["", ""]),
    ],
)
def test_citations_behind_a_sentence_are_separators(
    text: str, sentences: list[str], separators: list[str]
) -> None:
    segments = split(text, "en")
    assert (list(segments.sentences), list(segments.separators)) == (sentences, separators)


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("de", ("Es dauert 5 Min.", "Dann wenden.")),
        ("de", ("Kosten: 5 Mio.", "Das ist viel.")),
        ("de", ("Es war im 5. Jh. v. Chr.", "Danach kam Rom.")),
        ("de", ("5 Min. Pause, z. B. Die Bahn.",)),
        ("de", ("Siehe Foto.", "20 € VB.")),
        ("de", ("Preis inkl. 20 € Pfand.",)),
        ("en", ("See you at 7 p.m.", "#weekend @anna xx")),
        ("de", ("Die Frist endet am 15.", "Der Antrag muss da sein.")),
        ("de", ("Die nächste ist am 10.", "Bitte meldet euch an.")),
        ("de", ("Heute ist der 9.", "Wir warten bis zum 11.", "Dann geht es los.")),
        ("de", ("Er starb am 3. Oktober im 19. Jahrhundert.",)),
        ("de", ("Der 2. Die-Ärzte-Abend war am 1. Adventssonntag.",)),
        ("de", ("Das 3. Der Hund",)),
        ("en", ("At 7 p.m. @anna sings.",)),
    ],
)
def test_a_sentence_may_end_with_an_abbreviation_or_a_day(
    language: str, sentences: tuple[str, ...]
) -> None:
    assert split(" ".join(sentences), language).sentences == sentences


@pytest.mark.parametrize(
    ("text", "translation", "stop"),
    [
        ("Frei ab 1.9. Keine Haustiere.", "Free from September 1", "."),
        ("Bis 5 %. Das geht.", "Up to 5%", "."),
        ("Frei ab 1.9. Keine Haustiere.", "Free from September 1.", ""),
        ("Frei ab 1.9.\nKeine Haustiere.", "Free from September 1", ""),
        ("Frei ab 1.9.  Keine Haustiere.", "Free from September 1", ""),
        ("Frei ab 1.9.", "Free from September 1", ""),
        ("Was nun? Er kam.", "What now", ""),
    ],
)
def test_a_sentence_before_another_one_keeps_its_stop(
    text: str, translation: str, stop: str
) -> None:
    assert split(text, "de").stop_behind(0, translation) == stop
