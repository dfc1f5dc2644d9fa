"""TOML that Python's reader gives up on in its own ways is refused like any other that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_runs import Run
from karat.corpus.toml_text import toml_from_text

DEEP, LONG, LARGE = "x = " + "[" * 20_000, "x = " + "9" * 5000, "x = [{y = -9223372036854775809}]"


@pytest.mark.parametrize(
    ("text", "why"),
    [(DEEP, "nested too deeply"), (LONG, "too many digits"), (LARGE, "too many digits"), ("x = ", "Invalid value")],
)
def test_what_cannot_be_read_is_a_value_error(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        toml_from_text(text)


def test_the_largest_numbers_of_toml_can_be_read() -> None:
    assert toml_from_text("x = [9223372036854775807, -9223372036854775808]") == {"x": [2**63 - 1, -(2**63)]}


@pytest.mark.parametrize("text", [DEEP, LONG, LARGE])
@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("weights show x.toml", "K811"),
        ("tagset show x.toml NN", "K801"),
        ("attach groups gold.conllu --groups x.toml", "K890"),
        ("grid x.toml -o grid", "K913"),
        ("noise --observed 0.9 --corpus-error 0.03 --ambiguity 2 --priors x.toml", "K604"),
    ],
)
def test_every_file_of_toml_is_refused_with_its_code(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: str, text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.toml").write_text(text, encoding="utf-8")
    Path("gold.conllu").write_text("1\tRain\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    run = Run(capsys, *call.split())
    assert run.code == 3
    assert f": {code} " in run.err
