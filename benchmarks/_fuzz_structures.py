"""Seeded damage to what files are made of: CoNLL-U, bracketed trees, XML, JSON, TOML, model files, archives."""

from __future__ import annotations

import bz2
import copy
import gzip
import hashlib
import io
import json
import lzma
import random
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from _fuzz_mutations import ODD, damaged_bytes, damaged_fields, damaged_lines, damaged_words

_HEAD, _DEPS = 6, 8


def damaged(data: bytes, build: str, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """The file with one thing wrong; `build` says how it is built, `others` are files to mix it with."""
    if build.startswith("packed "):
        return _packed(data, build.removeprefix("packed "), rng, others)
    if build in _STRUCTURES and rng.random() < 0.55:
        return _STRUCTURES[build](data, rng)
    chance = rng.random()
    if chance < 0.05 and others:
        return _spliced(data, rng.choice(others), rng)
    if chance < 0.08 and build not in ("zip", "bytes"):
        return _cut_or_whole(rng.choice(_PACKERS)(data), rng)
    either = (damaged_bytes, damaged_bytes, damaged_lines, damaged_fields, damaged_words, damaged_words)
    return rng.choice(either)(data, rng)


def _spliced(data: bytes, other: bytes, rng: random.Random) -> bytes:
    """The beginning of one file and the end of another, or whole files behind each other."""
    if rng.random() < 0.3:
        return data + other
    first, second = data.splitlines(keepends=True), other.splitlines(keepends=True)
    at = rng.randrange(len(first) + 1)
    return b"".join(
        [*first[:at], *second[rng.randrange(len(second) + 1) :], *(first[at:] if rng.random() < 0.5 else ())]
    )


# ---- compressed files ------------------------------------------------------------------------------------------------

_PACKERS: Sequence[Callable[[bytes], bytes]] = (lambda data: gzip.compress(data, mtime=0), bz2.compress, lzma.compress)


def _packed(data: bytes, build: str, rng: random.Random, others: Sequence[bytes]) -> bytes:
    if rng.random() < 0.4:
        return damaged_bytes(data, rng)
    for number, unpack in enumerate((gzip.decompress, bz2.decompress, lzma.decompress)):
        try:
            text = unpack(data)
        except (OSError, lzma.LZMAError, zlib.error, EOFError, ValueError):
            continue
        return _cut_or_whole(_PACKERS[number](damaged(text, build, rng, others)), rng)
    return damaged_bytes(data, rng)


def _cut_or_whole(data: bytes, rng: random.Random) -> bytes:
    chance = rng.random()
    if chance < 0.2:
        return data[: rng.randrange(len(data) + 1)]
    return data + data if chance < 0.25 else data + b"garbage" if chance < 0.3 else data


# ---- CoNLL-U ---------------------------------------------------------------------------------------------------------


def _conllu(data: bytes, rng: random.Random) -> bytes:
    """IDs out of order, ranges and empty nodes that fit nothing, cycles, heads that are elsewhere."""
    lines = data.decode("utf-8", "replace").split("\n")
    words = [number for number, line in enumerate(lines) if line[:1].isdigit() and line.count("\t") == 9]
    if not words:
        return damaged_fields(data, rng)
    at, other = rng.choice(words), rng.choice(words)
    fields = lines[at].split("\t")
    new = rng.choice(
        ("0", "1", "2", "3", "1-2", "3-2", "1.1", "0.1", "0.0", "5-5", "2-", "1-99999", "2.9999999999", fields[0])
    )
    match rng.randrange(9):
        case 0:
            fields[0] = new
        case 1:
            fields[_HEAD] = rng.choice((fields[0], "99", "-1", "0", "_", "1.1", "１", "1 "))
        case 2:
            fields[_HEAD] = lines[other].split("\t")[0]
            back = lines[other].split("\t")
            back[_HEAD] = fields[0]
            lines[other] = "\t".join(back)
        case 3:
            fields[_DEPS] = rng.choice(
                (f"{fields[0]}:x", "0:root|0:root", "1.1:a", "99:a", ":", "1", "|", "1:a:b|0:", "_|_")
            )
        case 4:
            lines.insert(at, "\t".join([new, *"________", "_"]))
        case 5:
            fields[rng.randrange(1, 10)] = rng.choice(ODD).replace("\n", "")
        case 6:
            lines.insert(
                at,
                rng.choice(
                    ("# sent_id = x", "# newdoc id = ", "# newpar", "#", "# text", "# text = a  b", "# sent_id")
                ),
            )
        case 7:
            lines.insert(at, "")
        case _:
            fields[1] = rng.choice(
                (" ", "a b", "\u00a0", "\u3000", "_", "", "a" * 2000, "\u0301", "\U0001f468\u200d\U0001f469")
            )
    if lines[at].startswith(tuple("0123456789")) and lines[at].count("\t") == 9:
        lines[at] = "\t".join(fields)
    return "\n".join(lines).encode("utf-8", "surrogatepass")


# ---- bracketed trees -------------------------------------------------------------------------------------------------


def _brackets(data: bytes, rng: random.Random) -> bytes:
    """Brackets that are lost, added, empty, doubled, or very deep; labels and words that are odd."""
    parts = re.findall(rb"[()]|[^\s()]+|\s+", data)
    if not parts:
        return damaged_bytes(data, rng)
    at = rng.randrange(len(parts))
    deep = rng.choice((3, 50, 300, 5000, 40_000))
    odd = rng.choice(ODD).encode("utf-8", "surrogatepass")
    match rng.randrange(9):
        case 0:
            del parts[at]
        case 1:
            parts.insert(
                at, rng.choice((b"(", b")", b"()", b"(())", b"(S)", b"(S ())", b"(NP", b" x ", b"\n", b"\n\n"))
            )
        case 2:
            parts[at] = odd
        case 3:
            parts[at:at] = [b"(S " * deep, b"(NN x)", b")" * deep]
        case 4:
            parts.insert(at, rng.choice((b"(", b")")) * deep)
        case 5:
            parts[at:at] = [b"(-NONE- *)"] * rng.choice((1, 5))
        case 6:
            parts[at:at] = parts[rng.randrange(len(parts)) :][: rng.choice((1, 5, 200))]
        case 7:
            parts = (
                [part for part in parts if part.strip()]
                if rng.random() < 0.3
                else [p.replace(b" ", b"\n") for p in parts]
            )
        case _:
            labels = [number for number in range(1, len(parts)) if parts[number - 1] == b"("]
            if labels:
                parts[rng.choice(labels)] = odd
    return b"".join(parts)


# ---- XML -------------------------------------------------------------------------------------------------------------

_ENTITIES = (
    b'<!DOCTYPE a [<!ENTITY b "c">]>',
    b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:gold.conllu">]>',
    b'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>',
    b'<!DOCTYPE cesAna SYSTEM "xcesAnaIPI.dtd">',
    b'<?xml version="1.0" encoding="UTF-16"?>',
    b'<?xml version="1.1" encoding="nothing"?>',
    b"<?xml-stylesheet?>",
)


def _xml(data: bytes, rng: random.Random) -> bytes:
    """Elements that are lost, doubled, elsewhere, renamed or deep; entities; what is no text."""
    parts = re.findall(rb"<[^>]*>|[^<]+", data)
    tags = [number for number, part in enumerate(parts) if part.startswith(b"<")]
    if not tags:
        return damaged_bytes(data, rng)
    at, other = rng.choice(tags), rng.choice(tags)
    odd = rng.choice(ODD).encode("utf-8", "surrogatepass")
    match rng.randrange(10):
        case 0:
            del parts[at]
        case 1:
            parts.insert(other, parts[at])
        case 2:
            parts[at], parts[other] = parts[other], parts[at]
        case 3:
            parts[at] = re.sub(
                rb"\w+",
                rng.choice((b"x", b"tok", b"lex", b"ns", b"chunk", b"a:b", b"orth", b"sentence")),
                parts[at],
                count=1,
            )
        case 4:
            parts[at:at] = [
                rng.choice((b"&c;", b"&#0;", b"&#x110000;", b"&amp;", b"<![CDATA[a]]>", b"<!-- -- -->", b"]]>", odd))
            ]
        case 5:
            parts.insert(rng.choice((0, 1)), rng.choice(_ENTITIES))
        case 6:
            first, last = sorted((at, other))
            parts[at:at] = parts[first : last + 1]
        case 7:
            deep = rng.choice((20, 3000, 30_000))
            parts[at:at] = [b"<chunk>" * deep, b"</chunk>" * (deep if rng.random() < 0.6 else 0)]
        case 8:
            parts[at] = re.sub(rb'"[^"]*"', b'"' + odd + b'"', parts[at], count=1)
        case _:
            inner = [number for number, part in enumerate(parts) if not part.startswith(b"<")]
            if inner:
                parts[rng.choice(inner)] = odd
    return b"".join(parts)


# ---- JSON ------------------------------------------------------------------------------------------------------------

_VALUES: Sequence[Any] = (
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        3,
        2**31,
        2**63,
        -(2**63) - 1,
        10**400,
        0.5,
        -5.5,
        1e308,
        float("nan"),
        float("inf"),
    ),
    *(
        "",
        "x",
        "_",
        "<x>",
        "\x00",
        "\ud800",
        "\u2028",
        "a" * 5000,
        [],
        {},
        [None],
        [[]],
        [1, "a", None],
        {"a": 1},
        [[1], [2, 3]],
    ),
)


def changed_json(value: Any, rng: random.Random) -> Any:
    """A copy in which something is missing, of another type, elsewhere, or very deep."""
    found = copy.deepcopy(value)
    boxes = [one for one in _containers(found) if one]
    if not boxes:
        return rng.choice(_VALUES)
    box = rng.choice(boxes)
    keys = list(box) if isinstance(box, dict) else list(range(len(box)))
    key, other = rng.choice(keys), rng.choice(keys)
    match rng.randrange(9):
        case 0:
            del box[key]
        case 1:
            box[key], box[other] = box[other], box[key]
        case 2 if isinstance(box, dict):
            box[rng.choice((*map(str, range(3)), "x", "", "schema", "\ud800"))] = box.pop(key)
        case 3 if isinstance(box, list):
            box.insert(key, copy.deepcopy(box[other]))
        case 4:
            box[key] = [box[key]]
        case 5:
            box[key] = copy.deepcopy(
                rng.choice(rng.choice([list(one.values()) if isinstance(one, dict) else one for one in boxes]))
            )
        case 6 if isinstance(box[key], (int, float)):
            box[key] = rng.choice((-box[key], box[key] + 1, str(box[key]), box[key] * 10**6, float(box[key])))
        case _:
            box[key] = copy.deepcopy(rng.choice(_VALUES))
    return found


def _containers(value: Any) -> Iterator[Any]:
    if isinstance(value, (dict, list)):
        yield value
        for one in value.values() if isinstance(value, dict) else value:
            yield from _containers(one)


def _json(data: bytes, rng: random.Random) -> bytes:
    chance = rng.random()
    if chance < 0.04:
        deep = rng.choice((20, 900, 100_000))
        return b"[" * deep + data + b"]" * deep
    try:
        value = json.loads(data)
        for _ in range(rng.choice((1, 1, 1, 2, 6))):
            value = changed_json(value, rng)
        text = json.dumps(value, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    except (ValueError, OverflowError, RecursionError):  # damaged before: not JSON any more, or too deep
        return damaged_words(data, rng)
    return text.replace(b"{", b'{"schema": 1, ', 1) if chance > 0.97 else text


def _json_lines(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines()
    at = rng.randrange(len(lines)) if lines else 0
    return b"\n".join([*lines[:at], _json(lines[at], rng) if lines else b"", *lines[at + 1 :]]) + b"\n"


# ---- TOML ------------------------------------------------------------------------------------------------------------

_TOML = (
    *(
        '""',
        '"x"',
        "0",
        "-1",
        "1",
        "9" * 25,
        "9" * 400,
        "9" * 5000,
        "nan",
        "inf",
        "-inf",
        "1e400",
        "0.5",
        "true",
        "[]",
        "{}",
        "[[]]",
        '["a"]',
    ),
    *(
        "1979-05-27",
        "07:32:00",
        '{x = "y"}',
        '"\\u0000"',
        '"\\ud800"',
        "'''a\nb'''",
        "[1, 2, 3]",
        '[["a"], 1]',
        "0x10",
        '"*("',
        '"[a"',
    ),
    *(
        "[" * 400 + "]" * 400,
        "[" * 20_000,
        '"' + "a" * 3000 + '"',
        "{a = {a = {a = {a = 1}}}}",
        '"{train}"',
        '"a|b"',
        '"."',
    ),
)
_VALUE = re.compile(rb"(?<== )[^\n#]+")
_KEY = re.compile(rb"^[ \t]*[\w\"'.-]+(?= *=)|^\[++[^\[\]\n]++\]+", re.MULTILINE)


def _toml(data: bytes, rng: random.Random) -> bytes:
    """Values of other types, keys and tables that are lost, doubled or unknown."""
    values, keys = list(_VALUE.finditer(data)), list(_KEY.finditer(data))
    if not values or not keys:
        return damaged_words(data, rng)
    one, key = rng.choice(values), rng.choice(keys)
    match rng.randrange(6):
        case 0:
            return data[: one.start()] + rng.choice(values)[0] + data[one.end() :]
        case 1:
            new = rng.choice(
                (rng.choice(keys)[0], b"x", b'""', b'"a b"', b"a.b.c", b"[x]", b"[[x]]", b'["\\u0000"]', b"[a.b]")
            )
            return data[: key.start()] + new + data[key.end() :]
        case 2:
            return damaged_lines(data, rng)
        case 3:
            inner = list(re.finditer(rb'"[^"\n]*"', data))
            text = rng.choice(inner) if inner else one
            odd = json.dumps(rng.choice(ODD)).encode("utf-8", "surrogatepass")
            return data[: text.start()] + odd + data[text.end() :]
        case _:
            return data[: one.start()] + rng.choice(_TOML).encode() + data[one.end() :]


# ---- models and archives ---------------------------------------------------------------------------------------------


def _model(data: bytes, rng: random.Random) -> bytes:
    """A model with a right digest whose description, numbers or texts are others."""
    first, _, body = data.partition(b"\n")
    head, _, rest = body.partition(b"\n")
    if not first.startswith(b"karat/model/"):
        return damaged_bytes(data, rng)
    chance = rng.random()
    if chance < 0.5:
        head = _json(head, rng)
    elif chance < 0.9:
        for _ in range(rng.choice((1, 1, 4, 40))):
            rest = _other_number(rest, rng)
    else:
        rest = damaged_bytes(rest, rng)
    body = head + b"\n" + rest
    digest = hashlib.blake2b(body, digest_size=16).hexdigest().encode()
    return b"karat/model/1 " + digest + b"\n" + body


def _other_number(data: bytes, rng: random.Random) -> bytes:
    """Arrays in which one number, of four or eight bytes, is another."""
    size = rng.choice((4, 8))
    at = rng.randrange(max(len(data) - size, 1)) // 4 * 4
    new = rng.choice(
        (
            b"\x00" * size,
            b"\xff" * size,
            rng.randbytes(size),
            b"\x01" + b"\x00" * (size - 1),
            b"\x00" * (size - 2) + b"\xf0\x7f",
        )
    )
    return data[:at] + new + data[at + size :]


def _zip(data: bytes, rng: random.Random) -> bytes:
    """An archive of arrays in which a member is lost, renamed or damaged, with right checksums."""
    out = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            members = {name: packed.read(name) for name in packed.namelist()}
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, NotImplementedError, RuntimeError):
        members = {}
    if not members:  # damaged before
        return damaged_bytes(data, rng)
    name = rng.choice(list(members))
    match rng.randrange(4):
        case 0:
            del members[name]
        case 1:
            members[rng.choice(("x.npy", "../x.npy", "LAS.npy"))] = members.pop(name)
        case 2:
            members[name] = damaged_words(members[name], rng)
        case _:
            members[name] = damaged_bytes(members[name], rng)
    with zipfile.ZipFile(out, "w") as packed:
        for member, content in members.items():
            packed.writestr(zipfile.ZipInfo(member, (1980, 1, 1, 0, 0, 0)), content)
    return out.getvalue()


_STRUCTURES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "conllu": _conllu,
    "brackets": _brackets,
    "xml": _xml,
    "json": _json,
    "json lines": _json_lines,
    "toml": _toml,
    "model": _model,
    "zip": _zip,
    "table": damaged_fields,
}
