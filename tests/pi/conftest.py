"""What lies here runs in machines of its own, by its own scripts, not with the other tests."""

collect_ignore_glob = ["*.py"]
