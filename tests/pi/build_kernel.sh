#!/bin/sh
# Builds a small user-mode Linux kernel with simulated GPIO lines in /kernel; run by gpio_kernel.sh.
set -eu

mkdir -p /kernel
cd /kernel
[ -e Makefile ] || tar xJf /usr/src/linux-source-*.tar.xz --strip-components=1
# 54 lines need an interrupt each, and user-mode Linux has only 64 in all.
sed -i 's/^#define NR_IRQS.*/#define NR_IRQS 256/' arch/um/include/asm/irq.h

make -s ARCH=um tinyconfig >/dev/null
wanted="64BIT PRINTK TTY BINFMT_ELF BINFMT_SCRIPT HOSTFS PROC_FS PROC_SYSCTL SYSFS TMPFS SHMEM
    DEVTMPFS DEVTMPFS_MOUNT CONFIGFS_FS GPIOLIB GPIO_CDEV GPIO_CDEV_V1 GPIO_SIM FUTEX EPOLL
    SIGNALFD TIMERFD EVENTFD POSIX_TIMERS HIGH_RES_TIMERS MULTIUSER FILE_LOCKING NET UNIX
    ADVISE_SYSCALLS MEMBARRIER RSEQ MAGIC_SYSRQ STDERR_CONSOLE STDIO_CONSOLE NULL_CHAN SSL
    UNIX98_PTYS INOTIFY_USER MEMFD_CREATE SYSVIPC POSIX_MQUEUE BASE_FULL BUG DNOTIFY NAMESPACES
    SLUB CC_OPTIMIZE_FOR_PERFORMANCE"
# What a panel does not need, above all the network, would be half of the work.
unwanted="INET IPV6 WIRELESS WLAN NETDEVICES ETHERNET ETHTOOL_NETLINK UDMABUF DMABUF_HEAPS
    CC_OPTIMIZE_FOR_SIZE SLOB"
for option in $wanted; do scripts/config --file .config -e "$option"; done
for option in $unwanted; do scripts/config --file .config -d "$option"; done
make -s ARCH=um olddefconfig >/dev/null
grep -q '^CONFIG_GPIO_SIM=y' .config
make -s ARCH=um -j"${JOBS:-1}" linux
strip -o /linux linux
