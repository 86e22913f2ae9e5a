#include "admin/analysis/quality_fixes.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <string>

#include "admin/analysis/map_records.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/answers/json_text.hpp"
#include "admin/answers/record_text.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::FixPlan;
using engine::Graph;
using engine::Proposal;

namespace {

std::string decimal_text(engine::Micro number) {
  std::string text;
  append_decimal(text, number);
  return text;
}

json::array lines_json(const Graph& graph, const std::vector<FixPlan::Line>& lines) {
  json::array items;
  for (std::size_t i = 0; i < std::min(lines.size(), kListedFixes); ++i)
    items.push_back(json::object{{"kind", collection_name(graph.kind(lines[i].record))},
                                 {"record", reference_json(graph, lines[i].record)},
                                 {"text", lines[i].text}});
  return items;
}

}  // namespace

json::value fix_json(const Graph& graph, const Proposal& proposal) {
  if (proposal.kind == engine::FixKind::none) return nullptr;
  json::object fix{{"kind", engine::fix_name(proposal.kind)},
                   {"text", proposal.text},
                   {"target", proposal.target ? json::value(reference_json(graph, proposal.target))
                                              : json::value()}};
  const engine::RecordEdit& edit = proposal.edit;
  if (edit.latitude && *edit.latitude && edit.longitude && *edit.longitude) {
    fix["latitude"] = decimal_text(**edit.latitude);
    fix["longitude"] = decimal_text(**edit.longitude);
  }
  return fix;
}

json::object fixes_json(const Graph& graph, const FixPlan& plan) {
  return {{"fixed", plan.mended.size()},
          {"left", plan.left.size()},
          {"fixes", lines_json(graph, plan.mended)},
          {"unfixed", lines_json(graph, plan.left)}};
}

}  // namespace netml::admin::web
