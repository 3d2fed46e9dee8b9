import os
import tempfile
import time


def export(rows):
    with open(f"/tmp/export-{int(time.time())}.csv", "w") as file:  # RH
        file.write(rows)


def report(rows):
    stamp = time.strftime("%Y%m%d-%H%M%S")
    path = os.path.join(tempfile.gettempdir(), "report_" + stamp + ".csv")
    with open(path, "w") as file:  # RH
        file.write(rows)
