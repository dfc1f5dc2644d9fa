"""One format to another: any text as words with interpretations, made to fit a format, and what is lost on the way."""
