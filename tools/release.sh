#!/usr/bin/env bash
# Builds what a release consists of into a folder: tools/release.sh FOLDER
#
# Both wheels and their sources, a list of parts (CycloneDX, of the hub's wheel with the extras demo, maker and print), and
# SHA256SUMS. The same commit gives the same bytes: every time in them is the commit's.
set -euo pipefail
folder=${1:?say where to put the release: tools/release.sh FOLDER}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
uv=$(command -v uv || echo "$PWD/.uv/bin/uv")
test -f hub/citytable/views/static/licenses.md || {
  echo "release.sh: the screens are not built: run make setup" >&2
  exit 1
}
export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
rm -f "$folder"/citytable* "$folder/SHA256SUMS"
"$uv" build --quiet --all-packages --out-dir "$folder" .
"$uv" export --quiet --frozen --no-dev --package citytable --extra demo --extra maker --extra print \
  --format cyclonedx1.5 --output-file "$folder/citytable.cdx.json" >/dev/null
cd "$folder"
sha256sum citytable* >SHA256SUMS
echo "made in $folder:" >&2
cut -c 67- SHA256SUMS >&2
