"""The level is lowered for a while; the second task takes the lowered one for the original."""

import logging


class Service:
    def __init__(self) -> None:
        self.log = logging.Logger("service", logging.DEBUG)  # noqa: LOG001 - one of its own

    def quietly(self) -> None:
        before = self.log.level
        self.log.setLevel(logging.CRITICAL)
        self.log.setLevel(before)


setup = Service
WORKERS = [Service.quietly, Service.quietly]


def invariant(service: Service) -> bool:
    return service.log.level == logging.DEBUG
