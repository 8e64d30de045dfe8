"""Choices of fields: a form shows them in the other language, and sends what it has always sent."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from translator.documents.paragraph import is_read
from translator.text.formats.document import Filler, TextUnit
from translator.text.marked import MarkedText


class Choice(NamedTuple):
    """A choice of a field.

    Attributes:
        field: number of the field among those with choices.
        number: of the choice among those of the field.
        unit: what is shown.
    """

    field: int
    number: int
    unit: TextUnit


def choices_of(data: bytes) -> list[Choice]:
    """Return the choices that are text; none of a file that cannot be read."""
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            return [
                Choice(number, place, TextUnit(MarkedText(text), text, str))
                for number, field in enumerate(_fields(pdf))
                for place, text in enumerate(map(_shown, field.Opt))
                if is_read(text)
            ]
    except (pikepdf.PdfError, pikepdf.PasswordError, ValueError):  # the reader of text says so
        return []


def change_choices(pdf: pikepdf.Pdf, choices: Sequence[Choice], filler: Filler) -> bool:
    """Show the translations of choices; return whether any differs from its choice."""
    fields, is_changed = [*_fields(pdf)], False
    for choice in choices:
        options = fields[choice.field].Opt
        said, option = filler.text([choice.unit]), options[choice.number]
        if said != choice.unit.original:
            sent = option[0] if isinstance(option, Array) else option
            options[choice.number] = Array([sent, String(said)])
            is_changed = True
    if is_changed:
        pdf.Root.AcroForm.NeedAppearances = True
    return is_changed


def _fields(pdf: pikepdf.Pdf) -> Iterator[Dictionary]:
    """Yield the fields that have choices, in the same order every time."""
    form = pdf.Root.get("/AcroForm")
    if not isinstance(form, Dictionary) or "/XFA" in form:  # which says all of it once more
        return
    waiting: list[tuple[object, object]] = [(form.get("/Fields"), None)]
    met = set[tuple[int, int]]()
    while waiting:
        fields, kind = waiting.pop()
        for field in fields if isinstance(fields, Array) else ():
            if not isinstance(field, Dictionary) or (field.is_indirect and field.objgen in met):
                continue
            met.add(field.objgen)
            its_kind = field.get("/FT", kind)
            if its_kind == Name.Ch and isinstance(field.get("/Opt"), Array):
                yield field
            waiting.append((field.get("/Kids"), its_kind))


def _shown(option: pikepdf.Object) -> str:
    """Return what a choice shows; it may be a pair of what it sends and what it shows."""
    text = option[1] if isinstance(option, Array) and len(option) == 2 else option
    return str(text) if isinstance(text, String) else ""
