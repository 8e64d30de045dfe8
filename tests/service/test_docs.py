"""What the README says of the service is what the service has."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

from service.config import ServiceConfig, variable_name

README = Path(__file__).parents[2] / "README.md"


def test_every_setting_is_in_the_readme_and_no_other() -> None:
    documented = set(re.findall(r"TRANSLATOR_[A-Z_]+", README.read_text(encoding="utf-8")))
    assert documented == {variable_name(f.name) for f in dataclasses.fields(ServiceConfig)}


def test_defaults_in_the_readme_are_the_defaults() -> None:
    rows = re.findall(r"\| `(TRANSLATOR_\w+)` \| ([\d,]+) \|", README.read_text(encoding="utf-8"))
    documented = {name: int(value.replace(",", "")) for name, value in rows}
    numbers = {
        variable_name(f.name): f.default
        for f in dataclasses.fields(ServiceConfig)
        if isinstance(f.default, int)
    }
    assert documented == numbers
