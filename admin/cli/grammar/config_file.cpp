#include "admin/cli/grammar/config_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "engine/base/result.hpp"

namespace netml::admin::cli {

namespace {

bool is_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

// Reads from the front of the text. The first problem is kept, and nothing read after it counts.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty() || failed(); }
  bool failed() const { return !problem_.empty(); }
  const std::string& problem() const { return problem_; }
  std::size_t problem_line() const { return problem_line_; }

  void fail(std::string problem) {
    if (!problem_.empty()) return;
    problem_ = std::move(problem);
    problem_line_ = line_;
  }

  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) take();
  }
  // Blanks, comments and line ends.
  void skip_space() {
    for (;;) {
      skip_blanks();
      if (!rest_.empty() && rest_.front() == '#') skip_comment();
      if (rest_.empty() || (rest_.front() != '\n' && rest_.front() != '\r')) return;
      take();
    }
  }
  void end_of_line() {
    skip_blanks();
    if (!rest_.empty() && rest_.front() == '#') skip_comment();
    if (!rest_.empty() && rest_.front() != '\n' && rest_.front() != '\r')
      fail("nothing but a comment may follow a value");
  }
  bool skip(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    take();
    return true;
  }

  std::string bare_word(bool (*allowed)(char)) {
    std::string word;
    while (!rest_.empty() && allowed(rest_.front())) word += take();
    return word;
  }
  std::string quoted() {
    const char quote = take();
    std::string value;
    for (;;) {
      if (rest_.empty() || rest_.front() == '\n') {
        fail("a string is not closed");
        return value;
      }
      const char c = take();
      if (c == quote) return value;
      value += c == '\\' && quote == '"' ? escaped() : c;
    }
  }
  bool at_quote() const {
    return !rest_.empty() && (rest_.front() == '"' || rest_.front() == '\'');
  }

 private:
  char take() {
    const char c = rest_.front();
    if (c == '\n') ++line_;
    rest_.remove_prefix(1);
    return c;
  }
  void skip_comment() { rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size())); }
  char escaped() {
    const char c = rest_.empty() ? '\0' : take();
    switch (c) {
      case '"':
      case '\\':
        return c;
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'r':
        return '\r';
      default:
        fail("an escape is not one of \\\" \\\\ \\n \\t \\r");
        return c;
    }
  }

  std::string_view rest_;
  std::size_t line_ = 1;
  std::string problem_;
  std::size_t problem_line_ = 0;
};

std::string parse_scalar(Scanner& scan) {
  if (scan.at_quote()) return scan.quoted();
  std::string word = scan.bare_word(
      [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
  const bool is_number = !word.empty() &&
                         word.find_first_not_of("0123456789", 1) == std::string::npos &&
                         word[0] <= '9' && word != "-";
  if (word != "true" && word != "false" && !is_number)
    scan.fail("a value is a string in quotes, an integer, true, false, or an array of these");
  return word;
}

std::vector<std::string> parse_array(Scanner& scan) {
  std::vector<std::string> values;
  scan.skip_space();
  while (!scan.failed() && !scan.skip(']')) {
    values.push_back(parse_scalar(scan));
    scan.skip_space();
    if (scan.skip(',')) {
      scan.skip_space();
    } else if (!scan.skip(']')) {
      scan.fail("an array lacks a comma or its closing bracket");
    } else {
      break;
    }
  }
  return values;
}

void parse_line(Scanner& scan, ConfigValues& values) {
  if (scan.skip('[')) return scan.fail("sections are not used here; write option = value");
  const std::string key = scan.at_quote() ? scan.quoted() : scan.bare_word(is_key_character);
  scan.skip_blanks();
  if (key.empty() || !scan.skip('=')) return scan.fail("expected a line option = value");
  scan.skip_blanks();
  std::vector<std::string> value;
  if (scan.skip('[')) {
    value = parse_array(scan);
  } else {
    value.push_back(parse_scalar(scan));
  }
  scan.end_of_line();
  if (!values.emplace(key, std::move(value)).second)
    scan.fail(fmt::format("{} is given twice", key));
}

}  // namespace

tl::expected<ConfigValues, std::string> parse_config(std::string_view text,
                                                     const std::string& file_name) {
  ConfigValues values;
  Scanner scan(text);
  for (scan.skip_space(); !scan.at_end(); scan.skip_space()) parse_line(scan, values);
  if (scan.failed())
    return tl::make_unexpected(
        fmt::format("{}:{}: {}", file_name, scan.problem_line(), scan.problem()));
  return values;
}

tl::expected<ConfigValues, std::string> read_config(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad())
    return tl::make_unexpected(
        fmt::format("cannot read the config file {}: {}", path, error_text(errno)));
  return parse_config(text, path);
}

}  // namespace netml::admin::cli
