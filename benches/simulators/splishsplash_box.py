"""Runs a floating box in SPlisHSPlasH without a window: `splishsplash_box.py SCENE SECONDS SAVE`.

Notes the wall and CPU time of each step but the first, in which it prepares itself, and in the
last second, 20 times, the box (its second rigid body) and the particles. Writes all that to SAVE
(.npz), with z up as in Hashfall. What noting takes is no part of the times.
"""

import os
import resource
import sys
import time

import numpy
import pysplishsplash as sph

SAMPLES = 20


def to_z_up(vectors):
    """With y and z swapped: SPlisHSPlasH's y is up here."""
    return numpy.asarray(vectors, dtype=float)[..., [0, 2, 1]]


class Notes:
    """What the callback after each step collects."""

    def __init__(self, seconds):
        self.due = [seconds - 1 + (n + 1) / SAMPLES for n in range(SAMPLES)]
        self.times, self.wall, self.cpu = [], [], []
        self.positions, self.boxes, self.ups, self.sampled = [], [], [], []
        self.resume()

    def resume(self):
        self.from_wall, self.from_cpu = time.perf_counter(), time.process_time()

    def note_step(self):
        self.wall.append(time.perf_counter() - self.from_wall)
        self.cpu.append(time.process_time() - self.from_cpu)
        self.times.append(sph.TimeManager.getCurrent().getTime())
        # Within a step of the end, which the last one may miss by rounding.
        while self.due and self.times[-1] >= self.due[0] - 1e-3:
            self.due.pop(0)
            self.sample()
        self.resume()

    def sample(self):
        simulation = sph.Simulation.getCurrent()
        fluid = simulation.getFluidModel(0)
        places = [fluid.getPosition(i) for i in range(fluid.numActiveParticles())]
        box = simulation.getBoundaryModel(1).getRigidBodyObject()
        self.sampled.append(self.times[-1])
        self.positions.append(to_z_up(places).astype(numpy.float32))
        self.boxes.append(to_z_up(box.getPosition()))
        # The box's own up axis. `getRotation` is that of the principal axes of inertia.
        self.ups.append(to_z_up(numpy.asarray(box.getWorldSpaceRotation())[:, 1]))


def main():
    scene, seconds, save = os.path.abspath(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
    base = sph.Exec.SimulatorBase()
    base.init(sceneFile=scene, outputDir=scene + ".out", useGui=False, initialPause=False,
              stopAt=seconds)
    base.initSimulation()
    notes = Notes(seconds)
    base.setTimeStepCB(notes.note_step)
    base.runSimulation()
    fluid = sph.Simulation.getCurrent().getFluidModel(0)
    box = sph.Simulation.getCurrent().getBoundaryModel(1).getRigidBodyObject()
    numpy.savez(
        save, times=notes.times, wall=notes.wall[1:], cpu=notes.cpu[1:],
        positions=notes.positions, boxes=notes.boxes, ups=notes.ups, sampled=notes.sampled,
        particle_mass=fluid.getMass(0), box_mass=box.getMass(),
        megabytes=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )
    base.cleanup()


if __name__ == "__main__":
    main()
