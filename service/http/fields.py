"""What all requests share: fields in whatever form they came, and how a schema checks them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from json import JSONDecodeError
from typing import Annotated, Any, ClassVar, Self, TypeVar
from urllib.parse import unquote_to_bytes

from flask import Request, json
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    FailFast,
    Tag,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic_core import ErrorDetails
from werkzeug.exceptions import ClientDisconnected

from service.config import ServiceConfig
from translator.errors import InputError

Fields = Mapping[str, Any]
"""Of a request: whatever JSON may say, until it is checked."""

Json = dict[str, Any]
"""An object that is answered."""


class Answer(BaseModel):
    """An answer, or a part of one: it has what is described, and nothing else."""

    model_config = ConfigDict(extra="forbid")


NO_JSON = (
    "Invalid request: missing {} parameter; JSON needs the header Content-Type: application/json"
)
"""As LibreTranslate, which does not read such a body either, and then what to do about it."""

_JSON_TYPES = {dict: "an object", list: "an array", str: "a string", bool: "a boolean"}


def read_fields(request: Request, text: str = "q", arrays: Collection[str] = ()) -> Fields:
    """Return the fields of a request: a JSON object, or query string and form (the query wins).

    Several of the field `text`, or of one of `arrays`, in a form are an array, as in JSON.

    Raises:
        ClientDisconnected: the body is shorter than announced, and perhaps `q` with it.
        InputError: see `parse_object`; or it is not said to be JSON, or something is not UTF-8.
    """
    data, length = request.get_data(), request.content_length
    if length is None:
        request.stream.read(1)  # raises 413 if a body without a length was cut off at the limit
    elif len(data) < length:
        raise ClientDisconnected
    if request.is_json:
        return parse_object(data)
    _check_utf8(request, data)
    body: Json = request.values.to_dict()
    if text not in body and data.lstrip().startswith(b"{"):
        raise InputError(NO_JSON.format(text))
    for name in (text, *arrays):
        several = request.args.getlist(name) or request.form.getlist(name)
        if len(several) > 1:
            body[name] = several
    return body


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


def parse_object(data: bytes) -> Json:
    """Return the JSON object that a body is; refuse what is malformed, too deep or no object."""
    try:
        body = json.loads(data)
    except RecursionError:
        raise InputError("Invalid JSON format: nested too deeply") from None
    except (JSONDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"Invalid JSON format: {error}") from error
    except ValueError:  # Python reads no longer ones
        raise InputError("Invalid JSON format: a number has too many digits") from None
    if not isinstance(body, dict):
        raise InputError("Invalid JSON format")
    return body


def json_type(value: object) -> str:
    """Return what JSON calls a value, with its article."""
    return "null" if value is None else _JSON_TYPES.get(type(value), "a number")


Info = ValidationInfo[ServiceConfig]
"""What a validator is told: the name of its field, and the settings."""


def settings_of(info: Info) -> ServiceConfig:
    """Return the settings that a request is checked by."""
    assert info.context is not None
    return info.context


class Body(BaseModel):
    """The fields of a request, described in OpenAPI and checked by the same class.

    A field that is null or an empty string is as good as missing, and so is a required array that
    is empty. Validators say what is wrong by raising InputError.
    """

    model_config = ConfigDict(str_max_length=2**31)  # so that a lone surrogate is no string

    missing: ClassVar[str] = "Invalid request: missing {} parameter"
    wrong: ClassVar[str] = "Invalid request: {} must be {}, got {}"
    nouns: ClassVar[Mapping[str, str]] = {}
    """What a field must be, where its type alone does not say it."""

    may_be_empty: ClassVar[Collection[str]] = ()
    """Fields in which an empty string is a value."""

    @classmethod
    def read(cls, fields: Fields, config: ServiceConfig | None = None) -> Self:
        """Return the fields, checked; refuse what is missing first, or else the first wrong one."""
        try:
            return cls.model_validate(fields, context=config)
        except ValidationError as invalid:
            errors = invalid.errors(include_url=False)
            raise cls._refusal(min(errors, key=lambda e: e["type"] != "missing")) from None
        except UnicodeEncodeError as error:  # where one word of a few is expected
            name = next(
                (name for name, value in fields.items() if value == error.object), "a field"
            )
            raise _lone_surrogate(name, error.object) from None

    @model_validator(mode="before")
    @classmethod
    def _without_empty(cls, fields: Any) -> Any:
        if not isinstance(fields, Mapping):
            return fields
        known = {field.alias or name: field for name, field in cls.model_fields.items()}
        return {
            name: value
            for name, value in fields.items()
            if value is not None
            and (value != "" or name in cls.may_be_empty)
            and (value != [] or name not in known or not known[name].is_required())
        }

    @classmethod
    def _refusal(cls, error: ErrorDetails) -> InputError:
        kind, value = error["type"], error["input"]
        if isinstance(own := error.get("ctx", {}).get("error"), InputError):
            return own
        path = "".join(
            f"[{part}]" if isinstance(part, int) else f".{part}"
            for part in error["loc"]
            if part not in TAGS
        ).removeprefix(".")
        if kind == "missing":
            return InputError(cls.missing.format(path))
        if kind == "string_unicode":
            return _lone_surrogate(path, value)
        if kind == "literal_error" and isinstance(value, str):
            return cls.not_among(path, error["ctx"]["expected"].replace("'", ""))
        return InputError(
            cls.wrong.format(path, cls.nouns.get(path) or _noun(kind), json_type(value))
        )

    @classmethod
    def not_among(cls, path: str, choices: str) -> InputError:
        """Return the error of a word that is none of some choices."""
        if "," in choices:
            choices = "one of " + choices.replace(" or ", ", ")
        return InputError(f"Invalid request: {path} must be {choices}")


def _lone_surrogate(path: str, text: str) -> InputError:
    at = next(number for number, sign in enumerate(text) if "\ud800" <= sign <= "\udfff")
    return InputError(
        f"Invalid request: {path} has a lone surrogate, U+{ord(text[at]):04X}, at character {at}"
    )


def _noun(kind: str) -> str:
    """Return what a value must be that is of another type, by the error of pydantic."""
    if kind in ("list_type", "tuple_type"):
        return "an array"
    return "an object" if kind in ("dict_type", "model_type") else "a string"


TAGS = ("one text", "several texts")
"""What pydantic calls the two forms of `Texts`, which no message says."""


class FirstWrong(FailFast):
    """pydantic's own, which may be in a union as well: for that it must have a hash."""

    __hash__ = object.__hash__


Item = TypeVar("Item")
Array = Annotated[list[Item], FirstWrong()]
"""An array; only the first item that is wrong is told, since there may be a million."""

Texts = Annotated[
    Annotated[str, Tag(TAGS[0])] | Annotated[Array[Item], Tag(TAGS[1])],
    Discriminator(lambda value: TAGS[isinstance(value, list)]),
]
"""A string, or an array."""


def truth_of(value: object, info: Info) -> bool:
    """Return whether a field is on: a boolean in JSON, such a word in a form."""
    if isinstance(value, str) and value.lower() in TRUTHS:
        return TRUTHS[value.lower()]
    if not isinstance(value, bool):
        raise InputError(
            f"Invalid request: {info.field_name} must be true or false, got {json_type(value)}"
        )
    return value


TRUTHS = {"true": True, "1": True, "false": False, "0": False}
Lowered = BeforeValidator(lambda value: value.lower() if isinstance(value, str) else value)
Flag = Annotated[bool, BeforeValidator(truth_of, json_schema_input_type=bool | None)]


def json_of(value: object, info: Info) -> Any:
    """Return what a field of a form holds, in which arrays and objects are written as JSON."""
    if not isinstance(value, str):
        return value
    try:
        return [] if (parsed := json.loads(value)) is None else parsed
    except (ValueError, RecursionError):
        raise InputError(f"Invalid request: {info.field_name} is a text that is no JSON") from None
