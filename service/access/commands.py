"""`python -m service keys`: make, show and remove API keys."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from redis.exceptions import RedisError

from service.access.keys import UNLIMITED, ApiKey, Keys, open_keys
from service.config import IN_DATABASE, NO_RATE_LIMIT, ServiceConfig, is_rate_limit, wrong_setting
from service.storage import default_path
from translator.errors import TranslatorError

DAY_S = 24 * 60 * 60
MAX_NAME, MAX_DAYS, MAX_CHARACTERS = 100, 36_500, 10**9
NEVER, OF_SERVER = "never", "server"
UNSAID = object()


def main(arguments: Sequence[str]) -> int:
    """Run one command; return the exit code."""
    parsed = make_parser().parse_args(arguments)
    try:
        config = ServiceConfig.from_environment(os.environ)
        if parsed.run is not _add:
            _require_database(config)
        keys = open_keys(config, is_read_only=parsed.run is _list)
        try:
            parsed.run(keys, parsed)
        finally:
            keys.close()
    except (TranslatorError, ValueError, RedisError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _require_database(config: ServiceConfig) -> None:
    """Refuse a database that is not there: opening it would make one, in which no key is good."""
    path = Path(config.database or default_path())
    if config.keys_storage == IN_DATABASE and not path.is_file():
        raise wrong_setting("database", f"{path}: no such file; `keys add` makes one")


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = argparse.ArgumentParser(
        prog="python -m service keys",
        description="API keys of the service, kept where TRANSLATOR_KEYS_STORAGE says.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add = commands.add_parser("add", help="make a key and print it; it is shown only once")
    add.add_argument("name", type=_name, help="name of the key, such as that of its user")
    _add_changes(add, "never by default", "the server's by default")
    add.set_defaults(run=_add)
    commands.add_parser("list", help="show all keys, without secrets").set_defaults(run=_list)
    remove = commands.add_parser("remove", help="delete a key")
    remove.add_argument("name")
    remove.set_defaults(run=_remove)
    limit = commands.add_parser("limit", help="change the limits or the expiry of a key")
    limit.add_argument("name")
    _add_changes(limit, f"or '{NEVER}'", f"or '{OF_SERVER}' for the server's")
    limit.set_defaults(run=_limit)
    return parser


def _add_changes(parser: argparse.ArgumentParser, never: str, of_server: str) -> None:
    days = f"days from now until it expires, {never}"
    parser.add_argument("--days", dest="expires_at", metavar="DAYS", type=_expiry, help=days)
    rate = f"rate limit, such as '60 per minute', or '{UNLIMITED}' for no limit; {of_server}"
    parser.add_argument("--rate", dest="rate_limit", metavar="LIMIT", type=_rate, help=rate)
    characters = f"characters in one text; {of_server}"
    parser.add_argument(
        "--characters", dest="char_limit", metavar="NUMBER", type=_characters, help=characters
    )
    parser.set_defaults(expires_at=UNSAID, rate_limit=UNSAID, char_limit=UNSAID)


def _changes(parsed: argparse.Namespace) -> dict[str, Any]:
    names = ("expires_at", "rate_limit", "char_limit")
    return {name: value for name in names if (value := getattr(parsed, name)) is not UNSAID}


def _name(text: str) -> str:
    if not text.strip() or not text.isprintable() or len(text) > MAX_NAME:
        reason = f"must be 1 to {MAX_NAME} characters that can be printed, got {text!r}"
        raise argparse.ArgumentTypeError(reason)
    return text.strip()


def _positive(text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20 and 1 <= int(text) <= most):
        reason = f"must be a whole number from 1 to {most}, got {text!r}"
        raise argparse.ArgumentTypeError(reason)
    return int(text)


def _expiry(text: str) -> int | None:
    return None if text == NEVER else int(time.time()) + _positive(text, MAX_DAYS) * DAY_S


def _characters(text: str) -> int | None:
    return None if text == OF_SERVER else _positive(text, MAX_CHARACTERS)


def _rate(text: str) -> str:
    if text in ("", OF_SERVER):
        return ""
    if text != UNLIMITED and not is_rate_limit(text):
        raise argparse.ArgumentTypeError(f"{NO_RATE_LIMIT}, or '{UNLIMITED}'; got {text!r}")
    return text


def _add(keys: Keys, parsed: argparse.Namespace) -> None:
    print(keys.add(parsed.name, **_changes(parsed)))


def _list(keys: Keys, _: argparse.Namespace) -> None:
    for key in keys.list():
        print(_line(key))


def _remove(keys: Keys, parsed: argparse.Namespace) -> None:
    keys.remove(parsed.name)


def _limit(keys: Keys, parsed: argparse.Namespace) -> None:
    changes = _changes(parsed)
    if not changes:
        raise ValueError("nothing to change; add --rate, --characters or --days")
    keys.change(parsed.name, changes)


def _line(key: ApiKey) -> str:
    expiry = "never expires"
    if key.expires_at is not None:
        verb = "expires" if key.expires_at > time.time() else "expired"
        expiry = f"{verb} {time.strftime('%Y-%m-%d %H:%M', time.gmtime(key.expires_at))} UTC"
    rate = {"": "the server's rate limit", UNLIMITED: "no rate limit"}.get(
        key.rate_limit, key.rate_limit
    )
    characters = "" if key.char_limit is None else f", {key.char_limit} characters a text"
    return f"{key.name}\t{key.id}\t{expiry}\t{rate}{characters}"
