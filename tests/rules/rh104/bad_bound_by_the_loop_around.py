import os


def visible(place):
    for _, folders, _ in os.walk(place):
        for number, folder in enumerate(folders):
            if folder.startswith("."):
                del folders[number]  # RH
