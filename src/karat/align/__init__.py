"""Putting a system's words beside the gold's, by characters, as the CoNLL 2018 shared task does."""

from karat.align._alignment import Alignment, align

__all__ = ["Alignment", "align"]
