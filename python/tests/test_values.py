"""Numbers that scenes refuse, and so do setters and `surface`."""

import numpy as np
import pytest

import hashfall

GRID = np.stack(np.meshgrid(*[np.arange(6) * 0.1] * 3), -1).reshape(-1, 3)


@pytest.mark.parametrize("value", [1e39, -1e39, 2e6, float("nan"), float("inf")])
def test_gravity_is_in_the_range_of_scenes(dam, value):
    sim = hashfall.Simulation(dam)
    with pytest.raises(ValueError, match="gravity is from -1000000 to 1000000 m/s²"):
        sim.gravity = (0, 0, value)
    assert sim.gravity == pytest.approx([0, 0, -9.81])
    with pytest.raises(hashfall.SceneError, match="gravity"):
        hashfall.Simulation({**dam, "gravity": [0, 0, -1e39]})


@pytest.mark.parametrize("value", [1e-320, 0.0, -1.0, 1e30, float("nan")])
def test_speeds_of_emitters_are_in_the_range_of_scenes(nozzle, value):
    sim = hashfall.Simulation(nozzle)
    with pytest.raises(ValueError, match="a speed is from 1e-6 to 10000 m/s"):
        sim.set_emitter_speed(0, value)
    sim.set_emitter_speed(0, 2.0)
    sim.advance_to(0.02)


@pytest.mark.parametrize("value", [1e300, float("inf"), float("nan")])
def test_velocities_of_bodies_are_finite_in_single_precision(paddle, value):
    sim = hashfall.Simulation(paddle)
    with pytest.raises(ValueError, match="not finite or too large"):
        sim.set_body_velocity(1, (value, 0, 0))
    sim.step()


@pytest.mark.parametrize(
    "setting, value",
    [
        ("decimation", float("nan")),
        ("decimation", -1.0),
        ("decimation", float("inf")),
        ("decimation", 2.5),
        ("min_component_volume", float("nan")),
        ("min_component_volume", 1e300),
        ("smoothing", 2**31),
        ("smoothing", 1001),
        ("cell", 1e-30),
        ("cell", 100.0),
        ("support_radius", 1e30),
        ("support_radius", 1e-2),
    ],
)
def test_settings_of_surfaces_are_in_the_range_of_scenes(setting, value):
    with pytest.raises(ValueError, match=setting.replace("_radius", ".radius")):
        hashfall.surface(GRID, 0.05, **{setting: value})


def test_settings_that_scenes_take():
    usual = hashfall.surface(GRID, 0.05)
    all_settings = dict(decimation=2.0, smoothing=0, cell=0.5, support_radius=0.15)
    for settings in [{key: value} for key, value in all_settings.items()]:
        mesh = hashfall.surface(GRID, 0.05, **settings)
        assert mesh.volume == pytest.approx(usual.volume, rel=0.2)


@pytest.mark.parametrize("call", [hashfall.surface, hashfall.neighbors])
def test_masked_points_are_refused(call):
    with pytest.raises(ValueError, match="masked"):
        call(np.ma.array(GRID, mask=GRID > 0.2), 0.05)
    call(np.ma.array(GRID), 0.05)
