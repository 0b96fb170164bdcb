"""The frames of a run as arrays."""

import csv
import json
import math
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Dict, List, Tuple, Union

import numpy as np

from ._hashfall import read_mesh, read_particles

# The formats of particles and surfaces, the first that a frame has is read.
_PARTICLES = ("vtp", "ply", "vtk", "bgeo")
_SURFACES = ("vtp", "ply")
_Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
_MAX_FRAMES = 100_000_000
_NUMBERED = re.compile(r"(.+)_(\d{5,})\.(\w+)$")


class Frame:
    """A frame of a run; its files are read when they are asked for."""

    def __init__(self, number: int, time: float, files: Dict[str, Dict[str, Dict[str, Path]]]):
        #: Its number; 0 is the start.
        self.number = number
        #: Simulated time [s].
        self.time = time
        self._files = files

    @property
    def particles(self) -> Dict[str, Any]:
        """`positions` and each attribute by its name, such as `velocity`, `density`, `id`."""
        files = self._files.get("particles", {}).get("particles", {})
        for kind in _PARTICLES:
            if kind in files:
                arrays = read_particles(files[kind])
                del arrays["time"]
                return arrays
        raise FileNotFoundError(f"frame {self.number} has no particles: see `output` of the scene")

    @property
    def surfaces(self) -> Dict[str, Dict[str, Any]]:
        """Each surface by its name: `vertices`, `triangles`, and attributes such as `velocity`."""
        return self._meshes("surface")

    @property
    def spray(self) -> Dict[str, Dict[str, Any]]:
        """Small drops, if the scene keeps them apart; as `surfaces`."""
        return self._meshes("spray")

    @property
    def elastic(self) -> Dict[str, Dict[str, Any]]:
        """Elastic bodies by their names; as `surfaces`."""
        return self._meshes("elastic")

    def _meshes(self, part: str) -> Dict[str, Dict[str, Any]]:
        meshes = {}
        for name, files in sorted(self._files.get(part, {}).items()):
            kind = next((kind for kind in _SURFACES if kind in files), None)
            if kind is not None:
                arrays = read_mesh(files[kind])
                del arrays["time"]
                meshes[name[len(part) :].lstrip("_")] = arrays
        return meshes

    def __repr__(self) -> str:
        return f"<Frame {self.number} at t = {self.time} s>"


class Frames(Sequence):
    """The frames of a run, in order; those that are written at the time of the call."""

    def __init__(self, folder: "_Path"):
        #: The folder of the run.
        self.folder = Path(os.fsdecode(folder))
        #: The description and progress of the run.
        self.manifest, written, rate = _manifest(self.folder)
        files: List[Dict[str, Dict[str, Dict[str, Path]]]] = [{} for _ in range(written)]
        for part in ("particles", "surface", "spray", "elastic"):
            folder = self.folder / part
            for path in sorted(folder.iterdir()) if folder.is_dir() else ():
                match = _NUMBERED.match(path.name)
                if match and int(match[2]) < written:
                    of_part = files[int(match[2])].setdefault(part, {})
                    of_part.setdefault(match[1], {})[match[3]] = path
        self._frames = [Frame(i, i / rate, of_frame) for i, of_frame in enumerate(files)]

    def __len__(self) -> int:
        return len(self._frames)

    def __getitem__(self, index):
        return self._frames[index]

    @property
    def times(self) -> List[float]:
        """The times of the frames [s]."""
        return [frame.time for frame in self._frames]

    @property
    def log(self) -> Dict[str, Any]:
        """`log.csv`, a row per frame: its columns by their names."""
        return _table(self.folder / "log.csv")

    @property
    def probes(self) -> Dict[str, Any]:
        """`probes.csv`, a row per sample: its columns by their names; none without probes."""
        return _table(self.folder / "probes.csv")

    @property
    def bodies(self) -> Dict[str, Any]:
        """`bodies.csv`, a row per frame and body that moves freely or by a program; likewise."""
        return _table(self.folder / "bodies.csv")

    def __repr__(self) -> str:
        return f"<{len(self)} frames of '{self.folder}'>"


def _manifest(folder: Path) -> Tuple[Dict[str, Any], int, float]:
    """`run.json` of a run, with the number of frames that are written, and their rate [1/s]."""
    path = folder / "run.json"
    if not path.is_file():
        raise FileNotFoundError(f"`{folder}` holds no run: it has no run.json")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        written = manifest["progress"]["frames_written"]
        rate = manifest["scene"]["frame_rate"]
    except (ValueError, RecursionError) as error:
        raise ValueError(f"`{path}` is damaged: {error}") from None
    except (KeyError, TypeError) as error:
        raise ValueError(f"`{path}` is no description of a run: {error!r}") from None
    # A frame takes a file, of which no folder has so many.
    if not (type(written) is int and 0 <= written <= _MAX_FRAMES):
        raise ValueError(f"`{path}` is damaged: {written!r} frames are written")
    if type(rate) not in (int, float) or not 0 < rate < math.inf:
        raise ValueError(f"`{path}` is damaged: the frame rate is {rate!r}")
    return manifest, written, rate


def _table(path: Path) -> Dict[str, Any]:
    """The columns of a table: numbers, nan where there is none, or texts."""
    if not path.is_file():
        return {}
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
    except (csv.Error, UnicodeDecodeError) as error:
        raise ValueError(f"`{path}` is damaged: {error}") from None
    # A run that was killed at its start may leave an empty file.
    if not rows:
        return {}
    header, *rows = rows
    # A run that was killed may leave a part of a row.
    rows = [row for row in rows if len(row) == len(header)]
    return {name: _column([row[k] for row in rows]) for k, name in enumerate(header)}


def _column(texts: List[str]) -> Any:
    try:
        return np.array([float(text or "nan") for text in texts])
    except ValueError:
        return np.array(texts)


def frames(folder: "_Path") -> Frames:
    """The frames of the run in a folder, to iterate, count and index."""
    return Frames(folder)
