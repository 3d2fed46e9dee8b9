import weakref

_owners = {}


class Marker:
    """Weak references that take themselves out when what they refer to goes."""

    def __init__(self):
        self.contents = set()
        self.names = {}

    def add(self, item):
        self.contents.add(weakref.ref(item, self._forget))
        self.names[id(item)] = item.name
        weakref.finalize(item, self.names.pop, id(item))

    def _forget(self, reference):
        self.contents.discard(reference)

    def modules(self):
        return {reference().__module__ for reference in self.contents}  # RH


def own(item, name):
    def gone(reference):
        del _owners[reference]

    _owners[weakref.ref(item, gone)] = name


def names():
    for reference, name in _owners.items():  # RH
        yield reference(), name
