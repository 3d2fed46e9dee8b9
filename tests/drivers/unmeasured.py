"""Which files cannot be measured on this machine, because the server that they talk to is not installed.

usage: python -m drivers.unmeasured       prints patterns for `coverage report --omit`, and says why on stderr

The tests of these files are skipped then, so that their coverage would say nothing about the tests.
"""

import sys

from servers import postgres_program, redis_program

STORES = "*/racehound/guard/stores"
NEEDS_REDIS = ("redis*.py", "breaker_redis.py", "lease.py")
NEEDS_POSTGRES = ("postgres*.py", "breaker_postgres.py")
NEEDS_EITHER = ("gate.py", "holder_record.py", "in_thread.py", "server_config.py", "server_lock.py")


def unmeasured(*, redis: bool, postgres: bool) -> list[str]:
    names = [
        *(() if redis else NEEDS_REDIS),
        *(() if postgres else NEEDS_POSTGRES),
        *(() if redis or postgres else NEEDS_EITHER),
    ]
    return [f"{STORES}/{name}" for name in names]


def main() -> None:
    postgres = bool(postgres_program("postgres") and postgres_program("initdb"))
    patterns = unmeasured(redis=bool(redis_program()), postgres=postgres)
    if patterns:
        print("not measured without their server:", *patterns, file=sys.stderr)  # noqa: T201 - for whoever runs make
    print(",".join(patterns) or "none")  # noqa: T201 - the answer


if __name__ == "__main__":
    main()
