"""What `karat.agree` returns, beside what the command line prints."""

from __future__ import annotations

import pytest

import karat
from cli_runs import Run
from examples import EXAMPLES
from result_claims import SCRIPT, assert_is_printed, assert_is_safe

ADA, BIX = (str(EXAMPLES / f"{name}.conllu") for name in ("ada", "bix"))


def test_agreement_is_what_the_command_line_prints(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "agree", f"ada={ADA}", f"bix={BIX}", "--json")
    found = karat.agree({"ada": ADA, "bix": BIX})
    assert_is_printed(found, run.json)
    assert len(found.to_dataframe()) == 4


def test_names_are_escaped_in_html() -> None:
    assert_is_safe(karat.agree({SCRIPT: ADA, "bix": BIX}))
