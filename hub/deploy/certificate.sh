#!/bin/sh
# Makes a certificate and its key for the listener of a table's stations (citytable run --tls-cert, --tls-key).
#
#   hub/deploy/certificate.sh FOLDER ADDRESS...     for example: hub/deploy/certificate.sh /var/lib/citytable/tls 192.168.50.1
#
# ADDRESS is every name or IP address under which stations reach the hub. The certificate signs itself: the stations
# are given it and trust nothing else, so there is no authority to pay or to trust. It lasts ten years.
set -eu
if [ $# -lt 2 ]; then
  echo "certificate.sh: say where to put it and under which addresses stations reach the hub: FOLDER ADDRESS..." >&2
  exit 2
fi
folder=$1
shift
names=
for address in "$@"; do
  case $address in
    *:* | *[!0-9.]*) kind=DNS ;;
    *) kind=IP ;;
  esac
  case $address in *:*) kind=IP ;; esac
  names="$names${names:+,}$kind:$address"
done
umask 077
mkdir -p "$folder"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -sha256 -days 3653 \
  -subj "/CN=citytable" -addext "subjectAltName=$names" \
  -keyout "$folder/citytable.key" -out "$folder/citytable.crt"
# what a board keeps: the same certificate without its text armour
openssl x509 -in "$folder/citytable.crt" -outform DER -out "$folder/citytable.der"
echo "made $folder/citytable.crt, citytable.der (for the stations) and citytable.key (for the hub only)" >&2
