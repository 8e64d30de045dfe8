"""Requests that schemathesis makes of a description, and what it says of the answers.

Importing it takes two seconds, which not everyone who collects tests should wait for.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS

from service.libretranslate.answer import StreamEvent

UNPACKED = {"Accept-Encoding": "identity"}  # which it asks for, but does not unpack
KEY = {"Authorization": "DeepL-Auth-Key someone"}

RIGHT, WRONG = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
ACCEPTED = [None, "application/x-ndjson", "text/event-stream", "*/*"]
WRONG_IS_REFUSED = "negative_data_rejection"
LEFT_OUT = "positive_data_acceptance"
"""A request that fits its schema may be refused for what a schema cannot know: languages that no
model has, limits of this server, files that are none, IDs of things that there are not."""


def described_by(app: Flask) -> Any:
    """Return the description that an application gives of itself."""
    return schemathesis.openapi.from_wsgi("/spec", app)


def plausible(case: Case[Any], accepted: str | None) -> Case[Any]:
    """Give most requests languages that there are, since hardly any text is one by chance."""
    if accepted is not None:
        case.headers["Accept"] = accepted
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


def all_checks(*others: str) -> Any:
    """Return all of its checks but one, and some others."""
    names = [name for name in CHECKS.get_all_names() if name not in (LEFT_OUT, *others)]
    return CHECKS.get_by_names(names)


def has_empty(value: Any) -> bool:
    """Return whether there is an empty string, which is as good as nothing in our requests."""
    if isinstance(value, dict | list):
        return any(map(has_empty, value.values() if isinstance(value, dict) else value))
    return value in ("", b"")


def fuzz(
    operation: Any, mode: GenerationMode, num_examples: int, key: Mapping[str, str] = KEY
) -> dict[int, int]:
    """Make requests and check the answers; return how many had which status."""
    statuses: dict[int, int] = {}
    headers = {**key, **UNPACKED}

    @given(operation.as_strategy(mode), st.sampled_from(ACCEPTED))
    @settings(
        max_examples=num_examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=[*HealthCheck],
    )
    def check(case: Case[Any], accepted: str | None) -> None:
        assume(mode is RIGHT or not has_empty([case.body, dict(case.query or {})]))
        before = case.body
        plausible(case, accepted)  # which may put right what was wrong
        response = case.call(headers=headers)
        is_wrong = case.body is before and response.status_code != 413  # too much is refused first
        checks = all_checks(*([] if is_wrong else [WRONG_IS_REFUSED]))
        case.validate_response(response, checks=checks, headers=headers)
        if response.headers["content-type"][0].startswith("application/x-ndjson"):
            for line in response.text.splitlines():
                StreamEvent.model_validate_json(line)
        statuses[response.status_code] = statuses.get(response.status_code, 0) + 1

    check()
    return statuses


def fuzz_chains(description: Any, num_examples: int, key: Mapping[str, str] = KEY) -> None:
    """Make requests that go on with what others were answered, and check all answers.

    Each chain begins with no glossaries: what is drawn depends on the answers, and Hypothesis calls
    it inconsistent ("FlakyStrategyDefinition") when the same choices get other answers.
    """
    client, headers = description.app.test_client(), {**key, **UNPACKED}

    class Chain(description.as_state_machine()):  # type: ignore[misc]
        def setup(self) -> None:
            super().setup()
            for glossary in client.get("/v3/glossaries", headers=headers).json["glossaries"]:
                address = f"/v3/glossaries/{glossary['glossary_id']}"
                assert client.delete(address, headers=headers).status_code == 204

        def get_call_kwargs(self, case: Case[Any]) -> dict[str, Any]:
            return {"headers": headers}

        def before_call(self, case: Case[Any]) -> None:
            plausible(case, None)

        def validate_response(self, response: Any, case: Case[Any], **options: Any) -> None:
            case.validate_response(response, checks=all_checks(), headers=options.get("headers"))

    Chain.run(
        settings=settings(
            max_examples=num_examples,
            stateful_step_count=6,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=[*HealthCheck],
        )
    )
