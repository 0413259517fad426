#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the AVX-512 kernels on any x86-64: Bochs emulates a PC, which boots Linux with one program. qemu has no AVX-512,
# and the emulated kernels of the other tests do not contain its instructions.
# usage: scripts/avx512.sh [ROUNDS]    a round has 5000 random answers a predicate and takes 20 seconds (default 2)
set -eu
cd "$(dirname "$0")/.."

rounds=${1-2}
build=build/avx512

quietly() {
    "$@" >$build/log 2>&1 </dev/null || {
        tail -n 40 $build/log
        echo "avx512: this failed: $*"
        exit 1
    }
}

# Unpacks Debian's kernel; installing it would make it this machine's kernel.
fetch_kernel() {
    package=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/^ *Depends: linux-image/linux-image/p')
    rm -rf $build/kernel
    mkdir $build/kernel
    quietly env -C $build/kernel apt-get download "${package:?unknown to apt, which may need apt-get update}"
    quietly dpkg -x $build/kernel/*.deb $build/kernel
    mv $build/kernel/boot/vmlinuz-* $build/cd/linux
}

# The program is static, so the machine needs nothing else but its kernel.
build_init() {
    quietly cmake -S . -B $build/cmake -G Ninja -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Release \
        -DABUT_BUILD_TESTS=OFF -DABUT_BUILD_EXAMPLES=OFF
    quietly cmake --build $build/cmake --target abut_command
    libraries=$(find $build/cmake -name 'libabut*.a')
    quietly gcc -std=c11 -O2 -Wall -Wextra -static -Iinclude -Isrc/cli tests/avx512/init.c \
        -Wl,--start-group $libraries -Wl,--end-group -lm -o $build/root/init
    (cd $build/root && echo init | cpio -o -H newc --quiet) >$build/cd/initrd
}

# Bochs reports a wrong save area for XSAVES and XSAVEC, and Linux then disables AVX; plain XSAVE works.
# If the program crashes, Linux panics and triple-faults at once, which ends Bochs.
make_cd() {
    options="console=ttyS0 loglevel=1 clearcpuid=xsaves,xsavec panic=-1 reboot=triple"
    options="$options nokaslr mitigations=off tsc=reliable"
    cp /usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/ldlinux.c32 $build/cd
    cat >$build/cd/isolinux.cfg <<END
default linux
label linux
  kernel linux
  append initrd=initrd $options -- $rounds
END
    quietly genisoimage -o $build/cd.iso -b isolinux.bin -c boot.cat -no-emul-boot -boot-load-size 4 \
        -boot-info-table $build/cd
}

# Of Debian's displays, only rfb (VNC) needs neither a screen nor a viewer.
make_machine() {
    cat >$build/bochsrc <<END
plugin_ctrl: speaker=0
config_interface: textconfig
display_library: rfb, options="timeout=0"
cpu: model=corei7_skylake_x, ips=100000000, reset_on_triple_fault=0
memory: guest=256, host=256
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
ata0-master: type=cdrom, path=$build/cd.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$build/serial
log: $build/bochs.log
panic: action=fatal
END
}

if [ "$(uname -m)" != x86_64 ]; then
    echo "avx512: this is $(uname -m), which has no AVX-512 kernels"
    exit 1
fi
scripts/setup.sh avx512
mkdir -p $build/cd $build/root
[ -s $build/cd/linux ] || fetch_kernel
build_init
make_cd
make_machine

# Debian's Bochs starts in its debugger, where c means continue. Its status is 1 even after a clean power-off.
: >$build/serial
echo c | timeout 3600 bochs -q -f $build/bochsrc >$build/log 2>&1 || :
tr -d '\r' <$build/serial >$build/lines
cat $build/lines
passed=$(grep -c '^passed: ' $build/lines) || :
failed=$(grep -c '^failed: ' $build/lines) || :
if ! grep -qx end $build/lines; then
    tail -n 5 $build/log
    echo "failed: the machine did not reach the end of its tests"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
