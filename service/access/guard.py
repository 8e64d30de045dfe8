"""The door: who may not ask is refused before the text of the request is looked at."""

from __future__ import annotations

from flask import Flask, g, request
from werkzeug.middleware.proxy_fix import ProxyFix

from service.access.callers import Caller, identify
from service.access.keys import Keys, open_keys
from service.access.limits import RateLimits
from service.config import ServiceConfig
from service.errors import InvalidKey, KeyRequired
from service.specification.endpoint import endpoint_in_hand


def guard(app: Flask, config: ServiceConfig) -> Keys | None:
    """Put the door before the routes of an application.

    The checks are in LibreTranslate's order: too many requests, a ban, a bad key, no key.

    Returns:
        The store of keys, if keys count.

    Raises:
        ConfigError: the database or the storage of rate limits cannot be used.
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
