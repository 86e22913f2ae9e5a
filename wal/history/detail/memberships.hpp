// Which records belonged to some topologies, and between which transactions: what the journal tells
// of their associations, without values and without a state. An update of a member names only the
// fields that differ, so whoever asks for all that changed in a topology must know its members.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/result.hpp"

namespace netml::wal {

// Thread: its owner.
class Memberships {
 public:
  // In any of these.
  explicit Memberships(std::vector<RecordId> topologies) : topologies_(std::move(topologies)) {}

  const std::vector<RecordId>& topologies() const { return topologies_; }

  // Takes in an EFFECTS payload of a committed transaction, in the order of the journal.
  // Errc::corruption.
  Status add(Lsn lsn, std::span<const std::byte> payload);
  // Whether the record belonged to one of them just before or just after the transaction.
  bool held(RecordId record, Lsn lsn) const;

 private:
  struct Stay {
    Lsn first;
    Lsn last;
  };
  struct Member {
    std::size_t topologies = 0;  // it belongs to now
    std::vector<Stay> stays;     // ascending
  };
  template <class Ids>
  std::size_t count(const Ids& ids) const;
  void move(RecordId record, Lsn lsn, std::size_t left, std::size_t joined);

  std::vector<RecordId> topologies_;
  boost::unordered_flat_map<RecordId, Member, std::hash<RecordId>> members_;
};

}  // namespace netml::wal
