import os


def prepare(directory):
    if not os.path.exists(directory):
        os.makedirs(directory)  # RH
