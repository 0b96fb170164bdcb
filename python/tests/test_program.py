"""The installed program: the same commands, exit codes and signals."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hashfall
from hashfall import __main__ as program


def test_both_ways_to_start_it(sim):
    for command in [[sim], [sys.executable, "-m", "hashfall"]]:
        told = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
        assert hashfall.__version__ in told.stdout


def test_the_program_is_found_from_anywhere(sim, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    for started in ["-m", "-c", str(tmp_path / "alias"), str(sim)]:
        monkeypatch.setattr(sys, "argv", [started])
        assert Path(program._program()).resolve() == sim.resolve()
    monkeypatch.setattr(sys, "argv", ["-m"])
    monkeypatch.setattr(program.sysconfig, "get_path", lambda *_: str(tmp_path))
    monkeypatch.setenv("PATH", str(sim.parent))
    assert Path(program._program()).resolve() == sim.resolve()


def test_exit_codes(sim, tmp_path):
    wrong = subprocess.run([sim, "no_such_scene.ron"], capture_output=True, text=True)
    assert wrong.returncode == 2 and wrong.stderr.startswith("error")
    assert subprocess.run([sim, "--no-such-option"], capture_output=True).returncode == 2
    listed = subprocess.run([sim, "list"], capture_output=True, text=True)
    assert listed.returncode == 0 and "dam_break" in listed.stdout


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_a_run_with_a_checkpoint(sim, tmp_path):
    out = tmp_path / "out"
    process = subprocess.Popen(
        [sim, "dam_break", "--frames", "3000", "--set", "surface=None", "--quiet", "--out", out]
    )
    while not (out / "log.csv").exists():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert json.loads((out / "run.json").read_text())["status"] == "interrupted"
    assert list((out / "checkpoints").iterdir())


def test_a_sweep_starts_the_program_for_its_points(sim, tmp_path, dam):
    (tmp_path / "dam.json").write_text(json.dumps({**dam, "frames": {"count": 1, "rate": 100}}))
    axis = 'Values(key: "fluids[0].viscosity", values: [1e-6, 1e-3])'
    sweep = f'Sweep(scene: "dam.json", axes: [{axis}])'
    (tmp_path / "sweep.ron").write_text(sweep)
    out = tmp_path / "out"
    command = [sim, "sweep", tmp_path / "sweep.ron", "--out", out, "--quiet"]
    told = subprocess.run(command, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    rows = (out / "results.csv").read_text().splitlines()
    assert len(rows) == 3
