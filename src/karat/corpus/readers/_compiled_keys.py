"""Reading key files in one pass over the bytes, and finding names again: compiled, for large files.

Each function gives what its namesake in `_answer_parsing` and `key` gives with numpy.
"""

from __future__ import annotations

import math
import os

import numpy as np

from karat._arrays import Bytes, Flags, Floats, Ids, Indices, Words64
from karat._compiled import kernel, part_of_kernel
from karat.corpus.readers._compiled_bytes import eight_bytes

_NEWLINE, _SPACE, _MARK, _PLUS, _MINUS, _DOT, _SLASH, _ZERO, _NINE, _BIG_E, _E = 10, 32, *b"!+-./09Ee"
_IS_GAP = np.zeros(256, dtype=np.bool_)
_IS_GAP[[9, 11, 12, 13, _SPACE]] = True
_IS_PLAIN = ~_IS_GAP
_IS_PLAIN[[0, _NEWLINE, _MARK]] = (
    False  # a NUL is no text, so that the padding of a source ends all loops over its bytes
)
_LAST_EXACT_POWER = 22
_POWERS_OF_TEN = np.array([10.0**n for n in range(_LAST_EXACT_POWER + 1)])  # all that are floats
_EXACT = np.uint64(1 << 53)
_MOST_DIGITS = 19  # of numbers of 64 bits
_MOST_DIGITS_OF_EXPONENT = 3
_NO_DECIMAL = 1 << 20
_LOWEST_POWER, _HIGHEST_POWER = -60, 30
_HIGHEST_BIT = np.uint64(1 << 63)
_NEARLY_ALL = np.uint64((1 << 64) - 2)


def _power_of_five(power: int) -> tuple[int, int]:
    """128 bits of a power of five, cut off, and how far it was shifted for that."""
    five = 5 ** abs(power)
    shift = 128 - five.bit_length() if power >= 0 else 127 + five.bit_length()
    return (five << shift if power >= 0 else (1 << shift) // five), shift


_FIVES = [_power_of_five(power) for power in range(_LOWEST_POWER, _HIGHEST_POWER + 1)]
_FIVES_HIGH = np.array([five >> 64 for five, _ in _FIVES], dtype=np.uint64)
_FIVES_LOW = np.array([five & ((1 << 64) - 1) for five, _ in _FIVES], dtype=np.uint64)
_FIVES_SHIFT = np.array([shift for _, shift in _FIVES])
_MASKS = np.array([(1 << (8 * n)) - 1 for n in range(9)], dtype=np.uint64)  # keeps the first n of eight bytes
_ONES = np.uint64(0x0101010101010101)
_HIGHEST_BITS = np.uint64(0x8080808080808080)
_ABOVE_MARK = np.uint64(_MARK + 1) * _ONES
_BYTES_AT_ONCE = 1 << 18
_FOLD = np.uint64(29)
# the process's own, so that no file can be made whose names all come to the same slots
_KEY = np.uint64(int.from_bytes(os.urandom(8), "little") | 1)


def fields(text: Bytes, size: int, n_names: int) -> tuple[Ids, Ids, Indices, Ids]:
    """The names of every line that has any [2 × names × lines], the first place of each, and its tags [2 × tags]."""
    most_lines, most_fields = _bounds(text, size)
    places = np.empty(most_lines, dtype=np.int32)
    names = np.empty((2 * n_names, most_lines), dtype=np.int32)
    offsets = np.empty(most_lines + 1, dtype=np.intp)
    tags = np.empty((2, most_fields), dtype=np.int32)
    n_lines, n_tags = _fields(text, size, places, names, offsets, tags)
    return places[:n_lines], names[:, :n_lines], offsets[: n_lines + 1], tags[:, :n_tags]


def _bounds(text: Bytes, size: int) -> tuple[int, int]:
    """At most how many lines and fields there are."""
    n_newlines = n_gaps = 0
    for start in range(0, size, _BYTES_AT_ONCE):
        some = text[start : min(start + _BYTES_AT_ONCE, size)]
        n_newlines += int(np.count_nonzero(some == _NEWLINE))
        n_gaps += int(np.count_nonzero(some <= _SPACE))
    return n_newlines + 1, n_gaps + 1


@kernel
def _fields(text: Bytes, size: int, places: Ids, names: Ids, offsets: Indices, tags: Ids) -> tuple[int, int]:
    """Find the fields of all lines; how many lines there are that have any, and how many tags."""
    n_names = names.shape[0] // 2
    place = n_lines = n_tags = 0
    offsets[0] = 0
    while place < size:
        n_found = 0
        while True:
            while _IS_GAP[text[place]]:
                place += 1
            start = place
            place = _text_stop(text, place)
            if place > start:
                if n_found == 0:
                    places[n_lines] = start
                if n_found < n_names:
                    names[2 * n_found, n_lines], names[2 * n_found + 1, n_lines] = start, place
                else:
                    tags[0, n_tags], tags[1, n_tags] = start, place
                    n_tags += 1
                n_found += 1
            if text[place] == _MARK:
                while text[place] != _NEWLINE and place < size:
                    place += 1
            if text[place] == _NEWLINE or place >= size:
                break
        place += 1
        if n_found:
            for name in range(n_found, n_names):  # it is missing
                names[2 * name, n_lines] = names[2 * name + 1, n_lines] = names[2 * name - 1, n_lines]
            n_lines += 1
            offsets[n_lines] = n_tags
    return n_lines, n_tags


@part_of_kernel
def _text_stop(text: Bytes, place: int) -> int:
    """The place behind the field that begins at a place, if one does.

    Eight bytes are looked at together, as `_compiled_brackets` does: what ends a field is at most `!`.
    """
    while True:
        eight = eight_bytes(text, place)
        ends = ((eight - _ABOVE_MARK) & ~eight & _HIGHEST_BITS) >> np.uint64(7)
        if ends == 0:
            place += 8
            continue
        before_first = (ends & (~ends + np.uint64(1))) - np.uint64(1)  # eight ones for each byte before
        place += int(np.intp(((before_first & _ONES) * _ONES) >> np.uint64(56)))
        if not (_IS_PLAIN[text[place]] or (text[place] == _MARK and text[place + 1] != _MARK)):
            return place
        place += 1  # a control character, or a mark alone


@kernel
def plain_weights(text: Bytes, start: Ids, stop: Ids) -> tuple[Ids, Floats, Flags]:
    """Where each field's last slash is (its end if it has none), the plain decimal behind it, and where none is."""
    cut = np.empty(len(start), dtype=np.int32)
    weights = np.full(len(start), np.nan)
    is_other = np.zeros(len(start), dtype=np.bool_)
    for row in range(len(start)):
        place = stop[row] - 1
        while place >= start[row] and text[place] != _SLASH:
            place -= 1
        if place < start[row]:
            cut[row] = stop[row]
            continue
        cut[row] = place
        digits, exponent = _decimal(text, place + 1, stop[row])
        weight = _nearest_float(digits, exponent) if exponent < _NO_DECIMAL else -1.0
        if weight >= 0:
            weights[row] = weight
        else:
            is_other[row] = True
    return cut, weights, is_other


@part_of_kernel
def _decimal(text: Bytes, place: int, stop: int) -> tuple[np.uint64, int]:
    """The digits of a number without a sign, as one number, and the power of ten that they are times."""
    digits = np.uint64(0)
    n_digits = n_behind_dot = exponent = 0
    has_dot, has_digit = False, False
    while place < stop:
        byte = text[place]
        if byte == _DOT and not has_dot:
            has_dot = True
        elif _ZERO <= byte <= _NINE:
            has_digit = True
            digits = digits * np.uint64(10) + np.uint64(byte - _ZERO)
            n_digits += int(digits > 0)
            n_behind_dot += int(has_dot)
        else:
            break
        place += 1
    if not has_digit or n_digits > _MOST_DIGITS:
        return digits, _NO_DECIMAL
    if place < stop:
        if text[place] != _E and text[place] != _BIG_E:
            return digits, _NO_DECIMAL
        place += 1
        is_negative = text[place] == _MINUS
        place += is_negative or text[place] == _PLUS
        if not 0 < stop - place <= _MOST_DIGITS_OF_EXPONENT:
            return digits, _NO_DECIMAL
        while place < stop:
            if not _ZERO <= text[place] <= _NINE:
                return digits, _NO_DECIMAL
            exponent = exponent * 10 + int(text[place]) - _ZERO
            place += 1
        if is_negative:
            exponent = -exponent
    return digits, exponent - n_behind_dot


@part_of_kernel
def _nearest_float(digits: np.uint64, exponent: int) -> float:
    """The float nearest to digits times a power of ten; -1 where that takes more than is done here.

    What is below 2^53, times or by a power of ten that is a float, is rounded once, so rightly. Otherwise the digits
    are multiplied with 128 bits of a power of five, after Lemire (2021), Number parsing at a gigabyte per second. The
    product is too small by less than two units of its lowest bit: where these could change how it is rounded, we give
    up, and Python reads the number.
    """
    if digits < _EXACT and -_LAST_EXACT_POWER <= exponent <= _LAST_EXACT_POWER:
        power_of_ten = float(_POWERS_OF_TEN[abs(exponent)])
        return float(digits) / power_of_ten if exponent < 0 else float(digits) * power_of_ten
    if digits == 0:
        return 0.0
    if not _LOWEST_POWER <= exponent <= _HIGHEST_POWER:
        return -1.0
    n_shifted = 0
    while digits < _HIGHEST_BIT:
        digits <<= np.uint64(1)
        n_shifted += 1
    power = exponent - _LOWEST_POWER
    high, low = _product(digits, _FIVES_HIGH[power])
    more, _ = _product(digits, _FIVES_LOW[power])
    low += more
    high += np.uint64(low < more)
    n_below = np.uint64(11 if high >= _HIGHEST_BIT else 10)  # bits of it that a float does not hold
    rest = high & ((np.uint64(1) << n_below) - np.uint64(1))
    half = np.uint64(1) << (n_below - np.uint64(1))
    if (rest == half and low == 0) or (rest == half - np.uint64(1) and low >= _NEARLY_ALL):
        return -1.0
    number = float((high >> n_below) + np.uint64(rest >= half))
    return math.ldexp(number, int(n_below) + 128 - n_shifted + exponent - int(_FIVES_SHIFT[power]))


@part_of_kernel
def _product(one: np.uint64, other: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The product of two numbers of 64 bits: its upper and its lower half."""
    half, lower = np.uint64(32), np.uint64(0xFFFFFFFF)
    a, b, c, d = one >> half, one & lower, other >> half, other & lower
    middle = (b * d >> half) + (a * d & lower) + (b * c & lower)
    return a * c + (a * d >> half) + (b * c >> half) + (middle >> half), one * other


# ---- names


def first_with_same_name(text: Bytes, start: Ids, stop: Ids, types: Ids) -> Ids:
    """For each name the first one with the same type and the same bytes."""
    return _claimed(text, start, stop, types)[1]


def matches(
    text: Bytes,
    start: Ids,
    stop: Ids,
    types: Ids,
    their_text: Bytes,
    their_start: Ids,
    their_stop: Ids,
    their_types: Ids,
) -> Ids:
    """For each of their names the first of ours with the same type and the same bytes, or -1."""
    slots, _ = _claimed(text, start, stop, types)
    return _found(text, start, stop, types, their_text, their_start, their_stop, their_types, _KEY, slots)


def _claimed(text: Bytes, start: Ids, stop: Ids, types: Ids) -> tuple[Words64, Ids]:
    """A table of names, twice as large as they are many at least, and for each the first that is the same."""
    slots = np.zeros(1 << (len(start).bit_length() + 1), dtype=np.uint64)
    first = np.empty(len(start), dtype=np.int32)
    _claim(text, start, stop, types, _KEY, slots, first)
    return slots, first


@kernel
def _claim(text: Bytes, start: Ids, stop: Ids, types: Ids, key: np.uint64, slots: Words64, first: Ids) -> None:
    """Give each name a slot, the first to come keeping it.

    A slot holds half of the hash and the row, from 1: the table is looked at in places that are far apart, and what is
    compared should lie there.
    """
    last_slot = len(slots) - 1
    for row in range(len(start)):
        mixed = _hash(text, start[row], stop[row], types[row], key)
        slot = np.intp(mixed >> np.uint64(32)) & last_slot
        half = mixed << np.uint64(32)
        first[row] = row
        while slots[slot] != 0:
            if (slots[slot] ^ half) >> np.uint64(32) == 0:
                other = np.intp(slots[slot] & np.uint64(0xFFFFFFFF)) - 1
                if types[other] == types[row] and _same(text, start[row], stop[row], text, start[other], stop[other]):
                    first[row] = other
                    break
            slot = (slot + 1) & last_slot
        if slots[slot] == 0:
            slots[slot] = half | np.uint64(row + 1)


@kernel
def _found(
    text: Bytes,
    start: Ids,
    stop: Ids,
    types: Ids,
    their_text: Bytes,
    their_start: Ids,
    their_stop: Ids,
    their_types: Ids,
    key: np.uint64,
    slots: Words64,
) -> Ids:
    last_slot = len(slots) - 1
    found = np.full(len(their_start), -1, dtype=np.int32)
    for row in range(len(their_start)):
        name = their_start[row], their_stop[row]
        mixed = _hash(their_text, name[0], name[1], their_types[row], key)
        slot = np.intp(mixed >> np.uint64(32)) & last_slot
        half = mixed << np.uint64(32)
        while slots[slot] != 0:
            if (slots[slot] ^ half) >> np.uint64(32) == 0:
                other = np.intp(slots[slot] & np.uint64(0xFFFFFFFF)) - 1
                if types[other] == their_types[row] and _same(
                    their_text, name[0], name[1], text, start[other], stop[other]
                ):
                    found[row] = other
                    break
            slot = (slot + 1) & last_slot
    return found


@part_of_kernel
def _hash(text: Bytes, start: int, stop: int, type_: int, key: np.uint64) -> np.uint64:
    """A number for a name of a type, equal for equal bytes and hardly ever for others."""
    mixed = np.uint64(type_ + 1) * key
    place = start
    while place < stop:
        mask: np.uint64 = _MASKS[min(stop - place, 8)]
        mixed = (mixed ^ (mixed >> _FOLD) ^ (eight_bytes(text, place) & mask)) * key
        place += 8
    mixed ^= mixed >> np.uint64(32)
    return mixed * key


@part_of_kernel
def _same(text: Bytes, start: int, stop: int, their_text: Bytes, their_start: int, their_stop: int) -> bool:
    """Whether two names have the same bytes."""
    if stop - start != their_stop - their_start:
        return False
    place = start
    while place < stop:
        differ = eight_bytes(text, place) ^ eight_bytes(their_text, their_start + place - start)
        mask: np.uint64 = _MASKS[min(stop - place, 8)]
        if differ & mask:
            return False
        place += 8
    return True
