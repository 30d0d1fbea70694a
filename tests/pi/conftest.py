"""The scripts here run on machines of their own, not with the other tests."""

collect_ignore_glob = ["*.py"]
