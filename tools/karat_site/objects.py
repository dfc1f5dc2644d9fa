"""Entries of the library's reference: a function, a class with its fields and methods, a type, a value."""

from __future__ import annotations

import inspect
from collections.abc import Container, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cached_property
from typing import Any

from karat.result import Result
from karat_site.docstrings import shown
from karat_site.markdown import code, directive, escaped, table
from karat_site.names import Definition, loaded
from karat_site.signatures import Types, default_of, text_of

_UNLISTED = ":no-contents-entry:"  # else each page's table of contents, and the time to build it, would grow tenfold


class Entries:
    """Makes entries; `names` are the full names that docstrings link to."""

    def __init__(self, types: Types, names: Container[str]) -> None:
        self.types = types
        self.names = names

    def every(self, values: Mapping[str, Any]) -> list[str]:
        """The entries of all names, functions first."""
        names = sorted(values, key=lambda name: (isinstance(values[name], type), name))
        return [self.entry(name, values[name]) for name in names]

    def entry(self, name: str, value: Any) -> str:
        """The entry of a name: what is shown depends on what it is."""
        if isinstance(value, type):
            return self.class_entry(name, value)
        if (callable(value) and hasattr(value, "__code__")) or inspect.isfunction(inspect.unwrap(value)):
            return directive("py:function", self._docstring(value), name + self.types.signature(value))
        return directive("py:data", _short(value), name)

    def alias(self, found: Definition) -> str:
        """The entry of a type that has a name but is no class."""
        value = self.types.named(found.value, found.module)
        return directive("py:type", "", found.full_name, [f":canonical: {value}"])

    def class_entry(self, name: str, value: type) -> str:
        """A class: how it is made, unless only karat makes it, then what it is, its fields and methods."""
        is_result = issubclass(value, Result) and value is not Result
        signature = "" if is_result or inspect.isabstract(value) else self.types.signature(value)
        parts = [self._bases(value), self._docstring(value), *self._fields(value), *self._methods(value)]
        return directive("py:class", "\n\n".join(part for part in parts if part), name + signature)

    def short_class_entry(self, found: Definition) -> str:
        """A class that only karat makes and that is not public: what it is and its fields."""
        value = loaded(found)
        assert isinstance(value, type)
        parts = [self._docstring(value), *self._fields(value)]
        return directive("py:class", "\n\n".join(part for part in parts if part), found.full_name)

    def _bases(self, value: type) -> str:
        bases = [one for one in value.__bases__ if one.__module__.startswith("karat")]
        shown_bases = [self.types.named(one.__name__, one.__module__) for one in bases]
        return "Is a " + ", ".join(f"{{py:class}}`{one}`" for one in shown_bases) + "." if bases else ""

    def _docstring(self, value: Any) -> str:
        text = inspect.getdoc(value) or ""
        has_own = not (is_dataclass(value) and text.startswith(f"{getattr(value, '__name__', '')}("))
        return shown(text, self.names) if text and has_own else ""

    def _fields(self, value: type) -> Iterator[str]:
        if not is_dataclass(value):
            return
        rows = [
            [code(one.name), code(text_of(one.type)), _default(one), escaped(one.metadata.get("help", ""))]
            for one in fields(value)
            if not one.name.startswith("_")
        ]
        columns = ["field", "type", "default", "what it is"]
        used = [number for number in range(4) if any(row[number] for row in rows)]
        if rows:
            yield table([columns[number] for number in used], [[row[number] for number in used] for row in rows])

    def _methods(self, value: type) -> Iterator[str]:
        names_of_fields = {one.name for one in fields(value)} if is_dataclass(value) else set()
        for name, member in vars(value).items():
            if not name.startswith("_") and name not in names_of_fields:
                yield self._method(value, name, member)

    def _method(self, owner: type, name: str, member: Any) -> str:
        if isinstance(member, property | cached_property):
            getter = member.fget if isinstance(member, property) else member.func
            back = text_of(getattr(getter, "__annotations__", {}).get("return", ""))
            options = [f":type: {self.types.named(back, owner.__module__)}"] if back else []
            return directive("py:property", self._docstring(member), name, [_UNLISTED, *options])
        kind = "classmethod" if isinstance(member, classmethod) else ""
        kind = kind or ("staticmethod" if isinstance(member, staticmethod) else "")
        function = inspect.unwrap(getattr(owner, name))
        if not inspect.isroutine(function):
            return ""
        is_bound = kind != "" and not isinstance(member, staticmethod)
        signature = self.types.signature(function, is_method=not kind and not is_bound)
        body = shown(inspect.getdoc(getattr(owner, name)) or "", self.names)
        return directive("py:method", body, name + signature, [_UNLISTED, *([f":{kind}:"] if kind else [])])


def _default(one: Field[Any]) -> str:
    if one.default is not MISSING:
        return code(default_of(one.default))
    return code("…") if one.default_factory is not MISSING else ""


def _short(value: Any) -> str:
    text = repr(value)
    return f"Its value is {code(text)}.\n" if len(text) < 400 and not text.startswith("<") else ""
