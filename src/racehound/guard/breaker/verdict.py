"""What the end of a call says about the backend. Foreign predicates run here, never under a lock."""

from enum import Enum

from racehound.guard.breaker.events import log_foreign_error
from racehound.guard.breaker.settings import ExceptionRule, Settings

LONGEST_DESCRIPTION = 200


class Verdict(Enum):
    SUCCESS = "success"
    FAILURE = "failure"
    NONE = "none"


def judge_error(settings: Settings, error: BaseException) -> Verdict:
    """Cancellation, exit and interruption are no verdict, unless `failure_on` asks for them."""
    if _matches(settings.ignore, error, in_doubt=False):
        return Verdict.NONE
    if _matches(settings.failure_on, error, in_doubt=isinstance(error, Exception)):
        return Verdict.FAILURE
    return Verdict.SUCCESS if isinstance(error, Exception) else Verdict.NONE


def is_failure_result(settings: Settings, result: object) -> bool:
    if settings.failure_result is None:
        return False
    try:
        return bool(settings.failure_result(result))
    except Exception as error:  # noqa: BLE001 - the caller gets the result that the backend gave
        log_foreign_error("failure_result raised; the call counts as a failure", error)
        return True


def describe(error: object) -> str | None:
    """The failure as text. Foreign `__repr__`, so never under a lock."""
    if error is None:
        return None
    try:
        return repr(error)[:LONGEST_DESCRIPTION]
    except Exception:  # noqa: BLE001 - an exception that cannot be printed is still a failure
        return type(error).__name__


def _matches(rule: ExceptionRule, error: BaseException, *, in_doubt: bool) -> bool:
    if isinstance(rule, tuple | type):  # a class could be called as well, and what it makes is always true
        return isinstance(error, rule)
    try:
        return bool(rule(error))
    except Exception as own:  # noqa: BLE001 - the caller gets the exception of the backend, not this one
        log_foreign_error(f"a predicate on exceptions raised; taken as {in_doubt}", own)
        return in_doubt
