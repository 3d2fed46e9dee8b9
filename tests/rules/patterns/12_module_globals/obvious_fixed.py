import threading

JOBS = {}
JOBS_LOCK = threading.Lock()


def submit(name, job):
    with JOBS_LOCK:
        if name not in JOBS:
            JOBS[name] = start(job)


def main(jobs):
    for name, job in jobs:
        threading.Thread(target=submit, args=(name, job)).start()
