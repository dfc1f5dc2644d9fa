"""The commands in docs/noise.md print what it says.

`python tests/noise/test_noise_docs.py` writes their outputs anew; look at the difference before you commit it.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from karat import read_conllu
from karat.corpus.worklist import read_worklist, write_worklist
from karat.noise.token_worklist import TOKEN_VERDICTS

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "noise.md"
_CONSOLE = re.compile(r"```console\n\$ (?P<command>[^\n]*)\n(?P<output>.*?)```\n", re.DOTALL)


def printed(command: str, folder: Path) -> str:
    """What a command prints to standard output, but for the signature at its end."""
    program, *arguments = shlex.split(command)
    assert program == "karat"
    done = subprocess.run(
        [sys.executable, "-m", "karat", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "80"},
        check=True,
    )
    return done.stdout.decode().rpartition("\nkarat:")[0]


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


def renewed(text: str, folder: Path) -> str:
    """The page with every output as it is now; what is planned is judged."""
    for name in ("gold", "ada", "bix"):
        shutil.copy(ROOT / "src" / "karat" / "examples" / f"{name}.conllu", folder)

    def block(match: re.Match[str]) -> str:
        output = printed(match["command"], folder)
        if "noise plan" in match["command"]:
            judge(folder)
        return f"```console\n$ {match['command']}\n{output}```\n"

    return _CONSOLE.sub(block, text)


def test_the_page_shows_what_its_commands_print(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert len(_CONSOLE.findall(text)) >= 5
    assert renewed(text, tmp_path) == text


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8"), Path(name)), encoding="utf-8")
