"""Raw parallel text in, a model directory out."""

import translator  # noqa: F401 (it refuses a Python that is too old)
