"""Signatures as the reference shows them: types by their full names, so that they become links."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from karat_site.names import Definition, definition

_ENDLESS = ("<", "functools.", "array(")  # of defaults that are no source


class Types:
    """The names of types in signatures: those of karat become full names and are kept, to be explained."""

    def __init__(self, public: Mapping[str, str]) -> None:
        self.public = public  # full names by where what is public is defined
        self.used: dict[str, Definition] = {}
        self.is_complete = False  # whether those that are not in `used` by now stay as they are written

    def named(self, annotation: str, module: str) -> str:
        """A type as it is written in a module, its names in full."""
        try:
            tree = ast.parse(annotation, mode="eval")
        except SyntaxError:
            return annotation
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
                continue
            if isinstance(node, ast.Name):
                node.id = self._full_name(node.id, module)
        return ast.unparse(tree)

    def _full_name(self, name: str, module: str) -> str:
        found = definition(name, module)
        if found is None or found.name.startswith("_"):
            return name
        if found.full_name in self.public:
            return self.public[found.full_name]
        if self.is_complete and found.full_name not in self.used:
            return name
        self.used[found.full_name] = found
        return found.full_name

    def signature(self, of: Callable[..., Any], *, is_method: bool = False) -> str:
        """The parameters and what comes back, as in `(a: int, *, b: str = 'x') -> karat.Scores`."""
        try:
            found = inspect.signature(of)
        except ValueError:  # of an exception that states none
            return "()"
        module = getattr(of, "__module__", "")
        parameters = list(found.parameters.values())[1 if is_method else 0 :]
        shown = inspect.Signature([one.replace(annotation=inspect.Parameter.empty) for one in parameters])
        texts = {one.name: self._parameter(one, module) for one in parameters}
        parts = [texts.get(part, part) for part in _parts_of(shown)]
        back = found.return_annotation
        is_class = isinstance(of, type)
        arrow = "" if back is inspect.Signature.empty or is_class else f" -> {self.named(text_of(back), module)}"
        return f"({', '.join(parts)}){arrow}"

    def _parameter(self, one: inspect.Parameter, module: str) -> str:
        star = "*" if one.kind is one.VAR_POSITIONAL else "**" if one.kind is one.VAR_KEYWORD else ""
        has_type = one.annotation is not one.empty
        text = star + one.name + (f": {self.named(text_of(one.annotation), module)}" if has_type else "")
        return text if one.default is one.empty else f"{text} = {default_of(one.default)}"


def _parts_of(signature: inspect.Signature) -> list[str]:
    """The names of parameters, and the marks `/` and `*` between them."""
    parts: list[str] = []
    previous: Any = None
    for one in signature.parameters.values():
        if previous is one.POSITIONAL_ONLY and one.kind is not one.POSITIONAL_ONLY:
            parts.append("/")
        if one.kind is one.KEYWORD_ONLY and previous not in (one.KEYWORD_ONLY, one.VAR_POSITIONAL):
            parts.append("*")
        parts.append(one.name)
        previous = one.kind
    return [*parts, "/"] if previous is inspect.Parameter.POSITIONAL_ONLY else parts


def text_of(annotation: Any) -> str:
    """A type as text."""
    if isinstance(annotation, str):
        return annotation
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def default_of(value: Any) -> str:
    """A default as source; `…` for what has none."""
    text = repr(value)
    return "..." if text.startswith(_ENDLESS) else text
