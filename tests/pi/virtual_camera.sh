#!/bin/sh
# Depth 2: our Pi camera on the real picamera2 and the real libcamera, Python 3.13, with libcamera's
# virtual camera in place of a sensor. As root, on any Debian-like x86-64 or arm64 machine:
#
#     sudo sh tests/pi/virtual_camera.sh
#
# Makes a Debian trixie with picamera2, 1 GB, in a minute or two, and keeps it for the next run.
# shellcheck source=tests/pi/root.sh
. "$(dirname "$0")/root.sh"
root=$depths/trixie-camera

make_root trixie "$root"
mount_system "$root"
packages "$root" python3-libcamera libcamera-tools libcamera-ipa python3-numpy python3-prctl \
    python3-pip python3-venv gcc python3-dev libcap-dev
copy_project "$root"
if [ ! -e "$root/.venv-made" ]; then
    say "installing picamera2"
    # The system's numpy stays: picamera2's simplejpeg and libcamera share it with us.
    sed '/^numpy/d; /^packaging/d; /^typing_extensions/d' "$project/constraints.txt" \
        >"$root/constraints.txt"
    inside "$root" python3 -m venv --clear --system-site-packages /venv
    inside "$root" /venv/bin/pip install --quiet --use-pep517 --constraint /constraints.txt \
        picamera2 opencv-python-headless gpiozero
    touch "$root/.venv-made"
fi

# Two cameras: one shows colour bars, the other plays the JPEGs of a folder.
mkdir -p "$root/scene"
inside "$root" /venv/bin/python /project/pi/scene.py /scene
for folder in etc/libcamera usr/share/libcamera; do
    mkdir -p "$root/$folder/pipeline/virtual"
    cp "$here/virtual.yaml" "$root/$folder/pipeline/virtual/virtual.yaml"
done

# libcamera 0.4's virtual camera never fills in whether a picture is good (later versions do, and so
# do the Pi's own cameras): picamera2 then reads what the memory held before, considers every picture
# spoilt and returns none. Fresh memory holds zeros, which means good; a camera opened a second or
# third time gets used memory. So memory is handed out zeroed here: perturb=255 writes the
# complement.
zeroed=GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.perturb=255
status=0
for camera in Bars Table; do
    inside "$root" "$zeroed" PYTHONPATH=/project:/project/pi LIBCAMERA_LOG_LEVELS='*:FATAL' \
        timeout 300 /venv/bin/python /project/pi/try_camera.py "$camera" || status=1
done
verdict "depth 2, picamera2 on the virtual camera" $status
