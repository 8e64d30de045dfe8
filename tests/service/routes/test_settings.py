from __future__ import annotations

from flask.testing import FlaskClient

from service.documents.files import formats


def test_settings_name_the_formats_of_files(client: FlaskClient) -> None:
    answer = client.get("/frontend/settings")
    assert answer.status_code == 200
    assert answer.json is not None
    assert answer.json["supportedFilesFormat"] == [f".{ending}" for ending in formats()]
    assert client.post("/frontend/settings").status_code == 405
