"""Neighbour lists beside scipy's cKDTree, on the same points in one run.

    python python/benches/neighbors.py [POINTS] [THREADS]
"""

import sys
import time

import numpy as np
from scipy.spatial import cKDTree

import hashfall


def best(function, times=3):
    """The shortest of several runs [s], and the result."""
    spent, result = [], None
    for _ in range(times):
        start = time.perf_counter()
        result = function()
        spent.append(time.perf_counter() - start)
    return min(spent), result


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    threads = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    points = np.random.default_rng(1).random((count, 3), dtype=np.float32)
    # About 40 neighbours each.
    radius = (40 / count / (4 / 3 * np.pi)) ** (1 / 3)
    print(f"{count} points, {threads} threads")
    ours, (offsets, indices) = best(lambda: hashfall.neighbors(points, radius, threads=threads))
    print(f"hashfall.neighbors           {ours:8.3f} s  {len(indices)} neighbours")

    def lists():
        tree = cKDTree(points)
        return tree.query_ball_point(points, radius, workers=threads, return_sorted=True)

    def pairs():
        return cKDTree(points).query_pairs(radius, output_type="ndarray")

    theirs, found = best(lists, 1)
    total = sum(map(len, found)) - count
    print(f"cKDTree.query_ball_point     {theirs:8.3f} s  {total} neighbours")
    theirs, found = best(pairs, 1)
    print(f"cKDTree.query_pairs, 1 thread{theirs:8.3f} s  {2 * len(found)} neighbours")


if __name__ == "__main__":
    main()
