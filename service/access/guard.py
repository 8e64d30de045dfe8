"""The door: who may not ask is refused before the text of the request is looked at."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping

from flask import Flask, g, request
from werkzeug.middleware.proxy_fix import ProxyFix

from service.access.callers import Caller, current_caller, identify
from service.access.limits import RateLimits
from service.access.shared_keys import open_keys
from service.config import ServiceConfig
from service.errors import InvalidKey, KeyRequired

GUARDED = {"/translate", "/attention", "/detect", "/translate_file", "/suggest", "/downloads"}
"""POST to these is counted, and needs a key if one is needed."""


def guard(
    app: Flask, config: ServiceConfig, further: Mapping[str, Collection[str]] | None = None
) -> None:
    """Put the door before the routes of an application.

    The checks are in LibreTranslate's order: too many requests, a ban, a bad key, no key.

    Args:
        app: the application.
        config: its settings.
        further: blueprints all of whose addresses need a key if one is needed, each with those of
            its addresses to which a POST is counted.

    Raises:
        ConfigError: the database or the storage of rate limits cannot be used.
    """
    keys = None if config.api_keys == "off" else open_keys(config)
    proxies = config.trusted_proxies
    if proxies:
        fixed = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=0, x_prefix=0)
        app.wsgi_app = fixed  # type: ignore[method-assign]

    if keys is None and not config.rate_limit:
        return  # then no one is refused, and no time is spent on it

    @app.before_request
    def find_out_who_asks() -> None:
        rule = request.url_rule
        if rule is None or request.method == "OPTIONS":
            return
        is_post = request.method == "POST"
        counted = (further or {}).get(request.blueprint or "")
        if counted is not None:
            g.caller = identify(request, keys, is_counted=is_post and rule.rule in counted)
        elif is_post and rule.rule in GUARDED:
            g.caller = identify(request, keys)

    limits = RateLimits(app, config)  # its own check comes between the other two

    @app.before_request
    def refuse() -> None:
        caller: Caller | None = g.get("caller")
        if caller is not None:
            limits.raise_if_banned(caller)
            _check_key(caller, config)


def config_of_caller(config: ServiceConfig) -> ServiceConfig:
    """Return the settings as they are for whoever sends the request in hand."""
    key = current_caller().key
    if key is None or key.char_limit is None:
        return config
    return dataclasses.replace(config, char_limit=key.char_limit)


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
