#!/bin/sh
# Make an update file for devices without a network, to be put on a stick:
#     sh firmware/install/bundle.sh FILE [all]
# On the device: sudo mazziere update FILE. With "all", everything the program needs from pip is
# packed too; make it then on a machine of the device's kind.
set -eu
cd "$(dirname "$0")/../.."
file=${1:?which file?}
wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
deps=--no-deps
[ "${2:-}" != all ] || deps="--constraint constraints.txt"
python=${PYTHON:-.venv/bin/python}
# shellcheck disable=SC2086 # the two words are two arguments
"$python" -m pip wheel --quiet --disable-pip-version-check $deps --wheel-dir "$wheels" ".[mqtt]"
exec "$python" firmware/install/shelf.py pack "$wheels" "$file"
