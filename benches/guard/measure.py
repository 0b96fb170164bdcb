"""What a case of `guard.py` costs: instructions by callgrind, peak memory of a plain run."""

import csv
import ctypes
import os
import pathlib
import re
import subprocess
import tempfile

# Valgrind shows programs no AVX-512, so that all CPUs run the loops of AVX2.
INSTRUCTION_SET = "avx2"

PLAIN_RUNS = 3


class Failure(Exception):
    """A command that did not do what it was started for."""


def cost(sim, case, profiles=None):
    """Instructions and peak memory in KiB of a case.

    Callgrind's profiles go to the folder `profiles`, if one is given.
    """
    with tempfile.TemporaryDirectory(prefix="guard") as name:
        folder = pathlib.Path(name)
        for file, text in case.files.items():
            (folder / file).write_text(text)
        counts = case.frames or (None,)
        runs = [instructions(sim, case, frames, folder, profiles) for frames in counts]
        peak = peak_memory([sim, *case.command(*case.frames[-1:])], folder)
    if not case.frames:
        return runs[0][0], peak
    (short, first), (long, last) = runs
    return round((long - short) / (last - first)), peak


def instructions(sim, case, frames, folder, profiles):
    """Instructions of a run, and the steps that it took if it is one over frames."""
    name = f"{case.name}_{case.size}_{frames or 'whole'}.callgrind".replace(" ", "_")
    profile = (profiles or folder).resolve() / name
    tool = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={profile}"]
    run([*tool, sim, *case.command(frames)], folder)
    count = re.search(r"^totals: (\d+)$", profile.read_text(), re.MULTILINE)
    if not count:
        raise Failure(f"{profile}: no totals")
    return int(count[1]), steps_of(folder / "run/log.csv") if frames else None


def steps_of(log):
    """The number of steps of a run, by the last row of its log."""
    with open(log, newline="", encoding="utf-8") as file:
        return int(list(csv.DictReader(file))[-1]["total_steps"])


def disable_huge_pages():
    """Makes peak memory independent of the kernel's use of huge pages, of all that starts later."""
    pr_set_thp_disable = 41
    ctypes.CDLL(None).prctl(pr_set_thp_disable, 1, 0, 0, 0)


def peak_memory(command, folder):
    """Peak resident memory of plain runs [KiB], the least of some, as it varies by a percent."""
    peaks = []
    for _ in range(PLAIN_RUNS):
        # A process begins with the peak of the one that starts it: `time` is smaller than Python.
        run(["/usr/bin/time", "--format=%M", "--output=peak", *command], folder)
        peaks.append(int((folder / "peak").read_text()))
    return min(peaks)


def run(command, folder):
    """Runs a command that must succeed."""
    done = subprocess.run(command, cwd=folder, env=environment(), text=True, check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))}: exit code {done.returncode}: {done.stderr}")


def environment():
    """The variables of runs: none that differs between machines and changes a count."""
    return {"PATH": os.environ["PATH"], "LC_ALL": "C", "HASHFALL_INSTRUCTIONS": INSTRUCTION_SET}


def stripped_size(sim):
    """Size of the program without symbols [bytes]."""
    with tempfile.TemporaryDirectory(prefix="guard") as folder:
        stripped = pathlib.Path(folder) / "sim"
        run(["strip", "-o", str(stripped), str(sim)], folder)
        return stripped.stat().st_size


def tools():
    """The versions that counts depend on besides the program."""
    versions = []
    for command in (["rustc", "--version"], ["valgrind", "--version"]):
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        versions.append(" ".join(done.stdout.split()[:2]))
    return ", ".join(versions)
