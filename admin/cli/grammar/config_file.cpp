#include "admin/cli/grammar/config_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <optional>
#include <utility>

#include "engine/base/result.hpp"

namespace netml::admin::cli {

namespace {

constexpr std::string_view kNoTables =
    "sections and names with dots are not used here; write option = value";
constexpr std::string_view kValues =
    "a value is a string in quotes, an integer, true, false, or an array of these";
constexpr std::string_view kNoMore =
    "reading ended here, so what follows was not looked at, nor were names and values before it";

std::optional<std::string> scalar_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  return std::nullopt;
}

ConfigPlace place_of(const toml::source_region& source) {
  return {source.begin.line, source.begin.column};
}

// Adds the texts of a value and their places to the entry. Returns the first part that is no text.
const toml::node* take_value(const toml::node& value, ConfigEntry& entry) {
  const auto add = [&](const toml::node& node) {
    auto text = scalar_text(node);
    if (!text) return false;
    entry.values.push_back(*std::move(text));
    entry.places.push_back(place_of(node.source()));
    return true;
  };
  entry.value = place_of(value.source());
  const auto* array = value.as_array();
  if (array == nullptr) return add(value) ? nullptr : &value;
  for (const toml::node& item : *array)
    if (!add(item)) return &item;
  return nullptr;
}

// The table is ordered by name.
ConfigContent content_of(const toml::table& table) {
  ConfigContent content;
  for (const auto& [key, value] : table) {
    ConfigEntry entry;
    entry.place = place_of(key.source());
    entry.name = key.str();
    if (const toml::node* const bad = take_value(value, entry))
      content.problems.push_back(
          {place_of(bad->source()), std::string(bad->is_table() ? kNoTables : kValues)});
    else
      content.entries.push_back(std::move(entry));
  }
  std::ranges::sort(content.entries, {}, &ConfigEntry::place);
  std::ranges::sort(content.problems, {}, &ConfigProblem::place);
  return content;
}

}  // namespace

ConfigContent examine_config(std::string_view text) {
  ConfigContent content;
  if (text.size() > kConfigBytesMax) {
    content.problems.push_back(
        {{}, fmt::format("a config file has at most {} bytes", kConfigBytesMax)});
    return content;
  }
  try {
    return content_of(toml::parse(text));
  } catch (const toml::parse_error& error) {
    content.problems.push_back(
        {place_of(error.source()),
         fmt::format(
             "{}; write each option once, as option = value; close strings on their line; {}; {}",
             error.description(), kValues, kNoMore)});
  }
  return content;
}

std::string config_message(const std::string& file_name, const ConfigProblem& problem) {
  const ConfigPlace& at = problem.place;
  return at.line == 0 ? fmt::format("{}: {}", file_name, problem.text)
                      : fmt::format("{}:{}:{}: {}", file_name, at.line, at.column, problem.text);
}

tl::expected<ConfigValues, std::string> parse_config(std::string_view text,
                                                     const std::string& file_name,
                                                     const ProblemWithName& problem_with) {
  ConfigContent content = examine_config(text);
  std::vector<ConfigProblem>& problems = content.problems;
  ConfigValues values;
  for (ConfigEntry& entry : content.entries) {
    std::string problem = problem_with ? problem_with(entry.name) : std::string();
    if (!problem.empty()) problems.push_back({entry.place, std::move(problem)});
    values.emplace(std::move(entry.name), std::move(entry.values));
  }
  if (problems.empty()) return values;
  return tl::make_unexpected(
      config_message(file_name, *std::ranges::min_element(problems, {}, &ConfigProblem::place)));
}

tl::expected<std::string, std::string> read_config_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kConfigBytesMax + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad())
    return tl::make_unexpected(
        fmt::format("cannot read the config file {}: {}", path, error_text(errno)));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

tl::expected<ConfigValues, std::string> read_config(const std::string& path,
                                                    const ProblemWithName& problem_with) {
  const auto text = read_config_text(path);
  if (!text) return tl::make_unexpected(text.error());
  return parse_config(*text, path, problem_with);
}

}  // namespace netml::admin::cli
