"""Hashfall: an offline particle-fluid simulator.

    import hashfall

    sim = hashfall.Simulation("dam_break")      # a built-in scene; or a path, a text, a dict
    sim.advance_to(0.1)
    print(sim.positions[:, 2].max())            # a view of the state, without a copy
    sim = hashfall.Simulation("dam_break")
    run = sim.run("out/dam_break")              # frames, log and checkpoints, as `sim` writes them
    for frame in hashfall.frames(run.folder):
        print(frame.time, len(frame.particles["positions"]))

All quantities are in SI units. See docs/python.md of the project.
"""

from ._frames import Frame, Frames, frames
from ._hashfall import (
    Body,
    BusyError,
    FolderError,
    Mesh,
    Run,
    SceneError,
    SceneWarning,
    Simulation,
    SimulationError,
    StaleViewError,
    StepReport,
    View,
    __version__,
    neighbors,
    resume,
    surface,
)

__all__ = [
    "Body",
    "BusyError",
    "FolderError",
    "Frame",
    "Frames",
    "Mesh",
    "Run",
    "SceneError",
    "SceneWarning",
    "Simulation",
    "SimulationError",
    "StaleViewError",
    "StepReport",
    "View",
    "__version__",
    "frames",
    "neighbors",
    "resume",
    "surface",
]
