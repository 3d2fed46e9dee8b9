import fcntl
import os
import sys


def start(pid_file):
    old = ""
    if not os.path.isfile(pid_file):
        lock = open("/run/service.guard", "a")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sys.exit(1)
        with open(pid_file, "w") as out:
            out.write(old)
