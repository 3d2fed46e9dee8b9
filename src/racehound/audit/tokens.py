"""A token carries the commands and the schedule, so that a violation can be run again anywhere."""

from dataclasses import dataclass

from racehound.audit.schedule import Schedule
from racehound.errors import UsageError
from racehound.model.schedule import decode_token, encode_token
from racehound.processes.calls import Point

KIND = "audit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """All that is needed to run one schedule again."""

    first: str
    second: str
    setup: tuple[str, ...]
    view: str | None
    schedule: Schedule | None = None
    directory: str | None = None

    def token(self) -> str:
        schedule = self.schedule
        points = [str(point) for point in (schedule.point, *schedule.then)] if schedule else []
        return encode_token(
            {
                KIND: {
                    "a": self.first,
                    "b": self.second,
                    "setup": list(self.setup),
                    "view": self.view,
                    "points": points,
                    "exchanged": bool(schedule and schedule.exchanged),
                    "directory": self.directory,
                    "hold": schedule.hold if schedule else 0.0,
                }
            }
        )


def is_audit_token(token: str) -> bool:
    return KIND in decode_token(token)


def recipe_of(token: str) -> Recipe:
    match decode_token(token).get(KIND):
        # Of the tokens that `audit` has printed, the older ones do not say how long a command is held.
        case {
            "a": str(first),
            "b": str(second),
            "setup": list(setup),
            "view": str() | None as view,
            "points": list(points),
            "exchanged": bool(exchanged),
            "directory": str() | None as directory,
            **more,
        }:
            parsed = [Point.parse(str(point)) for point in points]
            hold = float(str(more.get("hold", 0.0)))
            schedule = Schedule(parsed[0], exchanged, tuple(parsed[1:]), hold) if parsed else None
            return Recipe(
                first=first,
                second=second,
                setup=tuple(map(str, setup)),
                view=view,
                schedule=schedule,
                directory=directory,
            )
    raise UsageError("this token does not name a schedule", hint="copy it whole, from rh1- to its end")
