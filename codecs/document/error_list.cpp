#include "codecs/document/error_list.hpp"

#include <fmt/format.h>

namespace netml::codecs {

void ErrorList::report(std::string_view code, std::string_view message, TextPosition at,
                       std::string_view id) {
  ++errors_.count;
  if (errors_.first.size() >= limit_) return;
  engine::InputError error{std::string(code), fmt::format("Error: {}", message),
                           at.line,           at.column,
                           std::string(id),   sheet_};
  if (names_ && at.line == 0 && at.column != 0) {
    error.pointer = names_(at);
    error.column = 0;
  }
  errors_.first.push_back(std::move(error));
}

void ErrorList::report_last(std::string_view code, std::string_view message, TextPosition at,
                            std::string_view id) {
  report(code, message, at, id);
  closed_ = true;
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t kCharactersMax = 64;
  return engine::cut_text(text, kCharactersMax).value_or(std::string(text));
}

}  // namespace netml::codecs
