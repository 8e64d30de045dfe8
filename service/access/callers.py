"""Who sends a request: the key that comes with it, or the address."""

from __future__ import annotations

import dataclasses
import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Request, g, json

from service.access.keys import ApiKey, Keys
from service.config import ServiceConfig

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
        has_bad_key: a key came that is not valid.
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
    if keys is None or not presented:
        return Caller(address=address, is_counted=is_counted)
    key = keys.find(presented)
    return Caller(address=address, key=key, has_bad_key=key is None, is_counted=is_counted)


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
