"""Files are left out of the measurement of coverage only where the server they need is missing."""

from pathlib import Path

from drivers.unmeasured import NEEDS_EITHER, NEEDS_POSTGRES, NEEDS_REDIS, unmeasured

STORES = Path(__file__).resolve().parents[2] / "src" / "racehound" / "guard" / "stores"


def test_everything_is_measured_where_both_servers_are() -> None:
    assert unmeasured(redis=True, postgres=True) == []


def test_what_both_servers_share_is_measured_with_one_of_them() -> None:
    without_redis = unmeasured(redis=False, postgres=True)
    without_postgres = unmeasured(redis=True, postgres=False)

    assert set(without_redis).isdisjoint(without_postgres)
    assert set(unmeasured(redis=False, postgres=False)) > {*without_redis, *without_postgres}


def test_every_pattern_is_of_a_file() -> None:
    patterns = [*NEEDS_REDIS, *NEEDS_POSTGRES, *NEEDS_EITHER]

    assert [pattern for pattern in patterns if not list(STORES.glob(pattern))] == []
