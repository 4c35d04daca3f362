#!/usr/bin/env bash
# Makes a table's computer a kiosk: the display on its screen, and the network that phones and stations reach it by.
# install.sh calls it; run it again to change something.
#
#   sudo hub/deploy/kiosk.sh --screen --access-point "Table 1"     a Wi-Fi of the table's own, with a password it makes up
#   sudo hub/deploy/kiosk.sh --screen --network                    the café's Wi-Fi or cable, as this computer is joined to it
#   sudo hub/deploy/kiosk.sh --screen                              nothing but this screen, and stations on USB
#
# `--root FOLDER` and `--image` are as in install.sh. The password stays the same at the next run; the codes that guests scan
# are in /etc/citytable/join.html.
set -euo pipefail

stop() {
  echo "kiosk.sh: $*" >&2
  exit 1
}

root='' image='' screen='' network='' ssid=''
while [ $# -gt 0 ]; do
  case $1 in
    --root) root=${2:?--root needs a folder} && shift ;;
    --image) image=yes ;;
    --screen) screen=yes ;;
    --network) network=yes ;;
    --access-point) ssid=${2:?--access-point needs a name} && network=yes && shift ;;
    *) stop "I do not know $1: --screen, --network, --access-point NAME" ;;
  esac
  shift
done
[ "${#ssid}" -le 32 ] || stop "the name of a Wi-Fi has 32 letters at most"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
etc=$root/etc
address=10.42.0.1 # of this computer in the Wi-Fi of its own

packages() {
  local wanted=()
  [ -z "$screen" ] || wanted+=(cage xwayland chromium curl)
  [ -z "$ssid" ] || wanted+=(network-manager qrencode)
  [ -z "$network" ] || wanted+=(nftables)
  [ ${#wanted[@]} = 0 ] || { apt-get update -q && apt-get install -q -y --no-install-recommends "${wanted[@]}"; }
  [ -z "$screen" ] || getent passwd citytable-kiosk >/dev/null ||
    useradd --system --home-dir /var/lib/citytable-kiosk --shell /usr/sbin/nologin --groups video,render,input citytable-kiosk
}

the_screen() {
  mkdir -p "$root/opt/citytable/bin" "$etc/systemd/system"
  install -m 755 "$here/citytable-kiosk" "$root/opt/citytable/bin/citytable-kiosk"
  install -m 644 "$here/citytable-kiosk.service" "$etc/systemd/system/citytable-kiosk.service"
}

the_hub() { # where it listens, and what it plays without a plan
  local words="--plan /etc/citytable/plan.json --no-twin --listen 127.0.0.1:1883"
  [ -z "$network" ] || words="--plan /etc/citytable/plan.json --no-twin --listen 0.0.0.0:1883$(tls)"
  [ -f "$etc/citytable/plan.json" ] || words=--phones
  [ -z "$network" ] || words="$words --host 0.0.0.0"
  mkdir -p "$etc/systemd/system/citytable.service.d"
  cat >"$etc/systemd/system/citytable.service.d/kiosk.conf" <<END
# written by kiosk.sh
[Service]
ExecStart=
ExecStart=/opt/citytable/.venv/bin/citytable run $words --no-open --journal /var/lib/citytable/journal.sqlite3
END
}

tls() { # stations speak it where certificate.sh has made a certificate; pages stay plain HTTP (0121)
  local folder=/var/lib/citytable/tls
  [ ! -f "$root$folder/citytable.key" ] || echo " --tls-cert $folder/citytable.crt --tls-key $folder/citytable.key"
}

the_limits() { # how many connections one address may have at the stations' broker, and where guests do not get
  if [ -z "$network" ]; then # of an earlier run
    [ -n "$image" ] || systemctl disable --now citytable-limits 2>/dev/null || true
    rm -f "$etc/citytable/limits.nft" "$etc/systemd/system/citytable-limits.service"
    return
  fi
  cat "$here/limits.nft" ${ssid:+"$here/guests.nft"} >"$etc/citytable/.limits.nft"
  mv "$etc/citytable/.limits.nft" "$etc/citytable/limits.nft"
  install -m 644 "$here/citytable-limits.service" "$etc/systemd/system/citytable-limits.service"
}

password() { # made up once: twelve letters and digits that nobody mixes up
  local file=$etc/citytable/wifi-password
  if [ ! -s "$file" ]; then
    (umask 077 && LC_ALL=C tr -dc 'abcdefghijkmnpqrstuvwxyz23456789' </dev/urandom | head -c 12 >"$file") || true
  fi
  cat "$file"
}

wifi() {
  local file=$etc/NetworkManager/system-connections/citytable.nmconnection
  mkdir -p "$(dirname "$file")" "$etc/NetworkManager/dnsmasq-shared.d"
  (umask 077 && cat >"$file") <<END
[connection]
id=citytable
type=wifi
autoconnect=true
autoconnect-priority=100

[wifi]
mode=ap
band=bg
ssid=$(keyfile "$ssid")

[wifi-security]
key-mgmt=wpa-psk
proto=rsn
psk=$1

[ipv4]
method=shared
address1=$address/24

[ipv6]
method=disabled
END
  echo "address=/table.lan/$address" >"$etc/NetworkManager/dnsmasq-shared.d/citytable.conf"
}

keyfile() { # a name as NetworkManager's files have it
  printf %s "$1" | sed 's/\\/\\\\/g; s/;/\\;/g; s/^ /\\s/'
}

in_code() { # a name in the code of a Wi-Fi
  printf %s "$1" | sed 's/[\\;,:"]/\\&/g'
}

in_html() {
  printf %s "$1" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'
}

the_codes() { # for guests: the first joins the Wi-Fi, the second opens the display
  local drawn="qrencode -t SVG --inline -m 2 -o -"
  (umask 077 && cat >"$etc/citytable/join.html") <<END
<!doctype html>
<meta charset="utf-8">
<title>$(in_html "$ssid")</title>
<style>body { font: 6mm sans-serif; text-align: center } svg { width: 70mm; height: 70mm }</style>
<h1>$(in_html "$ssid")</h1>
<p>1. Wi-Fi: $(in_html "$ssid"), $1</p>
$($drawn "WIFI:T:WPA;S:$(in_code "$ssid");P:$1;;")
<p>2. http://$address:8080/display</p>
$($drawn "http://$address:8080/display")
<p>This Wi-Fi has no internet: stay connected. / Ce Wi-Fi n'a pas internet : restez connecté.</p>
END
}

[ -n "$image" ] || [ "$(id -u)" = 0 ] || stop "only root can do this: sudo $0"
[ -n "$image" ] || packages
[ -z "$ssid" ] || command -v qrencode >/dev/null || stop "qrencode draws the codes for guests and is missing: apt-get install qrencode"
mkdir -p "$etc/citytable"
[ -z "$screen" ] || the_screen
the_hub
the_limits
if [ -n "$ssid" ]; then
  secret=$(password)
  wifi "$secret"
  the_codes "$secret"
else # one of an earlier run
  rm -f "$etc/NetworkManager/system-connections/citytable.nmconnection" "$etc/citytable/join.html" \
    "$etc/NetworkManager/dnsmasq-shared.d/citytable.conf"
fi
[ -z "$image" ] || exit 0
systemctl daemon-reload
if [ -n "$network" ] && ! { systemctl enable citytable-limits && systemctl restart citytable-limits; }; then
  [ -z "$ssid" ] || stop "the Wi-Fi is not started, as its guests would get into other networks: journalctl -u citytable-limits"
  echo "kiosk.sh: journalctl -u citytable-limits" >&2
fi
! command -v nmcli >/dev/null || nmcli connection reload
if [ -n "$ssid" ]; then
  nmcli connection up citytable || echo "kiosk.sh: the Wi-Fi does not start yet: nmcli device" >&2
  echo "kiosk.sh: Wi-Fi $ssid, password $secret; print /etc/citytable/join.html for your guests" >&2
fi
[ -z "$screen" ] || systemctl enable citytable-kiosk
