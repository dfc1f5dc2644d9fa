"""The reference of the library: a page for each room of karat that has public names."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import karat
from karat_site.docstrings import first_sentence, shown
from karat_site.generated import Pages
from karat_site.markdown import directive, table, toctree
from karat_site.objects import Entries
from karat_site.signatures import Types

_FOLDER = "reference/library"
_HEAD = """# The Python library

`import karat` has every public name; each is loaded when it is first used. Types in signatures that karat does not
export are explained under [types](types.myst). Every verb of the command line is a function, and what comes back has
`to_dict()`, `to_dataframe()` and a view in Jupyter.

"""
_NAMED_IN_DOCS = re.compile(r"\bkarat((?:\.[a-z_0-9]+)+)\b")
_OF_MODULES = ("karat.simulation", "karat.report.draw")  # public packages whose modules are imported one by one


def public_names() -> dict[str, Any]:
    """What `karat` exports, by name."""
    return {name: getattr(karat, name) for name in sorted(karat.__all__) if name != "__version__"}


def pages(docs: Path) -> Pages:
    """A page for each room, one of the types in signatures, and one that lists all."""
    public = public_names()
    modules = {name: _exports(name) for name in public_modules(docs)}
    homes = {f"{value.__module__}.{value.__qualname__}": f"karat.{name}" for name, value in public.items()}
    for module, exports in modules.items():
        for name, value in exports.items():
            if _is_defined(value):
                homes.setdefault(f"{value.__module__}.{value.__qualname__}", f"{module}.{name}")
    entries = Entries(Types(homes), frozenset(homes.values()))
    rooms = sorted({_room(value.__module__) for value in public.values()} | {_room(name) for name in modules})
    found = {room: _room_page(room, public, modules, entries) for room in rooms}
    found["types"] = _types_page(entries)
    return {f"{_FOLDER}/index": _overview(rooms, public, entries)} | {
        f"{_FOLDER}/{name}": text for name, text in found.items()
    }


def public_modules(docs: Path) -> list[str]:
    """The packages that say what they export, the modules of those that are sets of modules, and what the docs name."""
    rooms = [path.parent.name for path in Path(karat.__file__).parent.glob("*/__init__.py")]
    packages = [f"karat.{room}" for room in rooms if room != "cli"]
    found = {name for name in packages if getattr(import_module(name), "__all__", ())}
    for package in _OF_MODULES:
        names = [module.name for module in iter_modules(import_module(package).__path__)]
        found |= {f"{package}.{name}" for name in names if not name.startswith("_")}
    for page in docs.rglob("*.md"):
        for name in _NAMED_IN_DOCS.findall(page.read_text(encoding="utf-8")):
            found |= _modules_of(f"karat{name}")
    return sorted(found)


def _modules_of(name: str) -> set[str]:
    """The module of this name, or the one that a function of this name is in; none of what `karat` itself exports."""
    if name.partition(".")[2] in karat.__all__:
        return set()
    for one in (name, name.rpartition(".")[0]):
        try:
            spec = find_spec(one)
        except ModuleNotFoundError:
            continue
        if spec is not None and one != "karat":
            return {one}
    return set()


def _exports(name: str) -> dict[str, Any]:
    """What a module exports, or defines if it does not say; of a package without either, what its modules define."""
    module = import_module(name)
    if hasattr(module, "__all__"):
        return {one: getattr(module, one) for one in sorted(module.__all__)}
    return {one: value for one, value in vars(module).items() if _is_of(value, module) and not one.startswith("_")}


def _is_of(value: Any, module: ModuleType) -> bool:
    return _is_defined(value) and value.__module__ == module.__name__


def _is_defined(value: Any) -> bool:
    return isinstance(value, type) or inspect.isfunction(inspect.unwrap(value)) if callable(value) else False


def _room(module: str) -> str:
    return module.split(".")[1]


def _room_page(room: str, public: dict[str, Any], modules: dict[str, dict[str, Any]], entries: Entries) -> str:
    package = import_module(f"karat.{room}")
    parts = [f"# {room.capitalize()}\n", shown(inspect.getdoc(package) or "", entries.names)]
    parts.append(directive("py:currentmodule", "", "karat"))
    parts += entries.every({name: value for name, value in public.items() if _room(value.__module__) == room})
    for module, exports in modules.items():
        others = {name: value for name, value in exports.items() if value not in public.values()}
        if _room(module) == room and others:
            parts.append(f"## `{module}`\n")
            if module.count(".") > 1:
                parts.append(shown(inspect.getdoc(import_module(module)) or "", entries.names))
            parts.append(directive("py:currentmodule", "", module))
            parts += entries.every(others)
    return "\n".join(parts)


def _types_page(entries: Entries) -> str:
    """The types that stand in signatures of what is public, and those that these are other names of."""
    types = entries.types
    parts: dict[str, str] = {}
    while aliases := [one for name, one in types.used.items() if one.value and name not in parts]:
        parts |= {one.full_name: entries.alias(one) for one in aliases}
    types.is_complete = True
    classes = [one for one in types.used.values() if not one.value]
    parts |= {one.full_name: entries.short_class_entry(one) for one in classes}
    head = (
        "# Types in signatures\n\nWhat parameters may be given as, and classes that karat makes itself: read their "
        "fields, do not make your own.\n\n"
    )
    ordered = sorted(parts, key=lambda name: name.rpartition(".")[2].lower())
    return head + "\n".join(parts[name] for name in ordered)


def _overview(rooms: list[str], public: dict[str, Any], entries: Entries) -> str:
    parts = [_HEAD]
    for room in rooms:
        rows = [
            [f"{{py:obj}}`{name} <karat.{name}>`", first_sentence(inspect.getdoc(value) or "", entries.names)]
            for name, value in public.items()
            if _room(value.__module__) == room
        ]
        package = inspect.getdoc(import_module(f"karat.{room}")) or ""
        parts += [f"## [{room.capitalize()}]({room}.myst)\n", first_sentence(package, entries.names) + "\n"]
        if rows:
            parts.append(table(["name", "what it is"], rows))
    titles = [f"{room.capitalize()} <{room}>" for room in rooms]
    return "\n".join([*parts, toctree([*titles, "Types <types>"])])
