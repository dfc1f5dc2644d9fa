"""docs/plugins.md shows the example package as it is, and what karat prints where it is installed.

`python tests/test_plugin_page.py` writes the outputs of the commands anew.
"""

from __future__ import annotations

import os
import re
from importlib import import_module
from pathlib import Path

import pytest

from console_examples import ROOT, commands, printed, renewed
from installed_plugins import EXAMPLE, install
from karat.measures.catalogue import EVERY_MEASURE
from karat.plugin import check_measure, check_reader, check_tagger
from karat_example import VERT, Endings

PAGE = ROOT / "docs" / "plugins.md"
TEXT = PAGE.read_text(encoding="utf-8")
_BLOCK = re.compile(r"```(python|toml)\n(.*?)```", re.DOTALL)


def prepare(folder: Path) -> None:
    for path in (ROOT / "src" / "karat" / "examples").glob("*.conllu"):
        (folder / path.name).write_bytes(path.read_bytes())
    install(folder / "site")


def test_the_code_is_the_examples_and_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (*shown, (_, test)) = _BLOCK.findall(TEXT)
    assert [language for language, _ in shown] == ["toml", "python", "python", "python"]
    for language, block in shown:
        name = "pyproject.toml" if language == "toml" else "karat_example.py"
        code = "\n".join(line for line in block.splitlines() if not line.startswith(("from ", "import "))).strip("\n")
        assert code in (EXAMPLE / name).read_text(encoding="utf-8")
    of_python = (block for language, block in shown if language == "python")
    (tmp_path / "of_page.py").write_text("\n".join([*of_python, test]), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import_module("of_page").test_nothing_is_wrong()


def test_what_the_page_says_of_checks_and_of_the_example_holds() -> None:
    assert [name for name, measure in EVERY_MEASURE.items() if check_measure(measure)] == []
    assert "All of karat's own measures of words pass `check_measure`." in TEXT
    assert check_reader(VERT, "<s>\nOak\toak\tNOUN\n</s>\n") == check_tagger(Endings) == []
    lines = (EXAMPLE / "karat_example.py").read_text(encoding="utf-8").splitlines()
    said = re.search(r"a tagger in (\d+) lines", TEXT)
    assert said is not None
    assert len(lines) == int(said[1])


@pytest.mark.parametrize(("command", "output"), commands(TEXT))
def test_commands_print_what_the_page_says(
    command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")]))
    assert printed(command, tmp_path) == output


def test_codes_of_the_page_are_those_of_plugins() -> None:
    source = (ROOT / "src" / "karat").rglob("*plugin*.py")
    used = {
        code
        for path in [*source, ROOT / "src/karat/entry_points.py"]
        for code in re.findall(r'"(K97\d)"', path.read_text("utf-8"))
    }
    assert used == {"K970", "K971", "K972", "K973", "K974"}


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as made:
        prepare(Path(made))
        os.environ["PYTHONPATH"] = os.pathsep.join([f"{made}/site", os.environ.get("PYTHONPATH", "")])
        PAGE.write_text(renewed(TEXT, lambda command: printed(command, Path(made))), encoding="utf-8")
