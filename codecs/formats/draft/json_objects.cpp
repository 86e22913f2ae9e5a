#include "codecs/formats/draft/json_objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace netml::codecs {

std::string_view text_member(JsonValue object, std::string_view member) {
  const JsonValue value = object[member];
  return value.is_string() ? value.text() : std::string_view();
}

std::string_view JsonObjects::id_of(JsonValue object, std::string_view what,
                                    std::string_view member) {
  if (!object.is_object()) {
    report("wrong-type", fmt::format("{} must be an object", what), object);
    return {};
  }
  refuse_repeated(object);
  const std::string_view id = text_member(object, member);
  if (id.empty()) report("missing-member", fmt::format("{} lacks its {}", what, member), object);
  return id;
}

void JsonObjects::refuse_repeated(JsonValue object) {
  std::vector<std::string_view> names;
  for (const JsonMember& member : object.members()) names.push_back(member.name);
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end())
    report("duplicate-member", fmt::format("there are two members {}", excerpt(*twice)), object);
}

}  // namespace netml::codecs
