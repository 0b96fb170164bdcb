import os
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union, final

import numpy as np
import numpy.typing as npt

_Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
_Vector = Sequence[float]
_OnStep = Callable[["Simulation"], Any]
_OnFrame = Callable[["Simulation", int], Any]
_Force = Callable[[float, npt.NDArray[np.float32], npt.NDArray[np.float32]], npt.ArrayLike]

__version__: str

class SceneError(ValueError):
    """A scene is wrong. The text names each place; `diagnostics` lists them.

    Each has the keys `severity`, `message`, `file`, `line`, `column` and `help`.
    """

    diagnostics: List[Dict[str, Any]]

class SceneWarning(UserWarning):
    """A scene is doubtful."""

class SimulationError(RuntimeError):
    """A simulation cannot start or go on."""

class StaleViewError(RuntimeError):
    """A view of the state before the last step: take a new one."""

class BusyError(RuntimeError):
    """Another thread, or a function that this simulation has called, steps it at present."""

class FolderError(OSError):
    """The folder of a run cannot be written or resumed."""

@final
class View:
    """An array of a simulation's state, without a copy, until the next step.

    `numpy.asarray(view)`, `view[...]`, numpy's functions and the array's own attributes and
    methods read it; `view.copy()` keeps it. After the next step it raises StaleViewError. Arrays
    made of it before stay as they were. All of them are read-only.
    """

    @property
    def is_stale(self) -> bool:
        """Whether the simulation has stepped since."""
    def __array__(
        self, dtype: Optional[npt.DTypeLike] = None, copy: Optional[bool] = None
    ) -> npt.NDArray[Any]: ...
    def copy(self) -> npt.NDArray[Any]:
        """An array of its own, which stays."""
    def __len__(self) -> int: ...
    def __getitem__(self, key: Any, /) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __getattr__(self, name: str) -> Any: ...
    def __add__(self, other: Any, /) -> Any: ...
    def __radd__(self, other: Any, /) -> Any: ...
    def __sub__(self, other: Any, /) -> Any: ...
    def __rsub__(self, other: Any, /) -> Any: ...
    def __mul__(self, other: Any, /) -> Any: ...
    def __rmul__(self, other: Any, /) -> Any: ...
    def __truediv__(self, other: Any, /) -> Any: ...
    def __rtruediv__(self, other: Any, /) -> Any: ...
    def __matmul__(self, other: Any, /) -> Any: ...
    def __rmatmul__(self, other: Any, /) -> Any: ...
    def __pow__(self, other: Any, modulo: None = None, /) -> Any: ...
    def __floordiv__(self, other: Any, /) -> Any: ...
    def __rfloordiv__(self, other: Any, /) -> Any: ...
    def __mod__(self, other: Any, /) -> Any: ...
    def __rmod__(self, other: Any, /) -> Any: ...
    def __divmod__(self, other: Any, /) -> Any: ...
    def __rdivmod__(self, other: Any, /) -> Any: ...
    def __and__(self, other: Any, /) -> Any: ...
    def __rand__(self, other: Any, /) -> Any: ...
    def __or__(self, other: Any, /) -> Any: ...
    def __ror__(self, other: Any, /) -> Any: ...
    def __xor__(self, other: Any, /) -> Any: ...
    def __rxor__(self, other: Any, /) -> Any: ...
    def __lshift__(self, other: Any, /) -> Any: ...
    def __rlshift__(self, other: Any, /) -> Any: ...
    def __rshift__(self, other: Any, /) -> Any: ...
    def __rrshift__(self, other: Any, /) -> Any: ...
    def __rpow__(self, other: Any, modulo: None = None, /) -> Any: ...
    def __bool__(self) -> bool: ...
    def __contains__(self, item: Any, /) -> bool: ...
    def __pos__(self) -> Any: ...
    def __invert__(self) -> Any: ...
    def __neg__(self) -> Any: ...
    def __abs__(self) -> Any: ...
    def __eq__(self, other: Any, /) -> Any: ...
    def __ne__(self, other: Any, /) -> Any: ...
    def __lt__(self, other: Any, /) -> Any: ...
    def __le__(self, other: Any, /) -> Any: ...
    def __gt__(self, other: Any, /) -> Any: ...
    def __ge__(self, other: Any, /) -> Any: ...

@final
class StepReport:
    """What a step did."""

    @property
    def dt(self) -> float:
        """The time step [s]."""
    @property
    def time(self) -> float:
        """The time after it [s]."""
    @property
    def limited_by(self) -> str:
        """What bound it."""
    @property
    def rejected(self) -> int:
        """Steps that were tried before it and taken back."""
    @property
    def density_error_max(self) -> float:
        """Largest compression: density over rest density, less 1."""
    @property
    def density_error_mean(self) -> float:
        """Mean compression."""
    @property
    def iterations(self) -> int:
        """Iterations of the pressure solve."""

@final
class Body:
    """A body that moves, where it is."""

    @property
    def number(self) -> int:
        """Solids count from 1, in the order of the scene; the walls are 0."""
    @property
    def position(self) -> List[float]:
        """Where its centre of mass or its pivot is [m]."""
    @property
    def orientation(self) -> List[float]:
        """Unit quaternion of the rotation from its place in the scene: the scalar, then x, y, z."""
    @property
    def velocity(self) -> List[float]:
        """[m/s]."""
    @property
    def angular_velocity(self) -> List[float]:
        """[1/s]."""

@final
class Run:
    """What a run has done."""

    @property
    def folder(self) -> os.PathLike[str]:
        """Its folder."""
    @property
    def frames(self) -> int:
        """Frames written, with that of the start."""
    @property
    def steps(self) -> int:
        """Steps taken."""
    @property
    def time(self) -> float:
        """Simulated time [s]."""
    @property
    def digest(self) -> str:
        """Digest of the last state, as in `run.json`."""

@final
class Mesh:
    """A closed triangle mesh; it unpacks as `vertices, triangles, normals`."""

    @property
    def vertices(self) -> npt.NDArray[np.float32]:
        """[m], shape (n, 3)."""
    @property
    def triangles(self) -> npt.NDArray[np.uint32]:
        """Vertices of each triangle, counter-clockwise seen from outside, shape (m, 3)."""
    @property
    def normals(self) -> npt.NDArray[np.float32]:
        """Unit normals at the vertices, outwards, shape (n, 3)."""
    @property
    def volume(self) -> float:
        """The volume within [m³]."""
    def __iter__(self) -> Iterator[npt.NDArray[Any]]: ...

@final
class Simulation:
    """A scene in memory: stepped, read, controlled and run.

    `scene` is a dict (as JSON of the scene format), a text in RON or JSON, a path, or the name of a
    built-in scene. Paths in a dict or text are relative to `base_path`. `set` changes keys, as
    `--set` of the program does: `{"fluids[0].viscosity": 0.01}`. `threads` compute; results do not
    depend on their number. A scene may name files below the parent of its folder, or any if
    `allow_outside`.

    Several simulations may step at once, each in a thread; the interpreter's lock is released.
    While one steps, another thread may read its `time` and `steps`; all else raises BusyError.
    """

    def __init__(
        self,
        scene: Union[Dict[str, Any], _Path],
        base_path: Optional[_Path] = None,
        *,
        set: Optional[Dict[str, Any]] = None,
        threads: Optional[int] = None,
        allow_outside: bool = False,
    ) -> None: ...
    def step(self, until: Optional[float] = None) -> StepReport:
        """Takes one step, which ends at `until` [s] at the latest."""
    def advance_to(self, time: float) -> int:
        """Steps to a time [s], on which the last step lands exactly; returns the number of steps.

        Ctrl-C ends it between two steps."""
    def run(
        self,
        out: _Path,
        *,
        overwrite: bool = False,
        on_step: Optional[_OnStep] = None,
        on_frame: Optional[_OnFrame] = None,
    ) -> Run:
        """Runs the scene from its start into a folder, as `sim` does: frames, log, checkpoints.

        `on_step(simulation)` is called before each step, `on_frame(simulation, frame)` after each
        frame; the latter only reads. Ctrl-C, and what they raise, ends the run with a checkpoint. A
        run with `on_step`, forces, or anything set before resumes only by `hashfall.resume`, with
        the same functions. Previews and foam are left to `sim preview` and `sim foam`; a scene with
        `foam` gives a SceneWarning."""
    def on_step(self, function: _OnStep) -> _OnStep:
        """Calls `function(simulation)` before each step from now on; returns the function."""
    def add_force(self, function: _Force) -> _Force:
        """Adds the accelerations [m/s²] that `function(time, positions, velocities)` returns, an
        array of shape (n, 3) or one that broadcasts to it, from now on; returns the function.

        It is called within the step, by the thread that steps. What is not finite ends the step
        with an error that names the function."""
    @property
    def time(self) -> float:
        """Simulated time [s]."""
    @property
    def steps(self) -> int:
        """Steps taken."""
    @property
    def digest(self) -> str:
        """Time, steps, positions and velocities to the bit, as `run.json` has them."""
    def __len__(self) -> int:
        """The number of particles."""
    def frame_time(self, frame: int) -> float:
        """The time of a frame [s]; frame 0 is at t = 0."""
    @property
    def frame_count(self) -> int:
        """The number of the scene's last frame."""
    @property
    def particle_radius(self) -> float:
        """Particle radius [m]; the spacing is twice that."""
    @property
    def fluids(self) -> List[str]:
        """The names of the fluids; `phase` counts them."""
    @property
    def scene(self) -> str:
        """The scene with every default written out."""
    @property
    def positions(self) -> View:
        """Centres of the particles [m], float32 of shape (n, 3)."""
    @property
    def velocities(self) -> View:
        """[m/s], float32 of shape (n, 3)."""
    @property
    def accelerations(self) -> View:
        """[m/s²], float32 of shape (n, 3)."""
    @property
    def density(self) -> View:
        """[kg/m³], float32."""
    @property
    def pressure(self) -> View:
        """[Pa], float32."""
    @property
    def ids(self) -> View:
        """The number of each particle, given once for good, uint32. The order of particles changes
        with each step: they are sorted by cells."""
    @property
    def phase(self) -> View:
        """Which fluid each particle is of, uint8."""
    @property
    def forces(self) -> npt.NDArray[np.float64]:
        """Mean force [N] and torque about the origin [N m] of the fluid in the last step: a row of
        six for the walls together, then for each solid."""
    def take_impulses(self) -> npt.NDArray[np.float64]:
        """What the fluid has given since this was called last: momentum [N s] and angular momentum
        about the origin [N m s], in rows as those of `forces`."""
    @property
    def bodies(self) -> List[Body]:
        """The bodies that move, where they are."""
    def set_body_velocity(
        self, body: int, velocity: _Vector, angular_velocity: _Vector = (0.0, 0.0, 0.0)
    ) -> None:
        """Sets velocity [m/s] and angular velocity [1/s] of a solid of `motion: Driven`, for the
        next steps. Solids count from 1."""
    def move_body(
        self,
        body: int,
        position: _Vector,
        orientation: Sequence[float] = (1.0, 0.0, 0.0, 0.0),
        *,
        time: float,
    ) -> None:
        """Sets the velocities that lead a solid of `motion: Driven` to a position [m] and an
        orientation (quaternion from its place in the scene, the scalar first) at a time [s]; it
        goes on so after that. The way is straight, the turn the shorter one."""
    def set_emitter_speed(self, emitter: int, speed: float) -> None:
        """Sets the speed [m/s] at which fluid leaves an emitter, for the next steps: 1e-6 to 1e4."""
    @property
    def gravity(self) -> List[float]:
        """Gravity [m/s²]; it may be set, each component up to 1e6."""
    @gravity.setter
    def gravity(self, gravity: _Vector) -> None: ...
    def surfaces(self) -> List[Mesh]:
        """The surface of each fluid as it stands, or of all together, as the scene says; none in
        the plane."""

def resume(
    folder: _Path,
    *,
    on_step: Optional[_OnStep] = None,
    on_frame: Optional[_OnFrame] = None,
    forces: Sequence[_Force] = (),
    frames: Optional[int] = None,
    set: Optional[Dict[str, Any]] = None,
    threads: Optional[int] = None,
    allow_outside: bool = False,
) -> Run:
    """Resumes a stopped run; the result is the same as without the stop, if the functions are.

    What was set before the run is no part of it: `on_step` sets it again."""

def surface(
    points: npt.ArrayLike,
    particle_radius: float,
    *,
    support_radius: Optional[float] = None,
    cell: Optional[float] = None,
    iso: Optional[float] = None,
    smoothing: Optional[int] = None,
    anisotropy: Optional[float] = None,
    decimation: Optional[float] = None,
    min_component_volume: Optional[float] = None,
    raw: bool = False,
) -> Mesh:
    """The closed surface around particles at `points` [m], in any order, far from all solids.

    The keys are those of `surface` in a scene. `support_radius` [m] is four radii if it is not
    given."""

def neighbors(
    points: npt.ArrayLike,
    radius: float,
    *,
    structure: str = "SortedCells",
    threads: Optional[int] = None,
) -> Tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
    """For each point, the indices of all others closer than `radius`, ascending.

    Returns offsets and indices: the neighbours of point i are `indices[offsets[i]:offsets[i+1]]`.
    Distances are compared in single precision. `structure` is one of docs/structures.md."""

def read_particles(path: _Path) -> Dict[str, Any]: ...
def read_mesh(path: _Path) -> Dict[str, Any]: ...
def main(args: List[str], program: str) -> int: ...
