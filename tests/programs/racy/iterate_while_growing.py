"""An insertion between two steps of an iteration."""


class Registry:
    def __init__(self) -> None:
        self.prices = {"a": 1, "b": 2}

    def total(self) -> int:
        return sum(price for price in self.prices.values())

    def add(self) -> None:
        self.prices["c"] = 3


setup = Registry
WORKERS = [Registry.total, Registry.add]
