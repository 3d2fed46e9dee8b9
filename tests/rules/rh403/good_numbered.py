import json
import os


class Trainer:
    def save(self):
        folder = f"checkpoint-{self.state.global_step}"
        directory = os.path.join(self.output, folder)
        with open(os.path.join(directory, "state.json"), "w") as out:
            json.dump(self.state.values, out)

    def resume(self, directory):
        with open(os.path.join(directory, "state.json")) as lines:
            return json.load(lines)
