"""How much was read, and how much of what was found."""

from racehound.model.report import Statistics


def statistics(counts: Statistics) -> str:
    lines = [("files", counts.files), ("lines", counts.lines)]
    lines += [("unparsed", counts.unparsed)] if counts.unparsed else []
    lines += [*counts.rules.items(), *counts.verdicts.items()]
    width = max(len(name) for name, _ in lines)
    return "".join(f"{name:<{width}}  {number}\n" for name, number in lines)
