#!/bin/sh
# Makes the data of two nodes that poll each other, once: compose.yaml runs it before they start.
# Usage: setup.sh NORTH SOUTH HOST_OF_NORTH HOST_OF_SOUTH PORT     (two folders, two names)
set -eu

# make FOLDER NAME: a map, which is supplied as it is published. The live one would bring each its
# own map back with that of the other, and be held for an administrator (docs/polling.md).
make() {
  [ ! -d "$1/journal" ] || return 0
  netml init --data "$1" --name "$2" --owner "$2 Institute"
  netml publish "First map" --data "$1"
  netml setting set NETML_POLLING_DATA_SUPPLY_TYPE Published --data "$1"
}

# polls POLLER SUPPLIER NAME HOST: the supplier gives the poller a token, which nobody else sees.
polls() {
  netml source list --data "$1" | grep -q "^$3 " && return 0
  netml token create "poller of $3" --kind polling --data "$2" |
    netml source add "$3" --host "$4" --port "$port" --protocol http --plain-http \
      --token-stdin --data "$1"
}

port=$5
make "$1" North
make "$2" South
polls "$1" "$2" south "$4"
polls "$2" "$1" north "$3"
