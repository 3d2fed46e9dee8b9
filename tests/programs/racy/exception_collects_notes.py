"""Two tasks add to the arguments of one exception."""


def setup() -> ValueError:
    return ValueError()


def note(error: ValueError) -> None:
    error.args = (*error.args, "seen")


WORKERS = [note, note]


def invariant(error: ValueError) -> bool:
    return error.args == ("seen", "seen")
