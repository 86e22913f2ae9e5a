#!/bin/sh
# build_web.sh SOURCE DIST: builds the pages of admin/web into DIST. What was built from the same
# sources before, in whatever build folder, is taken from a cache. A Node that is too old for the
# build is helped out by one from npm, which stays in the cache.
set -eu
source=$1
dist=$2
cache=${NETML_WEB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/netml/web}

files() {
  cd "$source"
  find . \( -name node_modules -o -name dist -o -name generated -o -name .tools \) -prune \
    -o -type f -print | LC_ALL=C sort
}
hash=$(files | (cd "$source" && xargs -d '\n' sha256sum) | sha256sum | cut -c1-32)

new_enough() {
  command -v node >/dev/null && node -e '
    const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)'
}

if [ ! -d "$cache/$hash" ]; then
  mkdir -p "$cache"
  if ! new_enough; then
    [ -x "$cache/tools/node_modules/.bin/node" ] ||
      npm install --no-save --no-fund --no-audit --prefix "$cache/tools" node@22 >/dev/null
    PATH="$cache/tools/node_modules/.bin:$PATH"
    export PATH
  fi
  work=$(mktemp -d "$cache/work.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  files | (cd "$source" && tar cf - --no-recursion -T -) | tar xf - -C "$work"
  cd "$work"
  npm ci --no-fund --no-audit >/dev/null
  npm run --silent build
  mv dist "$cache/$hash" 2>/dev/null || [ -d "$cache/$hash" ]
fi
rm -rf "$dist"
mkdir -p "$(dirname "$dist")"
cp -r "$cache/$hash" "$dist"
