"""Whoever finds nothing is turned away: what is replaced was there, and is made once more because it broke."""

import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

process_pool = None
lock = threading.Lock()


def set_up():
    global process_pool
    process_pool = ProcessPoolExecutor()


def run(job):
    global process_pool
    if process_pool is None:
        raise RuntimeError("not set up")
    try:
        return process_pool.submit(job).result()
    except BrokenProcessPool:
        process_pool = ProcessPoolExecutor()
        raise


def serve(jobs):
    for job in jobs:
        threading.Thread(target=run, args=(job,)).start()
