"""Runs one scene in SPlisHSPlasH without a window: `splishsplash.py SCENE SECONDS`.

Prints a line `RESULT {json}`: particles, steps, ms per step and wall seconds per simulated second
without the first step, peak memory, and at the end the kinetic energy per mass and the largest
compression.
"""

import json
import os
import resource
import sys
import time

import numpy
import pysplishsplash as sph


def main():
    scene, seconds = os.path.abspath(sys.argv[1]), float(sys.argv[2])
    base = sph.Exec.SimulatorBase()
    base.init(sceneFile=scene, outputDir=scene + ".out", useGui=False, initialPause=False,
              stopAt=seconds)
    base.initSimulation()
    clock, walls, cpu = [], [], []

    def note_step():
        clock.append(sph.TimeManager.getCurrent().getTime())
        walls.append(time.perf_counter())
        cpu.append(time.process_time())

    base.setTimeStepCB(note_step)
    base.runSimulation()
    fluid = sph.Simulation.getCurrent().getFluidModel(0)
    count = fluid.numActiveParticles()
    velocities = numpy.array([fluid.getVelocity(i) for i in range(count)])
    wall = walls[-1] - walls[0]
    found = {
        "particles": count,
        "steps": len(walls),
        "ms": 1000 * wall / (len(walls) - 1),
        "cpu ns": 1e9 * (cpu[-1] - cpu[0]) / (len(walls) - 1) / count,
        "per second": wall / (clock[-1] - clock[0]),
        "MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "compression": max(fluid.getDensity(i) for i in range(count)) / 1000 - 1,
        "kinetic": float(0.5 * (velocities**2).sum(axis=1).mean()),
    }
    print("RESULT", json.dumps(found), flush=True)
    base.cleanup()


if __name__ == "__main__":
    main()
