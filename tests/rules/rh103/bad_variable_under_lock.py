import threading

_lock = threading.Lock()
_jobs = {}


def add(job):
    with _lock:
        _jobs[job.name] = job


def remove(name):
    with _lock:
        del _jobs[name]


def run_all():
    for job in _jobs.values():  # RH
        job.run()
