#include "admin/cli/client/input_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "admin/cli/client/output.hpp"
#include "engine/base/json_string.hpp"
#include "engine/base/wording.hpp"

namespace netml::admin::cli {

namespace {

std::string error_line(const std::string& file, const engine::InputError& error) {
  std::string line = file;
  if (!error.sheet.empty() || !error.pointer.empty()) {
    line += ": " + error.place();
  } else if (error.line > 0) {
    line += fmt::format(":{}", error.line);
    if (error.column > 0) line += fmt::format(":{}", error.column);
  }
  line += ": " + error.message;
  if (!error.id.empty()) line += fmt::format(" ({})", error.id);
  return printable_line(line);
}

std::string error_json(const engine::InputError& error) {
  std::string text = fmt::format(R"({{"code":{},"message":{})", json_string(error.code),
                                 json_string(error.message));
  if (!error.sheet.empty()) text += fmt::format(R"(,"sheet":{})", json_string(error.sheet));
  if (error.line > 0) text += fmt::format(R"(,"line":{})", error.line);
  if (error.column > 0) text += fmt::format(R"(,"column":{})", error.column);
  if (!error.pointer.empty()) text += fmt::format(R"(,"pointer":{})", json_string(error.pointer));
  if (!error.id.empty()) text += fmt::format(R"(,"id":{})", json_string(error.id));
  return text + '}';
}

}  // namespace

std::string error_lines(const std::string& file, const engine::InputErrors& errors) {
  std::string lines;
  for (const engine::InputError& error : errors.first) lines += error_line(file, error);
  if (errors.count > errors.first.size())
    lines +=
        printable_line(fmt::format("{}: {} more errors", file, errors.count - errors.first.size()));
  return lines;
}

std::string errors_json(const engine::InputErrors& errors) {
  std::string text = "[";
  for (const engine::InputError& error : errors.first) {
    if (text.size() > 1) text += ',';
    text += error_json(error);
  }
  return text + ']';
}

engine::InputErrors parse_errors(const JsonValue& answer) {
  engine::InputErrors errors;
  for (const JsonValue& item : answer.at("errors").items()) {
    engine::InputError error;
    error.code = item.text("code");
    error.message = item.text("message");
    error.line = item.number("line");
    error.column = item.number("column");
    error.id = item.text("id");
    error.sheet = item.text("sheet");
    error.pointer = item.text("pointer");
    errors.first.push_back(std::move(error));
  }
  errors.count = std::max<std::uint64_t>(answer.number("error_count"), errors.first.size());
  return errors;
}

tl::unexpected<Failure> invalid_file(const std::string& file, const engine::InputErrors& errors,
                                     const Client& client, std::string answer) {
  client.environment().err(error_lines(file, errors));
  return tl::make_unexpected(Failure(
      ExitCode::invalid_file,
      fmt::format("{} is not valid: {}", file, counted(errors.count, "error")), std::move(answer)));
}

}  // namespace netml::admin::cli
