// A JSON text as one flat list of its values, in the order of the text: what readers of formats go
// through that need to look ahead. Nothing is taken for a number: values are as they are spelled,
// with the escapes of strings resolved. Members that are repeated are all there.
//
// Ownership: the tree owns the file, in which most texts stand as they are; a JsonValue is a place
// in a tree and lives as long as that. Memory: the file, the decoded texts with escapes, and 8
// bytes for each value and each name of a member. Thread: any, once parsed.
// Errors: as a value, an InputError with line and column; "too-deep" and "too-large" beyond limits.
#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "codecs/document/error_list.hpp"
#include "codecs/document/random_access.hpp"
#include "codecs/document/read_limits.hpp"

namespace netml::codecs {

enum class JsonKind : std::uint8_t { absent, null, boolean, number, string, array, object };

class JsonTree;
struct JsonMember;

class JsonValue {
 public:
  JsonValue() = default;  // absent

  JsonKind kind() const;
  bool is_absent() const { return tree_ == nullptr; }
  bool is_object() const { return kind() == JsonKind::object; }
  bool is_array() const { return kind() == JsonKind::array; }
  bool is_string() const { return kind() == JsonKind::string; }
  bool is_number() const { return kind() == JsonKind::number; }
  // An object or a list that holds nothing.
  bool is_empty() const;
  // Of a string what it says; "-1.50", "true", "null" as they are spelled; else empty.
  std::string_view text() const;
  // As JSON, without blanks.
  std::string json() const;
  // The first member of that name; absent where there is none, or this is no object.
  JsonValue operator[](std::string_view name) const;

  // The same value, spelled the same, wherever it stands; the order of members counts.
  bool operator==(JsonValue other) const;

  // Its items; none where it is no list.
  auto items() const;
  // Its members; none where it is no object.
  auto members() const;
  std::size_t size() const;  // how many of these there are; a walk

  // Stands for the value in reports; JsonTree::pointer() names it.
  TextPosition position() const;

 private:
  friend class JsonTree;
  template <bool kNamed>
  friend class JsonRange;
  friend class JsonLeaves;
  JsonValue(const JsonTree* tree, std::uint32_t index) : tree_(tree), index_(index) {}

  const JsonTree* tree_ = nullptr;
  std::uint32_t index_ = 0;
};

struct JsonMember {
  std::string_view name;
  JsonValue value;
};

class JsonTree {
 public:
  static tl::expected<JsonTree, engine::InputError> parse(std::string_view text,
                                                          const ReadLimits& limits);
  // The same of a whole file; what is wrong, as readers give it.
  static tl::expected<JsonTree, engine::InputErrors> read(RandomAccessFile& file,
                                                          const ReadLimits& limits);

  JsonTree(JsonTree&&) = default;
  JsonTree& operator=(JsonTree&&) = default;

  JsonValue root() const { return {this, 0}; }
  // Where a file holds JSON inside texts: positions of this tree begin behind those of `other` from
  // now on, so that no value of the one is taken for one of the other.
  void place_behind(const JsonTree& other) { first_column_ = other.end_column(); }
  // The JSON pointer (RFC 6901) of the value with that position(): "/nodes/3/id". A walk.
  std::string pointer(TextPosition position) const;

 private:
  friend class JsonValue;
  template <bool kNamed>
  friend class JsonRange;
  friend class JsonLeaves;
  friend class JsonTreeBuilder;

  // A value, or the name of the member that follows.
  struct Entry {
    std::uint32_t text = 0;  // where its text begins in the file; behind it: in decoded_
    std::uint32_t kind : 3 = 0;
    std::uint32_t size : 29 = 0;  // of the text; of a container: the entry behind its last one
  };
  static constexpr std::uint32_t kSizeMax = (1U << 29) - 1;

  JsonTree() = default;
  static tl::expected<JsonTree, engine::InputError> parse(std::unique_ptr<char[]> file,
                                                          std::size_t size,
                                                          const ReadLimits& limits);

  std::string_view text_of(std::uint32_t index) const {
    const Entry& entry = entries_[index];
    return entry.text < file_size_
               ? std::string_view(file_.get() + entry.text, entry.size)
               : std::string_view(decoded_).substr(entry.text - file_size_, entry.size);
  }
  JsonKind kind_of(std::uint32_t index) const {
    return static_cast<JsonKind>(entries_[index].kind);
  }
  bool is_container(std::uint32_t index) const { return kind_of(index) >= JsonKind::array; }
  std::uint32_t behind(std::uint32_t index) const {
    return is_container(index) ? entries_[index].size : index + 1;
  }

  std::uint32_t end_column() const {
    return first_column_ + static_cast<std::uint32_t>(entries_.size());
  }

  std::unique_ptr<char[]> file_;
  std::size_t file_size_ = 0;
  std::string decoded_;  // what does not stand in the file as it is
  std::vector<Entry> entries_;
  std::uint32_t first_column_ = 1;  // of positions
};

// The items of a list, or the members of an object.
template <bool kNamed>
class JsonRange {
 public:
  class Iterator {
   public:
    using value_type = std::conditional_t<kNamed, JsonMember, JsonValue>;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const JsonTree* tree, std::uint32_t at) : tree_(tree), at_(at) {}
    value_type operator*() const {
      if constexpr (kNamed)
        return {tree_->text_of(at_), JsonValue(tree_, at_ + 1)};
      else
        return JsonValue(tree_, at_);
    }
    Iterator& operator++() {
      at_ = tree_->behind(at_ + (kNamed ? 1 : 0));
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const JsonTree* tree_ = nullptr;
    std::uint32_t at_ = 0;
  };

  JsonRange() = default;
  explicit JsonRange(JsonValue value)
      : tree_(value.tree_), begin_(value.index_ + 1), end_(tree_->behind(value.index_)) {}
  Iterator begin() const { return {tree_, begin_}; }
  Iterator end() const { return {tree_, end_}; }

 private:
  const JsonTree* tree_ = nullptr;
  std::uint32_t begin_ = 0;
  std::uint32_t end_ = 0;
};

inline auto JsonValue::items() const {
  return is_array() ? JsonRange<false>(*this) : JsonRange<false>();
}
inline auto JsonValue::members() const {
  return is_object() ? JsonRange<true>(*this) : JsonRange<true>();
}

// Goes through all leaves of a value: what holds no other value, and empty objects and lists. The
// value itself is one where it is such.
class JsonLeaves {
 public:
  explicit JsonLeaves(JsonValue value);

  // The next one. False behind the last.
  bool next();
  JsonValue leaf() const { return leaf_; }
  // From the value on: "location.latitude", "ports[].id"; empty for the value itself. Names beyond
  // kPathBytesMax are left out: many leaves below long names would cost their product.
  std::string_view path() const { return path_; }
  static constexpr std::size_t kPathBytesMax = 512;

 private:
  struct Open {
    std::uint32_t end;      // behind its last entry
    std::size_t path_size;  // of the container's own path
    bool is_object;
  };
  void extend_path(std::string_view mark, std::string_view name = {});

  const JsonTree* tree_;
  std::uint32_t at_;
  std::uint32_t end_;
  std::vector<Open> open_;
  std::string path_;
  JsonValue leaf_;
};

}  // namespace netml::codecs
