#include "admin/api/graphql/graphql_query.hpp"

#include <fmt/format.h>

#include "engine/base/result.hpp"
#include "engine/base/utf8.hpp"

namespace netml::admin::web::graphql {

namespace {

struct Token {
  enum class Kind : unsigned char { end, punctuator, name, number, text };
  Kind kind = Kind::end;
  std::string text;
  std::size_t line = 1;
  std::size_t column = 1;
};

using Tokens = tl::expected<std::vector<Token>, QueryError>;

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Tokens run() {
    std::vector<Token> tokens;
    while (true) {
      skip_ignored();
      Token token;
      token.line = line_;
      token.column = at_ - line_begin_ + 1;
      if (at_ == text_.size()) {
        tokens.push_back(token);
        return tokens;
      }
      NETML_TRY_VOID(read(token));
      tokens.push_back(std::move(token));
    }
  }

 private:
  using Read = tl::expected<void, QueryError>;

  tl::unexpected<QueryError> wrong(std::string message) const {
    return tl::unexpected(QueryError{std::move(message), line_, at_ - line_begin_ + 1});
  }
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void skip_ignored() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#')
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      else if (c == '\n')
        line_begin_ = ++at_, ++line_;
      else if (c == ' ' || c == '\t' || c == '\r' || c == ',')
        ++at_;
      else if (text_.substr(at_).starts_with("\xef\xbb\xbf"))
        at_ += 3;
      else
        return;
    }
  }
  Read read(Token& token) {
    const std::size_t begin = at_;
    const char c = text_[at_];
    if (is_name_start(c)) {
      while (is_name_start(peek()) || is_digit(peek())) ++at_;
      token.kind = Token::Kind::name;
    } else if (is_digit(c) || c == '-') {
      ++at_;
      while (is_digit(peek()) ||
             (peek() != '\0' && std::string_view("+-.eE").find(peek()) != std::string_view::npos))
        ++at_;
      token.kind = Token::Kind::number;
    } else if (c == '"') {
      token.kind = Token::Kind::text;
      return read_text(token.text);
    } else if (text_.substr(at_).starts_with("...")) {
      at_ += 3;
      token.kind = Token::Kind::punctuator;
    } else if (std::string_view("!$&():=@[]{|}").find(c) != std::string_view::npos) {
      ++at_;
      token.kind = Token::Kind::punctuator;
    } else {
      return wrong("unexpected character");
    }
    token.text = text_.substr(begin, at_ - begin);
    return {};
  }
  Read read_text(std::string& out) {
    if (text_.substr(at_).starts_with("\"\"\"")) return wrong("block texts are not read");
    for (++at_; peek() != '"'; ++at_) {
      if (at_ >= text_.size() || text_[at_] == '\n') return wrong("a text without its end");
      if (text_[at_] != '\\') {
        out += text_[at_];
        continue;
      }
      ++at_;
      if (peek() == 'u') {
        NETML_TRY_VOID(read_code(out));
        continue;
      }
      constexpr std::string_view kEscapes = "\"\\/bfnrt";
      constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
      const std::size_t which = kEscapes.find(peek());
      if (at_ >= text_.size() || which == std::string_view::npos) return wrong("unknown escape");
      out += kMeanings[which];
    }
    ++at_;
    return {};
  }
  Read read_code(std::string& out) {
    unsigned code = 0;
    for (std::size_t i = 1; i <= 4; ++i) {
      const std::size_t digit = std::string_view("0123456789abcdefABCDEF").find(peek(i));
      if (peek(i) == '\0' || digit == std::string_view::npos) return wrong("unknown escape");
      code = code << 4 | static_cast<unsigned>(digit > 15 ? digit - 6 : digit);
    }
    if (code == 0 || (code >= 0xd800 && code < 0xe000)) return wrong("unknown escape");
    append_utf8(out, code);
    at_ += 4;
    return {};
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_begin_ = 0;
};

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  tl::expected<Query, QueryError> run() {
    while (!at_end()) NETML_TRY_VOID(read_definition());
    if (query_.operations.empty()) return wrong("a query is needed");
    return std::move(query_);
  }

 private:
  using Read = tl::expected<void, QueryError>;
  template <class T>
  using Got = tl::expected<T, QueryError>;

  const Token& token() const { return tokens_[at_]; }
  bool at_end() const { return token().kind == Token::Kind::end; }
  bool is(std::string_view punctuator) const {
    return token().kind == Token::Kind::punctuator && token().text == punctuator;
  }
  bool is_word(std::string_view word) const {
    return token().kind == Token::Kind::name && token().text == word;
  }
  bool take(std::string_view punctuator) {
    if (!is(punctuator)) return false;
    ++at_;
    return true;
  }
  tl::unexpected<QueryError> wrong(std::string message) const {
    return tl::unexpected(QueryError{std::move(message), token().line, token().column});
  }
  Read expect(std::string_view punctuator) {
    if (take(punctuator)) return {};
    return wrong(fmt::format("expected {}", punctuator));
  }
  Got<std::string> name() {
    if (token().kind != Token::Kind::name) return wrong("expected a name");
    return tokens_[at_++].text;
  }

  Read read_definition() {
    if (is_word("fragment")) return read_fragment();
    Operation operation{"query", {}, {}, kNoSet};
    if (!is("{")) {
      NETML_TRY(operation.kind, name());
      if (operation.kind != "query")
        return wrong(fmt::format("{} is not offered", operation.kind.substr(0, 32)));
      if (token().kind == Token::Kind::name) {
        NETML_TRY(operation.name, name());
      }
      NETML_TRY_VOID(read_variables(operation.defaults));
      NETML_TRY_VOID(directives());
    }
    NETML_TRY(operation.set, selection_set());
    query_.operations.push_back(std::move(operation));
    return {};
  }
  Read read_fragment() {
    ++at_;
    NETML_TRY(std::string called, name());
    if (!is_word("on")) return wrong("expected on");
    ++at_;
    Fragment fragment;
    NETML_TRY(fragment.type, name());
    NETML_TRY_VOID(directives());
    NETML_TRY(fragment.set, selection_set());
    if (!query_.fragments.emplace(std::move(called), std::move(fragment)).second)
      return wrong("two fragments of one name");
    return {};
  }
  Read read_variables(Arguments& defaults) {
    if (!take("(")) return {};
    while (!take(")")) {
      NETML_TRY_VOID(expect("$"));
      NETML_TRY(const std::string variable, name());
      NETML_TRY_VOID(expect(":"));
      while (take("[")) {
      }
      NETML_TRY_VOID(name());
      while (take("]") || take("!")) {
      }
      if (!take("=")) continue;
      NETML_TRY(defaults[variable], value());
    }
    return {};
  }
  Got<Value> value() {
    Value value;
    if (take("$")) {
      value.kind = Value::Kind::variable;
      NETML_TRY(value.text, name());
      return value;
    }
    value.text = token().text;
    switch (token().kind) {
      case Token::Kind::name:
        value.kind = is_word("true") || is_word("false") ? Value::Kind::boolean
                     : is_word("null")                   ? Value::Kind::null
                                                         : Value::Kind::name;
        break;
      case Token::Kind::number:
        value.kind = Value::Kind::number;
        break;
      case Token::Kind::text:
        value.kind = Value::Kind::text;
        break;
      case Token::Kind::punctuator:
      case Token::Kind::end:
        return wrong("expected a value");
    }
    ++at_;
    return value;
  }
  Got<Arguments> arguments() {
    Arguments read;
    if (!take("(")) return read;
    while (!take(")")) {
      NETML_TRY(const std::string argument, name());
      NETML_TRY_VOID(expect(":"));
      NETML_TRY(read[argument], value());
    }
    return read;
  }
  Got<std::vector<Directive>> directives() {
    std::vector<Directive> read;
    while (take("@")) {
      Directive directive;
      NETML_TRY(directive.name, name());
      NETML_TRY(directive.arguments, arguments());
      read.push_back(std::move(directive));
    }
    return read;
  }

  // What stands in braces, with all that stands in braces inside it; open ones wait on a stack.
  Got<std::size_t> selection_set() {
    NETML_TRY_VOID(expect("{"));
    const std::size_t outermost = query_.sets.size();
    std::vector<std::size_t> open{outermost};
    query_.sets.emplace_back();
    while (!open.empty()) {
      if (take("}")) {
        if (query_.sets[open.back()].empty()) return wrong("nothing is selected");
        open.pop_back();
        continue;
      }
      NETML_TRY(Selection selection, this->selection());
      if (take("{")) {
        if (open.size() == kNestingMax) return wrong(too_deep(kNestingMax));
        selection.set = query_.sets.size();
      }
      const std::size_t below = selection.set;
      const bool needs_set = selection.kind == Selection::Kind::inline_fragment;
      query_.sets[open.back()].push_back(std::move(selection));
      if (below == kNoSet) {
        if (needs_set) return wrong("expected {");
        continue;
      }
      query_.sets.emplace_back();
      open.push_back(below);
    }
    return outermost;
  }
  Got<Selection> selection() {
    Selection read;
    read.line = token().line;
    read.column = token().column;
    if (take("...")) {
      read.kind = Selection::Kind::inline_fragment;
      if (is_word("on")) {
        ++at_;
        NETML_TRY(read.condition, name());
      } else if (token().kind == Token::Kind::name) {
        read.kind = Selection::Kind::spread;
        NETML_TRY(read.name, name());
      }
    } else {
      NETML_TRY(read.name, name());
      if (take(":")) {
        read.alias = std::move(read.name);
        NETML_TRY(read.name, name());
      }
      NETML_TRY(read.arguments, arguments());
    }
    NETML_TRY(read.directives, directives());
    return read;
  }

  const std::vector<Token> tokens_;
  std::size_t at_ = 0;
  Query query_;
};

}  // namespace

std::string too_deep(std::size_t levels_max) {
  return fmt::format("nested more than {} levels deep", levels_max);
}

tl::expected<Query, QueryError> parse_query(std::string_view text) {
  if (text.size() > kQueryBytesMax) return tl::unexpected(QueryError{"the query is too long"});
  if (!is_utf8(text)) return tl::unexpected(QueryError{"the query is not in UTF-8"});
  NETML_TRY(std::vector<Token> tokens, Lexer(text).run());
  return Parser(std::move(tokens)).run();
}

}  // namespace netml::admin::web::graphql
