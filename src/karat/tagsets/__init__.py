"""Rich tags taken apart: which tagset cuts them how, and which values its categories have.

A tagset is described in TOML (docs/tagsets.md). karat ships some: `shipped()` names them, `read_tagset` reads one of
them or a description of your own.
"""

from karat.tagsets._description import read_tagset, shipped
from karat.tagsets._tag_parts import TagParts, tag_parts
from karat.tagsets._tagset import Slot, Tag, TagError, Tagset

__all__ = ["Slot", "Tag", "TagError", "TagParts", "Tagset", "read_tagset", "shipped", "tag_parts"]
