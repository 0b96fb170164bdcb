"""Threads that are not Python's main one, the interpreter's end, children, and the collector."""

import gc
import os
import subprocess
import sys
import textwrap
import threading
import weakref

import numpy as np
import pytest

import hashfall

from conftest import DAM


def program(body, limit=60.0):
    """Runs a program with the small dam as `SCENE`; how it ended."""
    text = f"import hashfall, os, sys, threading, time\nSCENE = {DAM!r}\n" + textwrap.dedent(body)
    words = [sys.executable, "-c", text]
    return subprocess.run(words, capture_output=True, text=True, timeout=limit)


@pytest.mark.parametrize(
    "use",
    [
        "s.add_force(lambda t, x, v: (time.sleep(0.05), 0 * v)[1])",
        "s.on_step(lambda s: time.sleep(0.05))",
        "pass",
    ],
)
@pytest.mark.parametrize("work", ["s.advance_to(100)", "s.run(os.devnull + '_', on_frame=print)"])
def test_the_interpreter_may_end_while_a_daemon_thread_steps(use, work, tmp_path):
    work = work.replace("os.devnull + '_'", repr(str(tmp_path / "run")))
    ended = program(
        f"""
        s = hashfall.Simulation(SCENE)
        {use}
        threading.Thread(target=lambda: {work}, daemon=True).start()
        time.sleep(0.4)
        """
    )
    assert ended.returncode == 0, ended.stderr
    assert "Fatal" not in ended.stderr and "panicked" not in ended.stderr


@pytest.mark.parametrize("force", ["self.sim.add_force(lambda t, x, v: 0 * v)", "pass"])
@pytest.mark.parametrize("before", ["self.sim.step()", "pass"])
def test_del_may_step_when_the_interpreter_ends(force, before):
    ended = program(
        f"""
        class Owner:
            def __init__(self):
                self.sim = hashfall.Simulation(SCENE)
                {force}
                {before}
            def __del__(self):
                self.sim.step()
                print("stepped", self.sim.steps, flush=True)
        keep = Owner()
        """
    )
    assert ended.returncode == 0, ended.stderr
    assert "panicked" not in ended.stderr
    # Or why it did not.
    assert "stepped" in ended.stdout or "Error" in ended.stderr, ended


def test_forces_are_called_by_the_thread_that_steps(dam):
    sim, callers = hashfall.Simulation(dam), set()
    sim.add_force(lambda t, x, v: (callers.add(threading.get_ident()), 0 * v)[1])
    callers.clear()
    thread = threading.Thread(target=lambda: sim.advance_to(0.005))
    thread.start()
    ident = thread.ident
    thread.join()
    assert callers == {ident}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize("place", ["add_force", "on_step"])
@pytest.mark.parametrize("work", ["s.step()", "s.run(OUT)"])
def test_a_child_that_a_function_forks_ends_with_an_error(place, work, tmp_path):
    work = work.replace("OUT", repr(str(tmp_path / "run")))
    ended = program(
        f"""
        s = hashfall.Simulation(SCENE)
        parent, children = os.getpid(), []
        armed = False
        def function(*given):
            if armed and not children:
                child = os.fork()
                children.append(child)
            return 0 * given[-1] if len(given) == 3 else None
        s.{place}(function)
        armed = True
        try:
            {work}
        except RuntimeError as error:
            # A new simulation is the child's own.
            steps = hashfall.Simulation(SCENE).step() and 1
            print("child:", error, steps, flush=True)
            os._exit(7)
        if os.getpid() != parent:
            # Between two steps nothing is under way.
            print("child: stepped", s.steps, flush=True)
            os._exit(7)
        code = os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1])
        print("parent:", code, os.getpid() == parent, flush=True)
        """
    )
    assert ended.returncode == 0, ended.stderr
    assert "parent: 7 True" in ended.stdout, ended
    is_between = place == "on_step" and "step" in work
    told = "stepped 1" if is_between else "this process was forked within a step or a run"
    assert f"child: {told}" in ended.stdout, ended
    if "run" in work:
        assert len(hashfall.frames(tmp_path / "run")) == 5


@pytest.mark.parametrize("use", [lambda sim: sim.positions, lambda sim: np.asarray(sim.positions)])
def test_arrays_that_its_own_functions_hold_do_not_keep_a_simulation(dam, use):
    def made():
        sim = hashfall.Simulation(dam, threads=1)
        held = use(sim)
        sim.on_step(lambda _: held)
        sim.add_force(lambda t, x, v: (held, 0 * v)[1])
        return weakref.ref(sim)

    sim = made()
    gc.collect()
    assert sim() is None


def test_arrays_outlive_their_simulation(dam):
    sim = hashfall.Simulation(dam)
    positions, ids = np.asarray(sim.positions), np.asarray(sim.ids)
    expected = positions.copy(), ids.copy()
    weak = weakref.ref(sim)
    del sim
    gc.collect()
    assert weak() is None
    # What may reuse the memory, if it is free.
    others = [hashfall.Simulation(dam) for _ in range(3)]
    assert (positions == expected[0]).all() and (ids == expected[1]).all() and others


@pytest.mark.skipif(os.name == "nt", reason="no such signals")
@pytest.mark.parametrize("name", ["surface", "neighbors"])
def test_ctrl_c_reaches_long_calls(name):
    body = f"""
        import numpy as np, signal
        n = 70
        points = np.stack(np.meshgrid(*[np.arange(n) * 0.1] * 3), -1).reshape(-1, 3)
        calls = dict(
            surface=lambda: hashfall.surface(points, 0.05, cell=0.2),
            neighbors=lambda: hashfall.neighbors(points, 1.2, threads=1),
        )
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        try:
            calls[{name!r}]()
            print("done")
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        print(time.monotonic() - start, flush=True)
        os._exit(0)
        """
    ended = program(body, 120.0)
    what, seconds = ended.stdout.split()
    assert what == "interrupted" and float(seconds) < 2.0, ended
