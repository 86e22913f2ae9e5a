#include "admin/cli/grammar/config_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

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

std::string refusal(const std::string& file_name, toml::source_position where,
                    std::string_view problem) {
  return fmt::format("{}:{}:{}: {}", file_name, where.line, where.column, problem);
}

std::optional<std::string> scalar_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  return std::nullopt;
}

// The texts of a value, or the first part of it that is none.
tl::expected<std::vector<std::string>, const toml::node*> texts_of(const toml::node& value) {
  std::vector<std::string> texts;
  const auto add = [&](const toml::node& node) {
    auto text = scalar_text(node);
    if (!text) return false;
    texts.push_back(*std::move(text));
    return true;
  };
  if (const auto* array = value.as_array()) {
    for (const toml::node& item : *array)
      if (!add(item)) return tl::make_unexpected(&item);
  } else if (!add(value)) {
    return tl::make_unexpected(&value);
  }
  return texts;
}

// The table is ordered by name; what is reported is the problem that comes first in the file.
tl::expected<ConfigValues, std::string> values_of(const toml::table& table,
                                                  const std::string& file_name) {
  ConfigValues values;
  const toml::node* refused = nullptr;
  for (const auto& [key, value] : table) {
    if (auto texts = texts_of(value)) {
      values.emplace(key.str(), *std::move(texts));
    } else if (!refused || texts.error()->source().begin < refused->source().begin) {
      refused = texts.error();
    }
  }
  if (refused)
    return tl::make_unexpected(
        refusal(file_name, refused->source().begin, refused->is_table() ? kNoTables : kValues));
  return values;
}

}  // namespace

tl::expected<ConfigValues, std::string> parse_config(std::string_view text,
                                                     const std::string& file_name) {
  if (text.size() > kConfigBytesMax)
    return tl::make_unexpected(
        fmt::format("{}: a config file has at most {} bytes", file_name, kConfigBytesMax));
  try {
    return values_of(toml::parse(text), file_name);
  } catch (const toml::parse_error& error) {
    return tl::make_unexpected(refusal(
        file_name, error.source().begin,
        fmt::format(
            "{}; write each option once, as option = value; close strings on their line; {}",
            error.description(), kValues)));
  }
}

tl::expected<ConfigValues, std::string> read_config(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kConfigBytesMax + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad())
    return tl::make_unexpected(
        fmt::format("cannot read the config file {}: {}", path, error_text(errno)));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return parse_config(text, path);
}

}  // namespace netml::admin::cli
