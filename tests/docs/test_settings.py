"""What docs/reference.md says of the settings is what the service has."""

from __future__ import annotations

import dataclasses
import re

from service.config import FROM_FILE, OF_THE_LIBRARY, ServiceConfig, variable_name
from tests.checkout import ROOT
from tests.docs.pages import code_spans, read

PAGE = ROOT / "docs" / "reference.md"


def test_every_setting_is_described_and_no_other() -> None:
    named = {span.partition("=")[0] for span in code_spans(read(PAGE))}
    described = {name.removesuffix(FROM_FILE) for name in named if name.startswith("TRANSLATOR_")}
    known = {variable_name(f.name) for f in dataclasses.fields(ServiceConfig)}
    assert described == known | OF_THE_LIBRARY


def test_described_defaults_are_the_defaults() -> None:
    rows = re.findall(r"\| `(TRANSLATOR_\w+)` \| ([\d,]+) \|", read(PAGE))
    described = {name: int(value.replace(",", "")) for name, value in rows}
    numbers = {
        variable_name(f.name): f.default
        for f in dataclasses.fields(ServiceConfig)
        if isinstance(f.default, int)
    }
    assert described == numbers
