"""Which texts of a request are translated together, and from which language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.schemas.translate.request import AUTO, TranslateRequest, check_pair
from translator.detection.detector import Detected
from translator.detection.sources import SourceFinder
from translator.errors import InputError, UnreadLanguageError

if TYPE_CHECKING:
    from translator.detection.detector import Detector
    from translator.translate.translation import Language


@dataclass(frozen=True, kw_only=True, slots=True)
class TextPlan:
    """How the texts of a request are translated.

    Attributes:
        groups: the numbers of the texts of each source language.
        finder: with `auto`, what has found those languages; it finds those of sentences as well.
        detected: with `auto`, the language of each text; None for one that is no text.
        faults: why texts are not translated, by number; they are in no group.
        left: numbers of those with faults that come back as they are.
    """

    groups: Mapping[str, Sequence[int]]
    finder: SourceFinder | None = None
    detected: Sequence[Detected | None] = ()
    faults: Mapping[int, str]
    left: Sequence[int] = ()


def make_plan(
    request: TranslateRequest, languages: Sequence[Language], detector: Detector
) -> TextPlan:
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
        return TextPlan(groups={request.source: numbers} if numbers else {}, faults=request.faults)
    by_code = {language.code: language for language in languages}
    finder = finder_of(request.target, languages, detector)
    is_markup = request.text_format in ("html", "xml")
    detected: list[Detected | None] = [None] * len(request.texts)
    groups: dict[str, list[int]] = {}
    faults, unread = dict(request.faults), dict[int, UnreadLanguageError]()
    for number in numbers:
        name = f"q[{number}]" if request.is_batch else "q"
        try:
            detection = finder.of_text(request.texts[number], name, is_markup=is_markup)
            detected[number] = detection
            check_pair(by_code[detection.language], by_code[request.target])
        except UnreadLanguageError as error:
            detected[number] = Detected(language=error.language, confidence=error.confidence)
            faults[number], unread[number] = str(error), error
        except InputError as error:
            if not request.has_errors:
                raise
            faults[number] = str(error)
        else:
            groups.setdefault(detection.language, []).append(number)
    is_any_read = any(
        detection.confidence
        for n, detection in enumerate(detected)
        if detection and n not in unread
    )
    if unread and not (is_any_read or request.has_errors):
        raise next(iter(unread.values()))
    return TextPlan(
        groups=groups,
        finder=finder,
        detected=detected,
        faults=faults,
        left=() if request.has_errors else tuple(unread),
    )


def finder_of(target: str, languages: Sequence[Language], detector: Detector) -> SourceFinder:
    """Return what finds the languages that texts are translated from into one."""
    sources = [language.code for language in languages if target in language.targets]
    return SourceFinder(detector, sources or [language.code for language in languages])
