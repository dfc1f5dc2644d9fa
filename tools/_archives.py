"""The archives of a release: what they must hold, and what they hold."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# a file of another kind in the package is there by mistake, or belongs into this list
KINDS = frozenset(".py .typed .conllu .ptb .json .toml .tsv .rules .bib .html .css .js .svg".split())
FOLDERS = ("src", "tests", "docs", "benchmarks", "tools")
REQUIRED = ("README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "pyproject.toml")
OPTIONAL = ("CITATION.cff", ".pre-commit-hooks.yaml")  # must be there if the checkout has them
ADDED = ("PKG-INFO", ".gitignore")  # by the build


class ArchiveError(Exception):
    """An archive cannot be built, or is not as it must be."""


@dataclass(frozen=True, slots=True)
class Archives:
    """What is uploaded, and a second wheel, built straight from the checkout, to compare it with."""

    sdist: Path
    wheel: Path
    wheel_of_checkout: Path

    @property
    def version(self) -> str:
        """The version that the wheel's name says."""
        return self.wheel.name.split("-")[1]


def built(folder: Path) -> Archives:
    """The archives, built into a folder: the sdist, the wheel built from it, and a wheel built from the checkout."""
    for name, parts in (("dist", ()), ("checkout", ("--wheel",))):
        command = [sys.executable, "-m", "build", *parts, "--outdir", str(folder / name), str(ROOT)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ArchiveError(f"{done.stdout}{done.stderr}")
    (sdist,) = (folder / "dist").glob("*.tar.gz")
    (wheel,) = (folder / "dist").glob("*.whl")
    (wheel_of_checkout,) = (folder / "checkout").glob("*.whl")
    return Archives(sdist, wheel, wheel_of_checkout)


def files_of_checkout() -> list[str]:
    """Paths of all files that git does not ignore; without git, of all but caches and hidden files."""
    if (ROOT / ".git").exists():
        listing = ("ls-files", "--cached", "--others", "--exclude-standard", "-z")
        found = subprocess.run(
            ["git", "-c", "safe.directory=*", *listing], cwd=ROOT, check=True, capture_output=True, text=True
        )
        return [name for name in found.stdout.split("\0") if name and (ROOT / name).is_file()]
    paths = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
    return [
        path.as_posix()
        for path in paths
        if not any(part == "__pycache__" or part.startswith(".") for part in path.parts)
    ]


# ---- what is wrong with them -----------------------------------------------------------------------------------------


def archive_problems(archives: Archives) -> list[str]:
    """All that is wrong with the archives, one line each."""
    checkout = files_of_checkout()
    with zipfile.ZipFile(archives.wheel) as wheel, zipfile.ZipFile(archives.wheel_of_checkout) as other:
        ours, others = ({one.filename: one.CRC for one in each.infolist()} for each in (wheel, other))
    with tarfile.open(archives.sdist) as sdist:
        names = [one.name.partition("/")[2] for one in sdist.getmembers() if one.isfile()]
    differ = sorted(name for name in ours.keys() | others.keys() if ours.get(name) != others.get(name))
    return [
        *wheel_problems(ours, checkout),
        *sdist_problems(names, checkout),
        *(f"{name}: differs between the wheels built from the sdist and from the checkout" for name in differ),
        *_checked_by("twine", "check", "--strict", archives.wheel, archives.sdist),
        *_checked_by("check_wheel_contents", archives.wheel),
    ]


def wheel_problems(names: Iterable[str], checkout: Iterable[str]) -> list[str]:
    """What a wheel with these files lacks, or has too many, when the checkout has these.

    It must hold the package, all of it, and what describes it; of the package, only kinds of files that are known.
    """
    held = {name for name in names if not name.split("/")[0].endswith(".dist-info")}
    wanted = {name.removeprefix("src/") for name in checkout if name.startswith("src/karat/")}
    unknown = {name for name in held if Path(name).suffix not in KINDS}
    return [
        *(f"{name}: not in the wheel" for name in sorted(wanted - held)),
        *(f"{name}: in the wheel, not in the checkout" for name in sorted(held - wanted)),
        *(f"{name}: a kind of file that the package has nowhere else" for name in sorted(unknown & wanted)),
    ]


def sdist_problems(names: Iterable[str], checkout: Iterable[str]) -> list[str]:
    """What an sdist with these files lacks, or has too many, when the checkout has these.

    It must hold what building, testing and reading about karat need, and nothing else.
    """
    held, there = set(names), set(checkout)
    wanted = {name for name in there if name.split("/")[0] in FOLDERS} | set(REQUIRED) | (there & set(OPTIONAL))
    return [
        *(f"{name}: not in the sdist" for name in sorted(wanted - held)),
        *(f"{name}: in the sdist, not meant to be" for name in sorted(held - wanted - set(ADDED))),
    ]


def _checked_by(module: str, *arguments: object) -> list[str]:
    """What a checker prints if it fails."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return [f"{module}: {done.stdout}{done.stderr}".strip()] if done.returncode else []
