"""A tank at rest: `check_still_water.py RUN_DIR`, a run of `scenes/still_water.ron`.

The level within 2 % of the start in the last frame; in the mean of the last half second the pressure
at the bottom within 5 % of the weight above it, and what the walls bear within 2 % of it. From step
to step pressures swing by more, but in no frame by a quarter.
"""

import argparse

import numpy
import pyvista

from run_folder import RunFolder, require

GRAVITY = 9.81


def level_and_pressure(run, frame):
    """Height of the fluid, and mean pressure of its lowest layer over what carries its weight."""
    data = pyvista.read(run.path / "particles" / f"particles_{frame:05}.vtp")
    height = data.points[:, 2].astype(float)
    scene = run.manifest["scene"]
    spacing = (scene["fluid_volume"] / scene["particles"]) ** (1 / 3)
    lowest = height < 0.6 * spacing
    # The level from the mean height: a few drops on top do not count as water level.
    level = 2 * height.mean()
    weight = 1000 * GRAVITY * (level - height[lowest].mean())
    return level, data.point_data["pressure"][lowest].mean() / weight


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run")
    run = RunFolder(parser.parse_args().run)
    scene, written = run.manifest["scene"], run.manifest["progress"]["frames_written"]
    start, _ = level_and_pressure(run, 0)
    frames = range(written - int(scene["frame_rate"] / 2), written)
    found = numpy.array([level_and_pressure(run, frame) for frame in frames])
    level, pressure = found[-1, 0], found[:, 1].mean()
    weights = [float(run.log[frame]["mass"]) * GRAVITY for frame in frames]
    forces = [-float(run.log[frame]["walls_force_z"]) for frame in frames]
    borne = sum(forces) / sum(weights)
    print(
        f"level {level / start - 1:+.2%}, mean bottom pressure {pressure - 1:+.2%}"
        f" (swings by {found[:, 1].std():.1%}), borne by the walls {borne - 1:+.2%}"
    )
    require(abs(level / start - 1) < 0.02, f"level {level:.4f} of {start:.4f} m")
    require(abs(pressure - 1) < 0.05, f"bottom pressure {pressure:.3f} of the weight")
    require(abs(found[:, 1] - 1).max() < 0.25, "bottom pressure of a frame")
    require(abs(borne - 1) < 0.02, f"walls bear {borne:.3f} of the weight")


if __name__ == "__main__":
    main()
