"""A service that translates the example texts of DeepL's Python library, for its own tests.

    python -m tests.service.contract.deepl_server

listens on a port that it prints. Then, in a checkout of DeepLcom/deepl-python:

    DEEPL_SERVER_URL=http://127.0.0.1:PORT DEEPL_AUTH_KEY=KEY pytest

where KEY is printed too. With `--any-key`, and DEEPL_MOCK_SERVER_PORT=PORT in place of the key,
those of its tests run that want DeepL's mock server. `docs/coming-from-deepl.md` says how many
pass, and why the others do not.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from flask import Flask

from service.access.keys import KeyStore
from service.config import ServiceConfig
from service.start.app import create_app
from tests.checkout import ROOT
from tests.service.conftest import FakeTranslator
from tests.serving import serving
from translator.detection.detector import Detected, Detection, Detector
from translator.language_names import english_name
from translator.pipeline.options import SearchOptions
from translator.pipeline.translation import Language, SentenceTranslation
from translator.pipeline.translator import Translator
from translator.text.marked import MarkedText

TEXTS = {
    "ar": "شعاع البروتون",
    "bg": "протонен лъч",
    "cs": "protonový paprsek",
    "da": "protonstråle",
    "de": "Protonenstrahl",
    "el": "δέσμη πρωτονίων",
    "en": "proton beam",
    "es": "haz de protones",
    "et": "prootonikiirgus",
    "fi": "protonisäde",
    "fr": "faisceau de protons",
    "hu": "protonnyaláb",
    "id": "berkas proton",
    "it": "fascio di protoni",
    "ja": "陽子ビーム",
    "ko": "양성자 빔",
    "lt": "protonų spindulys",
    "lv": "protonu staru kūlis",
    "nb": "protonstråle",
    "nl": "protonenbundel",
    "pl": "wiązka protonów",
    "pt": "feixe de prótons",
    "ro": "fascicul de protoni",
    "ru": "протонный луч",
    "sk": "protónový lúč",
    "sl": "protonski žarek",
    "sv": "protonstråle",
    "tr": "proton ışını",
    "uk": "протонний пучок",
    "zh": "质子束",
}
"""A text in each language, all of which mean the same."""

CODES = tuple(TEXTS)


class ExampleTranslator(FakeTranslator):
    """Knows one text in each language, and leaves spans and all other texts as they are."""

    def __init__(self) -> None:
        super().__init__()
        self.languages = tuple(
            Language(code=code, name=english_name(code), targets=CODES) for code in CODES
        )

    def sentences_of(
        self, text: MarkedText, options: SearchOptions
    ) -> Iterator[SentenceTranslation]:
        known = {*TEXTS.values()}
        lines = text.text.split("\n")
        done = "\n".join(TEXTS[options.target] if line in known else line for line in lines)
        yield SentenceTranslation(
            separator="", source=text.text or "-", text=done, score=-0.5, finish_reasons=("eos",)
        )
        yield SentenceTranslation(separator="", source="", text="")


class ExampleDetector(Detector):
    """Tells the language of the example texts; all others are English."""

    def examine(self, text: str) -> Detection:
        """Return one language."""
        code = next((code for code, known in TEXTS.items() if text.startswith(known)), "en")
        return Detection(languages=[Detected(language=code, confidence=99.0)])


def make_example_app(**settings: Any) -> Flask:
    """Return the application, for glossaries of any size."""
    config = ServiceConfig(glossary_limit=20_000, **settings)
    translator = cast("Translator", ExampleTranslator())
    return create_app(config, translator, ExampleDetector(CODES))


def main() -> None:
    """Serve until the input ends."""
    keys = "off" if "--any-key" in sys.argv[1:] else "required"
    folder = Path(tempfile.mkdtemp())
    database = folder / "database"
    key = KeyStore(database).add("deepl-python")
    call = f"make_example_app(api_keys={keys!r}, database={str(database)!r})"
    (folder / "examples.py").write_text(
        f"from tests.service.contract.deepl_server import make_example_app\napp = {call}\n"
    )
    with serving(folder / "log", f"--pythonpath={ROOT},{folder}", "examples:app") as port:
        print(port, key, folder, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
