"""Writes the particle sets that surfaces are measured on: `particle_sets.py FOLDER [SET …]`.

Each is a file of raw little-endian `f32` triplets x, y, z, which `sim surface` and the bench read.
The particle radius is r = 0.01 m, with one particle for each d³, d = 2r.

    cube100k_exact   46³ on the lattice: volume and sides are known
    cube100k         the same with a jitter of up to 0.1 d along each axis
    cube1m           100³ with that jitter
    sphere100k       the lattice in a ball of 0.576 m
    sphere100k_jit   the same with jitter
    sphere1m_jit     in a ball of 1.2407 m, with jitter
    splash           a block, waves beside it, sheets of one and two layers, drops, spray
    sparse           20 000 drops far apart in a cube of 40 m
    sparse_iso       100 000 single particles in that cube

A set is the same in every run, alone or with others. Needs numpy alone.
"""

import argparse
import pathlib

import numpy

RADIUS = 0.01
SPACING = 2.0 * RADIUS
# Edge of the cube in which drops are far apart, m.
FAR = 40.0


def lattice(*counts):
    """So many particles along each axis, from the origin on."""
    axes = [(numpy.arange(count) + 0.5) * SPACING for count in counts]
    return numpy.stack(numpy.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def jittered(points, random, part):
    """Particles moved by up to a part of the spacing along each axis."""
    return points + random.uniform(-part * SPACING, part * SPACING, points.shape)


def from_middle_out(edge):
    """A cube of particles about the origin, the innermost first: its beginnings are drops."""
    points = lattice(edge, edge, edge) - 0.5 * edge * SPACING
    return points[numpy.argsort((points**2).sum(axis=1), kind="stable")]


def ball(radius):
    """The lattice inside a ball about the origin."""
    edge = int(numpy.ceil(2.0 * radius / SPACING)) + 2
    points = lattice(edge, edge, edge) - 0.5 * edge * SPACING
    return points[(points**2).sum(axis=1) <= radius**2]


def drops(centres, random, shape, most):
    """A drop at each centre; small ones are frequent (Pareto's law), large ones are bounded."""
    sizes = numpy.clip((random.pareto(shape, len(centres)) * 2.0 + 1.0).astype(int), 1, most)
    whole = from_middle_out(12)
    return numpy.concatenate([centre + whole[:size] for centre, size in zip(centres, sizes)])


def in_box(random, count, low, high):
    """Places in a box whose corners are given in spacings."""
    return random.uniform(numpy.array(low) * SPACING, numpy.array(high) * SPACING, (count, 3))


def waves():
    """A layer beside the block, with waves on it."""
    points = lattice(140, 60, 24)
    points[:, 0] += 60.0 * SPACING
    x, y, z = points.T
    height = 24.0 * SPACING * (0.35 + 0.25 * numpy.sin(6.0 * x) * numpy.cos(8.0 * y))
    return points[z < height]


def sheet():
    """One layer of 90², bent along both axes as the rim of a splash is."""
    axis = numpy.arange(90) * SPACING
    u, v = (grid.ravel() for grid in numpy.meshgrid(axis, axis, indexing="ij"))
    middle = axis.mean()
    height = 0.7 / (90 * SPACING) * (u - middle) ** 2 + 0.2 * (v - middle) ** 2
    corner = numpy.array([115.0, -15.0, 40.0]) * SPACING
    return corner + numpy.stack([u, v, height], axis=1)


def splash(random):
    """All that a splash has."""
    above = sheet() + [0.0, 0.0, 45.0 * SPACING]
    centres = in_box(random, 2500, (0, -40, 85), (260, 100, 170))
    parts = [
        lattice(60, 60, 80),
        waves(),
        sheet(),
        above,
        above + [0.0, 0.0, SPACING],
        drops(centres, random, shape=1.2, most=200),
        in_box(random, 8000, (-60, -80, 30), (320, 140, 230)),
    ]
    return jittered(numpy.concatenate(parts), random, 0.08)


def sparse(random):
    """Drops far apart."""
    centres = random.uniform(0.0, FAR, (20_000, 3))
    return jittered(drops(centres, random, shape=1.5, most=100), random, 0.08)


SETS = {
    "cube100k_exact": lambda random: lattice(46, 46, 46),
    "cube100k": lambda random: jittered(lattice(46, 46, 46), random, 0.1),
    "cube1m": lambda random: jittered(lattice(100, 100, 100), random, 0.1),
    "sphere100k": lambda random: ball(0.576),
    "sphere100k_jit": lambda random: jittered(ball(0.576), random, 0.1),
    "sphere1m_jit": lambda random: jittered(ball(1.2407), random, 0.1),
    "splash": splash,
    "sparse": sparse,
    "sparse_iso": lambda random: random.uniform(0.0, FAR, (100_000, 3)),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("sets", nargs="*", metavar="SET", help=", ".join(SETS) + " [default: all]")
    options = parser.parse_args()
    unknown = [name for name in options.sets if name not in SETS]
    if unknown:
        parser.error(f"no set {unknown[0]}: there are {', '.join(SETS)}")
    options.folder.mkdir(parents=True, exist_ok=True)
    for number, (name, make) in enumerate(SETS.items()):
        if not options.sets or name in options.sets:
            points = make(numpy.random.default_rng([12345, number])).astype("<f4")
            points.tofile(options.folder / f"{name}.xyz")
            print(f"{name}: {len(points)} particles")


main()
