"""The REST service: HTTP in, HTTP out, and no translation logic of its own.

It speaks the wire format of LibreTranslate, so that existing clients work unmodified. Start it with

    gunicorn --config service/gunicorn.conf.py

Settings are environment variables; `service.config` lists them all.
"""
