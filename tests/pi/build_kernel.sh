#!/bin/sh
# Builds a small user-mode Linux kernel with simulated GPIO lines; run by gpio_kernel.sh.
set -eu

mkdir -p /kernel
cd /kernel
[ -e Makefile ] || tar xJf /usr/src/linux-source-6.12.tar.xz --strip-components=1
# 54 lines want an interrupt each, and user-mode Linux numbers only 64 for everything.
sed -i 's/^#define NR_IRQS.*/#define NR_IRQS 256/' arch/um/include/asm/irq.h

make ARCH=um tinyconfig
wanted="64BIT PRINTK TTY BINFMT_ELF BINFMT_SCRIPT HOSTFS PROC_FS PROC_SYSCTL SYSFS TMPFS SHMEM
    DEVTMPFS DEVTMPFS_MOUNT CONFIGFS_FS GPIOLIB GPIO_CDEV GPIO_CDEV_V1 GPIO_SIM FUTEX EPOLL
    SIGNALFD TIMERFD EVENTFD POSIX_TIMERS HIGH_RES_TIMERS MULTIUSER FILE_LOCKING NET UNIX INET
    ADVISE_SYSCALLS MEMBARRIER RSEQ MAGIC_SYSRQ STDERR_CONSOLE STDIO_CONSOLE NULL_CHAN SSL
    UNIX98_PTYS INOTIFY_USER MEMFD_CREATE SYSVIPC POSIX_MQUEUE BASE_FULL BUG DNOTIFY NAMESPACES
    CC_OPTIMIZE_FOR_PERFORMANCE"
unwanted="UDMABUF DMABUF_HEAPS CC_OPTIMIZE_FOR_SIZE SLUB_TINY"
for option in $wanted; do scripts/config --file .config -e "$option"; done
for option in $unwanted; do scripts/config --file .config -d "$option"; done
make ARCH=um olddefconfig
grep -q '^CONFIG_GPIO_SIM=y' .config
make ARCH=um -j"$JOBS" linux
