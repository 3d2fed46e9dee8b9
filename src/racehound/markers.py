"""Marks for `Annotated` that tell the hunt what is meant; at run time they do nothing."""


class GuardedBy:
    """The field is used only while `lock` is held: an attribute of the object, or a variable of the module."""

    __slots__ = ("lock",)

    def __init__(self, lock: str) -> None:
        self.lock = lock

    def __repr__(self) -> str:
        return f"guarded_by({self.lock!r})"


class Confined:
    """The field belongs to one thread or one event loop; `where` is for the reader."""

    __slots__ = ("where",)

    def __init__(self, where: str = "") -> None:
        self.where = where

    def __call__(self, where: str) -> "Confined":
        return Confined(where)

    def __repr__(self) -> str:
        return f"confined({self.where!r})" if self.where else "confined"


guarded_by = GuardedBy
confined = Confined()
