"""Mail spool: several delivery processes take messages from one directory."""

import os


class Spool:
    def __init__(self, directory):
        self.directory = directory

    def take(self, name):
        path = os.path.join(self.directory, name)
        if not os.path.exists(path):
            return None
        with open(path) as file:  # RH
            text = file.read()
        os.unlink(path)  # RH
        return text
