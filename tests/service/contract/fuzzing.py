"""Requests that schemathesis makes of a description, and what it says of the answers.

Importing it takes two seconds, which not everyone who collects tests should wait for.
"""

from __future__ import annotations

import zlib
from typing import Any

import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS

from service.libretranslate.answer import StreamEvent

KEY = {"Authorization": "DeepL-Auth-Key someone"}

RIGHT, WRONG = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
ACCEPTED = [None, "application/x-ndjson", "text/event-stream", "*/*"]
CHECKED = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
)


def described_by(app: Flask) -> Any:
    """Return the description that an application gives of itself."""
    return schemathesis.openapi.from_wsgi("/spec", app)


def plausible(case: Case[Any], accepted: str | None) -> Case[Any]:
    """Give most requests languages that there are, since hardly any text is one by chance."""
    if accepted is not None:
        case.headers["Accept"] = accepted
    case.headers.update(KEY)
    body = case.body
    if not isinstance(body, dict):
        return case
    chance = zlib.crc32(repr(body).encode("utf-8", "replace"))
    if "source" in body and "target" in body:
        pairs = [("auto", "en"), ("de", "en"), ("en-GB", "de_DE"), (body["source"], "de")]
        source, target = pairs[chance % len(pairs)]
        case.body = {**body, "source": source, "target": target}
    elif chance % 4:
        case.body = in_dialect(body)
    return case


def in_dialect(body: dict[str, Any]) -> dict[str, Any]:
    """Give a request of another dialect languages that there are, and terms that are some."""
    usual = {
        "source_lang": "DE",
        "target_lang": "EN-US",
        "from": "de",
        "to": "en",
        "destination": ["德语", "英语"],
        "entries": "a\tb",
        "entries_format": "tsv",
        "formality": "prefer_less",
        "glossary_id": None,
        "glossary_ids": None,
    }
    body = {name: usual.get(name, value) for name, value in body.items()}
    parts = body.get("dictionaries")
    if isinstance(parts, list) and parts and isinstance(parts[0], dict):
        body["dictionaries"] = [in_dialect(parts[0])]
    return body


def fuzz(operation: Any, mode: GenerationMode, num_examples: int) -> dict[int, int]:
    """Make requests and check the answers; return how many had which status."""
    statuses: dict[int, int] = {}
    checks: Any = CHECKS.get_by_names([*CHECKED])
    cases = st.builds(plausible, operation.as_strategy(mode), st.sampled_from(ACCEPTED))

    @given(cases)
    @settings(
        max_examples=num_examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=[*HealthCheck],
    )
    def check(case: Case[Any]) -> None:
        response = case.call_and_validate(checks=checks)
        if response.headers["content-type"][0].startswith("application/x-ndjson"):
            for line in response.text.splitlines():
                StreamEvent.model_validate_json(line)
        statuses[response.status_code] = statuses.get(response.status_code, 0) + 1

    check()
    return statuses
