"""Threads that meet a type for the first time at once: nothing falls over."""

from __future__ import annotations

import subprocess
import sys

# In a process of its own: what goes wrong here takes Python down, and every struct is met for the first time only once.
_MEETING = """
import sys, threading
import msgspec
from sandtable.core.codec import decode

sys.setswitchinterval(1e-6)
for n in range(300):
    fields = [(f"f{i}", int, i) for i in range(20)]
    inner = msgspec.defstruct(f"Inner{n}", fields)
    outer = msgspec.defstruct(f"Outer{n}", [("a", inner), ("b", list[inner]), ("c", dict[str, inner])])
    start = threading.Barrier(4)

    def meet(kind=outer):
        start.wait()
        assert decode('{"a": {"f1": 7}, "b": [{}], "c": {"x": {}}}', kind).a.f1 == 7

    threads = [threading.Thread(target=meet) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
print("all met")
"""


def test_a_type_is_learnt_by_one_thread_at_a_time() -> None:
    done = subprocess.run([sys.executable, "-c", _MEETING], capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stdout.strip()) == (0, "all met"), done.stderr[-2000:]
