"""What forces may give, and what errors say of what they may not."""

import numpy as np
import pytest

import hashfall


def force_of(given):
    """A force that gives nothing at first, and then something else."""
    armed = []

    def my_force(t, x, v):
        return given(v) if armed else 0 * v

    return my_force, armed


def spoilt(v):
    """Accelerations of which one is infinite."""
    accelerations = 0 * v
    accelerations[3, 1] = np.inf
    return accelerations


BAD = {
    "none": (lambda v: None, TypeError, "returned None"),
    "nan": (lambda v: np.full_like(v, np.nan), ValueError, "for particle 0"),
    "infinite": (lambda v: spoilt(v), ValueError, "for particle 3"),
    "too large": (lambda v: np.full(v.shape, 1e39), ValueError, "finite, in single precision"),
    "masked": (lambda v: np.ma.array(v, mask=v == v), ValueError, "masked"),
    "shape": (lambda v: v[:-1], ValueError, "no array of shape (250, 3)"),
    "text": (lambda v: "down", TypeError, "no array of shape"),
    "complex": (lambda v: v + 1j, TypeError, "no array of shape"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_no_force_may_give_is_an_error_that_names_it(dam, name):
    given, kind, part = BAD[name]
    sim = hashfall.Simulation(dam)
    force, armed = force_of(given)
    sim.add_force(force)
    sim.advance_to(0.004)
    armed.append(True)
    with pytest.raises(kind, match="my_force") as raised:
        sim.step()
    text = str(raised.value)
    assert part in text and "at t = 0.0" in text, text
    with pytest.raises(kind, match="my_force"):
        hashfall.Simulation(dam).add_force(force)


def test_what_is_allowed(dam):
    sims = [hashfall.Simulation(dam) for _ in range(4)]
    for sim, given in zip(sims, [1, [0, 0, 1], np.array([0, 0, 1], dtype=int), None]):
        if given is not None:
            sim.add_force(lambda t, x, v, given=given: given)
        sim.step()
    assert sims[1].digest == sims[2].digest != sims[3].digest
