"""Titles: what is printed on the boards, tiles and cards of each game, as data.

A title is a folder of JSON files with a ``title.json``; it has no code. The
rules that read it, and the boards that are made of it, live above.
"""

from engine.titles.library import add_folder, all_titles, find_title, titles_in
from engine.titles.title import Title, load_title

__all__ = ["Title", "add_folder", "all_titles", "find_title", "load_title", "titles_in"]
