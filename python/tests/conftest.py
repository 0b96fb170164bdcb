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


@pytest.fixture
def dam():
    """A dam break of 250 particles."""
    return copy.deepcopy(DAM)


@pytest.fixture
def paddle():
    """The dam break with a box that a program moves."""
    return {**copy.deepcopy(DAM), "solids": [copy.deepcopy(PADDLE)]}


@pytest.fixture(scope="session")
def sim():
    """The installed program."""
    path = shutil.which("sim", path=sysconfig.get_path("scripts"))
    assert path, "the package installs `sim`"
    return Path(path)
