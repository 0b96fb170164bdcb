"""What a program reads and sets between steps, against closed forms."""

import numpy as np
import pytest

import hashfall


def drop(gravity=(0, 0, 0), **keys):
    """A cube of fluid far from all walls."""
    return {
        "frames": {"count": 1, "rate": 10.0},
        "domain": {"Box": {"min": [-2, -2, -2], "max": [2, 2, 2]}},
        "particle_radius": 0.05,
        "gravity": list(gravity),
        "fluids": [
            {
                "name": "water",
                "rest_density": 1000,
                "viscosity": 1e-6,
                "shapes": [{"Box": {"min": [-0.2, -0.2, -0.2], "max": [0.2, 0.2, 0.2]}}],
            }
        ],
        **keys,
    }


def mean_velocity(sim):
    return np.asarray(sim.velocities, dtype=float).mean(axis=0)


def test_a_force_accelerates_all_particles():
    sim = hashfall.Simulation(drop())
    calls, shape = [], (len(sim), 3)

    @sim.add_force
    def wind(time, positions, velocities):
        assert positions.shape == velocities.shape == shape
        calls.append(time)
        return (2.0, 0.0, 0.0)

    sim.advance_to(0.1)
    assert calls and mean_velocity(sim) == pytest.approx([0.2, 0, 0], abs=2e-4)


def test_time_does_not_go_back():
    sim = hashfall.Simulation(drop())
    sim.advance_to(0.05)
    assert sim.advance_to(0.05) == 0
    for past in [0.04, -1.0]:
        with pytest.raises(ValueError, match="back"):
            sim.advance_to(past)
    assert sim.time == 0.05


def test_gravity_can_be_set_between_steps():
    sim = hashfall.Simulation(drop())
    sim.advance_to(0.05)
    assert mean_velocity(sim) == pytest.approx([0, 0, 0], abs=1e-6)
    sim.gravity = (0.0, 0.0, -4.0)
    assert sim.gravity == [0, 0, -4]
    for step in range(1, 21):
        sim.advance_to(0.05 + 0.005 * step)
    # The accelerations of the first half kick are those of before: half of 5 ms is missing.
    assert mean_velocity(sim)[2] == pytest.approx(-4 * (0.1 - 0.0025), rel=1e-3)
    with pytest.raises(ValueError, match="gravity is from"):
        sim.gravity = (0.0, float("nan"), 0.0)


def test_a_force_that_raises_is_not_added(dam):
    sim = hashfall.Simulation(dam)
    with pytest.raises(KeyError, match="no such force"):

        @sim.add_force
        def fails(time, positions, velocities):
            raise KeyError("no such force")

    sim.advance_to(0.01)
    plain = hashfall.Simulation(dam)
    plain.advance_to(0.01)
    assert sim.digest == plain.digest


def test_a_force_that_raises_later_ends_the_simulation(dam):
    sim = hashfall.Simulation(dam)

    @sim.add_force
    def fails(time, positions, velocities):
        if time > 0.02:
            raise KeyError("no such force")
        return 0.0

    with pytest.raises(KeyError, match="no such force"):
        sim.advance_to(0.1)
    with pytest.raises(hashfall.SimulationError, match="cannot go on"):
        sim.step()
    assert 0.0 < sim.time <= 0.03


@pytest.mark.parametrize("shape", [(3, 2), (7, 3), (4,)])
def test_a_force_of_a_wrong_shape_raises(dam, shape):
    sim = hashfall.Simulation(dam)
    with pytest.raises(ValueError):
        sim.add_force(lambda time, positions, velocities: np.zeros(shape))


def test_a_driven_solid_moves_as_it_is_set(paddle):
    sim = hashfall.Simulation(paddle)
    rest = sim.bodies[0]
    assert (rest.number, rest.orientation) == (1, [1, 0, 0, 0])

    @sim.on_step
    def push(sim):
        sim.set_body_velocity(1, (0.5, 0.0, 0.0))

    sim.advance_to(0.1)
    moved = sim.bodies[0]
    assert moved.velocity == [0.5, 0, 0]
    assert moved.position[0] - rest.position[0] == pytest.approx(0.05, rel=1e-9)
    for wrong in [0, 2]:
        with pytest.raises(ValueError, match="Driven"):
            sim.set_body_velocity(wrong, (0, 0, 0))
    with pytest.raises(ValueError):
        sim.set_body_velocity(1, (float("inf"), 0, 0))


def test_a_driven_solid_is_where_it_is_led_at_that_time(paddle):
    sim = hashfall.Simulation(paddle)
    start = np.array(sim.bodies[0].position)
    half = np.deg2rad(100.0) / 2
    turned = np.array([np.cos(half), 0.0, 0.0, np.sin(half)])
    # Minus a quaternion is the same orientation, and of any length.
    sim.move_body(1, start + [0.02, 0.0, 0.01], -3.0 * turned, time=0.05)
    sim.advance_to(0.05)
    body = sim.bodies[0]
    assert body.position == pytest.approx(start + [0.02, 0.0, 0.01], abs=1e-12)
    assert abs(np.dot(body.orientation, turned)) == pytest.approx(1.0, abs=1e-12)
    assert np.linalg.norm(body.angular_velocity) == pytest.approx(2 * half / 0.05)
    # Back, by the shorter way.
    sim.move_body(1, start, time=0.06)
    sim.advance_to(0.06)
    body = sim.bodies[0]
    assert body.position == pytest.approx(start, abs=1e-12)
    assert abs(body.orientation[0]) == pytest.approx(1.0, abs=1e-12)
    with pytest.raises(ValueError, match="set a later time"):
        sim.move_body(1, start, time=0.06)
    with pytest.raises(ValueError, match="quaternion"):
        sim.move_body(1, start, (0, 0, 0, 0), time=1.0)
    for wrong in [0, 2]:
        with pytest.raises(ValueError, match="Driven"):
            sim.move_body(wrong, start, time=1.0)


def test_a_driven_solid_rests_until_it_is_set(paddle, sim, tmp_path):
    import json
    import subprocess

    scene = tmp_path / "paddle.json"
    scene.write_text(json.dumps(paddle))
    subprocess.run([sim, scene, "--quiet", "--out", tmp_path / "out"], check=True)
    run = hashfall.Simulation(paddle).run(tmp_path / "run")
    manifest = json.loads((tmp_path / "out/run.json").read_text())
    assert manifest["progress"]["last_state_digest"] == run.digest
    rows = (tmp_path / "run/bodies.csv").read_text().splitlines()
    assert len(rows) == 6 and rows[1].split(",")[3] == "solids[0]"


def test_the_weight_of_still_water_lies_on_the_floor():
    scene = drop(gravity=(0, 0, -9.81))
    scene["domain"] = {"Box": {"min": [-0.2, -0.2, -0.2], "max": [0.2, 0.2, 1]}}
    sim = hashfall.Simulation(scene)
    sim.take_impulses()
    start = sim.time
    sim.advance_to(0.5)
    sim.take_impulses()
    middle = sim.time
    sim.advance_to(1.0)
    force = sim.take_impulses() / (sim.time - middle)
    weight = 1000 * 0.4**3 * 9.81
    assert start == 0.0 and force.shape == (1, 6)
    assert force[0, 2] == pytest.approx(-weight, rel=0.02)
    assert sim.forces[0, 2] == pytest.approx(-weight, rel=0.3)
    assert np.all(hashfall.Simulation(scene).forces == 0.0)


def test_an_emitter_takes_its_speed():
    emitter = {
        "from": {"Disc": {"centre": [-1.5, 0, 0], "normal": [1, 0, 0], "radius": 0.2}},
        "speed": 1.0,
    }
    scene = drop(emitters=[emitter])
    counts = []
    for speed in [1.0, 2.0]:
        sim = hashfall.Simulation(scene)
        start = len(sim)
        sim.set_emitter_speed(0, speed)
        sim.advance_to(0.5)
        counts.append(len(sim) - start)
    assert counts[1] == pytest.approx(2 * counts[0], rel=0.15)
    with pytest.raises(IndexError):
        sim.set_emitter_speed(1, 1.0)
    with pytest.raises(ValueError, match="a speed is from"):
        sim.set_emitter_speed(0, 0.0)


def test_a_function_cannot_step_the_simulation_that_calls_it(dam):
    sim = hashfall.Simulation(dam)
    sim.on_step(lambda sim: sim.step())
    with pytest.raises(hashfall.BusyError):
        sim.advance_to(0.01)
    assert sim.steps == 0


def test_what_a_function_raises_comes_through(dam):
    sim = hashfall.Simulation(dam)

    @sim.on_step
    def stop(sim):
        if sim.steps == 3:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        sim.advance_to(1.0)
    assert sim.steps == 3
