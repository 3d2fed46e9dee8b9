"""Two callers get two instances of what should be one."""


class Service:
    instance: "Service | None" = None

    @classmethod
    def get(cls) -> "Service":
        if cls.instance is None:
            cls.instance = cls()
        return cls.instance


def setup() -> None:
    """The state is the class itself."""


WORKERS = [lambda _: Service.get(), lambda _: Service.get()]
