"""Which texts of a request are translated together, and from which language."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.schemas.translate.request import AUTO, TranslateRequest, check_pair
from translator.detection.detector import Detected, Detection
from translator.errors import InputError, UnreadLanguageError
from translator.language_names import english_name

if TYPE_CHECKING:
    from translator.detection.detector import Detector
    from translator.translate.translation import Language

UNDETECTED = "en"
"""The language of a text that cannot be told, as in LibreTranslate; another where it is missing."""

_MARKUP = re.compile(r"<(script|style)\b.*?</\1\s*>|<!--.*?-->|<[/!?a-z][^<>]*>", re.DOTALL | re.I)


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """How the texts of a request are translated.

    Attributes:
        groups: the numbers of the texts of each source language.
        detected: with `auto`, the language of each text; None for one that is no text.
        faults: why texts are not translated, by number; they are in no group.
        left: numbers of those with faults that come back as they are.
    """

    groups: Mapping[str, Sequence[int]]
    detected: Sequence[Detected | None] = ()
    faults: Mapping[int, str]
    left: Sequence[int] = ()


def make_plan(request: TranslateRequest, languages: Sequence[Language], detector: Detector) -> Plan:
    """Find the language of each text, and put those of one language together.

    Clients of LibreTranslate know of no error of a single text. So for a request that does not want
    such errors, a text in a language that no model reads comes back as it is, if there are others.

    Raises:
        UnreadLanguageError: no text is in a language of the model.
        InputError: a text is in a language that is not translated into the one wanted; unless the
            request wants such errors for each text.
    """
    numbers = [number for number in range(len(request.texts)) if number not in request.faults]
    if request.source != AUTO:
        return Plan(groups={request.source: numbers} if numbers else {}, faults=request.faults)
    by_code = {language.code: language for language in languages}
    fallback = undetected(languages, request.target)
    found = {number: examine(request.texts[number], request, detector) for number in numbers}
    groups: dict[str, list[int]] = {}
    faults = dict(request.faults)
    for number, one in found.items():
        if one.other is not None:
            faults[number] = str(unread(one.other, f"q[{number}]" if request.is_batch else "q"))
            continue
        source = by_code[best_of(one, fallback).language]
        try:
            check_pair(source, by_code[request.target])
        except InputError as error:
            if not request.has_errors:
                raise
            faults[number] = str(error)
        else:
            groups.setdefault(source.code, []).append(number)
    others = {number: one.other for number, one in found.items() if one.other}
    is_any_read = any(one.languages and not one.other for one in found.values())
    if others and not (is_any_read or request.has_errors):
        raise unread(next(iter(others.values())), "q")
    return Plan(
        groups=groups,
        detected=[
            best_of(found[number], fallback) if number in found else None
            for number in range(len(request.texts))
        ],
        faults=faults,
        left=() if request.has_errors else tuple(others),
    )


def undetected(languages: Sequence[Language], target: str | None = None) -> Detected:
    """Return what stands for the language of a text that cannot be told: English, if possible.

    Args:
        languages: of the model.
        target: language wanted, into which that language must be translated.
    """
    codes = [
        language.code for language in languages if target is None or target in language.targets
    ]
    code = UNDETECTED if UNDETECTED in codes else next(iter(codes), languages[0].code)
    return Detected(language=code, confidence=0.0)


def examine(text: str, request: TranslateRequest, detector: Detector) -> Detection:
    """Return which language a text is in, of whose markup nothing counts."""
    if request.text_format in ("html", "xml"):
        text = html.unescape(_MARKUP.sub(" ", text))
    return detector.examine(text)


def best_of(detection: Detection, fallback: Detected) -> Detected:
    """Return the language of a text: another one, or the likeliest of the model's."""
    return detection.other or next(iter(detection.languages), fallback)


def unread(other: Detected, name: str) -> UnreadLanguageError:
    """Return the error of a text in a language that no model reads.

    Args:
        other: that language.
        name: of the text.
    """
    message = (
        f"{name} seems to be in {english_name(other.language)} ({other.language}, "
        f"{other.confidence:.1f} %), which no model here reads; if that is wrong, name its "
        "language as source"
    )
    return UnreadLanguageError(message, other.language, other.confidence)
