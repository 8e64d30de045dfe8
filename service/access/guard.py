"""Who sends a request, how often that may be, and who is refused before the text is looked at."""

from __future__ import annotations

import dataclasses
import ipaddress
import logging
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Flask, Request, g, json, request
from flask_limiter import Limiter, RateLimitExceeded
from limits.errors import ConfigurationError
from werkzeug.exceptions import TooManyRequests
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.wrappers import Response

from service.access.keys import UNLIMITED, ApiKey, Keys, open_keys
from service.config import ServiceConfig, wrong_setting
from service.http.endpoint import endpoint_in_hand
from service.http.errors import Banned, InvalidKey, KeyRequired, answer

FIELDS = ("api_key", "apiKey", "auth_key", "token")
"""What clients call the key: of LibreTranslate, its own on npm, of DeepL, of MTranServer."""

SCHEMES = {"bearer", "deepl-auth-key"}
"""What stands before the key in the header Authorization."""

IN_JSON = re.compile(rb'"(api(_k|K)ey|auth_key|token)"')
WITH_PORT = re.compile(r"(?:\[([^]]+)\]|([\d.]+))(?::\d+)?")
"""An address as some proxies write it into X-Forwarded-For."""

IPV6_NETWORK = 64  # what one customer of a provider has


@dataclass(frozen=True, kw_only=True, slots=True)
class Caller:
    """Who sends a request.

    Attributes:
        address: of the client; a whole network of it if it is IPv6.
        key: that came with the request, if it is valid.
        is_counted: whether this request counts among those that are allowed.
    """

    address: str
    key: ApiKey | None = None
    has_bad_key: bool = False
    is_counted: bool = True

    @property
    def identity(self) -> str:
        """Return what requests are counted by."""
        return f"key {self.key.id}" if self.key else f"address {self.address}"


def identify(request: Request, keys: Keys | None, is_counted: bool = True) -> Caller:
    """Return who sends a request; keys are looked for only if there is a store of them."""
    address = network_of(request.remote_addr or "unknown")
    presented = presented_key(request) if keys is not None else ""
    key = keys.find(presented) if keys is not None and presented else None
    is_bad = bool(presented) and key is None
    return Caller(address=address, key=key, has_bad_key=is_bad, is_counted=is_counted)


def current_caller() -> Caller:
    """Return who sends the request in hand; no one in particular where no one is asked."""
    caller: Caller = g.get("caller") or Caller(address="unknown")
    return caller


def network_of(address: str) -> str:
    """Return the network that counts as one caller: all that begins like an IPv6 address."""
    if with_port := WITH_PORT.fullmatch(address):
        address = with_port[1] or with_port[2]
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((int(parsed), IPV6_NETWORK), strict=False))


def presented_key(request: Request) -> str:
    """Return the key of a request, whether or not it is valid; empty if there is none.

    The body is parsed only if the header and the query string have no key, and JSON only if the
    name of the field is in it as it is. A header of one word counts last: it may be a key without
    its scheme, as Zotero's plug-in sends it to MTranServer, or anything else.
    """
    header = request.headers.get("Authorization", "").strip()
    scheme, _, token = header.partition(" ")
    if scheme.lower() in SCHEMES and token.strip():
        return token.strip()
    bare = header if not token and scheme.lower() not in SCHEMES else ""
    return _key_in(request.args) or _key_in_body(request) or bare


def _key_in_body(request: Request) -> str:
    body = request.get_data()  # before the form: what that reads cannot be read again
    if not request.is_json:
        return _key_in(request.form)
    if not IN_JSON.search(body):
        return ""
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        return ""  # the handler says what is wrong with it
    return _key_in(fields) if isinstance(fields, dict) else ""


def _key_in(fields: Mapping[str, Any]) -> str:
    return next((str(fields[name]) for name in FIELDS if fields.get(name)), "")


def config_of_caller(config: ServiceConfig) -> ServiceConfig:
    """Return the settings as they are for whoever sends the request in hand."""
    key = current_caller().key
    if key is None or key.char_limit is None:
        return config
    return dataclasses.replace(config, char_limit=key.char_limit)


REDIS_TIMEOUT_S = 1
IN_MEMORY = "memory://"
BANNED = "Too many request limits violations"
FROM_PAGE = "Translator-Page"
"""A header of the page's requests. The page waits when it is refused, so that bans nobody."""

log = logging.getLogger(__name__)


class RateLimits:
    """The limits of all callers, and who is banned for asking too often."""

    def __init__(self, app: Flask, config: ServiceConfig) -> None:
        """Check the requests of which `g.caller` says that they are counted."""
        self._config = config
        is_remote = config.rate_limit_storage != IN_MEMORY
        timeouts = {"socket_connect_timeout": REDIS_TIMEOUT_S, "socket_timeout": REDIS_TIMEOUT_S}
        self._limiter = Limiter(
            lambda: current_caller().identity,
            application_limits=[lambda: self.limit_of(current_caller())],
            storage_uri=config.rate_limit_storage,
            storage_options=dict(timeouts) if is_remote else {},
            # Without its Redis, each worker counts by itself until it is back.
            in_memory_fallback_enabled=is_remote,
        )
        self._limiter.request_filter(self._is_unlimited)
        try:
            self._limiter.init_app(app)
        except (ConfigurationError, ValueError) as error:
            problem = f"{error}; take memory:// or redis://HOST:PORT"
            raise wrong_setting("rate_limit_storage", problem) from error
        if is_remote and not self._limiter.storage.check():
            log.warning("rate_limit_storage does not answer; each worker counts by itself")
        app.register_error_handler(RateLimitExceeded, self._answer)

    def limit_of(self, caller: Caller) -> str:
        """Return how often a caller may ask; empty if there is no limit."""
        key_limit = caller.key.rate_limit if caller.key else ""
        return "" if key_limit == UNLIMITED else key_limit or self._config.rate_limit

    def raise_if_banned(self, caller: Caller) -> None:
        """Raise Banned for a caller who has been refused too often."""
        if not self._config.ban_after:
            return
        storage = self._limiter.storage
        try:
            refusals = storage.get(_ban_key(caller))
            wait_s = _seconds_until(storage.get_expiry(_ban_key(caller)))
        except storage.base_exceptions as error:
            log.warning("bans are not known while the storage is away: %s", error)
            return
        if refusals >= self._config.ban_after:
            raise Banned(f"{BANNED}; try again in {wait_s} seconds", wait_s)

    def _is_unlimited(self) -> bool:
        caller = current_caller()
        return caller.address == "unknown" or not caller.is_counted or not self.limit_of(caller)

    def _answer(self, error: RateLimitExceeded) -> Response:
        caller, limit = current_caller(), self._limiter.current_limit
        wait_s = 1 if limit is None else _seconds_until(limit.reset_at)
        if self._config.ban_after and FROM_PAGE not in request.headers:
            wait_s = max(wait_s, self._count_refusal(caller))
        return answer(TooManyRequests(f"Slowdown: {error.description}", retry_after=wait_s))

    def _count_refusal(self, caller: Caller) -> int:
        """Count a refusal; return for how many seconds it bans its caller, 0 if it does not."""
        storage, key = self._limiter.storage, _ban_key(caller)
        try:
            if storage.incr(key, self._config.ban_s) >= self._config.ban_after:
                return _seconds_until(storage.get_expiry(key))
        except storage.base_exceptions as failure:
            log.warning("a refusal is not counted: %s", failure)
        return 0


def _seconds_until(time_s: float) -> int:
    return max(1, math.ceil(time_s - time.time()))


def _ban_key(caller: Caller) -> str:
    return f"translator-refusals/{caller.identity}"


def guard(app: Flask, config: ServiceConfig) -> Keys | None:
    """Put the door before the routes of an application; return the store of keys, if keys count.

    The checks are in LibreTranslate's order: too many requests, a ban, a bad key, no key. A
    database or a storage of rate limits that cannot be used is a ConfigError.
    """
    keys = None if config.api_keys == "off" else open_keys(config)
    if keys is not None:
        keys.are_away()  # which is logged when the server starts, not only at the first request
    proxies = config.trusted_proxies
    if proxies:
        fixed = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=0, x_prefix=0)
        app.wsgi_app = fixed  # type: ignore[method-assign]

    if keys is None and not config.rate_limit:
        return None  # then no one is refused, and no time is spent on it

    @app.before_request
    def find_out_who_asks() -> None:
        endpoint = endpoint_in_hand()
        if endpoint is None or endpoint.access == "open" or request.method == "OPTIONS":
            return
        g.caller = identify(request, keys, is_counted=endpoint.access == "counted")

    limits = RateLimits(app, config)  # its own check comes between the other two

    @app.before_request
    def refuse() -> None:
        caller: Caller | None = g.get("caller")
        if caller is not None:
            limits.raise_if_banned(caller)
            _check_key(caller, config)

    return keys


def _check_key(caller: Caller, config: ServiceConfig) -> None:
    if caller.has_bad_key:
        raise InvalidKey("Invalid API key")
    if config.api_keys == "required" and caller.key is None:
        url = config.api_keys_url
        raise KeyRequired(
            f"Visit {url} to get an API key"
            if url
            else "Please contact the server operator to get an API key"
        )
