import subprocess
import time


def pause(seconds, wait):
    if wait:
        time.sleep(seconds)


async def on_request(seconds):
    pause(seconds, False)


def run(command, dry):
    if dry:
        return None
    return subprocess.run(command)


async def try_out(command):
    run(command, True)


def load(path):
    try:
        return path.read_text()
    except OSError:
        if not path.parent.exists():
            return ""
        time.sleep(1)


async def show(path):
    return load(path)
