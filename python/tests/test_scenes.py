"""Scenes as Python gives them, and exceptions where they are wrong."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import hashfall

CUBE = """v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"""


def test_dict_text_and_path_are_one_scene(dam, tmp_path):
    path = tmp_path / "dam.json"
    path.write_text(json.dumps(dam))
    ron = hashfall.Simulation(dam).scene
    given = [dam, json.dumps(dam), ron, path, str(path)]
    digests = {hashfall.Simulation(scene).digest for scene in given}
    assert len(digests) == 1


def test_numbers_of_numpy_are_numbers(dam):
    dam["particle_radius"] = np.float32(0.02)
    dam["domain"]["Box"]["max"] = np.array([0.8, 0.2, 0.6])
    assert len(hashfall.Simulation(dam)) == 250
    with pytest.raises(TypeError, match="cannot hold"):
        hashfall.Simulation({**dam, "particle_radius": object()})


def test_settings_change_keys(dam):
    sim = hashfall.Simulation(dam, set={"particle_radius": 0.04, "frames.count": 9})
    assert (sim.frame_count, sim.particle_radius) == (9, pytest.approx(0.04))
    sim = hashfall.Simulation(dam, set={"gravity": (0, 0, -1.5), "surface": None})
    assert sim.gravity == [0, 0, -1.5]
    with pytest.raises(hashfall.SceneError, match="radus"):
        hashfall.Simulation(dam, set={"particle_radus": 0.04})


def test_a_wrong_scene_raises_with_places(dam):
    dam["fluids"][0]["viscosty"] = 1.0
    with pytest.raises(hashfall.SceneError) as caught:
        hashfall.Simulation(dam)
    text = str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert "viscosty" in text and "did you mean" in text and "^" in text
    [fault] = caught.value.diagnostics
    assert fault["severity"] == "error" and fault["line"] > 1 and fault["column"] > 0
    assert fault["help"] == "did you mean `viscosity`?"


RON = """Scene(frames: (count: 1, rate: 100), domain: Box(min: (0, 0, 0), max: (0.8, 0.2, 0.6)),
particle_radius: 0.02, fluids: [(name: "w", rest_density: 1000, viscosity: 1e-6,
shapes: [Box(min: (0, 0, 0), max: (0.2, 0.2, 0.4))])])"""


@pytest.mark.parametrize("scene", ["dam_break", RON, "json", "dict"])
def test_settings_may_be_lists_tuples_and_dicts_in_every_language(dam, scene):
    scene = {"json": json.dumps(dam), "dict": dam}.get(scene, scene)
    box = {"Box": {"min": [0, 0, 0], "max": [0.2, 0.12, 0.2]}}
    for gravity in ([0, 0, -1.6], (0, 0, -1.6), np.array([0, 0, -1.6])):
        sim = hashfall.Simulation(scene, set={"gravity": gravity})
        assert sim.gravity == pytest.approx([0, 0, -1.6])
    changed = {"fluids[0].shapes": [box], "surface": {"cell": 0.5}, "solver": {"Wcsph": {}}}
    sim = hashfall.Simulation(scene, set={**changed, "output.particles": ["Vtp", "Ply"]})
    assert 0 < len(sim) < len(hashfall.Simulation(scene))
    assert "Wcsph" in sim.scene and "cell: 0.5" in sim.scene


@pytest.mark.parametrize("scene", [7, None, 0.5, ["a"]])
def test_what_is_no_scene_is_a_type_error(scene):
    with pytest.raises(TypeError):
        hashfall.Simulation(scene)


def test_a_missing_file_is_told():
    with pytest.raises(hashfall.SceneError, match="no_such_scene"):
        hashfall.Simulation("no_such_scene.ron")


def test_paths_are_relative_to_the_base_path(dam, tmp_path):
    (tmp_path / "scenes").mkdir()
    (tmp_path / "cube.obj").write_text(CUBE)
    mesh = {"path": "../cube.obj", "scale": 0.04, "translate": [0.5, 0.08, 0.2]}
    dam["solids"] = [{"Mesh": mesh}]
    sim = hashfall.Simulation(dam, base_path=tmp_path / "scenes")
    assert sim.forces.shape == (2, 6)
    with pytest.raises(hashfall.SceneError, match="cube.obj"):
        hashfall.Simulation(dam, base_path=tmp_path)


def test_doubts_are_warnings(dam):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        hashfall.Simulation({**dam, "solids": [{"Box": {"min": [5, 5, 5], "max": [6, 6, 6]}}]})
    assert [one.category for one in caught] == [hashfall.SceneWarning]
    assert "outside the domain" in str(caught[0].message)


def test_times_are_checked(dam):
    sim = hashfall.Simulation(dam)
    for time in [float("nan"), float("inf")]:
        with pytest.raises(ValueError):
            sim.advance_to(time)
    with pytest.raises(ValueError, match="not after"):
        sim.step(until=0.0)
    with pytest.raises(ValueError, match="step back"):
        sim.advance_to(-1.0)
    assert sim.advance_to(0.0) == 0
    report = sim.step(until=1e-6)
    assert (report.dt, sim.time, sim.steps) == (1e-6, 1e-6, 1)


def test_the_types_are_marked():
    assert (Path(hashfall.__file__).parent / "py.typed").is_file()
