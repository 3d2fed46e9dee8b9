import os
import sys


def main():
    if os.path.exists("app.lock"):
        sys.exit("already running")
    open("app.lock", "w").close()  # RH
