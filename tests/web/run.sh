#!/bin/sh
# run.sh unit|browser|check: runs tests of the pages. Builds the pages when NETML_WEB_DIST names no
# folder of built ones; a Node that is too old is helped out by one from npm. Both, and the packages
# of the tests, are kept in NETML_WEB_WORK. Exit code 77 (skipped): no Chromium, no Node.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=${NETML_WEB_WORK:-$root/build/web-tests}
what=$1

skip() {
  echo "skipped: $1"
  exit 77
}
if [ "$what" = browser ] && [ ! -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
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

if [ "$what" = browser ] && [ -z "${NETML_WEB_DIST:-}" ]; then
  NETML_WEB_DIST=$root/admin/web/dist
  export NETML_WEB_DIST
  index=$NETML_WEB_DIST/index.html
  stale=yes
  if [ -f "$index" ]; then
    stale=$(cd "$root/admin/web" &&
      find . \( -name node_modules -o -name dist -o -name generated \) -prune -o \
        -type f -newer "$index" -print)
  fi
  if [ -n "$stale" ]; then
    (cd "$root/admin/web" && npm run --silent build) >"$work/build.log" 2>&1 || {
      cat "$work/build.log"
      exit 1
    }
  fi
fi
flock -u 9

cd "$here"
if [ "$what" = check ]; then
  (cd "$root/admin/web" && npm run --silent check && npm run --silent lint)
  exec npm run --silent check
fi
exec npx vitest run --project "$what"
