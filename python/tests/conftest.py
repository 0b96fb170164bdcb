"""Scenes of the tests: small ones, of seconds."""

import copy
import shutil
import sysconfig
from pathlib import Path

import pytest

DAM = {
    "frames": {"count": 4, "rate": 100.0},
    "domain": {"Box": {"min": [0, 0, 0], "max": [0.8, 0.2, 0.6]}},
    "particle_radius": 0.02,
    "fluids": [
        {
            "name": "water",
            "rest_density": 1000,
            "viscosity": 1e-6,
            "shapes": [{"Box": {"min": [0, 0, 0], "max": [0.2, 0.2, 0.4]}}],
        }
    ],
    "output": {"particles": ["Vtp"], "surface": ["Ply"]},
}

PADDLE = {"Box": {"min": [0.3, 0.0, 0.0], "max": [0.34, 0.2, 0.3], "motion": {"Driven": {}}}}

NOZZLE = {
    "from": {"Disc": {"centre": [0.6, 0.1, 0.3], "normal": [-1, 0, 0], "radius": 0.06}},
    "speed": 3.0,
}


@pytest.fixture
def dam():
    """A dam break of 250 particles."""
    return copy.deepcopy(DAM)


@pytest.fixture
def paddle():
    """The dam break with a box that a program moves."""
    return {**copy.deepcopy(DAM), "solids": [copy.deepcopy(PADDLE)]}


@pytest.fixture
def nozzle():
    """The dam break with an emitter."""
    return {**copy.deepcopy(DAM), "emitters": [copy.deepcopy(NOZZLE)]}


@pytest.fixture(scope="session")
def sim():
    """The installed program."""
    path = shutil.which("sim", path=sysconfig.get_path("scripts"))
    assert path, "the package installs `sim`"
    return Path(path)
