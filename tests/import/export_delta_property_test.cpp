// Goal: whoever applies a delta has the file that the other side exports, to the byte, or knows
// that it has not. Method: random histories, all pairs of their states; deltas that are damaged, of
// other states, or applied to other files. RC_PARAMS=max_success=N draws more of them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "codecs/netml/delta/apply_delta.hpp"
#include "codecs/netml/delta/write_delta.hpp"
#include "engine/export/element_changes.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/random_history.hpp"

namespace netml::test {
namespace {

using codecs::DeltaLabel;
using codecs::ExportedMap;
using engine::Graph;

constexpr std::size_t kMuch = 1 << 20;
const DeltaLabel kLabel{.stream = "a stream", .from = "1:\"a\"", .to = "2:<b>"};

struct Exported {
  ExportedMap map;
  std::string text;
};

Parallel& helpers() {
  static HelperThreads threads(1);
  return threads;
}

// Of the main topology, or of one that has that identifier.
std::optional<Exported> exported(const Graph& graph, std::string_view id,
                                 const ExportedMap* before = nullptr) {
  const RecordId root = graph.find_newest(Kind::topology, id);
  if (!root) return std::nullopt;
  auto map = codecs::exported_map(graph, root, before, helpers());
  if (!map) return std::nullopt;
  return Exported{*std::move(map), export_text(graph, root)};
}

Result<std::string> applied(std::string_view document, std::string_view delta,
                            std::string_view from = kLabel.from) {
  NETML_TRY(const codecs::Delta read, codecs::read_delta(delta));
  std::string text;
  const auto take = [&](std::string_view piece) -> Status {
    text += piece;
    return {};
  };
  NETML_TRY(const codecs::TakenExport after, codecs::apply_delta(document, read, from, take));
  RC_ASSERT(codecs::TakenExport::of(text)->hash() == after.hash());
  return text;
}

std::string delta_of(const Exported& from, const Exported& to) {
  const auto written = [&](std::size_t bytes_max) {
    return codecs::write_delta(from.map, to.map, kLabel, bytes_max, helpers());
  };
  const auto delta = written(kMuch);
  RC_ASSERT(delta.has_value());
  const auto just = written(delta->size());
  RC_ASSERT(just.has_value());
  RC_ASSERT(just->view() == delta->view());
  const auto beyond = written(delta->size() - 1);
  RC_ASSERT(!beyond);
  RC_ASSERT(beyond.error().code == Errc::too_large);
  return std::string(delta->view());
}

std::string topology_id() {
  return "T" + std::to_string(below(5));
}

RC_GTEST_PROP(ExportDelta, LeadsToTheFileThatIsExportedThen, ()) {
  const std::vector<Step> history = random_history(5);
  const std::string before_id = topology_id();
  const std::string after_id = below(4) == 0 ? topology_id() : before_id;
  int by_element = 0;
  for (std::size_t i = 0; i < history.size(); ++i) {
    const auto from = exported(history[i].before.graph, before_id);
    if (!from) continue;
    for (std::size_t j = i; j < history.size(); ++j) {
      const auto to = exported(history[j].after.graph, after_id, &from->map);
      if (!to) continue;
      RC_ASSERT(to->map.hash == exported(history[j].after.graph, after_id)->map.hash);
      RC_ASSERT((from->map.hash == to->map.hash) == (from->text == to->text));
      RC_ASSERT(codecs::TakenExport::of(to->text)->hash() == to->map.hash);
      const auto text = applied(from->text, delta_of(*from, *to));
      RC_ASSERT(text.has_value());
      RC_ASSERT(*text == to->text);
      const auto third = exported(history.back().before.graph, after_id);
      const auto near_third =
          exported(history[j].after.graph, after_id, third ? &third->map : nullptr);
      RC_ASSERT(delta_of(*from, *near_third) == delta_of(*from, *to));
      RC_TAG(from->text == to->text ? "alike" : "different");
      by_element += engine::elements_written_differently(from->map.graph, to->map.graph) ? 1 : 0;
    }
  }
  RC_CLASSIFY(by_element > 0, "some looked at by element");
}

RC_GTEST_PROP(ExportDelta, IsRefusedOrRightWhateverBecomesOfIt, ()) {
  const std::vector<Step> history = random_history(4);
  const std::string id = topology_id();
  const auto from = exported(history.front().before.graph, id);
  const auto other = exported(history.front().after.graph, id);
  const auto to = exported(history.back().after.graph, id);
  if (!to || !other) return;
  const std::string delta = delta_of(*other, *to);
  // Lost, repeated, or out of turn.
  for (const auto* document : {from ? &*from : &*to, &*to}) {
    const auto text = applied(document->text, delta);
    if (text) RC_ASSERT(*text == to->text);
  }
  RC_ASSERT(!applied(other->text, delta, "another head"));
  std::string damaged = delta;
  damaged[static_cast<std::size_t>(below(static_cast<int>(delta.size())))] =
      static_cast<char>(32 + below(95));
  if (const auto text = applied(other->text, damaged)) RC_ASSERT(*text == to->text);
  const auto end = static_cast<std::size_t>(below(static_cast<int>(delta.size())));
  RC_ASSERT(!applied(other->text, delta.substr(0, end)));
  RC_ASSERT(!applied(other->text.substr(0, other->text.size() / 2), delta));
}

}  // namespace
}  // namespace netml::test
