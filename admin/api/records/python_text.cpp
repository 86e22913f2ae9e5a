#include <boost/json.hpp>
#include <optional>
#include <string>

#include "admin/api/records/field_values.hpp"

namespace netml::admin::functional {

namespace json = boost::json;

namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::optional<json::object> dictionary() {
    json::object object;
    if (!take('{')) return std::nullopt;
    while (!take('}')) {
      const std::optional<std::string> key = quoted();
      if (!key || !take(':')) return std::nullopt;
      const std::optional<std::string> value = quoted();
      if (!value) return std::nullopt;
      object[*key] = *value;
      if (!take(',') && !rest_.starts_with('}')) return std::nullopt;
    }
    skip_blanks();
    return rest_.empty() ? std::optional(std::move(object)) : std::nullopt;
  }

 private:
  void skip_blanks() {
    while (rest_.starts_with(' ') || rest_.starts_with('\n') || rest_.starts_with('\t'))
      rest_.remove_prefix(1);
  }
  bool take(char c) {
    skip_blanks();
    const bool found = rest_.starts_with(c);
    if (found) rest_.remove_prefix(1);
    skip_blanks();
    return found;
  }
  // Python quotes with ' unless the text holds one; a backslash stands before what would end it.
  std::optional<std::string> quoted() {
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return std::nullopt;
    const char quote = rest_.front();
    std::string text;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == quote) {
        rest_.remove_prefix(i + 1);
        return text;
      }
      if (rest_[i] == '\\' && ++i == rest_.size()) break;
      text += rest_[i - 1] == '\\' && rest_[i] == 'n' ? '\n' : rest_[i];
    }
    return std::nullopt;
  }

  std::string_view rest_;
};

}  // namespace

Result<json::object> parse_dictionary(std::string_view text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  if (!error && value.is_object()) return std::move(value.get_object());
  std::optional<json::object> object = Reader(text).dictionary();
  if (!object)
    return fail(Errc::invalid_input, "properties", "the text is no object with name and value");
  return std::move(*object);
}

}  // namespace netml::admin::functional
