"""What functions of a program give as forces, checked."""

from typing import Any, Callable

import numpy as np


def _name(function: Any) -> str:
    return f"the force `{getattr(function, '__qualname__', None) or repr(function)}`"


def accelerations(
    function: Callable[..., Any], time: float, positions: Any, velocities: Any, np: Any = np
) -> Any:
    """The accelerations that a force gives for a state, finite, float32 of shape (n, 3)."""
    shape = positions.shape
    given = function(time, positions, velocities)
    where = f"{_name(function)} at t = {time} s"
    if given is None:
        raise TypeError(f"{where} returned None, and no accelerations, one for each particle")
    if np.ma.is_masked(given):
        raise ValueError(f"{where} returned masked entries: fill them, as with `.filled(0.0)`")
    try:
        raw = np.asarray(given)
        if raw.dtype.kind not in "biuf":
            raise TypeError(f"numbers of type {raw.dtype}")
        rows = np.broadcast_to(raw, shape)
    except (TypeError, ValueError) as error:
        message = f"{where} returned no array of shape {shape}: {error}"
        raise type(error)(message) from None
    with np.errstate(over="ignore"):
        rows = np.ascontiguousarray(rows, dtype=positions.dtype)
    is_finite = np.isfinite(rows).all(axis=1)
    if not is_finite.all():
        first = int(np.argmin(is_finite))
        raise ValueError(
            f"{where} returned {raw if raw.ndim == 0 else np.broadcast_to(raw, shape)[first]} for "
            f"particle {first}: accelerations are finite, in single precision"
        )
    return rows
