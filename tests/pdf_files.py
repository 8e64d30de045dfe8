"""Documents in PDF as reportlab makes them."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection

import pikepdf
from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

SHORT = "The dog was <b>very old</b> and slept."
LONG = (
    "It slept most of the day in front of the house. In the evening the children came home from "
    "school and played with it until it was dark. Nobody knew how old it really was."
)


def drawn(draw: Callable[[Canvas], None], **options: object) -> bytes:
    """Return a page that a function has drawn."""
    written = io.BytesIO()
    canvas = Canvas(written, pagesize=(400, 500), **options)
    draw(canvas)
    canvas.save()
    return written.getvalue()


def changed(
    data: bytes, change: Callable[[pikepdf.Pdf], object], compress_streams: bool = True
) -> bytes:
    """Return a file that a function has changed."""
    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        change(pdf)
        pdf.save(written, compress_streams=compress_streams)
    return written.getvalue()


def with_operators(data: bytes, operators: bytes, number: int = 0) -> bytes:
    """Return a file with more at the end of a page."""

    def add(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[number]
        page.Contents = pdf.make_stream(page.Contents.read_bytes() + operators)

    return changed(data, add)


def with_a_damaged_page() -> bytes:
    """Return two pages of one line each; the second has a command among its letters."""

    def draw(canvas: Canvas) -> None:
        for text in ("The first page is well.", "The second page is damaged."):
            canvas.drawString(50, 300, text)
            canvas.showPage()

    return with_operators(drawn(draw), b" BT [(x) Tj (y)] TJ ET", 1)


def report() -> bytes:
    """Return a page with headings, paragraphs, a table with lines, a link and code."""
    styles = getSampleStyleSheet()
    centred = styles["BodyText"].clone("Centred", alignment=TA_CENTER)
    grid = [("GRID", (0, 0), (-1, -1), 0.5, colors.grey)]
    link = 'See <a href="https://example.org" color="blue">the site</a> of the shelter for more.'
    story = [
        Paragraph("Annual report", styles["Title"]),
        Paragraph("What happened", styles["Heading2"]),
        Paragraph(SHORT, styles["BodyText"]),
        Paragraph(LONG, styles["BodyText"]),
        Table([["Name", "Weight"], ["Black dog", "12.5"], ["White cat", "4"]], style=grid),
        Paragraph(link, styles["BodyText"]),
        Paragraph("run --this code", styles["Code"]),
        Paragraph(LONG, centred),
    ]
    written = io.BytesIO()
    SimpleDocTemplate(written, pagesize=(420, 600)).build(story)
    return written.getvalue()


def in_strings(
    text: str, cuts: Collection[int] = (), set_apart: float = 0.0, font: str = "Helvetica"
) -> bytes:
    """Return a page with a line of text that is shown string by string, at the font's widths.

    Args:
        text: of the line; its spaces are shown unless `cuts` cut on both sides of them.
        cuts: places in the text where a new string begins; all places if there are none.
        set_apart: points between letters, as letter spacing has them.
        font: one of the standard fonts.
    """

    def draw(canvas: Canvas) -> None:
        canvas.setFont(font, 11)
        line, left, string = canvas.beginText(40, 400), 40.0, ""
        line.setCharSpace(set_apart)
        for place, char in enumerate(text, start=1):
            string += char
            if not cuts or place in cuts or place == len(text):
                line.setTextOrigin(left, 400)
                if string != " ":
                    line.textOut(string)
                left += stringWidth(string, font, 11) + set_apart * len(string)
                string = ""
        canvas.drawText(line)

    return drawn(draw)


def tagged(*lines: tuple[str, float, float, str]) -> bytes:
    """Return a page of lines, each with its paragraph, left end, height and text.

    A paragraph is called by the names of its elements from the outermost, and a number that tells
    it from others: `L/LI/Lbl 1`; elements of one name and number are one. None is needed.
    """

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for number, (path, left, base, text) in enumerate(lines):
            marked = f"/Span <</MCID {number}>> BDC" if path else "/Artifact BMC"
            canvas._code.append(marked)
            canvas.drawString(left, base, text)
            canvas._code.append("EMC")

    def add_tree(pdf: pikepdf.Pdf) -> None:
        page, known = pdf.pages[0], dict[str, pikepdf.Dictionary]()
        empty = pikepdf.Dictionary(Type=pikepdf.Name.StructTreeRoot, K=[])
        root: pikepdf.Dictionary = pdf.make_indirect(empty)
        parents = list[pikepdf.Object]()
        for number, (path, *_) in enumerate(lines):
            name, _, which = path.partition(" ")
            above, key = root, ""
            for tag in filter(None, name.split("/")):
                key += f"/{tag} {which}"
                if key not in known:
                    known[key] = pdf.make_indirect(
                        pikepdf.Dictionary(S=pikepdf.Name(f"/{tag}"), P=above, Pg=page.obj, K=[])
                    )
                    above.K.append(known[key])
                above = known[key]
            if path:
                above.K.append(number)
            parents.append(above if path else pikepdf.Object.parse(b"null"))
        root.ParentTree = pdf.make_indirect(pikepdf.Dictionary(Nums=[0, pikepdf.Array(parents)]))
        page.StructParents = 0
        pdf.Root.StructTreeRoot = root
        pdf.Root.MarkInfo = pikepdf.Dictionary(Marked=True)

    return changed(drawn(draw), add_tree)


def with_codes(*texts: tuple[str, bytes]) -> bytes:
    """Return a page of lines, each of codes in a font that names its letters by numbers.

    The font has the name before the codes; without one, it is a font of pictures.
    """
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(400, 500))
    names = [pikepdf.Name(f"/g{code}") for code in range(256)]
    fonts, content = pikepdf.Dictionary(), b"BT "
    for number, (name, codes) in enumerate(texts):
        encoding = pikepdf.Dictionary(Type=pikepdf.Name.Encoding, Differences=[0, *names])
        font = pikepdf.Dictionary(
            Type=pikepdf.Name.Font, Encoding=encoding, FirstChar=0, LastChar=255
        )
        font.Widths = pikepdf.Array([500] * 256)
        if name:
            font.Subtype, font.BaseFont = pikepdf.Name.Type1, pikepdf.Name(f"/{name}")
        else:
            square = pdf.make_stream(b"500 0 0 0 400 400 d1 0 0 400 400 re f")
            font.Subtype, font.FontBBox = pikepdf.Name.Type3, pikepdf.Array([0, 0, 500, 500])
            font.FontMatrix = pikepdf.Array([0.001, 0, 0, 0.001, 0, 0])
            font.CharProcs = pikepdf.Dictionary({f"/g{code}": square for code in {*codes}})
        fonts[f"/F{number}"] = font
        place = f"/F{number} 11 Tf 1 0 0 1 40 {400 - 40 * number} Tm"
        content += f"{place} <{codes.hex()}> Tj ".encode()
    page.Resources = pikepdf.Dictionary(Font=fonts)
    page.Contents = pdf.make_stream(content + b"ET")
    written = io.BytesIO()
    pdf.save(written)
    return written.getvalue()
