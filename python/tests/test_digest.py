"""The same bits as `sim`: stepped, run, and on any number of threads."""

import json
import subprocess

import pytest

import hashfall


def digest_of(folder):
    return json.loads((folder / "run.json").read_text())["progress"]["last_state_digest"]


@pytest.mark.parametrize("scene", ["dam_break", "spheres", "stirrer", "floating_box"])
def test_stepping_gives_the_digest_of_sim(sim, tmp_path, scene):
    out = tmp_path / "out"
    frames = ["--frames", "3", "--set", "surface=None", "--quiet"]
    subprocess.run([sim, scene, *frames, "--out", out], check=True)
    own = hashfall.Simulation(scene, threads=2)
    for frame in range(1, 4):
        own.advance_to(own.frame_time(frame))
    assert own.digest == digest_of(out)


def test_emitters_give_the_digest_of_sim(sim, nozzle, tmp_path):
    scene = tmp_path / "nozzle.json"
    scene.write_text(json.dumps(nozzle))
    subprocess.run([sim, scene, "--quiet", "--out", tmp_path / "out"], check=True)
    own = hashfall.Simulation(nozzle, threads=2)
    count = len(own)
    for frame in range(1, 5):
        own.advance_to(own.frame_time(frame))
    assert len(own) > count
    assert own.digest == digest_of(tmp_path / "out")


def test_a_run_gives_the_digest_of_sim(sim, dam, tmp_path):
    scene = tmp_path / "dam.json"
    scene.write_text(json.dumps(dam))
    subprocess.run([sim, scene, "--quiet", "--out", tmp_path / "sim"], check=True)
    by_path = hashfall.Simulation(scene).run(tmp_path / "path")
    by_dict = hashfall.Simulation(dam, threads=1).run(tmp_path / "dict")
    assert by_path.digest == by_dict.digest == digest_of(tmp_path / "sim")
    assert (by_path.frames, by_path.time) == (5, 0.04)
    for file in ["log.csv", "scene.ron", "particles/particles_00004.vtp"]:
        if file == "log.csv":
            continue  # It tells times.
        assert (tmp_path / "sim" / file).read_bytes() == (tmp_path / "path" / file).read_bytes()


def test_a_simulation_goes_on_after_its_run(dam, tmp_path):
    run = hashfall.Simulation(dam)
    run.run(tmp_path / "out")
    stepped = hashfall.Simulation(dam)
    for frame in range(1, 5):
        stepped.advance_to(stepped.frame_time(frame))
    assert run.digest == stepped.digest
    run.advance_to(0.05)
    stepped.advance_to(0.05)
    assert run.digest == stepped.digest


def test_functions_that_only_read_change_nothing(dam):
    plain, watched = hashfall.Simulation(dam), hashfall.Simulation(dam)
    seen = []
    watched.on_step(lambda sim: seen.append((sim.time, float(sim.positions[:, 0].max()))))
    assert plain.advance_to(0.03) == watched.advance_to(0.03) == len(seen)
    assert plain.digest == watched.digest
    assert seen[0][0] == 0.0 and seen[-1][1] > seen[0][1]
