"""Runs into a folder with functions, their ends, and resuming them."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import hashfall


def push(sim):
    """Moves the paddle as a function of time alone, so that a resumed run sets the same."""
    sim.set_body_velocity(1, (0.5 if sim.time < 0.02 else -0.5, 0.0, 0.0))


def manifest(folder):
    return json.loads((folder / "run.json").read_text())


def test_functions_are_called_per_step_and_frame(paddle, tmp_path):
    sim, steps, frames = hashfall.Simulation(paddle), [], []
    thread = threading.get_ident()

    def on_step(sim):
        assert threading.get_ident() == thread
        steps.append(sim.time)
        push(sim)

    def on_frame(sim, frame):
        assert sim.time == pytest.approx(sim.frame_time(frame))
        frames.append((frame, len(sim.positions)))

    run = sim.run(tmp_path / "out", on_step=on_step, on_frame=on_frame)
    assert len(steps) == run.steps == sim.steps
    assert [frame for frame, _ in frames] == [0, 1, 2, 3, 4]
    assert manifest(tmp_path / "out")["status"] == "finished"
    stepped = hashfall.Simulation(paddle)
    stepped.on_step(push)
    for frame in range(1, 5):
        stepped.advance_to(stepped.frame_time(frame))
    assert stepped.digest == run.digest


def test_a_run_with_functions_resumes_only_with_them(paddle, tmp_path, sim):
    out = tmp_path / "out"
    whole = hashfall.Simulation(paddle).run(tmp_path / "whole", on_step=push)

    def until_frame_two(sim):
        if sim.time > sim.frame_time(2):
            raise StopAsyncIteration("so far")
        push(sim)

    frames = []
    with pytest.raises(StopAsyncIteration, match="so far"):
        hashfall.Simulation(paddle).run(
            out, on_step=until_frame_two, on_frame=lambda sim, k: frames.append(k)
        )
    assert manifest(out)["status"] == "interrupted" and manifest(out)["has_callbacks"]
    refused = subprocess.run([sim, "resume", out], capture_output=True, text=True)
    assert refused.returncode == 2 and "hashfall.resume(" in refused.stderr
    with pytest.raises(ValueError, match="on_step"):
        hashfall.resume(out)
    assert frames and frames[-1] < 4
    resumed = hashfall.resume(out, on_step=push, on_frame=lambda sim, k: frames.append(k))
    assert (resumed.digest, resumed.steps) == (whole.digest, whole.steps)
    assert frames == [0, 1, 2, 3, 4]
    for path in sorted((tmp_path / "whole/particles").iterdir()):
        assert path.read_bytes() == (out / "particles" / path.name).read_bytes()
    # A finished run has nothing left to do, and says so.
    assert hashfall.resume(out, on_step=push).digest == whole.digest


def test_a_run_without_functions_resumes_anywhere(dam, tmp_path, sim):
    out = tmp_path / "out"

    def stop_at_two(sim, frame):
        if frame == 2:
            raise StopAsyncIteration

    with pytest.raises(StopAsyncIteration):
        hashfall.Simulation(dam).run(out, on_frame=stop_at_two)
    assert "has_callbacks" not in manifest(out)
    subprocess.run([sim, "resume", out, "--quiet"], check=True)
    whole = hashfall.Simulation(dam).run(tmp_path / "whole")
    assert manifest(out)["progress"]["last_state_digest"] == whole.digest


def set_gravity(sim):
    sim.gravity = (0.5, 0.0, -5.0)


def set_speed(sim):
    sim.set_emitter_speed(0, 2.0)


@pytest.mark.parametrize("setter", [set_gravity, set_speed])
def test_a_run_of_what_was_set_resumes_only_with_it(nozzle, tmp_path, sim, setter):
    out = tmp_path / "out"
    plain = hashfall.Simulation(nozzle).run(tmp_path / "plain")
    changed = hashfall.Simulation(nozzle)
    setter(changed)
    whole = changed.run(tmp_path / "whole")
    assert whole.digest != plain.digest
    stopped = hashfall.Simulation(nozzle)
    setter(stopped)
    with pytest.raises(StopAsyncIteration):
        stopped.run(out, on_frame=stop_after_one)
    assert manifest(out)["has_callbacks"]
    refused = subprocess.run([sim, "resume", out], capture_output=True, text=True)
    assert refused.returncode == 2 and "hashfall.resume(" in refused.stderr
    with pytest.raises(ValueError, match="on_step"):
        hashfall.resume(out)
    assert hashfall.resume(out, on_step=setter).digest == whole.digest


def test_what_is_wrong_to_set_marks_no_run(nozzle, tmp_path):
    sim = hashfall.Simulation(nozzle)
    with pytest.raises(ValueError, match="gravity is from"):
        sim.gravity = (0.0, 0.0, float("nan"))
    with pytest.raises(IndexError):
        sim.set_emitter_speed(1, 2.0)
    sim.run(tmp_path / "out")
    assert "has_callbacks" not in manifest(tmp_path / "out")


@pytest.mark.parametrize("setter", [set_gravity, push, lambda sim: sim.on_step(push)])
def test_on_frame_sets_nothing(paddle, tmp_path, setter):
    simulation = hashfall.Simulation(paddle)
    with pytest.raises(RuntimeError, match="`on_frame` only reads"):
        simulation.run(tmp_path / "out", on_frame=lambda sim, frame: setter(sim))
    # Afterwards it may.
    setter(simulation)


def test_the_foam_of_a_scene_is_left_with_a_warning(dam, tmp_path):
    sim = hashfall.Simulation({**dam, "foam": {}})
    with pytest.warns(hashfall.SceneWarning, match="sim foam"):
        sim.run(tmp_path / "out")
    assert not (tmp_path / "out/foam").exists()


def test_settings_of_the_motion_measure_energy_anew(dam, tmp_path):
    """Under thrice the weight the fluid has 60 J more than at the start, which nobody moved."""
    scene = {**dam, "frames": {"count": 3, "rate": 100.0}, "checkpoints": {"frames": 1}}
    heavy = (0.0, 0.0, -29.43)
    for out in [tmp_path / "changed", tmp_path / "by_function"]:
        with pytest.raises(StopAsyncIteration):
            hashfall.Simulation(scene).run(out, on_frame=stop_after_one)
    changes = {"gravity": heavy, "limits.energy_gain": 20}
    assert hashfall.resume(tmp_path / "changed", set=changes).frames == 4

    def pull(sim):
        sim.gravity = heavy

    # A limit does not change the motion: the gain is measured from the start.
    with pytest.raises(hashfall.SimulationError, match="energy"):
        hashfall.resume(tmp_path / "by_function", set={"limits.energy_gain": 20}, on_step=pull)


def test_an_empty_table_has_no_columns(dam, tmp_path):
    hashfall.Simulation(dam, set={"frames.count": 1}).run(tmp_path / "out")
    (tmp_path / "out/log.csv").write_text("")
    assert hashfall.frames(tmp_path / "out").log == {}


def test_forces_act_on_runs(dam, tmp_path):
    def wind(time, positions, velocities):
        return (3.0, 0.0, 0.0)

    run, stepped = hashfall.Simulation(dam), hashfall.Simulation(dam)
    for simulation in [run, stepped]:
        simulation.add_force(wind)
    with pytest.raises(StopAsyncIteration):
        run.run(tmp_path / "out", on_frame=stop_after_one)
    resumed = hashfall.resume(tmp_path / "out", forces=[wind])
    for frame in range(1, 5):
        stepped.advance_to(stepped.frame_time(frame))
    assert resumed.digest == stepped.digest
    assert manifest(tmp_path / "out")["has_callbacks"]


def stop_after_one(sim, frame):
    if frame == 1:
        raise StopAsyncIteration


def test_a_force_that_raises_fails_the_run(dam, tmp_path):
    sim = hashfall.Simulation(dam)

    @sim.add_force
    def wind(time, positions, velocities):
        if time > 0.02:
            raise ZeroDivisionError("no wind")
        return (0.0, 0.0, 0.0)

    with pytest.raises(ZeroDivisionError, match="no wind"):
        sim.run(tmp_path / "out")
    assert manifest(tmp_path / "out")["status"] == "failed"
    assert len(hashfall.frames(tmp_path / "out")) == 3


def test_a_run_begins_at_the_start(dam, tmp_path):
    sim = hashfall.Simulation(dam)
    sim.step()
    with pytest.raises(RuntimeError, match="new Simulation"):
        sim.run(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_in_use_is_refused(dam, tmp_path):
    hashfall.Simulation(dam).run(tmp_path)
    with pytest.raises(hashfall.FolderError, match="overwrite=True"):
        hashfall.Simulation(dam).run(tmp_path)
    assert hashfall.Simulation(dam).run(tmp_path, overwrite=True).frames == 5
    with pytest.raises(OSError):
        hashfall.resume(tmp_path / "none")


def test_what_is_read_during_a_run_by_others_raises(dam, tmp_path):
    sim, seen = hashfall.Simulation(dam), []

    def on_step(sim):
        with pytest.raises(hashfall.BusyError):
            sim.step()
        with pytest.raises(hashfall.BusyError):
            sim.run(tmp_path / "other")
        with pytest.raises(hashfall.BusyError, match="forces"):
            sim.take_impulses()
        seen.append(sim.forces)

    sim.run(tmp_path / "out", on_step=on_step)
    assert seen and seen[0].shape == (1, 6)


CTRL_C = """
import sys, hashfall
sim = hashfall.Simulation({scene!r}, set={{"particle_radius": 0.01, "frames.count": 100000}})
print("begun", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", sim.steps > 0, flush=True)
    sys.exit(3)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    "call",
    [
        "sim.advance_to(100.0)",
        "sim.run({out!r})",
        "sim.run({out!r}, on_step=lambda sim: None)",
    ],
)
def test_ctrl_c_ends_what_takes_long(dam, tmp_path, call):
    out = tmp_path / "out"
    code = CTRL_C.format(scene=dam, call=call.format(out=str(out)))
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    if "run" in call:
        while not (out / "log.csv").exists():
            assert process.poll() is None
            time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "interrupted True\n"
    assert process.returncode == 3
    if "run" in call:
        assert manifest(out)["status"] == "interrupted"
        assert list((out / "checkpoints").iterdir())
