"""Scores of players, not to be updated by several threads."""

SCORES = {}


def add(player, points):
    SCORES[player] = SCORES.get(player, 0) + points
