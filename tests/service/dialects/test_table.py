"""Dialects, and the settings that switch them off."""

from __future__ import annotations

import pytest

from tests.service.dialects.conftest import MakeClient

ADDRESSES = {
    "deepl": ["/v2/translate", "/v2/document"],
    "extensions": ["/imme", "/kiss", "/hcfy", "/deeplx", "/translate/batch"],
}


@pytest.mark.parametrize("setting", ADDRESSES)
def test_each_group_can_be_switched_off(make_client: MakeClient, setting: str) -> None:
    client = make_client(**{setting: "off"})
    for group, addresses in ADDRESSES.items():
        statuses = {client.post(address).status_code for address in addresses}
        assert statuses == ({404} if group == setting else {400})


def test_without_them_the_service_knows_no_other_fields(make_client: MakeClient) -> None:
    body = {"text": "a", "from": "de", "to": "en"}
    assert make_client().post("/translate", json=body).json == {"result": "A"}
    answer = make_client(extensions="off").post("/translate", json=body)
    assert answer.json == {"code": "invalid", "error": "Invalid request: missing q parameter"}


def test_requests_of_all_dialects_are_counted(make_client: MakeClient) -> None:
    client = make_client(rate_limit="1 per minute")
    assert client.post("/kiss", json={"text": "a", "from": "de", "to": "en"}).status_code == 200
    again = client.post("/imme", json={"text_list": ["a"], "target_lang": "en"})
    assert (again.status_code, (again.json or {})["code"]) == (429, "too_many_requests")
