#!/usr/bin/env bash
# Installs a table's hub as a service on Debian 12 or 13 (Raspberry Pi OS too), or updates it: run it again with a newer wheel.
#
#   sudo hub/deploy/install.sh citytable-0.2.0-py3-none-any.whl
#   sudo hub/deploy/install.sh citytable-0.2.0-py3-none-any.whl --screen --access-point "Table 1"
#
# The second one makes the computer a kiosk as well: see kiosk.sh. `--venue` makes it the desk of a venue
# (docs/howto/league-night.md).
#
# It brings what flashes and updates stations (the extra `maker`), and of all packages the versions that were tested with this
# wheel, which the wheel names.
# Every wheel gets a folder of its own in /opt/citytable/releases; /opt/citytable/.venv points to the one that runs. A new
# one that does not say within a minute that it is well is taken back, and the one before runs again with its own units; so
# it does when the installer is interrupted, killed, or cut off with the power (citytable-settle). What a newer release has made of the journal is put aside then if the one before could not read
# it, and the journal is as it was. `--root FOLDER` installs below a folder instead of /; with `--image` nothing is started and nothing of this machine is changed.
set -euo pipefail

stop() {
  echo "install.sh: $*" >&2
  exit 1
}

root= image= wheel= venue=
extras=maker
kiosk=() # the words for kiosk.sh
while [ $# -gt 0 ]; do
  case $1 in
    --root) root=${2:?--root needs a folder} && shift ;;
    --image) image=yes ;;
    --venue) venue=yes extras=maker,venue ;;
    --screen | --network) kiosk+=("$1") ;;
    --access-point) kiosk+=("$1" "${2:?--access-point needs a name}") && shift ;;
    *) wheel=$1 ;;
  esac
  shift
done
[ -f "$wheel" ] || stop "give the wheel of a release: install.sh citytable-0.2.0-py3-none-any.whl"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$root/opt/citytable
units=$root/etc/systemd/system
name=$(sha256sum "$wheel" | cut -c 1-16)${venue:+-venue}
update=$home/update # there as long as nobody knows whether the new release is well
journal=$root/var/lib/citytable/journal.sqlite3
kept=$journal.before-update
updating='' # from another release
settling='' # a process

constraints='import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    sys.stdout.write(wheel.read("citytable/constraints.txt").decode())'

fetch() { # a fresh system has no list of packages yet
  apt-get update -q && apt-get install -q -y --no-install-recommends "$@"
}

system() { # what the machine itself needs
  command -v mosquitto >/dev/null || [ -x /usr/sbin/mosquitto ] || fetch mosquitto
  python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' ||
    fetch python3-venv
  if [ -n "$venue" ] && ! { [ -x /usr/sbin/nats-server ] && command -v psql >/dev/null; }; then
    fetch postgresql nats-server
  fi
  systemctl disable --now mosquitto 2>/dev/null || true # the hub runs one of its own, on the same port
  getent passwd citytable >/dev/null || useradd --system --home-dir /var/lib/citytable --shell /usr/sbin/nologin citytable
}

unpack() { # the wheel's own environment; one that is not whole is made again
  local release=$home/releases/$name
  [ -f "$release/whole" ] && return
  rm -rf "$release"
  mkdir -p "$home/releases"
  python3 -m venv "$release"
  python3 -c "$constraints" "$wheel" >"$release/constraints.txt"
  "$release/bin/python" -m pip install -q --disable-pip-version-check --constraint "$release/constraints.txt" \
    "$(realpath "$wheel")[$extras]"
  touch "$release/whole"
}

switch_to() { # in one step: a power cut leaves the old one or the new one
  ln -sfn "releases/$1" "$home/.next"
  mv -T "$home/.next" "$home/.venv"
}

the_clone() { # the unit of 0.1.0 ran one here: its environment is the release before, found where its programs look for it
  [ ! -L "$home/.venv" ] || return 0
  if [ -d "$home/.venv" ]; then
    mkdir -p "$home/releases"
    mv -T "$home/.venv" "$home/releases/clone"
  fi
  [ ! -d "$home/releases/clone" ] || switch_to clone
}

settle() { # says what became of it
  "$here/citytable-settle" ${root:+--root "$root"} "$@"
}

begin_update() { # from here on, the release before comes back, whatever ends this, unless the new one says that it is well
  local fresh=$home/.update
  rm -rf "$fresh"
  mkdir -p "$fresh/files"
  echo "$before" >"$fresh/before"
  echo "$name" >"$fresh/name"
  [ -z "$(find "$units" -maxdepth 1 -name 'citytable*' -print -quit)" ] || cp -a "$units"/citytable* "$fresh/files/"
  sync -f "$home"
  mv -T "$fresh" "$update"
  sync -f "$home"
  updating=yes
}

keep_journal() { # as no hub is writing it: the one before may be unable to read what a newer one makes of it
  local suffix
  systemctl stop citytable || true
  rm -f "$kept" "$kept-wal" "$kept-shm"
  for suffix in -wal ''; do
    [ ! -f "$journal$suffix" ] || cp -a "$journal$suffix" "$kept$suffix"
  done
  [ ! -d "$root/var/lib/citytable" ] || sync -f "$root/var/lib/citytable"
  touch "$update/journal"
  sync -f "$home"
}

wait_for_settling() { # in the background: a signal to a shell is heard when what it waits for in front of it has ended
  settle 2>/dev/null & # or the service has done it
  settling=$!
  wait "$settling" || true
  settling=''
  echo "install.sh: $(cat "$home/settled")" >&2
}

at_the_end() { # also when the terminal is gone: what is said then may fail
  exec 9>&-
  [ -z "$settling" ] || kill "$settling" 2>/dev/null || true
  [ ! -f "$update/before" ] || settle --back || true
}

the_desk() { # the units of a venue, and the password of its desk, made up once
  local file=$root/etc/citytable/venue.env
  install -m 644 "$here/citytable-venue.service" "$here/citytable-venue-broker.service" "$units/"
  if [ ! -s "$file" ]; then
    (umask 077 && printf 'CITYTABLE_POSTGRESQL=dbname=venue\nCITYTABLE_VENUE_PASSWORD=%s\n' \
      "$(LC_ALL=C tr -dc 'a-z0-9' </dev/urandom | head -c 24 || true)" >"$file")
  fi
  [ -z "$image" ] || return 0
  chgrp citytable "$file" && chmod 640 "$file"
  install -d -o citytable -g citytable -m 700 "$root/var/lib/citytable-venue"
  systemctl disable --now nats-server 2>/dev/null || true # the venue's broker has its port
}

the_hub() { # its unit, and what settles an update
  mkdir -p "$root/etc/citytable" "$units" "$root/usr/local/bin" "$home/bin"
  ln -sfn /opt/citytable/.venv/bin/citytable "$root/usr/local/bin/citytable"
  install -m 755 "$here/citytable-settle" "$home/bin/.citytable-settle"
  mv -T "$home/bin/.citytable-settle" "$home/bin/citytable-settle" # it may be running
  install -m 644 "$here/citytable.service" "$here/citytable-settle.service" "$units/"
  [ -z "$venue" ] || the_desk
  if [ ${#kiosk[@]} -gt 0 ]; then
    "$here/kiosk.sh" ${root:+--root "$root"} ${image:+--image} "${kiosk[@]}"
  fi
}

[ -n "$image" ] || [ "$(id -u)" = 0 ] || stop "only root can install a service: sudo $0 $wheel"
[ -n "$image" ] || system
[ -n "$image" ] || [ ! -f "$update/before" ] || settle || true # one that was cut off
unpack
exec 9>"$home/.settling"
flock 9 # whoever settles an update waits until this is done, or dead
trap at_the_end EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 141' PIPE
trap 'exit 143' TERM
the_clone
before=$(basename "$(readlink "$home/.venv" 2>/dev/null || true)")
[ -n "$image" ] || [ -z "$before" ] || [ "$before" = "$name" ] || begin_update
the_hub
if [ -n "$image" ]; then
  switch_to "$name"
  echo "install.sh: installed release $name into $root" >&2
  exit
fi
if [ ${#kiosk[@]} = 0 ] && [ ! -f "$root/etc/citytable/plan.json" ]; then
  switch_to "$name"
  systemctl daemon-reload
  rm -rf "$update"
  echo "install.sh: installed. Put the table's plan into /etc/citytable/plan.json, then: systemctl enable --now citytable" >&2
  exit
fi
systemctl daemon-reload
systemctl enable citytable
if [ -n "$updating" ]; then
  systemctl start --no-block citytable-settle 9>&- # which goes on when this is killed
  keep_journal
fi
switch_to "$name"
systemctl restart citytable 9>&- || true # whether it is well is asked below
exec 9>&-
if [ -n "$updating" ]; then
  wait_for_settling
  [ "$(readlink "$home/.venv")" = "releases/$name" ] || exit 1
elif ! settle --ask; then # a first release, or the same one again
  stop "the hub does not say that it is well: journalctl -u citytable"
fi
[[ " ${kiosk[*]} " != *" --screen "* ]] || systemctl restart citytable-kiosk
[ -n "$updating" ] || echo "install.sh: release $name runs" >&2
