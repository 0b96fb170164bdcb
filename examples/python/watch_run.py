"""Runs a scene, shows how it goes, and stops it cleanly at a simulated time.

    python examples/python/watch_run.py scenes/dam_break.ron --until 0.5
    python examples/python/watch_run.py scenes/dam_break.ron --set particle_radius=0.03

Options that it does not know go to `sim`. Needs nothing but Python and `sim`; docs/scripting.md
lists the events.
"""

import argparse
import json
import signal
import subprocess
import sys


def events(process):
    """Each event of a run, as it happens."""
    for line in process.stdout:
        yield json.loads(line)


def show(event):
    """Writes a line over the last one."""
    bar = "#" * round(30 * event["progress"])
    print(
        f"\r[{bar:<30}] frame {event['frame']}/{event['frames']}"
        f"  t = {event['time']:.3f} s  {event['wall']:.1f} s passed",
        end="",
        flush=True,
    )


def watch(process, until):
    """Shows a run to its end, asks it to stop after the simulated time `until`; the last event."""
    is_asked = False
    for event in events(process):
        match event["event"]:
            case "start":
                print(f"{event['particles']} particles to {event['folder']}")
            case "frame" | "step":
                show(event)
                if not is_asked and event["time"] >= until:
                    # The run finishes its step and writes a checkpoint: `sim resume` goes on.
                    process.send_signal(signal.SIGINT)
                    is_asked = True
            case "error" | "warning":
                place = f"{event['file']}:{event['line']}: " if event["file"] else ""
                print(f"\n{event['event']}: {place}{event['message']}")
            case "end":
                return event
    # A second Ctrl-C, or a kill, ends the program without a word.
    return None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("scene", help="scene to run")
    parser.add_argument("--sim", default="sim", help="the program")
    parser.add_argument(
        "--until", type=float, default=float("inf"), help="simulated time to stop at, s"
    )
    args, options = parser.parse_known_args()

    command = [args.sim, args.scene, "--log", "json", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        end = watch(process, args.until)
    if end is None:
        sys.exit(f"\n{args.sim} was ended from outside")
    print(f"\n{end['status']}: {end['frames']} frames, {end['steps']} steps, {end['wall']:.1f} s")
    sys.exit(end["exit_code"])


if __name__ == "__main__":
    main()
