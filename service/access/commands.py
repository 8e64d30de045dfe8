"""`python -m service keys`: make, show and remove API keys."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence

from redis.exceptions import RedisError

from service.access.keys import UNLIMITED, ApiKey, Keys, open_keys
from service.config import NO_RATE_LIMIT, ServiceConfig, is_rate_limit
from translator.errors import TranslatorError

DAY_S = 24 * 60 * 60


def main(arguments: Sequence[str]) -> int:
    """Run one command; return the exit code."""
    parsed = make_parser().parse_args(arguments)
    try:
        store = open_keys(ServiceConfig.from_environment(os.environ))
        try:
            parsed.run(store, parsed)
        finally:
            store.close()
    except (TranslatorError, ValueError, RedisError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = argparse.ArgumentParser(
        prog="python -m service keys",
        description="API keys of the service, kept where TRANSLATOR_KEYS_STORAGE says.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add = commands.add_parser("add", help="make a key and print it; it is shown only once")
    add.add_argument("name", help="name of the key, such as that of its user")
    add.add_argument("--days", type=_positive, help="days until it expires; never by default")
    _add_limits(add)
    add.set_defaults(run=_add)
    commands.add_parser("list", help="show all keys, without secrets").set_defaults(run=_list)
    remove = commands.add_parser("remove", help="delete a key")
    remove.add_argument("name")
    remove.set_defaults(run=_remove)
    limit = commands.add_parser("limit", help="replace both limits of a key")
    limit.add_argument("name")
    _add_limits(limit)
    limit.set_defaults(run=_limit)
    return parser


def _add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rate",
        type=_rate,
        default="",
        help=f"rate limit, such as '60 per minute', or '{UNLIMITED}'; the server's by default",
    )
    parser.add_argument(
        "--characters", type=_positive, help="characters in one text; the server's limit by default"
    )


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, got {text!r}")
    return int(text)


def _rate(text: str) -> str:
    if text not in ("", UNLIMITED) and not is_rate_limit(text):
        raise argparse.ArgumentTypeError(f"{NO_RATE_LIMIT}, or '{UNLIMITED}'; got {text!r}")
    return text


def _add(store: Keys, parsed: argparse.Namespace) -> None:
    expires_at = None if parsed.days is None else int(time.time()) + parsed.days * DAY_S
    print(
        store.add(
            parsed.name,
            expires_at=expires_at,
            rate_limit=parsed.rate,
            char_limit=parsed.characters,
        )
    )


def _list(store: Keys, _: argparse.Namespace) -> None:
    for key in store.list():
        print(_line(key))


def _remove(store: Keys, parsed: argparse.Namespace) -> None:
    store.remove(parsed.name)


def _limit(store: Keys, parsed: argparse.Namespace) -> None:
    store.limit(parsed.name, rate_limit=parsed.rate, char_limit=parsed.characters)


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
