"""What is not language comes through a translation unharmed, exactly once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from translator.text.characters import Alphabet, symbols
from translator.text.protection import Protected, protect, protect_pair

ONE, TWO, THREE, FOUR = symbols(4)


def test_more_spans_than_placeholders_make_several_pieces() -> None:
    assert protect("Erst %1 und %2 und  dann %3.", 2) == [
        Protected(f"Erst {ONE} und {TWO} und  dann", ("%1", "%2"), (ONE, TWO), trailing=" "),
        Protected(f"{ONE}.", ("%3",), (ONE,)),
    ]


def test_without_placeholders_nothing_is_replaced() -> None:
    assert protect("%1 %2 %3", 0) == [Protected("%1 %2 %3")]
    assert protect("%1 %2 %3", 0, [(0, 2)]) == [Protected("%1 %2 %3")]


def test_spans_found_by_others_are_protected_like_its_own() -> None:
    sentence = "Das <x y>neue</x y> %1 heißt Acme Pro."
    tags = [(4, 9), (13, 19)]
    [protected] = protect(sentence, 8, [*tags, (29, 37)])
    assert protected.text == f"Das {ONE}neue{TWO} {THREE} heißt {FOUR}."
    assert protected.spans == ("<x y>", "</x y>", "%1", "Acme Pro")
    assert protected.restore(protected.text) == sentence
    assert protected.restore(f"{FOUR} is {ONE}new{TWO}") == "Acme Pro is <x y>new</x y> %1"


def test_known_spans_count_where_a_sentence_is_cut() -> None:
    sentence = "Der Hund, die Katze, das Kind"
    pieces = protect(sentence, 1, [(4, 8), (14, 19), (25, 29)])
    assert [piece.spans for piece in pieces] == [("Hund",), ("Katze",), ("Kind",)]
    assert "".join(piece.restore(piece.text) + piece.trailing for piece in pieces) == sentence


def test_words_that_cannot_be_read_are_spans() -> None:
    sentence = "Er lebt in 東京 bei Иван Петрович, %1."
    [protected] = protect(sentence, 4, (), Alphabet(frozenset({"LATIN"})))
    assert protected.text == f"Er lebt in {ONE} bei {TWO}, {THREE}."
    assert protected.restore(f"With {TWO} he lives in {ONE}") == (
        "With Иван Петрович he lives in 東京 %1"
    )
    assert protect(sentence, 4)[0].spans == ("%1",), "all can be read"
    assert protect(sentence, 0, (), Alphabet(frozenset({"LATIN"}))) == [Protected(sentence)]


def test_the_s_of_a_german_genitive_is_read() -> None:
    alphabet = Alphabet(frozenset({"LATIN"}), frozenset(map(chr, range(128))))
    sentence = "Wałęsas Rede, Łukas, Çs, getFoos und Œuvres"
    [protected] = protect(sentence, 8, [(14, 19)], alphabet, "de-AT")
    assert protected.spans == ("Wałęsa", "Łukas", "Çs", "getFoos", "Œuvre")
    assert protected.text.startswith(f"{ONE}s Rede")
    assert protected.restore(protected.text) == sentence
    assert protected.restore(f"{ONE}'s speech {TWO}").startswith("Wałęsa's speech Łukas")
    [english] = protect(sentence, 8, (), alphabet, "en")
    assert english.spans[0] == "Wałęsas"


def test_placeholders_of_the_text_itself_are_spans_too() -> None:
    [protected] = protect(f"{THREE} and %1", 4)
    assert protected.text == f"{ONE} and {TWO}"
    assert protected.restore(protected.text) == f"{THREE} and %1"


def test_what_is_no_placeholder_is_left_alone() -> None:
    for text in (f"a {ONE} b", f"{TWO} %1 %2 %3 %4 {ONE} b", f"%1 %2 {FOUR} {THREE} {ONE}"):
        for count in (0, 2, 4):
            pieces = protect(text, count)
            assert "".join(one.restore(one.text) + one.trailing for one in pieces) == text
    for number in range(20):
        pair = protect_pair(f"{THREE} der {number} %1", f"the {number} %1", 4)
        assert pair[0].count(THREE) == 1


def test_spans_follow_their_placeholders_and_none_is_lost_or_repeated() -> None:
    [protected] = protect("%1 of %2 in %3", 4)
    assert protected.restore(f"{THREE} {ONE}") == "%3 %1 %2"
    assert protected.restore(f"{ONE} {TWO} {ONE} {THREE}{FOUR}") == "%1 %2  %3"


def test_what_closes_something_and_is_lost_follows_without_a_space() -> None:
    [protected] = protect("See **the [guide](a.md)**!", 4)
    assert protected.restore(f"Sieh {ONE}den {TWO}Leitfaden!") == "Sieh **den [Leitfaden!](a.md)**"


@pytest.mark.parametrize(
    ("sentence", "translation", "restored"),
    [
        (
            "See [the guide](a.md) and **this**!",
            f"Siehe {ONE} die Anleitung {TWO} und {THREE} das {FOUR} !",
            "Siehe [die Anleitung](a.md) und **das**!",
        ),
        ("A <b>fat</b> word", f"Ein {ONE} fettes {TWO} Wort", "Ein <b>fettes</b> Wort"),
        ("In `the guide <https://a.b/c>`_ is", f"In {ONE} dem {TWO}", "In `dem <https://a.b/c>`_"),
        ("A **fat** word", f"Ein{ONE}fettes{TWO}Wort", "Ein **fettes** Wort"),
        ("The **manual**", f"Das {ONE} -Handbuch{TWO}", "Das **Handbuch**"),
        ("The [page](a.md)", f"Die {ONE}- Seite{TWO}", "Die [Seite](a.md)"),
        ("The <b>-v</b> option", f"Die {ONE}-v{TWO}-Option", "Die <b>-v</b>-Option"),
        ("An <b>S</b>et", f"Ein {ONE}S{TWO}atz", "Ein <b>S</b>atz"),
        ("Up<b>load</b>", f"Hoch{ONE}laden{TWO}", "Hoch<b>laden</b>"),
        ("Say {0}s", f"Sag {ONE} an", "Sag {0} an"),
        ("The --all option", f"Die {ONE}-Option", "Die --all Option"),
        ("The %s files", f"Die {ONE}-Dateien", "Die %s Dateien"),
        ("{0} files of %1", f"{ONE}-Dateien von {TWO}", "{0} Dateien von %1"),
        ("A {0}-day trial", f"Ein {ONE}-Tage-Test", "Ein {0}-Tage-Test"),
        ("The {user} profile", f"Das {ONE}-Profil", "Das {user}-Profil"),
        ("File → Folder", f"Datei {ONE}-Ordner", "Datei → Ordner"),
        ("The ⌘ key", f"Die {ONE}-Taste", "Die ⌘-Taste"),
        ("The getFoo method", f"Die {ONE}-Methode", "Die getFoo-Methode"),
        ("Auf **Speichern**, um", f"Click {ONE}Save{TWO}to take", "Click **Save** to take"),
        ("Auf **Speichern**.", f"Click {ONE} Save {TWO} to take", "Click **Save** to take"),
        ("Auf **Speichern**-Knopf", f"The {ONE}Save{TWO}button", "The **Save** button"),
        ("Auf <b>Öffnen</b>, um", f"On {ONE}Open{TWO}to go", "On <b>Open</b> to go"),
        ("In [Buch](a.md), um", f"In {ONE}book{TWO}to go", "In [book](a.md) to go"),
        ("Ein *(a)*, *b*: c", f"A {ONE}(a){TWO}c {THREE}b{FOUR}d", "A *(a)* c *b* d"),
        ("„**Nein**“, sagt", f"„{ONE} No{TWO}he says", "„**No** he says"),
        ("(**„So“**) geht", f"({ONE} So{TWO} it) goes", "(**So** it) goes"),
        ("Ein **Wort**, %1", f"A {ONE}word{TWO} {THREE}", "A **word** %1"),
        ("Ein **Wort**, und", f"A {ONE}word{TWO} , and", "A **word**, and"),
        ("First <br/> then", f"Erst {ONE} dann", "Erst <br/> dann"),
        ("Der ›Experte‹ irrte", f"The {ONE} expert{TWO} was", "The ›expert‹ was"),
        ("As shown in [12][13], it is", f"Wie in {ONE} gezeigt", "Wie in [12][13] gezeigt"),
        ("Sie hat 3.857 mAh.", f"It has {ONE}3,857.", "It has 3,857 mAh."),
        ("Der Wert {n}5 gilt.", f"The value {ONE}5 holds.", "The value {n}5 holds."),
    ],
)
def test_what_opens_and_closes_stays_close(sentence: str, translation: str, restored: str) -> None:
    [protected] = protect(sentence, 4)
    assert protected.restore(translation) == restored


def test_a_part_keeps_its_own_spans() -> None:
    [protected] = protect("%1 of %2 in %3", 4)
    part = protected.within(f"of {TWO} in")
    assert part.restore(part.text) == "of %2 in"
    assert part.restore("von in") == "von in %2"


def test_the_original_has_its_spans_in_their_places() -> None:
    sentence = f"37,5 °C und {THREE} und 4.500 mAh"
    [protected] = protect(sentence, 4)
    assert protected.text != sentence
    assert protected.original() == sentence


def test_pairs_share_the_placeholders_of_what_they_have_in_common() -> None:
    source, target = protect_pair("Kopiere %1 nach %2 (foo_bar)", "To %2 copy %1 (fooBar)", 4)
    first, second = source[8], source[15]
    assert {first, second} < set(symbols(4))
    assert first != second
    assert source == f"Kopiere {first} nach {second} (foo_bar)"
    assert target == f"To {second} copy {first} (fooBar)"


def test_pairs_share_words_that_cannot_be_read_only_if_an_alphabet_is_named() -> None:
    pair = ("Er lebt in 東京", "He lives in 東京")
    assert protect_pair(*pair, 4) == pair
    source, target = protect_pair(*pair, 4, Alphabet(frozenset({"LATIN"})))
    assert source[:-1] == "Er lebt in "
    assert source[-1] == target[-1] in symbols(4)


def test_repeated_spans_are_paired_one_by_one() -> None:
    source, target = protect_pair("%1 und %1 und %1", "%1 and %1", 4)
    assert source == target.replace("and", "und") + " und %1"
    assert len({*source} & {*symbols(4)}) == 2


def test_pairs_come_to_know_all_placeholders() -> None:
    pairs = [protect_pair(f"Wort {n} %1", f"Word {n} %1", 4) for n in range(100)]
    assert {source[-1] for source, _ in pairs} == {*symbols(4)}
    assert all(source[-1] == target[-1] for source, target in pairs)
    assert protect_pair("Wort %1", "Word %1", 0) == ("Wort %1", "Word %1")


@pytest.mark.parametrize(
    ("sentence", "read"),
    [
        ("Press **Save** now", f"Press {ONE} Save{TWO} now"),
        ("See [the guide](a.md)", f"See {ONE} the guide{TWO}"),
        ("A <b>fat</b> word", f"A {ONE} fat{TWO} word"),
        ("The {0}s and --all", f"The {ONE}s and {TWO}"),
        ("Nothing here", "Nothing here"),
    ],
)
def test_words_behind_what_opens_are_read_apart(sentence: str, read: str) -> None:
    [protected] = protect(sentence, 4)
    assert protected.apart(protected.text, "", len) == read
    assert protected.restore(protected.text) == sentence
    assert protected.restore(read) == sentence


def test_emoji_between_words_are_read_apart() -> None:
    [protected] = protect("Great👍Thanks for 5m²x", 4)
    assert protected.apart(protected.text, "", len) == f"Great {ONE} Thanks for 5m{TWO}x"


def test_a_unit_stands_behind_its_number() -> None:
    [protected] = protect("Es misst 5 Ångström.", 4, [(11, 19)])
    assert protected.restore(f"It measures {ONE} 5.") == "It measures 5 Ångström."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Only <b>1,250</b> people at {0}.", "Only 1,250 people at {0}."),
        ("5<sup>2</sup> km", "5<sup>2 km"),
        ("No tags.", "No tags."),
    ],
)
def test_a_sentence_is_read_without_tags_around_words(text: str, expected: str) -> None:
    [protected] = protect(text, 8)
    assert protected.sentence() == expected


@pytest.mark.parametrize("mark", ["**", "~~", "==", "__", "_", "~", "=", "/"])
@settings(max_examples=50)
@given(
    words=st.lists(st.sampled_from(["das", "rote", "Haus", "steht"]), min_size=2, max_size=6),
    place=st.integers(0, 5),
)
def test_marks_of_emphasis_come_back_on_both_sides(mark: str, words: list[str], place: int) -> None:
    place = min(place, len(words) - 1)
    inside = f"{words[place]}:"
    sentence = " ".join([*words[:place], f"{mark}{inside}{mark}", *words[place + 1 :]])
    [protected] = protect(sentence, 8)
    assert protected.spans == (mark, mark)
    one, two = protected.placeholders
    assert protected.restore(protected.text) == sentence
    assert protected.restore(f"A {one} red: {two} house") == f"A {mark}red:{mark} house"
