"""The examples in docstrings hold: those of the package that is installed, and of the tests' own helpers."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

import karat

MODULES = [module.name for module in pkgutil.walk_packages(karat.__path__, "karat.") if module.name != "karat.__main__"]


@pytest.mark.parametrize("name", [*MODULES, "examples"])
def test_docstring_examples_hold(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_there_are_docstring_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    assert sum(len(test.examples) for name in MODULES for test in finder.find(import_module(name))) >= 6
