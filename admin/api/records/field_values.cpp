#include "admin/api/records/field_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <cmath>

#include "engine/base/texts.hpp"

namespace netml::admin::functional {

namespace json = boost::json;
using engine::Micro;

namespace {

constexpr std::size_t kDecimals = 6;
constexpr double kMicro = 1e6;

tl::unexpected<Error> wrong(const char* field, std::string_view what) {
  return fail(Errc::invalid_input, field, std::string(what));
}

bool all_digits(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// "-12.345678"; nothing when it has more digits than allowed, or is no decimal number.
std::optional<Micro> decimal_of(std::string_view text, std::size_t integer_digits_max) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  std::string fraction(text.substr(std::min(text.size(), point + 1)));
  if (whole.size() + fraction.size() == 0 || whole.size() > integer_digits_max ||
      fraction.size() > kDecimals || !all_digits(whole) || !all_digits(fraction))
    return std::nullopt;
  fraction.resize(kDecimals, '0');
  const std::string digits = std::string(whole) + fraction;
  std::int64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return Micro{negative ? -value : value};
}

// A JSON number has become a double on its way here; what it was in six decimals is still clear.
std::optional<Micro> decimal_of(double number, std::size_t integer_digits_max) {
  if (std::abs(number) >= std::pow(10.0, static_cast<double>(integer_digits_max)))
    return std::nullopt;
  const double scaled = number * kMicro;
  const double nearest = std::nearbyint(scaled);
  constexpr double kTolerance = 1e-3;
  if (std::abs(scaled - nearest) > std::max(kTolerance, std::abs(scaled) * 1e-14))
    return std::nullopt;
  return Micro{static_cast<std::int64_t>(nearest)};
}

}  // namespace

Result<const json::value*> aliased(const json::object& fields, const char* name,
                                   const char* alias) {
  const json::value* first = fields.if_contains(name);
  const json::value* second = fields.if_contains(alias);
  if (first != nullptr && second != nullptr && *first != *second)
    return wrong(name, fmt::format("differs from {}", alias));
  return first != nullptr ? first : second;
}

Result<std::optional<std::string>> text_value(const json::object& fields, const char* name) {
  const json::value* value = fields.if_contains(name);
  if (value == nullptr) return std::optional<std::string>();
  if (value->is_null()) return std::optional<std::string>("");
  if (!value->is_string()) return wrong(name, "must be a text");
  return std::optional<std::string>(value->get_string());
}

Result<std::string> required_text(const json::object& fields, const char* name) {
  const json::value* value = fields.if_contains(name);
  if (value == nullptr || value->is_null()) return wrong(name, "is required");
  if (!value->is_string()) return wrong(name, "must be a text");
  return std::string(value->get_string());
}

Result<std::uint64_t> required_key(const json::object& fields, const char* name) {
  NETML_TRY(const std::optional<std::int64_t> number, integer_value(fields, name));
  if (!number) return wrong(name, "is required");
  if (*number <= 0) return wrong(name, "names nothing");
  return static_cast<std::uint64_t>(*number);
}

Result<std::optional<bool>> flag_value(const json::object& fields, const char* name) {
  const json::value* value = fields.if_contains(name);
  if (value == nullptr) return std::optional<bool>();
  if (value->is_bool()) return std::optional<bool>(value->get_bool());
  const auto is_one_of = [&](std::initializer_list<std::string_view> texts) {
    return value->is_string() &&
           std::ranges::find(texts, std::string_view(value->get_string())) != texts.end();
  };
  if (*value == 1 || is_one_of({"true", "True", "1", "on", "yes"})) return std::optional(true);
  if (*value == 0 || is_one_of({"false", "False", "0", "off", "no", ""}))
    return std::optional(false);
  return wrong(name, "must be true or false");
}

std::optional<std::int64_t> as_integer(const json::value& value) {
  if (value.is_int64()) return value.get_int64();
  if (!value.is_string()) return std::nullopt;
  return parse_integer<std::int64_t>(value.get_string());
}

Result<std::optional<std::int64_t>> integer_value(const json::object& fields, const char* name) {
  const json::value* value = fields.if_contains(name);
  if (value == nullptr) return std::optional<std::int64_t>();
  const std::optional<std::int64_t> number = as_integer(*value);
  if (!number) return wrong(name, "must be an integer");
  return number;
}

Result<std::optional<std::optional<Instant>>> time_value(const json::object& fields,
                                                         const char* name) {
  using Time = std::optional<std::optional<Instant>>;
  NETML_TRY(const std::optional<std::string> text, text_value(fields, name));
  if (!text) return Time();
  if (text->empty()) return Time(std::optional<Instant>());
  const std::optional<Instant> instant = parse_instant(*text);
  if (!instant) return wrong(name, "must look like 2024-03-01T12:00:00Z");
  return Time(instant);
}

Result<std::optional<std::optional<Micro>>> decimal_value(const json::object& fields,
                                                          const char* name,
                                                          std::size_t integer_digits_max) {
  using Decimal = std::optional<std::optional<Micro>>;
  const json::value* value = fields.if_contains(name);
  if (value == nullptr) return Decimal();
  if (value->is_null() || *value == "") return Decimal(std::optional<Micro>());
  std::optional<Micro> number;
  if (value->is_string())
    number = decimal_of(value->get_string(), integer_digits_max);
  else if (value->is_number())
    number = decimal_of(value->to_number<double>(), integer_digits_max);
  if (!number)
    return wrong(name, fmt::format("must be a number of at most {} digits before the point and {} "
                                   "after it",
                                   integer_digits_max, kDecimals));
  return Decimal(number);
}

std::optional<std::vector<json::value>> list_value(const json::object& fields, const char* name) {
  const json::value* value = fields.if_contains(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_null() || *value == "") return std::vector<json::value>();
  if (!value->is_array()) return std::vector<json::value>{*value};
  const json::array& array = value->get_array();
  return std::vector<json::value>(array.begin(), array.end());
}

}  // namespace netml::admin::functional
