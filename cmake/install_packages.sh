#!/bin/sh
# Installs the Debian packages of the named groups (cmake/packages.txt) unless all are there.
# Usage: cmake/install_packages.sh GROUP...
set -eu

here=$(cd "$(dirname "$0")" && pwd)
log=$here/../build/packages.log

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# The packages of one or more groups, one a line.
packages_of() {
  for group in "$@"; do
    awk -v group="$group" '$1 == group { print $2 }' "$here/packages.txt"
  done
}

is_installed() {
  dpkg-query --show --showformat='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Runs a command with its output in the log file only; shows the end of it on failure.
logged() {
  "$@" >>"$log" 2>&1 && return
  tail -n 20 "$log" >&2
  fail "'$*' failed; everything it said is in $log"
}

# Boost 1.74's development packages conflict with 1.81: apt would take them away, or give up.
refuse_conflicts() {
  plan=$(apt-get --simulate install --no-install-recommends "$@" 2>&1) || {
    printf '%s\n' "$plan" | tail -n 8 >&2
    fail "apt cannot install the packages beside what is there (see above). If it names
libboost1.74-dev: remove that, it is in conflict with Boost 1.81, or build in a container."
  }
  removed=$(printf '%s\n' "$plan" | awk '$1 == "Remv" { printf "%s ", $2 }')
  [ -z "$removed" ] || fail "installing the packages would remove: $removed
These are in conflict with Boost 1.81, which netml needs. Remove them yourself if nothing else
needs them (apt-get remove $removed), or build in a container."
}

[ $# -gt 0 ] || fail "usage: $0 GROUP... (groups are in cmake/packages.txt)"
command -v apt-get >/dev/null ||
  fail "this is not Debian; install what cmake/packages.txt lists by other means, then run cmake"

wanted=$(packages_of "$@")
missing=
count=0
for package in $wanted; do
  is_installed "$package" && continue
  missing="$missing $package"
  count=$((count + 1))
done
[ -n "$missing" ] || exit 0

[ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
  fail "packages are missing: run this once as root, or install sudo. Missing:$missing"

mkdir -p "$(dirname "$log")"
: >"$log"
echo "packages: $count missing, installing (log: build/packages.log)"
logged as_root apt-get update
# shellcheck disable=SC2086  # one word for each package
refuse_conflicts $wanted
# The whole list, not only what is missing: it brings security updates of the libraries, too.
# shellcheck disable=SC2086
logged as_root env DEBIAN_FRONTEND=noninteractive \
  apt-get install --yes --no-install-recommends $wanted </dev/null
echo "packages: installed"
