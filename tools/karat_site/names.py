"""Names in the source: where one that stands in a signature is defined, also if it is imported for type checkers."""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Definition:
    """Where a name is defined, and as what: the source of its value if it is an alias, else nothing."""

    module: str
    name: str
    value: str = ""

    @property
    def full_name(self) -> str:
        return f"{self.module}.{self.name}"


@cache
def definition(name: str, module: str) -> Definition | None:
    """The definition of a name that a module of karat uses; None if it is not karat's."""
    if not module.startswith("karat"):
        return None
    for node in _statements(module):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return definition(alias.name, node.module)
        elif isinstance(node, ast.ClassDef) and node.name == name:
            return Definition(module, name)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value and name in _targets(node):
            value = ast.unparse(node.value)
            return None if value.startswith("TypeVar(") else Definition(module, name, value)
    return None


def _targets(node: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [one.id for one in targets if isinstance(one, ast.Name)]


@cache
def _statements(module: str) -> list[ast.stmt]:
    """The statements of a module, those in a block for type checkers too."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    blocks = [node.body for node in tree.body if isinstance(node, ast.If)]
    return [*tree.body, *(one for block in blocks for one in block)]


def loaded(found: Definition) -> object:
    """What is defined there."""
    import_module(found.module)
    return getattr(sys.modules[found.module], found.name)
