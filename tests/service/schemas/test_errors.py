"""What every error is answered with."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from service.schemas.errors import ErrorAnswer


def test_an_error_is_one_text() -> None:
    assert ErrorAnswer(error="no").model_dump() == {"error": "no"}
    with pytest.raises(ValidationError, match="detail"):
        ErrorAnswer.model_validate({"error": "no", "detail": "more"})
