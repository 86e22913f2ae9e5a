#include "tests/histories/history_past.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

namespace netml::test {

std::string differing(const std::vector<std::string>& found,
                      const std::vector<std::string>& expected) {
  std::vector<std::string> lines;
  std::ranges::set_difference(found, expected, std::back_inserter(lines));
  for (std::string& line : lines) line.insert(0, "  holds    ");
  const std::size_t held = lines.size();
  std::ranges::set_difference(expected, found, std::back_inserter(lines));
  for (std::size_t i = held; i < lines.size(); ++i) lines[i].insert(0, "  expected ");
  return fmt::format("{}", fmt::join(lines, "\n"));
}

void Past::remember(HistoryNode& node, Version version) {
  if (versions_.empty()) first_ = node.head().next();
  version.files = node.files_named();
  version.time = node.clock().wall();
  const std::size_t count = node.head().value + 1;
  if (count == versions_.size()) return;  // nothing was changed
  versions_.resize(count, version);
  versions_.back().chain = node.chain();
  versions_.back().exported = HistoryNode::exported(*node, node->version());
}

Lsn Past::at_time(WallTime time) const {
  Lsn lsn = last();
  while (lsn > Lsn{} && at(lsn).time > time) lsn = Lsn{lsn.value - 1};
  return lsn;
}

Past::Difference Past::check_replay(HistoryNode& node, const std::string& until, Lsn lsn) const {
  const std::string path = node.new_path();
  const auto copied = admin::Audit(*node).replay(until, path);
  if (!copied) return "not copied: " + copied.error().message;
  Hashes gone;
  std::ranges::set_difference(at(lsn).files, node.files_there(), std::inserter(gone, gone.end()));
  auto opened = node.open_copy(path);
  if (!opened) return "not opened: " + opened.error().message;
  Difference difference = check_whole(**opened, lsn, gone.size());
  opened->reset();
  std::filesystem::remove_all(path);
  return difference;
}

Past::Difference Past::check_whole(admin::Node& node, Lsn lsn, std::size_t files_gone) const {
  const auto found = node.verify();
  if (!found) return "not verified: " + found.error().message;
  if (!found->findings.empty()) return "damaged: " + found->findings.front();
  if (found->uploads_gone != files_gone)
    return fmt::format("{} files gone, expected {}", found->uploads_gone, files_gone);
  if (!at(lsn).chain.empty() && node.version().head != at(lsn).chain)
    return fmt::format("its head is {}, expected {}", node.version().head, at(lsn).chain);
  const auto held = lines(node.version().state->graph);
  const auto expected = lines(at(lsn).map);
  if (held != expected) return "the copy differs\n" + differing(held, expected);
  return std::nullopt;
}

Past::Difference Past::check_state(HistoryNode& node, Lsn lsn) const {
  const auto past = admin::Audit(*node).state(std::to_string(lsn.value));
  if (!past) return "no state: " + past.error().message;
  const auto held = lines(past->state->graph);
  const auto expected = lines(at(lsn).map);
  if (held != expected) return "the past state differs\n" + differing(held, expected);
  if (at(lsn).chain.empty()) return std::nullopt;
  const std::string exported = HistoryNode::exported(*node, {past->state, to_string(past->head)});
  if (exported != at(lsn).exported)
    return fmt::format("exported\n{}\ninstead of\n{}", exported, at(lsn).exported);
  return std::nullopt;
}

// Whether it changed the topology, or what belonged to it before or after.
bool Past::concerns(Lsn lsn, const std::set<Key>& topologies) const {
  const PlainMap& before = versions_[lsn.value - 1].map;
  const PlainMap& after = at(lsn).map;
  const auto in = [&](const PlainMap& map, Key key) {
    const auto found = map.find(key);
    return found != map.end() && (topologies.contains(key) ||
                                  std::ranges::any_of(found->second.topologies, [&](Key home) {
                                    return topologies.contains(home);
                                  }));
  };
  const auto value = [](const PlainMap& map, Key key) {
    const auto found = map.find(key);
    return found == map.end() ? std::nullopt : std::optional(found->second);
  };
  if (std::ranges::any_of(topologies, [&](Key key) { return at(lsn).delivered.contains(key); }))
    return true;
  PlainMap all = before;
  all.insert(after.begin(), after.end());
  return std::ranges::any_of(all, [&](const auto& entry) {
    const Key key = entry.first;
    return value(before, key) != value(after, key) && (in(before, key) || in(after, key));
  });
}

Past::Difference Past::check_log(HistoryNode& node, const std::string& id) const {
  std::set<Key> topologies;
  for (const Version& version : versions_)
    if (const Key key = find(version.map, Kind::topology, id); key != 0) topologies.insert(key);
  if (topologies.empty()) return std::nullopt;
  std::vector<std::uint64_t> expected;
  for (Lsn lsn = first_; lsn <= last(); lsn = lsn.next())
    if (concerns(lsn, topologies)) expected.push_back(lsn.value);
  auto reader = node->journal();
  NETML_ASSERT(reader.has_value());
  wal::HistoryQuery query;
  const auto named = reader->records_named(id);
  NETML_ASSERT(named.has_value());
  query.topologies = *named;
  std::vector<std::uint64_t> listed;
  const Status read = reader->history(query, [&](const wal::HistoryEntry& entry) {
    listed.push_back(entry.lsn.value);
    return true;
  });
  if (!read) return read.error().message;
  if (listed == expected) return std::nullopt;
  return fmt::format("the log of {} tells of {}, expected {}", id, fmt::join(listed, " "),
                     fmt::join(expected, " "));
}

}  // namespace netml::test
