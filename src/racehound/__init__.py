"""Find concurrency bugs, prove them, fix them, prove the fix."""

TYPE_CHECKING = False  # the one of `typing` would cost `import racehound.guard` ten times as much as all the rest

if TYPE_CHECKING:
    from racehound.markers import confined as confined
    from racehound.markers import guarded_by as guarded_by
    from racehound.pipeline.explore import Exploration as Exploration
    from racehound.pipeline.explore import explore as explore

__version__ = "0.1.0"

__all__ = ["Exploration", "__version__", "confined", "explore", "guarded_by"]

_HOMES = {
    "Exploration": "racehound.pipeline.explore",
    "confined": "racehound.markers",
    "explore": "racehound.pipeline.explore",
    "guarded_by": "racehound.markers",
}


def __getattr__(name: str) -> object:
    """Public names are looked up when asked for: `racehound --version` pays for none of them."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - kept off the path of those who do not need it

    return getattr(import_module(_HOMES[name]), name)
