"""Seeded damage to files of any kind: to bytes, to lines, to the fields of lines, and to the words in them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

# What a field or a word becomes: what people, spreadsheets, other tools and attackers write.
ODD: Sequence[str] = (
    *(
        "",
        " ",
        "_",
        "-",
        "*",
        "|",
        "=",
        ":",
        "/",
        "#",
        "(",
        ")",
        '"',
        "'",
        "\\",
        "<",
        ">",
        "&",
        ".",
        ",",
        ";",
        "\t",
        "\n",
    ),
    *(
        "0",
        "-1",
        "1",
        "2",
        "3",
        "7",
        "99",
        "-0",
        "+1",
        "01",
        "1.5",
        "0.5",
        "1e3",
        "1e400",
        "-1e400",
        "1e-400",
        "nan",
        "NaN",
    ),
    *(
        "inf",
        "-inf",
        "Infinity",
        "2147483648",
        "-2147483649",
        "9223372036854775808",
        "1" * 30,
        "9" * 5000,
        "0x10",
        "1_000",
    ),
    *(
        "1-2",
        "2-1",
        "1-1",
        "3-99",
        "0.1",
        "2.1",
        "1.2.3",
        "0:root",
        "1:x|1:x",
        "5:a|3:b",
        "99:dep",
        "2.1:dep",
        "|||",
        "a=b|a=c",
    ),
    *(
        "\uff11",
        "\u00b2",
        "\u0663",
        "\U0001d7d9",
        "\u0660.\u0665",
        "\u2212" + "1",
        "1\u00a0",
        "\u00bd",
    ),  # digits of other kinds
    *(
        "\u2028",
        "\u2029",
        "\u0085",
        "\x0b",
        "\x0c",
        "\x1c",
        "\x00",
        "\ufeff",
        "\u202e",
        "\u200b",
        "\u0301",
        "\U0001f600",
    ),
    *("\ud7ff", "\ufffe", "\U0010ffff", "\x1b[31m", "\r", "\r\n", "\x7f", "İ", "ß", "ǅ", "é" * 300, "a" * 3000, "x y"),
    *(
        "true",
        "null",
        "None",
        "[]",
        "{}",
        "[[",
        "%s",
        "%n",
        "{}{}",
        "{0}",
        "$1",
        "../x",
        "~",
        "-o",
        "--json",
        "=1+1",
        "@",
    ),
)

_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\x00\x00")
_INVALID = (b"\xff", b"\x80", b"\xc3", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x80", b"\x00", b"\x1a")
_ENDS = (b"\n", b"\r\n", b"\r", b"\n\n", b"\r\r\n", b"\x0b", b"\x85", b"\xe2\x80\xa8", b"\xc2\x85")
_LONGEST = 400_000

Damage = Callable[[bytes, random.Random], bytes]


def damaged_bytes(data: bytes, rng: random.Random) -> bytes:
    """The file with bytes that are changed, lost, added, or moved."""
    return rng.choice(_OF_BYTES)(data, rng)


def damaged_lines(data: bytes, rng: random.Random) -> bytes:
    """The file with lines that are changed, lost, doubled, or moved."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return rng.choice(ODD).encode()
    place = rng.randrange(len(lines))
    other = rng.randrange(len(lines))
    first, last = sorted((place, other))
    match rng.randrange(12):
        case 0:
            del lines[place]
        case 10 | 11:
            return _few_blocks(data, rng)
        case 1:
            lines.insert(other, lines[place])
        case 2:
            lines[place], lines[other] = lines[other], lines[place]
        case 3:
            rng.shuffle(lines)
        case 4:
            del lines[first : last + 1]
        case 5:
            lines[place] = lines[place].rstrip(b"\r\n")
        case 6:
            lines.insert(place, rng.choice(_ENDS))
        case 7:
            lines[first:last] = lines[first:last][::-1]
        case 8:
            lines.insert(place, rng.choice(ODD).encode() + b"\n")
        case _:
            lines[place] = lines[place] * rng.choice((2, 3, 40))
    return b"".join(lines)


def _few_blocks(data: bytes, rng: random.Random) -> bytes:
    """The first blocks, or lines, of a file alone, once or several times: what is small, and what repeats itself."""
    ends = b"\n\n" if b"\n\n" in data else b"\n"
    kept = data.split(ends)[: rng.choice((1, 1, 2, 3, 5))] * rng.choice((1, 1, 1, 2, 20))
    return ends.join(kept) + ends


def damaged_fields(data: bytes, rng: random.Random) -> bytes:
    """The file with fields of one line, or one field of all lines, that are changed, lost, doubled, or swapped."""
    ends = rng.choice((b"\t", b"\t", b"\t", b" ", b",", b"|"))
    lines = data.split(b"\n")
    filled = [number for number, line in enumerate(lines) if ends in line]
    if not filled:
        return damaged_words(data, rng)
    n_fields = lines[rng.choice(filled)].count(ends) + 1
    places = rng.randrange(n_fields), rng.randrange(n_fields)
    what, odd = rng.randrange(8), rng.choice(ODD).encode("utf-8", "surrogatepass")
    chosen = filled if rng.random() < 0.15 else [rng.choice(filled)]
    source = lines[rng.choice(filled)].split(ends)
    for number in chosen:
        lines[number] = ends.join(_changed(lines[number].split(ends), places, what, odd, source))
    return b"\n".join(lines)


def _changed(fields: list[bytes], places: tuple[int, int], what: int, odd: bytes, source: list[bytes]) -> list[bytes]:
    place, other = (min(one, len(fields) - 1) for one in places)
    match what:
        case 0:
            del fields[place]
        case 1:
            fields.insert(other, fields[place])
        case 2:
            fields[place], fields[other] = fields[other], fields[place]
        case 3:
            fields[place] = source[min(place, len(source) - 1)]
        case 4:
            fields[place] = fields[place] + odd
        case _:
            fields[place] = odd
    return fields


_WORD = re.compile(rb"[^\s\t()\[\]{}<>=,:;|\"']+")
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def damaged_words(data: bytes, rng: random.Random) -> bytes:
    """The file with one word or number that is another one of the file, or something odd; or all of its kind are."""
    found = list((_NUMBER if rng.random() < 0.4 else _WORD).finditer(data))
    if not found:
        return damaged_bytes(data, rng)
    one = rng.choice(found)
    new = rng.choice(found)[0] if rng.random() < 0.35 else rng.choice(ODD).encode("utf-8", "surrogatepass")
    if rng.random() < 0.1 and len(new) * len(data) < 50 * _LONGEST:
        return data.replace(one[0], new)[:_LONGEST]
    return data[: one.start()] + new + data[one.end() :]


# ---- bytes -----------------------------------------------------------------------------------------------------------


def _flipped(data: bytes, rng: random.Random) -> bytes:
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 5, 50))):
        if found:
            found[rng.randrange(len(found))] ^= 1 << rng.randrange(8)
    return bytes(found)


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)] if rng.random() < 0.7 else data[rng.randrange(len(data) + 1) :]


def _gap(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data) + 1)
    return data[:start] + data[start + rng.choice((1, 1, 2, 8, 100, 1000)) :]


def _inserted(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    new = rng.choice((rng.choice(_INVALID), rng.choice(ODD).encode("utf-8", "surrogatepass"), rng.randbytes(3)))
    return data[:place] + new + data[place:]


def _begun(data: bytes, rng: random.Random) -> bytes:
    return rng.choice((*_BOMS, b"\n", b"\n\n\n", b" ", b"\x00", b"#!", b"\x1f\x8b\x08", b"PK\x03\x04")) + data


def _ended(data: bytes, rng: random.Random) -> bytes:
    return data.rstrip(b"\n") + rng.choice((b"", b"\r", b"\n\n\n\n", b" ", b"\x00", b"\x1a", b"\n#", b"\n\t", b"\xc3"))


def _other_ends(data: bytes, rng: random.Random) -> bytes:
    ends = rng.choice(_ENDS)
    if rng.random() < 0.3:
        return b"".join(rng.choice((b"\n", ends)) if one == 10 else bytes([one]) for one in data)
    return data.replace(b"\n", ends)


def _other_encoding(data: bytes, rng: random.Random) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(
        rng.choice(("utf-16", "utf-16-le", "utf-32", "cp1250", "latin-1", "utf-7", "utf-8-sig")), "replace"
    )


def _moved(data: bytes, rng: random.Random) -> bytes:
    start, stop = sorted((rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)))
    to = rng.randrange(len(data) + 1)
    return data[:to] + data[start:stop] + data[to:]


def _repeated(data: bytes, rng: random.Random) -> bytes:
    return (data * rng.choice((2, 3, 30)))[:_LONGEST]


def _long(data: bytes, rng: random.Random) -> bytes:
    """A word, an opening or a line that goes on and on."""
    place = rng.randrange(len(data) + 1)
    one = rng.choice(
        (b"a", b"9", b"(", b"[", b"{", b"<a>", b"\t", b" ", b"\n", b"\x00", "é".encode(), b"(S ", b"|a=b", b'"')
    )
    return data[:place] + one * rng.choice((200, 2000, 70_000)) + data[place:]


def _emptied(_: bytes, rng: random.Random) -> bytes:
    return rng.choice(
        (b"", b"\n", b" ", b"\x00", b"\n\n\n", b"\t\n", b"#", b"{}", b"[]", b"null", b"_", b"\xef\xbb\xbf")
    )


_OF_BYTES: Sequence[Damage] = (
    *(_flipped, _flipped, _cut, _cut, _gap, _inserted, _inserted, _inserted, _begun, _ended, _other_ends),
    *(_other_encoding, _moved, _repeated, _long, _emptied),
)
