import threading
from concurrent.futures import ThreadPoolExecutor
from threading import Thread

POOL = ThreadPoolExecutor()


def export(rows, path):
    with open(path, "w") as output:
        thread = threading.Thread(target=write_rows, args=(rows, output))  # RH
        thread.start()


def write_rows(rows, output):
    for row in rows:
        output.write(row)


def send(address, lines):
    with connect(address) as link:
        Thread(target=link.send_all, kwargs={"lines": lines}, daemon=True).start()  # RH


def store(rows, path):
    with open(path, "w") as output:
        POOL.submit(write_rows, rows, output)  # RH
