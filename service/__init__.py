"""The REST service: HTTP in, HTTP out, and no translation logic of its own.

It speaks the wire format of LibreTranslate; `GET /docs` of a running service describes it.
To start it:

    python -m service

Settings are environment variables; `service.config` lists them all.
"""

import translator  # noqa: F401 (it refuses a Python that is too old)
