"""A number kept on a shelf: only the items of an object of a library show that a file is read and written."""

import atexit
import shelve
import shutil
import tempfile
from pathlib import Path

_PLACE = Path(tempfile.mkdtemp())
atexit.register(shutil.rmtree, _PLACE)


class Stock:
    def __init__(self) -> None:
        self.path = str(_PLACE / "stock")
        with shelve.open(self.path) as shelf:  # noqa: S301 - of its own making
            shelf["apples"] = 3

    def sell(self) -> None:
        with shelve.open(self.path) as shelf:  # noqa: S301 - of its own making
            shelf["apples"] = shelf["apples"] - 1


setup = Stock
WORKERS = [Stock.sell, Stock.sell]


def invariant(stock: Stock) -> bool:
    with shelve.open(stock.path) as shelf:  # noqa: S301 - of its own making
        return bool(shelf["apples"] == 1)
