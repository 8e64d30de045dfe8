"""GET /health and GET /ready."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from service.schemas.operations import HealthAnswer


def test_a_server_is_well_or_answers_an_error() -> None:
    assert HealthAnswer(status="ok").model_dump() == {"status": "ok"}
    with pytest.raises(ValidationError, match="ok"):
        HealthAnswer.model_validate({"status": "ill"})
