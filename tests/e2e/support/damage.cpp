#include "tests/e2e/support/damage.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/json.hpp>
#include <string_view>
#include <vector>

namespace netml::e2e {

namespace json = boost::json;
using namespace std::string_view_literals;

namespace {

constexpr std::array kForeign{"\0"sv,           "\xff\xfe"sv,      "\xc3"sv,      "\xed\xa0\x80"sv,
                              "\xef\xbb\xbf"sv, "\r\n\r\n"sv,      "--"sv,        "\\u0000"sv,
                              "\\ud800"sv,      "1e999"sv,         "<!DOCTYPE"sv, "&#0;"sv,
                              "]]>"sv,          "<![CDATA["sv,     "&lol;"sv,     "%00"sv,
                              "../../"sv,       "'; DROP TABLE"sv, "\x1b[2J"sv,   "PK\x03\x04"sv,
                              "xmlns:a=\"\""sv};

// As JSON texts.
constexpr std::array kValues{R"(null)"sv,
                             R"(true)"sv,
                             R"(-1)"sv,
                             R"(0)"sv,
                             R"(18446744073709551615)"sv,
                             R"(-9223372036854775808)"sv,
                             R"(1e308)"sv,
                             R"(-0.0)"sv,
                             R"("")"sv,
                             R"(" ")"sv,
                             R"("\u0000")"sv,
                             R"("\u202e\ufffe")"sv,
                             R"([])"sv,
                             R"({})"sv,
                             R"([[[[]]]])"sv,
                             R"({"pk":1})"sv,
                             R"([null])"sv,
                             R"([1,1,1])"sv,
                             R"(["{'name': 'a', 'value': "])"sv,
                             R"("99999-12-31T23:59:60Z")"sv,
                             R"("1e5")"sv,
                             R"("NaN")"sv};

std::string as_utf16(std::string_view text) {
  std::string wide = "\xff\xfe";
  for (const char byte : text) wide.append({byte, '\0'});
  return wide;
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

std::string Damage::once(std::string body) {
  const std::size_t place = below(body.size() + 1);
  const std::size_t length = below(std::min<std::size_t>(body.size() - place, 64) + 1);
  switch (below(7)) {
    case 0:
      return body.substr(0, place);
    case 1:
      if (place < body.size()) body[place] = static_cast<char>(body[place] ^ (1 << below(8)));
      return body;
    case 2:
      return body.erase(place, length);
    case 3:
      return body.insert(place, body.substr(place, length));
    case 4:
      return body.insert(place, kForeign[below(kForeign.size())]);
    case 5:
      return one_in(4) ? as_utf16(body) : body.insert(0, "\xef\xbb\xbf");
    default:
      for (std::size_t i = 0; i < 1 + length; ++i)
        body.insert(place, 1, static_cast<char>(below(256)));
      return body;
  }
}

std::string Damage::bytes(std::string body) {
  for (std::size_t times = 1 + below(4); times > 0; --times) body = once(std::move(body));
  return body;
}

std::string Damage::json(const std::string& body) {
  boost::system::error_code error;
  json::value value = json::parse(body, error);
  json::value* inside = &value;  // some value on the way down
  while (!error && inside->is_array() && !inside->get_array().empty() && !one_in(4))
    inside = &inside->get_array()[below(inside->get_array().size())];
  if (error || !inside->is_object() || inside->get_object().empty()) return bytes(body);
  json::object& object = inside->get_object();
  const auto member = object.begin() + static_cast<std::ptrdiff_t>(below(object.size()));
  const std::string key(member->key());
  switch (below(7)) {
    case 0:
      object.erase(key);
      break;
    case 1:
      object[key + "_"] = json::value(member->value());  // adding moves what is there
      break;
    case 2:
      return fmt::format("{{\"{}\":{},{}", key, kValues[below(kValues.size())],
                         body.substr(std::min(body.size(), body.find('{') + 1)));
    case 3:
      member->value() = std::string(1 + below(3000), one_in(2) ? 'x' : '\x01');
      break;
    case 4: {
      const std::size_t depth = 1 + below(50'000);
      return fmt::format("{{\"{}\":{}{}}}", key, repeated(one_in(2) ? "[" : "{\"a\":", depth),
                         one_in(2) ? repeated("]", depth) : "");
    }
    default:
      member->value() = json::parse(kValues[below(kValues.size())]);
  }
  return json::serialize(value);
}

std::string Damage::markup(std::string body) {
  const std::size_t place = body.find_first_of("<>\"=", below(body.size() + 1));
  if (place == std::string::npos) return bytes(std::move(body));
  const std::size_t end = std::min(body.size(), body.find_first_of("<>\"=;\r", place + 1));
  switch (below(5)) {
    case 0:
      return body.replace(place + 1, end - place - 1, kForeign[below(kForeign.size())]);
    case 1:
      return body.insert(place, repeated("<a>", 1 + below(20'000)));
    case 2:
      return body.insert(place + 1, repeated("9", 1 + below(5'000)));
    case 3:
      return body.insert(place, body.substr(place, end - place));
    default:
      return bytes(std::move(body));
  }
}

}  // namespace netml::e2e
