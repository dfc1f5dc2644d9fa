"""`karat` and `python -m karat`."""

import sys

INTERRUPTED = 130


def main() -> int:
    """Run karat and return its exit code; an interruption while karat is still being loaded is one like any other."""
    try:
        from karat.cli import main as run

        return run()
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
