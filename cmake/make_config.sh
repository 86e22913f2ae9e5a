#!/bin/sh
# make_config.sh NETML OUT: the configuration file of the package. What the service needs is set;
# all other options stand below, as `netml config example` has them, as comments.
set -eu
netml=$1
out=$2
mkdir -p "$(dirname "$out")"
{
  cat <<'TEXT'
# The configuration of the NetML node that systemd runs (netml.service). After a change:
# systemctl reload netml for what can be read again, systemctl restart netml for the rest.
#
# What the node listens on is in netml.socket (systemctl edit netml.socket), and `listen` counts
# only where that is not used. Tokens, passwords and keys do not belong here: name their files.

data = "/var/lib/netml"

# All options with their defaults. Take the mark of a comment away to set one.

TEXT
  # Whatever it sets is a default, or set above already.
  "$netml" config example | sed 's/^\([A-Za-z]\)/# \1/'
} >"$out.new"
mv "$out.new" "$out"
