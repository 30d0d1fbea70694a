#!/bin/sh
# Depth 4: the program on arm64, emulated by qemu: it installs, imports, reads photographs with the
# same answers as on this machine, and deals a hand. As root, on a Debian-like x86-64 machine:
#
#     sudo sh tests/pi/arm64.sh [PHOTO…]
#
# Three pictures are drawn and read at all scales, more photographs can be named, and 24 are drawn
# and read at the one scale of a calibrated camera. Makes an arm64 Debian trixie, 1 GB, and keeps it
# for the next run. This says nothing about a Pi's speed: qemu is fifty to a hundred times slower,
# most of all in the networks; expect half an hour on an idle machine. TABLES=0 leaves out the 24
# (other numbers draw more or fewer), HANDS=0 the hand.
# shellcheck source=tests/pi/root.sh
. "$(dirname "$0")/root.sh"
root=$depths/trixie-arm64
need mmdebstrap mmdebstrap
need qemu-aarch64-static qemu-user-static
need proot proot

# Nothing is run while it is made: configuring a whole Debian takes qemu half an hour. base-files
# provides /proc, /bin and so on, and no other package requires it.
if [ ! -e "$root/.made" ]; then
    say "making an arm64 Debian trixie in $root"
    mkdir -p "$root"
    # shellcheck disable=SC2046 # no mirror means no word
    nice -n 5 mmdebstrap --quiet --variant=extract --arch=arm64 \
        --include=base-files,python3,python3-venv,libgl1,libglib2.0-0t64,coreutils,dash \
        trixie "$root" $(debian_mirror)
    echo root:x:0:0:root:/root:/bin/sh >"$root/etc/passwd"
    echo root:x:0: >"$root/etc/group"
    touch "$root/.made"
fi
connect "$root"
mkdir -p "$root/etc/ssl/certs"
cp "$root/etc/ssl/host.crt" "$root/etc/ssl/certs/ca-certificates.crt"

# The processor is a Pi 5's. For pip, which starts other programs, proot hands each of them to qemu
# without help from the kernel. Long runs under proot have crashed, so the program itself is run by
# qemu alone.
chroot=$(command -v chroot)
proot=$(command -v proot)
qemu=$(command -v qemu-aarch64-static)
cp "$qemu" "$root/qemu"
mount_system "$root"
processor="PATH=/venv/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 QEMU_CPU=cortex-a76"
# shellcheck disable=SC2086 # words
setting_up() {
    nice -n 5 env -i $processor $pip_settings \
        "$proot" -q "$qemu" -r "$root" -b /dev -b /proc -w / "$@"
}
# shellcheck disable=SC2086 # words
arm() { nice -n 5 env -i $processor "$chroot" "$root" /qemu /venv/bin/python3 "$@"; }

copy_project "$root"
stamp=$(cat "$project/pyproject.toml" "$project/constraints.txt" | cksum)
if [ "$(cat "$root/.venv-made" 2>/dev/null)" != "$stamp" ]; then
    say "making the environment"
    setting_up /usr/bin/python3 -m venv --clear /venv
    echo "$stamp" >"$root/.venv-made"
fi
status=0
say "pip install"
setting_up /venv/bin/pip install --quiet --no-compile --constraint /project/constraints.txt /project ||
    status=1
arm -I -c 'import platform, cv2, firmware, hardware, numpy, onnxruntime, rules, vision
print(f"imports on {platform.machine()}, Python {platform.python_version()}: NumPy {numpy.__version__},",
      f"OpenCV {cv2.__version__}, ONNX Runtime {onnxruntime.__version__}")' || status=1

# The same on this machine, with PYTHON or the environment that the tests use.
if [ -z "${PYTHON:-}" ]; then
    sh "$project/firmware/install/venv.sh"
    PYTHON=$project/.venv/bin/python
fi
here_run() { (cd "$project" && PYTHONPATH=$project nice -n 5 "$PYTHON" "$@"); }
pictures=$root/pictures
rm -rf "$pictures"
mkdir -p "$pictures"
here_run tests/pi/tables.py "$pictures"
for photo in "$@"; do cp "$photo" "$pictures/"; done
say "reading $(find "$pictures" -type f | wc -l) pictures, on $(uname -m) and on aarch64"
(cd "$pictures" && PYTHONPATH=$project nice -n 5 "$PYTHON" -m firmware read --json ./*) \
    >"$root/here.jsonl" || status=1
(cd "$pictures" && for each in *; do echo "/pictures/$each"; done) >"$root/pictures.list"
# shellcheck disable=SC2046 # words
arm -I -m firmware read --json $(cat "$root/pictures.list") >"$root/arm64.jsonl" || status=1
here_run tests/pi/same_answers.py "$root/here.jsonl" "$root/arm64.jsonl" || status=1

if [ "${TABLES:-24}" != 0 ]; then
    say "reading ${TABLES:-24} pictures of a calibrated camera on both"
    rm -rf "$root/tables"
    mkdir -p "$root/tables"
    here_run tests/pi/tables.py "$root/tables" "${TABLES:-24}"
    here_run tests/pi/read_tables.py "$root/tables" >"$root/here.jsonl" || status=1
    arm -I /project/pi/read_tables.py /tables >"$root/arm64.jsonl" || status=1
    here_run tests/pi/same_answers.py "$root/here.jsonl" "$root/arm64.jsonl" || status=1
fi

if [ "${HANDS:-1}" != 0 ]; then
    say "mazziere demo ziginette --headless --hands ${HANDS:-1}"
    arm -I -m firmware demo ziginette --headless --hands "${HANDS:-1}" || status=1
fi
verdict "depth 4, the program on arm64" $status
