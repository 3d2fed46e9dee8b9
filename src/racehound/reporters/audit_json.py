"""What other programs read of an audit; the keys are a contract."""

import json

from racehound.model.audit import Audit, CrashPoint, DrawnCall, PairText, Violation

VERSION = 1


def render(audit: Audit) -> str:
    return json.dumps(document(audit), indent=2, ensure_ascii=False) + "\n"


def document(audit: Audit) -> dict[str, object]:
    return {
        "version": VERSION,
        "score": audit.score,
        "commands": list(audit.commands),
        "schedules": audit.schedules,
        "violations": [_violation(violation) for violation in audit.violations],
        "refused": audit.refused,
        "serial": audit.serial,
        "crash_points": [_crash_point(point) for point in audit.crash_points],
        "checks": [
            {"id": check.id, "passed": check.passed, "evidence": check.evidence, "title": check.title}
            for check in audit.checks
        ],
        "verdict": audit.verdict,
        "reason": audit.reason,
        "pairs": [_pair(pair) for pair in audit.pairs],
        "waited": audit.waited,
        "unconfirmed": audit.unstable,
        "flags": list(audit.flags),
        "advice": [{"text": item.text, "places": list(item.places)} for item in audit.advice],
        "masked": list(audit.masked),
        "outside": list(audit.outside),
        "backend": audit.backend,
        "limits": list(audit.limits),
        "notes": list(audit.notes),
    }


def _violation(violation: Violation) -> dict[str, object]:
    return {
        "schedule": violation.schedule,
        "point": violation.point,
        "what": violation.what.value,
        "lost": list(violation.lost),
        "token": violation.token,
        "pair": violation.pair,
        "detail": violation.detail,
        "cache_only": violation.cache_only,
        "steps": [_call(call) for call in violation.steps],
    }


def _call(call: DrawnCall) -> dict[str, object]:
    return {"task": call.task, "call": call.call, "path": call.path, "switch": call.switch}


def _crash_point(point: CrashPoint) -> dict[str, object]:
    return {
        "point": point.point,
        "signal": point.signal,
        "state": point.state,
        "stuck": point.stuck,
        "leftovers": list(point.leftovers),
        "detail": point.detail,
    }


def _pair(pair: PairText) -> dict[str, object]:
    return {"name": pair.name, "a": pair.first, "b": pair.second, "setup": list(pair.setup)}
