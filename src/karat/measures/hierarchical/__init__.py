"""Measures of tags in a hierarchy, with several tags and probabilities [Melamed & Resnik 2000]."""
