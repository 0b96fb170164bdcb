"""Opens the elastic bodies of a run in ParaView by the run's own script: `check_elastic.py RUN_DIR`.

Each is there at all times of the run, with its velocity and stress.
"""

import pathlib
import sys

from opened import must, opened

run = pathlib.Path(sys.argv[1])
times, shown = opened(run)
names = {path.stem.split("_", 1)[1].rpartition("_")[0] for path in run.glob("elastic/*.ply")}
must(names and names <= set(shown), f"paraview.py: {sorted(shown)} without {sorted(names)}")
for name in names:
    shown[name].UpdatePipeline(times[-1])
    arrays = shown[name].PointData
    must({"velocity", "stress"} <= set(arrays.keys()), f"paraview.py: {name}: {arrays.keys()}")
    must(arrays["stress"].GetRange(0)[1] > 0.0, f"paraview.py: {name} is without stress")
print(f"{run}: {len(names)} elastic bodies open in ParaView at {len(times)} times")
