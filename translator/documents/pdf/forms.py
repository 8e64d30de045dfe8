"""Forms of pages put into the pages themselves, so that their text can be changed.

Browsers put text that is pale or turned into forms, and programs for layout what is placed.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

import pikepdf
from pikepdf import Array, ContentStreamInstruction, Dictionary, Name, Operator

_MOST_OPERATORS = 50_000  # of a page, with its forms
_DEEPEST = 3  # forms inside forms
_SHOWS = frozenset({"Tj", "TJ", "'", '"'})
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
    *(pikepdf.PdfError, pikepdf.PasswordError, pikepdf.DependencyError),
    *(AttributeError, IndexError, KeyError, TypeError, ValueError),
)
_PAIRS = {"q": "Q", "BT": "ET", "BDC": "EMC", "BMC": "EMC"}
_AS_AT_FIRST = {"/ca": 1, "/CA": 1, "/BM": "/Normal", "/SMask": "/None"}
"""What a state of graphics has at the beginning of a group."""


def without_forms(data: bytes) -> bytes:
    """Return a file whose pages show the text of simple forms themselves.

    What is damaged or encrypted stays as it is; the reader of text says so.
    """
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            pages = () if pdf.is_encrypted else pdf.pages
            if not any(
                [_Inliner(pdf, page).is_changed for page in pages if _forms(page.resources)]
            ):
                return data
            written = io.BytesIO()
            pdf.save(written)
            return written.getvalue()
    except _UNREADABLE:
        return data


def _forms(resources: Any) -> dict[str, Any]:
    named = resources.get("/XObject") if isinstance(resources, Dictionary) else None
    known = named.items() if isinstance(named, Dictionary) else ()
    return {
        name: one
        for name, one in known
        if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == Name.Form
    }


class _Inliner:
    def __init__(self, pdf: pikepdf.Pdf, page: pikepdf.Page) -> None:
        """Change the page, if that is possible."""
        self._resources = {
            kind: Dictionary(dict(named.items())) if isinstance(named, Dictionary) else named
            for kind, named in page.resources.items()
        }
        self._num_operators = 0
        self._prefixes = dict[tuple[int, int], str]()  # of the names of each form; none if it stays
        inlined = [*self._inlined(page, page.resources, "", False, 0)]
        self.is_changed = any(self._prefixes.values()) and self._num_operators < _MOST_OPERATORS
        if self.is_changed:
            page.Resources = Dictionary(self._resources)
            page.Contents = pdf.make_stream(pikepdf.unparse_content_stream(inlined))

    def _inlined(
        self, content: Any, resources: Any, prefix: str, is_group: bool, depth: int
    ) -> Iterator[Any]:
        """Yield the operators of a page or a form, with the names that the page has for them."""
        forms = _forms(resources)
        for instruction in pikepdf.parse_content_stream(content):
            self._num_operators += 1
            if self._num_operators > _MOST_OPERATORS:
                return
            name, form = str(instruction.operator), None
            if name == "Do" and depth < _DEEPEST and instruction.operands:
                form = forms.get(str(instruction.operands[0]))
            if form is not None and self._prefix(form):
                yield from self._in_place(form, depth)
            elif prefix and name in _NAMES:
                yield from _renamed(instruction, prefix, is_group, resources)
            else:
                yield instruction

    def _prefix(self, form: Any) -> str:
        """Return what the names of a form begin with on the page; empty if it stays a form."""
        if form.objgen not in self._prefixes:
            prefix = f"/Form{len(self._prefixes)}-" if _is_simple(form) else ""
            self._prefixes[form.objgen] = prefix
            for kind, named in form.Resources.items() if prefix else ():
                if isinstance(named, Dictionary):
                    known = self._resources.setdefault(kind, Dictionary())
                    for name, one in named.items():
                        known[prefix + name[1:]] = one
        return self._prefixes[form.objgen]

    def _in_place(self, form: Any, depth: int) -> Iterator[Any]:
        """Yield the operators of a form with its matrix and its clip."""
        left, bottom, right, top = (float(side) for side in form.BBox)
        box = [min(left, right), min(bottom, top), abs(right - left), abs(top - bottom)]
        yield operator("q")
        yield operator("cm", [*form.get("/Matrix", _NO_MATRIX)])
        yield operator("re", [round(side, 4) for side in box])
        yield operator("W")
        yield operator("n")
        prefix = self._prefix(form)
        yield from self._inlined(form, form.Resources, prefix, "/Group" in form, depth + 1)
        yield operator("Q")


def operator(name: str, operands: Sequence[Any] = ()) -> ContentStreamInstruction:
    """Return an instruction of a page."""
    return ContentStreamInstruction([*operands], Operator(name))


def _renamed(instruction: Any, prefix: str, is_group: bool, resources: Any) -> Iterator[Any]:
    """Yield an operator of a form with the name that the page has for its resource.

    The first state of a group would undo that of the page. Numbers of marked content are the
    page's own.
    """
    name, operands = str(instruction.operator), [*instruction.operands]
    place = 1 if name in ("BDC", "DP") else 0
    known = resources.get(_NAMES[name])
    named = str(operands[place]) if isinstance(operands[place], Name) else ""
    if name == "gs" and is_group:
        return
    if name == "BDC" and not named:
        yield operator("BMC", operands[:1])
    elif named and isinstance(known, Dictionary) and named in known:
        operands[place] = Name(prefix + named[1:])
        yield operator(name, operands)
    else:
        yield instruction


def _is_simple(form: Any) -> bool:
    """Return whether a form has text, and looks the same when it is a part of its page."""
    own = form.get("/Resources")
    if not isinstance(own, Dictionary) or "/Pattern" in own or "/OC" in form:
        return False
    if not isinstance(form.get("/BBox"), Array) or len(form.BBox) != 4:
        return False
    states = own.get("/ExtGState")
    known = states.values() if "/Group" in form and isinstance(states, Dictionary) else ()
    return all(map(_is_as_at_first, known)) and _has_text_in_pairs(form)


def _is_as_at_first(state: Any) -> bool:
    return all(str(state.get(key, value)) == str(value) for key, value in _AS_AT_FIRST.items())


def _has_text_in_pairs(form: Any) -> bool:
    """Return whether a form shows text, and closes all that it opens."""
    opened = dict.fromkeys(_PAIRS.values(), 0)
    has_text = False
    for instruction in pikepdf.parse_content_stream(form):
        if isinstance(instruction, pikepdf.ContentStreamInlineImage):
            return False
        name = str(instruction.operator)
        has_text |= name in _SHOWS
        if name in _PAIRS:
            opened[_PAIRS[name]] += 1
        elif name in opened:
            opened[name] -= 1
            if opened[name] < 0:
                return False
    return has_text and not any(opened.values())
