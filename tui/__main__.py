"""``python -m veracite.tui``."""

import sys

from veracite.tui.cli import main

if __name__ == "__main__":
    sys.exit(main())
