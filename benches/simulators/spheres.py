"""2000 spheres that do not overlap, in 4 × 3 × 4 m: radii 2^(−4 + 2u³) m, u uniform."""

import math
import random

COUNT, SIZE, SEED = 2000, (4.0, 3.0, 4.0), 7
LARGEST = 0.25


def placed():
    """Centres (x, up, across) and radii, the largest placed first."""
    draw = random.Random(SEED)
    radii = sorted((2.0 ** (-4 + 2 * draw.random() ** 3) for _ in range(COUNT)), reverse=True)
    cells, found = {}, []
    for radius in radii:
        centre = next(
            candidate
            for candidate in (
                tuple(draw.uniform(radius, size - radius) for size in SIZE) for _ in range(200_000)
            )
            if is_free(candidate, radius, cells)
        )
        found.append((centre, radius))
        cells.setdefault(cell_of(centre), []).append((centre, radius))
    return found


def cell_of(point):
    return tuple(math.floor(c / (2 * LARGEST)) for c in point)


def is_free(centre, radius, cells):
    x, y, z = cell_of(centre)
    near = [(x + a, y + b, z + c) for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1)]
    return all(
        math.dist(centre, other) >= radius + its_radius
        for cell in near
        for other, its_radius in cells.get(cell, ())
    )


def icosphere(subdivisions):
    """Corners on the unit sphere and triangles."""
    t = (1 + 5**0.5) / 2
    corners = [(a, b * t, 0) for a in (-1, 1) for b in (-1, 1)]
    corners = [(x, y, z) for (a, b, c) in corners for (x, y, z) in ((a, b, c), (c, a, b), (b, c, a))]
    edge = 2.0
    triangles = [
        (i, j, k)
        for i in range(12)
        for j in range(i + 1, 12)
        for k in range(j + 1, 12)
        if all(abs(math.dist(corners[p], corners[q]) - edge) < 1e-9
               for p, q in ((i, j), (j, k), (i, k)))
    ]
    triangles = [outward(corners, triangle) for triangle in triangles]
    corners = [unit(corner) for corner in corners]
    for _ in range(subdivisions):
        middles, finer = {}, []
        for a, b, c in triangles:
            ab, bc, ca = (middle(corners, middles, *pair) for pair in ((a, b), (b, c), (c, a)))
            finer += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        triangles = finer
    return corners, triangles


def unit(point):
    length = math.hypot(*point)
    return tuple(c / length for c in point)


def outward(corners, triangle):
    a, b, c = (corners[i] for i in triangle)
    u, v = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
    normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    is_outward = sum(p * q for p, q in zip(normal, a)) > 0
    return triangle if is_outward else (triangle[0], triangle[2], triangle[1])


def middle(corners, middles, a, b):
    key = (min(a, b), max(a, b))
    if key not in middles:
        middles[key] = len(corners)
        corners.append(unit([(p + q) / 2 for p, q in zip(corners[a], corners[b])]))
    return middles[key]


def write_obj(path):
    """All spheres as one mesh, 320 triangles each."""
    corners, triangles = icosphere(2)
    with open(path, "w") as file:
        for centre, radius in placed():
            for corner in corners:
                x, y, z = (c + radius * n for c, n in zip(centre, corner))
                file.write(f"v {x:.6f} {y:.6f} {z:.6f}\n")
        for number in range(COUNT):
            first = 1 + number * len(corners)
            for triangle in triangles:
                file.write("f {} {} {}\n".format(*(first + i for i in triangle)))
