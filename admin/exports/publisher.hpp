// Published snapshots: the state at a moment, kept as a checkpoint with that role, and served as a
// file (docs/requirements/polling-and-publishing.md, section 11; rule K2).
//
// The checkpoint is what is published. Its XML is a function of it, made when it is published and
// kept in `cache/`, which may be emptied at any time: then it is made again for the next who asks,
// on their thread. A file of the cache is named after the checkpoint's hash and the tag of its
// content, so one of another item or another history is never taken for it, and after its checksum,
// so one that was damaged is made again.
//
// Nothing here waits for the writer except publish() and remove(). Thread: any.
#pragma once

#include <boost/json/fwd.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "admin/exports/published_cache.hpp"
#include "admin/node/node.hpp"

namespace netml::admin {

// Errc::not_found.
Result<std::shared_ptr<const engine::PublishedItem>> find_published_item(
    const engine::Catalog& catalog, std::uint64_t number);

// As answers have it (docs/api.md).
boost::json::object published_item_json(std::uint64_t number, const engine::PublishedItem& item,
                                        bool latest);

class Publisher {
 public:
  explicit Publisher(Node& node) : node_(node), cache_(node.directory()) {}

  // Publishes the data as of now; returns the item's number. When there is nothing that could be
  // exported, or it could not be written, the item is kept as failed, with the reason, and is never
  // served; an error says that nothing could be kept. Older items go that are neither young nor
  // among the newest, as the settings say; those that failed never crowd out others.
  Result<std::uint64_t> publish(const Caller& caller, const std::string& name,
                                const std::string& description);
  // Errc::conflict for the one being served.
  Status remove(const Caller& caller, std::uint64_t number);

  // The XML of an item.
  Result<PublishedFile> open(std::uint64_t number);

  // A draft that a crash left takes room and is of no use. Before anything is published.
  void discard_draft() noexcept { cache_.discard(); }

  // Files of the cache that are not what was written, for people to read.
  std::vector<std::string> findings() const { return cache_.findings(); }

 private:
  Result<std::uint64_t> publish_now(const Caller& caller, const std::string& name,
                                    const std::string& description);
  void tell(const Caller& caller, const std::string& name, const Result<std::uint64_t>& number,
            std::chrono::nanoseconds took) const;
  Result<std::uint64_t> keep_failure(const Caller& caller, const std::string& name,
                                     const std::string& description, const Error& error);
  Result<PublishedFile> make(const PublishedEntry& entry, const engine::StatePtr& state);
  Status keep_draft(const std::optional<PublishedCache::Draft>& draft, std::uint64_t number,
                    const engine::State& state);
  Status tidy();
  void forget_old(const Caller& caller);
  Status forget_old(const Caller& caller, engine::PublishedStatus status);

  Node& node_;
  std::mutex making_;  // held while the cache is changed
  PublishedCache cache_;
};

}  // namespace netml::admin
