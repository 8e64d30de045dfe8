"""Codes of errors: words for programs, which stay the same where messages may change."""

from __future__ import annotations

BY_STATUS = {
    400: "invalid",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "too_slow_request",
    413: "too_large",
    415: "unsupported_media_type",
    429: "too_many_requests",
    431: "too_large_head",
    499: "client_gone",
    500: "failed",
    503: "busy",
    504: "too_slow",
}
"""What an error is called that its status says all of."""

KEY_REQUIRED, INVALID_KEY, BANNED = "key_required", "invalid_key", "banned"
STOPPED, NOT_READY, MODEL_CHANGED = "stopped", "not_ready", "model_changed"


def code_of_status(status: int) -> str:
    """Return what an error is called of which nothing but its status is known."""
    return BY_STATUS.get(status, f"status_{status}")
