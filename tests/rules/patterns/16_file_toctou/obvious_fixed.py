import os


def prepare(directory):
    os.makedirs(directory, exist_ok=True)
