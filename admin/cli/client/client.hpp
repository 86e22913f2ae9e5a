// What every command works with: the environment, the global options, and calls to whoever holds
// the data directory, which the command need not know.
//
// Thread: one at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "admin/cli/client/environment.hpp"
#include "admin/cli/client/exit_code.hpp"
#include "admin/cli/client/former_names.hpp"
#include "admin/cli/client/json.hpp"
#include "admin/cli/client/output.hpp"

namespace netml::admin::cli {

class Client {
 public:
  // Both must outlive it.
  Client(const Environment& environment, const GlobalOptions& global)
      : environment_(environment), global_(global) {}

  // What the command does with a data directory that this process opens, unless it is only to
  // find one. Before the first call.
  void open_to(Access access) { access_ = access; }

  // The first call finds the running server, or opens the data directory. What the node refuses
  // is a Failure with its answer; ExitCode::invalid_file when that lists errors of a file.
  Outcome<ControlResponse> call(const ControlRequest& request, const BodySink& sink = {});
  Outcome<ControlResponse> call(const ControlRequest& request, const BodySink& sink,
                                Progress& progress);

  // Calls, and gives the answer's JSON, which is the command's result.
  Outcome<JsonValue> ask(const ControlRequest& request, FormerNames names = {});
  Outcome<JsonValue> ask(const ControlRequest& request, Progress& progress, FormerNames names = {});
  // All entries of a list of the API, or the first `most`, page by page, as a JSON list.
  Outcome<JsonValue> ask_all(const Target& list, FormerNames names,
                             std::uint64_t most = UINT64_MAX);
  // The entry of a list that has this name, as the API knows it: by its number. `what` says what
  // the list is of, `command` is the one that shows it.
  Outcome<std::string> number_of(const Target& list, std::string_view what, const std::string& name,
                                 std::string_view command);

  // What --json prints in the end, with how the command ended: a JSON object or list. The last one
  // counts; none: only how it ended.
  void set_result(std::string json) { result_ = std::move(json); }
  const std::optional<std::string>& result() const { return result_; }
  // Of the data directory, found on the way: what was answered is the state before it.
  const std::string& damage() const { return damage_; }

  const Environment& environment() const { return environment_; }
  const GlobalOptions& global() const { return global_; }
  const Limits& limits() const { return global_.limits; }
  // Whether a running server answered, which has limits of its own.
  bool asked_server() const { return asked_server_; }
  bool json() const { return global_.json; }
  CommandOutcome print(std::string_view text) const;
  // As wide as the terminal, where the output is one.
  CommandOutcome print(const Table& table) const;
  // The text or the table that `describe` makes of an answer; --json reports the answer itself.
  template <class Describe>
  CommandOutcome show(Outcome<JsonValue> answer, Describe describe) const {
    if (!answer) return tl::make_unexpected(std::move(answer).error());
    return json() ? CommandOutcome() : print(describe(*answer));
  }
  // One line that tells what was done; --json has reported it already.
  CommandOutcome say(std::string_view text) const;
  // One line on standard error.
  void tell(std::string_view text) const;

 private:
  CommandOutcome connect();
  CommandOutcome try_to_connect();

  const Environment& environment_;
  const GlobalOptions& global_;
  Access access_ = Access::find;
  std::unique_ptr<Control> control_;
  bool asked_server_ = false;
  std::optional<std::string> result_;
  std::string damage_;
};

}  // namespace netml::admin::cli
