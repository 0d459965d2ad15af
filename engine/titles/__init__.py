"""Titles: the facts of games as data."""
