#include "codecs/document/json_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "engine/base/json_string.hpp"

namespace netml::codecs {

namespace json = boost::json;

// Takes what the parser finds. Boost.JSON demands the names of its members.
class JsonTreeBuilder {
 public:
  static constexpr std::size_t max_object_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_array_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_key_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_string_size = std::numeric_limits<std::size_t>::max();

  using error_code = boost::system::error_code;
  using Text = json::string_view;

  JsonTreeBuilder(JsonTree& tree, const ReadLimits& limits) : tree_(tree), limits_(limits) {
    tree_.decoded_ = kWords;
    begin_ = tree_.decoded_.size();
  }

  // What was too large; empty where nothing was.
  std::string_view beyond() const { return beyond_; }

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code& error) { return open(JsonKind::object, error); }
  bool on_object_end(std::size_t, error_code&) { return close(); }
  bool on_array_begin(error_code& error) { return open(JsonKind::array, error); }
  bool on_array_end(std::size_t, error_code&) { return close(); }
  bool on_key_part(Text part, std::size_t, error_code& error) { return add(part, error); }
  bool on_key(Text part, std::size_t, error_code& error) {
    return end(JsonKind::string, part, error);
  }
  bool on_string_part(Text part, std::size_t, error_code& error) { return add(part, error); }
  bool on_string(Text part, std::size_t, error_code& error) {
    return end(JsonKind::string, part, error);
  }
  bool on_number_part(Text part, error_code& error) { return add(part, error); }
  bool on_int64(std::int64_t, Text part, error_code& error) {
    return end(JsonKind::number, part, error);
  }
  bool on_uint64(std::uint64_t, Text part, error_code& error) {
    return end(JsonKind::number, part, error);
  }
  bool on_double(double, Text part, error_code& error) {
    return end(JsonKind::number, part, error);
  }
  bool on_bool(bool value, error_code& error) {
    return word(JsonKind::boolean, value ? "true" : "false", error);
  }
  bool on_null(error_code& error) { return word(JsonKind::null, "null", error); }
  bool on_comment_part(Text, error_code&) { return true; }
  bool on_comment(Text, error_code&) { return true; }

 private:
  static constexpr std::string_view kWords = "truefalsenull";

  bool refuse(std::string_view what, error_code& error) {
    beyond_ = what;
    error = json::error::exception;  // any will do
    return false;
  }

  // A part of a text that does not stand in the file as it is.
  bool add(Text part, error_code& error) {
    tree_.decoded_.append(part.data(), part.size());
    return is_short(tree_.decoded_.size() - begin_, error);
  }

  bool is_short(std::size_t bytes, error_code& error) {
    return bytes <= std::min<std::size_t>(limits_.text_bytes, JsonTree::kSizeMax) ||
           refuse("a text is too long", error);
  }

  bool append(JsonTree::Entry entry, error_code& error) {
    if (tree_.entries_.size() >= std::min<std::uint64_t>(JsonTree::kSizeMax, 2 * limits_.elements))
      return refuse("there are too many values", error);
    tree_.entries_.push_back(entry);
    return true;
  }

  bool append(JsonKind kind, std::size_t text, std::size_t size, error_code& error) {
    constexpr std::uint32_t kKinds = 7;
    return append({static_cast<std::uint32_t>(text), static_cast<std::uint32_t>(kind) & kKinds,
                   static_cast<std::uint32_t>(size) & JsonTree::kSizeMax},
                  error);
  }

  // The last part of a text, and in most cases all of it.
  bool end(JsonKind kind, Text part, error_code& error) {
    const char* const file = tree_.file_.get();
    const bool in_file = std::less_equal<>()(file, part.data()) &&
                         std::less<>()(part.data(), file + tree_.file_size_);
    if (begin_ == tree_.decoded_.size() && in_file)
      return is_short(part.size(), error) &&
             append(kind, static_cast<std::size_t>(part.data() - file), part.size(), error);
    if (!add(part, error)) return false;
    const std::size_t begin = std::exchange(begin_, tree_.decoded_.size());
    if (tree_.file_size_ + begin_ > std::numeric_limits<std::uint32_t>::max())
      return refuse("there is too much text", error);
    return append(kind, tree_.file_size_ + begin, begin_ - begin, error);
  }

  bool word(JsonKind kind, std::string_view text, error_code& error) {
    return append(kind, tree_.file_size_ + kWords.find(text), text.size(), error);
  }

  bool open(JsonKind kind, error_code& error) {
    open_.push_back(static_cast<std::uint32_t>(tree_.entries_.size()));
    return append(kind, 0, 0, error);
  }

  bool close() {
    tree_.entries_[open_.back()].size =
        static_cast<std::uint32_t>(tree_.entries_.size()) & JsonTree::kSizeMax;
    open_.pop_back();
    return true;
  }

  JsonTree& tree_;
  const ReadLimits& limits_;
  std::size_t begin_ = 0;            // of the text that is read, if it is decoded
  std::vector<std::uint32_t> open_;  // containers
  std::string_view beyond_;
};

namespace {

// Lines and columns, in characters, from 1.
TextPosition position_at(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = std::ranges::count(before, '\n');
  const std::string_view line = before.substr(before.rfind('\n') + 1);  // 0 where there is none
  return {static_cast<std::uint32_t>(lines + 1),
          static_cast<std::uint32_t>(engine::character_count(line) + 1)};
}

engine::InputError refusal(std::string_view code, std::string_view message, TextPosition at) {
  return {std::string(code), fmt::format("Error: {}", message), at.line, at.column};
}

}  // namespace

tl::expected<JsonTree, engine::InputError> JsonTree::parse(std::unique_ptr<char[]> file,
                                                           std::size_t size,
                                                           const ReadLimits& limits) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  constexpr std::size_t kBytesForEntry = 6;  // or more, in most files
  JsonTree tree;
  tree.file_ = std::move(file);
  tree.file_size_ = size;
  std::string_view text(tree.file_.get(), size);
  if (size > std::numeric_limits<std::uint32_t>::max() / 2)
    return tl::unexpected(refusal("too-large", "there is too much text", {}));
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  tree.entries_.reserve(size / kBytesForEntry);  // memory that is not used costs nothing
  json::parse_options options;
  options.max_depth = limits.depth;
  boost::system::error_code error;
  json::basic_parser<JsonTreeBuilder> parser(options, tree, limits);
  const std::size_t read = parser.write_some(false, text.data(), text.size(), error);
  if (!error && read < text.size()) error = json::error::extra_data;
  if (!error) return tree;
  const TextPosition at = position_at(text, read);
  if (error == json::error::too_deep)
    return tl::unexpected(refusal(
        "too-deep", fmt::format("values are nested in each other more than {} deep", limits.depth),
        at));
  if (!parser.handler().beyond().empty())
    return tl::unexpected(refusal("too-large", parser.handler().beyond(), at));
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return tl::unexpected(refusal("not-well-formed", "the file is empty", at));
  return tl::unexpected(
      refusal("not-well-formed", fmt::format("this is no JSON: {}", error.message()), at));
}

tl::expected<JsonTree, engine::InputError> JsonTree::parse(std::string_view text,
                                                           const ReadLimits& limits) {
  auto copy = std::make_unique_for_overwrite<char[]>(text.size());
  std::ranges::copy(text, copy.get());
  return parse(std::move(copy), text.size(), limits);
}

tl::expected<JsonTree, engine::InputErrors> JsonTree::read(RandomAccessFile& file,
                                                           const ReadLimits& limits) {
  const auto alone = [](engine::InputError error) {
    return engine::InputErrors{{std::move(error)}, 1};
  };
  const auto size = static_cast<std::size_t>(file.size());
  auto text = std::make_unique_for_overwrite<char[]>(size);
  if (const Status done = file.read_at(0, std::as_writable_bytes(std::span(text.get(), size)));
      !done)
    return tl::unexpected(alone(refusal("unreadable", done.error().message, {})));
  return parse(std::move(text), size, limits).map_error(alone);
}

std::string JsonTree::pointer(TextPosition position) const {
  std::string text;
  const std::uint32_t wanted = position.column - first_column_;
  for (std::uint32_t at = 0; at != wanted;) {
    const bool named = kind_of(at) == JsonKind::object;
    std::uint32_t child = at + 1;
    for (std::size_t number = 0;; ++number) {
      const std::uint32_t value = child + (named ? 1 : 0);
      if (behind(value) > wanted) {
        text += '/';
        if (named) {
          for (const char c : text_of(child))
            c == '~' ? text += "~0" : c == '/' ? text += "~1" : text += c;
        } else {
          text += fmt::format("{}", number);
        }
        at = value;
        break;
      }
      child = behind(value);
    }
  }
  return text;
}

JsonKind JsonValue::kind() const {
  return tree_ == nullptr ? JsonKind::absent : tree_->kind_of(index_);
}

bool JsonValue::is_empty() const {
  return tree_ != nullptr && tree_->is_container(index_) && tree_->behind(index_) == index_ + 1;
}

std::string_view JsonValue::text() const {
  if (tree_ == nullptr || tree_->is_container(index_)) return {};
  return tree_->text_of(index_);
}

std::string JsonValue::json() const {
  std::string out;
  if (tree_ == nullptr) return out;
  struct Open {
    std::uint32_t end;
    bool is_object;
  };
  std::vector<Open> open;
  const std::uint32_t end = tree_->behind(index_);
  for (std::uint32_t at = index_;;) {
    for (; !open.empty() && open.back().end <= at; open.pop_back())
      out += open.back().is_object ? '}' : ']';
    if (at >= end) return out;
    if (!out.empty() && out.back() != '{' && out.back() != '[') out += ',';
    if (!open.empty() && open.back().is_object) {
      append_json_string(out, tree_->text_of(at++));
      out += ':';
    }
    const std::uint32_t value = at++;
    const JsonKind kind = tree_->kind_of(value);
    if (kind >= JsonKind::array) {
      out += kind == JsonKind::object ? '{' : '[';
      open.push_back({tree_->behind(value), kind == JsonKind::object});
    } else if (kind == JsonKind::string) {
      append_json_string(out, tree_->text_of(value));
    } else {
      out += tree_->text_of(value);
    }
  }
}

bool JsonValue::operator==(JsonValue other) const {
  if (tree_ == nullptr || other.tree_ == nullptr) return tree_ == other.tree_;
  const std::uint32_t count = tree_->behind(index_) - index_;
  if (other.tree_->behind(other.index_) - other.index_ != count) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t here = index_ + i;
    const std::uint32_t there = other.index_ + i;
    if (tree_->kind_of(here) != other.tree_->kind_of(there)) return false;
    const bool same = tree_->is_container(here)
                          ? tree_->behind(here) - here == other.tree_->behind(there) - there
                          : tree_->text_of(here) == other.tree_->text_of(there);
    if (!same) return false;
  }
  return true;
}

JsonValue JsonValue::operator[](std::string_view name) const {
  for (const JsonMember& member : members())
    if (member.name == name) return member.value;
  return {};
}

std::size_t JsonValue::size() const {
  const auto count = [](auto range) {
    return static_cast<std::size_t>(std::distance(range.begin(), range.end()));
  };
  return is_object() ? count(members()) : count(items());
}

TextPosition JsonValue::position() const {
  if (tree_ == nullptr) return {};
  return {0, tree_->first_column_ + index_};
}

JsonLeaves::JsonLeaves(JsonValue value)
    : tree_(value.tree_),
      at_(value.index_),
      end_(tree_ == nullptr ? value.index_ : tree_->behind(value.index_)) {}

void JsonLeaves::extend_path(std::string_view mark, std::string_view name) {
  if (path_.size() + mark.size() + name.size() > kPathBytesMax) return;
  (path_ += mark) += name;
}

bool JsonLeaves::next() {
  while (at_ < end_) {
    while (!open_.empty() && open_.back().end <= at_) open_.pop_back();
    path_.resize(open_.empty() ? 0 : open_.back().path_size);
    if (!open_.empty() && open_.back().is_object)
      extend_path(path_.empty() ? "" : ".", tree_->text_of(at_++));
    else if (!open_.empty())
      extend_path("[]");
    leaf_ = JsonValue(tree_, at_);
    const std::uint32_t behind = tree_->behind(at_++);
    if (!tree_->is_container(at_ - 1) || behind == at_) return true;
    open_.push_back({behind, path_.size(), leaf_.is_object()});
  }
  return false;
}

}  // namespace netml::codecs
