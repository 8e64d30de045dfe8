"""Lines that belong together are one paragraph, and others are not."""

from __future__ import annotations

import dataclasses

import pytest

from translator.documents.pdf.blocks import Block, blocks_of
from translator.documents.pdf.runs import Box, Run
from translator.documents.pdf.typefaces import Face

SIZE = 10.0


def run(text: str, left: float, base: float, width: float | None = None) -> Run:
    right = left + (width if width is not None else 5.0 * len(text))
    return Run(0, text, left, right, base, SIZE)


def said(*runs: Run) -> list[str]:
    return ["".join(text for text, _ in block.parts()) for block in blocks_of(runs)]


def lines(*texts: str, left: float = 50, width: float = 200) -> list[Run]:
    """Return lines as wide as each other, but the last."""
    ends = [width] * (len(texts) - 1) + [5.0 * len(texts[-1])]
    return [
        run(text, left, 700 - 12 * number, end)
        for number, (text, end) in enumerate(zip(texts, ends, strict=True))
    ]


def test_lines_of_a_paragraph_are_joined() -> None:
    long = "A line which ends early though it has room for the next of all its words, so"
    assert said(
        run(long, 50, 700, 380), run("that it goes on", 50, 688), run("x" * 90, 50, 600)
    ) == [f"{long} that it goes on", "x" * 90]
    numbered = (run("1. Numbers may stand far", 50, 700, 236), run("to the left.", 86, 688))
    assert said(*numbered, run("2. And more.", 50, 676)) == [
        "1. Numbers may stand far to the left.",
        "2. And more.",
    ]
    assert said(*lines("It was a dark", "and stormy night", "in May.")) == [
        "It was a dark and stormy night in May."
    ]


def test_words_that_were_broken_are_whole_again() -> None:
    assert said(*lines("A beau-", "tiful E-", "Mail")) == ["A beautiful E- Mail"]


def test_a_short_line_ends_a_paragraph() -> None:
    first = lines("This line is a full one", "and short.")
    assert said(*first, run("Another begins here", 50, 676, 200)) == [
        *("This line is a full one and short.", "Another begins here")
    ]


def test_headings_lists_and_columns_stay_apart() -> None:
    heading = dataclasses.replace(run("A heading", 50, 720), size=14.0)
    items = [
        run(f"{mark} an item that is long", 50, 600 - 12 * n, 200) for n, mark in enumerate("•-")
    ]
    assert said(heading, *lines("Some text", "goes on"), *items) == [
        *("A heading", "Some text goes on", "• an item that is long", "- an item that is long")
    ]
    left = lines("The column on the left of the page is", "read first and alone, as it is seen")
    right = lines(
        "The column on the right is another", "text by itself, of the same height", left=300
    )
    assert sorted(said(*left, *right)) == [
        "The column on the left of the page is read first and alone, as it is seen",
        "The column on the right is another text by itself, of the same height",
    ]


def test_a_wide_title_above_a_narrow_column_does_not_part_its_lines() -> None:
    title = dataclasses.replace(run("A title that is far wider", 80, 790, 440), size=16.0)
    column = lines("It was a dark", "and stormy night", "in May.", left=55)
    assert said(title, *column)[1:] == ["It was a dark and stormy night in May."]


def test_text_over_two_columns_does_not_part_the_lines_of_the_first() -> None:
    wide = lines(*["An abstract that goes over both of the columns"] * 2, "ends", width=500)
    left = [dataclasses.replace(one, base=one.base - 60) for one in lines("A dark", "night", "in")]
    right = lines("Another text begins at the right", "and goes on down here", "to", left=350)
    right = [dataclasses.replace(one, base=one.base - 57) for one in right]
    assert sorted(said(*wide, *left, *right))[0] == "A dark night in"


def test_words_in_spaced_letters_beside_others_are_whole() -> None:
    spaced, left = list[Run](), 80.0
    for char in "MONTH":
        spaced.append(run(char, left, 700, 4))
        left += 4 + 0.16 * SIZE
    dear = dataclasses.replace(run("$14,950", 40, 700, 36), face=Face(is_bold=True))
    assert said(dear, *spaced) == ["$14,950 MONTH"]


def test_cells_of_a_table_stay_apart() -> None:
    rows = [("Name", "Weight"), ("Rex", "light"), ("Bello", "heavy")]
    cells = [
        run(text, 50 + 100 * column, 700 - 12 * number)
        for number, row in enumerate(rows)
        for column, text in enumerate(row)
    ]
    assert sorted(said(*cells)) == sorted(text for row in rows for text in row)


def test_gaps_are_spaces_and_runs_keep_their_faces() -> None:
    bold = dataclasses.replace(run("very", 62, 700, 20), face=Face(is_bold=True))
    [block] = blocks_of([run("It", 50, 700, 10), bold, run("old", 84, 700, 15), run("er", 99, 700)])
    older = run("old", 84, 700, 25)
    assert block.parts() == [("It", block.lines[0].runs[0]), (" very", bold), (" older", older)]


def test_words_in_spaced_letters_stay_in_one_line_where_they_are_far_apart() -> None:
    words, left = list[Run](), 50.0
    for text in ("Sparse", "is", "better", "than", "dense"):
        words.append(dataclasses.replace(run(text, left, 700), gaps=(0.2,) * (len(text) - 1)))
        left = words[-1].right + 12
    assert said(*words) == ["Sparse is better than dense"]
    apart = [dataclasses.replace(word, gaps=()) for word in words]
    assert len(said(*apart)) == 5


def test_a_first_line_may_be_indented() -> None:
    first, *others = lines("The first line begins", "further in than the", "others.")
    indented = dataclasses.replace(first, left=65)
    assert said(indented, *others) == ["The first line begins further in than the others."]


def centred(*widths: float) -> Block:
    runs = [run("x" * 20, 200 - width / 2, 700 - 12 * n, width) for n, width in enumerate(widths)]
    [block] = blocks_of(runs)
    return block


def test_lines_with_one_middle_are_centred() -> None:
    block = centred(150, 100)
    assert block.is_centred
    assert not block.is_to_the_right
    assert block.pitch == 12


def test_lines_that_end_at_one_place_are_justified() -> None:
    [block] = blocks_of(lines("It was a dark", "and stormy night", "in May."))
    assert block.is_justified
    assert not centred(150, 100).is_justified


def test_text_that_nobody_sees_is_left_out() -> None:
    tiny = dataclasses.replace(run("tiny", 50, 700), size=0.1)
    nowhere = dataclasses.replace(run("nowhere", 50, 700), right=float("inf"))
    assert said(tiny, nowhere, dataclasses.replace(nowhere, right=float("nan"))) == []


def test_text_that_is_turned_is_a_paragraph_of_its_own() -> None:
    turned = dataclasses.replace(run("up", 50, 688), angle=90.0)
    assert said(run("level", 50, 700), turned) == ["level", "up"]


def test_letters_of_a_typewriter_that_come_one_by_one_are_words() -> None:
    """Narrow ones stand in wide room, so that there are gaps between them."""
    mono = Face(family="Mono")
    letters = [
        dataclasses.replace(run(char, 50 + 6 * place, 700, 4), face=mono)
        for place, char in enumerate("ill tools")
        if char != " "
    ]
    assert said(*letters) == ["ill tools"]


def test_items_whose_bullets_are_drawn_stay_apart() -> None:
    items = lines("An item that is so long that it fills a line", "another item")
    dots = [Box(42, 702 - 12 * number, 45, 705 - 12 * number) for number in range(2)]
    assert said(*items) == ["An item that is so long that it fills a line another item"]
    assert ["".join(text for text, _ in block.parts()) for block in blocks_of(items, dots)] == [
        *("An item that is so long that it fills a line", "another item")
    ]


def test_the_short_end_of_a_column_beside_another_belongs_to_it() -> None:
    left = lines(
        *["A line of the column on the left, which is"] * 2,
        *["long and goes on here until its end."],
        width=220,
    )
    right = lines(
        *("It took a whole winter and more until she", "let herself be touched by any of us,"),
        *["even by me."],
        left=300,
        width=220,
    )
    assert len(said(*left, *right)) == 2


SPACED = run("A line of text that has its spaces", 50, 750)


def test_cells_of_a_narrow_table_stay_apart() -> None:
    """They are closer than other cells, but no space is shown between them."""
    cells = [run("First name", 50, 700), run("Last name", 104, 700), run("Town", 153, 700)]
    assert said(SPACED, *cells) == [SPACED.text, "First name", "Last name", "Town"]
    words = [run("First ", 50, 700, 25), run("last ", 78, 700, 20), run("town", 101, 700)]
    assert said(SPACED, *words) == [SPACED.text, "First last town"]
    blank = dataclasses.replace(run("", 76, 700), right=76)
    assert said(SPACED, run("First", 50, 700), blank, run("town", 78, 700))[1:] == ["First town"]
    assert said(SPACED, run("1", 50, 700), run("€", 62, 700))[1:] == ["1", "€"]
    assert said(SPACED, run("1", 50, 700), run("€", 59, 700))[1:] == ["1 €"]


@pytest.mark.parametrize(
    ("right", "top", "texts"),
    [
        (200, 712, ["Name:", "Anna"]),
        (103, 712, ["Name: Anna"]),  # around a word, as a background is
        (200, 760, ["Name: Anna"]),  # a picture
    ],
)
def test_a_frame_to_fill_in_parts_its_label(right: float, top: float, texts: list[str]) -> None:
    runs, frame = [run("Name: ", 50, 700, 25), run("Anna", 80, 700)], Box(78, 696, right, top)
    assert [block.lines[0].text.strip() for block in blocks_of(runs, [frame])] == texts


def test_a_line_that_is_drawn_parts_cells() -> None:
    cells, rule = [run("Red", 50, 700), run("dog", 68, 700)], Box(66, 690, 66.5, 712)
    texts = [[block.lines[0].text for block in blocks_of(cells, drawn)] for drawn in ([], [rule])]
    assert texts == [["Red dog"], ["Red", "dog"]]


def test_options_behind_boxes_stay_apart_and_their_boxes_stand_alone() -> None:
    options = [
        *(run("Answer: ", 50, 700, 35), run("☐", 88, 700), run(" A ", 96, 700, 5)),
        *(run("☐", 104, 700), run(" B ", 112, 700, 5), run("☐", 120, 700), run(" C", 128, 700, 5)),
    ]
    assert said(*options) == ["Answer:", "☐", "A", "☐", "B", "☐", "C"]


def test_bullets_far_before_their_items_keep_these_apart() -> None:
    items, left = list[Run](), 50.0
    for number, text in enumerate(("An item of some length", "which is full, as one", "more")):
        bullet = "\uf0b7" if number else "•"
        items += [
            run(bullet, left, 700 - 12 * number),
            run(text, left + 18, 700 - 12 * number, 200),
        ]
    goes_on = run("of the items is.", left + 18, 664)
    texts = [text for text in said(*items, goes_on) if len(text) > 1]
    assert texts == ["An item of some length", "which is full, as one", "more of the items is."]


def test_items_of_lists_side_by_side_go_on_below() -> None:
    items = list[Run]()
    for left in (50.0, 300.0):
        items += [run("•", left, 700), run("What may be hard in", left + 18, 700, 200)]
        items += [run("summer?", left + 18, 688), run("•", left, 676)]
        items += [run("Nothing", left + 18, 676)]
    texts = [text for text in said(*items) if len(text) > 1]
    assert texts == [*["What may be hard in summer?"] * 2, *["Nothing"] * 2]


def test_words_of_a_justified_line_stay_together_where_they_are_far_apart() -> None:
    full = run("The first line is full of text", 50, 700, 200)
    words = [run("internationalisation ", 50, 688, 105), run("requires", 175, 688, 75)]
    assert said(full, *words, run("it.", 50, 676)) == [
        "The first line is full of text internationalisation requires it."
    ]
    cells = [run("internationalisation ", 50, 688, 105), run("requires", 175, 688, 45)]
    assert "requires" in said(full, *cells)


def test_dots_to_the_number_of_a_page_do_not_tell_how_far_letters_are_apart() -> None:
    text = "Notesonsigns" + "." * 30
    gaps = [0.0 if char != "." else 0.22 for char in text[1:]]
    gaps[4] = gaps[6] = 0.28
    assert said(dataclasses.replace(run(text, 50, 700), gaps=tuple(gaps)))[0].startswith(
        "Notes on signs"
    )


def led(text: str, number: str, base: float) -> list[Run]:
    """Return an entry of a table of contents, which ends at 300 points."""
    left, right = 50 + 5.0 * len(text), 300 - 5.0 * len(number)
    dots = "." * int((right - left) / 2)
    return [
        run(text, 50, base),
        run(dots, left, base, right - left),
        run(f" {number}", right, base, 300 - right),
    ]


def test_a_leader_ends_an_entry_and_its_number_stands_alone() -> None:
    entries = [
        *led("How to begin", "3", 700),
        *(run("A title that goes over two lines and to", 50, 688, 225), *led("its end", "12", 676)),
        run("Prices", 50, 664),
        *(*led("Soup of the day", "4.50 €", 652), *led("Name", "", 640)),
    ]
    assert [text for text in said(*entries) if not text.startswith(".")] == [
        *("How to begin", "3", "A title that goes over two lines and to its end", "12", "Prices"),
        *("Soup of the day", "4.50 €", "Name"),
    ]
    letters = [
        run(char, 50 + 5 * place, 700) for place, char in enumerate("Soup......................9")
    ]
    assert said(*letters) == ["Soup", "9"]


def test_dots_inside_a_sentence_are_to_be_filled_in() -> None:
    gap = [
        *(run("I was born in ", 50, 700), run("." * 30, 120, 700, 80)),
        *(run(" and live in ", 200, 700), run("." * 30, 265, 700, 80), run(" today.", 345, 700)),
    ]
    assert len(said(*gap)) == 1
    assert len(said(*gap[:2], run(" and live", 200, 700))) == 1


CELLS = [
    [
        ("The machine", "does not start"),
        ("The plug is", "not in yet"),
        ("Put into the", "Big Plug"),
    ],
    [("The water is", "still cold"), ("Lime is in it", "by now"), ("Rinse it and", "Start Again")],
]
"""Rows of cells, each of two lines; some lines begin in capitals."""


def table(pitch: float) -> tuple[list[Run], list[Box]]:
    """Return a table without lines, and the frames of its cells."""
    runs, frames = list[Run](), list[Box]()
    for row, cells in enumerate(CELLS):
        for column, texts in enumerate(cells):
            left, base = 50 + 80.0 * column, 700 - pitch * row
            runs += [run(text, left, base - 12 * n) for n, text in enumerate(texts)]
            frames.append(Box(left - 3, base - 16, left + 76.5, base + 11))
    return runs, frames


def test_lines_of_a_cell_are_one_text_where_cells_are_drawn() -> None:
    runs, frames = table(28)
    texts = [*map(" ".join, (cell for row in CELLS for cell in row))]
    rules = [Box(box.left, box.bottom - 0.5, box.right, box.bottom) for box in frames]
    rules += [Box(box.left, box.top, box.right, box.top + 0.5) for box in frames]
    rules += [Box(box.left - 0.5, box.bottom - 0.5, box.left, box.top) for box in frames]
    rules += [Box(box.right, box.bottom - 0.5, box.right + 0.5, box.top) for box in frames]
    for drawn in (frames, rules):
        blocks = [" ".join(line.text for line in block.lines) for block in blocks_of(runs, drawn)]
        assert all(any(block in text for text in texts) for block in blocks)
        assert len({*blocks} & {*texts}) > 4


def test_rows_of_a_table_are_farther_apart_than_the_lines_of_a_cell() -> None:
    runs, _ = table(30)
    apart = said(*runs, run("The light is", 50, 640), run("It is dark", 130, 640))
    assert {"The machine does not start", "Lime is in it by now"} <= {*apart}
    assert "Put into the" in apart  # no more is known of capitals
    with_numbers = [*runs, *(run("12", 300, 700 - 30 * n - 12 * m) for n in (0, 1) for m in (0, 1))]
    assert {"The machine", "does not start"} <= {*said(*with_numbers)}


def test_cells_with_frames_of_their_own_stay_apart() -> None:
    runs, frames = list[Run](), list[Box]()
    for row in range(2):
        for left in (50.0, 102.0):
            runs.append(run(f"a cell {row}", left, 700 - 20 * row, 49))
            frames.append(Box(left - 1, 696 - 20 * row, left + 50, 711 - 20 * row))
    assert len({line.text for block in blocks_of(runs) for line in block.lines}) == 2
    assert len(blocks_of(runs, frames)) == 4
    marked = [Box(49, 696, 100, 711), Box(102, 696, 152, 711)]  # words with a background
    assert len(blocks_of(runs[:2], marked)) == 1


def test_cells_that_begin_at_one_place_stay_apart_however_near() -> None:
    rows = [("200", "Speaks French and more"), ("1800", "Only in the morning"), ("9", "Until May")]
    runs = [
        one
        for row, (number, text) in enumerate(rows)
        for one in (
            run(number, 70 - 5 * len(number), 700 - 13 * row),
            run(text, 72, 700 - 13 * row),
        )
    ]
    assert len(said(*runs)) == 6
    assert len(said(*runs[:4])) < 4


def test_items_and_columns_beside_others_go_on_in_short_lines() -> None:
    item = run("1. Sift the flour and melt the yeast in the", 200, 700)
    side = [run(text, 50, 700 - 12 * n) for n, text in enumerate(("Flour", "Yeast"))]
    assert "1. Sift the flour and melt the yeast in the Warm milk" in said(
        item, run("Warm milk", 212, 688), *side
    )
    text = run("There are drinks in the foyer during the long", 200, 700)
    assert f"{text.text} break here." in said(text, run("break here.", 200, 688), *side)


def test_bullets_that_are_drawn_are_as_large_as_their_letters() -> None:
    items = [
        dataclasses.replace(run(text, 60, 700 - 28 * n, 390), size=24.0)
        for n, text in enumerate(("Pack all of your boxes", "Label every box of yours"))
    ]
    dots = [Box(44, 703 - 28 * n, 51.5, 710.5 - 28 * n) for n in range(2)]
    assert len(said(*items)) == 1
    assert len(blocks_of(items, dots)) == 2
    small = lines("An item that is so long that it fills a line", "another item")
    pictures = [Box(25, 699 - 12 * n, 32.5, 706.5 - 12 * n) for n in range(2)]
    assert len(blocks_of(small, pictures)) == 1


def below(*texts: str, left: float = 50, top: float = 700, step: float = 12) -> list[Run]:
    """Return lines below each other, each as wide as its text."""
    return [run(text, left, top - step * number) for number, text in enumerate(texts)]


WIDE = run("x" * 90, 50, 600)  # what else is on the page tells how wide its text is
NAMES = ("HRA 12345", "phone (555) 23 78", "Bei Spiel GmbH of Stadthausen", "www.example.org")


@pytest.mark.parametrize(
    ("runs", "num_texts"),
    [
        (below(*NAMES), 4),  # most lines end where the next word would have fitted
        (below("[1] A. Author, Title", "[2] B. Author, Text"), 2),
        (below("§ 1 Scope of the law", "§ 2 What words mean"), 2),
        (
            [
                run("10.1 The first paragraph of the law", 50, 700, 450),
                run("hangs.", 72, 688),
                WIDE,
            ],
            2,
        ),
        (below("Signed on ____________", "Signed in ____________"), 2),
        (below("______________________", "Place, date, signature"), 2),
        ([run(f"{n}", 19 * n, 700, 15) for n in range(11, 15)], 4),  # of a timetable
        ([run("!", 50, 700), run("A bullet of some font", 65, 700)], 2),
    ],
)
def test_lines_that_look_alike_are_one_text_or_several(runs: list[Run], num_texts: int) -> None:
    assert len(said(*runs)) == num_texts


def test_rows_with_numbers_and_places_beside_them_stay_rows() -> None:
    rows = list[Run]()
    for base in (700, 688, 676):
        rows += [run("2019", 50, base), run("Finalist of the World Final in Hacking", 90, base)]
        rows += [run("Las Vegas", 300, base)]
    assert said(*rows).count("Finalist of the World Final in Hacking") == 3


def test_entries_of_contents_with_numbers_on_both_sides_stay_apart() -> None:
    entries = list[Run]()
    for number, base in ((28, 700), (29, 688)):
        entries += [
            run(str(number), 50, base),
            run("An entry of the contents that is long " * 2, 80, base),
        ]
        entries += [run(str(number + 5), 500, base)]
    assert len(said(*entries)) == 6


def test_lines_beside_a_picture_end_where_most_of_them_do() -> None:
    text = [run("These lines end near it", 50, 700 - 12 * row, 150 + row) for row in range(7)]
    picture = Box(230, 600, 500, 720)
    wide = run("x" * 90, 50, 500)
    assert [len(block.lines) for block in blocks_of([*text, wide], [picture])] == [7, 1]


def test_letters_of_a_justified_line_make_words_beside_another_column() -> None:
    letters = list[Run]()
    for number, texts in enumerate((("Das Netz ist da", 13.0), ("Kombination aus", 24.0))):
        words, gap = str(texts[0]).split(), float(texts[1])
        x = 50.0
        for word in words:
            for letter in word:
                new = run(letter, x, 700 - 12 * number)
                letters.append(dataclasses.replace(new, number=len(letters)))
                x += 5
            x += gap
        letters[-1] = dataclasses.replace(letters[-1], left=139, right=144)
    right = [run("x" * 20, 200, 700 - 12 * number) for number in range(2)]
    assert said(*letters, *right)[0].startswith("Das Netz ist d")


def test_a_bullet_of_a_typewriter_begins_an_item() -> None:
    bullet = dataclasses.replace(run("o", 50, 688), face=Face("Mono"))
    item = [run("An item that fills its line", 59, 700, 200), run("another one", 59, 688)]
    assert len(said(*item)) == 1
    assert len(said(*item, bullet)) == 3


def test_a_line_in_another_face_is_a_text_of_its_own() -> None:
    head = dataclasses.replace(
        run("A head as wide as its text", 50, 700, 200), face=Face("Sans", True)
    )
    assert len(said(head, run("Text goes on below", 50, 688, 190))) == 2
    red = dataclasses.replace(run("A red line as wide", 50, 700, 200), colour=(200, 0, 0))
    assert len(said(red, run("Text goes on below", 50, 688, 190))) == 2
