// What changes would do that people look at before they are made. To plan one may run rules over
// the whole map, and its list is asked for page by page, so the previews asked for last are kept
// while the map stays as it is.
//
// Thread: any.
#pragma once

#include <boost/json/object.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "admin/node/node.hpp"
#include "engine/transaction/difference.hpp"

namespace netml::admin::web {

// A planned change, and what it would lead to.
struct Preview {
  PlannedChange change;  // holds the memory of it all
  engine::State after;
  engine::Difference difference;             // of the two graphs
  std::vector<boost::json::object> entries;  // of the catalog that it would change
  boost::json::object summary;               // what every page of it says
};
using PreviewPtr = std::shared_ptr<const Preview>;

class KeptPreviews {
 public:
  // They are given up when somebody needs their memory.
  explicit KeptPreviews(Node& node)
      : node_(node), registration_(node.memory().add_cache([this] { forget_all(); })) {}

  // That of `key`, which says what the change is, on the newest version; or what `make` gives.
  using Make = std::function<Result<PreviewPtr>()>;
  Result<PreviewPtr> get(const std::string& key, const Make& make);

 private:
  static constexpr std::size_t kKept = 8;

  struct Entry {
    std::string key;
    PreviewPtr preview;
  };
  PreviewPtr find(const std::string& key, Lsn version);
  void keep(Entry entry);
  void forget_all();

  Node& node_;
  std::mutex mutex_;
  std::deque<Entry> kept_;  // the last used first, all of one version; guarded by mutex_
  const MemoryBudget::Registration registration_;
};

}  // namespace netml::admin::web
