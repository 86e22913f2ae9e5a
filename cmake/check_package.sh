#!/bin/bash
# check_package.sh CHANGES: checks the packages that were built; says all that is wrong with them.
set -euo pipefail

readonly exposure_max=15       # tenths, of systemd-analyze security
readonly package_bytes_max=$((16 << 20))
readonly program_bytes_max=$((24 << 20))
readonly expected='
etc/netml/netml.toml
lib/systemd/system/netml.service
lib/systemd/system/netml.socket
usr/bin/netml
usr/lib/netml/netml-postgres.so
usr/lib/sysusers.d/netml.conf
usr/share/bash-completion/completions/netml
usr/share/doc/netml/changelog.gz
usr/share/doc/netml/copyright
usr/share/fish/vendor_completions.d/netml.fish
usr/share/man/man1/netml.1.gz
usr/share/netml/netml.spdx.json
usr/share/netml/places.tsv.gz
usr/share/zsh/vendor-completions/_netml'

[ $# -eq 1 ] && [ -f "$1" ] || { echo "usage: $0 CHANGES" >&2; exit 2; }
folder=$(cd "$(dirname "$1")" && pwd)
changes=$folder/$(basename "$1")
packages=("$folder"/netml_*.deb)
package=${packages[0]}
wrong=0
wrong() {
  printf 'wrong: %s\n' "$*" >&2
  wrong=$((wrong + 1))
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
dpkg-deb --extract "$package" "$work"

check_lintian() {
  # lintian refuses to be root unless this is said; it only reads.
  lintian --allow-root --fail-on error,warning "$changes" || wrong "lintian has something to say"
}

check_contents() {
  local file
  for file in $expected; do [ -f "$work/$file" ] || wrong "$file is missing"; done
  while IFS= read -r file; do
    case $expected$'\n' in
      *$'\n'"$file"$'\n'*) ;;
      *) [[ $file == usr/share/man/man1/netml-*.1.gz ]] || wrong "$file is there, and should not" ;;
    esac
  done < <(cd "$work" && find . ! -type d | sed 's,^\./,,')
  compgen -G "$folder/netml-dbgsym_*.deb" >/dev/null || wrong "netml-dbgsym is missing"
}

# As the program reads it, the file must be right; the data directory is the one of the service.
check_configuration() {
  grep -qx 'data = "/var/lib/netml"' "$work/etc/netml/netml.toml" || wrong "netml.toml: which data?"
  "$work/usr/bin/netml" config check "$work/etc/netml/netml.toml" >"$work.log" 2>&1 ||
    wrong "netml.toml: $(cat "$work.log")"
  rm -f "$work.log"
}

check_program() {
  local program=$work/usr/bin/netml
  "$program" --version >"$work.version" || wrong "the program does not run"
  grep -qx "netml $(dpkg-deb --field "$package" Version)" "$work.version" ||
    wrong "the program says it is $(head -n 1 "$work.version")"
  rm -f "$work.version"
  ! readelf --sections --wide "$program" | grep -q ' \.debug_info ' || wrong "symbols are in it"
  readelf --dynamic "$program" | grep -q BIND_NOW || wrong "it is linked without -z now"
  ! grep -qaF "$folder" "$program" || wrong "the program names $folder, where it was built"
}

# It shows one function, and the program does without its library.
check_module() {
  local module=$work/usr/lib/netml/netml-postgres.so
  [ "$(nm --dynamic --defined-only --format=just-symbols "$module")" = netml_shared_engine ] ||
    wrong "the module shows other symbols than its function"
  ! readelf --sections --wide "$module" | grep -q ' \.debug_info ' ||
    wrong "symbols are in the module"
  ! dpkg-deb --field "$package" Depends | grep -q libpq || wrong "the package depends on libpq"
  dpkg-deb --field "$package" Recommends | grep -q libpq5 || wrong "libpq5 is not recommended"
  ! readelf --dynamic "$work/usr/bin/netml" | grep -q libpq || wrong "the program links libpq"
}

# Of what systemd would say on the machine where it runs: that of the package, in a root of its own.
check_service() {
  local units=$work/lib/systemd/system exposure
  systemd-analyze security --offline=true --no-pager --threshold=$exposure_max \
    "$units/netml.service" >"$work.security" ||
    wrong "systemd-analyze security: $(tail -n 1 "$work.security")"
  exposure=$(tail -n 1 "$work.security")
  rm -f "$work.security"
  echo "service: ${exposure#*→ }"
  sed "s,/usr/bin/netml,$work/usr/bin/netml,; s,^User=.*,User=root,; s,^Group=.*,Group=root,
       /^Documentation=man/d" -i "$units"/netml.*
  (cd "$units" && systemd-analyze verify ./netml.service ./netml.socket) >"$work.verify" 2>&1 ||
    wrong "systemd-analyze verify fails"
  ! grep -q netml "$work.verify" || wrong "systemd-analyze verify: $(cat "$work.verify")"
  rm -f "$work.verify"
}

check_sizes() {
  local bytes
  bytes=$(stat --format %s "$package")
  echo "package: $((bytes >> 10)) KiB"
  [ "$bytes" -le $package_bytes_max ] || wrong "the package has $bytes bytes"
  bytes=$(stat --format %s "$work/usr/bin/netml")
  echo "program: $((bytes >> 10)) KiB without symbols"
  [ "$bytes" -le $program_bytes_max ] || wrong "the program has $bytes bytes"
}

check_lintian
check_contents
check_configuration
check_program
check_module
check_sizes
check_service
[ $wrong -eq 0 ] || { echo "error: $wrong things are wrong with the package" >&2; exit 1; }
echo "package: as it should be"
