"""Scores of players, updated by the threads of a game server."""

SCORES = {}


def add(player, points):
    SCORES[player] = SCORES.get(player, 0) + points  # RH
