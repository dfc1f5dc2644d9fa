"""Plug-ins are found by their names, loaded when they are used, and refused where they cannot be."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from installed_plugins import pretend, write_package
from karat import entry_points
from karat.entry_points import Digest, every, found, named, names_of, readers
from karat.errors import DataError
from karat.signature import signature


@pytest.fixture(autouse=True)
def _afresh() -> Iterator[None]:
    found.cache_clear()
    yield
    found.cache_clear()


def test_entry_points_of_an_installed_package_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_package(
        tmp_path, "two-things", "2.5", {"karat.measures": {"Zeta": "z:Z", "Alpha": "z:A"}, "other": {"x": "y"}}
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert names_of("measure") == ["Alpha", "Zeta"]
    assert [one.signed for one in found("measure")] == ["two-things@2.5"] * 2
    assert names_of("reader") == []


def test_names_are_found_in_upper_and_lower_case(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "measure", ("OpenUPOS", object(), "one"))
    plugin = named("measure", " openupos", set)
    assert plugin is not None
    assert (plugin.name, plugin.shown) == ("OpenUPOS", "one 1.0")
    assert named("measure", "other", set) is None


def test_a_name_of_karats_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "measure", ("UPOS", object(), "one"))
    with pytest.raises(
        DataError, match=r"one 1\.0: K972 the measure UPOS cannot be used: karat already has a measure with"
    ):
        named("measure", "upos", lambda: {"upos"})
    usable, problems = every("measure", lambda: {"upos"})
    assert not usable
    assert [one.code for one in problems] == ["K972"]


def test_a_name_that_two_packages_have_is_refused_and_names_both(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "reader", ("vert", object(), "one"), ("VERT", object(), "two"), ("xyz", object(), "two"))
    with pytest.raises(DataError, match=r"one 1\.0: K972 the reader vert is also defined by two 1\.0"):
        named("reader", "vert", set)
    usable, problems = every("reader", set)
    assert [one.name for one in usable] == ["xyz"]
    assert len(problems) == 1


def test_what_cannot_be_imported_says_why_and_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "system", ("x", ModuleNotFoundError("No module named 'torch'\nand more"), "one"))
    (plugin,) = entry_points.found("system")
    with pytest.raises(DataError) as caught:
        plugin.loaded()
    assert (
        str(caught.value)
        == "one 1.0: K970 the system x cannot be imported: ModuleNotFoundError: No module named 'torch'"
    )
    assert caught.value.hint == "update or uninstall one"


def test_what_a_plugin_raises_is_told_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "measure", ("x", object(), "one"))
    (plugin,) = entry_points.found("measure")
    with (
        pytest.raises(DataError, match=r"one 1\.0: K973 the measure x failed: ZeroDivisionError: ") as caught,
        plugin.calling(),
    ):
        _divide()
    assert caught.value.hint.startswith(f"raised in {__file__}, line ")
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def _divide() -> float:
    return 1 / 0


def test_errors_of_karat_pass_through(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "reader", ("x", object(), "one"))
    (plugin,) = entry_points.found("reader")
    error = plugin.refusal("K974", "is odd")
    with pytest.raises(DataError) as caught, plugin.calling():
        raise error
    assert caught.value is error


def test_signatures_name_each_package_once_before_the_inputs() -> None:
    inputs = [("gold", "a.vert", Digest("0" * 64, ["r@1"])), ("system", "b", "1" * 64)]
    signed = signature("score", [("plugin", "m@2"), ("by", "upos"), ("plugin", "m@2")], inputs)
    assert signed.split("|")[1:] == [
        "verb:score", "by:upos", "plugin:m@2,r@1", f"gold:a.vert@sha256:{'0' * 16}", f"system:b@sha256:{'1' * 16}"
    ]  # fmt: skip
    assert readers("0" * 64) == ()


def test_no_plugin_is_looked_for_on_the_plain_path(tmp_path: Path) -> None:
    """Neither help nor karat's own measures, formats and systems need importlib.metadata's search."""
    code = (
        "import importlib.metadata, sys\n"
        "def refuse(**_): raise AssertionError('entry points were looked for')\n"
        "importlib.metadata.entry_points = refuse\n"
        "from karat.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    (tmp_path / "a.conllu").write_text("1\tOak\toak\tNOUN\t_\t_\t0\troot\t_\t_\n\n", "utf-8")

    def code_of(*arguments: str) -> int:
        return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, cwd=tmp_path).returncode

    assert code_of("--help") == code_of("score", "--help") == code_of("train", "--help") == 0
    for arguments in (["--measure", "LAS,UPOS"], [], ["--input", "conllu"], ["--like", "conll18", "--measure", "all"]):
        assert code_of("score", "a.conllu", "a.conllu", *arguments) == 0
    assert code_of("train", "most-frequent", "a.conllu", "-o", "model") == 0
    assert code_of("tag", "-m", "model", "a.conllu") == 0
    assert code_of("measures") == 1  # which lists plug-ins too: the refusal works
