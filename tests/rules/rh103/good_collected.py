import weakref


class Marker:
    def __init__(self):
        self.contents = set()
        self.kept = weakref.WeakSet()
        self.order = []

    def add(self, item):
        self.contents.add(weakref.ref(item, self._forget))
        self.kept.add(item)
        self.order.append(item)

    def _forget(self, reference):
        self.contents.discard(reference)
        self.kept.discard(reference)

    def modules(self):
        return {reference().__module__ for reference in list(self.contents)}

    def all(self):
        return [item.name for item in self.kept]
