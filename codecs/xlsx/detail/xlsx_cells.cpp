#include "codecs/xlsx/detail/xlsx_cells.hpp"

#include <fmt/format.h>

#include <boost/unordered/unordered_flat_map.hpp>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>

#include "codecs/document/read_limits.hpp"
#include "engine/base/texts.hpp"
#include "engine/base/utf8.hpp"
#include "engine/base/wording.hpp"

namespace netml::codecs {

// ---- texts ----

namespace {

constexpr std::string_view kNoBreakSpace = "\xc2\xa0";

// Bytes of the blank at the front or back; 0 when there is none.
std::size_t blank_at_front(std::string_view text) {
  if (text.starts_with(kNoBreakSpace)) return kNoBreakSpace.size();
  return !text.empty() && std::string_view(" \t\r\n").find(text.front()) != text.npos ? 1 : 0;
}

std::size_t blank_at_back(std::string_view text) {
  if (text.ends_with(kNoBreakSpace)) return kNoBreakSpace.size();
  return !text.empty() && std::string_view(" \t\r\n").find(text.back()) != text.npos ? 1 : 0;
}

// What "_xHHHH_" at the front stands for, if it is that.
std::optional<std::uint32_t> escaped_code(std::string_view text) {
  constexpr std::size_t kLength = 7;
  if (text.size() < kLength || !text.starts_with("_x") || text[kLength - 1] != '_')
    return std::nullopt;
  std::uint32_t code = 0;
  const char* end = text.data() + kLength - 1;
  const auto [stop, error] = std::from_chars(text.data() + 2, end, code, 16);
  if (error != std::errc{} || stop != end) return std::nullopt;
  const bool control = code < 0x20 && code != '\t' && code != '\n' && code != '\r';
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (control || surrogate || code >= 0xfffe) return std::nullopt;
  return code;
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (const std::size_t blank = blank_at_front(text)) text.remove_prefix(blank);
  while (const std::size_t blank = blank_at_back(text)) text.remove_suffix(blank);
  return text;
}

void append_unescaped(std::string& out, std::string_view text) {
  constexpr std::size_t kEscapeBytes = 7;
  for (std::size_t at = text.find("_x"); at != text.npos; at = text.find("_x")) {
    out.append(text.substr(0, at));
    text.remove_prefix(at);
    if (const auto code = escaped_code(text)) {
      append_utf8(out, *code);
      text.remove_prefix(kEscapeBytes);
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  out.append(text);
}

class SharedStringsPart final : public PartEvents {
 public:
  SharedStringsPart(SharedStrings& strings, const XlsxLimits& limits)
      : strings_(strings), limits_(limits) {}

 private:
  void begin(Tag tag, std::span<const XmlAttribute>) override {
    // What stands in rPh tells how to pronounce the text and is no part of it.
    takes_text_ = tag == Tag::t && (parent() == Tag::si || parent() == Tag::r);
    if (takes_text_ && within(Tag::phonetic)) takes_text_ = false;
  }
  void characters(std::string_view piece) override {
    if (takes_text_) item_.append(piece);
    if (strings_.texts_.size() + item_.size() > limits_.shared_string_bytes)
      refuse("too-large",
             beyond_limit("the shared texts are too long", limit_names::kXlsxSharedStringBytes,
                          limits_.shared_string_bytes));
  }
  void end(Tag tag) override {
    takes_text_ = false;
    if (tag != Tag::si) return;
    if (strings_.ends_.size() == limits_.shared_strings)
      return refuse("too-large",
                    beyond_limit("there are too many shared texts", limit_names::kXlsxSharedStrings,
                                 limits_.shared_strings));
    append_unescaped(strings_.texts_, item_);
    strings_.ends_.push_back(strings_.texts_.size());
    item_.clear();
  }

  SharedStrings& strings_;
  const XlsxLimits& limits_;
  std::string item_;
  bool takes_text_ = false;
};

ZipResult<SharedStrings> read_shared_strings(ZipArchive& archive, std::string_view part,
                                             const XlsxLimits& limits) {
  SharedStrings strings;
  SharedStringsPart events(strings, limits);
  NETML_TRY_VOID(read_part(archive, part, events));
  return strings;
}

// ---- numbers ----

namespace {

constexpr std::size_t kStylesMax = 1 << 16;

// The formats that every program knows by number (ECMA-376, part 1, section 18.8.30).
bool is_built_in_date(std::uint32_t format) {
  return (format >= 14 && format <= 22) || (format >= 27 && format <= 36) ||
         (format >= 45 && format <= 47) || (format >= 50 && format <= 58);
}

std::uint32_t number_of(std::string_view text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

bool is_date_format(std::string_view format) {
  for (std::size_t i = 0; i < format.size(); ++i) {
    const char c = format[i];
    if (c == '"') {
      i = format.find('"', i + 1);
    } else if (c == '\\' || c == '_' || c == '*') {
      ++i;  // the next character stands for itself
    } else if (c == '[') {
      // [h], [mm], [ss] are times that have run; others are colours, conditions and languages.
      const std::size_t end = format.find(']', i);
      if (end == format.npos) return false;
      const std::string inside = lower_ascii(format.substr(i + 1, end - i - 1));
      if (!inside.empty() && inside.find_first_not_of("hms") == inside.npos) return true;
      i = end;
    } else if (std::string_view("dmyhsDMYHS").find(c) != std::string_view::npos) {
      return true;
    } else if (lower_ascii(format.substr(i, 7)) == "general") {
      i += 6;
    }
    if (i == format.npos) return false;
  }
  return false;
}

class StylesPart final : public PartEvents {
 public:
  explicit StylesPart(CellStyles& styles) : styles_(styles) {}

 private:
  void begin(Tag tag, std::span<const XmlAttribute> attributes) override {
    if (tag == Tag::number_format && parent() == Tag::number_formats)
      custom_[number_of(attribute(attributes, "numFmtId"))] =
          is_date_format(attribute(attributes, "formatCode"));
    if (tag != Tag::xf || parent() != Tag::cell_formats) return;
    if (styles_.is_date_.size() == kStylesMax || custom_.size() > kStylesMax)
      return refuse("too-large", fmt::format("there are more than {} styles", kStylesMax));
    const std::uint32_t format = number_of(attribute(attributes, "numFmtId"));
    const auto custom = custom_.find(format);
    styles_.is_date_.push_back(custom != custom_.end() ? custom->second : is_built_in_date(format));
  }

  CellStyles& styles_;
  boost::unordered_flat_map<std::uint32_t, bool> custom_;
};

ZipResult<CellStyles> read_styles(ZipArchive& archive, std::string_view part) {
  CellStyles styles;
  StylesPart events(styles);
  NETML_TRY_VOID(read_part(archive, part, events));
  return styles;
}

std::string number_text(double value) {
  if (value == 0) return "0";
  constexpr double kPlainMax = 1e15;  // integers below it are exact
  char digits[64];
  const bool plain = std::abs(value) < kPlainMax && std::abs(value) >= 1e-5;
  const auto format = plain ? std::chars_format::fixed : std::chars_format::general;
  return {digits, std::to_chars(digits, digits + sizeof digits, value, format).ptr};
}

std::string date_text(double serial, bool date_1904) {
  namespace chr = std::chrono;
  using chr::year;
  constexpr double kLastDay = 2'958'466;  // 10000-01-01
  constexpr double kLeapDay = 60;         // 1900-02-29, which spreadsheets count but never was
  constexpr std::int64_t kSecondsOfDay = 86'400;
  if (!(serial >= 0 && serial < kLastDay)) return {};
  const auto seconds = static_cast<std::int64_t>(std::llround(serial * kSecondsOfDay));
  const std::int64_t days = seconds / kSecondsOfDay;
  const chr::hh_mm_ss time(chr::seconds(seconds % kSecondsOfDay));
  std::string clock = fmt::format("{:02}:{:02}:{:02}", time.hours().count(), time.minutes().count(),
                                  time.seconds().count());
  if (days == 0 && !date_1904) return clock;
  const chr::sys_days origin = date_1904           ? chr::sys_days{year{1904} / 1 / 1}
                               : serial < kLeapDay ? chr::sys_days{year{1899} / 12 / 31}
                                                   : chr::sys_days{year{1899} / 12 / 30};
  const chr::year_month_day date{origin + chr::days(days)};
  const std::string day =
      fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return seconds % kSecondsOfDay == 0 ? day : fmt::format("{}T{}", day, clock);
}

}  // namespace netml::codecs
