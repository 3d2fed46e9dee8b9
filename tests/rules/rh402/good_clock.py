import time
import uuid


def export(rows):
    with open(f"/tmp/export-{uuid.uuid4()}-{int(time.time())}.csv", "w") as file:
        file.write(rows)


def report(rows):
    with open(f"/tmp/report-{time.time()}.csv", "w") as file:
        file.write(rows)
