#include "admin/api/reference/forms.hpp"

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "engine/base/texts.hpp"
#include "net/http/http.hpp"
#include "net/http/multipart.hpp"
#include "net/http/uri.hpp"

namespace netml::admin::functional {

namespace json = boost::json;

namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kUrlencoded = "application/x-www-form-urlencoded";
constexpr std::string_view kMultipart = "multipart/form-data";

// "Application/JSON" of "Application/JSON; charset=utf-8".
std::string_view media_type(std::string_view content_type) {
  const std::string_view type = content_type.substr(0, content_type.find(';'));
  return type.substr(0, type.find_last_not_of(" \t") + 1);
}

bool is_of_type(std::string_view content_type, std::string_view wanted) {
  return equals_ignoring_case(media_type(content_type), wanted);
}

void add_field(json::object& fields, std::string_view name, std::string_view value) {
  json::value* known = fields.if_contains(name);
  if (known == nullptr) {
    fields.emplace(name, value);
  } else if (known->is_array()) {
    known->get_array().emplace_back(value);
  } else {
    json::value first = std::move(*known);
    *known = json::array{std::move(first), json::string(value)};
  }
}

std::string decoded(std::string_view text) {
  std::string spaced(text);
  std::replace(spaced.begin(), spaced.end(), '+', ' ');
  return net::percent_decode(spaced).value_or(spaced);
}

json::object parse_urlencoded(std::string_view body) {
  json::object fields;
  while (!body.empty()) {
    std::string_view value = take_until(body, '&');
    if (value.empty()) continue;
    const std::string_view name = take_until(value, '=');
    add_field(fields, decoded(name), decoded(value));
  }
  return fields;
}

class FieldCollector : public net::MultipartHandler {
 public:
  Status part_begin(const net::PartHead& head) override {
    name_ = head.name;
    value_.clear();
    return {};
  }
  Status part_data(std::string_view piece) override {
    value_ += piece;
    return {};
  }
  Status part_end() override {
    add_field(fields, name_, value_);
    return {};
  }

  json::object fields;

 private:
  std::string name_;
  std::string value_;
};

Result<json::object> parse_multipart(std::string_view content_type, const std::string& body,
                                     const net::Limits& limits) {
  NETML_TRY(const std::string boundary, net::multipart_boundary(content_type));
  FieldCollector collector;
  net::MultipartParser parser(boundary, limits, collector);
  NETML_TRY_VOID(parser.push(body));
  NETML_TRY_VOID(parser.finish());
  return std::move(collector.fields);
}

}  // namespace

Result<json::value> parse_json(std::string_view text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error);  // at most 32 levels deep
  if (error) return fail(Errc::invalid_input, "the body is not valid JSON: " + error.message());
  return value;
}

bool is_accepted_type(std::string_view content_type) {
  return std::ranges::any_of(std::array{std::string_view(), kJson, kUrlencoded, kMultipart},
                             [&](std::string_view type) { return is_of_type(content_type, type); });
}

Result<json::object> parse_fields(std::string_view content_type, const std::string& body,
                                  const net::Limits& limits) {
  if (body.empty()) return json::object();
  std::string text = body;
  if (is_of_type(content_type, kUrlencoded)) {
    text = json::serialize(parse_urlencoded(body));
  } else if (is_of_type(content_type, kMultipart)) {
    NETML_TRY(const json::object form, parse_multipart(content_type, body, limits));
    text = json::serialize(form);
  }
  // Forms take the same way as JSON from here, because its parser checks the encoding.
  NETML_TRY(json::value value, parse_json(text));
  if (!value.is_object()) return fail(Errc::invalid_input, "the body must be a JSON object");
  return std::move(value.get_object());
}

}  // namespace netml::admin::functional
