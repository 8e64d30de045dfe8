"""Draw a slide, a sheet and a page of PDF beside their translations, for the documentation.

    python -m tests.benchmarks.file_pictures docs/images

LibreOffice and `pdftoppm` (Debian's poppler-utils) draw them.
"""

from __future__ import annotations

import argparse
import io
import subprocess
from pathlib import Path

from PIL import Image, ImageOps

from tests.libreoffice import as_pdf
from tests.pdf_files import report
from tests.presentations import slides
from tests.workbooks import workbook
from translator.documents.kinds import read_file
from translator.translate.options import TextOptions
from translator.translate.texts import translate_document
from translator.translate.translator import DEFAULT_MODEL, Translator

SAMPLES = {"slide.pptx": (slides, 2), "sheet.xlsx": (workbook, 1), "page.pdf": (report, 1)}
"""What makes each file, and which of its pages is drawn."""

_WIDTH, _DPI, _BORDER = 520, 110, "#bbbbbb"


def main() -> None:
    """Draw all pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="for the pictures")
    parser.add_argument("--model", type=Path, default=DEFAULT_MODEL)
    options = parser.parse_args()
    with Translator.load(options.model) as translator:
        for name, (make, page) in SAMPLES.items():
            before = make()
            document = read_file(name, before, "de")
            after = translate_document(translator, document, TextOptions(source="en", target="de"))
            picture = side_by_side(*(drawn(name, data, page) for data in (before, after)))
            path = options.folder / f"file-{Path(name).stem}.png"
            picture.quantize(256).save(path, optimize=True)
            print(path)


def drawn(name: str, data: bytes, page: int) -> Image.Image:
    """Return one page of a file without its margins below."""
    pdf = data if name.endswith(".pdf") else as_pdf({name: data})[name]
    command = ["pdftoppm", "-r", str(_DPI), "-f", str(page), "-l", str(page), "-png", "-"]
    done = subprocess.run(command, input=pdf, check=True, capture_output=True)
    picture = Image.open(io.BytesIO(done.stdout)).convert("RGB")
    content = ImageOps.invert(picture.convert("L")).getbbox()
    bottom = min(content[3] + 20, picture.height) if content else picture.height
    height = picture.height if name.endswith(".pptx") else bottom
    cut = picture.crop((0, 0, picture.width, height))
    return cut.resize((_WIDTH, round(cut.height * _WIDTH / cut.width)), Image.Resampling.LANCZOS)


def side_by_side(left: Image.Image, right: Image.Image) -> Image.Image:
    """Return two pictures with a gap between them."""
    framed = [ImageOps.expand(one, 1, _BORDER) for one in (left, right)]
    height = max(one.height for one in framed)
    whole = Image.new("RGB", (2 * framed[0].width + 20, height), "white")
    for number, one in enumerate(framed):
        whole.paste(one, (number * (framed[0].width + 20), 0))
    return whole


if __name__ == "__main__":
    main()
