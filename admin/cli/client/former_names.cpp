#include "admin/cli/client/former_names.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>

namespace netml::admin::cli {

namespace json = boost::json;

namespace {

json::array lines_of(std::string_view text) {
  json::array lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    lines.emplace_back(line);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return lines;
}

json::value former_value(json::value value, FormerName::Value kind) {
  if (kind == FormerName::Value::milliseconds)
    return value.is_number() ? std::llround(value.to_number<double>() * 1000) : 0LL;
  json::string* const text = value.if_string();
  if (text == nullptr) return value;
  if (kind == FormerName::Value::lines) return lines_of(*text);
  if (kind == FormerName::Value::code) std::ranges::replace(*text, '-', '_');
  if (kind == FormerName::Value::time && text->ends_with('Z')) {
    text->pop_back();
    *text += "+00:00";
  }
  return value;
}

enum class Depth : std::uint8_t { all, outermost };

// As deep as the parser lets values nest, which is 32.
// NOLINTNEXTLINE(misc-no-recursion)
json::value renamed(json::value value, FormerNames names, Depth depth) {
  if (json::array* const items = value.if_array())
    for (json::value& item : *items) item = renamed(std::move(item), names, depth);
  json::object* const members = value.if_object();
  if (members == nullptr) return value;
  json::object all;
  for (json::key_value_pair& member : *members) {
    const auto found = std::ranges::find(names, std::string_view(member.key()), &FormerName::name);
    json::value inner = depth == Depth::all ? renamed(std::move(member.value()), names, depth)
                                            : std::move(member.value());
    if (found == names.end())
      all.emplace(member.key(), std::move(inner));
    else
      all.insert_or_assign(found->former, former_value(std::move(inner), found->value));
  }
  return all;
}

Result<std::string> renamed_text(std::string_view text, FormerNames names, Depth depth) {
  json::error_code error;
  json::value value = json::parse(text, error);
  if (error) return fail(Errc::io_error, "the answer is not JSON: " + error.message());
  return json::serialize(renamed(std::move(value), names, depth));
}

}  // namespace

Result<std::string> with_former_names(std::string_view text, FormerNames names) {
  return renamed_text(text, names, Depth::all);
}

Result<std::string> with_former_outer_names(std::string_view text, FormerNames names) {
  return renamed_text(text, names, Depth::outermost);
}

}  // namespace netml::admin::cli
