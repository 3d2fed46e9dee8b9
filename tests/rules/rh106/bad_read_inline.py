import pickle
import threading

_model = None


def model():
    global _model
    if _model is None:  # RH
        with open("model.pkl", "rb") as file:
            _model = pickle.load(file)
    return _model


def main(rows):
    for row in rows:
        threading.Thread(target=lambda: model().predict(row)).start()
