"""How good surfaces of a ball of particles are: `quality.py [--radius R] [-r r] MESH.ply …`.

The particles fill a ball of radius R about the origin, one for each (2r)³, so the surface should be
a sphere. A row for each mesh tells

    volume, area   their errors, %
    place          mean distance from the sphere, in particle radii r; outwards is positive
    roughness      root mean square of the distance about that mean, in r
    least q        quality q = 4√3 area / Σ edge² of the worst triangle; 1 if all sides are equal
    q < 0.1        the part of triangles that are slivers, %

Closed parts inside the ball count, too. `--make FILE.xyz` writes the particles: a lattice with a
jitter of up to 0.2 r along each axis. Needs numpy alone.
"""

import argparse
import dataclasses
import pathlib

import numpy

NUMBERS = {"float": "f4", "float32": "f4", "double": "f8", "int": "i4", "uint": "u4", "ushort": "u2", "uchar": "u1"}


@dataclasses.dataclass
class Mesh:
    """Vertices and triangles; normals where the file has some."""

    positions: numpy.ndarray
    triangles: numpy.ndarray
    normals: numpy.ndarray | None


def read_ply(path):
    """Reads a binary `.ply` of triangles."""
    data = pathlib.Path(path).read_bytes()
    header, _, body = data.partition(b"end_header\n")
    lines = [line.split() for line in header.decode().splitlines()]
    if ["format", "binary_little_endian", "1.0"] not in lines:
        raise SystemExit(f"{path}: only binary little-endian .ply is read")
    counts = {line[1]: int(line[2]) for line in lines if line[0] == "element"}
    columns = [line[1:] for line in lines if line[0] == "property" and line[1] != "list"]
    row = numpy.dtype([(name, "<" + NUMBERS[kind]) for kind, name in columns])
    sizes = [line[2:4] for line in lines if line[:2] == ["property", "list"]][0]
    count, index = (numpy.dtype("<" + NUMBERS[size]) for size in sizes)
    face = numpy.dtype([("corners", count), ("triangle", index, 3)])
    vertices = numpy.frombuffer(body, row, counts["vertex"])
    faces = numpy.frombuffer(body, face, counts["face"], vertices.nbytes)
    if (faces["corners"] != 3).any():
        raise SystemExit(f"{path}: not all faces are triangles")
    columns = lambda names: numpy.stack([vertices[name] for name in names], axis=1).astype(float)
    normals = columns(("nx", "ny", "nz")) if "nx" in row.names else None
    return Mesh(columns("xyz"), faces["triangle"].astype(numpy.int64), normals)


def measure(mesh, radius, r):
    """The numbers of a row."""
    corners = mesh.positions[mesh.triangles]
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    doubled = numpy.linalg.norm(numpy.cross(b - a, c - a), axis=1)
    volume = numpy.einsum("ij,ij", a, numpy.cross(b, c)) / 6.0
    edges = sum(((x - y) ** 2).sum(axis=1) for x, y in ((a, b), (b, c), (c, a)))
    quality = 2.0 * numpy.sqrt(3.0) * doubled / edges
    distance = (numpy.linalg.norm(mesh.positions, axis=1) - radius) / r
    # Each vertex counts for the area around it.
    weights = numpy.bincount(mesh.triangles.ravel(), doubled.repeat(3), len(mesh.positions))
    place = numpy.average(distance, weights=weights)
    return (
        100.0 * (volume / (4.0 / 3.0 * numpy.pi * radius**3) - 1.0),
        100.0 * (doubled.sum() / 2.0 / (4.0 * numpy.pi * radius**2) - 1.0),
        place,
        numpy.sqrt(numpy.average((distance - place) ** 2, weights=weights)),
        quality.min(),
        100.0 * (quality < 0.1).mean(),
    )


def ball(radius, r):
    """Particles of a jittered lattice in a ball, as rows of little-endian `f32`."""
    count = int(numpy.ceil(radius / r / 2.0)) + 1
    axis = (numpy.arange(-count, count) + 0.5) * 2.0 * r
    points = numpy.stack(numpy.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3)
    points = points[(points**2).sum(axis=1) <= radius**2]
    points += numpy.random.default_rng(1).uniform(-0.2 * r, 0.2 * r, points.shape)
    return points.astype("<f4")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("meshes", type=pathlib.Path, nargs="*")
    parser.add_argument("--make", type=pathlib.Path, metavar="FILE", help="write the particles")
    parser.add_argument("--radius", type=float, default=0.576, help="of the ball, m")
    parser.add_argument("-r", type=float, default=0.01, help="radius of a particle, m")
    options = parser.parse_args()
    if options.make:
        ball(options.radius, options.r).tofile(options.make)
        return
    print("| mesh | triangles | volume % | area % | place r | roughness r | least q | q < 0.1 % |")
    print("|---|---|---|---|---|---|---|---|")
    for path in options.meshes:
        mesh = read_ply(path)
        volume, area, place, roughness, least, slivers = measure(mesh, options.radius, options.r)
        print(
            f"| {path.stem} | {len(mesh.triangles)} | {volume:+.2f} | {area:+.2f} | {place:+.3f} "
            f"| {roughness:.4f} | {least:.4f} | {slivers:.2f} |"
        )


if __name__ == "__main__":
    main()
