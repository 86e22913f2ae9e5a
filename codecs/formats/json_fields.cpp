#include "codecs/formats/json_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/nearest_word.hpp"

namespace netml::codecs {

namespace json = boost::json;

Result<json::value> parse_json_object(std::string_view text, std::string_view what) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  boost::system::error_code error;
  json::value document = json::parse(text, error);
  if (error)
    return fail(Errc::invalid_input, fmt::format("{} is no JSON ({})", what, error.message()));
  if (!document.is_object())
    return fail(Errc::invalid_input, fmt::format("{} is no JSON object", what));
  return document;
}

Status JsonFields::only(Names known) const {
  for (const json::key_value_pair& member : object_)
    if (std::ranges::find(known, std::string_view(member.key())) == known.end())
      return wrong_json(path_of(member.key()), fmt::format("is no field of {}{}", what_,
                                                           did_you_mean(member.key(), known)));
  return {};
}

const json::value* JsonFields::find(std::string_view name) const {
  const json::value* const value = object_.if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

Result<std::string> JsonFields::text(std::string_view name, std::string otherwise) const {
  const json::value* const value = find(name);
  if (value == nullptr) return otherwise;
  if (!value->is_string()) return wrong_json(path_of(name), "must be a text");
  return std::string(value->get_string());
}

Result<std::string> JsonFields::needed_text(std::string_view name) const {
  if (find(name) == nullptr) return wrong_json(path_of(name), "is missing");
  NETML_TRY(std::string found, text(name, {}));
  if (found.empty()) return wrong_json(path_of(name), "must not be empty");
  return found;
}

Result<std::vector<std::string>> JsonFields::texts(std::string_view name) const {
  std::vector<std::string> found;
  const json::value* const value = find(name);
  if (value == nullptr) return found;
  if (value->is_string()) {
    found.emplace_back(value->get_string());
    return found;
  }
  if (!value->is_array() || value->get_array().empty() ||
      !std::ranges::all_of(value->get_array(), &json::value::is_string))
    return wrong_json(path_of(name), "must be a text, or a list of at least one");
  for (const json::value& text : value->get_array()) found.emplace_back(text.get_string());
  return found;
}

Result<bool> JsonFields::flag(std::string_view name, bool otherwise) const {
  const json::value* const value = find(name);
  if (value == nullptr) return otherwise;
  if (!value->is_bool()) return wrong_json(path_of(name), "must be true or false");
  return value->get_bool();
}

Result<std::size_t> JsonFields::word(std::string_view name, Names words,
                                     std::string_view found) const {
  const auto at = std::ranges::find(words, found);
  if (at == words.end())
    return wrong_json(path_of(name), fmt::format("must be \"{}\"", fmt::join(words, "\" or \"")));
  return static_cast<std::size_t>(at - words.begin());
}

Result<JsonFields> JsonFields::object(std::string_view name) const {
  const json::value* const value = find(name);
  if (value == nullptr) return wrong_json(path_of(name), "is missing");
  if (!value->is_object()) return wrong_json(path_of(name), "must be an object");
  return JsonFields(value->get_object(), path_of(name) + '.', what_);
}

}  // namespace netml::codecs
