#include "admin/cli/client/client.hpp"

#include <fmt/format.h>

#include "admin/cli/client/output.hpp"
#include "admin/cli/client/progress.hpp"

namespace netml::admin::cli {

namespace {

constexpr std::chrono::seconds kLockPatience{3};
constexpr std::chrono::milliseconds kLockPause{50};

Failure in_use(const GlobalOptions& global, const Error& error) {
  return {ExitCode::in_use,
          fmt::format("the data directory {} cannot be used: {}. Wait until that process is done, "
                      "or stop it.",
                      global.data_directory, error.message)};
}

Failure refused(const ControlResponse& response) {
  const Result<JsonValue> answer = JsonValue::parse(response.body);
  if (!answer)
    return {ExitCode::failed, fmt::format("the node answered with status {}", response.status)};
  std::string message = answer->text("detail");
  if (message.empty()) message = fmt::format("the node answered with status {}", response.status);
  if (const std::string type = answer->text("error_type"); !type.empty())
    message += fmt::format(" ({})", type);
  Failure failure = answered_failure(answer->text("code"), std::move(message));
  failure.answer = response.body;
  // What a command asks for is what its arguments say.
  if (answer->text("code") == "invalid_input") failure.code = ExitCode::usage;
  if (!answer->at("errors").items().empty()) failure.code = ExitCode::invalid_file;
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

Outcome<JsonValue> Client::ask(const ControlRequest& request) {
  NETML_TRY(const ControlResponse response, call(request));
  const std::string body = response.body.empty() ? "{}" : response.body;
  NETML_TRY(JsonValue answer, JsonValue::parse(body));
  set_result(body);
  return answer;
}

CommandOutcome Client::print(std::string_view text) const {
  NETML_TRY_VOID(environment_.out(text));
  return {};
}

CommandOutcome Client::say(std::string_view text) const {
  return json() ? CommandOutcome() : print(printable(text) + '\n');
}

void Client::tell(std::string_view text) const {
  environment_.err(printable(text) + '\n');
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
