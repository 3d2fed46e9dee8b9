import weakref


class Proxies:
    def __init__(self):
        self._known = weakref.WeakValueDictionary()
        self._names = weakref.WeakKeyDictionary()

    def get(self, number):
        proxy = self._known.get(number)
        if proxy is None:
            proxy = self._known[number] = Proxy(number)
        return proxy

    def find(self, number):
        if number in self._known:
            try:
                return self._known[number]
            except KeyError:
                pass
        return None

    def name(self, proxy):
        if proxy in self._names:
            return self._names[proxy]
        return None
