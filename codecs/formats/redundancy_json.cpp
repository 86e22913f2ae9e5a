#include "codecs/formats/redundancy_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <span>
#include <string>

#include "engine/base/lower_case.hpp"
#include "engine/base/nearest_word.hpp"

namespace netml::codecs {

namespace json = boost::json;
using engine::Disjoint;
using engine::ElementSelection;
using engine::RedundancyPolicy;

namespace {

using Names = std::span<const std::string_view>;

tl::unexpected<Error> wrong(std::string_view field, std::string message) {
  return fail(Errc::invalid_input, field, std::move(message));
}

// The members of one object, read one after another.
class Fields {
 public:
  // `path` is what stands before a name in messages: "", "who.".
  Fields(const json::object& object, std::string path) : object_(object), path_(std::move(path)) {}

  Status only(Names known) const {
    for (const json::key_value_pair& member : object_)
      if (std::ranges::find(known, std::string_view(member.key())) == known.end())
        return wrong(path_ + std::string(member.key()),
                     "is no field of a policy" + did_you_mean(member.key(), known));
    return {};
  }
  // Null is the same as nothing.
  const json::value* find(std::string_view name) const {
    const json::value* const value = object_.if_contains(name);
    return value == nullptr || value->is_null() ? nullptr : value;
  }
  Result<std::string> text(std::string_view name, std::string otherwise) const {
    const json::value* const value = find(name);
    if (value == nullptr) return otherwise;
    if (!value->is_string()) return wrong(path_of(name), "must be a text");
    return std::string(value->get_string());
  }
  Result<std::string> needed_text(std::string_view name) const {
    if (find(name) == nullptr) return wrong(path_of(name), "is missing");
    NETML_TRY(std::string found, text(name, {}));
    if (found.empty()) return wrong(path_of(name), "must not be empty");
    return found;
  }
  Result<bool> flag(std::string_view name, bool otherwise) const {
    const json::value* const value = find(name);
    if (value == nullptr) return otherwise;
    if (!value->is_bool()) return wrong(path_of(name), "must be true or false");
    return value->get_bool();
  }
  // One of the words, by its place.
  Result<std::size_t> word(std::string_view name, Names words, std::string_view found) const {
    const auto at = std::ranges::find(words, found);
    if (at == words.end())
      return wrong(path_of(name), fmt::format("must be \"{}\"", fmt::join(words, "\" or \"")));
    return static_cast<std::size_t>(at - words.begin());
  }
  Result<Fields> object(std::string_view name) const {
    const json::value* const value = find(name);
    if (value == nullptr) return wrong(path_of(name), "is missing");
    if (!value->is_object()) return wrong(path_of(name), "must be an object");
    return Fields(value->get_object(), path_of(name) + '.');
  }
  std::string path_of(std::string_view name) const { return path_ + std::string(name); }

 private:
  const json::object& object_;
  const std::string path_;
};

constexpr std::array<std::string_view, 8> kPolicyNames{
    "name",         "who", "to", "routes", "disjoint", "distinct_ends", "shared_risk_groups",
    "common_km_max"};
constexpr std::array<std::string_view, 4> kSelectionNames{"kind", "tag", "property", "ids"};
constexpr std::array<std::string_view, 2> kPropertyNames{"name", "value"};
constexpr std::array<std::string_view, 2> kKindWords{"institution", "node"};
constexpr std::array<std::string_view, 2> kDisjointWords{"links", "nodes"};

Result<std::vector<std::string>> read_ids(const Fields& fields) {
  std::vector<std::string> ids;
  const json::value* const value = fields.find("ids");
  if (value == nullptr) return ids;
  if (!value->is_array() || value->get_array().empty() ||
      !std::ranges::all_of(value->get_array(), &json::value::is_string))
    return wrong(fields.path_of("ids"), "must be a list of at least one identifier");
  for (const json::value& id : value->get_array()) ids.emplace_back(id.get_string());
  return ids;
}

Result<ElementSelection> read_selection(const Fields& fields) {
  ElementSelection selection;
  NETML_TRY_VOID(fields.only(kSelectionNames));
  NETML_TRY(std::string kind, fields.needed_text("kind"));
  NETML_TRY(const std::size_t word, fields.word("kind", kKindWords, kind));
  selection.kind = word == 0 ? Kind::institution : Kind::node;
  if (fields.find("tag") != nullptr) {
    NETML_TRY(selection.tag, fields.needed_text("tag"));
  }
  if (fields.find("property") != nullptr) {
    NETML_TRY(const Fields property, fields.object("property"));
    NETML_TRY_VOID(property.only(kPropertyNames));
    auto& named = selection.property.emplace();
    NETML_TRY(const std::string name, property.needed_text("name"));
    named.name = engine::lower_case(name);  // as they are stored
    NETML_TRY(named.value, property.needed_text("value"));
  }
  NETML_TRY(selection.ids, read_ids(fields));
  return selection;
}

Result<std::size_t> read_routes(const Fields& fields) {
  const json::value* const value = fields.find("routes");
  if (value == nullptr) return wrong("routes", "is missing");
  const std::int64_t* const number = value->if_int64();
  if (number == nullptr || *number < 1 || *number > std::int64_t{engine::kRoutesMax})
    return wrong("routes", fmt::format("must be a number from 1 to {}", engine::kRoutesMax));
  return static_cast<std::size_t>(*number);
}

Result<RedundancyPolicy> read_policy(const Fields& fields) {
  RedundancyPolicy policy;
  NETML_TRY_VOID(fields.only(kPolicyNames));
  NETML_TRY(policy.name, fields.text("name", {}));
  NETML_TRY(const Fields who, fields.object("who"));
  NETML_TRY(policy.who, read_selection(who));
  NETML_TRY(const Fields to, fields.object("to"));
  NETML_TRY(policy.to, read_selection(to));
  NETML_TRY(policy.routes, read_routes(fields));
  NETML_TRY(std::string disjoint, fields.text("disjoint", std::string(kDisjointWords[0])));
  NETML_TRY(const std::size_t word, fields.word("disjoint", kDisjointWords, disjoint));
  policy.disjoint = word == 0 ? Disjoint::links : Disjoint::nodes;
  NETML_TRY(policy.distinct_ends, fields.flag("distinct_ends", policy.distinct_ends));
  NETML_TRY(policy.shared_risk_groups,
            fields.flag("shared_risk_groups", policy.shared_risk_groups));
  if (const json::value* const kilometres = fields.find("common_km_max")) {
    if (!kilometres->is_number()) return wrong("common_km_max", "must be a number");
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
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  boost::system::error_code error;
  const json::value document = json::parse(text, error);
  if (error)
    return fail(Errc::invalid_input, fmt::format("the policy is no JSON ({})", error.message()));
  if (!document.is_object()) return fail(Errc::invalid_input, "the policy is no JSON object");
  return read_policy(Fields(document.get_object(), {}));
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
