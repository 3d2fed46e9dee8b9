"""A singleton that is made by `or`, and forgotten now and then."""


class Pool:
    def __init__(self) -> None:
        self.made = None
        self.count = 0

    def get(self) -> object:
        self.made = self.made or self._make()
        return self.made

    def forget(self) -> None:
        self.made = None

    def _make(self) -> object:
        self.count += 1
        return [self.count]


setup = Pool
WORKERS = [Pool.get, Pool.get]
