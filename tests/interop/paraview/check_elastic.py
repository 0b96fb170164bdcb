"""Opens the elastic bodies of a run in ParaView by the run's own script: `check_elastic.py RUN_DIR`.

Each is there at all times of the run, with its velocity and stress.
"""

import json
import pathlib
import runpy
import sys
import tempfile

from paraview.simple import GetAnimationScene, GetSources


def must(condition, message):
    """Ends the script with a message unless a condition holds."""
    if not condition:
        raise SystemExit(f"failed: {message}")


run = pathlib.Path(sys.argv[1])
manifest = json.loads((run / "run.json").read_text())
with tempfile.TemporaryDirectory() as folder:
    picture = pathlib.Path(folder) / "frame.png"
    sys.argv = ["paraview.py", "--picture", "1", str(picture), "--size", "160", "120"]
    runpy.run_path(str(run / "paraview.py"), run_name="__main__")
    must(picture.stat().st_size > 1000, "paraview.py drew nothing")
frames, rate = manifest["progress"]["frames_written"], manifest["scene"]["frame_rate"]
times = list(GetAnimationScene().TimeKeeper.TimestepValues)
must(times == [frame / rate for frame in range(frames)], f"paraview.py: times {times}")
shown = {name: source for (name, _), source in GetSources().items()}
names = {path.stem.split("_", 1)[1].rpartition("_")[0] for path in run.glob("elastic/*.ply")}
must(names and names <= set(shown), f"paraview.py: {sorted(shown)} without {sorted(names)}")
for name in names:
    shown[name].UpdatePipeline(times[-1])
    arrays = shown[name].PointData
    must({"velocity", "stress"} <= set(arrays.keys()), f"paraview.py: {name}: {arrays.keys()}")
    must(arrays["stress"].GetRange(0)[1] > 0.0, f"paraview.py: {name} is without stress")
print(f"{run}: {len(names)} elastic bodies open in ParaView at {len(times)} times")
