#include "admin/analysis/delivery_json.hpp"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <iterator>

#include "admin/analysis/member_text.hpp"
#include "admin/answers/record_text.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using engine::Deliveries;

namespace {

// In percent, with one decimal.
double percent(double share) {
  return std::round(share * 1000) / 10;
}

json::value seconds_json(const std::optional<std::chrono::seconds>& seconds) {
  if (!seconds) return nullptr;
  return seconds->count();
}

json::value compared_json(const std::optional<engine::ComparedShare>& compared) {
  if (!compared) return nullptr;
  return json::object{
      {"newest_percent", percent(compared->newest)},
      {"usual_percent", compared->usual ? json::value(percent(*compared->usual)) : json::value()},
      {"jumped", compared->jumped}};
}

std::string imports_text(const Deliveries& deliveries) {
  std::string text;
  for (const engine::DeliveredImport& each : deliveries.imports)
    fmt::format_to(std::back_inserter(text),
                   R"({}{{"import":{},"time":"{}","created":{},"updated":{},"deleted":{},)"
                   R"("changed_percent":{:.1f},"rule_hits":{},"rule_hits_percent":{:.1f}}})",
                   text.empty() ? "[" : ",", each.record, time_text(each.time), each.created,
                   each.updated, each.deleted, percent(each.share(each.changes())), each.rule_hits,
                   percent(each.share(each.rule_hits)));
  return text.empty() ? "[]" : text + "]";
}

}  // namespace

std::string delivery_text(const Deliveries& deliveries) {
  json::array rules;
  for (const engine::RuleHits& each : deliveries.rules)
    rules.push_back(json::object{{"rule", each.rule},
                                 {"matched", each.matched},
                                 {"changed", each.changed},
                                 {"cascaded", each.cascaded}});
  json::array failures;
  for (const engine::FailuresOfKind& each : deliveries.failures)
    failures.push_back(json::object{{"reason", each.reason}, {"count", each.count}});
  json::array findings;
  for (const engine::DeliveryFinding& each : findings_of(deliveries))
    findings.push_back(
        json::object{{"check", engine::kDeliveryChecks[static_cast<std::size_t>(each.check)].name},
                     {"text", each.text},
                     {"lost", each.lost}});
  const json::object rest{{"age", seconds_json(deliveries.age)},
                          {"allowed", seconds_json(deliveries.allowed)},
                          {"changes", compared_json(compared_changes(deliveries))},
                          {"rule_hits", compared_json(compared_rule_hits(deliveries))},
                          {"rules", std::move(rules)},
                          {"polls", deliveries.polls},
                          {"failures", std::move(failures)},
                          {"findings", std::move(findings)}};
  return with_member(rest, "imports", imports_text(deliveries));
}

double lost_by_delivery(const Deliveries& deliveries) {
  double lost = 0;
  for (const engine::DeliveryFinding& each : findings_of(deliveries)) lost += each.lost;
  return lost;
}

}  // namespace netml::admin::web
