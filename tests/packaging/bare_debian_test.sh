#!/bin/bash
# Installs the package with apt in a fresh Debian 12, and lets it live there: the first answer, an
# import, an upgrade, a removal, purges with and without the data. With NETML_MEASURE=1, on a
# machine that does nothing else, the first answer must come within ten seconds.
# Usage: tests/packaging/bare_debian_test.sh BUILD|PACKAGE.deb
# BUILD: a build folder; what the package needs of it is built first.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
what=$(realpath "$1")
readonly seconds_max=10

skip() {
  echo "skipped: $*"
  exit 77
}
[ "$(id -u)" -eq 0 ] || skip "only root can make a system of its own"
for tool in debootstrap lintian dpkg-buildpackage curl; do
  command -v "$tool" >/dev/null || skip "no $tool (cmake/install_packages.sh build package root)"
done

# mirror_of SUITE: where this machine's apt takes it from.
mirror_of() {
  apt-get indextargets --format '$(CODENAME) $(REPO_URI)' |
    awk -v suite="$1" '$1 == suite && !found++ { print $2 }'
}
mirror=$(mirror_of bookworm)
security=$(mirror_of bookworm-security)
[ -n "$mirror" ] && [ -n "$security" ] || skip "this machine's apt knows no Debian 12"
curl --silent --fail --max-time 20 --output /dev/null "${mirror%/}/dists/bookworm/Release" ||
  skip "$mirror is out of reach"

work=$(mktemp -d "${TMPDIR:-/tmp}/netml-bare.XXXXXX")
root=$work/root
server=
cleanup() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" || true
  fi
  for place in proc dev; do
    mountpoint --quiet "$root/$place" && umount "$root/$place"
  done
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT
fail() {
  echo "error: $*" >&2
  [ ! -s "$work/log" ] || tail -n 30 "$work/log" >&2
  exit 1
}
inside=(env -i PATH=/usr/sbin:/usr/bin DEBIAN_FRONTEND=noninteractive chroot "$root")
as_user=(setpriv --reuid netml --regid netml --clear-groups)
in_root() { "${inside[@]}" "$@"; }
as_netml() { in_root "${as_user[@]}" "$@"; }
# By itself, so that -e holds within functions, too.
logged() {
  "$@" >>"$work/log" 2>&1 </dev/null &
  wait $! || fail "$*"
}

# The packages: as they are, and a later one, to upgrade to.
package() {
  if [ -d "$what" ]; then
    ninja -C "$what" netml package_files
    (cd "$source" && cmake/package.sh --ready "$what")
    cp "$source"/build/package/netml_*.deb "$work/netml.deb"
  else
    cp "$what" "$work/netml.deb"
  fi
  dpkg-deb --raw-extract "$work/netml.deb" "$work/later"
  sed -i 's/^Version: .*/&+later/' "$work/later/DEBIAN/control"
  dpkg-deb -Zgzip -z1 --root-owner-group --build "$work/later" "$work/netml-later.deb"
}

make_root() {
  debootstrap --variant=minbase bookworm "$root" "$mirror"
  echo "deb $security bookworm-security main" >>"$root/etc/apt/sources.list"
  echo "deb $mirror bookworm-updates main" >>"$root/etc/apt/sources.list"
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod 755 "$root/usr/sbin/policy-rc.d"
  mount -t proc proc "$root/proc"
  mount --bind /dev "$root/dev"
  in_root apt-get update
  cp "$work"/netml*.deb "$source/docs/examples/nordic-coast.xml" "$root/srv"
}

# As netml.service starts it, where there is no systemd.
start() {
  "${inside[@]}" "${as_user[@]}" netml serve --config /etc/netml/netml.toml \
    --listen 127.0.0.1:0 >"$work/serving" 2>"$work/served" &
  server=$!
}
stop() {
  kill "$server"
  wait "$server" || fail "the server ended with $?: $(tail -n 5 "$work/served")"
  server=
}

# wait_for_answer PATH: until it is 200; the address is on the first line that the server prints.
wait_for_answer() {
  local end=$((SECONDS + 300)) address status  # it only ends a test that has failed already
  while [ $SECONDS -lt $end ]; do
    address=$(grep -om1 'http://[0-9.:]*' "$work/serving" || true)
    [ -z "$address" ] ||
      status=$(curl --silent --output /dev/null --write-out '%{http_code}' "$address$1" || true)
    [ "${status:-}" != 200 ] || return 0
    kill -0 "$server" 2>/dev/null || fail "the server ended: $(cat "$work/served")"
    sleep 0.1
  done
  fail "no 200 from $1: $(cat "$work/served")"
}

echo "package"; logged package
echo "root: debootstrap"; logged make_root
# What apt fetches depends on the mirror: it is there before the clock starts.
logged in_root apt-get install --yes --download-only /srv/netml.deb

begin=$(date +%s%N)
logged in_root apt-get install --yes --no-install-recommends /srv/netml.deb
start
wait_for_answer /status/
took=$((($(date +%s%N) - begin) / 1000000))
echo "from apt install to the first 200: $took ms"
# A busy machine is no fault of the package: who wants to know has an idle one.
if [ -n "${NETML_MEASURE:-}" ]; then
  [ "$took" -le $((seconds_max * 1000)) ] || fail "$took ms to the first answer"
fi

[ "$(in_root stat --format '%U %a' /var/lib/netml)" = 'netml 700' ] || fail "/var/lib/netml: whose?"
logged as_netml netml import /srv/nordic-coast.xml --config /etc/netml/netml.toml
head=$(as_netml netml verify --config /etc/netml/netml.toml |
  grep -oEm1 '[0-9]+:[0-9a-f]{16,}')
[ -n "$head" ] || fail "verify prints no head"
stop

logged in_root apt-get install --yes /srv/netml-later.deb
start
wait_for_answer /status/
as_netml netml verify --config /etc/netml/netml.toml | grep -qF "$head" || fail "another head later"
stop

# Data stay at a removal, and at a purge where nobody can be asked; they go when that was said.
logged in_root apt-get remove --yes netml
[ -d "$root/var/lib/netml/journal" ] || fail "the removal took the data"
logged in_root apt-get purge --yes netml
[ -d "$root/var/lib/netml/journal" ] || fail "a purge that asked nobody took the data"
[ ! -e "$root/etc/netml/netml.toml" ] || fail "the purge left the configuration"
logged in_root apt-get install --yes /srv/netml.deb
echo 'netml netml/purge_data boolean true' | in_root debconf-set-selections
logged in_root apt-get purge --yes netml
[ ! -e "$root/var/lib/netml" ] || fail "the purge that was to take the data left them"
echo "a bare Debian 12 has had the package, and has it no more"
