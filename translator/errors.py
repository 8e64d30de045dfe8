"""Every exception the library raises on purpose.

TranslatorError
├── ConfigError               a configuration file or option is wrong; lists every problem
├── ModelDirectoryError       a model directory is missing, truncated, altered or of another format
│   └── ImportedModelError    a model of another project is damaged, hostile or of an unknown form
├── DownloadError             a model cannot be downloaded, or what came is not what was promised
├── InputError                the caller's text or request cannot be translated (also a ValueError)
│   ├── UnsupportedLanguageError   no such language, or no such pair of languages
│   └── UnreadLanguageError   the language found in a text is one that no model reads
└── EngineError               the decoding engine cannot answer
    ├── EngineClosedError     the engine has been closed or has died
    ├── EngineOverloadedError the queue of waiting sentences is full; try again later
    └── DeadlineExceededError a sentence was not decoded within the time its caller allowed

A message names the offending value, what was expected, and what to do about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

InputProblem = Literal[
    "invalid",
    "unsupported_language",
    "unsupported_pair",
    "unsupported_formality",
    "unread_language",
    "no_single_model",
    "same_language",
    "text_too_long",
    "too_many_pieces",
    "unknown_kind_of_file",
    "unreadable_file",
    "encrypted_file",
    "file_too_large",
]
"""Kinds of wrong input, for programs that treat them differently."""


class TranslatorError(Exception):
    """Base of every exception raised on purpose by this project."""


class ConfigError(TranslatorError):
    """A configuration is wrong.

    Attributes:
        problems: one sentence per problem, each beginning with the key path.
    """

    def __init__(self, problems: Sequence[str], source: str = "configuration") -> None:
        """Join `problems` into one message; `source` is where they were found, such as a file."""
        self.problems = tuple(problems)
        self.source = source
        super().__init__(f"{source}: " + "; ".join(self.problems))

    def __reduce__(self) -> tuple[type[ConfigError], tuple[tuple[str, ...], str]]:
        """Pickle by the two arguments rather than by the joined message."""
        return type(self), (self.problems, self.source)


class ModelDirectoryError(TranslatorError):
    """A model directory cannot be used; the message names the file."""


class ImportedModelError(ModelDirectoryError):
    """A model of another project cannot be read, or has a form that this project does not have."""


class DownloadError(TranslatorError):
    """A model cannot be downloaded, or what came is not what was promised.

    Attributes:
        is_passing: whether it may succeed later without any change here.
    """

    def __init__(self, message: str, *, is_passing: bool = False) -> None:
        """Keep `message` for people, and whether to try again."""
        super().__init__(message)
        self.is_passing = is_passing


class InputError(TranslatorError, ValueError):
    """The caller's text or request cannot be translated.

    Attributes:
        code: what is wrong, as a word for programs.
        limit: how much is allowed, if more was asked for; else None.
    """

    code: InputProblem = "invalid"

    def __init__(
        self, message: str, code: InputProblem | None = None, limit: int | None = None
    ) -> None:
        """Keep `message` for people, and `code` for programs; by default that of the class."""
        super().__init__(message)
        if code is not None:
            self.code = code
        self.limit = limit


class UnsupportedLanguageError(InputError):
    """The model does not know the language, or the pair of languages."""

    code = "unsupported_language"


class UnreadLanguageError(InputError):
    """The language found in a text, with a confidence from 0 to 100, is one that no model reads."""

    code = "unread_language"

    def __init__(self, message: str, language: str, confidence: float) -> None:
        """Keep `message` for people, and what was found."""
        super().__init__(message)
        self.language = language
        self.confidence = confidence


class EngineError(TranslatorError):
    """The decoding engine cannot answer."""


class EngineClosedError(EngineError):
    """The engine has been closed, or its loop has died."""


class EngineOverloadedError(EngineError):
    """The queue of waiting sentences is full; try again later."""


class DeadlineExceededError(EngineError):
    """A sentence was not decoded within the time its caller allowed."""
