#include "admin/cli/client/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "admin/cli/client/output.hpp"
#include "admin/cli/client/progress.hpp"

namespace netml::admin::cli {

namespace {

constexpr std::chrono::seconds kLockPatience{3};
constexpr std::chrono::milliseconds kLockPause{50};
constexpr std::uint64_t kPageEntries = 1000;  // as many as the API gives at once

Failure in_use(const GlobalOptions& global, const Error& error) {
  return {ExitCode::in_use,
          fmt::format("the data directory {} cannot be used: {}. Wait until that process is done, "
                      "or stop it.",
                      global.data_directory, error.message)};
}

constexpr std::array kFormerRefusal{FormerName{"message", "detail"},
                                    FormerName{"code", "code", FormerName::Value::code}};

// "the value of IMPORT_DAYS_KEPT must be ..." does, "must be a number" does not.
bool tells_its_subject(const std::string& message) {
  return message.starts_with("the ") || message.starts_with("a ") || message.starts_with("an ");
}

// `detail` is what the server says before any handler is asked.
std::string message_of(const JsonValue& answer, const JsonValue& error, int status) {
  std::string message = error.is_null() ? answer.text("detail") : error.text("message");
  if (message.empty()) message = fmt::format("the node answered with status {}", status);
  if (const std::string field = error.text("field"); !field.empty() && !tells_its_subject(message))
    message = fmt::format("{}: {}", field, message);
  if (const std::string type = error.text("error_type"); !type.empty())
    message += fmt::format(" ({})", type);
  return message;
}

Failure refused(const ControlResponse& response) {
  const Result<JsonValue> answer = JsonValue::parse(response.body);
  if (!answer)
    return {ExitCode::failed, fmt::format("the node answered with status {}", response.status)};
  const JsonValue error = answer->at("error");
  const std::string code = error.text("code");
  Failure failure = answered_failure(code, message_of(*answer, error, response.status));
  const auto reported =
      with_former_outer_names(error.is_null() ? "{}" : error.text(), kFormerRefusal);
  failure.answer = reported.value_or("");
  // What a command asks for is what its arguments say.
  if (code == "invalid-input") failure.code = ExitCode::usage;
  if (code == "invalid-file" || !error.at("errors").items().empty())
    failure.code = ExitCode::invalid_file;
  return failure;
}

}  // namespace

Outcome<ControlResponse> Client::call(const ControlRequest& request, const BodySink& sink) {
  NoProgress unwatched;
  return call(request, sink, unwatched);
}

Outcome<ControlResponse> Client::call(const ControlRequest& request, const BodySink& sink,
                                      Progress& progress) {
  NETML_TRY_VOID(connect());
  NETML_TRY(ControlResponse response, control_->call(request, sink, progress));
  if (!response.damage.empty()) damage_ = response.damage;
  if (!response.succeeded()) return tl::make_unexpected(refused(response));
  return response;
}

Outcome<JsonValue> Client::ask(const ControlRequest& request, FormerNames names) {
  NoProgress unwatched;
  return ask(request, unwatched, names);
}

Outcome<JsonValue> Client::ask(const ControlRequest& request, Progress& progress,
                               FormerNames names) {
  NETML_TRY(const ControlResponse response, call(request, {}, progress));
  std::string body = response.body.empty() ? "{}" : response.body;
  if (!names.empty()) {
    NETML_TRY(body, with_former_names(body, names));
  }
  NETML_TRY(JsonValue answer, JsonValue::parse(body));
  set_result(std::move(body));
  return answer;
}

Outcome<JsonValue> Client::ask_all(const Target& list, FormerNames names, std::uint64_t most) {
  std::string items;
  std::optional<std::string> cursor;
  do {
    Target page = list;
    page.query("limit", fmt::to_string(std::min(kPageEntries, most))).query("cursor", cursor);
    NETML_TRY(const ControlResponse response, call(request("GET", page)));
    NETML_TRY(const std::string body, with_former_names(response.body, names));
    NETML_TRY(const JsonValue answer, JsonValue::parse(body));
    for (const JsonValue& item : answer.at("items").items()) {
      if (most == 0) break;
      --most;
      items += (items.empty() ? "" : ",") + item.text();
    }
    cursor.reset();
    if (const JsonValue next = answer.at("next"); !next.is_null()) cursor = next.text();
  } while (cursor && most > 0);
  std::string all = '[' + items + ']';
  NETML_TRY(JsonValue answer, JsonValue::parse(all));
  set_result(std::move(all));
  return answer;
}

Outcome<std::string> Client::number_of(const Target& list, std::string_view what,
                                       const std::string& name, std::string_view command) {
  Target wanted = list;
  NETML_TRY(const ControlResponse response, call(question("GET", wanted.query("name", name))));
  NETML_TRY(const JsonValue answer, JsonValue::parse(response.body));
  for (const JsonValue& item : answer.at("items").items())
    if (item.text("name") == name) return item.text("number");
  return fail(ExitCode::failed,
              fmt::format("there is no {} \"{}\"; `netml {}` shows them", what, name, command));
}

CommandOutcome Client::print(std::string_view text) const {
  NETML_TRY_VOID(environment_.out(text));
  return {};
}

CommandOutcome Client::print(const Table& table) const {
  return print(table.text(environment_.out_columns()));
}

CommandOutcome Client::say(std::string_view text) const {
  return json() ? CommandOutcome() : print(printable_line(text));
}

void Client::tell(std::string_view text) const {
  environment_.err(printable_line(text));
}

// Another command may hold the directory for a moment, or a server may be about to answer.
CommandOutcome Client::connect() {
  const auto give_up = environment_.clock->steady() + kLockPatience;
  while (!control_) {
    CommandOutcome tried = try_to_connect();
    const bool in_use = !tried && tried.error().code == ExitCode::in_use;
    if (!in_use || environment_.clock->steady() >= give_up) return tried;
    environment_.pause(kLockPause);
  }
  return {};
}

CommandOutcome Client::try_to_connect() {
  auto running = environment_.connect(global_);
  if (!running && running.error().code == Errc::unavailable)
    return tl::make_unexpected(in_use(global_, running.error()));
  NETML_TRY(control_, std::move(running));
  asked_server_ = control_ != nullptr;
  if (control_) return {};
  auto opened = environment_.open(global_, access_);
  if (!opened && opened.error().code == Errc::conflict)
    return tl::make_unexpected(in_use(global_, opened.error()));
  NETML_TRY(control_, std::move(opened));
  return {};
}

}  // namespace netml::admin::cli
