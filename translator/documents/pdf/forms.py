"""Forms of pages put into the pages themselves, so that their text can be changed.

Browsers put text that is pale or turned into forms, and programs for layout what is placed.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pikepdf
import pypdfium2
from fontTools import agl
from pikepdf import ContentStreamInstruction, Dictionary, Name, Operator

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.pixels import differing
from translator.documents.pdf.typefaces import unicode_map

_MOST_OPERATORS = 50_000  # of a page, with its forms
_SHOWS = "Tj TJ ' \""
_NAMES = {
    "Tf": "/Font",
    "gs": "/ExtGState",
    "Do": "/XObject",
    "sh": "/Shading",
    "cs": "/ColorSpace",
    "CS": "/ColorSpace",
    "BDC": "/Properties",
    "DP": "/Properties",
}
"""Operators that name a resource, and its kind."""

_NO_MATRIX = (1, 0, 0, 1, 0, 0)
_UNREADABLE = (
    *(pikepdf.PdfError, pikepdf.PasswordError, pikepdf.DependencyError, pypdfium2.PdfiumError),
    *(AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError),
)
_AS_AT_FIRST = {"/ca": 1, "/CA": 1, "/BM": "/Normal", "/SMask": "/None"}
"""What a state of graphics has at the beginning of a group."""


def without_forms(data: bytes, kept: Collection[int] = ()) -> bytes:
    """Return a file whose pages show the text of forms themselves, if they look the same then.

    Fonts tell the ligatures that they name. What is damaged or encrypted stays; PDFium is called.
    """
    changed, written, fonts = list[int](), io.BytesIO(), dict[tuple[int, int], Any]()
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            for number, page in enumerate(() if pdf.is_encrypted else pdf.pages):
                with contextlib.suppress(*_UNREADABLE):
                    if number not in kept and _forms(page.resources):
                        changed += [number] * _Inliner(pdf, page).is_changed
                    fonts |= {font.objgen: font for _, font in page.resources.Font.items()}
            if not [*_telling(pdf, fonts.values()), *changed]:
                return data
            pdf.save(written)
        others = differing(data, written.getvalue(), changed)
        return without_forms(data, {*kept, *others}) if others else written.getvalue()
    except _UNREADABLE:
        return data


def _telling(pdf: pikepdf.Pdf, fonts: Iterable[Any]) -> Iterator[Any]:
    """Have fonts tell the letters of ligatures that they name, and yield those that have some."""
    for font in fonts:
        code, known = 0, dict[int, str]()
        with contextlib.suppress(*_UNREADABLE):  # as of one without names
            names = font.Encoding.Differences
            for one in names if "/ToUnicode" not in font and len(names) <= by.MOST_CODES else ():
                code = code + 1 if isinstance(one, Name) else int(one) - 1
                known |= {code: agl.toUnicode(str(one)[1:])} if "_" in str(one) else {}
            if any(known.values()):
                font.ToUnicode = pdf.make_stream(unicode_map(known))
                yield font


def _forms(resources: Any) -> dict[str, Any]:
    named = resources.get("/XObject") if isinstance(resources, Dictionary) else None
    known = named.items() if isinstance(named, Dictionary) else ()
    return {
        name: one
        for name, one in known
        if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == Name.Form
    }


class _Content(NamedTuple):
    """A page or a form, its resources, and what their names begin with on the page.

    The first state of a group would undo that of the page; it `is_in_state` without its own.
    """

    stream: Any
    resources: Any
    prefix: str = ""
    is_in_state: bool = False


class _Inliner:
    def __init__(self, pdf: pikepdf.Pdf, page: pikepdf.Page) -> None:
        """Change the page, if that is possible."""
        self._resources = {
            kind: Dictionary(dict(named.items())) if isinstance(named, Dictionary) else named
            for kind, named in page.resources.items()
        }
        self._num_names = sum(map(len, self._resources.values()))
        self._num_operators, self.is_changed = 0, False
        self._have_text = dict[tuple[int, int], bool]()
        inlined = [*self._inlined(_Content(page, page.resources))]
        self.is_changed &= self._num_operators <= _MOST_OPERATORS
        if self.is_changed:
            page.Resources = Dictionary(self._resources)
            page.Contents = pdf.make_stream(pikepdf.unparse_content_stream(inlined))

    def _inlined(self, content: _Content) -> Iterator[Any]:
        """Yield the operators of a page or a form, with the names that the page has for them."""
        forms = _forms(content.resources)
        for instruction in pikepdf.parse_content_stream(content.stream):
            self._num_operators += 1
            if self._num_operators > _MOST_OPERATORS:
                return
            name, form = str(instruction.operator), None
            if name == "Do" and instruction.operands:
                form = forms.get(str(instruction.operands[0]))
            if form is not None and self._has_text(form):
                yield from self._in_place(form, content)
            elif content.prefix and name in _NAMES:
                yield from _renamed(instruction, content)
            else:
                yield instruction

    def _has_text(self, form: Any) -> bool:
        """Return whether a form shows text, also in others; patterns and layers are its own."""
        if form.objgen not in self._have_text:
            self._have_text[form.objgen] = False  # a form may show itself
            own = form.get("/Resources", {})
            if "/Pattern" not in own and "/OC" not in form:
                has_text = any(pikepdf.parse_content_stream(form, _SHOWS))
                has_text = has_text or any(map(self._has_text, _forms(own).values()))
                self._have_text[form.objgen] = has_text
        return self._have_text[form.objgen]

    def _in_place(self, form: Any, outer: _Content) -> Iterator[Any]:
        """Yield the operators of a form with its matrix and its clip.

        The page gets names for its resources; in old files it may have none.
        """
        own = form.get("/Resources", outer.resources)
        states = own.get("/ExtGState", {}).values()
        is_in_state = ("/Group" in form or outer.is_in_state) and all(map(_is_as_at_first, states))
        prefix = f"/Form{self._num_names}-{form.objgen[0]}-"
        for kind, named in own.items():
            if isinstance(named, Dictionary):
                known = self._resources.setdefault(kind, Dictionary())
                known.update({prefix + name[1:]: one for name, one in named.items()})
        self.is_changed = True
        box = pikepdf.Rectangle(form.BBox)
        yield operator("q")
        yield operator("cm", [*form.get("/Matrix", _NO_MATRIX)])
        yield operator("re", [round(side, 4) for side in (box.llx, box.lly, box.width, box.height)])
        yield operator("W")
        yield operator("n")
        yield from self._inlined(_Content(form, own, prefix, is_in_state))
        yield operator("Q")


def operator(name: str, operands: Sequence[Any] = ()) -> ContentStreamInstruction:
    """Return an instruction of a page."""
    return ContentStreamInstruction([*operands], Operator(name))


def _renamed(instruction: Any, content: _Content) -> Iterator[Any]:
    """Yield an operator of a form with the name that the page has for its resource.

    Numbers of marked content are the page's own.
    """
    name, operands = str(instruction.operator), [*instruction.operands]
    if name == "gs" and content.is_in_state:
        return
    place = 1 if name in ("BDC", "DP") else 0
    if isinstance(operands[place], Dictionary) and "/MCID" in operands[place]:
        del operands[place]["/MCID"]
    elif isinstance(operands[place], Name):
        named = str(operands[place])
        if named in content.resources.get(_NAMES[name], {}):
            operands[place] = Name(content.prefix + named[1:])
    yield operator(name, operands)


def _is_as_at_first(state: Any) -> bool:
    return all(state.get(key, value) == value for key, value in _AS_AT_FIRST.items())
