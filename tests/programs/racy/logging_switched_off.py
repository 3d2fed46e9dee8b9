"""Logging is switched off for a while, for everybody."""

import logging


class Importer:
    def __init__(self) -> None:
        logging.disable(logging.NOTSET)
        self.log = logging.getLogger("importer")
        self.log.setLevel(logging.INFO)

    def load(self) -> None:
        logging.disable(logging.CRITICAL)
        logging.disable(logging.NOTSET)

    def is_heard(self) -> bool:
        return self.log.isEnabledFor(logging.INFO)


setup = Importer
WORKERS = [Importer.load, Importer.is_heard]
