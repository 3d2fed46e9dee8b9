import os.path as path_of
import shutil
from os import makedirs, remove
from pathlib import Path


def by_other_names(target):
    if not path_of.isdir(target):
        makedirs(target)  # RH


class Store:
    def __init__(self, root):
        self.root = Path(root)

    def clear(self):
        if self.root.is_dir():
            shutil.rmtree(self.root)  # RH
        if not Path(self.root).exists():
            self.root.mkdir()  # RH

    def rename(self, name, new):
        if not self.root.exists():
            return
        self.root.rename(new)  # RH

    def drop(self, name):
        if path_of.exists(str(name)):
            remove(name)  # RH


def unless_there(name):
    if path_of.exists(name):
        raise FileExistsError(name)
    makedirs(name)  # RH


def read(name):
    if path_of.exists(name):
        return open(name).read()  # RH
