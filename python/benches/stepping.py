"""What stepping from Python costs beside `sim`: CPU time of the steps between frame 1 and the last.

    python python/benches/stepping.py [SCENE] [FRAMES] [ROUNDS]

All on one thread, without files of frames, taken by turns; the ratio is the median of rounds. `sim`
is run to both frames, and the difference counts. From Python the same frames are stepped, without
functions, with a function per step that does nothing, and with one that reads positions.
"""

import resource
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


def cpu_of_sim(scene, frames):
    """CPU time of a run of `sim` [s]."""
    program = shutil.which("sim", path=sysconfig.get_path("scripts"))
    settings = [part for key, value in BARE.items() for part in ("--set", f"{key}={value}")]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        command = [program, scene, *settings, "--frames", str(frames), "--threads", "1"]
        subprocess.run([*command, "--quiet", "--out", Path(folder) / "out"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def by_sim(scene, frames):
    """CPU time of the steps of `sim` after frame 1 [s]."""
    return cpu_of_sim(scene, frames) - cpu_of_sim(scene, 1)


def by_python(scene, frames, function):
    """The same from Python."""
    sim = hashfall.Simulation(scene, set={**BARE, "frames.count": frames}, threads=1)
    if function:
        sim.on_step(function)
    sim.advance_to(sim.frame_time(1))
    start = time.process_time()
    for frame in range(2, frames + 1):
        sim.advance_to(sim.frame_time(frame))
    return time.process_time() - start


def main():
    scene, frames, rounds = (sys.argv[1:] + ["dam_break", "20", "5"][len(sys.argv) - 1 :])[:3]
    frames, rounds = int(frames), int(rounds)
    ways = {
        "sim": lambda: by_sim(scene, frames),
        "python": lambda: by_python(scene, frames, None),
        "python, empty on_step": lambda: by_python(scene, frames, lambda sim: None),
        "python, reads positions": lambda: by_python(scene, frames, lambda sim: sim.positions[0]),
    }
    times = {way: [] for way in ways}
    for _ in range(rounds):
        for way, run in ways.items():
            times[way].append(run())
    for way, spent in times.items():
        ratio = statistics.median(b / a for a, b in zip(times["sim"], spent))
        print(f"{way:24} {statistics.median(spent):8.3f} s of CPU  ×{ratio:.3f}")


if __name__ == "__main__":
    main()
