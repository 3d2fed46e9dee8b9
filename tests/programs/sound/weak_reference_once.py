"""An object is asked for once, and kept while it is used."""

import weakref


class Listener:
    name = "listener"


class Owner:
    def __init__(self) -> None:
        self.listener: Listener | None = Listener()
        self.found = weakref.ref(self.listener)

    def forget(self) -> None:
        self.listener = None

    def notify(self) -> str:
        listener = self.found()
        return "nobody" if listener is None else listener.name


setup = Owner
WORKERS = [Owner.forget, Owner.notify]
