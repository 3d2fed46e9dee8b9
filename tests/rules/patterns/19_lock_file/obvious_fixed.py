import os
import sys


def main():
    try:
        open("app.lock", "x").close()
    except FileExistsError:
        sys.exit("already running")
