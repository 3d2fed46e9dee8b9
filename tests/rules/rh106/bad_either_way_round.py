import threading
from concurrent.futures import ProcessPoolExecutor

process_pool = None


def pool():
    global process_pool
    if process_pool is not None:  # RH
        return process_pool
    process_pool = ProcessPoolExecutor()
    return process_pool


def run(job):
    return pool().submit(job).result()


def serve(jobs):
    for job in jobs:
        threading.Thread(target=run, args=(job,)).start()
