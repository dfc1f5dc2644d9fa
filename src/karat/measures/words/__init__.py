"""Measures of words in columns: segmentation, tags, dependencies, enhanced graphs [CoNLL 2018 shared task]."""
