"""Every number that papers print, one module a paper: what is printed, what karat has, and why they differ.

A module has `published(evidence) -> Iterator[PublishedNumber]`, in the order of the paper, and the same rows whatever
evidence there is: without data, or without training, those that need it have no number of ours. `numbers` says what a
row is.
"""
