"""What simulations and runs give: to be pickled and copied, and read from damaged folders."""

import copy
import json
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import hashfall

from conftest import DAM


def parts(result):
    """The members of a result by their names, arrays as lists."""
    names = [name for name in dir(result) if not name.startswith("_")]
    values = {name: getattr(result, name) for name in names}
    return {name: it.tolist() if isinstance(it, np.ndarray) else it for name, it in values.items()}


def test_results_are_pickled_and_copied(paddle, tmp_path):
    sim = hashfall.Simulation(paddle)
    run = sim.run(tmp_path / "run")
    sim = hashfall.Simulation(paddle)
    report, body = sim.step(), sim.bodies[0]
    mesh = hashfall.surface([[0, 0, 0]], 0.1)
    for result in (run, report, body, mesh):
        for again in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
            assert type(again) is type(result) and parts(again) == parts(result)
            assert repr(again) == repr(result)


def test_frames_are_there_when_on_frame_is_called(dam, tmp_path):
    seen = []

    def on_frame(sim, k):
        frames = hashfall.frames(tmp_path / "run")
        assert len(frames[k].particles["positions"]) == len(sim)
        assert len(frames.log["time"]) == k + 1
        seen.append(len(frames))

    hashfall.Simulation(dam).run(tmp_path / "run", on_frame=on_frame)
    assert seen == [1, 2, 3, 4, 5]


DAMAGES = {
    "empty": b"",
    "no text": b"\xff\xfe",
    "list": b"[]",
    "no progress": b"{}",
    "progress is a number": b'{"progress": 3, "scene": {"frame_rate": 10}}',
    "no frames": b'{"progress": {"frames_written": null}, "scene": {"frame_rate": 10}}',
    "too many": b'{"progress": {"frames_written": 1e300}, "scene": {"frame_rate": 10}}',
    "negative": b'{"progress": {"frames_written": -1}, "scene": {"frame_rate": 10}}',
    "no rate": b'{"progress": {"frames_written": 1}, "scene": {"frame_rate": 0}}',
    "rate is a text": b'{"progress": {"frames_written": 1}, "scene": {"frame_rate": "fast"}}',
    "rate is none": b'{"progress": {"frames_written": 1}, "scene": {"frame_rate": NaN}}',
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_description_is_an_error_that_names_it(name, tmp_path):
    (tmp_path / "run.json").write_bytes(DAMAGES[name])
    with pytest.raises(ValueError, match="run.json"):
        hashfall.frames(tmp_path)


def test_damaged_and_missing_files_are_errors_that_name_them(dam, tmp_path):
    out = tmp_path / "run"
    hashfall.Simulation(dam).run(out)
    frames = hashfall.frames(out)
    (out / "particles" / "particles_00001.vtp").unlink()
    with pytest.raises(FileNotFoundError, match="particles_00001.vtp"):
        frames[1].particles
    (out / "particles" / "particles_00002.vtp").write_bytes(b"<VTKFile")
    with pytest.raises(ValueError, match="particles_00002.vtp"):
        frames[2].particles
    (out / "log.csv").write_bytes(b"frame,time\n\xff,1\n")
    with pytest.raises(ValueError, match="log.csv"):
        frames.log


def test_paths_may_be_bytes(dam, tmp_path):
    scene, out = tmp_path / "dam.json", os.fsencode(tmp_path / "run")
    scene.write_text(json.dumps(dam))
    sim = hashfall.Simulation(os.fsencode(scene), base_path=os.fsencode(tmp_path))
    run = sim.run(out)
    assert len(hashfall.frames(out)) == len(hashfall.frames(os.fsdecode(out))) == 5
    assert hashfall.resume(out).digest == run.digest


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are Unicode there")
def test_names_and_arguments_that_are_no_unicode(tmp_path):
    text = f"""
import hashfall, os, sys
run = hashfall.Simulation({DAM!r}).run(sys.argv[1])
print(len(hashfall.frames(run.folder)), len(hashfall.frames(os.fsencode(run.folder))))
"""
    words = [sys.executable, "-c", text, os.fsencode(tmp_path) + b"/caf\xe9"]
    ended = subprocess.run(words, capture_output=True, text=True)
    assert ended.stdout.split() == ["5", "5"], ended.stderr
