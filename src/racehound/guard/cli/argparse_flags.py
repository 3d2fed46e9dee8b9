from argparse import ArgumentParser, ArgumentTypeError, BooleanOptionalAction

from racehound.guard.cli.flags import HELP, option


def add_flags(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("parallel calls")
    group.add_argument(option("session_id"), metavar="ID", help=HELP["session_id"])
    group.add_argument(option("instance_id"), metavar="ID", help=HELP["instance_id"])
    group.add_argument(option("lock_timeout"), metavar="SECONDS", type=_seconds, help=HELP["lock_timeout"])
    group.add_argument(option("force_unlock"), action="store_true", help=HELP["force_unlock"])
    group.add_argument(option("json"), action=BooleanOptionalAction, help=HELP["json"])


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not seconds >= 0:
        raise ArgumentTypeError(f"{text!r} does not do: give seconds from 0 on")
    return seconds
