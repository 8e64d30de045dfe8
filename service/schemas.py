"""What goes over the wire: requests as validated dataclasses, responses as JSON-ready dictionaries.

The checks of a translation request are made in LibreTranslate's order and with its messages,
because clients look for parts of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from flask import Request, json
from werkzeug.exceptions import ClientDisconnected

from service.config import ServiceConfig
from translator.errors import InputError

if TYPE_CHECKING:
    from translator.translate.translation import Language, Translation

_JSON_TYPES = {dict: "an object", list: "an array", str: "a string", bool: "a boolean"}


def read_fields(request: Request) -> Mapping[str, Any]:
    """Return the fields of a request: a JSON object, or query string and form (the query wins).

    Several `q` in a form are an array, as in JSON.

    Raises:
        ClientDisconnected: the body is shorter than announced, and perhaps `q` with it.
        InputError: the JSON is malformed, too deep or not an object; or something is not UTF-8.
    """
    data = request.get_data()
    request.stream.read(1)  # raises 413 if a body without a length was cut off at the limit
    if len(data) < (request.content_length or 0):
        raise ClientDisconnected
    if request.is_json:
        return _parse_object(data)
    _check_utf8(request, data)
    body = request.values.to_dict()
    several = request.args.getlist("q") or request.form.getlist("q")
    return {**body, "q": several} if len(several) > 1 else body


def _check_utf8(request: Request, data: bytes) -> None:
    """Refuse what werkzeug would read as something else than was sent.

    What it cannot decode it leaves quoted or, in a multipart form, turns into U+FFFD. Such a form
    is not UTF-8 as a whole if a file comes with it, or a field in Latin-1.
    """
    sent = [("query string", unquote_to_bytes(request.query_string))]
    if request.mimetype == "application/x-www-form-urlencoded":
        sent.append(("form", unquote_to_bytes(data)))
    elif any("\ufffd" in value for values in request.form.listvalues() for value in values):
        sent.append(("form", data))
    for name, value in sent:
        try:
            value.decode()
        except UnicodeDecodeError as error:
            raise InputError(f"Invalid request: the {name} is not UTF-8 ({error.reason})") from None


def _parse_object(data: bytes) -> dict[str, Any]:
    try:
        body = json.loads(data)
    except RecursionError:
        raise InputError("Invalid JSON format: nested too deeply") from None
    except ValueError as error:
        raise InputError(f"Invalid JSON format: {error}") from error
    if not isinstance(body, dict):
        raise InputError("Invalid JSON format")
    return body


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
        text_format = _string("format", fields.get("format") or "text")
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


def languages_to_json(languages: Sequence[Language]) -> list[dict[str, Any]]:
    """Return the answer of GET /languages."""
    return [
        {"code": language.code, "name": language.name, "targets": list(language.targets)}
        for language in languages
    ]


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
        texts = tuple(_string(f"q[{i}]", text) for i, text in enumerate(q))
    elif isinstance(q, str):
        texts = (_string("q", q),)
    else:
        raise InputError(
            f"Invalid request: q must be a string or an array of strings, got {_json_type(q)}"
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
    code = _string(name, fields[name]).lower()
    if code not in by_code:
        raise InputError(f"{code} is not supported")
    return by_code[code]


def _string(path: str, value: Any) -> str:
    """Return `value` if it is a string that UTF-8 can carry; `path` names it in the message."""
    if not isinstance(value, str):
        raise InputError(f"Invalid request: {path} must be a string, got {_json_type(value)}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"Invalid request: {path} has a lone surrogate, U+{ord(value[error.start]):04X}, "
            f"at character {error.start}"
        ) from None
    return value


def _json_type(value: Any) -> str:
    return "null" if value is None else _JSON_TYPES.get(type(value), "a number")
