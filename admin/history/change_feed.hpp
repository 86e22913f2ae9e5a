// Every change of the map, one event after the other, from a place in the journal on and as they
// come (docs/following.md). What follows is read from the journal, so nothing is missed by who is
// slow, went away, or comes back after a restart; nothing is kept for anybody meanwhile. Those that
// have come to the newest place share it (shared_feed.hpp).
//
// A place is a head, "LSN:hash", or an LSN alone. Where it is not of this history, as after a
// restore, the first event says so, and the changes that follow are those from now on.
//
// Failure: what reading the journal gives is the last event. Thread: as of any source.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "admin/history/shared_feed.hpp"
#include "admin/node/node.hpp"
#include "net/http/body_sources.hpp"

namespace netml::admin {

struct FeedOrder {
  std::optional<std::string> after = {};  // none: what comes from now on
  FeedForm form = FeedForm::json_lines;
  // With those that others listen to; they outlive the feed, as the node does. Null: the feed ends
  // where there is no more.
  SharedFeeds* shared = nullptr;
  std::function<bool()> goes_on = [] { return true; };
};

// Errc::invalid_input for a place that is none.
Result<std::unique_ptr<net::BodySource>> open_change_feed(Node& node, FeedOrder order);

}  // namespace netml::admin
