#!/usr/bin/env python3
"""Keeps costs from growing unseen: `guard.py SIM`, with `SIM` a release build.

Counts the instructions of short runs of `SIM` by valgrind's callgrind, at two sizes each: of a step
of a dam break, of a fluid among spheres, of a heap of free bodies and of elastic bodies in contact;
of a finished surface, of `sim check` and of packing. Takes the peak memory of the same runs without
valgrind, and the size of the program without symbols. Fails if anything is more than 5 % above
`table.csv`, and says what is more than 5 % below. With `--update` it writes the table anew; the
commit that does so says why.

Counts depend neither on the CPU nor on what else runs: one thread, the loops of AVX2 (valgrind
knows no AVX-512), the numbers of steps in `cases.py`. Two runs differ by at most 0.5 %, as growing
memory moves or stays, and by 0.1 % elsewhere; their peaks of memory by 1.5 %. Another rustc gives
other counts: the first line of the table names the one that it was made with. Takes three minutes
of one core, on Linux, x86-64, with valgrind, GNU time and strip.
"""

import argparse
import pathlib
import sys
import unittest

import cases
import measure
import table

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE / "table.csv"


def arguments():
    as_written = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=as_written)
    parser.add_argument("sim", nargs="?", type=pathlib.Path, help="program to measure")
    parser.add_argument("--update", action="store_true", help="write the table anew")
    parser.add_argument("--only", metavar="CASE", action="append",
                        help="this case alone; may be repeated")
    parser.add_argument("--profiles", metavar="DIR", type=pathlib.Path,
                        help="keep callgrind's profiles here, for `callgrind_annotate`")
    parser.add_argument("--self-test", action="store_true", help="test the comparison and end")
    given = parser.parse_args()
    if not (given.sim or given.self_test):
        parser.error("give a program to measure")
    if given.update and given.only:
        parser.error("the table is written as a whole: --update takes no --only")
    return given


def self_test():
    """Whether the comparison does as it should."""
    suite = unittest.defaultTestLoader.discover(str(HERE), pattern="test_*.py")
    return unittest.TextTestRunner(verbosity=0).run(suite).wasSuccessful()


def measured(sim, only, profiles):
    """Values by case, size and quantity."""
    if profiles:
        profiles.mkdir(parents=True, exist_ok=True)
    measure.disable_huge_pages()
    values = {}
    for case in cases.all_cases():
        if only and case.name not in only:
            continue
        print(f"{case.name}, {case.size}", file=sys.stderr, flush=True)
        count, peak = measure.cost(sim, case, profiles)
        values[case.name, case.size, "instructions"] = count
        values[case.name, case.size, "peak_memory_kib"] = peak
    if not only or "sim" in only:
        values["sim", "stripped", "bytes"] = measure.stripped_size(sim)
    return values


def judge(values, only):
    """Prints the comparison; whether it passes."""
    listed, tools = table.read(TABLE) if TABLE.exists() else ({}, "")
    if only:
        listed = {key: value for key, value in listed.items() if key[0] in only}
    rows = table.compare(values, listed)
    print(table.render(rows))
    verdicts = {row.verdict for row in rows}
    if "below" in verdicts:
        print("more than 5 % below the table: please write it anew, "
              "`benches/guard/guard.py SIM --update`")
    failed = [row for row in rows if row.fails]
    if failed:
        print(f"failed: {len(failed)} of {len(rows)} values; where a rise is meant, "
              "`benches/guard/guard.py SIM --update` in the commit that says why")
        if tools != measure.tools():
            print(f"the table is of {tools}; here are {measure.tools()}")
    return not failed


def main():
    given = arguments()
    if not self_test():
        return 1
    if given.self_test:
        return 0
    try:
        values = measured(given.sim.resolve(), given.only, given.profiles)
    except (measure.Failure, OSError) as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    if not given.update:
        return 0 if judge(values, given.only) else 1
    judge(values, given.only)
    table.write(TABLE, values, measure.tools())
    print(f"wrote {TABLE}; the commit must say why")
    return 0


if __name__ == "__main__":
    sys.exit(main())
