"""What to cite for a result: the papers that define the methods that it used, and karat itself."""
