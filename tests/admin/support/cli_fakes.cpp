#include "tests/admin/support/cli_fakes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "admin/cli/run.hpp"

namespace netml::admin::cli::test {

Result<ControlResponse> FakeControl::call(const ControlRequest& request, const BodySink& sink,
                                          Progress& progress) {
  script_.requests.push_back(request);
  if (script_.during) script_.during(progress);
  ControlResponse response = script_.response;
  if (sink && response.succeeded()) {
    for (const std::string& piece : script_.pieces) NETML_TRY_VOID(sink(piece));
    response.body.clear();
  }
  if (script_.broken) return tl::make_unexpected(*script_.broken);
  return response;
}

CommandLineRunner::CommandLineRunner() {
  environment.out = [this](std::string_view text) -> Status {
    out += text;
    return {};
  };
  environment.err = [this](std::string_view text) { err += text; };
  environment.variable = [this](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
  environment.clock = &clock;
  environment.pause = [this](std::chrono::milliseconds time) {
    clock.now = clock.now.load() + time;
  };
  environment.disk_format_version = 1;
  environment.connect = [this](const GlobalOptions&) -> Result<std::unique_ptr<Control>> {
    return std::make_unique<FakeControl>(script);
  };
  environment.open = [](const GlobalOptions&, Access) -> Result<std::unique_ptr<Control>> {
    return netml::fail(Errc::internal, "opened although a server runs");
  };
  environment.serve = [](const GlobalOptions&, const ServeOptions&) -> Status { return {}; };
}

int CommandLineRunner::run(const std::vector<std::string>& arguments) {
  out.clear();
  err.clear();
  std::vector<const char*> argv{"netml"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  return cli::run(static_cast<int>(argv.size()), argv.data(), environment);
}

std::string CommandLineRunner::file(const std::string& name, const std::string& content) const {
  std::ofstream(path(name), std::ios::binary) << content;
  return path(name);
}

std::vector<std::string> CommandLineRunner::files() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory_.path()))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace netml::admin::cli::test
