#include "engine/quality/inspect.hpp"

#include <fmt/format.h>

#include "engine/quality/themes.hpp"

namespace netml::engine {

void inspect(const Inspection& map, const Report& report) {
  const std::vector<bool> doubtful = check_places(map, report);
  map.graph.for_each_record([&](RecordId id) {
    check_texts(map, id, report);
    check_properties(map, id, report);
    check_lifetime(map, id, report);
    check_associations(map, id, report);
    if (map.graph.kind(id) == Kind::link) check_link(map, id, doubtful, report);
  });
  check_half_links(map, report);
  check_repeats(map, report);
}

std::string text_of(const Graph& graph, const Finding& finding) {
  std::string text = description(finding.check).text;
  if (!finding.subject.empty()) text += fmt::format(": {}", finding.subject);
  if (finding.other) text += fmt::format(": {}", graph.attributes(finding.other).name());
  if (finding.kilometres >= 0) text += fmt::format(", {:.0f} km", finding.kilometres);
  return text;
}

}  // namespace netml::engine
