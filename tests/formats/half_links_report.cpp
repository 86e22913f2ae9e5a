// Says which half links of some files belong together, after they were imported one after the
// other, as JSON: half_links_report FILE...
#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "engine/base/json_string.hpp"
#include "engine/half_links/join_half_links.hpp"
#include "tests/codecs/formats/format_text.hpp"
#include "tests/support/file_content.hpp"

namespace netml::codecs::test {
namespace {

engine::State imported_all(int count, char** paths) {
  engine::State state;
  for (int i = 0; i < count; ++i) {
    const std::string text = netml::test::file_content(paths[i]);
    const auto format = detect_format(paths[i], text.substr(0, kRecognizedBytes));
    NETML_ASSERT(format.has_value());
    const ReadResult document = read_text((*format)->name, text);
    NETML_ASSERT(document.has_value());
    const auto plan = engine::plan_import(state, *document, {});
    NETML_ASSERT(plan.has_value());
    state = *engine::apply(state, plan->transaction, state.lsn.next());
  }
  return state;
}

std::string report(const engine::Graph& graph) {
  std::vector<engine::HalfLinkAt> halves;
  graph.for_each_of(Kind::node, [&](RecordId node) {
    engine::add_half_links(node, graph.attributes(node), halves);
  });
  const auto joins = engine::join_half_links(halves);
  std::string out = "{\"joined\":[";
  for (const auto& link : joins.joined) {
    if (!out.ends_with('[')) out += ',';
    out += fmt::format("{{\"ports\":[{},{}],\"labels\":\"{}\"}}",
                       json_string(halves[link.first].half.port()),
                       json_string(halves[link.second].half.port()), engine::text_of(link.labels));
  }
  out += "],\"unjoined\":[";
  for (const auto& half : joins.unjoined) {
    if (!out.ends_with('[')) out += ',';
    out += fmt::format("{{\"port\":{},\"why\":\"{}\",\"reason\":{}}}",
                       json_string(halves[half.half].half.port()), engine::text_of(half.why),
                       json_string(half.reason));
  }
  return out + fmt::format("],\"without_peer\":{}}}\n", joins.without_peer);
}

}  // namespace
}  // namespace netml::codecs::test

int main(int argc, char** argv) {
  const auto state = netml::codecs::test::imported_all(argc - 1, argv + 1);
  std::fputs(netml::codecs::test::report(state.graph).c_str(), stdout);
  return 0;
}
