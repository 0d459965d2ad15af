"""What all tests share: how examples are drawn.

By default the same examples are drawn at every run, so that a failure always comes
from the change at hand. ``--hypothesis-profile search`` (``make test-all``) draws new
ones each time.
"""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("search", derandomize=False, deadline=None)
settings.load_profile("repeatable")
