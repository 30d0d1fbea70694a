"""``python -m firmware`` is the same as ``mazziere``."""

from firmware.commands.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
