#!/usr/bin/env bash
# Tags the commit that is checked out as a release, with what is new in it: tools/tag_release.sh [--check]
#
# The version is that of pyproject.toml; the topmost part of CHANGELOG.md has to be of this version and of a day. The tag is
# signed where git knows a key (`git config user.signingkey`). With --check nothing is tagged: it says whether that could be done.
set -euo pipefail

stop() {
  echo "tag_release.sh: $*" >&2
  exit 1
}

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' pyproject.toml | head -n 1)
head=$(sed -n '/^## /{p;q}' CHANGELOG.md)
[[ $head =~ ^"## [$version] - "[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]] ||
  stop "the topmost part of CHANGELOG.md is \"$head\": give it the version of pyproject.toml and the day, \"## [$version] - $(date +%F)\""
[ -z "$(git status --porcelain)" ] || stop "there are changes that are not committed: commit them first"
! git rev-parse --quiet --verify "refs/tags/v$version" >/dev/null || stop "v$version is tagged already: raise the version"
[ "${1-}" != --check ] || exit 0
how=--annotate
[ -z "$(git config user.signingkey || true)" ] || how=--sign
sed -n '/^## /,$p' CHANGELOG.md | sed '1d;/^## /,$d' |
  { echo "citytable $version" && cat; } | git tag "$how" --cleanup=verbatim --file - "v$version"
echo "tagged v$version; publish it with: git push origin v$version" >&2
