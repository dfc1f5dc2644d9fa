"""Corpus queries: the query languages of Poliqarp and CQP, and what queries mention of a tagset."""
