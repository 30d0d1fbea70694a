#!/bin/sh
# The first process of the user-mode kernel: GPIO lines like a Pi 5's, then the test, then off.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev 2>/dev/null
mount -t tmpfs run /run
mount -t tmpfs tmp /tmp
mount -t configfs none /sys/kernel/config

/venv/bin/python - <<'SEED'
import fcntl
import struct

seed = open("/seed", "rb").read(64)
with open("/dev/random", "wb") as random:
    fcntl.ioctl(random, 0x40085203, struct.pack("ii64s", 512, 64, seed))  # RNDADDENTROPY
SEED

chip=/sys/kernel/config/gpio-sim/pi
mkdir -p $chip/bank0
echo 54 >$chip/bank0/num_lines
echo pinctrl-rp1 >$chip/bank0/label
echo 1 >$chip/live

# gpiozero and we ask /proc/cpuinfo which board this is.
printf 'Revision\t: c04170\nModel\t: Raspberry Pi 5 Model B Rev 1.0\n' >/run/cpuinfo
mount --bind /run/cpuinfo /proc/cpuinfo

cd /run
PYTHONPATH=/project:/project/pi timeout 500 /venv/bin/python /project/pi/try_panel.py 2>&1
sync
echo o >/proc/sysrq-trigger
sleep 60
