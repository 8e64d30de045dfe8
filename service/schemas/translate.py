"""POST /translate: the request as a checked dataclass, the answer as a dictionary for JSON.

The checks are made in LibreTranslate's order and with its messages, because clients look for parts
of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from service.config import ServiceConfig
from service.schemas.fields import json_type, string_of
from translator.errors import InputError

if TYPE_CHECKING:
    from translator.translate.translation import Language, Translation


@dataclass(frozen=True, kw_only=True, slots=True)
class TranslateRequest:
    """A request that has passed every check.

    Attributes:
        texts: what to translate.
        is_batch: whether `q` was an array, and so must the answer be.
        source: language code as the model spells it.
        target: language code as the model spells it.
        num_alternatives: other translations wanted per text.
    """

    texts: tuple[str, ...]
    is_batch: bool
    source: str
    target: str
    num_alternatives: int

    @classmethod
    def read(
        cls, fields: Mapping[str, Any], languages: Sequence[Language], config: ServiceConfig
    ) -> TranslateRequest:
        """Check `fields` against what the model can do and what the server allows.

        Raises:
            InputError: the first check that fails, in LibreTranslate's order.
        """
        for name in ("q", "source", "target"):
            if not fields.get(name):
                raise InputError(f"Invalid request: missing {name} parameter")
        num_alternatives = _read_alternatives(fields.get("alternatives"), config)
        texts = _read_texts(fields["q"], config)
        by_code = {language.code.lower(): language for language in languages}
        source = _read_language("source", fields, by_code)
        target = _read_language("target", fields, by_code)
        text_format = string_of("format", fields.get("format") or "text")
        if text_format != "text":
            raise InputError(f"{text_format} format is not supported")
        if target.code not in source.targets:
            raise InputError(
                f"{target.name} ({target.code}) is not available as a target language "
                f"from {source.name} ({source.code})"
            )
        return cls(
            texts=texts,
            is_batch=isinstance(fields["q"], list),
            source=source.code,
            target=target.code,
            num_alternatives=num_alternatives,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class TranslateResponse:
    """The answer to one `TranslateRequest`."""

    request: TranslateRequest
    translations: Sequence[Translation]

    def to_json(self) -> dict[str, Any]:
        """Return a value per text for an array `q`, a bare value for a string `q`."""
        answer: dict[str, Any] = {
            "translatedText": self._shaped([t.text for t in self.translations])
        }
        if self.request.num_alternatives:
            answer["alternatives"] = self._shaped([list(t.alternatives) for t in self.translations])
        if any(t.flags for t in self.translations):
            answer["flags"] = self._shaped([list(t.flags) for t in self.translations])
        return answer

    def _shaped(self, values: list[Any]) -> Any:
        return values if self.request.is_batch else values[0]


def _read_alternatives(value: Any, config: ServiceConfig) -> int:
    """Return how many alternatives are asked for; null and negative numbers mean none."""
    whole = isinstance(value, int | str) and not isinstance(value, bool)
    try:
        number = int(value) if whole else 0
    except ValueError:
        whole = False
    if not whole and value is not None:
        raise InputError("Invalid request: alternatives parameter is not a number")
    if number > config.alternatives_limit:
        raise InputError(
            f"Invalid request: alternatives parameter must be <= {config.alternatives_limit}"
        )
    return max(number, 0)


def _read_texts(q: Any, config: ServiceConfig) -> tuple[str, ...]:
    """Return the texts of `q`, a string or an array of strings, within the limits."""
    if isinstance(q, list):
        if len(q) > config.batch_limit:
            raise InputError(_exceeds(len(q), config.batch_limit))
        texts = tuple(string_of(f"q[{i}]", text) for i, text in enumerate(q))
    elif isinstance(q, str):
        texts = (string_of("q", q),)
    else:
        raise InputError(
            f"Invalid request: q must be a string or an array of strings, got {json_type(q)}"
        )
    for text in texts:
        if len(text) > config.char_limit:
            raise InputError(_exceeds(len(text), config.char_limit))
    return texts


def _exceeds(number: int, limit: int) -> str:
    return f"Invalid request: request ({number}) exceeds text limit ({limit})"


def _read_language(
    name: str, fields: Mapping[str, Any], by_code: Mapping[str, Language]
) -> Language:
    code = string_of(name, fields[name]).lower()
    if code not in by_code:
        raise InputError(f"{code} is not supported")
    return by_code[code]
