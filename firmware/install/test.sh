#!/bin/sh
# Set everything up, then run the tests on all cores. The long run: python -m tests.nightly
# One worker more than there are cores, as some tests wait for a browser, a broker or a killed
# process; each costs ten seconds to begin with. With every core busy, OpenCV's own threads would
# only cost time: a tenth of it on pictures. Compiled files are kept: many tests start the program
# anew.
set -eu
cd "$(dirname "$0")/../.."
sh firmware/install/venv.sh dev
unset PYTHONDONTWRITEBYTECODE
workers=$(($(getconf _NPROCESSORS_ONLN) + 1))
export OPENCV_FOR_THREADS_NUM=1
# Journals are synced thousands of times, which takes no time in memory. The files of failed tests
# stay until the next run.
memory=/dev/shm
if [ -w "$memory" ] && [ "$(df -Pk "$memory" | awk 'NR == 2 { print $4 }')" -gt 1000000 ]; then
    export TMPDIR="$memory/mazziere-tests-$(id -u)"
    mkdir -p "$TMPDIR"
fi
exec .venv/bin/python -m pytest -n "$workers" --dist worksteal "$@"
