#!/bin/sh
# Installs what the tests take from npm into build/tools, unless that is there already.
# Usage: tests/tools/install.sh [--all]
#   --all   also the programs whose files and requests are tested against (optionalDependencies)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
tools=$here/../../build/tools
log=$here/../../build/tools.log
set=everyday
omit=--omit=optional
if [ "${1:-}" = --all ]; then
  set=all
  omit=
fi

# A machine may have node from elsewhere; Debian's is taken only where there is none.
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  "$here/../../cmake/install_packages.sh" npm
fi

# npm writes its own lock beside the packages last of all; ours is copied after that.
if cmp -s "$here/package-lock.json" "$tools/installed-lock.json"; then
  [ "$set" = everyday ] || [ -e "$tools/installed-all" ] && exit 0
fi

mkdir -p "$tools"
rm -f "$tools/installed-lock.json" "$tools/installed-all"
cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$tools/"
# shellcheck disable=SC2086  # no word at all for all of them
npm ci $omit --prefix "$tools" >"$log" 2>&1 || {
  tail -n 20 "$log" >&2
  echo "error: 'npm ci' failed; is the network there? Everything it said is in $log" >&2
  exit 1
}
[ "$set" = everyday ] || touch "$tools/installed-all"
cp "$here/package-lock.json" "$tools/installed-lock.json"
