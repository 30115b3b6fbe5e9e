"""Pages of the book out of the notebooks.

``python notebooks/render.py`` runs the notebooks and writes their pages below docs/src/notebooks and their figures below
docs/src/figures/notebooks. With ``--check`` it writes nothing, and says where the pages differ. Words limit it to notebooks whose name
they are part of. It needs nbclient, ipykernel, matplotlib, and what the notebooks import.
"""

from __future__ import annotations

import difflib
import os
import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
from nbclient import NotebookClient

HERE = Path(__file__).parent
BOOK = HERE.parent / "docs/src"
PAGES = BOOK / "notebooks"
FIGURES = BOOK / "figures/notebooks"

#: A cell takes no longer, s.
TIMEOUT = 120
#: A figure is not larger, bytes.
LARGEST = 150_000
#: How far a point of a figure may be from where it was, points: other processors round differently, and nobody sees as much.
MOVED = 0.1


@dataclass
class Page:
    """A page of the book and its figures, by their names."""

    name: str
    text: str = ""
    figures: dict[str, bytes] = field(default_factory=dict)


def notebooks(words: list[str]) -> list[Path]:
    """The notebooks, in the order of their names."""
    found = sorted(HERE.glob("*.ipynb"))
    return [path for path in found if not words or any(word in path.stem for word in words)]


def executed(path: Path) -> Any:
    """The notebook with its outputs. An exception in a cell is a ``nbclient.exceptions.CellExecutionError`` with its traceback."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    with tempfile.TemporaryDirectory() as scratch:
        # Nobody's own settings, and the same figures on any day.
        inline = "module://matplotlib_inline.backend_inline"
        environment = {**os.environ, "IPYTHONDIR": scratch, "MPLBACKEND": inline, "SOURCE_DATE_EPOCH": "0"}
        arguments = ["--InlineBackend.figure_formats=svg", "--IPKernelApp.log_level=40"]
        folder = {"metadata": {"path": str(HERE)}}
        client = NotebookClient(notebook, timeout=TIMEOUT, extra_arguments=arguments, coalesce_streams=True, resources=folder)
        client.execute(env=environment)
    return notebook


def rendered(path: Path) -> Page:
    """Runs a notebook and makes its page."""
    page = Page(path.stem)
    blocks = []
    for cell in executed(path).cells:
        blocks.append(f"```python\n{cell.source}\n```" if cell.cell_type == "code" else of_the_book(cell.source))
        if not blocks[1:]:
            blocks.append(f"*Made by `notebooks/render.py` from `notebooks/{path.name}`, which you can open and change; do not edit.*")
        for output in cell.get("outputs", []):
            blocks.append(shown(output, cell, page))
    page.text = "\n\n".join(blocks) + "\n"
    return page


def of_the_book(text: str) -> str:
    """Text whose links lead to pages of the book, as those of a notebook lead to their sources."""
    return text.replace("](../docs/src/", "](../").replace(".ipynb)", ".md)")


def shown(output: Any, cell: Any, page: Page) -> str:
    """One output of a cell as Markdown."""
    if output.output_type == "stream":
        if output.name == "stderr":
            raise RuntimeError(f"{page.name}, cell {cell.id}: a cell of a notebook writes no warnings:\n{output.text}")
        return f"```text\n{output.text.rstrip()}\n```"
    drawing = output.data.get("image/svg+xml")
    if drawing is None:
        return f"```text\n{output.data['text/plain'].rstrip()}\n```"
    name = f"{page.name}-{cell.id}.svg"
    if name in page.figures:
        raise RuntimeError(f"{page.name}, cell {cell.id}: a cell draws one figure")
    page.figures[name] = "\n".join(line.rstrip() for line in drawing.splitlines()).encode() + b"\n"
    if len(page.figures[name]) > LARGEST:
        raise RuntimeError(f"{name} has {len(page.figures[name])} bytes; expected at most {LARGEST}")
    return f"![{cell.metadata['alt']}](../figures/notebooks/{name})"


def write(page: Page) -> None:
    """Writes the page and its figures in place of older ones."""
    FIGURES.mkdir(parents=True, exist_ok=True)
    PAGES.mkdir(exist_ok=True)
    for old in FIGURES.glob(f"{page.name}-*.svg"):
        old.unlink()
    for name, drawing in page.figures.items():
        (FIGURES / name).write_bytes(drawing)
    (PAGES / f"{page.name}.md").write_text(page.text, encoding="utf-8", newline="\n")


def differences(page: Page) -> str:
    """Where the book differs from the notebook; empty if nowhere. Figures of another matplotlib need only be there."""
    path = PAGES / f"{page.name}.md"
    written = path.read_text(encoding="utf-8") if path.exists() else ""
    names = (path.relative_to(HERE.parent).as_posix(), "the notebook")
    found = list(difflib.unified_diff(written.splitlines(), page.text.splitlines(), *names, lineterm=""))
    there = {old.name for old in FIGURES.glob(f"{page.name}-*.svg")}
    found += [f"{name} is of no cell" for name in sorted(there - set(page.figures))]
    for name, drawing in page.figures.items():
        if name not in there:
            found.append(f"{name} is missing")
        elif not alike((FIGURES / name).read_text(encoding="utf-8"), drawing.decode()):
            found.append(f"{name} is another figure")
    return "\n".join(found)


def alike(old: str, new: str) -> bool:
    """Whether two figures show the same, as far as this can be said."""
    makers = [re.findall(r"Matplotlib v[\d.]+", drawing) for drawing in (old, new)]
    if makers[0] != makers[1]:
        return True
    # Names of parts are digests of numbers, and pictures of many points are pixels.
    bare = [re.sub(r'"[^"]*base64[^"]*"|#?\b[mpC]?[0-9a-z]*[0-9a-f]{9,}\b', "", drawing) for drawing in (old, new)]
    number = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
    if re.sub(number, "", bare[0]) != re.sub(number, "", bare[1]):
        return False
    values = [np.array(re.findall(number, drawing), dtype=float) for drawing in bare]
    return bool(np.all(np.abs(values[0] - values[1]) <= MOVED))


def main(arguments: list[str]) -> int:
    """Writes or checks the pages; the exit code."""
    check = "--check" in arguments
    failed = False
    for path in notebooks([word for word in arguments if word != "--check"]):
        page = rendered(path)
        if not check:
            write(page)
        elif found := differences(page):
            failed = True
            print(f"{path.name}: the book differs; `python notebooks/render.py` writes it\n{found}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
