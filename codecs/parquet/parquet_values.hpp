// The values of one column of a Parquet table, row by row, until a row group takes them.
//
// A value is stored in the plain encoding as it is given, so nothing is held twice. Each row gives
// a column exactly one thing: a value, nothing (optional columns), or a list (lists and pairs).
//
// Units: integers have 64 bits and a sign; times are microseconds since 1970, UTC. Texts are UTF-8;
// each byte that is none becomes U+FFFD, since readers refuse a file that holds it.
// Failure: what does not fit the column is a defect, and asserted. Thread: its owner.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/base/time.hpp"

namespace netml::codecs {

enum class ParquetType : std::uint8_t { truth, integer, number, text, time };

enum class ParquetShape : std::uint8_t {
  required,  // one value a row
  optional,  // one or none
  list,      // any number of values
  pairs,     // any number of pairs of texts, called `name` and `value`
};

struct ParquetColumn {
  std::string name;
  ParquetType type = ParquetType::text;
  ParquetShape shape = ParquetShape::required;
};

namespace parquet {

// Truth values, eight a byte, the lowest bit first.
class Bits {
 public:
  void add(bool value) {
    if (size_ % 8 == 0) bytes_ += '\0';
    if (value) bytes_.back() = static_cast<char>(bytes_.back() | 1 << size_ % 8);
    ++size_;
    set_ += value ? 1 : 0;
  }
  std::size_t size() const { return size_; }
  std::size_t count_set() const { return set_; }
  const std::string& bytes() const { return bytes_; }
  void clear() {
    bytes_.clear();
    size_ = set_ = 0;
  }

 private:
  std::string bytes_;
  std::size_t size_ = 0;
  std::size_t set_ = 0;
};

// One leaf of a column: a column has one, of pairs two. Both of its levels are 0 or 1, as nothing
// is optional within a list and no list is within another.
struct Leaf {
  std::string plain;  // values but those that are truth values
  Bits truths;
  Bits defined;   // of each place, whether it has a value; unused where all have
  Bits repeated;  // of each place, whether it goes on with the list before it; lists alone
  std::size_t places = 0;

  void clear();
};

}  // namespace parquet

class ParquetValues {
 public:
  explicit ParquetValues(ParquetColumn column);

  // ---- of one row ----
  template <std::same_as<bool> Truth>
  void add(Truth value) {
    place_value(ParquetType::truth);
    leaves_[0].truths.add(value);
  }
  void add(std::int64_t value) {
    place_value(ParquetType::integer);
    append(&value, sizeof value);
  }
  void add(double value) {
    place_value(ParquetType::number);
    append(&value, sizeof value);
  }
  void add(std::string_view value) {
    place_value(ParquetType::text);
    append_text(leaves_[0], value);
  }
  void add(WallTime value) {
    place_value(ParquetType::time);
    append(&value.microseconds, sizeof value.microseconds);
  }
  void add_none();
  template <class T>
  void add(const std::optional<T>& value) {
    if (value)
      add(*value);
    else
      add_none();
  }

  // ---- of one row of a list: begin_list(), add() or add_pair() for each, end_list() ----
  void begin_list();
  void add_pair(std::string_view name, std::string_view value);
  void end_list();

  const ParquetColumn& column() const { return column_; }
  std::size_t rows() const { return rows_; }
  // That are held, about: a look costs nothing, since the writer takes one after each row.
  std::size_t bytes() const { return bytes_; }
  const std::vector<parquet::Leaf>& leaves() const { return leaves_; }
  void clear();  // for the next row group

 private:
  bool is_list() const { return column_.shape >= ParquetShape::list; }
  // Makes a place for a value of this type in the first leaf.
  void place_value(ParquetType type) {
    NETML_ASSERT(type == column_.type && (!is_list() || in_list_));
    place(leaves_[0], true);
    rows_ += is_list() ? 0 : 1;
  }
  void place(parquet::Leaf& leaf, bool has_value) {
    ++leaf.places;
    if (column_.shape == ParquetShape::required) return;
    leaf.defined.add(has_value);
    if (is_list()) {
      leaf.repeated.add(in_list_ && is_further_);
      ++bytes_;  // for the bits, which count in lists alone: all else has few, as rows are few
    }
    if (&leaf == &leaves_.back()) is_further_ = true;
  }
  void append(const void* value, std::size_t bytes) {
    leaves_[0].plain.append(static_cast<const char*>(value), bytes);
    bytes_ += bytes;
  }
  void append_text(parquet::Leaf& leaf, std::string_view text);

  ParquetColumn column_;
  std::vector<parquet::Leaf> leaves_;
  std::size_t rows_ = 0;
  std::size_t bytes_ = 0;
  bool in_list_ = false;
  bool is_further_ = false;  // the next element of the list has one before it
};

}  // namespace netml::codecs
