"""The program `sim`: `python -m hashfall` and the installed script."""

import os
import shutil
import signal
import sys
import sysconfig

from ._hashfall import main as _main


def _program() -> str:
    """The installed script, which sweeps start for their points."""
    name = "sim.exe" if os.name == "nt" else "sim"
    if os.path.basename(sys.argv[0]) == name and os.path.isfile(sys.argv[0]):
        return os.path.abspath(sys.argv[0])
    folders = [sysconfig.get_path("scripts"), os.path.dirname(sys.executable)]
    # Where `pip install --user` puts scripts.
    user = f"{os.name}_user"
    if user in sysconfig.get_scheme_names():
        folders.insert(1, sysconfig.get_path("scripts", user))
    paths = [os.path.join(folder, name) for folder in folders]
    found = next((path for path in paths if os.path.isfile(path)), None)
    return found or shutil.which("sim") or paths[0]


def main() -> None:
    """Runs `sim` with the arguments of the command line."""
    # The program handles it by itself: a run ends with a checkpoint.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_main(["sim", *sys.argv[1:]], _program()))


if __name__ == "__main__":
    main()
