"""A handler is added by whoever finds none."""

import logging


class Service:
    def __init__(self) -> None:
        self.log = logging.Logger("service")  # noqa: LOG001 - one of its own

    def set_up(self) -> None:
        if not self.log.handlers:
            self.log.addHandler(logging.NullHandler())


setup = Service
WORKERS = [Service.set_up, Service.set_up]


def invariant(service: Service) -> bool:
    return len(service.log.handlers) == 1
