"""Each notebook runs from its first cell to its last."""

from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    client = nbclient.NotebookClient(notebook, timeout=120, resources=resources)
    client.execute()
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", [])]
    assert outputs and not any(out["output_type"] == "error" for out in outputs)
    if path.stem == "dam_break":
        assert any("image/png" in out.get("data", {}) for out in outputs)


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 3
