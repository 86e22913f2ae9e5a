#!/bin/bash
# Builds the package twice, from nothing, in surroundings that differ in all that a build could see,
# and compares the results byte for byte. Takes two builds: 15 minutes to an hour.
# Usage: tests/packaging/reproducible_test.sh [FOLDER]   (default: below TMPDIR; kept on failure)
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)

command -v dpkg-checkbuilddeps >/dev/null ||
  { echo "skipped: no dpkg-checkbuilddeps (cmake/packages.txt)"; exit 77; }
(cd "$source" && dpkg-checkbuilddeps 2>&1) || { echo "skipped (cmake/packages.txt)"; exit 77; }

folder=${1:-$(mktemp -d "${TMPDIR:-/tmp}/netml-twice.XXXXXX")}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
first=$folder/one/netml
second=$folder/another/path/that/is/longer/netml
epoch=$(git -C "$source" log -1 --format=%ct)

# What is committed, with its history, since the program tells its revision.
for tree in "$first" "$second"; do
  mkdir -p "$(dirname "$tree")"
  git clone --quiet --no-hardlinks "$source" "$tree"
done

# build TREE NAME COMMAND...: under COMMAND, which is what surrounds it.
build() {
  local tree=$1 log=$folder/$2.log
  shift 2
  (cd "$tree" && "$@" dpkg-buildpackage -us -uc -b) >"$log" 2>&1 ||
    { tail -n 40 "$log"; echo "error: see $log"; exit 1; }
}

# Who is root builds the second time as somebody else.
surround=(env -i PATH=/usr/local/bin:/usr/bin:/bin "SOURCE_DATE_EPOCH=$epoch")
as_other=()
if [ "$(id -u)" -eq 0 ]; then
  chmod 755 "$folder"
  chown -R nobody: "$folder/another"
  as_other=(setpriv --reuid nobody --regid nogroup --clear-groups)
fi

one_core=$(taskset --cpu-list --pid $$ | sed 's/.*: //; s/[-,].*//')  # of those that it may use

echo "first build: $first"
build "$first" first "${surround[@]}" HOME="$folder/one" USER=ann TZ=UTC LC_ALL=C.UTF-8 \
  NETML_WEB_CACHE="$folder/one/web"
echo "second build: $second"
build "$second" second "${as_other[@]}" "${surround[@]}" HOME="$folder/another" USER=bob \
  TZ=Asia/Kathmandu LC_ALL=C NETML_WEB_CACHE="$folder/another/web" \
  taskset --cpu-list "$one_core"

different=no
for file in "$first"/../netml*.deb; do
  other=$(dirname "$second")/$(basename "$file")
  if cmp "$file" "$other"; then
    echo "the same: $(sha256sum "$file" | cut -c1-16) $(basename "$file")"
  else
    different=yes
    echo "to look: diffoscope $file $other"
  fi
done
[ $different = no ] || { echo "error: the builds differ; they are kept in $folder"; exit 1; }
# Nothing that tells the folders apart is in the program either.
dpkg-deb --extract "$(dirname "$first")"/netml_*.deb "$folder/extracted"
if grep -qaF "$folder" "$folder/extracted/usr/bin/netml"; then
  echo "error: the program names $folder, where it was built"
  exit 1
fi
[ $# -gt 0 ] || rm -rf "$folder"
