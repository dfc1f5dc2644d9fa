"""Relaxation labelling: words choose among their tags by what constraints say of the tags around, all at once.

[Padró & Màrquez 1998; Màrquez & Padró 1997] `tagger` is the tagger, `ngrams` has the constraints of kinds B and T,
`trees` and `growing` those of kind C, `stated` those that people write; `constraints` and `constraint_file` have what
all of them look like to a reader.
"""
