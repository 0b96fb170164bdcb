"""Tests of the comparison with the table: `guard.py --self-test`."""

import pathlib
import tempfile
import unittest

import table

DAM = ("dam", "24389 particles", "instructions")
SIM = ("sim", "stripped", "bytes")


def verdict(measured, listed):
    (row,) = table.compare({DAM: measured}, {DAM: listed})
    return row.verdict, row.fails


class Comparison(unittest.TestCase):
    def test_only_a_rise_of_more_than_5_percent_fails(self):
        self.assertEqual(verdict(1000, 1000), ("", False))
        self.assertEqual(verdict(1050, 1000), ("", False))
        self.assertEqual(verdict(1051, 1000), ("above", True))
        self.assertEqual(verdict(10_000, 1000), ("above", True))

    def test_a_fall_of_more_than_5_percent_is_told_and_passes(self):
        self.assertEqual(verdict(950, 1000), ("", False))
        self.assertEqual(verdict(949, 1000), ("below", False))

    def test_a_case_without_a_listed_value_fails(self):
        (row,) = table.compare({DAM: 1000}, {})
        self.assertEqual((row.verdict, row.fails, row.ratio), ("not in the table", True, None))

    def test_a_listed_value_without_a_measured_one_fails(self):
        (row,) = table.compare({}, {DAM: 1000})
        self.assertEqual((row.verdict, row.fails, row.ratio), ("not measured", True, None))

    def test_values_are_compared_with_those_of_the_same_size(self):
        other = ("dam", "5832 particles", "instructions")
        rows = table.compare({DAM: 2000, other: 1000}, {other: 1000, DAM: 2000})
        self.assertEqual([row.verdict for row in rows], ["", ""])


class File(unittest.TestCase):
    def test_a_table_is_read_as_it_was_written(self):
        values = {DAM: 123_456_789_012, (*DAM[:2], "peak_memory_kib"): 46_000, SIM: 24_500_000}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "table.csv"
            table.write(path, values, "rustc 1.95.0, valgrind-3.19.0")
            self.assertEqual(table.read(path), (values, "rustc 1.95.0, valgrind-3.19.0"))
            lines = path.read_text().splitlines()
        self.assertEqual(lines[1], "case,size,instructions,peak_memory_kib,bytes")
        self.assertEqual(lines[2], "dam,24389 particles,123456789012,46000,")
        self.assertEqual(lines[3], "sim,stripped,,,24500000")


class Text(unittest.TestCase):
    def test_columns_line_up_and_verdicts_stand_at_the_end(self):
        text = table.render(table.compare({DAM: 1_100, SIM: 5}, {DAM: 1_000}))
        head, dam, sim = text.splitlines()
        self.assertTrue(dam.endswith("1.1000             above"), dam)
        self.assertTrue(sim.endswith("not in the table"), sim)
        self.assertEqual(head.index("measured") + 8, dam.index("1,100") + 5)


if __name__ == "__main__":
    unittest.main()
