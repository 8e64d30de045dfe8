"""What the handlers share."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from service.config import ServiceConfig
from translator.errors import EngineOverloadedError

if TYPE_CHECKING:
    from translator.detection.detector import Detector
    from translator.translate.translator import Translator


class Context:
    """The translator and the limits of one application.

    Attributes:
        config: settings.
        translator: translates.
        detector: tells the translator's languages apart.
    """

    def __init__(self, config: ServiceConfig, translator: Translator, detector: Detector) -> None:
        """Serve `translator` within the limits of `config`."""
        self.config = config
        self.translator = translator
        self.detector = detector
        self._places = threading.BoundedSemaphore(config.concurrency_limit)

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold one of the places for running translations, or refuse at once if there is none.

        Raises:
            EngineOverloadedError: all places are taken.
        """
        if not self._places.acquire(blocking=False):
            raise EngineOverloadedError(
                f"the server is already busy with {self.config.concurrency_limit} translations; "
                "try again in a moment"
            )
        try:
            yield
        finally:
            self._places.release()
