"""How the state that a coroutine counts on across an await is changed by another task: what RH301 tells."""

from racehound.rules.awaiting.across_await import Crossing


def lost(crossing: Crossing) -> str:
    name, other, target = crossing.last.function.name, crossing.rival.function.name, crossing.target
    return (
        f"`{name}` gives `{target}` away and waits; another task adds to it in `{other}`; then `{name}` empties "
        "it, and what was added is lost."
    )


def given_twice(crossing: Crossing) -> str:
    name, target = crossing.last.function.name, crossing.target
    return (
        f"`{name}` gives `{target}` away and waits; a second task runs `{name}` and gives the same number away; "
        "then both raise it."
    )


def filled_twice(crossing: Crossing) -> str:
    name, target = crossing.last.function.name, crossing.target
    return (
        f"Two tasks run `{name}`: both empty `{target}` and wait, and then each puts its items in, so that "
        f"`{crossing.rival.function.name}` finds them twice; whoever looks meanwhile finds some of them missing."
    )


def overwritten(crossing: Crossing) -> str:
    name, other = crossing.last.function.name, crossing.rival.function.name
    target = crossing.target
    if crossing.last.changes:
        return (
            f"`{name}` reads `{target}` and waits; another task changes it in `{other}`; then `{name}` writes "
            "back what it made of the old value."
        )
    return (
        f"`{name}` stores its own value in `{_stored(crossing)}` and waits; another task stores a different one "
        f"in `{other}`; then `{name}` reads that."
    )


def _stored(crossing: Crossing) -> str:
    """Of `self.user.name`, it may be `self.user` that is stored."""
    touch = crossing.first.touch
    return f"{touch.place}{touch.key or ''}" if touch.place != crossing.last.touch.place else crossing.target
