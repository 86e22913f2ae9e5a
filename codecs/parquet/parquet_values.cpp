#include "codecs/parquet/parquet_values.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "engine/base/utf8.hpp"

namespace netml::codecs {

namespace {
std::string with_replacements(std::string_view text) {
  std::string replaced;
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    if (length == 0)
      replaced += "\ufffd";
    else
      replaced += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return replaced;
}
}  // namespace

static_assert(std::endian::native == std::endian::little, "plain values are copied as they are");

void parquet::Leaf::clear() {
  plain.clear();
  truths.clear();
  defined.clear();
  repeated.clear();
  places = 0;
}

ParquetValues::ParquetValues(ParquetColumn column)
    : column_(std::move(column)), leaves_(column_.shape == ParquetShape::pairs ? 2 : 1) {
  NETML_ASSERT(column_.shape != ParquetShape::pairs || column_.type == ParquetType::text);
}

void ParquetValues::add_none() {
  NETML_ASSERT(column_.shape == ParquetShape::optional);
  place(leaves_[0], false);
  ++rows_;
}

void ParquetValues::begin_list() {
  NETML_ASSERT(is_list() && !in_list_);
  in_list_ = true;
  is_further_ = false;
}

void ParquetValues::add_pair(std::string_view name, std::string_view value) {
  NETML_ASSERT(column_.shape == ParquetShape::pairs && in_list_);
  place(leaves_[0], true);
  append_text(leaves_[0], name);
  place(leaves_[1], true);
  append_text(leaves_[1], value);
}

// An empty list has a place, too, without a value.
void ParquetValues::end_list() {
  NETML_ASSERT(in_list_);
  if (!is_further_)
    for (parquet::Leaf& leaf : leaves_) place(leaf, false);
  in_list_ = false;
  ++rows_;
}

void ParquetValues::clear() {
  for (parquet::Leaf& leaf : leaves_) leaf.clear();
  rows_ = bytes_ = 0;
}

void ParquetValues::append_text(parquet::Leaf& leaf, std::string_view text) {
  std::string replaced;
  if (!is_utf8(text)) text = replaced = with_replacements(text);
  NETML_ASSERT(text.size() <= std::numeric_limits<std::int32_t>::max());
  const auto size = static_cast<std::uint32_t>(text.size());
  leaf.plain.append(reinterpret_cast<const char*>(&size), sizeof size);
  leaf.plain += text;
  bytes_ += sizeof size + text.size();
}

}  // namespace netml::codecs
