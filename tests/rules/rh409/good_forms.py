import os
import signal
import subprocess


def of_its_own():
    child = subprocess.Popen(["worker"])
    os.kill(child.pid, signal.SIGTERM)


def told(pid_path):
    with open(pid_path) as file:
        pid = int(file.readline())
    try:
        os.kill(pid, signal.SIGTERM)
    except OSError as error:
        print(error)
