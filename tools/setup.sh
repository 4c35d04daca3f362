#!/usr/bin/env bash
# Sets up what the Makefile's targets need, one step per call:
#
#   tools/setup.sh packages        what running needs, in .venv
#   tools/setup.sh packages-dev    and what tests and checks need
#   tools/setup.sh screens-tools   what building the screens needs, in dashboard/node_modules
#   tools/setup.sh screens         the screens, from dashboard/ into hub/citytable/views/static
#   tools/setup.sh screens-check   the types of the screens (shown, not kept)
#   tools/setup.sh screens-test    the tests of the screens (shown, not kept)
#   tools/setup.sh micropython     the MicroPython VMs that the tests run the firmware on, in tests/micropython/node_modules
#   tools/setup.sh home-assistant  a Home Assistant core for its tests, in tests/home_assistant/.venv
#   tools/setup.sh system          mosquitto, Chromium and others for the tests, through apt where that is allowed
#   tools/setup.sh system-soak     OBS and a screen in memory for a soak, in the same way
#
# The Makefile decides when a step is due. Each step says one line when it starts, keeps its long output in
# var/setup/<step>.log, and on failure says in one sentence what went wrong and what to do.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

UV_VERSION=0.13.8 # the one that wrote uv.lock; an older uv on the PATH is left alone and not used
NODE_LEAST=20.19.0 # what the bundler of the screens asks for
LEAN_CHROMIUM=chromium-headless-shell # it has no windows and does the same with half the work, where apt knows it
CERTIFICATES=/etc/ssl/certs/ca-certificates.crt
LOGS=var/setup

say() { printf 'citytable: %s\n' "$*" >&2; }

stop() {
  say "$*"
  exit 1
}

# version_reaches 0.13.9 0.13.8: whether the first version is the second or a later one
version_reaches() {
  [ "$(printf '%s\n%s\n' "$2" "$1" | sort --version-sort | head -n 1)" = "$2" ]
}

# why LOG: the one sentence for what stands in a failed step's log
why() {
  if grep -qiE 'no space left|ENOSPC|disk quota' "$1"; then
    echo "the disk is full: free a gigabyte and run the same command again"
  elif grep -qiE 'UnknownIssuer|certificate verify|self.signed|UNABLE_TO_(GET_ISSUER|VERIFY)' "$1"; then
    echo "this network shows certificates that this machine does not trust: install ca-certificates (and your network's own certificate), or use another network"
  elif grep -qiE 'error sending request|failed to fetch|dns error|name resolution|failure resolving|could not connect|connection (error|refused|reset)|max retries|operation timed out|npm (ERR!|error) network|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRE' "$1"; then
    echo "the network did not answer: connect this machine to the internet and run the same command again"
  elif grep -qiE 'permission denied|EACCES' "$1"; then
    echo "this user may not write here: run as the owner of $PWD ($(stat -c %U . 2>/dev/null || echo unknown))"
  else
    echo "it said: $({ grep -iE 'error|fatal' "$1" || tail -n 1 "$1"; } | head -n 1 | cut -c 1-200)"
  fi
}

# step NAME WORDS COMMAND...: run a command with its output in a log; WORDS tell people what is going on
step() {
  local name=$1 words=$2 log=$LOGS/$1.log
  shift 2
  { mkdir -p "$LOGS" && : >"$log"; } 2>/dev/null ||
    stop "cannot write $PWD/$log: run as the owner of this folder, or free some disk"
  say "$words"
  if ! "$@" >"$log" 2>&1 </dev/null; then
    [ -z "${CI:-}" ] || tail -n 30 "$log" >&2
    stop "step '$name' failed: $(why "$log") (all of it: $log)"
  fi
}

# how this user may install packages of the system: prints the command to prefix, or fails
as_root() {
  command -v apt-get >/dev/null || return 1
  if [ "$(id -u)" = 0 ]; then
    echo env
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    echo sudo -n
  else
    return 1
  fi
}

apt_install() { # apt_install PREFIX PACKAGE...; PREFIX is what as_root said
  local prefix=$1
  shift
  $prefix apt-get update -q || return # the prefix is one or two words
  apt-cache show "$LEAN_CHROMIUM" >/dev/null 2>&1 && set -- "${@/#chromium/$LEAN_CHROMIUM}"
  $prefix env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
}

can_make_environments() { python3 -c 'import ensurepip, venv' 2>/dev/null; }

need_python() {
  can_make_environments && return
  local prefix
  prefix=$(as_root) ||
    stop "python3 with venv is missing: install it (Debian, Ubuntu: sudo apt-get install python3 python3-venv) and run the same command again"
  step python "installing python3 and python3-venv through apt" apt_install "$prefix" python3 python3-venv
}

make_uv() {
  rm -rf .uv && python3 -m venv .uv && .uv/bin/python -m pip install -q --disable-pip-version-check "uv==$UV_VERSION"
}

# sets UV to a uv new enough for uv.lock: the one on the PATH, or one of our own in .uv/
find_uv() {
  local there
  there=$(uv --version 2>/dev/null | cut -d ' ' -f 2) || true
  if [ -n "$there" ] && version_reaches "$there" "$UV_VERSION"; then
    UV=uv
    return
  fi
  UV=$PWD/.uv/bin/uv
  if [ "$("$UV" --version 2>/dev/null | cut -d ' ' -f 2)" != "$UV_VERSION" ]; then
    need_python
    step uv "getting uv $UV_VERSION, which installs the rest (into .uv/)" make_uv
  fi
}

# the machine's own list of certificates where it has one, so that networks with their own authority work
trust_the_machine() {
  [ -r "$CERTIFICATES" ] || return 0
  export UV_SYSTEM_CERTS=1 SSL_CERT_FILE=${SSL_CERT_FILE:-$CERTIFICATES}
  export NODE_EXTRA_CA_CERTS=${NODE_EXTRA_CA_CERTS:-$CERTIFICATES}
}

sync() { # sync NAME WORDS ARGUMENTS...: never removes what an earlier step installed
  local name=$1 words=$2
  shift 2
  find_uv
  unset VIRTUAL_ENV # an activated environment of somebody else's
  step "$name" "$words" "$UV" sync --frozen --inexact --all-extras --no-extra pi --no-extra pi5 "$@" # a Pi chooses between those two
}

node_is_new_enough() {
  command -v npm >/dev/null && version_reaches "$(node --version 2>/dev/null | tr -d v)" "$NODE_LEAST"
}

find_node() {
  node_is_new_enough && return
  PATH=$PWD/.venv/bin:$PATH
  node_is_new_enough || sync node "getting node from a Python package, for building the screens" --no-dev --group node
}

screens_tools() {
  find_node
  step screens-tools "getting what builds the screens" npm --prefix dashboard ci --no-audit --no-fund
}

screens() {
  find_node
  step screens "building the screens" npm --prefix dashboard run build
}

screens_show() { # screens_show SCRIPT: run a script of dashboard/package.json before everybody's eyes
  find_node
  npm --prefix dashboard run --silent "$1"
}

micropython() {
  find_node
  step micropython "getting the MicroPython VMs for the tests of the firmware" npm --prefix tests/micropython ci --no-audit --no-fund
}

# a Home Assistant core in an environment of its own; where it cannot be had, pytest skips what needs it, loudly
home_assistant() {
  if [ -n "${CI:-}" ]; then
    home_assistant_core
  else
    (home_assistant_core) || say "there is no Home Assistant here: the tests that need it will be skipped"
  fi
}

home_assistant_core() {
  find_uv
  unset VIRTUAL_ENV
  step home-assistant "getting a Home Assistant core for its tests (into tests/home_assistant/.venv)" \
    "$UV" sync --frozen --project tests/home_assistant --no-python-downloads
  touch tests/home_assistant/.venv/.made
}

# the tools of the system that the tests need; what may not be installed is left to pytest to skip, loudly
system() {
  local missing=()
  PATH=$PATH:/usr/sbin:/usr/local/sbin$(printf ':%s' /usr/lib/postgresql/*/bin) # where Debian keeps PostgreSQL's server
  command -v mosquitto >/dev/null || missing+=(mosquitto)
  command -v mosquitto_pub >/dev/null || missing+=(mosquitto-clients)
  command -v nats-server >/dev/null || missing+=(nats-server)
  command -v initdb >/dev/null || missing+=(postgresql)
  command -v nft >/dev/null || missing+=(nftables)
  command -v dot >/dev/null || missing+=(graphviz)
  command -v "$LEAN_CHROMIUM" chromium >/dev/null || missing+=(chromium)
  for_tests system ${missing[@]+"${missing[@]}"}
}

# what only a soak needs: much to install for two tests
system_soak() {
  local missing=()
  command -v obs >/dev/null || missing+=(obs-studio)
  command -v Xvfb >/dev/null || missing+=(xvfb)
  for_tests system-soak ${missing[@]+"${missing[@]}"}
}

for_tests() { # for_tests NAME PACKAGE...: install what is missing, where that is allowed
  local name=$1 prefix
  shift
  [ $# != 0 ] || return 0
  if prefix=$(as_root); then
    step "$name" "installing $* through apt, for the tests" apt_install "$prefix" "$@"
  else
    say "$* missing, and this user may not install it: the tests that need it will be skipped"
  fi
}

trust_the_machine
case "${1-}" in
  packages) sync packages "installing the Python packages" --no-dev ;;
  packages-dev) sync packages-dev "installing the Python packages of tests and checks" ;;
  screens-tools) screens_tools ;;
  screens) screens ;;
  screens-check) screens_show check ;;
  screens-test) screens_show test ;;
  micropython) micropython ;;
  home-assistant) home_assistant ;;
  system) system ;;
  system-soak) system_soak ;;
  *) stop "tools/setup.sh does one of: packages, packages-dev, screens-tools, screens, screens-check, screens-test, micropython, home-assistant, system, system-soak; saw ${1:-nothing}" ;;
esac
