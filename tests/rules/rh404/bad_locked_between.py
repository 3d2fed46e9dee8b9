import fcntl
import os
import sys


def start(pid_file):
    lock = open("/run/service.guard", "a")
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.flock(lock, fcntl.LOCK_UN)
    if os.path.isfile(pid_file):
        sys.exit(1)
    with open(pid_file, "w") as out:  # RH
        out.write(str(os.getpid()))
