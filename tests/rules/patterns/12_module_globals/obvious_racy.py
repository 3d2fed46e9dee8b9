import threading

JOBS = {}


def submit(name, job):
    if name not in JOBS:  # RH
        JOBS[name] = start(job)


def main(jobs):
    for name, job in jobs:
        threading.Thread(target=submit, args=(name, job)).start()
