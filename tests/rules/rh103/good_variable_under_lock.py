import asyncio
import threading

_lock = threading.Lock()
_jobs = {}
_turn = asyncio.Lock()
_tasks = {}


def add(job):
    with _lock:
        _jobs[job.name] = job


def remove(name):
    with _lock:
        del _jobs[name]


def run_all():
    for job in _run_now():
        job.run()


def _run_now():
    with _lock:
        return list(_jobs.values())


async def keep(task):
    """A lock between tasks says nothing of threads."""
    async with _turn:
        await asyncio.sleep(1)
        _tasks[task.name] = task


def names():
    return [name for name in _tasks]
