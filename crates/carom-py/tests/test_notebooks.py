"""The notebooks run, and the book has the pages that they make. They are skipped where a program that they need is not there."""

from __future__ import annotations

import importlib.util
import runpy
from pathlib import Path
from typing import Any

import pytest

for needed in ("nbclient", "ipykernel", "matplotlib"):
    pytest.importorskip(needed, reason=f"needs {needed}")

NOTEBOOKS = Path(__file__).parents[3] / "notebooks"
RENDER = runpy.run_path(str(NOTEBOOKS / "render.py"))
NAMES = [path.stem for path in RENDER["notebooks"]([])]


def test_every_notebook_has_a_page_in_the_book() -> None:
    assert len(NAMES) == 5
    contents = (NOTEBOOKS.parent / "docs/src/SUMMARY.md").read_text(encoding="utf-8")
    assert [name for name in NAMES if f"(notebooks/{name}.md)" not in contents] == []
    assert sorted(page.stem for page in RENDER["PAGES"].glob("*.md")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs_and_the_book_shows_it(name: str) -> None:
    path = NOTEBOOKS / f"{name}.ipynb"
    if "import mujoco" in path.read_text(encoding="utf-8") and importlib.util.find_spec("mujoco") is None:
        pytest.skip("needs mujoco")
    # An exception in a cell comes with the traceback of the cell.
    differences = RENDER["differences"](RENDER["rendered"](path))
    assert not differences, f"run `python notebooks/render.py {name}`\n{differences}"


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_stored_without_outputs(name: str) -> None:
    cells: list[Any] = RENDER["nbformat"].read(NOTEBOOKS / f"{name}.ipynb", as_version=4).cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in code)
    # Random identifiers would change whenever a program stores the file.
    assert all(cell.id.replace("-", "").isalpha() for cell in cells)


def test_a_figure_that_moved_is_another() -> None:
    alike, made = RENDER["alike"], "<!-- Matplotlib v3.11.2 -->"
    drawn = f'{made}<path id="m0a1b2c3d4e" d="M 1.5 2 L 30 4"/><image href="data:base64,AAAA"/>'
    assert alike(drawn, drawn.replace("1.5", "1.53").replace("m0a1b2c3d4e", "m5a1b2c3d4e").replace("AAAA", "AB"))
    assert not alike(drawn, drawn.replace("1.5", "2.5"))
    assert not alike(drawn, drawn.replace(" L 30 4", " L 30 4 L 31 5"))
    assert alike(drawn, drawn.replace("3.11.2", "3.10.7").replace("1.5", "2.5"))
