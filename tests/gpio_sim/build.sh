#!/usr/bin/env bash
# Builds a user-mode Linux with simulated GPIO chips from Debian's kernel source: build/uml/linux.
set -euo pipefail
cd "$(dirname "$0")/../.."
OUT="$PWD/build/uml"
DEBS="linux-source flex bison bc libelf-dev libssl-dev gcc libc6-dev make xz-utils"

if [ -x "$OUT/linux" ]; then exit 0; fi
if ! ls /usr/src/linux-source-*.tar.xz >/dev/null 2>&1 || ! command -v flex >/dev/null || ! command -v bc >/dev/null; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "The kernel's source is missing, and only root on Debian can install it: apt install $DEBS"; exit 1
  fi
  apt-get update -qq
  # shellcheck disable=SC2086
  apt-get install -y -qq --no-install-recommends $DEBS >/dev/null
fi

mkdir -p "$OUT/source"
if [ ! -e "$OUT/source/unpacked" ]; then  # one that was broken off goes on where it was
  tar -xf "$(ls /usr/src/linux-source-*.tar.xz | tail -1)" -C "$OUT/source" --strip-components=1
  touch "$OUT/source/unpacked"
fi
cd "$OUT/source"
make -s ARCH=um defconfig
for option in GPIOLIB GPIO_CDEV GPIO_SIM CONFIGFS_FS IRQ_SIM HOSTFS DEVTMPFS SYSFS PROC_FS TMPFS EVENTFD EPOLL; do
  ./scripts/config --enable "$option"
done
for option in NET EXT4_FS REISERFS_FS ISO9660_FS AUTOFS_FS QUOTA SOUND MODULES DEBUG_INFO SYSVIPC CGROUPS NAMESPACES; do
  ./scripts/config --disable "$option"  # not needed, and half of the time
done
make -s ARCH=um olddefconfig
grep -q '^CONFIG_GPIO_SIM=y' .config || { echo "this kernel has no simulated GPIO for user-mode Linux"; exit 1; }
nice make -s -j"$(getconf _NPROCESSORS_ONLN)" ARCH=um linux
cp linux "$OUT/linux"
rm -rf "$OUT/source"
