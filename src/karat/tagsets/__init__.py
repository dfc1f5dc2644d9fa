"""Rich tags taken apart: which tagset cuts them how, and which values its categories have.

A tagset is described in TOML (docs/tagsets.md). karat ships some: `shipped()` names them, `read_tagset` reads one of
them or a description of your own. `read_tag_map` reads what tags are mapped to before they are compared.
"""

from karat.tagsets._description import read_tagset, shipped
from karat.tagsets._tag_map import TagMap, read_tag_map, shipped_maps, unmapped_warning
from karat.tagsets._tag_parts import TagParts, tag_parts
from karat.tagsets._tagset import Slot, Tag, TagError, Tagset

__all__ = ["Slot", "Tag", "TagError", "TagMap", "TagParts", "Tagset", "read_tag_map", "read_tagset", "shipped"]
__all__ += ["shipped_maps", "tag_parts", "unmapped_warning"]
