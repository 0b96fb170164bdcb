"""The cases of `guard.py`: what is run, at two sizes each, and how a run's cost is counted."""

import dataclasses
import math
import pathlib

SCENES = pathlib.Path(__file__).resolve().parent / "scenes"


@dataclasses.dataclass(frozen=True)
class Case:
    """A command of `sim` at one size, which is run in a folder of its own."""

    name: str
    # What the size is, as in the table.
    size: str
    # Arguments of `sim`; relative paths are of the folder.
    arguments: tuple
    # Frames of a shorter and a longer run: the difference of their counts is the cost of the steps
    # between. None where the run as a whole is counted.
    frames: tuple = ()
    # Files of the folder, by name: what the arguments read.
    files: dict = dataclasses.field(default_factory=dict)

    def command(self, frames=None):
        """Arguments of `sim`; `frames` is the number of frames of `sim run`."""
        run = () if frames is None else ("--frames", str(frames), "--out", "run")
        return [*self.arguments, *run, "--overwrite", "--threads", "1", "--quiet"]


def settings(**values):
    """Arguments that set keys of the scene."""
    return tuple(word for key, value in values.items() for word in ("--set", f"{key}={value}"))


def steps(scene, size, frames, *changes):
    """The cost of a step of a scene."""
    return Case(scene, size, ("run", str(SCENES / f"{scene}.ron"), *changes), frames)


def check(scene, size, *changes):
    """The cost of `sim check`."""
    command = ("check", str(SCENES / f"{scene}.ron"), "--allow-outside", "--out", "report.txt")
    return Case(scene, size, (*command, *changes))


def elastic(cells, frames):
    """The cost of a step of four sheets of `cells` by `cells` cells."""
    keys = [f"elastic[{sheet}].shape.cells=({cells},{cells})" for sheet in range(4)]
    changes = [word for key in keys for word in ("--set", key)]
    return steps("elastic", f"{8 * cells * cells} triangles", frames, *changes)


def heap(across, layers, frames):
    """The cost of a step of a heap of boxes and balls, `across` by `across` in each layer."""
    files = {"heap.ron": heap_scene(across, layers)}
    return Case("heap", f"{across * across * layers} bodies", ("run", "heap.ron"), frames, files)


def heap_scene(across, layers):
    """Boxes and balls in turn, 0.5 mm above each other; a puddle aside, as a scene has fluid."""
    solids = []
    for layer in range(layers):
        for i in range(across):
            for j in range(across):
                # Layers are off each other, so that a body lies on several.
                x = 0.06 + 0.12 * i + 0.02 * (layer % 2)
                y = 0.06 + 0.12 * j + 0.01 * (layer % 3)
                centre = (x, y, 0.05 + 0.1005 * layer)
                low, high = (tuple(round(c + side, 4) for c in centre) for side in (-0.05, 0.05))
                shape = f"Box(min: {low}, max: {high}, "
                if (i + j + layer) % 2:
                    shape = f"Ball(centre: {tuple(round(c, 4) for c in centre)}, radius: 0.05, "
                solids.append(shape + "motion: Free(density: 500.0))")
    listed = ",\n".join(solids)
    return f"""Scene(
frames: (count: 1, rate: 500.0),
domain: Box(min: (0.0, 0.0, 0.0), max: (1.0, 1.2, 2.0)),
particle_radius: 0.02,
fluids: [(name: "water", rest_density: 1000.0, viscosity: 1e-6,
    shapes: [Box(min: (0.0, 1.12, 0.0), max: (0.08, 1.2, 0.04))])],
solids: [
{listed}
],
surface: None, output: (particles: false), checkpoints: None,
)
"""


def surface(per_metre):
    """The cost of a finished surface of a wave with drops above it."""
    points = wave(per_metre)
    files = {"wave.xyz": "".join(f"{x:.6f} {y:.6f} {z:.6f}\n" for x, y, z in points)}
    radius = str(0.5 / per_metre)
    command = ("surface", "wave.xyz", "--particle-radius", radius, "--out", "wave.ply")
    return Case("surface", f"{len(points)} particles", command, files=files)


def wave(per_metre):
    """Points on a lattice below a wave, and in drops of 6 cm above it."""
    spacing = 1 / per_metre
    drops = [(0.1 + 0.2 * i, 0.15 + 0.3 * (i % 2), 0.45 + 0.03 * i) for i in range(5)]
    points = []
    lengths = (1.0, 0.6, 0.7)
    axes = [[(n + 0.5) * spacing for n in range(round(side * per_metre))] for side in lengths]
    for x in axes[0]:
        for y in axes[1]:
            height = 0.25 + 0.06 * math.sin(9 * x + 1) * math.cos(7 * y)
            for z in axes[2]:
                in_drop = any(math.dist((x, y, z), drop) < 0.06 for drop in drops)
                if z < height or in_drop:
                    points.append((x, y, z))
    return points


def all_cases():
    """Every case at its two sizes."""
    return [
        steps("dam", "5832 particles", (2, 5), *settings(particle_radius="2.7777777777e-2")),
        steps("dam", "24389 particles", (2, 4), *settings(particle_radius="1.7241379310e-2")),
        steps("spheres", "3200 particles", (2, 6), *settings(particle_radius=0.02)),
        steps("spheres", "10800 particles", (2, 6), *settings(particle_radius="1.3333333333e-2")),
        heap(2, 3, (4, 12)),
        heap(4, 3, (4, 12)),
        elastic(8, (2, 6)),
        elastic(16, (2, 5)),
        surface(25),
        surface(50),
        check("check", "3600 particles", *settings(particle_radius=0.02)),
        check("check", "28800 particles", *settings(particle_radius=0.01)),
        check("packing", "spacing 60 mm", *settings(particle_radius=0.03)),
        check("packing", "spacing 36 mm", *settings(particle_radius=0.018)),
    ]
