"""What stepping from Python costs beside `sim`: pairs of runs, no files, one after the other.

    python python/benches/stepping.py [SCENE] [FRAMES] [PAIRS]

`sim` is asked for no files of frames, and its time is that of its stages. From Python the same frames
are stepped, without functions, with a function per step that does nothing, and with one that reads
positions.
"""

import json
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

import hashfall

BARE = {"output": "(particles: [], surface: [])", "surface": "None", "checkpoints": "None"}


def by_sim(scene, frames):
    """Wall time of the steps of `sim` [s]."""
    program = shutil.which("sim", path=sysconfig.get_path("scripts"))
    settings = [part for key, value in BARE.items() for part in ("--set", f"{key}={value}")]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        command = [program, scene, *settings, "--frames", str(frames), "--quiet", "--out", out]
        subprocess.run(command, check=True)
        manifest = json.loads((out / "run.json").read_text())
    stages = {name: ms for name, ms in manifest["stage_ms"].items() if name not in ("output",)}
    return sum(stages.values()) / 1e3, manifest["progress"]["steps"]


def by_python(scene, frames, function):
    """Wall time of the steps from Python [s]."""
    sim = hashfall.Simulation(scene, set={**BARE, "frames.count": frames})
    if function:
        sim.on_step(function)
    start = time.perf_counter()
    for frame in range(1, frames + 1):
        sim.advance_to(sim.frame_time(frame))
    return time.perf_counter() - start, sim.steps


def main():
    scene = sys.argv[1] if len(sys.argv) > 1 else "dam_break"
    frames, pairs = (int(arg) if arg else n for arg, n in zip((sys.argv[2:] + ["", ""])[:2], (30, 5)))
    ways = {
        "sim": lambda: by_sim(scene, frames),
        "python": lambda: by_python(scene, frames, None),
        "python, empty on_step": lambda: by_python(scene, frames, lambda sim: None),
        "python, reads positions": lambda: by_python(scene, frames, lambda sim: sim.positions[0]),
    }
    times = {way: [] for way in ways}
    for _ in range(pairs):
        for way, run in ways.items():
            spent, steps = run()
            times[way].append(spent)
    for way, spent in times.items():
        ratio = statistics.median(b / a for a, b in zip(times["sim"], spent))
        median = statistics.median(spent)
        print(f"{way:24} {median:8.3f} s  {1e3 * median / steps:8.3f} ms a step  ×{ratio:.4f}")


if __name__ == "__main__":
    main()
