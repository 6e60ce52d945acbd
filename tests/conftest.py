"""Settings that all tests share."""

import gc
import os

from hypothesis import HealthCheck, settings

# Rules make objects by the million, next to none of which refers back to itself: the collector need not look so often.
gc.set_threshold(50_000, 20, 20)

# Deterministic, and without a deadline: the same examples on every machine, however slow it is today.
settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
# Where the same properties run in full elsewhere: other Pythons, and the lowest versions of the packages.
settings.register_profile("short", settings.get_profile("ci"), max_examples=10)
# For a search at the desk: HYPOTHESIS_PROFILE=explore make test
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
