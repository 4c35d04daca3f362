#!/usr/bin/env bash
# Installs a table's hub as a service on Debian 12 or 13 (Raspberry Pi OS too), or updates it: run it again with a newer wheel.
#
#   sudo hub/deploy/install.sh citytable-0.1.0-py3-none-any.whl
#   sudo hub/deploy/install.sh citytable-0.1.0-py3-none-any.whl --screen --access-point "Table 1"
#
# The second one makes the computer a kiosk as well: see kiosk.sh. `--venue` makes it the desk of a venue
# (docs/howto/league-night.md).
#
# It brings what flashes and updates stations (the extra `maker`), and of all packages the versions that were tested with this
# wheel, which the wheel names.
# Every wheel gets a folder of its own in /opt/citytable/releases; /opt/citytable/.venv points to the one that runs. A new
# one that does not say within a minute that it is well is taken back, and the one before runs again. `--root FOLDER`
# installs below a folder instead of /; with `--image` nothing is started and nothing of this machine is changed.
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
[ -f "$wheel" ] || stop "give the wheel of a release: install.sh citytable-0.1.0-py3-none-any.whl"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$root/opt/citytable
name=$(sha256sum "$wheel" | cut -c 1-16)${venue:+-venue}
health=http://127.0.0.1:8080/healthz
patience_s=${CITYTABLE_PATIENCE_S:-60}

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

is_well() {
  local second
  for second in $(seq "$patience_s"); do
    curl -fs "$health" >/dev/null && return
    [ "$second" = "$patience_s" ] || sleep 1
  done
  return 1
}

the_desk() { # the units of a venue, and the password of its desk, made up once
  local file=$root/etc/citytable/venue.env
  install -m 644 "$here/citytable-venue.service" "$here/citytable-venue-broker.service" "$root/etc/systemd/system/"
  if [ ! -s "$file" ]; then
    (umask 077 && printf 'CITYTABLE_POSTGRESQL=dbname=venue\nCITYTABLE_VENUE_PASSWORD=%s\n' \
      "$(LC_ALL=C tr -dc 'a-z0-9' </dev/urandom | head -c 24 || true)" >"$file")
  fi
  [ -z "$image" ] || return 0
  chgrp citytable "$file" && chmod 640 "$file"
  install -d -o citytable -g citytable -m 700 "$root/var/lib/citytable-venue"
  systemctl disable --now nats-server 2>/dev/null || true # the venue's broker has its port
}

[ -n "$image" ] || [ "$(id -u)" = 0 ] || stop "only root can install a service: sudo $0 $wheel"
[ -n "$image" ] || system
unpack
before=$(basename "$(readlink "$home/.venv" 2>/dev/null || true)")
switch_to "$name"
mkdir -p "$root/etc/citytable" "$root/etc/systemd/system" "$root/usr/local/bin"
ln -sfn /opt/citytable/.venv/bin/citytable "$root/usr/local/bin/citytable"
install -m 644 "$here/citytable.service" "$root/etc/systemd/system/citytable.service"
[ -z "$venue" ] || the_desk
if [ ${#kiosk[@]} -gt 0 ]; then
  "$here/kiosk.sh" ${root:+--root "$root"} ${image:+--image} "${kiosk[@]}"
fi
if [ -n "$image" ]; then
  echo "install.sh: installed release $name into $root" >&2
  exit
fi
systemctl daemon-reload
if [ ${#kiosk[@]} = 0 ] && [ ! -f "$root/etc/citytable/plan.json" ]; then
  echo "install.sh: installed. Put the table's plan into /etc/citytable/plan.json, then: systemctl enable --now citytable" >&2
  exit
fi
systemctl enable citytable
systemctl restart citytable || true # whether it is well is asked below
if is_well; then
  [[ " ${kiosk[*]} " != *" --screen "* ]] || systemctl restart citytable-kiosk
  echo "install.sh: release $name runs" >&2
  exit
fi
[ -n "$before" ] && [ "$before" != "$name" ] || stop "the hub does not say that it is well: journalctl -u citytable"
switch_to "$before"
systemctl restart citytable || true
is_well || stop "neither release $name nor release $before, which was taken back, says that it is well: journalctl -u citytable"
stop "release $name did not say within $patience_s s that it is well; release $before runs again: journalctl -u citytable"
