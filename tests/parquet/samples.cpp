// Parquet files with all kinds of columns and hostile values, and what is in them.
// Usage: parquet_samples DIR: writes NAME.parquet, and NAME.json with a row a line.
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/parquet/parquet_writer.hpp"
#include "engine/base/json_string.hpp"

namespace netml::test {
namespace {

using codecs::ParquetShape;
using codecs::ParquetType;
using codecs::ParquetWriter;

struct SampleRow {
  std::int64_t number = 0;
  std::optional<std::int64_t> maybe_number;
  std::string text;
  std::optional<std::string> maybe_text;
  bool truth = false;
  std::optional<bool> maybe_truth;
  std::optional<double> real;
  WallTime time;
  std::optional<WallTime> maybe_time;
  std::vector<std::int64_t> numbers;
  std::vector<std::string> texts;
  std::vector<std::pair<std::string, std::string>> pairs;
};

std::vector<codecs::ParquetColumn> columns() {
  using enum ParquetShape;
  const std::vector<codecs::ParquetColumn> all = {
      {"number", ParquetType::integer, required},  {"maybe_number", ParquetType::integer, optional},
      {"text", ParquetType::text, required},       {"maybe_text", ParquetType::text, optional},
      {"truth", ParquetType::truth, required},     {"maybe_truth", ParquetType::truth, optional},
      {"real", ParquetType::number, optional},     {"time", ParquetType::time, required},
      {"maybe_time", ParquetType::time, optional}, {"numbers", ParquetType::integer, list},
      {"texts", ParquetType::text, list},          {"pairs", ParquetType::text, pairs}};
  return all;
}

void add(ParquetWriter& writer, const SampleRow& row) {
  auto values = writer.columns().begin();
  values++->add(row.number);
  values++->add(row.maybe_number);
  values++->add(std::string_view(row.text));
  values++->add(row.maybe_text ? std::optional<std::string_view>(*row.maybe_text) : std::nullopt);
  values++->add(row.truth);
  values++->add(row.maybe_truth);
  values++->add(row.real);
  values++->add(row.time);
  values++->add(row.maybe_time);
  values->begin_list();
  for (const std::int64_t number : row.numbers) values->add(number);
  values++->end_list();
  values->begin_list();
  for (const std::string& text : row.texts) values->add(std::string_view(text));
  values++->end_list();
  values->begin_list();
  for (const auto& [name, value] : row.pairs) values->add_pair(name, value);
  values->end_list();
  NETML_ASSERT(writer.end_row().has_value());
}

// ---- the same as JSON ----

std::string json(std::int64_t number) {
  return fmt::format("\"{}n\"", number);
}
std::string json(WallTime time) {
  return json(time.microseconds);
}
std::string json(double real) {
  return fmt::format("{}", real);  // the shortest text, as JavaScript has it
}
std::string json(bool truth) {
  return truth ? "true" : "false";
}
std::string json(const std::string& text) {
  return json_string(text);
}
std::string json(const std::pair<std::string, std::string>& pair) {
  return fmt::format(R"({{"name":{},"value":{}}})", json(pair.first), json(pair.second));
}
template <class T>
std::string json(const std::optional<T>& value) {
  return value ? json(*value) : "null";
}
template <class T>
std::string json(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += (text.empty() ? "" : ",") + json(value);
  return '[' + text + ']';
}

std::string json(const SampleRow& row) {
  return fmt::format(
      R"({{"number":{},"maybe_number":{},"text":{},"maybe_text":{},"truth":{},"maybe_truth":{},)"
      R"("real":{},"time":{},"maybe_time":{},"numbers":{},"texts":{},"pairs":{}}})",
      json(row.number), json(row.maybe_number), json(row.text), json(row.maybe_text),
      json(row.truth), json(row.maybe_truth), json(row.real), json(row.time), json(row.maybe_time),
      json(row.numbers), json(row.texts), json(row.pairs));
}

// ---- rows ----

SampleRow full_row() {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  return {.number = kLeast,
          .maybe_number = kMost,
          .text = "Zürich ☃ 𝄞 \"quoted\" \\ \n\t",
          .maybe_text = "",
          .truth = true,
          .maybe_truth = false,
          .real = -0.000001,
          .time = WallTime{-62'135'596'800'000'000},        // the first second of the year 1
          .maybe_time = WallTime{253'402'300'799'999'999},  // the end of the year 9999
          .numbers = {0, -1, kMost},
          .texts = {"", "é", "a"},
          .pairs = {{"tag", "core"}, {"tag", ""}, {"", "value"}}};
}

// Each thing is there or not by chance.
SampleRow random_row(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  const auto text = [&] {
    std::string made;
    for (std::uint64_t left = below(6); left > 0; --left) made += below(4) == 0 ? "ß" : "x";
    return made;
  };
  SampleRow row;
  row.number = static_cast<std::int64_t>(random());
  row.text = text();
  if (below(2) == 0) row.maybe_number = static_cast<std::int64_t>(random());
  if (below(3) != 0) row.maybe_text = text();
  row.truth = below(2) == 0;
  if (below(2) == 0) row.maybe_truth = below(2) == 0;
  if (below(4) != 0) row.real = static_cast<double>(below(360'000'000)) / 1'000'000 - 180;
  row.time = WallTime{static_cast<std::int64_t>(below(1ULL << 50))};
  if (below(9) == 0) row.maybe_time = WallTime{static_cast<std::int64_t>(below(1ULL << 50))};
  for (std::uint64_t left = below(4); left > 0; --left)
    row.numbers.push_back(static_cast<std::int64_t>(below(1000)));
  for (std::uint64_t left = below(3); left > 0; --left) row.texts.push_back(text());
  for (std::uint64_t left = below(3); left > 0; --left) row.pairs.emplace_back("name", text());
  return row;
}

class Sample {
 public:
  explicit Sample(const std::filesystem::path& path)
      : file_(path.string() + ".parquet", std::ios::binary), rows_(path.string() + ".json") {}
  ~Sample() {
    NETML_ASSERT(writer_.finish().has_value());
    file_ << writer_.take();
    NETML_ASSERT(file_.flush() && rows_.flush());
  }
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  void add(const SampleRow& row) {
    test::add(writer_, row);
    file_ << writer_.take();
    rows_ << json(row) << '\n';
  }

 private:
  ParquetWriter writer_{columns(), {{"about", "samples"}}};
  std::ofstream file_;
  std::ofstream rows_;
};

void write_samples(const std::filesystem::path& directory) {
  std::mt19937_64 random(1);  // NOLINT: the same rows each time
  {
    const Sample empty(directory / "empty");
  }
  Sample(directory / "one").add(full_row());
  Sample(directory / "nothing").add({});
  {
    // JSON has U+FFFD for each byte that is no UTF-8, too.
    SampleRow row = full_row();
    row.text = "\xff";
    row.maybe_text = "M\xfcnchen \xe2\x98";
    row.texts = {"\xff", "a\xffz"};
    row.pairs = {{"\xc0\xaf", "\xed\xa0\x80"}};
    Sample(directory / "malformed").add(row);
  }
  {
    Sample alike(directory / "alike");
    for (int i = 0; i < 100; ++i) alike.add(full_row());
  }
  {
    Sample few(directory / "few");
    for (int i = 0; i < 1000; ++i) few.add(random_row(random));
  }
  {
    Sample long_ones(directory / "long");
    SampleRow row = full_row();
    row.text = std::string(3 << 20, 'x') + "é";
    row.numbers.assign(100'000, 7);
    for (int i = 0; i < 3; ++i) long_ones.add(row);
  }
  Sample large(directory / "large");
  for (std::size_t i = 0; i < 2 * ParquetWriter::kGroupRows + 10; ++i)
    large.add(random_row(random));
}

}  // namespace
}  // namespace netml::test

int main(int count, char** words) {
  if (count != 2) return 2;
  netml::test::write_samples(words[1]);
  return 0;
}
