"""What the container files say of the service is so."""

from __future__ import annotations

import dataclasses
import re

import pytest

from service.config import ServiceConfig, variable_name
from tests.checkout import ROOT
from tests.service.conftest import FakeTranslator, make_app

DEPLOY = "service/deploy"
FILES = ["Dockerfile", f"{DEPLOY}/compose.yaml", f"{DEPLOY}/nginx.conf"]


@pytest.mark.parametrize("path", FILES)
def test_every_setting_is_one_of_the_service(path: str) -> None:
    named = {*re.findall(r"TRANSLATOR_[A-Z_]+", (ROOT / path).read_text("utf-8"))}
    assert (
        named - {variable_name(field.name) for field in dataclasses.fields(ServiceConfig)} == set()
    )


def test_the_health_check_asks_an_address_that_there_is() -> None:
    check = (ROOT / "Dockerfile").read_text("utf-8").partition("HEALTHCHECK")[2]
    [path] = re.findall(r"\+ '(/\w+)'", check)
    assert make_app(FakeTranslator()).test_client().get(path).status_code == 200


def test_the_volumes_are_where_the_image_keeps_its_files() -> None:
    image = (ROOT / "Dockerfile").read_text("utf-8")
    mounted = re.findall(r"- \w+:(/var/\S+)", (ROOT / DEPLOY / "compose.yaml").read_text("utf-8"))
    assert len(mounted) == 2
    for folder in mounted:
        assert f"{folder}" in image.partition("install --directory")[2].partition("\n")[0]
