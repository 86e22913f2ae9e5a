#include "wal/history/detail/memberships.hpp"

#include <algorithm>
#include <limits>

#include "wal/format/message.hpp"
#include "wal/schema/wal.capnp.h"

namespace netml::wal {

namespace {

constexpr Lsn kStillThere{std::numeric_limits<std::uint64_t>::max()};

}  // namespace

template <class Ids>
std::size_t Memberships::count(const Ids& ids) const {
  std::size_t found = 0;
  for (const std::uint32_t id : ids)
    found += std::ranges::find(topologies_, RecordId{id}) != topologies_.end() ? 1 : 0;
  return found;
}

// Of a creation and a deletion a part has all topologies, of an update those left and joined.
Status Memberships::add(Lsn lsn, std::span<const std::byte> payload) {
  return read_message<schema::Effects>(payload, [&](schema::Effects::Reader in) -> Status {
    for (const auto change : in.getRecords()) {
      const std::size_t left = change.getAction() == schema::Action::CREATE
                                   ? 0
                                   : count(change.getBefore().getTopologies());
      const std::size_t joined = change.getAction() == schema::Action::DELETE
                                     ? 0
                                     : count(change.getAfter().getTopologies());
      if (left != 0 || joined != 0) move(RecordId{change.getId()}, lsn, left, joined);
    }
    return {};
  });
}

void Memberships::move(RecordId record, Lsn lsn, std::size_t left, std::size_t joined) {
  Member& member = members_[record];
  if (member.topologies == 0) member.stays.push_back({lsn, kStillThere});
  member.topologies += joined;
  member.topologies -= std::min(left, member.topologies);
  if (member.topologies == 0) member.stays.back().last = lsn;
}

bool Memberships::held(RecordId record, Lsn lsn) const {
  const auto member = members_.find(record);
  if (member == members_.end()) return false;
  return std::ranges::any_of(member->second.stays, [&](const Stay& stay) {
    return stay.first <= lsn && lsn <= stay.last;
  });
}

}  // namespace netml::wal
