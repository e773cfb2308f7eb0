"""Starts the program under attack and judges how it ended."""
import os
import re
import resource
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Ended:
    status: int  # minus the signal that ended it
    out: str
    error: str
    seconds: float
    hung: bool = False


def limited(limits):
    """For Popen: sets resource limits in the child, {resource.RLIMIT_AS: bytes, ...}."""
    def apply():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for kind, value in (limits or {}).items():
            resource.setrlimit(kind, (value, value))
    return apply


class Program:
    def __init__(self, path, threads=2):
        self.path = str(Path(path).resolve())
        self.threads = threads
        self.environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", UBSAN_OPTIONS="print_stacktrace=1")

    def start(self, *arguments, folder, limits=None, stdout=subprocess.PIPE, stderr=subprocess.PIPE):
        return subprocess.Popen([self.path, *map(str, arguments)], cwd=folder, stdin=subprocess.DEVNULL, stdout=stdout,
                                stderr=stderr, env=self.environment, preexec_fn=limited(limits))

    def __call__(self, *arguments, folder, seconds=60, limits=None, stdout=subprocess.PIPE):
        begin = time.monotonic()
        process = self.start(*arguments, folder=folder, limits=limits, stdout=stdout)
        hung = False
        try:
            out, error = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            out, error = process.communicate()
            hung = True
        text = lambda data: (data or b"").decode(errors="replace")
        return Ended(process.returncode, text(out), text(error), time.monotonic() - begin, hung)


PLACE = re.compile(r"(\.toml:\d+:\d+: |--set \S+: |--set \S+)")
SANITIZER = re.compile(r"AddressSanitizer|runtime error:|ThreadSanitizer|LeakSanitizer")


def trouble(ended):
    """What no program may do, whatever it was given; "" when it did none of it."""
    if ended.hung:
        return f"hangs: not ended after {ended.seconds:.0f} s"
    if ended.status < 0:
        return f"crash: {signal.Signals(-ended.status).name}: {ended.error[-300:]}"
    if ended.status not in (0, 1, 2):
        return f"crash: status {ended.status}: {ended.error[-300:]}"
    if SANITIZER.search(ended.error):
        return f"crash: {ended.error[:600]}"
    if ended.status != 0 and not ended.error.strip():
        return f"silence: status {ended.status} without a message"
    for words in ("std::bad_alloc", "std::exception", "std::length_error", "vector::", "basic_string"):
        if words in ended.error:
            return f"message of the language, not of the program: {ended.error[-300:]}"
    return ""


def not_refused(ended):
    """Why this is not a proper refusal of a scene: status 2 and a place."""
    found = trouble(ended)
    if found:
        return found
    if ended.status != 2:
        return f"silence: status {ended.status} where 2 was due: {(ended.out + ended.error)[-300:]}"
    if not PLACE.search(ended.error):
        return f"refused without a place: {ended.error[:300]}"
    return ""


def stats(folder):
    """Rows of stats.csv as lists of floats by name."""
    lines = (Path(folder) / "stats.csv").read_text().splitlines()
    names = lines[0].split(",")
    return [dict(zip(names, map(float, line.split(",")))) for line in lines[1:]]


def not_finite(folder):
    """Names of the columns of stats.csv that hold a number that is none."""
    bad = {name for row in stats(folder) for name, value in row.items() if value != value or abs(value) == float("inf")}
    return f"non-finite results with status 0: {sorted(bad)}" if bad else ""
