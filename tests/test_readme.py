"""The examples of README and docs/tour.md are run, and print what these say.

`python tests/test_readme.py` writes the outputs of the commands into both anew; look at the difference before you
commit it.
"""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from console_examples import ROOT, commands, printed, renewed

README = ROOT / "README.md"
TOUR = ROOT / "docs" / "tour.md"
RESULTS = ROOT / "benchmarks" / "RESULTS.md"
EXAMPLES = ROOT / "src" / "karat" / "examples"


def prepare(folder: Path) -> None:
    """The files that the README's commands name."""
    for path in (*EXAMPLES.glob("*.conllu"), *EXAMPLES.glob("*.ptb")):
        (folder / path.name).write_bytes(path.read_bytes())
    lines = (EXAMPLES / "ada.conllu").read_text(encoding="utf-8").split("\n")
    lines[5] = lines[5].replace("\t", " ", 1)  # a space for a tab
    columns = lines[40].split("\t")
    lines[40] = "\t".join([*columns[:6], "99", *columns[7:]])  # a head out of range
    (folder / "broken.conllu").write_text("\n".join(lines), encoding="utf-8")


EVERY_COMMAND = [one for page in (README, TOUR) for one in commands(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(("command", "output"), EVERY_COMMAND)
def test_readme_commands_print_what_it_says(command: str, output: str, tmp_path: Path) -> None:
    prepare(tmp_path)
    assert printed(command, tmp_path) == output


def test_readme_has_commands_to_run() -> None:
    assert len(EVERY_COMMAND) >= 3


def test_readme_python_examples_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(README), module_relative=False)
    assert result.attempted >= 5
    assert result.failed == 0


def test_the_readme_quotes_what_the_demo_says(tmp_path: Path) -> None:
    quoted = [line[2:] for line in README.read_text(encoding="utf-8").splitlines() if line.startswith("> ")]
    assert len(quoted) == 3
    said = " ".join(printed(f"karat demo -o {tmp_path / 'demo'}", tmp_path, errors=False).split())
    assert [line for line in quoted if line not in said] == []


def test_the_figures_of_speed_are_those_of_the_results() -> None:
    rows = re.findall(
        r"^\| .* \| ([\d.]+) \| (.*) \| ([\d.]+) \| ([\d.]+) \|$", README.read_text(encoding="utf-8"), re.M
    )
    assert len(rows) >= 5
    measured = RESULTS.read_text(encoding="utf-8")
    for ours, peer, theirs, ratio in rows:
        assert f"| {peer} | {theirs} | {ratio} |" in measured
        assert f" | {ours} | 1.0 |" in measured


def test_readme_names_the_two_commands() -> None:
    text = README.read_text(encoding="utf-8")
    assert "    python -m pip install . && karat demo\n" in text
    assert "    python -m pip install '.[test]' && python -m pytest\n" in text


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        prepare(Path(name))
        for page in (README, TOUR):
            text = renewed(page.read_text(encoding="utf-8"), lambda command: printed(command, Path(name)))
            page.write_text(text, encoding="utf-8")
