"""Print every string that a user may read, file by file, to be read through as an editor would.

`python tools/user_strings.py` lists help, messages, notes, titles and verdicts: the texts of several words in the
source, without docstrings, but with those of commands, which are their help.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src" / "karat"


def user_strings(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the text of each string with a space in it; what is put in is shown as {…}."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    hidden: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node, clean=False):
            is_help = isinstance(node, ast.FunctionDef) and any(
                "command" in ast.unparse(one) for one in node.decorator_list
            )
            if not is_help:
                hidden.add(id(node.body[0].value))  # type: ignore[attr-defined]
        if isinstance(node, ast.JoinedStr):
            hidden |= {id(one) for one in node.values}
    for node in ast.walk(tree):
        text = ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        elif isinstance(node, ast.JoinedStr):
            text = "".join(one.value if isinstance(one, ast.Constant) else "{…}" for one in node.values)  # type: ignore[misc]
        if id(node) not in hidden and " " in text.strip():
            yield node.lineno, text  # type: ignore[attr-defined]


def every_user_string() -> Iterator[tuple[str, int, str]]:
    """Path, line and text of all of them."""
    for path in sorted(SOURCE.rglob("*.py")):
        for line, text in sorted(user_strings(path)):
            yield str(path.relative_to(SOURCE)), line, text


if __name__ == "__main__":
    for name, number, said in every_user_string():
        print(f"{name}:{number}: {said}")
