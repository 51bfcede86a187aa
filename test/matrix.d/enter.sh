# enter.sh: run a command in a root; bash, first process of a pid namespace, in
# a mount namespace of its own
#
#   enter.sh ROOT TMP ARCH [VARIABLE=VALUE...] COMMAND...
#
# In there, the root is read-only and TMP is /tmp; or, where TMP is "-", the root is as
# it is, and what the command writes stays in it.  The environment is only PATH and what
# is given here.
set -eu
root=$1 tmp=$2 arch=$3
shift 3

mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 dev "$root/dev"
for node in null zero full random urandom tty; do
    : >"$root/dev/$node"
    mount --bind "/dev/$node" "$root/dev/$node"
done
ln -s /proc/self/fd "$root/dev/fd"
mkdir -m 1777 "$root/dev/shm"
mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
mount -t tmpfs -o mode=755 run "$root/run"
[ "$tmp" = - ] || {
    mount --bind "$tmp" "$root/tmp"
    mount -o remount,bind,ro "$root"
}

as=
[ "$arch" != i386 ] || as=/usr/bin/linux32
# no exec: the first process has to bury the dead
chroot "$root" $as /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
