"""The review page: a local page on which people judge a worklist, and the store that keeps what they decide."""
