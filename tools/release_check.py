"""Checks that karat can be released: `python tools/release_check.py` (needs the extra `release`).

1. The sdist and the wheel are built, and hold what they must and nothing else.
2. The wheel is installed in a new virtual environment of each Python that pyproject.toml names and that is found
   here, and commands are run there on the examples, outside the checkout.
3. The same on the oldest Python with the lowest version of each dependency that pyproject.toml allows.
4. The tests of the sdist are run on the newest Python, and on the oldest with the lowest versions, of extras too.

With `--quick`, as CI runs it, no tests are run, and the commands only on the newest Python and with the lowest
versions. It stops at the first thing that fails, with exit code 1.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from _archives import ROOT, ArchiveError, Archives, archive_problems, built
from _fresh_environment import CommandError, FreshEnvironment, fresh_environment

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYENV = Path.home() / ".pyenv" / "versions"
DEVELOPMENT = ("lint", "bench", "release", "docs")  # extras for work on karat: nobody needs old versions of them
TWO = "gold.conllu ada=ada.conllu bix=bix.conllu"
# commands, and what they print when they work; each needs other files of the package
COMMANDS = (
    (f"karat score {TWO}", "LAS: bix 87.9"),
    (f"karat compare {TWO} --measure LAS --report report.html", "bix is ahead of ada on LAS (87.9 to 86.7)"),
    ("karat score gold.ptb ada=ada.ptb", "Labelled F1"),
    ("karat repeats gold.conllu", "0 of 3 repeats in 998 tokens"),
    ("karat train hmm gold.conllu -o tagger.karat", "hmm trained on gold.conllu: 998 words"),
    ("karat tag -m tagger.karat gold.conllu -o tagged.conllu", "61 sentences, 998 words"),
    ("karat tagset show nkjp subst:sg:nom:m1", "noun"),
    ("karat weights show poliqarp-2010", "poliqarp"),
    ("karat attach groups gold.conllu -n 0", "186 groups in 61 sentences"),
    ("karat reproduce --quick", "Every computed number that should agree does."),
)


def main() -> int:
    """Run the checks that are asked for, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="what CI checks: fewer Pythons, no tests")
    parser.add_argument("--tests", nargs="+", default=["tests"], help="tests to run, paths in the sdist (default: all)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="karat-release-") as folder:
        try:
            check(Path(folder), None if arguments.quick else arguments.tests)
        except (ArchiveError, CommandError) as failure:
            print(failure, file=sys.stderr)
            return 1
    say("All checks passed.")
    return 0


def check(folder: Path, tests: Sequence[str] | None) -> None:
    """All checks, in order; without tests, the quick ones. The first that fails raises an error."""
    with timed("archives"):
        archives = built(folder)
        if problems := archive_problems(archives):
            raise ArchiveError("\n".join(problems))
    pythons = pythons_here()
    oldest, newest = min(pythons), max(pythons)
    for version in pythons if tests else [newest]:
        name = ".".join(map(str, version))
        with timed(f"Python {name}, newest dependencies"):
            place = fresh_environment(pythons[version], folder / name)
            place.install(archives.wheel)
            try_commands(place, archives.version)
        if tests and version == newest:
            with timed(f"Python {name}, newest dependencies, tests"):
                place.install(f"{archives.wheel}[test]")
                run_tests(place, archives.sdist, tests)
    name = ".".join(map(str, oldest))
    with timed(f"Python {name}, lowest dependencies"):
        place = fresh_environment(pythons[oldest], folder / "lowest")
        install_lowest(place, archives, [])
        try_commands(place, archives.version)
    if tests:
        with timed(f"Python {name}, lowest dependencies, tests"):
            install_lowest(place, archives, sorted(PROJECT["optional-dependencies"].keys() - set(DEVELOPMENT)))
            run_tests(place, archives.sdist, tests)


# ---- where karat is tried --------------------------------------------------------------------------------------------


def pythons_here() -> dict[tuple[int, int], Path]:
    """The interpreters of the versions that pyproject.toml names, oldest first: this one, on the PATH, or pyenv's."""
    start = "Programming Language :: Python :: 3."
    found = {}
    for minor in sorted(int(one.removeprefix(start)) for one in PROJECT["classifiers"] if one.startswith(start)):
        this = sys.executable if sys.version_info[:2] == (3, minor) else None
        places = [this, shutil.which(f"python3.{minor}"), *map(str, sorted(PYENV.glob(f"3.{minor}.*/bin/python")))]
        if working := [place for place in places if place and makes_environments(place)]:
            found[3, minor] = Path(working[0])
        else:
            say(f"Python 3.{minor}: not found here, left out")
    return found


def makes_environments(python: str) -> bool:
    """Whether an interpreter starts and has what `venv` needs; what pyenv puts on the PATH need not stand for one."""
    return subprocess.run([python, "-c", "import ensurepip, venv"], capture_output=True, check=False).returncode == 0


def install_lowest(place: FreshEnvironment, archives: Archives, extras: Iterable[str]) -> None:
    """Install karat with the lowest versions that pyproject.toml allows of what it names, with these extras."""
    chosen = place.folder / "lowest.txt"
    wanted = [f"--extra={name}" for name in extras]
    how = ("--resolution=lowest-direct", "--only-binary=:all:", "--quiet", "--python", place.python)
    uv = (sys.executable, "-m", "uv", "pip", "compile")
    place.run(*uv, *how, *wanted, ROOT / "pyproject.toml", "--output-file", chosen)
    place.install("-r", chosen)
    place.install("--no-deps", "--force-reinstall", archives.wheel)


# ---- what is tried ---------------------------------------------------------------------------------------------------


def try_commands(place: FreshEnvironment, version: str) -> None:
    """Run the README's demo, and commands on the examples."""
    place.run("python", "-m", "pip", "check")
    place.run("python", "-W", "error", "-m", "compileall", "-q", "-f", place.package("karat"))
    place.run("karat", "--version", expected=f"karat {version}\n")
    place.run("karat", "demo", expected="The truth: perceptron tags 93.8 % of the words correctly, hmm 91.4 %.")
    shutil.copytree(place.package("karat") / "examples", place.folder, dirs_exist_ok=True)
    for command, expected in COMMANDS:
        place.run(*command.split(), expected=expected)
    for report in ("karat-demo/report.html", "report.html"):
        if "</html>" not in (place.folder / report).read_text(encoding="utf-8"):
            raise CommandError(f"{report}: its end is missing")


def run_tests(place: FreshEnvironment, sdist: Path, tests: Sequence[str]) -> None:
    """Run tests of the sdist on the karat that is installed."""
    with tarfile.open(sdist) as archive:
        archive.extractall(place.folder, filter="data")
    unpacked = place.folder / sdist.name.removesuffix(".tar.gz")
    ours = {name: value for name, value in os.environ.items() if name.startswith("KARAT_")}
    known = {"KARAT_DATA": str(ROOT.parent / "shared" / "data"), **ours}
    place.run("python", "-m", "pytest", "-q", *(unpacked / one for one in tests), **known)


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Say what is done, and when it is done, how long it took."""
    start = time.perf_counter()
    yield
    say(f"{what}: {time.perf_counter() - start:.0f} s")


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
