"""Which paths belong to a sandbox, seen from inside: below its root, and in the places that are its own."""

import os

from racehound.processes.commons import NONE, Commons


class Territory:
    def __init__(self, root: str, commons: Commons = NONE) -> None:
        self.root = root
        self.inside = root + "/"
        self._places = tuple(f"{place}/" for place in commons.places)
        self._theirs = tuple(f"{path}/" for path in commons.bound)
        self._exactly = commons.bound
        self.marks = tuple(os.fsencode(start) for start in (root, *self._places))
        """Paths that begin otherwise are not ours."""
        self._foreign = tuple(os.fsencode(start) for start in self._theirs)
        self._own = os.fsencode(root)

    def holds(self, path: str) -> bool:
        if path.startswith(self.inside) or path == self.root:
            return True
        return path.startswith(self._places) and not path.startswith(self._theirs) and path not in self._exactly

    def shown(self, path: str) -> str:
        """Relative to the root where it is below."""
        return path.removeprefix(self.inside)

    def is_elsewhere(self, path: bytes) -> bool:
        """Whether an absolute path, as a command names it, leads out for certain but for links."""
        if not path.startswith(self.marks):
            return True
        return path.startswith(self._foreign) and not path.startswith(self._own) and b"/../" not in path
