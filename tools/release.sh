#!/usr/bin/env bash
# Builds what a release consists of into a folder: tools/release.sh FOLDER [--tag]
#
# With --tag the commit is tagged as that release at the end, with what is new in it (tools/tag_release.sh).
# Both wheels and their sources, the versions to install them with, a list of parts (CycloneDX, of the hub's wheel with the extras that a table or a venue
# installs), what is new in it, and SHA256SUMS. The same commit gives the same bytes: every time in them is the commit's.
set -euo pipefail
folder=${1:?say where to put the release: tools/release.sh FOLDER}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
uv=$(command -v uv || echo "$PWD/.uv/bin/uv")
[ "${2-}" != --tag ] || tools/tag_release.sh --check
test -f hub/citytable/views/static/licenses.md || {
  echo "release.sh: the screens are not built: run make setup" >&2
  exit 1
}
export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
rm -f "$folder"/citytable* "$folder/SHA256SUMS"
"$uv" build --quiet --all-packages --out-dir "$folder" .
"$uv" export --quiet --frozen --no-dev --package citytable --extra demo --extra maker --extra obs --extra print \
  --extra venue --format cyclonedx1.5 --output-file "$folder/citytable.cdx.json" >/dev/null
# uv knows Python's packages only, and no licences: what is built into the screens is added, and each package's licence as the
# package itself names it. And uv gives a list of parts the time of day and a number by chance: it gets the commit's time, and
# a number by its contents
.venv/bin/python - "$folder/citytable.cdx.json" <<'PYTHON'
import datetime, importlib.metadata, json, os, pathlib, re, sys, urllib.parse, uuid

path = pathlib.Path(sys.argv[1])
parts = json.loads(path.read_text(encoding="utf-8"))
licences = pathlib.Path("hub/citytable/views/static/licenses.md").read_text(encoding="utf-8")
ELSEWHERE = {"colorama": "BSD-3-Clause"}  # for Windows alone, so not in this environment


def licence_of(name, version):
    if name in ELSEWHERE:
        return {"expression": ELSEWHERE[name]}
    about = importlib.metadata.metadata(name)
    assert about["Version"] == version, f"{name} {about['Version']} is installed, not {version}: run make setup"
    if about["License-Expression"]:
        return {"expression": about["License-Expression"]}
    kinds = [line.rpartition(" :: ")[2] for line in about.get_all("Classifier", []) if line.startswith("License ::")]
    named = (about["License"] or "").splitlines()  # some put the whole text there
    said = named[0] if len(named) == 1 else " or ".join(kinds)
    assert said, f"{name} {version} names no licence: look into it, and add it to ELSEWHERE in tools/release.sh"
    return {"license": {"name": said}}


for part in parts["components"]:
    part["licenses"] = [licence_of(part["name"], part["version"])]
built_in = []
for name, version, licence in re.findall(r"^## (\S+) - (\S+) \((.+)\)$", licences, re.MULTILINE):
    address = f"pkg:npm/{urllib.parse.quote(name)}@{version}"
    built_in.append({"type": "library", "bom-ref": address, "name": name, "version": version, "purl": address})
    built_in[-1]["licenses"] = [{"expression": licence}]
assert built_in, "licenses.md names nothing that is built into the screens"
parts["components"] += built_in
root = parts["metadata"]["component"]["bom-ref"]
needs = next(one for one in parts["dependencies"] if one["ref"] == root)
needs["dependsOn"] = sorted([*needs.get("dependsOn", []), *(part["bom-ref"] for part in built_in)])
at = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
parts["metadata"]["timestamp"] = at.strftime("%Y-%m-%dT%H:%M:%SZ")
del parts["serialNumber"]
parts["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(parts, sort_keys=True)).urn
path.write_text(json.dumps(parts, indent=2) + "\n", encoding="utf-8")
PYTHON
cp hub/citytable/constraints.txt "$folder/citytable-constraints.txt"
# what is new: the topmost part of the changelog
sed -n '/^## /,$p' CHANGELOG.md | sed '1d;/^## /,$d' >"$folder/citytable-notes.md"
[ "${2-}" != --tag ] || tools/tag_release.sh
cd "$folder"
sha256sum citytable* >SHA256SUMS
echo "made in $folder:" >&2
cut -c 67- SHA256SUMS >&2
