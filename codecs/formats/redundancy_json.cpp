#include "codecs/formats/redundancy_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <string>

#include "codecs/formats/json_fields.hpp"
#include "engine/base/lower_case.hpp"

namespace netml::codecs {

namespace json = boost::json;
using engine::Disjoint;
using engine::ElementSelection;
using engine::RedundancyPolicy;

namespace {

constexpr std::array<std::string_view, 8> kPolicyNames{
    "name",         "who", "to", "routes", "disjoint", "distinct_ends", "shared_risk_groups",
    "common_km_max"};
constexpr std::array<std::string_view, 4> kSelectionNames{"kind", "tag", "property", "ids"};
constexpr std::array<std::string_view, 2> kPropertyNames{"name", "value"};
constexpr std::array<std::string_view, 2> kKindWords{"institution", "node"};
constexpr std::array<std::string_view, 2> kDisjointWords{"links", "nodes"};

Result<std::vector<std::string>> read_ids(const JsonFields& fields) {
  std::vector<std::string> ids;
  const json::value* const value = fields.find("ids");
  if (value == nullptr) return ids;
  if (!value->is_array() || value->get_array().empty() ||
      !std::ranges::all_of(value->get_array(), &json::value::is_string))
    return wrong_json(fields.path_of("ids"), "must be a list of at least one identifier");
  for (const json::value& id : value->get_array()) ids.emplace_back(id.get_string());
  return ids;
}

Result<ElementSelection> read_selection(const JsonFields& fields) {
  ElementSelection selection;
  NETML_TRY_VOID(fields.only(kSelectionNames));
  NETML_TRY(std::string kind, fields.needed_text("kind"));
  NETML_TRY(const std::size_t word, fields.word("kind", kKindWords, kind));
  selection.kind = word == 0 ? Kind::institution : Kind::node;
  if (fields.find("tag") != nullptr) {
    NETML_TRY(selection.tag, fields.needed_text("tag"));
  }
  if (fields.find("property") != nullptr) {
    NETML_TRY(const JsonFields property, fields.object("property"));
    NETML_TRY_VOID(property.only(kPropertyNames));
    auto& named = selection.property.emplace();
    NETML_TRY(const std::string name, property.needed_text("name"));
    named.name = engine::lower_case(name);  // as they are stored
    NETML_TRY(named.value, property.needed_text("value"));
  }
  NETML_TRY(selection.ids, read_ids(fields));
  return selection;
}

Result<std::size_t> read_routes(const JsonFields& fields) {
  const json::value* const value = fields.find("routes");
  if (value == nullptr) return wrong_json("routes", "is missing");
  const std::int64_t* const number = value->if_int64();
  if (number == nullptr || *number < 1 || *number > std::int64_t{engine::kRoutesMax})
    return wrong_json("routes", fmt::format("must be a number from 1 to {}", engine::kRoutesMax));
  return static_cast<std::size_t>(*number);
}

Result<RedundancyPolicy> read_policy(const JsonFields& fields) {
  RedundancyPolicy policy;
  NETML_TRY_VOID(fields.only(kPolicyNames));
  NETML_TRY(policy.name, fields.text("name", {}));
  NETML_TRY(const JsonFields who, fields.object("who"));
  NETML_TRY(policy.who, read_selection(who));
  NETML_TRY(const JsonFields to, fields.object("to"));
  NETML_TRY(policy.to, read_selection(to));
  NETML_TRY(policy.routes, read_routes(fields));
  NETML_TRY(std::string disjoint, fields.text("disjoint", std::string(kDisjointWords[0])));
  NETML_TRY(const std::size_t word, fields.word("disjoint", kDisjointWords, disjoint));
  policy.disjoint = word == 0 ? Disjoint::links : Disjoint::nodes;
  NETML_TRY(policy.distinct_ends, fields.flag("distinct_ends", policy.distinct_ends));
  NETML_TRY(policy.shared_risk_groups,
            fields.flag("shared_risk_groups", policy.shared_risk_groups));
  if (const json::value* const kilometres = fields.find("common_km_max")) {
    if (!kilometres->is_number()) return wrong_json("common_km_max", "must be a number");
    policy.common_km_max = kilometres->to_number<double>();
  }
  if (auto problem = engine::problem_of(policy)) return tl::make_unexpected(*std::move(problem));
  return policy;
}

json::object selection_json(const ElementSelection& selection) {
  json::object object{{"kind", kKindWords[selection.kind == Kind::institution ? 0 : 1]}};
  if (!selection.tag.empty()) object["tag"] = selection.tag;
  if (selection.property)
    object["property"] = {{"name", selection.property->name}, {"value", selection.property->value}};
  if (!selection.ids.empty()) object["ids"] = json::value_from(selection.ids);
  return object;
}

}  // namespace

Result<RedundancyPolicy> read_redundancy_policy(std::string_view text) {
  NETML_TRY(const json::value document, parse_json_object(text, "the policy"));
  return read_policy(JsonFields(document.get_object(), {}, "a policy"));
}

json::object redundancy_policy_json(const RedundancyPolicy& policy) {
  json::object object{{"name", policy.name},
                      {"who", selection_json(policy.who)},
                      {"to", selection_json(policy.to)},
                      {"routes", policy.routes},
                      {"disjoint", kDisjointWords[policy.disjoint == Disjoint::links ? 0 : 1]},
                      {"distinct_ends", policy.distinct_ends},
                      {"shared_risk_groups", policy.shared_risk_groups}};
  if (policy.common_km_max) object["common_km_max"] = *policy.common_km_max;
  return object;
}

}  // namespace netml::codecs
