"""The REST service: HTTP in, HTTP out, and no translation logic of its own.

It answers `/translate`, `/languages` and `/health` in the wire format of LibreTranslate.
To start it:

    gunicorn --config service/gunicorn.conf.py

Settings are environment variables; `service.config` lists them all.
"""
