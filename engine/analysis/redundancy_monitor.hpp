// How elements stand to a redundancy policy, on one version of the map after another. Where only
// links came, went or were laid elsewhere, and not many, those elements are asked about anew whose
// answer may be another; every other change that counts has all of them checked again, as
// check_redundancy() does, and so has an answer that is a bound.
//
// Why the others keep their answer: routes that were found are still there unless one of their
// links is gone; and there still is no further one unless a new link begins or ends where the
// search for it came to. Answers by shared-risk groups are always found anew, and with a common
// path all is checked again.
//
// Failure: none. Time: what the two versions do not share, a look at each element's routes, and
// for each element that is asked about what lies between it and its targets. Memory: what
// check_redundancy() takes, all the time, about 100 bytes for each element, and up to 16 for each
// record of the map: elements whose answers rest on more are asked about anew each time.
// Thread: its owner.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/analysis/redundancy.hpp"
#include "engine/graph/graph.hpp"

namespace netml::engine {

namespace detail {
class RedundancyChecker;
}

struct RouteStanding {
  RecordId element = {};
  std::size_t at_least = 0;
  std::size_t at_most = 0;
  RedundancyState state = RedundancyState::met;
  bool operator==(const RouteStanding&) const = default;
};

class RedundancyMonitor {
 public:
  // problem_of(policy) must be none.
  explicit RedundancyMonitor(RedundancyPolicy policy);
  ~RedundancyMonitor();
  RedundancyMonitor(const RedundancyMonitor&) = delete;

  // The first version, or the next one. Answers whether all elements were checked.
  bool take(const Graph& next);
  // On the version taken last, ascending by element.
  const std::vector<RouteStanding>& standings() const { return standings_; }

 private:
  // What an answer rests on.
  struct Grounds {
    std::vector<RecordId> links = {};  // of its routes
    std::vector<RecordId> nodes = {};  // that the search for a further one came to
    bool by_any_link = false;          // a new link anywhere may be part of a further one
    bool by_any_change = false;
    std::size_t size() const { return links.size() + nodes.size(); }
  };
  // Links that are no longer where they were, and the ends of those that are new; both ascend.
  struct LinkChanges {
    std::vector<RecordId> gone;
    std::vector<RecordId> fresh;
    std::vector<RecordId> fresh_ends;
  };

  bool find_changes(const Graph& next, LinkChanges& changes) const;
  bool follow(const Graph& next, const LinkChanges& changes);
  bool changes_links_alone(const Record& before, const Record& after) const;
  bool has_other_part(const Record& before, const Record& after) const;
  bool is_owned_by_any(const Record& record) const;
  void check_all(const Graph& next);
  void check(std::size_t place);
  Grounds grounds_of(const ElementRoutes& found) const;
  bool may_be_another(std::size_t place, const LinkChanges& changes) const;

  RedundancyPolicy policy_;
  Graph checked_;  // that all elements were checked on last; the checker reads owners there
  Graph last_;
  std::vector<RecordId> institutions_;  // that the policy is about on checked_, ascending
  std::unique_ptr<detail::RedundancyChecker> checker_;
  std::vector<RouteStanding> standings_;
  std::vector<Grounds> grounds_;  // of each standing
  std::size_t noted_ = 0;         // records in them
};

}  // namespace netml::engine
