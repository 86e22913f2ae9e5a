// A section of the map in binary: a header in JSON, and the columns of fixed width that it
// describes (docs/api.md, section "Map").
//
// Thread: each object is used by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "admin/answers/gzip.hpp"

namespace netml::admin::web::detail {

class BinarySection {
 public:
  // `bytes`: what the columns will take, about.
  explicit BinarySection(std::size_t bytes) { columns_.reserve(bytes); }

  // JSON without the braces around it, to be appended to.
  std::string& header() { return header_; }

  void begin_column(std::string_view name);
  void end_column() { header_ += '}'; }

  // A column as narrow as its numbers allow, or the steps between them where those are narrower, or
  // small for the most part, as they are of ascending ones: they take little when compressed. Those
  // beyond 32 bits are doubles, as JavaScript has them.
  void put(std::span<const std::uint64_t> values);
  // Four bytes each, with a sign; they repeat nothing. Before all other columns.
  void put_signed(std::span<const std::int32_t> values);
  // Texts, one after the other, behind the column of how long they are: "text" in its description.
  void put_text(std::string_view texts);

  std::vector<GzipText> finish(std::string_view magic) &&;

 private:
  template <class As>
  void put_as(std::span<const std::uint64_t> values);
  template <class As>
  void put_steps(std::span<const std::uint64_t> values);
  template <class As>
  static As* room(std::string& columns, std::size_t count);
  void describe(std::size_t width);

  std::string header_;
  std::string signed_;   // the first columns
  std::string columns_;  // the others
};

}  // namespace netml::admin::web::detail
