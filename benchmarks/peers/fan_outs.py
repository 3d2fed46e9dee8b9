"""Other ways to run functions in parallel, behind the interface of the shared cases."""

import asyncio
import contextlib
import multiprocessing
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import Any

from drivers.executor_cases import FanOut, Functions, Way, bare_pool

Wait = Callable[[list[Awaitable[Any]]], Awaitable[list[Any]]]


async def gathered(calls: list[Awaitable[Any]]) -> list[Any]:
    return await asyncio.gather(*calls, return_exceptions=True)


async def grouped(calls: list[Awaitable[Any]]) -> list[Any]:
    async def awaited(call: Awaitable[Any]) -> Any:
        return await call

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(awaited(call)) for call in calls]
    return [task.result() for task in tasks]


def on_a_loop(wait: Wait) -> Way:
    @contextlib.contextmanager
    def way(workers: int) -> Iterator[FanOut]:
        pool = ThreadPoolExecutor(workers)

        def fan_out(functions: Functions, seconds: float, /) -> Mapping[str, Any]:
            async def main() -> list[Any]:
                loop = asyncio.get_running_loop()
                started = [loop.run_in_executor(pool, function) for function in functions.values()]
                return await wait([asyncio.wait_for(future, seconds) for future in started])

            try:
                return dict(zip(functions, asyncio.run(main()), strict=True))
            except ExceptionGroup:
                return {}

        with pool:
            yield fan_out

    return way


@contextlib.contextmanager
def joblib_threads(workers: int) -> Iterator[FanOut]:
    from joblib import Parallel, delayed  # noqa: PLC0415 - measured where installed

    def fan_out(functions: Functions, seconds: float, /) -> Mapping[str, Any]:
        parallel = Parallel(n_jobs=max(workers, 2), backend="threading", timeout=seconds)
        try:
            values = parallel(delayed(function)() for function in functions.values())
        except multiprocessing.TimeoutError as error:
            raise TimeoutError from error
        return dict(zip(functions, values, strict=True))

    yield fan_out


def ways() -> dict[str, Way]:
    found: dict[str, Way] = {
        "bare thread pool": bare_pool,
        "asyncio.gather": on_a_loop(gathered),
        "asyncio.TaskGroup": on_a_loop(grouped),
    }
    if find_spec("joblib"):
        found["joblib"] = joblib_threads
    return found
