"""Surfaces and neighbours of arrays, and the frames of a run."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

import hashfall


def cloud(count=2000):
    return np.random.default_rng(1).random((count, 3), dtype=np.float32)


def test_neighbors_are_those_of_a_kd_tree():
    points, radius = cloud(), 0.12
    tree = cKDTree(points)
    offsets, indices = hashfall.neighbors(points, radius)
    assert offsets.dtype == np.uint64 and indices.dtype == np.uint32
    assert len(offsets) == len(points) + 1 and offsets[-1] == len(indices)
    # Distances that are the radius but for rounding may be in or out.
    inner = tree.query_ball_point(points, radius * (1 - 1e-5))
    outer = tree.query_ball_point(points, radius * (1 + 1e-5))
    for i, (least, most) in enumerate(zip(inner, outer)):
        row = indices[offsets[i] : offsets[i + 1]]
        assert np.all(np.diff(row.astype(int)) > 0)
        assert set(least) - {i} <= set(row) <= set(most) - {i}
    assert len(indices) > 10 * len(points)


def test_all_structures_and_threads_give_the_same():
    points = cloud(500)
    expected = hashfall.neighbors(points, 0.2, structure="Brute")
    for structure in ["SortedCells", "UniformHash", "InsertionHash", "KdTree", "CellIndex"]:
        for threads in [1, 3]:
            found = hashfall.neighbors(points, 0.2, structure=structure, threads=threads)
            assert all(np.array_equal(a, b) for a, b in zip(expected, found)), structure


@pytest.mark.parametrize(
    "points, radius, message",
    [
        (np.zeros((3, 2)), 0.1, "shape"),
        (np.zeros(3), 0.1, "shape"),
        ([[0, 0, np.nan]], 0.1, "point 0 is not finite"),
        ([[0, 0, 0], [1e30, 0, 0]], 0.1, "point 1"),
        (np.zeros((2, 3)), 0.0, "positive"),
        (np.zeros((2, 3)), np.inf, "positive"),
    ],
)
def test_wrong_points_raise(points, radius, message):
    with pytest.raises(ValueError, match=message):
        hashfall.neighbors(points, radius)


def test_unknown_structures_are_told():
    with pytest.raises(ValueError, match="SortedCells"):
        hashfall.neighbors(np.zeros((2, 3)), 0.1, structure="Octree")
    offsets, indices = hashfall.neighbors(np.zeros((0, 3)), 0.1)
    assert list(offsets) == [0] and len(indices) == 0


def test_a_surface_of_points_is_closed_and_of_their_volume():
    axis = np.arange(12) * 0.1
    points = np.stack(np.meshgrid(axis, axis, axis), axis=-1).reshape(-1, 3)
    mesh = hashfall.surface(points, 0.05)
    vertices, triangles, normals = mesh
    assert mesh.volume == pytest.approx(1.2**3, rel=0.05)
    assert vertices.shape == normals.shape and triangles.max() == len(vertices) - 1
    corners = vertices[triangles].astype(float)
    volume = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    assert volume == pytest.approx(mesh.volume, rel=1e-4)
    # Each edge once in each direction.
    edges = np.concatenate([triangles[:, [a, b]] for a, b in [(0, 1), (1, 2), (2, 0)]])
    there = {tuple(edge) for edge in edges.tolist()}
    assert len(there) == len(edges) and all((b, a) in there for a, b in there)
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1.0, abs=1e-4)
    coarse = hashfall.surface(points, 0.05, cell=1.0, smoothing=0)
    assert len(coarse.triangles) < len(triangles)
    assert len(hashfall.surface(np.zeros((0, 3)), 0.05).triangles) == 0


def test_wrong_settings_of_a_surface_raise():
    for wrong in [{"particle_radius": 0.0}, {"particle_radius": 0.05, "iso": 0.0}]:
        with pytest.raises(ValueError):
            hashfall.surface(cloud(10), **wrong)


def test_frames_are_arrays(dam, tmp_path):
    sim, seen = hashfall.Simulation(dam), {}

    def keep(sim, frame):
        seen[frame] = {name: getattr(sim, name).copy() for name in ["positions", "ids"]}

    run = sim.run(tmp_path / "out", on_frame=keep)
    frames = hashfall.frames(run.folder)
    assert len(frames) == 5 and frames.times == pytest.approx([0, 0.01, 0.02, 0.03, 0.04])
    for number, frame in enumerate(frames):
        particles = frame.particles
        # Files have particles in the order of their ids.
        order = np.argsort(seen[number]["ids"])
        assert np.array_equal(particles["positions"], seen[number]["positions"][order])
        assert np.array_equal(particles["id"], seen[number]["ids"][order])
        assert particles["velocity"].shape == (250, 3)
        assert len(particles["density"]) == len(particles["pressure"]) == 250
        [surface] = frame.surfaces.values()
        assert surface["vertices"].shape[1] == surface["triangles"].shape[1] == 3
        assert surface["triangles"].max() < len(surface["vertices"])
    assert frames[-1].number == 4 and [frame.number for frame in frames[1:3]] == [1, 2]
    assert frames.manifest["status"] == "finished" and not frames[0].spray
    assert frames.log["time"] == pytest.approx(frames.times)
    assert frames.log["total_steps"][-1] == run.steps
    assert frames.log["limited_by"].dtype.kind == "U"
    assert frames.probes == frames.bodies == {}


def test_a_folder_without_a_run_raises(tmp_path):
    with pytest.raises(FileNotFoundError, match="no run"):
        hashfall.frames(tmp_path)


def test_surfaces_of_a_simulation(dam):
    sim = hashfall.Simulation(dam)
    [mesh] = sim.surfaces()
    assert mesh.volume == pytest.approx(0.2 * 0.2 * 0.4, rel=0.1)
    assert "triangles" in repr(mesh)
