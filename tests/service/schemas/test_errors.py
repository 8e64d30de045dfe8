"""What every error is answered with."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from service.schemas.errors import ErrorAnswer


def test_an_error_is_one_text() -> None:
    said = ErrorAnswer(error="no", code="invalid").model_dump(exclude_unset=True)
    assert said == {"error": "no", "code": "invalid"}
    with pytest.raises(ValidationError, match="detail"):
        ErrorAnswer.model_validate({"error": "no", "code": "invalid", "detail": "more"})
