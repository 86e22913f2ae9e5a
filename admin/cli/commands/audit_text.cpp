#include "admin/cli/commands/audit_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "admin/cli/client/output.hpp"
#include "engine/base/time.hpp"

namespace netml::admin::cli {

std::string counts_text(const JsonValue& counts) {
  return fmt::format("+{} ~{} -{}", counts.number("created"), counts.number("updated"),
                     counts.number("deleted"));
}

namespace {

constexpr std::string_view kLogFormat = "{:>8}  {:<20}  {:<12}  {:<13}  {:<18}  {}\n";

// "2024-03-01T12:00:00Z": as short as it can be and still be given as WHEN.
std::string short_time(const std::string& time) {
  constexpr std::size_t kSecondsEnd = 19;
  return time.size() < kSecondsEnd ? time : time.substr(0, kSecondsEnd) + 'Z';
}

char sign_of(const std::string& action) {
  if (action == "created") return '+';
  return action == "deleted" ? '-' : '~';
}

std::string value_text(const JsonValue& value) {
  std::string text;
  for (const JsonValue& item : value.items()) text += (text.empty() ? "" : ", ") + item.text();
  return text.empty() && value.items().empty() ? value.text() : text;
}

// Of `items` those that `others` does not hold as well, each as often as it has more of it.
std::vector<std::string> without(const JsonValue& items, const JsonValue& others) {
  std::vector<std::string> left;
  for (const JsonValue& item : items.items()) left.push_back(item.text());
  for (const JsonValue& other : others.items())
    if (const auto found = std::ranges::find(left, other.text()); found != left.end())
      left.erase(found);
  return left;
}

// What a list lost and gained; nothing when it is in another order only.
std::vector<std::string> list_changes(const JsonValue& before, const JsonValue& after) {
  std::vector<std::string> lines;
  for (const std::string& item : without(before, after)) lines.push_back("- " + item);
  for (const std::string& item : without(after, before)) lines.push_back("+ " + item);
  return lines;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::vector<std::string> change_lines(const JsonValue& field, const std::string& action) {
  const JsonValue before = field.at("before");
  const JsonValue after = field.at("after");
  if (field.flag("secret")) return {action == "updated" ? "changed (secret)" : "(secret)"};
  if (action == "created") return lines_of(value_text(after));
  if (action == "deleted") return lines_of(value_text(before));
  // Of a link it matters between which two it was, and is.
  if (field.text("field") != "ends")
    if (std::vector<std::string> lines = list_changes(before, after); !lines.empty()) return lines;
  const auto shown = [](const JsonValue& value) {
    return value.is_null() ? std::string("(nothing)") : value_text(value);
  };
  return lines_of(shown(before) + " -> " + shown(after));
}

// "    name: value"; further lines stand below the first.
std::string field_text(const JsonValue& field, const std::string& action) {
  std::string lead = "    " + printable(field.text("field")) + ": ";
  std::string text;
  for (const std::string& line : change_lines(field, action)) {
    text += lead + printable_line(line);
    lead.assign(lead.size(), ' ');
  }
  return text.empty() ? lead + '\n' : text;
}

// An identifier that never changed has been reported with what it is of.
std::string fields_text(const JsonValue& effect) {
  const std::string action = effect.text("action");
  std::string text;
  for (const JsonValue& field : effect.at("fields").items())
    if (action == "updated" || field.text("field") != "id") text += field_text(field, action);
  return text;
}

}  // namespace

std::string log_heading() {
  return fmt::format(kLogFormat, "LSN", "TIME", "ACTOR", "CAUSE", "CHANGES", "SOURCE");
}

std::string log_line(const JsonValue& transaction) {
  const std::string lsn = transaction.text("lsn");
  if (!transaction.flag("committed"))
    return printable_line(fmt::format("{:>8}  aborted: {}", lsn, transaction.text("reason")));
  const std::string time = short_time(transaction.text("time"));
  std::string text = fmt::format(kLogFormat, lsn, time, printable(transaction.text("actor")),
                                 transaction.text("cause"), counts_text(transaction),
                                 printable(transaction.text("source")));
  const std::string effective = short_time(transaction.text("effective_time"));
  if (effective == short_time(format_instant(Instant())))
    text += fmt::format("{:>8}  took effect before all else\n", "");
  else if (effective != time)
    text += fmt::format("{:>8}  took effect {}\n", "", effective);
  return text;
}

std::string transaction_text(const JsonValue& transaction, std::optional<std::size_t> width) {
  if (!transaction.flag("committed")) return log_line(transaction);
  Table table;
  table.row({"LSN", transaction.text("lsn")});
  constexpr std::array<std::pair<const char*, const char*>, 8> kRows{
      {{"time", "time"},
       {"effective_time", "took effect"},
       {"actor_kind", "actor kind"},
       {"actor", "actor"},
       {"cause", "cause"},
       {"source", "source"},
       {"file_hash", "file hash"},
       {"request_id", "request"}}};
  for (const auto& [name, label] : kRows)
    if (const std::string value = transaction.text(name); !value.empty()) table.row({label, value});
  table.row({"changes", counts_text(transaction)});
  table.row({"head", transaction.text("head")});
  return table.text(width);
}

std::string effect_text(const JsonValue& effect) {
  if (!effect.at("renumbered").is_null())
    return printable_line(fmt::format("# members of {}: pk {} to {}", effect.text("renumbered"),
                                      effect.number("first_pk"),
                                      effect.number("first_pk") + effect.number("count") - 1));
  if (!effect.at("numbered").is_null())
    return printable_line(fmt::format("# {}: pk {}", effect.text("numbered"), effect.number("pk")));
  const bool entry = !effect.at("entry").is_null();
  const std::string what = entry ? fmt::format("{} {}", effect.text("entry"), effect.text("number"))
                                 : fmt::format("{} {}", effect.text("kind"), effect.text("id"));
  return printable_line(fmt::format("{} {}", sign_of(effect.text("action")), what)) +
         fields_text(effect);
}

std::string history_text(const JsonValue& change) {
  const std::string text = printable(fmt::format(
      "LSN {}  {}  {}  {}: {} {} {}", change.text("lsn"), short_time(change.text("effective_time")),
      change.text("actor"), change.text("cause"), change.text("kind"), change.text("id"),
      change.text("action")));
  return text + '\n' + fields_text(change);
}

std::string diff_heading(const JsonValue& head) {
  std::string text = fmt::format("from LSN {} to LSN {}", head.text("from"), head.text("to"));
  bool differs = false;
  for (const auto& [kind, counts] : head.at("counts").members()) {
    if (counts.number("created") + counts.number("updated") + counts.number("deleted") == 0)
      continue;
    differs = true;
    text += fmt::format("; {} {}", kind, counts_text(counts));
  }
  return text + (differs ? "\n" : "; nothing differs\n");
}

}  // namespace netml::admin::cli
