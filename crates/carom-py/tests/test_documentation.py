"""The examples of the docstrings are run, and every public name has a docstring and a type."""

from __future__ import annotations

import doctest
import importlib.util
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import carom

ROOT = Path(__file__).parents[3]
OTHERS = ("mujoco", "pinocchio", "polars", "pyarrow", "matplotlib", "pandas", "duckdb")
MODULES = {"carom": carom, "carom.design": carom.design, "carom.elastic": carom.elastic}
NAMES = [(module, name) for module, of in MODULES.items() for name in of.__all__ if callable(getattr(of, name))]


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_docstrings(module: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    thing = getattr(MODULES[module], name)
    text = inspect.getdoc(thing)
    assert text
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    if inspect.isroutine(thing):
        assert test.examples, "every function shows an example"
    assert doctest.DocTestRunner().run(test).failed == 0


def run(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_types(tmp_path: Path) -> None:
    cache, tests = f"--cache-dir={tmp_path}", sorted(Path(__file__).parent.glob("*.py"))
    run("mypy", "--strict", cache, "--package", "carom")
    run("mypy", "--strict", cache, *map(str, tests))


def test_stubs() -> None:
    run("mypy.stubtest", "carom", "--ignore-disjoint-bases")


@pytest.mark.parametrize("document", ["README.md", "docs/src/howto/python.md", "crates/carom-py/README.md"])
def test_documents(document: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = (ROOT / document).read_text(encoding="utf-8")
    fence = "\n```python\n"
    assert fence in text
    names: dict[str, object] = {}
    end = 0
    while (start := text.find(fence, end)) != -1:
        end = text.index("\n```\n", start + len(fence))
        # With the lines before it, so that a failure has the line of the document.
        block = "\n" * text.count("\n", 0, start + len(fence)) + text[start + len(fence) : end]
        needed = [name for name in OTHERS if f"import {name}\n" in block or f"import {name}." in block]
        if all(importlib.util.find_spec(name) for name in needed):
            exec(compile(block, document, "exec"), names)
