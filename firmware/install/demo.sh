#!/bin/sh
# Set everything up, then follow a game on the simulated table: mazziere demo ziginette.
set -eu
here=$(dirname "$0")
sh "$here/venv.sh"
exec "$here/../../.venv/bin/mazziere" demo "${@:-ziginette}"
