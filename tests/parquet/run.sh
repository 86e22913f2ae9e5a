#!/bin/sh
# run.sh WORK COMMAND...: puts the readers of package.json and the scripts here into the directory
# WORK, unless they are there already, and runs the command in it. Exit code 77 (skipped): no npm,
# or no network to install them over.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1
shift
skip() {
  echo "skipped: $1"
  exit 77
}
command -v npm >/dev/null || skip "there is no npm"

# Under a lock: two tests may start at the same time.
mkdir -p "$work"
exec 9>"$work/lock"
flock 9
if ! cmp -s "$here/package-lock.json" "$work/installed-lock.json"; then
  cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$work/"
  npm ci --prefix "$work" >"$work/npm.log" 2>&1 || {
    grep -Eq 'ENOTFOUND|EAI_AGAIN|ECONN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT' \
      "$work/npm.log" && skip "the registry of npm cannot be reached"
    tail -n 20 "$work/npm.log" >&2
    exit 1
  }
  cp "$here/package-lock.json" "$work/installed-lock.json"
fi
cp "$here"/*.mjs "$work/"
flock -u 9

cd "$work"
exec "$@"
