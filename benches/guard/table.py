"""The table of `guard.py`: read, written, and compared with what was measured."""

import csv
import dataclasses

# Above by more than this is a failure, below by more a reason to write the table anew.
TOLERANCE = 0.05

QUANTITIES = ("instructions", "peak_memory_kib", "bytes")
COLUMNS = ("case", "size", *QUANTITIES)


@dataclasses.dataclass(frozen=True)
class Row:
    """A quantity of a case beside the table: either may be missing."""

    case: str
    size: str
    quantity: str
    measured: int | None
    listed: int | None

    @property
    def ratio(self):
        """Measured over listed; None where one is missing."""
        if self.measured is None or self.listed is None:
            return None
        return self.measured / self.listed

    @property
    def verdict(self):
        """What is wrong with it; empty if nothing is."""
        if self.measured is None:
            return "not measured"
        if self.listed is None:
            return "not in the table"
        if self.ratio > 1 + TOLERANCE:
            return "above"
        return "below" if self.ratio < 1 - TOLERANCE else ""

    @property
    def fails(self):
        """Whether the guard fails for it."""
        return self.verdict not in ("", "below")


def read(path):
    """Values by case, size and quantity, and the tools that they were counted with."""
    with open(path, newline="", encoding="utf-8") as file:
        tools = file.readline().removeprefix("# ").rstrip("\n")
        rows = list(csv.DictReader(file))
    values = {
        (row["case"], row["size"], quantity): int(row[quantity])
        for row in rows for quantity in QUANTITIES if row[quantity]
    }
    return values, tools


def write(path, values, tools):
    """Writes values as `read` reads them, a case and size a line."""
    cases = dict.fromkeys((case, size) for case, size, _ in values)
    with open(path, "w", newline="", encoding="utf-8") as file:
        file.write(f"# {tools}\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for case, size in cases:
            of_case = (values.get((case, size, quantity), "") for quantity in QUANTITIES)
            writer.writerow((case, size, *of_case))


def compare(measured, listed):
    """A row for each value of either, those that are measured first."""
    keys = dict.fromkeys([*measured, *listed])
    return [Row(*key, measured.get(key), listed.get(key)) for key in keys]


def render(rows):
    """The rows as text, in columns."""
    head = ("case", "size", "quantity", "measured", "table", "ratio", "")
    lines = [head]
    for row in rows:
        numbers = ["–" if value is None else f"{value:,}" for value in (row.measured, row.listed)]
        ratio = "–" if row.ratio is None else f"{row.ratio:.4f}"
        lines.append((row.case, row.size, row.quantity, *numbers, ratio, row.verdict))
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join(aligned(line, widths) for line in lines)


def aligned(line, widths):
    """Text to the left of its column, numbers and the verdict to the right."""
    texts = [cell.ljust(width) for cell, width in zip(line[:3], widths[:3])]
    numbers = [cell.rjust(width) for cell, width in zip(line[3:], widths[3:])]
    return "  ".join(texts + numbers).rstrip()
