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
# one that does not say within a minute that it is well is taken back, and the one before runs again; so it does when the
# installer is interrupted. What a newer release has made of the journal is put aside then if the one before could not read
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
[ -f "$wheel" ] || stop "give the wheel of a release: install.sh citytable-0.1.0-py3-none-any.whl"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=$root/opt/citytable
name=$(sha256sum "$wheel" | cut -c 1-16)${venue:+-venue}
health=${CITYTABLE_HEALTH:-http://127.0.0.1:8080/healthz}
patience_s=${CITYTABLE_PATIENCE_S:-60}
journal=$root/var/lib/citytable/journal.sqlite3
kept=$journal.before-update
before=''    # the release to go back to
unsettled='' # as long as nobody knows whether the new release is well
copied=''    # when `kept` is the journal of this update

constraints='import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    sys.stdout.write(wheel.read("citytable/constraints.txt").decode())'

ask='import sys, urllib.request
urllib.request.build_opener(urllib.request.ProxyHandler({})).open(sys.argv[1], timeout=5)'

version='import pathlib, sqlite3, sys
journal = sqlite3.connect(pathlib.Path(sys.argv[1]).absolute().as_uri() + "?mode=ro", uri=True)
print(*journal.execute("PRAGMA user_version").fetchone())'

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
  local until=$((SECONDS + patience_s - 1))
  while ! python3 -c "$ask" "$health" 2>/dev/null; do
    [ "$SECONDS" -lt "$until" ] || return 1
    sleep 1
  done
}

keep_journal() { # as no hub is writing it: the one before may be unable to read what a newer one makes of it
  local suffix
  systemctl stop citytable || true
  rm -f "$kept" "$kept-wal" "$kept-shm"
  for suffix in '' -wal; do
    [ ! -f "$journal$suffix" ] || cp -a "$journal$suffix" "$kept$suffix"
  done
  copied=yes
}

take_back() { # nobody may interrupt that
  local suffix
  trap '' HUP INT TERM PIPE
  unsettled=
  systemctl stop citytable || true
  switch_to "$before"
  if [ -n "$copied" ] && [ -f "$kept" ] &&
    [ "$(python3 -c "$version" "$journal" 2>/dev/null)" != "$(python3 -c "$version" "$kept" 2>/dev/null)" ]; then
    for suffix in '' -wal -shm; do
      [ ! -f "$journal$suffix" ] || mv "$journal$suffix" "$journal.of-$name$suffix"
    done
    for suffix in '' -wal; do
      [ ! -f "$kept$suffix" ] || cp -a "$kept$suffix" "$journal$suffix"
    done
  fi
  systemctl restart citytable || true # whether it is well is asked by those who can wait for it
  trap - HUP INT TERM PIPE
}

at_the_end() { # also when the terminal is gone: what is said then may fail
  [ -n "$unsettled" ] || return 0
  take_back || true
  echo "install.sh: interrupted before release $name said that it is well; release $before was started again" >&2 || true
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
trap at_the_end EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 141' PIPE
trap 'exit 143' TERM
before=$(basename "$(readlink "$home/.venv" 2>/dev/null || true)")
[ -n "$image" ] || [ -z "$before" ] || [ "$before" = "$name" ] || unsettled=yes
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
  unsettled=
  echo "install.sh: installed. Put the table's plan into /etc/citytable/plan.json, then: systemctl enable --now citytable" >&2
  exit
fi
systemctl enable citytable
[ -z "$unsettled" ] || keep_journal
systemctl restart citytable || true # whether it is well is asked below
if is_well; then
  unsettled=
  [[ " ${kiosk[*]} " != *" --screen "* ]] || systemctl restart citytable-kiosk
  echo "install.sh: release $name runs" >&2
  exit
fi
[ -n "$unsettled" ] || stop "the hub does not say that it is well: journalctl -u citytable"
take_back
is_well || stop "neither release $name nor release $before, which was taken back, says that it is well: journalctl -u citytable"
stop "release $name did not say within $patience_s s that it is well; release $before runs again: journalctl -u citytable"
