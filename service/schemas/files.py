"""POST /translate_file: the form, checked with LibreTranslate's messages."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, Field, RootModel
from werkzeug.datastructures import FileStorage

from service.schemas.detect import DetectedLanguage
from service.schemas.fields import Answer, Json
from service.schemas.languages import find_language
from service.schemas.translate.answer import ErrorEvent, Numbers
from service.schemas.translate.request import AUTO, FormalityWish, check_pair, read_formality
from translator.documents.kinds import NO_OPTIONS, FileOptions, kind_of
from translator.errors import InputError

if TYPE_CHECKING:
    from translator.detection.detector import Detected
    from translator.text.formality import Formality
    from translator.text.glossary import Glossary
    from translator.translate.translation import Language, SentenceTranslation, Translation


class FileBody(BaseModel):
    """A file to translate."""

    file: str = Field(description="The file.", json_schema_extra={"format": "binary"})
    source: str = Field(description="Language of the file, or `auto`.", examples=["de"])
    target: str = Field(description="Language wanted.", examples=["en"])
    file_options: str | None = Field(
        default=None,
        description="An object of JSON: `columns` of a table (heads, or numbers from 1), and "
        "`sheet_names`, whether to translate those, too; and `replace_translations`, whether a "
        "catalogue that is for another language loses its translations.",
        examples=['{"columns": ["Note", "3"]}', '{"sheet_names": true}'],
    )
    formality: FormalityWish | None = Field(
        default="default", description="How it addresses its reader; see `POST /translate`."
    )
    api_key: str | None = Field(default=None, description="Your key, where one is needed.")


class SentenceNumbers(Numbers):
    """A sentence with numbers that are not those of its translation."""

    source: str = Field(description="The sentence.")
    text: str = Field(description="Its translation.")


class FileAnswer(Answer):
    """Where the translated file is, for a while."""

    translatedFileUrl: str = Field(  # LibreTranslate's spelling
        description="Its address.", examples=["http://localhost:5000/download_file/1f0c.letter.txt"]
    )
    numbers: list[SentenceNumbers] = Field(
        default_factory=list,
        description="The sentences of the file whose numbers are not those of their translation; "
        "left out if there are none.",
    )
    leftAlone: list[str] = Field(
        default_factory=list,
        description="Texts that are not translated, since the file cannot show anything else in "
        "their place; left out if there are none.",
    )
    detectedLanguage: DetectedLanguage | None = Field(
        default=None, description="With `source: auto`: the language of most of it."
    )


class FileProgress(Answer):
    """So far is the translation."""

    type: Literal["progress"]
    done: int = Field(description="Sentences that are translated; paragraphs of a long file.")
    total: int = Field(description="Of how many, as far as is known.")


class FileDone(Answer):
    """The file is translated. This is the last event."""

    type: Literal["answer"]
    answer: FileAnswer = Field(description="What would be answered without streaming.")


class FileEvent(
    RootModel[Annotated[FileProgress | FileDone | ErrorEvent, Field(discriminator="type")]]
):
    """One line of NDJSON, or the data of one server-sent event."""


def with_wrong_numbers(translation: Translation) -> list[SentenceTranslation]:
    """Return the sentences of a text whose numbers are not those of their translation."""
    return [sentence for sentence in translation.sentences if "numbers" in sentence.flags]


def file_to_json(
    url: str,
    sentences: Iterable[SentenceTranslation],
    left_alone: Sequence[str],
    detected: Detected | None,
) -> Json:
    """Return the answer for a translated file.

    Args:
        url: its address.
        sentences: those with wrong numbers.
        left_alone: texts that are not translated.
        detected: its language, if nobody has named it.
    """
    wrong = [
        SentenceNumbers(
            **Numbers.of(sentence).model_dump(), source=sentence.source, text=sentence.text
        )
        for sentence in sentences
    ]
    fields: Json = {"numbers": wrong} if wrong else {}
    if left_alone:
        fields["leftAlone"] = [*left_alone]
    if detected:
        fields["detectedLanguage"] = DetectedLanguage.of(detected)
    return FileAnswer(translatedFileUrl=url, **fields).model_dump(exclude_unset=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class FileRequest:
    """A request that has passed every check.

    Attributes:
        name: of the file.
        content: of the file.
        source: language code as the model spells it, or `auto`.
        target: language code as the model spells it.
        options: of kinds of files that take some.
        formality: the form of address wanted, by the languages from which it can be had.
        glossary: terms whose translation is given.
    """

    name: str
    content: bytes
    source: str
    target: str
    options: FileOptions = NO_OPTIONS
    formality: Mapping[str, Formality]
    glossary: Glossary | None = None

    @classmethod
    def read(
        cls,
        form: Mapping[str, str],
        files: Mapping[str, FileStorage],
        languages: Sequence[Language],
        formats: Collection[str],
    ) -> FileRequest:
        """Check a multipart form.

        Raises:
            InputError: the first check that fails.
        """
        file = files.get("file")
        if file is None:
            raise InputError("Invalid request: missing file parameter")
        for field in ("source", "target"):
            if not form.get(field):
                raise InputError(f"Invalid request: missing {field} parameter")
        name = file.filename or ""
        if not name:
            raise InputError("Invalid request: empty file", "unreadable_file")
        if ending_of(name) not in formats:
            raise InputError("Invalid request: file format not supported", "unknown_kind_of_file")
        codes = form["source"].lower(), form["target"].lower()
        source, target = (find_language(code, languages) for code in codes)
        if source is None and codes[0] != AUTO:
            raise InputError(f"{codes[0]} is not supported", "unsupported_language")
        if target is None:
            raise InputError(f"{codes[1]} is not supported", "unsupported_language")
        if source is not None:
            check_pair(source, target)
        options = options_in(form.get("file_options", ""), name)
        return cls(
            name=name,
            content=file.read(),
            source=source.code if source else AUTO,
            target=target.code,
            options=options,
            formality=read_formality(form.get("formality"), source, target, languages),
        )


def options_in(field: str, name: str) -> FileOptions:
    """Return what the field `file_options` of a form says; nothing is none.

    Args:
        field: an object of JSON.
        name: of the file, whose kind must take the options.

    Raises:
        InputError: it is something else, or names what this kind of file does not have.
    """
    try:
        fields = json.loads(field or "{}")
    except (ValueError, RecursionError) as error:
        raise InputError(f"Invalid request: file_options is not JSON ({error})") from error
    if not isinstance(fields, dict):
        raise InputError("Invalid request: file_options must be an object of JSON")
    try:
        options = FileOptions.read(fields)
        if kind := kind_of(name):
            kind.check(name, options)
    except InputError as error:
        raise InputError(f"Invalid request: file_options: {error}", error.code) from error
    return options


def ending_of(name: str) -> str:
    """Return the ending of a file's name, without its dot: `txt`."""
    return PurePosixPath(name).suffix[1:].lower()


def name_in(name: str, target: str) -> str:
    """Return what a file is called in another language: `letter.txt` is `letter_en.txt`."""
    path = PurePosixPath(name)
    return f"{path.stem}_{target}{path.suffix}"
