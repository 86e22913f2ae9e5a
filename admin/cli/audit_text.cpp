#include "admin/cli/audit_text.hpp"

#include <fmt/format.h>

#include "admin/cli/output.hpp"

namespace netml::admin::cli {

namespace {

constexpr std::string_view kLogFormat = "{:>8}  {:<20}  {:<12}  {:<13}  {:<18}  {}\n";

// "2024-03-01T12:00:00Z": as short as it can be and still be given as WHEN.
std::string short_time(const std::string& time) {
  constexpr std::size_t kSecondsEnd = 19;
  return time.size() < kSecondsEnd ? time : time.substr(0, kSecondsEnd) + 'Z';
}

std::string counts_text(const JsonValue& counts) {
  return fmt::format("+{} ~{} -{}", counts.number("created"), counts.number("updated"),
                     counts.number("deleted"));
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

// Lists of associations say in an update what was taken away and what was added.
bool is_list_of_changes(const std::string& field) {
  return field == "topologies" || field == "owners" || field == "parent" || field == "owner";
}

std::string change_text(const JsonValue& field, const std::string& action, bool parts) {
  const JsonValue before = field.at("before");
  const JsonValue after = field.at("after");
  if (field.flag("secret")) return action == "updated" ? "changed (secret)" : "(secret)";
  if (action == "created") return value_text(after);
  if (action == "deleted") return value_text(before);
  if (parts && is_list_of_changes(field.text("field"))) {
    std::string text;
    if (!before.is_null()) text += "without " + value_text(before);
    if (!after.is_null()) text += (text.empty() ? "" : ", ") + ("with " + value_text(after));
    return text;
  }
  const auto shown = [](const JsonValue& value) {
    return value.is_null() ? std::string("(nothing)") : value_text(value);
  };
  return shown(before) + " -> " + shown(after);
}

std::string fields_text(const JsonValue& effect, bool parts) {
  std::string text;
  for (const JsonValue& field : effect.at("fields").items())
    text += "    " +
            printable(fmt::format("{}: {}", field.text("field"),
                                  change_text(field, effect.text("action"), parts))) +
            '\n';
  return text;
}

}  // namespace

std::string log_heading() {
  return fmt::format(kLogFormat, "LSN", "TIME", "ACTOR", "CAUSE", "CHANGES", "SOURCE");
}

std::string log_line(const JsonValue& transaction) {
  const std::string lsn = transaction.text("lsn");
  if (!transaction.flag("committed"))
    return printable(fmt::format("{:>8}  aborted: {}", lsn, transaction.text("reason"))) + '\n';
  const std::string time = short_time(transaction.text("time"));
  std::string text = fmt::format(kLogFormat, lsn, time, printable(transaction.text("actor")),
                                 transaction.text("cause"), counts_text(transaction),
                                 printable(transaction.text("source")));
  const std::string effective = short_time(transaction.text("effective_time"));
  if (effective != time) text += fmt::format("{:>8}  took effect {}\n", "", effective);
  return text;
}

std::string transaction_text(const JsonValue& transaction) {
  if (!transaction.flag("committed")) return log_line(transaction);
  Table table;
  table.row({"LSN", transaction.text("lsn")});
  for (const char* name : {"time", "effective_time", "actor_kind", "actor", "cause", "source",
                           "file_hash", "request_id"})
    if (const std::string value = transaction.text(name); !value.empty()) table.row({name, value});
  table.row({"changes", counts_text(transaction)});
  table.row({"head", transaction.text("head")});
  return table.text();
}

std::string effect_text(const JsonValue& effect) {
  if (!effect.at("renumbered").is_null())
    return printable(fmt::format("# members of {}: pk {} to {}", effect.text("renumbered"),
                                 effect.number("first_pk"),
                                 effect.number("first_pk") + effect.number("count") - 1)) +
           '\n';
  if (!effect.at("numbered").is_null())
    return printable(fmt::format("# {}: pk {}", effect.text("numbered"), effect.number("pk"))) +
           '\n';
  const bool entry = !effect.at("entry").is_null();
  const std::string what = entry ? fmt::format("{} {}", effect.text("entry"), effect.text("number"))
                                 : fmt::format("{} {}", effect.text("kind"), effect.text("id"));
  // Of a difference, lists are whole.
  const bool parts = !entry && !effect.at("record").is_null();
  return printable(fmt::format("{} {}", sign_of(effect.text("action")), what)) + '\n' +
         fields_text(effect, parts);
}

std::string history_text(const JsonValue& change) {
  std::string text = printable(fmt::format(
      "LSN {}  {}  {}  {}: {} {} {}", change.text("lsn"), short_time(change.text("effective_time")),
      change.text("actor"), change.text("cause"), change.text("kind"), change.text("id"),
      change.text("action")));
  return text + '\n' + fields_text(change, true);
}

std::string diff_heading(const JsonValue& head) {
  std::string text = fmt::format("from LSN {} to LSN {}", head.text("from"), head.text("to"));
  for (const auto& [kind, counts] : head.at("counts").members())
    if (counts.number("created") + counts.number("updated") + counts.number("deleted") != 0)
      text += fmt::format("; {} {}", kind, counts_text(counts));
  return text + '\n';
}

}  // namespace netml::admin::cli
