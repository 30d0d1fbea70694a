#!/bin/sh
# Make .venv in the repository with everything that is needed; with "dev", for the tests too.
# Run again, it skips what is already done. It names the packages it needs from apt before it asks
# for sudo.
set -eu
cd "$(dirname "$0")/../.."
wanted=${1:-}
python=${PYTHON:-python3}

need() { # need PACKAGE… : install what is missing, by name
    echo "mazziere: this needs the package(s) $* from your distribution"
    run=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "mazziere: as root: apt-get install $*" >&2; exit 1; }
        run=sudo
    fi
    $run apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $run apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

command -v "$python" >/dev/null || need python3
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "mazziere: this needs Python 3.11 or newer; found $("$python" --version)" >&2
    exit 1
}
"$python" -c 'import ensurepip, venv' 2>/dev/null || need python3-venv

if [ ! -x .venv/bin/python ]; then
    # On a Pi, the drivers of camera and pins come from the system.
    shared=
    "$python" -c 'import picamera2' 2>/dev/null && shared=--system-site-packages
    "$python" -m venv $shared .venv
fi
stamp=.venv/.made-from
now=$(cat pyproject.toml constraints.txt | cksum)${wanted:+ $wanted}
case "$(cat "$stamp" 2>/dev/null)" in "$now"*) ;; *)
    .venv/bin/python -m pip install --quiet --disable-pip-version-check \
        --constraint constraints.txt --editable ".${wanted:+[$wanted]}"
    echo "$now" >"$stamp"
esac
# The wheel of opencv-python links against these two.
.venv/bin/python -c 'import cv2' 2>/dev/null || need libgl1 libglib2.0-0
.venv/bin/python -c 'import cv2'
