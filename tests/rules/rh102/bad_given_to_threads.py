import threading


def tally(counts, word):
    counts[word] = counts.get(word, 0) + 1  # RH


def main():
    counts = {}
    for _ in range(4):
        threading.Thread(target=tally, args=(counts, "word")).start()
