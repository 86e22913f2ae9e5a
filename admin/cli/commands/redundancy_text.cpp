#include "admin/cli/commands/redundancy_text.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "engine/base/wording.hpp"

namespace netml::admin::cli {

namespace {

std::string count_of(const JsonValue& item) {
  if (item.flag("exact")) return item.text("at_least");
  return fmt::format("{} to {}", item.text("at_least"), item.text("at_most"));
}

void add_all(std::vector<std::string>& texts, const JsonValue& references, std::string_view kind) {
  for (const JsonValue& each : references.items())
    texts.push_back(fmt::format("{} {}", kind, name_and_id(each)));
}

std::string joined(const std::vector<JsonValue>& names) {
  std::string text;
  for (const JsonValue& name : names) text += (text.empty() ? "" : ", ") + name.text();
  return text;
}

std::string kilometres(const JsonValue& metres) {
  return fmt::format("{:.1f} km", static_cast<double>(metres.number()) / 1'000);
}

std::string cut_text(const JsonValue& cut) {
  std::vector<std::string> texts;
  for (const JsonValue& group : cut.at("groups").items())
    texts.push_back("shared-risk group " + group.text());
  add_all(texts, cut.at("links"), "link");
  add_all(texts, cut.at("nodes"), "node");
  return texts.empty() ? "" : fmt::format("cut by {}", fmt::join(texts, ", "));
}

// Why there are no more routes, or what they have in common.
std::string reason(const JsonValue& item) {
  const std::string basis = item.text("basis");
  if (basis == "at-target") return "is among those that routes lead to";
  if (basis == "no-nodes") return "owns no node";
  if (item.text("state") == "met") {
    const JsonValue common = item.at("common_metres");
    return common.number() == 0 ? "" : kilometres(common) + " in common";
  }
  const std::string common = joined(item.at("common_groups").items());
  if (basis == "work-exhausted") return "not known: the work of the check ran out";
  if (basis == "group-bounds")
    return "not known: the search was stopped; groups in common: " + common;
  if (basis == "common-bounds")
    return "not known: a common path is counted without nodes and groups";
  if (basis == "group-search") return "all ways were tried; groups in common: " + common;
  std::string text = cut_text(item.at("cut"));
  if (const JsonValue next = item.at("next_common_metres"); !next.is_null())
    text += fmt::format("; one more would have {} in common", kilometres(next));
  return text.empty() ? "no route" : text;
}

// "below 1", "undecided 1 to 2"; "-" where there was nothing.
std::string seen_text(const JsonValue& seen) {
  if (seen.is_null()) return "-";
  const std::string least = seen.text("at_least");
  const std::string most = seen.text("at_most");
  return fmt::format("{} {}", seen.text("state"),
                     least == most ? least : fmt::format("{} to {}", least, most));
}

}  // namespace

Table redundancy_table(const JsonValue& answer) {
  Table table;
  table.row({"STATE", "ROUTES", "ELEMENT", "NOTE"});
  for (const JsonValue& item : answer.at("items").items())
    table.row({item.text("state"), count_of(item), name_and_id(item.at("element")), reason(item)});
  return table;
}

std::string redundancy_summary(const JsonValue& answer) {
  const JsonValue policy = answer.at("policy");
  return fmt::format("{}{} checked for {} to {}: {} met, {} below, {} undecided",
                     policy.text("name").empty() ? "" : policy.text("name") + ": ",
                     counted(answer.number("checked"), policy.at("who").text("kind")),
                     counted(policy.number("routes"), "route"),
                     counted(answer.number("targets"), "node"), answer.number("met"),
                     answer.number("below"), answer.number("undecided"));
}

Table redundancy_history_table(const JsonValue& answer) {
  Table table;
  table.row({"TIME", "LSN", "ELEMENT", "BEFORE", "AFTER"});
  for (const JsonValue& item : answer.at("items").items())
    table.row({item.text("time"), item.text("lsn"), name_and_id(item.at("element")),
               seen_text(item.at("before")), seen_text(item.at("after"))});
  return table;
}

std::string redundancy_history_summary(const JsonValue& answer) {
  return fmt::format("{} looked through, {} checked",
                     counted(answer.number("transactions"), "transaction"),
                     counted(answer.number("versions_checked"), "version"));
}

}  // namespace netml::admin::cli
