#!/bin/sh
# Set everything up, then run the tests.
set -eu
cd "$(dirname "$0")/../.."
sh firmware/install/venv.sh dev
exec .venv/bin/python -m pytest "$@"
