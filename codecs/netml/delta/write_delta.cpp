#include "codecs/netml/delta/write_delta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codecs/netml/delta/own_elements.hpp"
#include "engine/export/element_changes.hpp"

namespace netml::codecs {

namespace {

using engine::ElementChange;

// The steps of an export by identifier, with the identifiers of those around them.
class Places {
 public:
  explicit Places(const ExportedMap& map) : map_(map) {
    std::vector<std::string_view> around;
    for (std::size_t i = 0; i < map.tree.steps.size(); ++i) {
      const engine::ExportStep& step = map.tree.steps[i];
      around.resize(step.depth);
      parents_.push_back(around.empty() ? std::string_view() : around.back());
      around.push_back(id(i));
      by_id_.emplace(around.back(), i);
    }
  }
  std::size_t count() const { return parents_.size(); }
  std::string_view id(std::size_t place) const {
    return map_.graph.attributes(map_.tree.steps[place].topology).id();
  }
  std::string_view parent(std::size_t place) const { return parents_[place]; }
  bool is_root(std::size_t place) const { return map_.tree.steps[place].depth == 0; }
  std::optional<std::size_t> find(std::string_view id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  const ExportedMap& map_;
  std::vector<std::string_view> parents_;
  std::unordered_map<std::string_view, std::size_t> by_id_;
};

// What all who write a delta read.
struct Versions {
  Versions(const ExportedMap& before, const ExportedMap& after)
      : from(before),
        to(after),
        from_places(before),
        to_places(after),
        changes(changes_between(before, after)) {}

  const ExportedMap& from;
  const ExportedMap& to;
  const Places from_places;
  const Places to_places;
  const MapChangesPtr changes;
};

// How much of a delta was written, by whoever writes a share of it.
class Room {
 public:
  explicit Room(std::size_t bytes_max) : bytes_max_(bytes_max) {}
  Status take(std::size_t bytes) {
    if (taken_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= bytes_max_) return {};
    return fail(Errc::too_large, fmt::format("the delta is above {} bytes", bytes_max_));
  }

 private:
  const std::size_t bytes_max_;
  std::atomic<std::size_t> taken_ = 0;
};

// Writes topologies one after the other. Thread: its owner.
class TopologyWriter {
 public:
  TopologyWriter(const Versions& versions, Room& room)
      : versions_(versions), room_(room), old_(versions.from.graph), new_(versions.to.graph) {}

  // Growing moves what is written into memory that is fresh each time, which costs more than
  // writing it.
  void reserve(std::size_t bytes) { out_.reserve(bytes); }
  TextBuffer& text() { return out_; }

  Status topology(std::size_t place) {
    const Places& from_places = versions_.from_places;
    const Places& to_places = versions_.to_places;
    const auto before = from_places.find(to_places.id(place));
    const bool is_written_alike =
        before && versions_.from.hashes[*before]->whole == versions_.to.hashes[place]->whole;
    if (is_written_alike && from_places.parent(*before) == to_places.parent(place)) return {};
    out_.append(kDeltaTopology);
    if (!to_places.is_root(place)) put_attribute(out_, "parent", to_places.parent(place));
    out_.append(">");
    NETML_TRY_VOID(own(before, place, is_written_alike));
    out_.append(kTopologyEnd);
    out_.append(gone_.view());
    gone_.clear();
    out_.append(kDeltaTopologyEnd);
    return count();
  }

  void deleted_topology(std::string_view id) { put_deleted(out_, Kind::topology, id); }

  // What was written since it was counted last.
  Status count() {
    const std::size_t written = out_.size() + gone_.size();
    return room_.take(written - std::exchange(counted_, written));
  }

 private:
  // The head, and of the elements those that are not as they were.
  Status own(std::optional<std::size_t> before, std::size_t place, bool is_written_alike) {
    const engine::ExportStep& step = versions_.to.tree.steps[place];
    const auto some = some_of(before, step);
    const bool is_root = step.depth == 0;
    out_.append(some ? new_.begin(step.topology, is_root, *some, &ElementChange::after)
                     : new_.begin(step.topology, is_root));
    if (is_written_alike) return {};
    if (before) {
      const engine::ExportStep& was = versions_.from.tree.steps[*before];
      if (some)
        old_.begin(was.topology, was.depth == 0, *some, &ElementChange::before);
      else
        old_.begin(was.topology, was.depth == 0);
    }
    return elements(before.has_value());
  }

  // Nothing: all that both list must be compared.
  std::optional<std::span<const ElementChange>> some_of(std::optional<std::size_t> before,
                                                        const engine::ExportStep& step) const {
    const auto& changes = versions_.changes->elements;
    if (!before || !changes || versions_.from.tree.steps[*before].topology != step.topology ||
        std::ranges::binary_search(changes->topologies, step.topology))
      return std::nullopt;
    return std::span<const ElementChange>(
        std::ranges::equal_range(changes->elements, step.topology, {}, &ElementChange::topology));
  }

  // What the topology lists that has begun, beside what it listed before.
  Status elements(bool was_there) {
    std::optional<ElementText> old = was_there ? old_.next() : std::nullopt;
    std::optional<ElementText> now = new_.next();
    while (old || now) {
      const bool is_old = old && (!now || old->key <= now->key);
      const bool is_new = now && (!old || now->key <= old->key);
      if (!is_new)
        put_deleted(gone_, kind_of(old->key), old->key.id);
      else if (!is_old || old->text != now->text)
        out_.append(now->text);
      if (is_old) old = old_.next();
      if (is_new) now = new_.next();
      NETML_TRY_VOID(count());
    }
    return {};
  }

  const Versions& versions_;
  Room& room_;
  OwnElements old_;
  OwnElements new_;
  TextBuffer out_;
  TextBuffer gone_;  // of one topology; goes behind it
  std::size_t counted_ = 0;
};

std::size_t expected_bytes(const Versions& versions, std::size_t bytes_max) {
  constexpr std::size_t kBytesOfElement = 1024;
  const auto& changes = versions.changes->elements;
  const std::size_t elements = changes ? changes->elements.size() : 0;
  return std::min(bytes_max, kBytesOfElement * (elements + 1));
}

Status write_topologies(TopologyWriter& writer, std::size_t first, std::size_t last) {
  for (std::size_t place = first; place < last; ++place) NETML_TRY_VOID(writer.topology(place));
  return {};
}

}  // namespace

// Two write at a time, each a half of the topologies.
Result<TextBuffer> write_delta(const ExportedMap& from, const ExportedMap& to, DeltaLabel label,
                               std::size_t bytes_max, Parallel& parallel) {
  label.before = from.hash;
  label.after = to.hash;
  const Versions versions(from, to);
  Room room(bytes_max);
  TopologyWriter first(versions, room);
  TopologyWriter second(versions, room);
  const std::size_t expected = expected_bytes(versions, bytes_max);
  first.reserve(expected);
  put_label(first.text(), label);
  NETML_TRY_VOID(first.count());
  const std::size_t count = versions.to_places.count();
  std::array<Status, 2> wrote;
  parallel.run_both([&] { wrote[0] = write_topologies(first, 0, count / 2); },
                    [&] {
                      second.reserve(expected / 2);
                      wrote[1] = write_topologies(second, count / 2, count);
                    });
  for (Status& status : wrote) NETML_TRY_VOID(std::move(status));
  for (std::size_t place = 0; place < versions.from_places.count(); ++place)
    if (const std::string_view id = versions.from_places.id(place); !versions.to_places.find(id))
      second.deleted_topology(id);
  second.text().append(kDeltaEnd);
  NETML_TRY_VOID(second.count());
  TextBuffer& whole = first.text();
  whole.reserve(whole.size() + second.text().size());  // exactly: what it takes is accounted for
  whole.append(second.text().view());
  whole.fit();
  return std::move(whole);
}

}  // namespace netml::codecs
