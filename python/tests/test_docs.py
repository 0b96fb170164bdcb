"""The code of docs/python.md runs as it stands there, but for fewer frames."""

import re
from pathlib import Path

import hashfall

PAGE = Path(__file__).parents[2] / "docs/python.md"


def test_the_code_of_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 3
    names = {"f": lambda sim: None}
    for block in blocks:
        short = 'Simulation("dam_break", set={"frames.count": 2})'
        exec(block.replace('Simulation("dam_break")', short), names)
    assert len(hashfall.frames("out/dam")) == 3
