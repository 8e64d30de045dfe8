"""What all requests share: fields in whatever form they came, and how a schema checks them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from json import JSONDecodeError
from typing import Any
from urllib.parse import unquote_to_bytes

from flask import Request, json
from pydantic import BaseModel, ConfigDict
from werkzeug.exceptions import ClientDisconnected

from translator.errors import InputError

Fields = Mapping[str, Any]
"""Of a request: whatever JSON may say, until it is checked."""

Json = dict[str, Any]
"""An object that is answered."""


class Answer(BaseModel):
    """An answer, or a part of one: it has what is described, and nothing else."""

    model_config = ConfigDict(extra="forbid")


_TRUTHS = {"true": True, "1": True, "false": False, "0": False, "": False}

NO_JSON = (
    "Invalid request: missing {} parameter; JSON needs the header Content-Type: application/json"
)
"""As LibreTranslate, which does not read such a body either, and then what to do about it."""

_JSON_TYPES = {dict: "an object", list: "an array", str: "a string", bool: "a boolean"}


def read_fields(request: Request, text: str = "q", arrays: Collection[str] = ()) -> Fields:
    """Return the fields of a request: a JSON object, or query string and form (the query wins).

    Args:
        request: in hand.
        text: the field with the text. Several of it in a form are an array, as in JSON.
        arrays: further such fields.

    Raises:
        ClientDisconnected: the body is shorter than announced, and perhaps `q` with it.
        InputError: the JSON is malformed, too deep or not an object, or is not said to be JSON; or
            something is not UTF-8.
    """
    data, length = request.get_data(), request.content_length
    if length is None:
        request.stream.read(1)  # raises 413 if a body without a length was cut off at the limit
    elif len(data) < length:
        raise ClientDisconnected
    if request.is_json:
        return _with_api_key(parse_object(data))
    _check_utf8(request, data)
    body = _with_api_key(request.values.to_dict())
    if text not in body and data.lstrip().startswith(b"{"):
        raise InputError(NO_JSON.format(text))
    for name in (text, *arrays):
        several = request.args.getlist(name) or request.form.getlist(name)
        if len(several) > 1:
            body[name] = several
    return body


def _with_api_key(fields: Json) -> Json:
    """Return the fields with `api_key`, which one client spells `apiKey`."""
    if "apiKey" in fields:
        fields.setdefault("api_key", fields["apiKey"])
    return fields


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
    """Return the JSON object that a body is.

    Raises:
        InputError: it is malformed, too deep or no object.
    """
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


def string_of(path: str, value: object) -> str:
    """Return `value` if it is a string that UTF-8 can carry; `path` names it in the message."""
    if not isinstance(value, str):
        raise InputError(f"Invalid request: {path} must be a string, got {json_type(value)}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"Invalid request: {path} has a lone surrogate, U+{ord(value[error.start]):04X}, "
            f"at character {error.start}"
        ) from None
    return value


def truth_of(path: str, value: object) -> bool:
    """Return whether a field is on: a boolean in JSON, such a word in a form; null is off."""
    if isinstance(value, str) and value.lower() in _TRUTHS:
        return _TRUTHS[value.lower()]
    if value is None or isinstance(value, bool):
        return bool(value)
    raise InputError(f"Invalid request: {path} must be true or false, got {json_type(value)}")


def json_of(path: str, value: object) -> Any:
    """Return what a field of a form holds, in which arrays and objects are written as JSON."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value) if value else None
    except (ValueError, RecursionError):
        raise InputError(f"Invalid request: {path} is a text that is no JSON") from None


def json_type(value: object) -> str:
    """Return what JSON calls a value, with its article."""
    return "null" if value is None else _JSON_TYPES.get(type(value), "a number")
