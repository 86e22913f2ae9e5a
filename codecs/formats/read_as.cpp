#include "codecs/formats/read_as.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace {

constexpr std::string_view kUpdate = "update";
constexpr std::string_view kMap = "map";
constexpr std::string_view kMapping = "mapping";
constexpr char kEscape = '\\';

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == kEscape) out += kEscape;
    out += c;
  }
  return out + '"';
}

// What stands in the quotes that `text` begins with, which are taken off it. Nothing: they are not
// closed.
std::optional<std::string> take_quoted(std::string_view& text) {
  std::string out;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      text.remove_prefix(i + 1);
      return out;
    }
    if (text[i] == kEscape && i + 1 < text.size()) ++i;
    out += text[i];
  }
  return std::nullopt;
}

tl::unexpected<Error> no_such_parameter(std::string_view text) {
  return fail(
      Errc::invalid_input, "format",
      fmt::format("\"{}\" is no parameter of a format; these are: {}, {}=\"HEADING=FIELD\", "
                  "{}=\"nodes=location\"",
                  text, kUpdate, kMap, kMapping));
}

}  // namespace

std::string ReadAs::text() const {
  std::string text = format;
  if (is_update) text += fmt::format(";{}", kUpdate);
  if (!headings.empty()) text += fmt::format(";{}={}", kMap, in_quotes(headings.text()));
  if (!mapping.empty()) text += fmt::format(";{}={}", kMapping, in_quotes(mapping));
  return text;
}

Result<std::string> read_as_text(ReadAsPieces pieces) {
  NETML_TRY(HeadingMap headings, HeadingMap::parse(pieces.headings));
  return ReadAs{.format = std::move(pieces.format),
                .headings = std::move(headings),
                .mapping = std::move(pieces.mapping),
                .is_update = pieces.is_update}
      .text();
}

std::string_view format_name_in(std::string_view read_as) {
  return trimmed(read_as.substr(0, read_as.find(';')));
}

std::string_view parameters_in(std::string_view read_as) {
  const std::size_t begin = read_as.find(';');
  return begin == read_as.npos ? std::string_view() : read_as.substr(begin);
}

Result<ReadAs> parse_read_as(std::string_view text) {
  ReadAs read_as{.format = std::string(format_name_in(text))};
  for (std::string_view rest = parameters_in(text); !rest.empty();) {
    rest = trimmed(rest.substr(1));
    const std::string_view name = trimmed(rest.substr(0, rest.find_first_of(";=")));
    if (name == kUpdate) {
      read_as.is_update = true;
      rest.remove_prefix(name.size());
    } else if ((name == kMap || name == kMapping) && rest.substr(name.size()).starts_with("=\"")) {
      rest.remove_prefix(name.size() + 1);
      auto value = take_quoted(rest);
      if (!value) return fail(Errc::invalid_input, "format", "a quote is not closed");
      if (name == kMapping) {
        read_as.mapping = *std::move(value);
      } else {
        NETML_TRY(read_as.headings, HeadingMap::parse(*value));
      }
    } else {
      return no_such_parameter(name);
    }
    rest = trimmed(rest);
    if (!rest.empty() && rest.front() != ';') return no_such_parameter(rest);
  }
  return read_as;
}

}  // namespace netml::codecs
