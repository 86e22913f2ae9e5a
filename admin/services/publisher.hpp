// Published snapshots: the state at a moment, kept as a checkpoint with that role, and served as
// a file (polling-and-publishing.md, section 11; rule K2).
//
// The checkpoint is what is published. Its XML is a function of it; it is made once and kept in
// `cache/`, which may be emptied at any time.
//
// Thread: any.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "admin/services/node.hpp"
#include "net/http.hpp"

namespace netml::admin {

class Publisher {
 public:
  explicit Publisher(Node& node) : node_(node) {}

  // Publishes the data as of now; returns the item's number. Errc::conflict when there is nothing
  // that could be exported.
  Result<std::uint64_t> publish(const Caller& caller, std::string name, std::string description);
  // Errc::conflict for the one being served.
  Status remove(const Caller& caller, std::uint64_t number);

  // The XML of an item.
  Result<net::FileBody> open(std::uint64_t number);

 private:
  std::string cache_path(std::uint64_t number) const;
  Status write_cache(std::uint64_t number, const engine::StatePtr& state);

  Node& node_;
  std::mutex cache_mutex_;  // held while a file of the cache is made
};

}  // namespace netml::admin
