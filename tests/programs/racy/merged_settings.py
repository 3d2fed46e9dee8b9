"""Settings that are replaced by themselves and one more."""


class Settings:
    def __init__(self) -> None:
        self.values: dict[str, int] = {}

    def with_a(self) -> None:
        self.values = self.values | {"a": 1}

    def with_b(self) -> None:
        self.values = {**self.values, "b": 2}


setup = Settings
WORKERS = [Settings.with_a, Settings.with_b]


def invariant(settings: Settings) -> bool:
    return settings.values == {"a": 1, "b": 2}
