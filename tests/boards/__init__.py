"""Boards of our own making: random and dense ones, grown on the real maps."""
