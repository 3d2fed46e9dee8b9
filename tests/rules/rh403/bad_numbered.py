import json
import os


class Settings:
    def save(self):
        folder = f"settings-{self.user}"
        directory = os.path.join(os.path.expanduser("~/.config/app"), folder)
        with open(os.path.join(directory, "settings.json"), "w") as out:  # RH
            json.dump(self.values, out)

    def load(self):
        folder = f"settings-{self.user}"
        directory = os.path.join(os.path.expanduser("~/.config/app"), folder)
        with open(os.path.join(directory, "settings.json")) as lines:
            self.values = json.load(lines)
