#!/bin/sh
# run.sh check|unit|webhooks|browser|pictures|world: runs tests of the pages; those of webhooks and
# in the browser with the program that NETML_BINARY names (else that of the build that runs them,
# else build/debug/netml), which carries the pages. A Node that is too old is helped out by one from
# npm;
# it and the packages of the tests are kept in NETML_WEB_WORK. Exit code 77 (skipped): no Chromium,
# no Node.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=${NETML_WEB_WORK:-$root/build/web-tests}
what=$1
NETML_BINARY=${NETML_BINARY:-${NETML_BUILT_BINARY:-$root/build/debug/netml}}
export NETML_BINARY

skip() {
  echo "skipped: $1"
  exit 77
}
case $what in
  browser | pictures | world) needs_chromium=yes ;;
  *) needs_chromium=no ;;
esac
if [ "$needs_chromium" = yes ] && [ ! -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
  skip "there is no Chromium (Debian package chromium)"
fi
command -v npm >/dev/null || skip "there is no npm"

# Everything below under one lock: two tests may start at the same time.
mkdir -p "$work"
exec 9>"$work/lock"
flock 9

new_enough() {
  node -e 'const [a, b] = process.versions.node.split(".").map(Number)
    process.exit(a > 22 || (a === 22 && b >= 18) ? 0 : 1)'
}
if ! new_enough 2>/dev/null; then
  [ -x "$work/node/node_modules/.bin/node" ] ||
    npm install --no-save --no-fund --no-audit --prefix "$work/node" node@22 >/dev/null
  PATH="$work/node/node_modules/.bin:$PATH"
  export PATH
fi

# install FOLDER: its packages, unless they are those of its lock file already
install() {
  cmp -s "$1/package-lock.json" "$1/node_modules/.netml-lock" && return
  (cd "$1" && npm ci --no-fund --no-audit >/dev/null)
  cp "$1/package-lock.json" "$1/node_modules/.netml-lock"
}
install "$here"
install "$root/admin/web"
flock -u 9

cd "$here"
if [ "$what" = check ]; then
  (cd "$root/admin/web" && npm run --silent check && npm run --silent lint)
  exec npm run --silent check
fi
case $what in
  pictures) exec node support/pictures.ts ;;
  world) exec node support/world_pictures.ts ;;
esac
exec npx vitest run --project "$what"
