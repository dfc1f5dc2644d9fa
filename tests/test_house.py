"""The house rules that code can check: which way imports point, and what starting karat may load."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest

import karat
from karat.result import Result

PACKAGE = Path(karat.__file__).parent
# CONTRIBUTING.md has them: a room may import from those before it
ROOMS = "_arrays _garbage _compiled _compiled_numbering _numbering _ragged _files_read".split()
ROOMS += "errors entry_points signature result options corpus align tagsets hierarchy weights measures".split()
ROOMS += "inference evaluation noise agreement gold systems plugin suspects simulation experiments citations".split()
ROOMS += "report review cli __main__".split()
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.name != "__init__.py")


def room(module: str) -> str | None:
    """The room of a module of ours; None for other packages and for `karat` itself."""
    parts = module.split(".")
    return parts[1] if parts[0] == "karat" and len(parts) > 1 else None


def imported(path: Path) -> Iterator[str]:
    """All modules that a file imports, wherever in it the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            names = [f"{node.module}.{alias.name}" for alias in node.names] if node.module == "karat" else []
            yield from names or [node.module]


def upward_imports(path: Path) -> list[str]:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    found = []
    for module in imported(path):
        other = room(module)
        if other in ROOMS and ROOMS.index(other) > ROOMS.index(own):
            found.append(module)
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down_the_list_of_rooms(path: Path) -> None:
    assert upward_imports(path) == []


def test_an_upward_import_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "PACKAGE", tmp_path)
    (tmp_path / "corpus").mkdir()
    module = tmp_path / "corpus" / "bad.py"
    module.write_text("def f() -> None:\n    from karat.measures import f1\n    import karat.errors\n")
    assert upward_imports(module) == ["karat.measures"]


def test_every_room_is_in_the_list() -> None:
    rooms = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in MODULES}
    assert rooms <= set(ROOMS)


def test_a_class_name_means_one_thing() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in MODULES]
    names = Counter(node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef))
    assert [name for name, count in names.items() if count > 1] == []


def loaded_by(*arguments: str) -> set[str]:
    """The top-level packages that are loaded once a Python program has run."""
    code = f"import sys; sys.argv = ['karat', *{list(arguments)!r}]; {{}}; print(*sys.modules, file=sys.stderr)"
    run = "from karat.cli import main; main()" if arguments else "import karat"
    done = subprocess.run([sys.executable, "-c", code.format(run)], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in done.stderr.split()}


HEAVY = {"numpy", "scipy", "numba", "rich", "sklearn", "starlette", "jinja2", "pandas"}


@pytest.mark.parametrize("arguments", [(), ("--help",), ("score", "--help"), ("demo", "--help"), ("--version",)])
def test_start_and_help_load_nothing_heavy(arguments: tuple[str, ...]) -> None:
    assert loaded_by(*arguments) & HEAVY == set()


def test_import_karat_does_not_load_click() -> None:
    assert "click" not in loaded_by()


def test_all_public_names_of_karat_exist() -> None:
    for name in karat.__all__:
        assert getattr(karat, name) is not None
    assert set(karat.__all__) <= set(dir(karat))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        karat.nonsense  # noqa: B018


# ---- what users of the library see -----------------------------------------------------------------------------------

LIBRARY = "corpus align tagsets hierarchy weights measures inference evaluation noise agreement gold".split()
LIBRARY += ["systems", "plugin", "suspects", "simulation", "experiments"]
OPTION = re.compile(r"(?<![\w-])--[a-z]")


def texts(tree: ast.AST) -> Iterator[ast.Constant]:
    """All string literals but docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node


@pytest.mark.parametrize("name", LIBRARY)
def test_messages_of_the_library_name_no_options_of_the_command_line(name: str) -> None:
    for path in sorted((PACKAGE / name).rglob("*.py")):
        if path.name == "options.py":  # where options of the command line are stated, once
            continue
        if path.parent.name == "published":  # whose rows show the commands that give their numbers
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert [node.value for node in texts(tree) if OPTION.search(str(node.value))] == [], path


def test_dir_shows_public_names_only() -> None:
    assert dir(karat) == sorted(karat.__all__)
    assert [name for name in dir(karat) if name.startswith("_")] == ["__version__"]
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
    assert rooms.isdisjoint(dir(karat))


def test_names_for_type_checkers_are_those_that_are_loaded() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    declared = {
        alias.asname: f"{node.module}.{alias.name}"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert declared == {name: f"{home}.{name}" for name, home in karat._HOME_OF.items()}
    homes = list(karat._HOMES)
    assert homes == sorted(homes)
    assert all(names.split() == sorted(names.split()) for names in karat._HOMES.values())


def test_every_public_function_and_class_has_a_docstring() -> None:
    public = {name: getattr(karat, name) for name in karat.__all__ if name != "__version__"}
    assert [name for name, value in public.items() if not (value.__doc__ or "").strip()] == []


def result_classes() -> list[type[Result]]:
    """All classes of results, by the modules that define them: of a class with slots `__subclasses__` knows a twin."""
    names = [".".join(["karat", *path.relative_to(PACKAGE).with_suffix("").parts]) for path in MODULES]
    modules = [import_module(name) for name in names if name != "karat.__main__"]
    classes = [(module, value) for module in modules for value in vars(module).values() if isinstance(value, type)]
    return [
        one
        for module, one in classes
        if issubclass(one, Result) and one.__module__ == module.__name__ != "karat.result"
    ]


def test_every_result_has_its_data_and_its_records() -> None:
    classes = result_classes()
    assert {one.__name__ for one in classes} >= {"Audit", "Scores", "Simulation", "Weights"}
    for one in classes:
        assert not getattr(one, "__abstractmethods__", None), one
        for method in ("to_dict", "records"):
            assert (getattr(one, method).__doc__ or "").strip(), f"{one.__name__}.{method}"
        assert getattr(karat, one.__name__) is one, "a result is public"


def test_the_command_line_offers_every_format_of_words_and_says_what_it_is() -> None:
    from karat.cli._shared_options import INPUTS, input_option
    from karat.corpus.formats import ANALYSED, FORMATS

    assert [*FORMATS, *ANALYSED] == INPUTS
    command = click.Command("x", params=[])
    input_option()(command)
    (found,) = command.params
    assert isinstance(found, click.Option)
    assert found.help is not None
    assert len(found.help.split(":")[1].split("(")[0].split(", ")) == len(INPUTS)


def test_every_error_code_is_in_the_docs_and_no_other() -> None:
    used = {code for path in PACKAGE.rglob("*.py") for code in re.findall(r'"([KW]\d{3})"', path.read_text("utf-8"))}
    docs = Path(__file__).parent.parent / "docs" / "errors.md"
    assert set(re.findall(r"^\| ([KW]\d{3}) \|", docs.read_text("utf-8"), re.MULTILINE)) == used


def test_no_modules_import_each_other_in_a_circle_wherever_the_imports_stand() -> None:
    """Imports for type checkers alone do not count: they are never run."""
    names = {".".join(["karat", *path.relative_to(PACKAGE).with_suffix("").parts]): path for path in MODULES}
    graph = {name: {one for one in run_imports(path) if one in names} for name, path in names.items()}
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> None:
        assert name not in above, " → ".join([*above[above.index(name) :], name])
        if name not in done:
            for other in sorted(graph[name]):
                visit(other, (*above, name))
            done.add(name)

    for name in sorted(graph):
        visit(name, ())


def run_imports(path: Path) -> Iterator[str]:
    """The modules that a file imports when it is run, at once or later."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_checkers = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and id(node) not in for_checkers:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


_QUOTED = ("experiments/papers", "report/draw/svg.py")  # what papers print; a drawing's size
_CLOSE_PERCENT = re.compile(r"(?<!\\{)\}%(?![}\w@])|:\.\d%\}|\d%(?=[\s.,;)])")


@pytest.mark.parametrize("text", ['f"{share:.0%} of"', 'f"{100 * share}% of"', '"24% of the words"'])
def test_a_percent_sign_without_a_blank_would_be_found(text: str) -> None:
    assert _CLOSE_PERCENT.search(text)


def test_a_blank_stands_before_percent_signs() -> None:
    package = Path(karat.__file__).parent
    files = [one for one in package.rglob("*.py") if not one.relative_to(package).as_posix().startswith(_QUOTED)]
    found = [
        f"{one.name}: {line.strip()}"
        for one in files
        for line in one.read_text(encoding="utf-8").splitlines()
        if _CLOSE_PERCENT.search(line)
    ]
    assert found == []
