#!/bin/sh
# Runs our Pi camera on the real picamera2 and the real libcamera, with libcamera's virtual camera
# in place of a sensor. As root, on any Debian-like x86-64 or arm64 machine with debootstrap:
#
#     tests/pi/virtual_camera.sh [FOLDER]
#
# FOLDER (/var/tmp/mazziere-trixie) becomes a small Debian trixie, 0.8 GB, kept for the next run.
# Takes two to five minutes the first time and seconds later. Exit status 0 if all is well.
set -eu

root=${1:-/var/tmp/mazziere-trixie}
mirror=${MIRROR:-http://deb.debian.org/debian}
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)

inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"; }

if [ ! -e "$root/.system" ]; then
    debootstrap --variant=minbase trixie "$root" "$mirror"
    touch "$root/.system"
fi

for place in proc dev; do
    mountpoint -q "$root/$place" || mount --bind "/$place" "$root/$place"
done
trap 'umount "$root/proc" "$root/dev"' EXIT

if [ ! -e "$root/.packages" ]; then
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/fast"
    inside dpkg --configure -a  # after a run that was interrupted
    inside DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        python3-libcamera libcamera-tools libcamera-ipa python3-numpy \
        python3-prctl python3-pip python3-venv python3-gpiozero gcc python3-dev libcap-dev
    touch "$root/.packages"
fi

# The machine's own settings for packages, if it has any, hold inside too.
for file in /etc/pip.conf "$HOME/.config/pip/pip.conf" "$HOME/.pip/pip.conf"; do
    [ ! -e "$file" ] || cp "$file" "$root/etc/pip.conf"
done
mkdir -p "$root/etc/ssl"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/host.crt"
if [ ! -e "$root/.venv-ready" ]; then
    inside python3 -m venv --system-site-packages /venv
    inside env PIP_CERT=/etc/ssl/host.crt PIP_INDEX_URL="${PIP_INDEX_URL:-}" sh -c \
        '[ -n "$PIP_INDEX_URL" ] || unset PIP_INDEX_URL; /venv/bin/pip install picamera2 opencv-python-headless'
    touch "$root/.venv-ready"
fi

# Two cameras: colour bars, and one that plays the JPEGs of a folder.
mkdir -p "$root/etc/libcamera/pipeline/virtual" "$root/scene" "$root/project"
rm -rf "$root/project/hardware" "$root/project/pi"
cp -r "$project/hardware" "$root/project/hardware"
cp -r "$here" "$root/project/pi"
inside /venv/bin/python /project/pi/scene.py /scene
for folder in etc/libcamera usr/share/libcamera; do
    mkdir -p "$root/$folder/pipeline/virtual"
    cp "$here/virtual.yaml" "$root/$folder/pipeline/virtual/virtual.yaml"
done

for camera in Bars Table; do
    inside env PYTHONPATH=/project:/project/pi LIBCAMERA_LOG_LEVELS='*:FATAL' \
        /venv/bin/python /project/pi/try_camera.py "$camera"
done
