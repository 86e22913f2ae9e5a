#include "tests/e2e/support/worked.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/graph/document.hpp"

namespace netml::e2e {

namespace json = boost::json;

namespace {

const std::string kCollation = "/collation/test/";

json::array infos_json(const Infos& infos) {
  json::array all;
  for (const auto& [key, value] : infos) all.push_back({{"key", key}, {"value", value}});
  return all;
}

std::string text(const json::value& value) {
  return std::string(value.as_string());
}

// The identifiers of related records, ascending.
std::string ids(const json::value& related) {
  Lines all;
  for (const json::value& item : related.as_array()) all.push_back(text(item.at("grenml_id")));
  std::ranges::sort(all);
  return fmt::format("{}", fmt::join(all, ","));
}

std::string name_and_properties(const json::object& item) {
  std::string line;
  if (item.at("name") != item.at("grenml_id")) line = fmt::format(" \"{}\"", text(item.at("name")));
  for (const json::value& property : item.at("properties").as_array())
    line += fmt::format(" {}={}", text(property.at("name")), text(property.at("value")));
  return line;
}

std::string element_line(std::string_view kind, const json::object& item) {
  std::string line = fmt::format("{} {}", kind, text(item.at("grenml_id")));
  if (kind == "link")
    line += fmt::format(" {}-{}", text(item.at("node_a").at("grenml_id")),
                        text(item.at("node_b").at("grenml_id")));
  line += " in " + ids(item.at("topologies"));
  if (item.contains("owners")) line += " of " + ids(item.at("owners"));
  return line + name_and_properties(item);
}

}  // namespace

json::object criterion(std::string_view type, const Infos& infos) {
  return {{"match_type", type}, {"matchinfo_set", infos_json(infos)}};
}

json::object action(std::string_view type, const Infos& infos) {
  return {{"action_type", type}, {"actioninfo_set", infos_json(infos)}};
}

json::object stored_rule(std::string_view name, json::array criteria, json::array actions,
                         int priority) {
  return {{"name", name},
          {"priority", priority},
          {"match_criteria", std::move(criteria)},
          {"actions", std::move(actions)}};
}

WorkedNode::WorkedNode() : token_(node.import_token()) {
  node.node().done({"setting", "set", "IMPORT_ANSWER", "Result"});
}

net::ClientResponse WorkedNode::upload(const std::string& file, const UploadForm& form) {
  const Answer answer = node.server().client(token_).upload(file, form);
  EXPECT_TRUE(answer.has_value()) << answer.error().message;
  return answer.value_or(net::ClientResponse{});
}

void WorkedNode::import(const std::string& file, const UploadForm& form) {
  const net::ClientResponse answer = upload(file, form);
  EXPECT_EQ(answer.status, 201) << answer.body;
}

void WorkedNode::restore_default_rulesets() {
  EXPECT_EQ(node.ask("POST", kCollation + "rulesets/restore_default_collision_resolution/").status,
            200);
}

void WorkedNode::propagate_topology_deletion(bool on) {
  node.node().done({"setting", "set", "TOPOLOGY_DELETION_PROPAGATION", on ? "On" : "Off"});
}

void WorkedNode::store(std::string_view ruleset, json::array rules, int priority) {
  const json::object made{{"name", ruleset}, {"priority", priority}, {"rules", std::move(rules)}};
  const JsonAnswer answer = node.ask_openly("POST", kCollation + "import_rulesets",
                                            json::object{{"rulesets", json::array{made}}});
  EXPECT_EQ(answer.status, 201);
  EXPECT_EQ(answer.value.at("invalid_rulesets"), json::value(json::array()));
}

json::value WorkedNode::run(std::string_view rule) {
  const JsonAnswer rules = node.ask("GET", kCollation + "rules/");
  for (const json::value& item : rules.value.as_array())
    if (item.at("name").as_string() == rule) {
      const auto number = item.at("id").to_number<std::uint64_t>();
      const JsonAnswer log = node.ask("GET", fmt::format("{}rules/{}/apply/", kCollation, number));
      EXPECT_EQ(log.status, 200) << json::serialize(log.value);
      return log.value;
    }
  ADD_FAILURE() << "no rule " << rule;
  return {};
}

json::array WorkedNode::list(std::string_view kind) {
  const JsonAnswer all = node.ask("GET", fmt::format("/network_topology/test/{}/", kind));
  return all.value.is_array() ? all.value.get_array() : json::array();
}

json::value WorkedNode::only(std::string_view kind, std::string_view id) {
  json::value found;
  for (const json::value& item : list(kind))
    if (item.at("grenml_id").as_string() == id) {
      EXPECT_TRUE(found.is_null()) << "two " << kind << " " << id;
      found = item;
    }
  EXPECT_FALSE(found.is_null()) << "no " << kind << " " << id;
  return found;
}

Lines WorkedNode::lines() {
  Lines all;
  const json::array topologies = list("topologies");
  const json::array institutions = list("institutions");
  const auto id_of = [](const json::array& records, const json::value& key) {
    for (const json::value& record : records)
      if (record.at("pk") == key) return text(record.at("grenml_id"));
    return std::string("nobody");
  };
  for (const json::value& item : topologies) {
    std::string line = "topology " + text(item.at("grenml_id"));
    if (!item.at("parent").is_null()) line += " below " + id_of(topologies, item.at("parent"));
    line += " owner " + id_of(institutions, item.at("owner"));
    all.push_back(line + name_and_properties(item.as_object()));
  }
  std::ranges::sort(all);
  for (const char* kind : {"institution", "node", "link"}) {
    const auto begin = static_cast<std::ptrdiff_t>(all.size());
    for (const json::value& item : list(std::string(kind) + "s"))
      if (item.at("grenml_id").as_string() != engine::kGlobalInstitutionId)
        all.push_back(element_line(kind, item.as_object()));
    std::sort(all.begin() + begin, all.end());
  }
  return all;
}

}  // namespace netml::e2e
