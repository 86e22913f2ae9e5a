#include "codecs/places/gazetteer_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "codecs/document/numbers.hpp"
#include "engine/base/texts.hpp"
#include "engine/base/utf8.hpp"

namespace netml::codecs {

namespace {

constexpr std::string_view kForm = "netml places 1";
constexpr char kSeparator = '\t';
constexpr double kLatitudeMax = 90;
constexpr double kLongitudeMax = 180;

// A text of the file as one that a record can hold; nothing where it is none.
std::optional<std::string> name_in(std::string_view text) {
  const bool fits = !text.empty() && engine::character_count(text) <= engine::kNameCharactersMax;
  return fits ? std::optional(std::string(text)) : std::nullopt;
}

std::optional<engine::Micro> degrees_in(std::string_view text, double most) {
  const std::optional<double> degrees = parse_number(text);
  // What is no number compares as false.
  if (!degrees || !(*degrees >= -most && *degrees <= most)) return std::nullopt;
  return round_to_micro(*degrees);
}

tl::unexpected<engine::InputError> no_gazetteer() {
  return file_fault(
      "no-gazetteer",
      fmt::format("this is no gazetteer: its first line does not begin with \"{}\"", kForm));
}

}  // namespace

FileStatus GazetteerReader::write(std::string_view piece) {
  if (begun_) return take_bytes(piece);
  constexpr std::size_t kBytesThatTell = 2;
  first_bytes_ += piece;
  if (first_bytes_.size() < kBytesThatTell) return {};
  begun_ = true;
  if (begins_as_gzip(first_bytes_)) expander_ = std::make_unique<GzipExpander>();
  return take_bytes(std::exchange(first_bytes_, {}));
}

FileStatus GazetteerReader::take_bytes(std::string_view piece) {
  if (!expander_) return take_text(piece);
  return expander_->write(piece, [&](std::string_view text) { return take_text(text); });
}

FileStatus GazetteerReader::take_text(std::string_view piece) {
  text_bytes_ += piece.size();
  if (text_bytes_ > kExpandedBytesMax)
    return file_fault("too-large",
                      fmt::format("the text is longer than {} bytes", kExpandedBytesMax));
  while (!piece.empty()) {
    const std::size_t end = piece.find('\n');
    line_ += piece.substr(0, std::min(end, kLineBytesMax + 1));
    if (line_.size() > kLineBytesMax)
      return lines_ == 0 ? FileStatus(no_gazetteer()) : FileStatus(wrong_line("is too long"));
    if (end == std::string_view::npos) return {};
    piece.remove_prefix(end + 1);
    NETML_TRY_VOID(take_line(line_));
    ++lines_;
    line_.clear();
  }
  return {};
}

FileStatus GazetteerReader::take_line(std::string_view line) {
  if (lines_ == 0) return take_heading(line);
  if (lines_ > lines_announced_) return wrong_line("is one more than the first line says");
  if (!is_utf8(line)) return wrong_line("is no UTF-8");
  if (std::ranges::count(line, kSeparator) != 1) return take_city(line);
  std::string code = engine::country_code(take_until(line, kSeparator));
  const engine::Country country{std::move(code), std::string(line)};
  if (country.code.empty() || country.name.empty()) return wrong_line("is no country: code, name");
  take_country_(country);
  return {};
}

FileStatus GazetteerReader::take_heading(std::string_view line) {
  if (!is_utf8(line) || take_until(line, kSeparator) != kForm) return no_gazetteer();
  const auto source = name_in(take_until(line, kSeparator));
  const auto count = parse_integer<std::uint64_t>(line);
  if (!source || !count) return wrong_line("does not say the source and how many lines follow");
  source_ = *source;
  lines_announced_ = *count;
  return {};
}

FileStatus GazetteerReader::take_city(std::string_view line) {
  const auto name = name_in(take_until(line, kSeparator));
  std::string country = engine::country_code(take_until(line, kSeparator));
  const std::string_view region = take_until(line, kSeparator);
  const auto latitude = degrees_in(take_until(line, kSeparator), kLatitudeMax);
  const auto longitude = degrees_in(line, kLongitudeMax);
  if (!name || country.empty() || !latitude || !longitude)
    return wrong_line("is no city: name, country, region, latitude, longitude");
  take_city_({*name, std::move(country), std::string(region), {*latitude, *longitude}});
  return {};
}

FileStatus GazetteerReader::finish() {
  if (expander_) NETML_TRY_VOID(expander_->finish());
  if (lines_ == 0) return no_gazetteer();
  if (!line_.empty() || lines_ != lines_announced_ + 1)
    return file_fault("cut-off", fmt::format("the file is cut off: {} of {} lines are there",
                                             lines_ - 1, lines_announced_));
  return {};
}

tl::unexpected<engine::InputError> GazetteerReader::wrong_line(std::string_view what) const {
  return file_fault("invalid-line", fmt::format("this line {}", what), lines_ + 1);
}

}  // namespace netml::codecs
