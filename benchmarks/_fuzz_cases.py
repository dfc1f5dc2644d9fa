"""What one run of the fuzzer does, from its seed alone: a call, the files that are damaged, and other options."""

from __future__ import annotations

import random
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import click

from _fuzz_inputs import NO_FILE, Call, Inputs, kind_of
from _fuzz_mutations import ODD
from _fuzz_structures import damaged
from karat.cli import cli

_N_DAMAGES = (1, 1, 1, 1, 1, 1, 2, 3, 5, 25)
_NEVER = {"--open", "--scheduler", "--help", "--version", "--no-browser", "--port"}  # what would leave the process
_WORK = {
    "--resamples",
    "--permutations",
    "--splits",
    "--tokens",
    "--epochs",
    "--seeds",
    "--jobs",
    "--taggers",
    "--folds",
}
_WORK |= {"--documents", "--max-parses", "--timeout"}  # more of it is only more of the same
OUTPUTS = {
    "--output",
    "--worklist",
    "--svg",
    "--figures",
    "--report",
    "--log",
    "--export",
    "--per-sentence",
    "--adjudicated",
}
OUTPUTS |= {"--agreed", "--disagreements", "--write-exceptions", "-o"}
_TARGETS = (
    "out.tsv",
    "out.conllu",
    "out.gz",
    "out.xz",
    "missing/out.tsv",
    ".",
    "",
    "-",
    "gold.conllu",
    "golds",
    "x" * 300,
)
_SMALL = ("0", "1", "2", "3", "-1", "1.5", "", "x", "１", "07", " 1", "1e1")
_SECONDS = ("0", "0.1", "0.2", "-1", "", "x")
_NUMBERS = (*_SMALL, "10", "1000000", "99999999999999999999", "0.5", "0.999999", "1e-9", "nan", "inf", "-inf", "1e400")
_WORDS = (
    *(one for one in ODD if "\0" not in one),
    "all",
    "upos",
    "UPOS,LAS",
    "LAS",
    "upos+feats",
    "document",
    "sentence",
    "form",
    "head",
    "(",
    "(a",
    "[",
    "*",
    "NP*,",
)
_WORDS += (
    "ud",
    "nkjp",
    "penn",
    "most-frequent:suffixes=yes",
    "hmm:order=9",
    "hmm:",
    "perceptron:x=1",
    "YY=1,YN=0,NY=0,NN=0",
)
_WORDS += ("a=gold.conllu", "UPOS=0.5", "UPOS=x", "0.5pt", "5%", "matrix", "table1", "curve", "correlation", "list")


@dataclass(frozen=True)
class Case:
    """A call, what it is to find in files, and on standard input."""

    seed: int
    kind: str  # of the file that was damaged
    verb: str
    arguments: tuple[str, ...]
    changed: Mapping[str, bytes] = field(repr=False)
    stdin: bytes = field(default=b"", repr=False)
    is_compiled: bool = False  # as with much text, though there is little

    @property
    def asks_for_json(self) -> bool:
        """Whether the last word on the format is JSON."""
        pairs = zip(self.arguments, (*self.arguments[1:], ""), strict=True)
        formats = ["json" if one == "--json" else value for one, value in pairs if one in ("--json", "--format")]
        return formats[-1:] == ["json"]

    def __str__(self) -> str:
        return shlex.join(["karat", *self.arguments])


def case_of(seed: int, inputs: Inputs) -> Case:
    """The case with this seed."""
    rng = random.Random(f"karat {seed}")
    call, reads = _call(inputs, rng)
    arguments = [one.replace("{}", "new") for one in call.arguments]
    changed: Mapping[str, bytes] = {}
    kind, stdin = NO_FILE, b""
    if reads and rng.random() < 0.93:
        chosen = rng.choice(reads)
        kind = kind_of(chosen)[0]
        changed = _damaged_files(chosen, reads, inputs, rng)
        if rng.random() < 0.03 and chosen in arguments:
            arguments[arguments.index(chosen)], stdin = "-", changed[chosen]
    if kind == NO_FILE or rng.random() < 0.15:
        arguments = _other_arguments(arguments, inputs, rng)
    command, words = _command(arguments)
    if command is not None:
        for _ in range(rng.choice((1, 2, 3)) if kind == NO_FILE else rng.choice((0, 0, 0, 0, 1, 2))):
            arguments += _option(command, inputs, rng)
        arguments += _format(command, rng)
    verb = " ".join(words) or "none"
    return Case(seed, kind, verb, tuple(arguments), changed, stdin, rng.random() < 0.1)


def _call(inputs: Inputs, rng: random.Random) -> tuple[Call, Sequence[str]]:
    """A call, and those of its files that may be damaged; every second time, all kinds of files are equally likely."""
    if rng.random() < 0.5:
        kind = rng.choice(list(inputs.calls_by_kind))
        call = rng.choice(inputs.calls_by_kind[kind])
        while call.is_rare and rng.random() < 0.7:
            call = rng.choice(inputs.calls_by_kind[kind])
        return call, [name for name in call.reads if kind_of(name)[0] == kind]
    call = rng.choice(inputs.calls)
    while call.is_rare and rng.random() < 0.85:
        call = rng.choice(inputs.calls)
    return call, call.reads


def _damaged_files(chosen: str, reads: Sequence[str], inputs: Inputs, rng: random.Random) -> dict[str, bytes]:
    """The file with something wrong; now and then another one too, or all that are built alike with the same wrong.

    Files with the same wrong often still fit each other, so that karat gets beyond reading them.
    """
    chance = rng.random()
    if chance < 0.1:
        return {name: _damaged_file(name, inputs, rng) for name in sorted({chosen, rng.choice(reads)})}
    build, seed = kind_of(chosen)[1], rng.random()
    alike = [name for name in reads if kind_of(name)[1] == build] if chance < 0.3 else [chosen]
    return {name: _damaged_file(name, inputs, random.Random(seed)) for name in alike}


def _damaged_file(name: str, inputs: Inputs, rng: random.Random) -> bytes:
    data, build = inputs.files[name], kind_of(name)[1]
    alike = [inputs.files[one] for one in inputs.names_by_build[build]]
    others = [*rng.sample(alike, min(2, len(alike))), inputs.files[rng.choice(list(inputs.files))]]
    for _ in range(rng.choice(_N_DAMAGES)):
        data = damaged(data, build, rng, others)
    return data


def _other_arguments(arguments: Sequence[str], inputs: Inputs, rng: random.Random) -> list[str]:
    """The call with an argument more, less, elsewhere, or another file in place of one."""
    found = list(arguments)
    places = range(1, len(found))
    if not places:
        return found
    at = rng.choice(places)
    files = [place for place in places if found[place] in inputs.files]
    match rng.randrange(6):
        case 0:
            del found[at]
        case 1:
            found.insert(at, found[rng.choice(places)])
        case 2:
            other = rng.choice(places)
            found[at], found[other] = found[other], found[at]
        case 3:
            found[at] = rng.choice((*_WORDS, *_NUMBERS))
        case _ if files:
            found[rng.choice(files)] = _path(inputs, rng)
    return [one for one in found if one != "--open"]


def _path(inputs: Inputs, rng: random.Random) -> str:
    name = rng.choice(list(inputs.files))
    chance = rng.random()
    if chance < 0.7:
        return name
    odd = (
        "missing.conllu",
        ".",
        "",
        "-",
        "golds",
        "UD_One",
        "a-grid",
        "wordnet",
        "trees",
        f"{name},{name}",
        f"a={name}",
        f"{name}/x",
    )
    return rng.choice((*odd, "\udcff.conllu", "x" * 300, "~/x", f"./{name}", "/dev/null"))


def _command(arguments: Sequence[str]) -> tuple[click.Command | None, list[str]]:
    """The command that a call is for, and its name in words."""
    context = click.Context(cli)
    command: click.Command | None = cli
    words: list[str] = []
    for one in arguments:
        if not isinstance(command, click.Group):
            break
        inner = command.get_command(context, one)
        if inner is None:
            inner = command.get_command(context, "bounds") if words == ["noise"] else None
            return inner, words
        command, words = inner, [*words, one]
    return (None if isinstance(command, click.Group) else command), words


def _option(command: click.Command, inputs: Inputs, rng: random.Random) -> list[str]:
    """An option that the command has, with a value that fits it or does not."""
    options = [one for one in command.params if isinstance(one, click.Option) and not _NEVER & set(one.opts)]
    options = [one for one in options if "--format" not in one.opts and "--json" not in one.opts]
    if not options:
        return []
    one = rng.choice(options)
    flag = rng.choice(one.opts)
    if one.is_flag:
        return [flag]
    if isinstance(one.type, click.Choice):
        return [flag, rng.choice([*map(str, one.type.choices)] * 4 + ["x", ""])]
    if "--seconds" in one.opts:  # for each of some forty sentences
        return [flag, rng.choice(_SECONDS)]
    if _WORK & set(one.opts):
        return [flag, rng.choice(_SMALL)]
    if isinstance(one.type, (click.IntRange, click.FloatRange, click.types.IntParamType, click.types.FloatParamType)):
        return [flag, rng.choice(_NUMBERS)]
    if OUTPUTS & set(one.opts):
        return [flag, rng.choice(_TARGETS)]
    metavar = one.metavar or ""
    is_file = any(part in metavar for part in ("FILE", "DIR", "SYSTEM", "TRAIN", "CORPUS", "STATS", "MODEL", "json"))
    return [flag, _path(inputs, rng) if is_file and rng.random() < 0.75 else rng.choice((*_WORDS, *_NUMBERS))]


def _format(command: click.Command, rng: random.Random) -> list[str]:
    formats = [one for one in command.params if "--format" in one.opts]
    if not formats or rng.random() < 0.15:
        return []
    kind = formats[0].type
    assert isinstance(kind, click.Choice)
    return ["--format", "json" if rng.random() < 0.5 else rng.choice(list(kind.choices))]
