"""Between the wire and the domain: the only package that knows both.

``requests`` reads messages, ``answers`` writes them, ``catalogue`` describes
games, ``reading`` checks fields, ``statuses`` writes errors.
"""
