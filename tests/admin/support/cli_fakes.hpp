// The command line with a node, streams, variables and a clock of the test's own.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "admin/cli/client/environment.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::admin::cli::test {

class FakeClock : public Clock {
 public:
  WallTime wall() const override { return {}; }
  std::chrono::nanoseconds steady() const override { return now; }
  std::atomic<std::chrono::nanoseconds> now{std::chrono::nanoseconds(0)};  // a ticker reads it, too
};

// What the fake node was asked, and what it answers.
struct Script {
  std::vector<ControlRequest> requests;
  ControlResponse response{.status = 200, .head = "7:abcd", .body = "{}"};
  std::vector<std::string> pieces;  // of a body that goes to a sink, before the response's own
  std::optional<Error> broken;      // the call ends with this after the pieces
  std::function<void(Progress&)> during;
};

class FakeControl : public Control {
 public:
  explicit FakeControl(Script& script) : script_(script) {}
  Result<ControlResponse> call(const ControlRequest& request, const BodySink& sink,
                               Progress& progress) override;

 private:
  Script& script_;
};

// Runs command lines against a node that follows a script.
class CommandLineRunner {
 public:
  CommandLineRunner();
  CommandLineRunner(const CommandLineRunner&) = delete;
  CommandLineRunner& operator=(const CommandLineRunner&) = delete;

  // The exit code; `out` and `err` hold what this run printed.
  int run(const std::vector<std::string>& arguments);
  std::string file(const std::string& name, const std::string& content) const;
  std::string path(const std::string& name) const { return directory_.file(name); }
  std::string directory() const { return directory_.path(); }
  std::vector<std::string> files() const;  // names in the directory, sorted
  const ControlRequest& request() const { return script.requests.at(0); }

  Script script;
  FakeClock clock;
  Environment environment;
  std::map<std::string, std::string> variables;
  std::string out;
  std::string err;

 private:
  netml::test::TemporaryDirectory directory_;
};

}  // namespace netml::admin::cli::test
