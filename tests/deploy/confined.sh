#!/bin/bash
# Runs a command as a container runtime would: in namespaces of its own (mounts, processes, network with 10.11.12.13 as its address),
# with a folder as its root, read-only but for what is bound writable, as a user without rights.
# usage: confined.sh ROOT USER DIRECTORY [bind SOURCE TARGET ro|rw]… -- [NAME=VALUE]… -- COMMAND…
# Called through `unshare --mount --net --pid --fork`; all of it vanishes with the last process.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin

root=$1 user=$2 directory=$3
shift 3
ip link set lo up
ip address add 10.11.12.13/32 dev lo
mount --bind "$root" "$root"

bind() { # source target mode
  local target=$root$2
  mkdir -p "$(dirname "$target")"
  if [[ -d $1 ]]; then mkdir -p "$target"; elif [[ ! -e $target ]]; then : >"$target"; fi
  mount --bind "$1" "$target"
  [[ $3 == rw ]] || mount -o remount,bind,ro "$target"
}
while [[ $1 == bind ]]; do
  bind "$2" "$3" "$4"
  shift 4
done
shift
for device in null zero full random urandom tty; do bind "/dev/$device" "/dev/$device" rw; done
mkdir -p "$root/proc"
mount -t proc proc "$root/proc"
mount -o remount,bind,ro "$root"

variables=()
while [[ $1 != -- ]]; do
  variables+=("$1")
  shift
done
shift
unshare=$(command -v unshare) setpriv=$(command -v setpriv)
exec env -i "${variables[@]}" "$setpriv" --no-new-privs \
  "$unshare" --root="$root" --wd="$directory" --setgid="${user#*:}" --setuid="${user%:*}" "$@"
