# Runs a command as a container would, without Docker: bash container.sh <root of the image> <node> <command …>, as root, in namespaces of
# its own for mounts and processes. The command is the first process, its user is 1000 without any capability, and it may write to /tmp and
# /var/lib/restock alone. Programs and libraries of the system are those of this machine.
root=$1
node=$2
shift 2
mount --make-rprivate /
mount --bind "$root" "$root"
for name in bin dev etc lib lib64 sbin usr; do
  test -e "/$name" || continue
  mkdir -p "$root/$name"
  mount --rbind "/$name" "$root/$name"
done
mkdir -p "$root/proc" "$root/tmp" "$root/node"
touch "$root/node/node"
mount --bind "$node" "$root/node/node"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/tmp"
mount --bind "$root/var/lib/restock" "$root/var/lib/restock"
mount -o remount,bind,ro "$root"
exec chroot "$root" /usr/bin/setpriv --reuid=1000 --regid=1000 --clear-groups --inh-caps=-all --ambient-caps=-all --bounding-set=-all \
  --no-new-privs /usr/bin/env --chdir=/opt/restock PATH=/node:/usr/bin:/bin HOME=/home/node "$@"
