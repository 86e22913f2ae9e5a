// Steps through the form of XML that the bulk path of reading takes: tags, attributes, texts,
// sections, comments and instructions. It never guesses: what it does not match exactly, it
// refuses.
//
// Ownership: the text outlives the cursor and is followed by a zero byte, as in a std::string;
// is_plain_text holds for it, so that the zero is the only one and stops every search.
// Thread: its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace netml::codecs {

// Every byte belongs to a character that XML allows, in UTF-8.
bool is_plain_text(std::string_view text);

class MarkupCursor {
 public:
  MarkupCursor() = default;
  explicit MarkupCursor(std::string_view text)
      : at_(text.data()), end_(text.data() + text.size()) {}

  bool at_end() const { return at_ == end_; }
  char peek(std::size_t ahead = 0) const { return ahead <= rest().size() ? at_[ahead] : '\0'; }
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

  bool skip_blank() {
    const char* const begin = at_;
    while (is_blank(*at_)) ++at_;
    return at_ != begin;
  }
  // Steps over `literal` if the text goes on with it.
  bool take(std::string_view literal) {
    if (!rest().starts_with(literal)) return false;
    at_ += literal.size();
    return true;
  }
  // The text goes on with a tag's `name` as a whole, `ahead` bytes from here.
  bool names(std::string_view name, std::size_t ahead) const {
    const std::string_view text = rest();
    const std::size_t end = ahead + name.size();
    return !name.empty() && text.size() > end && ends_name(text[end]) &&
           is_same(text.data() + ahead, name);
  }
  void skip(std::size_t bytes) { at_ += bytes; }

  // A name of letters, digits and "_-." with at most one colon; empty if there is none.
  std::string_view take_name();
  // `= "value"`. The value is a view of the text, or of `decoded` if it holds references or white
  // space other than blanks, which stands for a blank.
  bool take_value(std::string_view& value, std::string& decoded);
  // What is left of a start tag after its attributes: `>`, or `/>`, which also ends the element.
  bool take_tag_end(bool& empty_element);

  // The text up to the next tag, reference or carriage return.
  bool take_text(std::string_view& piece);
  // `&name;` or `&#number;` as what it stands for, until the next one, and as a line feed the line
  // end that begins with a carriage return; empty if it is none of these.
  std::string_view take_reference();
  // `<![CDATA[section]]>`, its line ends as they are.
  bool take_section(std::string_view& section);
  // `<!-- comment -->` or `<?processing instruction?>`.
  bool take_remark();

 private:
  // Compares from the end, word by word: tags begin with one prefix, and a call would take longer.
  static bool is_same(const char* text, std::string_view name) {
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    std::size_t left = name.size();
    for (; left >= kWord; left -= kWord)
      if (word_at(text + left - kWord) != word_at(name.data() + left - kWord)) return false;
    for (; left > 0; --left)
      if (text[left - 1] != name[left - 1]) return false;
    return true;
  }
  // Steps behind the next `end`.
  bool skip_past(std::string_view end) {
    const std::size_t at = rest().find(end);
    if (at == std::string_view::npos) return false;
    at_ += at + end.size();
    return true;
  }
  static std::uint64_t word_at(const char* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
  }
  static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
  std::string_view take_number();
  // The white space that the text goes on with, in an attribute's value.
  std::string_view take_blank();
  static bool ends_name(char c) { return c == '>' || c == '/' || is_blank(c); }

  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::string numbered_;  // the character of the last reference by number
};

}  // namespace netml::codecs
