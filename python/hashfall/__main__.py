"""The program `sim`: `python -m hashfall` and the installed script."""

import os
import signal
import sys

from ._hashfall import main as _main


def _program() -> str:
    """The installed script, which sweeps start for their points."""
    name = "sim.exe" if os.name == "nt" else "sim"
    if os.path.basename(sys.argv[0]) == name and os.path.isfile(sys.argv[0]):
        return os.path.abspath(sys.argv[0])
    return os.path.join(os.path.dirname(sys.executable), name)


def main() -> None:
    """Runs `sim` with the arguments of the command line."""
    # The program handles it by itself: a run ends with a checkpoint.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_main(["sim", *sys.argv[1:]], _program()))


if __name__ == "__main__":
    main()
