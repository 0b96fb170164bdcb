"""What checks in ParaView share: a run as its own script opens it."""

import json
import pathlib
import runpy
import sys
import tempfile

from paraview.simple import GetAnimationScene, GetSources


def must(condition, message):
    """Ends the script with a message unless a condition holds.

    Filters of ParaView that run Python fill the main module with the names of numpy, `require`
    among them.
    """
    if not condition:
        raise SystemExit(f"failed: {message}")


def opened(run):
    """Times and sources, by name, that `paraview.py` of a run shows; it draws a picture as well."""
    manifest = json.loads((run / "run.json").read_text())
    with tempfile.TemporaryDirectory() as folder:
        picture = pathlib.Path(folder) / "frame.png"
        sys.argv = ["paraview.py", "--picture", "1", str(picture), "--size", "160", "120"]
        runpy.run_path(str(run / "paraview.py"), run_name="__main__")
        must(picture.stat().st_size > 1000, "paraview.py drew nothing")
    frames, rate = manifest["progress"]["frames_written"], manifest["scene"]["frame_rate"]
    times = list(GetAnimationScene().TimeKeeper.TimestepValues)
    must(times == [frame / rate for frame in range(frames)], f"paraview.py: times {times}")
    return times, {name: source for (name, _), source in GetSources().items()}
