"""Lists of every kind from real treebanks, as people get them to review: EWT's training part, GUM, GUM's trees.

Made by karat's own commands in a folder of their own. Taggers are quick ones: what they say does not matter here.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from _measuring import DATA, EWT, KARAT, ROOT, corrupted_copy

GUM = DATA / "ud-2.3" / "UD_English-GUM"
TREES = DATA / "gum-const"
N_ROWS = 1000  # of each list, where there are as many
_QUICK = ("--system", "hmm", "--taggers", "1", "--folds", "2")
_TREES_CORRUPTED = (
    "import random, re, sys; from pathlib import Path; from tree_corruptions import corrupted_tree; "
    "rng = random.Random(2026); text = Path(sys.argv[1]).read_text(encoding='utf-8'); "
    "made = [corrupted_tree(tree, rng, 0.1) for tree in re.split(r'\\n(?=\\()', text)]; "
    "Path(sys.argv[2]).write_text('\\n'.join(made) + '\\n', encoding='utf-8')"
)


def review_lists(folder: Path) -> Mapping[str, Path]:
    """The lists by name, such as "EWT, tokens"; those that are in the folder already are not made again."""
    found: dict[str, Path] = {}
    for name, path in (("EWT", _joined(folder / "ewt.conllu", [EWT / "en_ewt-ud-train.conllu"])),
                       ("GUM", _joined(folder / "gum.conllu", sorted(GUM.glob("*.conllu"))))):  # fmt: skip
        first, second = (corrupted_copy(path, folder, seed) for seed in (1, 2))
        start = name.lower()
        found |= {
            f"{name}, tokens": _made(folder / f"{start}-tokens.tsv", "noise", "plan", path, first, second,
                                     "--budget", N_ROWS, "-o"),
            f"{name}, repeats": _made(folder / f"{start}-repeats.tsv", "repeats", path, "--top", N_ROWS, "--worklist"),
            f"{name}, repeats of heads": _made(folder / f"{start}-heads.tsv", "repeats", path, "--dependencies",
                                               "--top", N_ROWS, "--worklist"),
            f"{name}, suspects": _made(folder / f"{start}-suspects.tsv", "suspects", path, *_QUICK, "--top", N_ROWS,
                                       "--random", 100, "--worklist"),
            f"{name}, disagreements": _made(folder / f"{start}-agree.tsv", "agree", f"ada={path}", f"bix={first}",
                                            "--resamples", 0, "--worklist"),
            f"{name}, changes": _made(folder / f"{start}-changes.tsv", "diff", first, path, "--worklist"),
        }  # fmt: skip
    return {**found, "GUM, brackets": brackets(folder)}


def brackets(folder: Path) -> Path:
    """Brackets that a simulated parser gets wrong in GUM's trees."""
    gold = _joined(folder / "gum.ptb", sorted(TREES.glob("*.ptb")))
    system = folder / "parser.ptb"
    if not system.exists():
        subprocess.run([sys.executable, "-c", _TREES_CORRUPTED, str(gold), str(system)], cwd=ROOT / "tests", check=True)
    return _made(folder / "gum-brackets.tsv", "score", gold, system, "--sample", N_ROWS, "--worklist")


def with_files(path: Path) -> Sequence[str]:
    """The options that name a list's files, where it does not name them itself."""
    trees = path.parent / "gum.ptb", path.parent / "parser.ptb"
    return ["--gold", str(trees[0]), "--system", str(trees[1])] if path.name == "gum-brackets.tsv" else []


def large_list(folder: Path, n_rows: int) -> Path:
    """A list of so many words of EWT, at random, with the corpus that they are in."""
    corpus = _joined(folder / "ewt.conllu", [EWT / "en_ewt-ud-train.conllu"])
    path = folder / f"ewt-{n_rows}.tsv"
    return _made(path, "suspects", corpus, *_QUICK, "--top", 1, "--random", n_rows - 1, "--worklist")


def _joined(path: Path, parts: Sequence[Path]) -> Path:
    if not path.exists():
        path.write_text("\n".join(part.read_text(encoding="utf-8") for part in parts), encoding="utf-8")
    return path


def _made(path: Path, *arguments: object) -> Path:
    """A list that a command writes; its last argument is the option that names the list."""
    if not path.exists():
        print(f"making {path.name}", file=sys.stderr)
        command = [*KARAT, *map(str, arguments), str(path)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return path
