import os
import subprocess
import threading


def before():
    child = os.fork()
    threading.Thread(target=print).start()
    return child


def after_join():
    thread = threading.Thread(target=print)
    thread.start()
    thread.join()
    return os.fork()


def another_start(server):
    server.start()
    return os.fork()


def runs_a_program():
    threading.Thread(target=print).start()
    return subprocess.run(["true"], check=True)
