"""GET /, a page to translate on, and GET /how-it-attends, which shows how the model does it."""

from __future__ import annotations

import functools
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Blueprint, Response

from service.http.context import Context
from service.http.fields import Json
from service.http.rendering import page_response, reader_language
from service.operations.downloads import downloading
from translator import stand_in
from translator.documents.kinds import kinds_by_ending
from translator.downloads.registry import PIVOT
from translator.language_names import is_right_to_left, language_name, own_name

if TYPE_CHECKING:
    from translator import Language


WEB = re.compile(r"https?://", re.IGNORECASE)
SCRIPTS = Path(__file__).parent / "static" / "js"


def blueprint(context: Context) -> Blueprint:
    """Return the addresses."""
    routes = Blueprint("page", __name__)

    def answer(template: str) -> Response:
        language, config = reader_language(), context.config
        languages = context.translator.languages
        codes = {*(one.code for one in languages), *downloading(config).available}
        small = {code for pair in stand_in(context.translator) for code in pair} - {PIVOT}
        return page_response(
            template,
            language,
            languages=named(languages, language),
            names={code: [language_name(code, language), own_name(code)] for code in sorted(codes)},
            small=sorted(small),
            char_limit=config.char_limit,
            alternatives_limit=config.alternatives_limit,
            keys=config.api_keys,
            downloads=config.downloads,
            files=[f".{ending}" for ending in kinds_by_ending()] if config.files == "on" else [],
            file_size_limit=config.max_body_bytes,
            suggestions=config.suggestions_limit > 0,
            keys_url=config.api_keys_url if WEB.match(config.api_keys_url) else "",
            modules=modules_of(template.removesuffix(".html")),
        )

    @routes.get("/")
    def page() -> Response:
        return answer("page.html")

    @routes.get("/how-it-attends")
    def attends() -> Response:
        return answer("attends.html")

    return routes


@functools.cache
def modules_of(page: str) -> tuple[str, ...]:
    """Return the scripts that a page may load: those of its folder, and those above it."""
    paths = [*SCRIPTS.glob("*.js"), *(SCRIPTS / page).glob("*.js")]
    return tuple(f"js/{path.relative_to(SCRIPTS).as_posix()}" for path in sorted(paths))


def named(languages: tuple[Language, ...], reader: str) -> list[Json]:
    """Return the languages that can be translated, by their names in the reader's language."""
    targets = [
        {
            "code": language.code,
            "name": language_name(language.code, reader),
            "targets": [code for code in language.targets if code != language.code],
            "formality": list(language.formality),
            "rtl": is_right_to_left(language.code),
        }
        for language in languages
    ]
    return sorted(targets, key=lambda language: _sorted_by(language["name"]))


def _sorted_by(name: str) -> str:
    """Return what a name is sorted by: "Äthiopisch" stands between "Arabisch" and "Bulgarisch"."""
    letters = unicodedata.normalize("NFKD", name)
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).casefold()
