#include "codecs/netml/delta/write_delta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
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

class DeltaWriter {
 public:
  DeltaWriter(const ExportedMap& from, const ExportedMap& to, std::size_t bytes_max)
      : from_(from),
        to_(to),
        from_places_(from),
        to_places_(to),
        changes_(changes_between(from, to)),
        old_(from.graph),
        new_(to.graph),
        bytes_max_(bytes_max) {}

  Result<TextBuffer> write(const DeltaLabel& label) && {
    out_.reserve(expected_bytes());
    put_label(out_, label);
    for (std::size_t place = 0; place < to_places_.count(); ++place)
      NETML_TRY_VOID(topology(place));
    for (std::size_t place = 0; place < from_places_.count(); ++place)
      if (!to_places_.find(from_places_.id(place)))
        put_deleted(out_, Kind::topology, from_places_.id(place));
    out_.append(kDeltaEnd);
    NETML_TRY_VOID(check_size());
    out_.fit();
    return std::move(out_);
  }

 private:
  // Growing moves what is written into memory that is fresh each time, which costs more than
  // writing it.
  std::size_t expected_bytes() const {
    constexpr std::size_t kBytesOfElement = 1024;
    const auto& changes = changes_->elements;
    const std::size_t elements = changes ? changes->elements.size() : 0;
    return std::min(bytes_max_, kBytesOfElement * (elements + 1));
  }

  Status topology(std::size_t place) {
    const auto before = from_places_.find(to_places_.id(place));
    const bool is_written_alike =
        before && from_.hashes[*before]->whole == to_.hashes[place]->whole;
    if (is_written_alike && from_places_.parent(*before) == to_places_.parent(place)) return {};
    out_.append(kDeltaTopology);
    if (!to_places_.is_root(place)) put_attribute(out_, "parent", to_places_.parent(place));
    out_.append(">");
    TextBuffer gone;
    NETML_TRY_VOID(own(before, place, is_written_alike, gone));
    out_.append(kTopologyEnd);
    out_.append(gone.view());
    out_.append(kDeltaTopologyEnd);
    return {};
  }

  // The head, and of the elements those that are not as they were.
  Status own(std::optional<std::size_t> before, std::size_t place, bool is_written_alike,
             TextBuffer& gone) {
    const engine::ExportStep& step = to_.tree.steps[place];
    const auto some = some_of(before, step);
    const bool is_root = step.depth == 0;
    out_.append(some ? new_.begin(step.topology, is_root, *some, &ElementChange::after)
                     : new_.begin(step.topology, is_root));
    if (is_written_alike) return {};
    if (before) {
      const engine::ExportStep& was = from_.tree.steps[*before];
      if (some)
        old_.begin(was.topology, was.depth == 0, *some, &ElementChange::before);
      else
        old_.begin(was.topology, was.depth == 0);
    }
    return elements(before.has_value(), gone);
  }

  // Nothing: all that both list must be compared.
  std::optional<std::span<const ElementChange>> some_of(std::optional<std::size_t> before,
                                                        const engine::ExportStep& step) const {
    const auto& changes = changes_->elements;
    if (!before || !changes || from_.tree.steps[*before].topology != step.topology ||
        std::ranges::binary_search(changes->topologies, step.topology))
      return std::nullopt;
    return std::span<const ElementChange>(
        std::ranges::equal_range(changes->elements, step.topology, {}, &ElementChange::topology));
  }

  // What the topology lists that has begun, beside what it listed before.
  Status elements(bool was_there, TextBuffer& gone) {
    std::optional<ElementText> old = was_there ? old_.next() : std::nullopt;
    std::optional<ElementText> now = new_.next();
    while (old || now) {
      const bool is_old = old && (!now || old->key <= now->key);
      const bool is_new = now && (!old || now->key <= old->key);
      if (!is_new)
        put_deleted(gone, kind_of(old->key), old->key.id);
      else if (!is_old || old->text != now->text)
        out_.append(now->text);
      if (is_old) old = old_.next();
      if (is_new) now = new_.next();
      NETML_TRY_VOID(check_size(gone.size()));
    }
    return {};
  }

  // With what is still to be put.
  Status check_size(std::size_t more = 0) const {
    if (out_.size() + more <= bytes_max_) return {};
    return fail(Errc::too_large, fmt::format("the delta is above {} bytes", bytes_max_));
  }

  const ExportedMap& from_;
  const ExportedMap& to_;
  const Places from_places_;
  const Places to_places_;
  const MapChangesPtr changes_;
  OwnElements old_;
  OwnElements new_;
  const std::size_t bytes_max_;
  TextBuffer out_;
};

}  // namespace

Result<TextBuffer> write_delta(const ExportedMap& from, const ExportedMap& to, DeltaLabel label,
                               std::size_t bytes_max) {
  label.before = from.hash;
  label.after = to.hash;
  return DeltaWriter(from, to, bytes_max).write(label);
}

}  // namespace netml::codecs
