"""`python -m karat`."""

import sys

from karat.cli import main

if __name__ == "__main__":
    sys.exit(main())
