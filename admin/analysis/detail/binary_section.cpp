#include "admin/analysis/detail/binary_section.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "admin/answers/json_text.hpp"
#include "engine/base/result.hpp"

namespace netml::admin::web::detail {

static_assert(std::endian::native == std::endian::little,
              "columns are written as they lie in memory");

namespace {

constexpr std::size_t kAlignment = 8;  // of each column, so that it is used where it lies

void align(std::string& bytes, char with) {
  bytes.resize((bytes.size() + kAlignment - 1) / kAlignment * kAlignment, with);
}

template <class As>
constexpr bool holds(std::uint64_t most) {
  return most <= static_cast<std::uint64_t>(std::numeric_limits<As>::max());
}

// Of the steps between two numbers that follow each other; before the first is 0.
struct Steps {
  std::uint64_t largest = 0;    // without its sign
  std::size_t small_count = 0;  // of those that take a byte
};

Steps steps_of(std::span<const std::uint64_t> values) {
  Steps steps;
  std::uint64_t before = 0;
  for (const std::uint64_t value : values) {
    const std::uint64_t step = value > before ? value - before : before - value;
    steps.largest = std::max(steps.largest, step);
    steps.small_count += holds<std::int8_t>(step) ? 1U : 0U;
    before = value;
  }
  return steps;
}

}  // namespace

void BinarySection::begin_column(std::string_view name) {
  header_ += ",\"";
  header_ += name;
  header_ += "\":{";
}

void BinarySection::describe(std::size_t width) {
  header_ += "\"at\":";
  append_number(header_, signed_.size() + columns_.size());
  header_ += ",\"width\":";
  append_number(header_, width);
}

void BinarySection::put_text(std::string_view texts) {
  header_ += ",\"text\":{\"at\":";
  append_number(header_, signed_.size() + columns_.size());
  header_ += ",\"bytes\":";
  append_number(header_, texts.size());
  header_ += '}';
  columns_ += texts;
  align(columns_, 0);
}

// The caller aligns what follows.
template <class As>
As* BinarySection::room(std::string& columns, std::size_t count) {
  const std::size_t at = columns.size();
  columns.resize(at + count * sizeof(As));
  return reinterpret_cast<As*>(columns.data() + at);
}

template <class As>
void BinarySection::put_as(std::span<const std::uint64_t> values) {
  describe(sizeof(As));
  As* to = room<As>(columns_, values.size());
  for (const std::uint64_t value : values) *to++ = static_cast<As>(value);
  align(columns_, 0);
}

template <class As>
void BinarySection::put_steps(std::span<const std::uint64_t> values) {
  describe(sizeof(As));
  header_ += ",\"steps\":true";
  As* to = room<As>(columns_, values.size());
  std::uint64_t before = 0;
  for (const std::uint64_t value : values) {
    *to++ = static_cast<As>(value - before);
    before = value;
  }
  align(columns_, 0);
}

void BinarySection::put(std::span<const std::uint64_t> values) {
  const std::uint64_t most = values.empty() ? 0 : *std::ranges::max_element(values);
  const Steps steps = steps_of(values);
  const bool mostly_small = 2 * steps.small_count > values.size();
  if (most == 0) return describe(0);
  if (!holds<std::uint32_t>(most)) return put_as<double>(values);
  if (holds<std::uint8_t>(most)) return put_as<std::uint8_t>(values);
  if (holds<std::int8_t>(steps.largest)) return put_steps<std::int8_t>(values);
  if (holds<std::uint16_t>(most) && !mostly_small) return put_as<std::uint16_t>(values);
  if (holds<std::int16_t>(steps.largest)) return put_steps<std::int16_t>(values);
  if (holds<std::int32_t>(steps.largest) && mostly_small) return put_steps<std::int32_t>(values);
  put_as<std::uint32_t>(values);
}

void BinarySection::put_signed(std::span<const std::int32_t> values) {
  NETML_ASSERT(columns_.empty());
  describe(sizeof(std::int32_t));
  std::ranges::copy(values, room<std::int32_t>(signed_, values.size()));
  align(signed_, 0);
}

std::vector<GzipText> BinarySection::finish(std::string_view magic) && {
  header_ += ",\"bytes\":";
  append_number(header_, signed_.size() + columns_.size());
  header_ += '}';
  const auto length = static_cast<std::uint32_t>(header_.size());
  std::string head(magic);
  head.append(reinterpret_cast<const char*>(&length), sizeof(length));
  head += header_;
  align(head, ' ');
  std::vector<GzipText> parts(3);
  parts[0].bytes = std::move(head);
  parts[1] = {.bytes = std::move(signed_), .repeats = false};
  parts[2].bytes = std::move(columns_);
  return parts;
}

}  // namespace netml::admin::web::detail
