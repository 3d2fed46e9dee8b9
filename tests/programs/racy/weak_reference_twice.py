"""Whether an object is still there is asked once, and then it is used."""

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
        if self.found() is None:
            return "nobody"
        return self.found().name  # type: ignore[union-attr]  # the mistake


setup = Owner
WORKERS = [Owner.forget, Owner.notify]
