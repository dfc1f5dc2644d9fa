"""Where the gold is wrong: suspects by repeats and by a tagger's doubts; versions compared; leaks."""
