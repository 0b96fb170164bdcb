"""Bytes, CPU seconds and memory of each format: `measure.py SIM RUN`, see `tile_run.py`.

CPU seconds are those of the whole command on one thread, reading of the frame included; the least
of three calls. Wall-clock seconds are on two threads.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

CASES = [
    ("particles", "usd", []),
    ("particles", "usd", ["--quantize", "16"]),
    ("particles", "vtkhdf", ["--level", "0"]),
    ("particles", "vtkhdf", ["--level", "1"]),
    ("particles", "vtkhdf", ["--level", "6"]),
    ("particles", "vtkhdf", ["--level", "1", "--quantize", "16"]),
    ("particles", "vtkhdf", ["--level", "6", "--quantize", "16"]),
    ("particles", "alembic", []),
    ("surface", "usd", []),
    ("surface", "usd", ["--quantize", "16"]),
    ("surface", "vtkhdf", ["--level", "1"]),
    ("surface", "vtkhdf", ["--level", "6", "--quantize", "16"]),
    ("surface", "vdb", ["--level", "0"]),
    ("surface", "vdb", ["--level", "1"]),
    ("surface", "vdb", ["--level", "1", "--half"]),
    ("surface", "gltf", []),
    ("surface", "gltf", ["--quantize", "16"]),
    ("surface", "alembic", []),
]


def run(command):
    """CPU seconds, wall-clock seconds and MB of memory of a command."""
    start = time.monotonic()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command} failed")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024


if __name__ == "__main__":
    sim, source = sys.argv[1:3]
    print("| of | format | options | MB | CPU s | wall s, 2 threads | peak MB |")
    print("|---|---|---|---|---|---|---|")
    for part, name, options in CASES:
        best, size = None, 0
        for threads in ("1", "1", "1", "2"):
            with tempfile.TemporaryDirectory() as folder:
                out = pathlib.Path(folder) / "out"
                command = [sim, "export", source, "--format", name, "--only", part, "--quiet",
                           "--threads", threads, "--out", str(out), *options]
                measured = run(command)
                size = sum(file.stat().st_size for file in out.iterdir())
            if threads == "1" and (best is None or measured[0] < best[0]):
                best = measured
        print(f"| {part} | `{name}` | {' '.join(options)} | {size / 1e6:.1f} | {best[0]:.2f} "
              f"| {measured[1]:.2f} | {best[2]:.0f} |", flush=True)
