"""Translations that wait until another one is done: in a line, and without a thread.

A place in the line costs next to nothing. A refusal costs a connection, and a client that asks
again at once: with many of them, the server would do little else.
"""

from __future__ import annotations

import time
from collections import deque

from flask import Flask
from waitress.channel import HTTPChannel
from waitress.task import ThreadedTaskDispatcher

from service.config import ServiceConfig
from service.http.endpoint import described

WAIT_S = 1.0
MAX_PLACES = 512
MAX_BYTES = 64 * 1024
"""A longer request is refused at once, since it would wait in memory."""


class Line(ThreadedTaskDispatcher):  # type: ignore[misc]
    """The threads, and who waits for one; only the loop puts requests into it."""

    def __init__(self, application: object, config: ServiceConfig) -> None:
        super().__init__()
        self._slots, self._prefix = config.concurrency_limit, config.url_prefix
        endpoints = described(application) if isinstance(application, Flask) else ()
        self._addresses = {rule.rule for rule, _, one in endpoints if one.takes_slot}
        self._running = set[HTTPChannel]()
        self._waiting = deque[tuple[float, HTTPChannel]]()
        self._unwanted = list[HTTPChannel]()

    def add_task(self, channel: HTTPChannel) -> None:
        """Give a whole request to a thread, or have it wait or be refused at the next turn."""
        self._running.discard(channel)
        request = channel.requests[0]
        is_plain = request.error or request.command != "POST"
        if is_plain or request.path.removeprefix(self._prefix) not in self._addresses:
            super().add_task(channel)
        elif not self._waiting and self._has_slot():
            self._run(channel)
        elif len(self._waiting) < MAX_PLACES and request.held_bytes <= MAX_BYTES:
            channel.is_in_line = True
            self._waiting.append((time.monotonic(), channel))
        else:
            self._unwanted.append(channel)

    def turn(self) -> None:
        """Let those go on who can; refuse those who have waited for too long."""
        until_s = time.monotonic() - WAIT_S
        while self._waiting and ((has_slot := self._has_slot()) or self._waiting[0][0] < until_s):
            channel = self._waiting.popleft()[1]
            channel.is_in_line = False
            if has_slot:
                self._run(channel)
                channel.worker.look_at(channel)
            else:
                self._unwanted.append(channel)
        for channel in self._unwanted:
            channel.refuse_as_full()
        self._unwanted.clear()

    def _run(self, channel: HTTPChannel) -> None:
        self._running.add(channel)
        super().add_task(channel)

    def _has_slot(self) -> bool:
        if len(self._running) >= self._slots:  # a channel whose request is answered has none
            self._running = {one for one in self._running if one.requests}
        return len(self._running) < self._slots
