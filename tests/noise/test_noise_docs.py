"""The commands in docs/noise.md print what it says.

`python tests/noise/test_noise_docs.py` writes their outputs anew; look at the difference before you commit it.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from console_examples import ROOT, commands, printed, renewed
from karat import read_conllu
from karat.corpus.worklist import read_worklist, write_worklist
from karat.noise.token_worklist import TOKEN_VERDICTS

PAGE = ROOT / "docs" / "noise.md"


def judge(folder: Path) -> None:
    """People who side with the gold in every row of the worklists that were just planned."""
    tags = read_conllu(folder / "gold.conllu").column("upos").strings()
    for path in folder.glob("check*.tsv"):
        worklist = read_worklist(path, kinds=TOKEN_VERDICTS)
        rows = []
        for row in worklist.rows:
            letters = {part.split(") ")[1]: part.split(") ")[0] for part in row.shown.split("  ")}
            rows.append(replace(row, verdict=letters[tags[int(row.id[1:]) - 1]]))
        write_worklist(path, replace(worklist, rows=tuple(rows)))


def as_it_is_now(text: str, folder: Path) -> str:
    """The page with what every command prints to standard output now, but for signatures; what is planned is judged."""
    for name in ("gold", "ada", "bix"):
        shutil.copy(ROOT / "src" / "karat" / "examples" / f"{name}.conllu", folder)

    def output(command: str) -> str:
        shown = printed(command, folder, errors=False).rpartition("\nkarat:")[0]
        if "noise plan" in command:
            judge(folder)
        return shown

    return renewed(text, output)


def test_the_page_shows_what_its_commands_print(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert len(commands(text)) >= 5
    assert as_it_is_now(text, tmp_path) == text


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        PAGE.write_text(as_it_is_now(PAGE.read_text(encoding="utf-8"), Path(name)), encoding="utf-8")
