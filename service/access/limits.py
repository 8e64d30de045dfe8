"""How often a caller may ask: counted by Flask-Limiter, in memory or in a Redis."""

from __future__ import annotations

import logging
import math
import time

from flask import Flask, request
from flask_limiter import Limiter, RateLimitExceeded
from limits.errors import ConfigurationError
from werkzeug.exceptions import TooManyRequests
from werkzeug.wrappers import Response

from service.access.callers import Caller, current_caller
from service.access.keys import UNLIMITED
from service.config import ServiceConfig
from service.errors import Banned, answer
from translator.errors import ConfigError

REDIS_PATIENCE_S = 1
IN_MEMORY = "memory://"
BANNED = "Too many request limits violations"
FROM_PAGE = "Translator-Page"
"""A header of the page's requests. The page waits when it is refused, so that bans nobody."""

log = logging.getLogger(__name__)


class RateLimits:
    """The limits of all callers, and who is banned for asking too often."""

    def __init__(self, app: Flask, config: ServiceConfig) -> None:
        """Check every request of an application of which `g.caller` says that it is counted.

        Raises:
            ConfigError: there is no such storage.
        """
        self._config = config
        is_remote = config.rate_limit_storage != IN_MEMORY
        patience = {"socket_connect_timeout": REDIS_PATIENCE_S, "socket_timeout": REDIS_PATIENCE_S}
        self._limiter = Limiter(
            lambda: current_caller().identity,
            application_limits=[lambda: self.limit_of(current_caller())],
            storage_uri=config.rate_limit_storage,
            storage_options=dict(patience) if is_remote else {},
            # Without its Redis, each worker counts by itself until it is back.
            in_memory_fallback_enabled=is_remote,
        )
        self._limiter.request_filter(self._is_unlimited)
        try:
            self._limiter.init_app(app)
        except (ConfigurationError, ValueError) as error:
            problem = f"rate_limit_storage: {error}; take memory:// or redis://HOST:PORT"
            raise ConfigError([problem], "service") from error
        if is_remote and not self._limiter.storage.check():
            log.warning("rate_limit_storage does not answer; each worker counts by itself")
        app.register_error_handler(RateLimitExceeded, self._answer)

    def limit_of(self, caller: Caller) -> str:
        """Return how often a caller may ask; empty if there is no limit."""
        key_limit = caller.key.rate_limit if caller.key else ""
        return "" if key_limit == UNLIMITED else key_limit or self._config.rate_limit

    def raise_if_banned(self, caller: Caller) -> None:
        """Refuse a caller who has been refused too often.

        Raises:
            Banned: until the refusals are forgotten.
        """
        if not self._config.ban_after:
            return
        storage = self._limiter.storage
        try:
            refusals = storage.get(_ban_key(caller))
        except storage.base_exceptions as error:
            log.warning("bans are not known while the storage is away: %s", error)
            return
        if refusals >= self._config.ban_after:
            raise Banned(BANNED)

    def _is_unlimited(self) -> bool:
        caller = current_caller()
        return caller.address == "unknown" or not caller.is_counted or not self.limit_of(caller)

    def _answer(self, error: RateLimitExceeded) -> Response:
        caller, limit = current_caller(), self._limiter.current_limit
        if self._config.ban_after and FROM_PAGE not in request.headers:
            storage = self._limiter.storage
            try:
                storage.incr(_ban_key(caller), self._config.ban_s)
            except storage.base_exceptions as failure:
                log.warning("a refusal is not counted: %s", failure)
        wait_s = 1 if limit is None else max(1, math.ceil(limit.reset_at - time.time()))
        return answer(TooManyRequests(f"Slowdown: {error.description}", retry_after=wait_s))


def _ban_key(caller: Caller) -> str:
    return f"translator-refusals/{caller.identity}"
