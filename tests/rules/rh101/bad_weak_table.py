import weakref
from weakref import WeakValueDictionary

_PAGES = WeakValueDictionary()


class Proxies:
    """What nobody uses any more goes by itself, at any moment."""

    def __init__(self):
        self._known = weakref.WeakValueDictionary()

    def get(self, number):
        if number in self._known:  # RH
            return self._known[number]
        return self.make(number)

    def make(self, number):
        proxy = self._known[number] = Proxy(number)
        return proxy


def page(name):
    if name not in _PAGES:
        _PAGES[name] = load(name)
    return _PAGES[name]
