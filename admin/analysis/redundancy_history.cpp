#include "admin/analysis/redundancy_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "admin/analysis/redundancy_answer.hpp"
#include "admin/analysis/stored_policies.hpp"
#include "admin/answers/record_text.hpp"
#include "codecs/formats/redundancy_json.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::RedundancyPolicy;
using engine::RedundancyState;
using engine::State;

Result<RedundancyHistory> RedundancyHistory::of(RedundancyPolicy policy,
                                                const std::optional<std::string>& element) {
  if (element) {
    std::vector<std::string>& ids = policy.who.ids;
    if (!ids.empty() && std::ranges::find(ids, *element) == ids.end())
      return fail(Errc::invalid_input, "element", "is none of those that the policy is about");
    ids = {*element};
  }
  return RedundancyHistory(std::move(policy), element.has_value());
}

void RedundancyHistory::begin(const State& first) {
  compare({}, first, check(first.graph), first);
}

Status RedundancyHistory::take(const engine::Transaction& transaction, const State& before,
                               const State& after) {
  ++versions_;
  if (!may_change_routes(transaction)) return {};
  if (records_ > kHistoryRecordsMax)
    return fail(Errc::too_large,
                fmt::format("too many versions of a large map would be checked; {} were: ask about "
                            "a shorter time",
                            checked_));
  const std::vector<Seen> old = monitor_->standings();
  compare(old, before, check(after.graph), after);
  return {};
}

const std::vector<RedundancyHistory::Seen>& RedundancyHistory::check(const engine::Graph& graph) {
  ++checked_;
  if (monitor_->take(graph)) records_ += graph.size();
  found_ = found_ || !monitor_->standings().empty();
  return monitor_->standings();
}

void RedundancyHistory::compare(const std::vector<Seen>& old, const State& before,
                                const std::vector<Seen>& now, const State& after) {
  auto was = old.begin();
  auto is = now.begin();
  while (was != old.end() || is != now.end()) {
    if (is == now.end() || (was != old.end() && was->element < is->element)) {
      report(after, before.graph, &*was++, nullptr);
    } else if (was == old.end() || is->element < was->element) {
      report(after, after.graph, nullptr, &*is++);
    } else {
      if (*was != *is) report(after, after.graph, &*was, &*is);
      ++was;
      ++is;
    }
  }
}

// That one which meets the policy appears or goes is news only to whoever asks about it.
void RedundancyHistory::report(const State& at, const engine::Graph& graph, const Seen* old,
                               const Seen* now) {
  const Seen& known = now != nullptr ? *now : *old;
  const bool both = old != nullptr && now != nullptr;
  if (!both && !of_one_ && known.state == RedundancyState::met) return;
  if (items_.size() == kHistoryItemsMax) {
    ++omitted_;
    return;
  }
  const auto seen_json = [](const Seen* seen) -> json::value {
    if (seen == nullptr) return nullptr;
    return json::object{{"state", redundancy_state_name(seen->state)},
                        {"at_least", seen->at_least},
                        {"at_most", seen->at_most}};
  };
  const engine::Attributes& attributes = graph.attributes(known.element);
  items_.push_back({{"lsn", at.lsn.value},
                    {"time", time_text(at.effective_time.instant())},
                    {"element", {{"id", attributes.id()}, {"name", attributes.name()}}},
                    {"before", seen_json(old)},
                    {"after", seen_json(now)}});
}

Result<json::object> RedundancyHistory::answer() {
  if (of_one_ && !found_)
    return fail(Errc::not_found, fmt::format("no version in that time has {} as an element that "
                                             "the policy is about",
                                             policy_.who.ids.front()));
  return json::object{{"policy", codecs::redundancy_policy_json(policy_)},
                      {"transactions", versions_},
                      {"versions_checked", checked_},
                      {"items", std::move(items_)},
                      {"omitted", omitted_}};
}

}  // namespace netml::admin::web
