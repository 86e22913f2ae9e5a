#!/bin/bash
# Builds the Debian package and checks it. The result lies in build/package.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'TEXT'
Usage: cmake/package.sh [--ready BUILD]

Installs what is missing (Debian 12), makes netml_VERSION_ARCH.deb and its debug symbols in
build/package, and checks them: lintian, contents, sizes, and the service as systemd sees it.
A build from nothing takes about as long as that of the release preset.

  --ready BUILD   take the program of this build folder, whose targets netml and package_files
                  are built (ninja -C BUILD netml package_files), and compile nothing
  --help          this text
TEXT
}

ready=
while [ $# -gt 0 ]; do
  case $1 in
    --ready)
      [ -d "${2:-}" ] || { usage >&2; exit 2; }
      ready=$(cd "$2" && pwd)
      shift
      ;;
    --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done

readonly out=$PWD/build/package
readonly log=$out/build.log

# The tree as it is now, in a folder of its own: dpkg-buildpackage leaves its results beside it.
# Below build/, so that git still tells the revision.
copy_tree() {
  rm -rf "$out"
  mkdir -p "$out/netml"
  git ls-files -z --cached --others --exclude-standard |
    while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
    tar --create --null --files-from - --file - | tar --extract --file - --directory "$out/netml"
}

build() {
  local variables=()
  [ -z "$ready" ] || variables=("NETML_READY_BUILD=$ready")
  (cd "$out/netml" && env "${variables[@]}" dpkg-buildpackage -us -uc -b) >"$log" 2>&1 ||
    { tail -n 40 "$log" >&2; echo "error: see $log" >&2; return 1; }
}

cmake/install_packages.sh build package
# A machine may have node from elsewhere; Debian's is taken only where there is none that will do.
dpkg-checkbuilddeps 2>/dev/null || cmake/install_packages.sh npm
echo "package: building (log: build/package/build.log)"
copy_tree
build
cmake/check_package.sh "$out"/netml_*.changes
ls "$out"/*.deb
