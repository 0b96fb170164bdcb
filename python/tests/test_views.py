"""Views of the state: no copy, read-only, stale after a step, and never dangling."""

import gc
import multiprocessing
import os
import threading
import weakref

import numpy as np
import pytest

import hashfall

NAMES = ["positions", "velocities", "accelerations", "density", "pressure", "ids", "phase"]


def test_a_view_is_no_copy(dam):
    sim = hashfall.Simulation(dam)
    for name in NAMES:
        first, second = (np.asarray(getattr(sim, name)) for _ in range(2))
        assert first.ctypes.data == second.ctypes.data
        assert len(first) == len(sim) and not first.flags.owndata
    assert sim.positions.shape == (len(sim), 3) and sim.positions.dtype == np.float32
    assert sim.ids.dtype == np.uint32 and sorted(sim.ids) == list(range(len(sim)))
    assert sim.density.mean() == pytest.approx(1000, rel=0.2)
    assert np.linalg.norm(sim.velocities, axis=1).max() == 0.0
    assert np.asarray(sim.positions, dtype=np.float64).dtype == np.float64


def test_views_compute_as_arrays_do(dam):
    sim = hashfall.Simulation(dam)
    sim.advance_to(0.02)
    x, v = np.asarray(sim.positions), np.asarray(sim.velocities)
    shown, expected = sim.positions, x
    dt = np.float32(0.5)
    pairs = [
        (shown + dt * sim.velocities, expected + dt * v),
        (2 * shown - sim.velocities, 2 * x - v),
        (1 - shown, 1 - x),
        (shown / 2, x / 2),
        (1 / (1 + shown), 1 / (1 + x)),
        (shown**2, x**2),
        (abs(-shown), abs(-x)),
        (shown @ np.eye(3), x @ np.eye(3)),
        (v * shown, v * x),
        (shown > sim.velocities, x > v),
        (shown == x, x == x),
        (shown // 0.1, x // 0.1),
        (shown % 0.1, x % 0.1),
        (1 // (1 + shown), 1 // (1 + x)),
        (1 % (1 + shown), 1 % (1 + x)),
        (divmod(shown, 0.1)[1], divmod(x, 0.1)[1]),
        (divmod(1, 1 + shown)[0], divmod(1, 1 + x)[0]),
        (2**shown, 2**x),
        (+shown, x),
    ]
    ids, numbers = sim.ids, np.asarray(sim.ids)
    pairs += [
        (ids % 2, numbers % 2),
        (ids & 1, numbers & 1),
        (1 & ids, 1 & numbers),
        (ids | 1, numbers | 1),
        (1 | ids, 1 | numbers),
        (ids ^ 3, numbers ^ 3),
        (3 ^ ids, 3 ^ numbers),
        (~ids, ~numbers),
        (ids << 2, numbers << 2),
        (ids >> 1, numbers >> 1),
        (1 << (ids % 8), 1 << (numbers % 8)),
        (1024 >> (ids % 8), 1024 >> (numbers % 8)),
    ]
    assert 3 in ids and 10**6 not in ids
    with pytest.raises(ValueError, match="ambiguous"):
        bool(ids)
    for found, wanted in pairs:
        assert isinstance(found, np.ndarray) and np.array_equal(found, wanted)
    sim.step()
    with pytest.raises(hashfall.StaleViewError):
        shown * 2


def test_a_view_is_read_only(dam):
    sim = hashfall.Simulation(dam)
    for name in NAMES:
        array = np.asarray(getattr(sim, name))
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
        with pytest.raises(ValueError):
            array.flags.writeable = True


def test_a_view_raises_after_a_step(dam):
    sim = hashfall.Simulation(dam)
    view = sim.positions
    assert not view.is_stale and len(view) == len(sim)
    sim.step()
    assert view.is_stale and "stale" in repr(view)
    uses = [len, np.asarray, lambda v: v[0], list, lambda v: v.shape, lambda v: v.copy()]
    for use in uses:
        with pytest.raises(hashfall.StaleViewError, match="simulation.positions"):
            use(view)
    assert len(sim.positions) == len(sim)


def test_arrays_of_a_view_keep_the_old_state(dam):
    sim, alone = hashfall.Simulation(dam), hashfall.Simulation(dam)
    sim.advance_to(0.01)
    alone.advance_to(0.01)
    kept = {name: np.asarray(getattr(sim, name)) for name in NAMES}
    tops = kept["positions"][::7, 2]
    before = {name: array.copy() for name, array in kept.items()}
    sim.advance_to(0.03)
    gc.collect()
    for name in NAMES:
        assert np.array_equal(kept[name], before[name]), name
    assert np.array_equal(tops, before["positions"][::7, 2])
    assert not np.array_equal(np.asarray(sim.positions), kept["positions"])
    # That somebody holds arrays changes nothing.
    alone.advance_to(0.03)
    assert alone.digest == sim.digest


def test_arrays_outlive_the_simulation(dam):
    sim = hashfall.Simulation(dam)
    sim.step()
    array, view = np.asarray(sim.positions), sim.velocities
    before, gone = array.copy(), weakref.ref(sim)
    del sim
    gc.collect()
    # The array and the view hold it, as its state is theirs.
    assert gone() is not None and np.array_equal(array, before)
    gone().step()
    del view
    gc.collect()
    # After a step the array has its own memory.
    assert gone() is None and np.array_equal(array, before)


def test_many_arrays_hold_no_worlds(dam):
    arrays, worlds = [], []
    for _ in range(3):
        sim = hashfall.Simulation(dam)
        arrays.append(np.asarray(sim.positions))
        sim.step()
        worlds.append(weakref.ref(sim))
    del sim
    gc.collect()
    assert all(world() is None for world in worlds)
    assert all(np.isfinite(array).all() for array in arrays)


def test_functions_that_hold_their_simulation_are_collected(dam):
    sim = hashfall.Simulation(dam)
    gone = weakref.ref(sim)

    @sim.on_step
    def watch(_):
        assert sim.time >= 0

    @sim.add_force
    def wind(time, positions, velocities):
        return [0.0, 0.0, -sim.time]

    sim.step()
    assert gc.is_tracked(sim)
    del sim, watch, wind
    gc.collect()
    assert gone() is None


def test_a_function_that_holds_a_view_is_collected(dam):
    sim = hashfall.Simulation(dam)
    gone, view = weakref.ref(sim), sim.positions
    sim.on_step(lambda _, view=view: view.is_stale)
    assert gc.is_tracked(view)
    del sim, view
    gc.collect()
    assert gone() is None


def test_threads_read_while_another_steps(dam):
    """Views in threads give whole arrays of one state, or raise; nothing crashes."""
    sim = hashfall.Simulation(dam, threads=2)
    done, wrong, counts = threading.Event(), [], {"read": 0, "raised": 0}

    def read():
        while not done.is_set():
            try:
                view = sim.positions
                array = np.asarray(view)
                if array.shape != (250, 3) or not np.isfinite(array).all():
                    wrong.append(array)
                counts["read"] += 1
            except (hashfall.BusyError, hashfall.StaleViewError):
                counts["raised"] += 1
            assert sim.time >= 0.0 and sim.steps >= 0

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    sim.advance_to(0.1)
    done.set()
    for thread in threads:
        thread.join()
    assert not wrong and sum(counts.values()) > 0
    alone = hashfall.Simulation(dam)
    alone.advance_to(0.1)
    assert sim.digest == alone.digest


def test_two_threads_cannot_step_one_simulation(dam):
    sim = hashfall.Simulation(dam)
    begun, may_go_on = threading.Event(), threading.Event()

    @sim.on_step
    def hold(_):
        begun.set()
        assert may_go_on.wait(timeout=60)

    thread = threading.Thread(target=sim.advance_to, args=(0.05,))
    thread.start()
    try:
        assert begun.wait(timeout=60)
        for step in [sim.step, lambda: sim.advance_to(0.2)]:
            with pytest.raises(hashfall.BusyError):
                step()
    finally:
        may_go_on.set()
        thread.join()
    assert sim.time == 0.05


def test_simulations_step_at_once_in_threads(dam):
    sims = [hashfall.Simulation(dam, threads=2) for _ in range(4)]
    threads = [threading.Thread(target=sim.advance_to, args=(0.05,)) for sim in sims]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({sim.digest for sim in sims}) == 1


def test_the_interpreter_goes_on_during_steps(dam):
    sim = hashfall.Simulation(dam, set={"particle_radius": 0.012})
    done = threading.Event()

    def step():
        sim.advance_to(0.2)
        done.set()

    thread = threading.Thread(target=step)
    thread.start()
    turns = 0
    while not done.is_set():
        turns += 1
    thread.join()
    # With the lock held, none but the first would come before the end.
    assert turns > 1000


def test_deleting_a_simulation_that_steps(dam):
    sim = hashfall.Simulation(dam)
    thread = threading.Thread(target=sim.advance_to, args=(0.1,))
    thread.start()
    del sim
    gc.collect()
    thread.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*")
def test_a_forked_process_steps_on_its_own(dam):
    sim = hashfall.Simulation(dam, threads=2)
    sim.advance_to(0.01)
    queue = multiprocessing.get_context("fork").Queue()

    def child():
        sim.advance_to(0.02)
        fresh = hashfall.Simulation(dam)
        fresh.advance_to(0.01)
        queue.put((sim.digest, fresh.time))

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    digest, time = queue.get(timeout=60)
    process.join()
    sim.advance_to(0.02)
    assert (digest, time, process.exitcode) == (sim.digest, 0.01, 0)
