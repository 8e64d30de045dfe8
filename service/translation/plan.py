"""Which texts of a request are translated together, and from which language."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.schemas.translate.request import AUTO, TranslateRequest, check_pair
from translator.detection.detector import Detected
from translator.errors import InputError

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
        detected: with `auto`, the language of each text.
        faults: why texts are not translated, by number; they are in no group.
    """

    groups: Mapping[str, Sequence[int]]
    detected: Sequence[Detected] = ()
    faults: Mapping[int, str]


def make_plan(request: TranslateRequest, languages: Sequence[Language], detector: Detector) -> Plan:
    """Find the language of each text, and put those of one language together.

    Raises:
        InputError: a text is in a language that is not translated into the one wanted; unless the
            request wants such errors for each text.
    """
    numbers = [number for number in range(len(request.texts)) if number not in request.faults]
    if request.source != AUTO:
        return Plan(groups={request.source: numbers} if numbers else {}, faults=request.faults)
    by_code = {language.code: language for language in languages}
    fallback = undetected(languages, request.target)
    detected = [best_of(text, request, detector, fallback) for text in request.texts]
    groups: dict[str, list[int]] = {}
    faults = dict(request.faults)
    for number in numbers:
        source = by_code[detected[number].language]
        try:
            check_pair(source, by_code[request.target])
        except InputError as error:
            if not request.has_errors:
                raise
            faults[number] = str(error)
        else:
            groups.setdefault(source.code, []).append(number)
    return Plan(groups=groups, detected=detected, faults=faults)


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


def best_of(
    text: str, request: TranslateRequest, detector: Detector, fallback: Detected
) -> Detected:
    """Return the language of a text, of whose markup nothing counts."""
    if request.text_format in ("html", "xml"):
        text = html.unescape(_MARKUP.sub(" ", text))
    return next(iter(detector.detect(text)), fallback)
