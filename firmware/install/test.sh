#!/bin/sh
# Set everything up, then run the tests on all cores. The long run: python -m tests.nightly
set -eu
cd "$(dirname "$0")/../.."
sh firmware/install/venv.sh dev
exec .venv/bin/python -m pytest -n auto --dist worksteal "$@"
