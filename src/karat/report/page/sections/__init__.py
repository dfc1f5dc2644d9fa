"""One module a kind of result: what its data say, as a section of a page."""
