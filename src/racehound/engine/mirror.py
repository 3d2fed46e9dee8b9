from collections.abc import Callable


class Mirror:
    """A controlled stand-in for a primitive; hooks tell it where the program names it."""

    site = 0
    """Number of the place in the source, 0 where none is known."""

    def is_mine(self) -> bool:
        """Whether the running task holds it."""
        return False


MirrorOf = Callable[[object], Mirror]
"""Finds the mirror of an original that the program made before it was observed."""
