"""The words of the pages: one file of `service/strings` a language, and one of summaries."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from types import SimpleNamespace

from werkzeug.datastructures import LanguageAccept

from service.schemas.fields import Json

STRINGS = Path(__file__).parents[2] / "strings"
FIRST = "en"
"""The language for whom no file is written."""

Strings = Json


@functools.cache
def written_in() -> tuple[str, ...]:
    """Return the codes of the languages that there is a file of, English first."""
    codes = sorted(path.stem for path in STRINGS.glob("*.json"))
    return (FIRST, *(code for code in codes if code != FIRST))


@functools.cache
def strings_in(language: str) -> Strings:
    """Return all strings of a language of `written_in`."""
    strings: Strings = json.loads((STRINGS / f"{language}.json").read_text(encoding="utf-8"))
    return strings


@functools.cache
def summaries_in(language: str) -> dict[str, str]:
    """Return groups of addresses and summaries by their English; English itself needs none."""
    path = STRINGS / "summaries" / f"{language}.json"
    if not path.exists():
        return {}
    summaries: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return summaries


def choose_language(chosen: str | None, accepted: LanguageAccept) -> str:
    """Return the language of the page.

    Args:
        chosen: what the reader has chosen, if anything; what there is no file of is ignored.
        accepted: what the browser asks for.
    """
    if chosen in written_in():
        return str(chosen)
    accepted_codes = (code.partition("-")[0].lower() for code in accepted.values())
    return next((code for code in accepted_codes if code in written_in()), FIRST)


def words_of(strings: Strings) -> SimpleNamespace:
    """Return strings as a template names them: `t.page.copy`, which in a dict is a method."""
    return SimpleNamespace(
        **{
            name: words_of(value) if isinstance(value, dict) else value
            for name, value in strings.items()
        }
    )
